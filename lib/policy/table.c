/* SPDX-License-Identifier: MIT */
/* The tables behind --policy, --victim and --amount. */
#include "table.h"

#include <string.h>

#include "../runtime.h"

static const struct gws__policy table[] = {
    {
        .name = "chunked",
        .about = "a deque of chunks for each worker, divided by index; thieves take whole chunks "
                 "(Abdelmageed)",
        .queue = GWS__QUEUE_CHUNKED,
        .victim = gws__victim_last,
    },
    {
        .name = "cursor",
        .about = "every worker takes its next chunk from one shared counter",
        .queue = GWS__QUEUE_CURSOR,
    },
    {
        .name = "static",
        .about = "equal contiguous parts of an input and an output array, never rebalanced: the baseline (Cederman, "
                 "Tsigas)",
        .queue = GWS__QUEUE_STATIC,
    },
    {
        .name = "coarse",
        .about = "a level goes to one worker below a threshold and to all above it (CHAI)",
        .queue = GWS__QUEUE_CURSOR,
        .coarse = true,
    },
    {
        .name = "central",
        .about = "one queue that worker 0 fills in batches, with counts of ready and consumed tasks (Chen)",
        .queue = GWS__QUEUE_CENTRAL,
    },
    {
        .name = "abp",
        .about = "a deque of fixed size for each worker, with a tag against ABA (Arora, Blumofe, Plaxton)",
        .queue = GWS__QUEUE_ABP,
        .victim = gws__victim_random,
    },
    {
        .name = "chaselev",
        .about = "a growing deque for each worker (Chase, Lev)",
        .queue = GWS__QUEUE_CHASELEV,
        .victim = gws__victim_random,
    },
    {
        .name = "split",
        .about = "a queue for each worker whose private part needs no lock; thieves take half of the shared part "
                 "(Dinan)",
        .queue = GWS__QUEUE_SPLIT,
        .victim = gws__victim_random,
        .amount = gws__amount_half,
        .locks = true,
    },
    {
        .name = "workpile",
        .about = "first in first out; balances with a random partner, with probability 1/length (Rudolph, "
                 "Slivkin-Allalouf, Upfal)",
        .queue = GWS__QUEUE_WORKPILE,
        .victim = gws__victim_random,
        .amount = gws__amount_half,
        .locks = true,
    },
    {
        .name = "global",
        .about = "one shared pile under one lock: the baseline of the workpiles",
        .queue = GWS__QUEUE_GLOBAL,
    },
};

static const struct {
    const char *name, *about;
    gws_victim *victim;
} victims[] = {
    {"last", "the last successful victim, else a random one", gws__victim_last},
    {"random", "every other worker with equal probability", gws__victim_random},
    {"round", "round robin", gws__victim_round},
    {"nearest", "nearest first, by shared caches", gws__victim_nearest},
};

static const struct {
    const char *name, *about;
    gws_amount *amount;
} amounts[] = {
    {"one", "one task", gws__amount_one},
    {"two", "two tasks", gws__amount_two},
    {"chunk", "as many as --chunk, by default 8", gws__amount_chunk},
    {"half", "half of what can be stolen", gws__amount_half},
};

#define COUNT(rows) ((uint32_t)(sizeof(rows) / sizeof(rows)[0]))

const struct gws__policy *gws__policy_named(const char *name)
{
    if (!name) return &table[0];
    for (uint32_t i = 0; i < COUNT(table); i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

gws_victim *gws__victim_named(const char *name)
{
    for (uint32_t i = 0; name && i < COUNT(victims); i++)
        if (strcmp(victims[i].name, name) == 0) return victims[i].victim;
    return NULL;
}

gws_amount *gws__amount_named(const char *name)
{
    for (uint32_t i = 0; name && i < COUNT(amounts); i++)
        if (strcmp(amounts[i].name, name) == 0) return amounts[i].amount;
    return NULL;
}

static const char *row(const char *name, const char *text, const char **about)
{
    if (about) *about = text;
    return name;
}

const char *gws_policy_at(uint32_t i, const char **about)
{
    return i < COUNT(table) ? row(table[i].name, table[i].about, about) : NULL;
}

const char *gws_victim_at(uint32_t i, const char **about)
{
    return i < COUNT(victims) ? row(victims[i].name, victims[i].about, about) : NULL;
}

const char *gws_amount_at(uint32_t i, const char **about)
{
    return i < COUNT(amounts) ? row(amounts[i].name, amounts[i].about, about) : NULL;
}

/* Returns the policy with this name, or a policy without any options if there is none. */
static const struct gws__policy *known(const char *name)
{
    static const struct gws__policy unknown = {.queue = GWS__QUEUE_STATIC};
    const struct gws__policy *policy = gws__policy_named(name);
    return policy ? policy : &unknown;
}

bool gws_policy_takes_victim(const char *name)
{
    return known(name)->victim != NULL;
}

bool gws_policy_draws(const char *name, const char *victim)
{
    const struct gws__policy *policy = known(name);
    gws_victim *strategy = victim ? gws__victim_named(victim) : policy->victim;
    if (!policy->victim) return false;
    return policy->queue == GWS__QUEUE_WORKPILE ? strategy != NULL
                                                : strategy == gws__victim_random || strategy == gws__victim_last;
}

bool gws_policy_takes_amount(const char *name)
{
    return known(name)->amount != NULL;
}

bool gws_policy_takes_wait(const char *name)
{
    return known(name)->locks;
}

bool gws_policy_takes_vote(const char *name)
{
    return gws__queue_is_for_tasks(known(name)->queue);
}

bool gws_policy_takes_sample(const char *name)
{
    return gws_policy_takes_vote(name);
}

bool gws_policy_takes_chunk(const char *name)
{
    return known(name)->queue != GWS__QUEUE_STATIC;
}

/* SPDX-License-Identifier: MIT */
/* A policy = containers + decisions; the table of them is what --policy names. */
#ifndef GWS_POOL_POLICY_H
#define GWS_POOL_POLICY_H

#include "../policy/decide.h"
#include "../queue/container.h"
#include "../queue/task_container.h"

struct gws_policy {
    const char *name;
    const char *about; /* one sentence without a full stop */
    /* One of the two. Without a container of levels, loops run as tasks that are ranges (ranges.c); without one of
     * tasks, immediate tasks run in rounds (rounds.c). */
    const struct gws_container *levels;
    const struct gws_task_container *tasks;
    gws_victim *victim; /* what --victim replaces; NULL: nobody is robbed */
    gws_amount *amount; /* what --amount replaces; NULL: the container says */
    bool locks;         /* thieves lock the victim's queue, and --wait says whether they wait for it */
    uint32_t (*workers)(uint64_t count, uint32_t grain, uint32_t workers); /* how many a loop is worth */
};

/* The policy called name, "chunked" for NULL; NULL when there is none. The same for victims and amounts, where NULL
 * stands for NULL. */
const struct gws_policy *gws__policy_named(const char *name);
gws_victim *gws__victim_named(const char *name);
gws_amount *gws__amount_named(const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/* Thread teams. The barrier is an exchange. Every member writes a cache line of its own, and the other members read it.
 * Thus no line has two writers (Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988, with one
 * round for the few members of a team). A member alternates between two places for its words and reuses a place two
 * barriers later. By then all members have reached the barrier in between and have read the words. */
#include "../base/spin.h"
#include "pool.h"

#include <sched.h>
#include <string.h>

enum { patience = 2000 }; /* pauses before a waiting member yields its CPU, perhaps to the member that it waits for */

uint32_t gws_team_members(const struct gws_team *team)
{
    return team->members;
}

void gws_team_allgather(struct gws_team *team, uint32_t member, const uint64_t mine[gws_team_words],
                        uint64_t (*all)[gws_team_words])
{
    struct gws__barrier_slot *slot = team->slot;
    uint64_t barrier = ++slot[member].barriers;
    memcpy(slot[member].at[barrier & 1].words, mine, gws_team_words * sizeof *mine);
    /* release: pairs with the acquire below. The other members thus see the words and all earlier writes. */
    atomic_store_explicit(&slot[member].at[barrier & 1].barrier, barrier, memory_order_release);
    for (uint32_t i = 0, m = member; i < team->members; i++, m = m + 1 < team->members ? m + 1 : 0) {
        uint32_t waited = 0;
        /* acquire: pairs with the release above. */
        while (atomic_load_explicit(&slot[m].at[barrier & 1].barrier, memory_order_acquire) != barrier) {
            gws__spin_pause();
            if (team->yields || ++waited > patience) sched_yield();
        }
        memcpy(all[m], slot[m].at[barrier & 1].words, sizeof all[m]);
    }
}

static void work(struct gws__pool *pool, uint32_t worker)
{
    struct gws__worker_state *state = &pool->worker[worker];
    uint64_t since = state->trace.capacity ? gws__pool_now(pool) : 0;
    double began = gws_clock_ms();
    pool->team.body(pool->team.context, &pool->team, worker);
    state->stats.busy_ms += gws_clock_ms() - began;
    gws__pool_trace(pool, state, GWS_SLICE_BUSY, since, gws__pool_now(pool), 0);
}

static void run_alone(gws_team_body *body, void *context)
{
    struct gws__barrier_slot slot = {0};
    struct gws_team team = {.members = 1, .slot = &slot, .body = body, .context = context};
    body(context, &team, 0);
}

void gws__pool_team(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    if (members == 0) {
        run_alone(body, context);
        return;
    }
    double began = gws_clock_ms();
    uint32_t present = gws__threads_active(&pool->threads, began), cpus = runtime->workers - pool->idle_set.surplus;
    if (members > present) members = present;
    if (members > cpus) members = cpus; /* members without a CPU would delay the others at every barrier */
    pool->team.members = members > 0 ? members : 1;
    pool->team.yields = pool->threads.patience_ms == 0;
    pool->team.body = body;
    pool->team.context = context;
    for (uint32_t m = 0; m < pool->team.members; m++) {
        struct gws__barrier_slot *slot = &pool->team.slot[m];
        slot->barriers = 0;
        /* relaxed: the call of the workers publishes the store. */
        for (int i = 0; i < 2; i++) atomic_store_explicit(&slot->at[i].barrier, 0, memory_order_relaxed);
    }
    pool->work = work;
    gws__threads_call(&pool->threads, pool->team.members);
    work(pool, 0);
    gws__threads_wait(&pool->threads, pool->team.members, false);
    double now = gws_clock_ms();
    pool->ran_ms += now - began;
    gws__threads_check_stalls(&pool->threads, now, now - began);
}

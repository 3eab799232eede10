/* SPDX-License-Identifier: MIT */
/* A runtime, whole: services, threads, policy and statistics. */
#ifndef GWS_POOL_POOL_H
#define GWS_POOL_POOL_H

#include "../base/services.h"
#include "../policy/decide.h"
#include "../queue/container.h"
#include "../queue/task_container.h"
#include "../trace.h"
#include "threads.h"

/* ---- policies ---- */

/* A policy = containers + decisions; the table of them (policy.c) is what --policy names. */
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
    bool coarse;        /* a loop is worth all workers or one, not as many as have their grain */
};

/* The policy called name, "chunked" for NULL; NULL when there is none. The same for victims and amounts, where NULL
 * stands for NULL. */
const struct gws_policy *gws__policy_named(const char *name);
gws_victim *gws__victim_named(const char *name);
gws_amount *gws__amount_named(const char *name);

/* ---- traces ---- */

/* What one worker, or a device, did when: the first so many slices of time since the statistics were reset. */
struct gws__trace {
    struct gws_slice *slice; /* room entries, in the pool's memory or the track's own */
    uint64_t count, lost;
    uint32_t room; /* 0: nothing is kept, and no clock need be read for it */
};

/* When the last slice that was kept ended. */
static inline uint64_t gws__trace_end(const struct gws__trace *trace)
{
    return trace->count ? trace->slice[trace->count - 1].end_ns : 0;
}

enum { gws__trace_tracks = 16, gws__trace_name = 32 };

/* Those of devices. */
struct gws__tracks {
    uint32_t count;
    struct gws__track {
        char name[gws__trace_name];
        struct gws__trace trace;
    } track[gws__trace_tracks];
};

/* ---- the pool ---- */

/* One worker's own: nobody else writes it, and the caller reads it between loops only. */
struct gws__worker_state {
    alignas(128) struct gws_worker_stats stats;
    struct gws_worker_stats aside; /* of loops that do not count; never read */
    uint64_t random;               /* stream of gws_random_next() */
    uint32_t last;                 /* where it last stole */
    uint32_t turn;                 /* whom it last tried */
    uint32_t *near;                /* the others by nearness; NULL: nobody asked */
    struct gws__trace trace;
};

/* Where a member of a team leaves its words, for barriers of even and odd number. */
struct gws__seat {
    struct {
        alignas(128) _Atomic uint64_t barrier; /* the last one that it came to; the words are for that one */
        uint64_t words[gws_team_words];
    } at[2];
    uint64_t barriers; /* the member's own count */
};

struct gws_team {
    uint32_t members;
    bool yields;            /* there are more workers than CPUs */
    struct gws__seat *seat; /* workers entries */
    gws_team_body *body;
    void *context;
};

struct gws__pool {
    struct gws_runtime services; /* first: a gws_runtime is the face of a pool */
    const struct gws_policy *policy;
    gws_victim *victim; /* the policy's own or the one asked for; NULL: nobody is robbed */
    gws_victim *own;    /* the user's, which victim then is, too; NULL: there is none */
    gws_amount *amount;
    bool wait, vote;
    bool limited; /* services.allocator is of gws__limit_open() */
    uint32_t chunk, sample;
    uint64_t opened_ns;
    struct gws__tracks tracks;
    double ran_ms; /* time in loops and noted stretches since the statistics were reset */
    struct gws__threads threads;
    struct gws__idle_set idle_set;
    void *shared; /* what was allocated for all that follows, up to ranges */
    uint64_t shared_bytes;
    struct gws__thread *thread;
    struct gws__parking_slot *slot;
    struct gws__thread **active;
    struct gws__worker_state *worker;
    struct gws_team team;
    uint32_t *near;  /* workers times (workers - 1) entries; see gws__topology_order() */
    void *container; /* the state of the policy's container of levels, if it has one; else */
    struct gws__ranges *ranges;
    /* What runs; constant while it does. */
    void (*work)(struct gws__pool *pool, uint32_t worker);
    const struct gws_loop *loop;
    struct gws__job *job; /* tasks; tasks.h */
    uint32_t victims;     /* how many workers a thief in a loop has to look at */
    uint32_t attempts;    /* how many of them it does look at before it gives up; the caller looks at all */
};

/* services.run, and what the threads runs. */
void gws__pool_run(struct gws_runtime *runtime, const struct gws_loop *loop);
void gws__pool_work(void *context, uint32_t worker); /* context: the struct gws__pool */

/* services.team. */
void gws__pool_team(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context);

/* What a thief knows at the beginning of a search among the first `victims` workers. */
struct gws_view gws__pool_view(struct gws__pool *pool, uint32_t self, uint32_t victims);

/* Whom to try next. */
uint32_t gws__pool_victim(const struct gws__pool *pool, const struct gws_view *view);

/* Tasks to take at once in a loop that so many workers run. */
uint32_t gws__pool_chunk(const struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers);

/* Adds a slice to a worker's trace, if there is one; of a steal, state->last is the victim. */
void gws__pool_trace(struct gws__pool *pool, struct gws__worker_state *state, enum gws_slice_kind kind,
                     uint64_t begin_ns, uint64_t end_ns, uint64_t tasks);
void gws__pool_tracks_free(struct gws__pool *pool);

/* Nanoseconds since the runtime was opened. */
uint64_t gws__pool_now(const struct gws__pool *pool);

#endif

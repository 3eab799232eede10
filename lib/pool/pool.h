/* SPDX-License-Identifier: MIT */
/* A whole runtime: services, threads, policy and statistics. */
#ifndef GWS_POOL_POOL_H
#define GWS_POOL_POOL_H

#include "../base/services.h"
#include "../policy/table.h"
#include "../queue/task_queue.h"
#include "../queue/work_queue.h"
#include "../trace.h"
#include "threads.h"

/* ---- policies ---- */

/* Return the queue of threads of this kind, or NULL if the kind is for tasks, or for levels. Exactly one of the two is
 * not NULL. Without a work queue, loops run as tasks that are ranges (ranges.c). Without a task queue, immediate tasks
 * run in rounds (rounds.c). */
const struct gws_work_queue *gws__work_queue_of(enum gws__queue queue);
const struct gws_task_queue *gws__task_queue_of(enum gws__queue queue);

/* ---- traces ---- */

/* The first slices of time of one worker or device since the last reset of the statistics. */
struct gws__trace {
    struct gws_slice *slice; /* capacity entries, in the pool's memory or the track's own */
    uint64_t count, lost;
    uint32_t capacity; /* 0: tracing is off and needs no clock */
};

/* Returns the end of the last recorded slice. */
static inline uint64_t gws__trace_end(const struct gws__trace *trace)
{
    return trace->count ? trace->slice[trace->count - 1].end_ns : 0;
}

enum { gws__trace_tracks = 16, gws__trace_name = 32 };

/* The devices' tracks. */
struct gws__tracks {
    uint32_t count;
    struct gws__track {
        char name[gws__trace_name];
        struct gws__trace trace;
    } track[gws__trace_tracks];
};

/* ---- the pool ---- */

/* The state of one worker. Only that worker writes its state. The caller reads all states between loops. */
struct gws__worker_state {
    alignas(128) struct gws_worker_stats stats;
    struct gws_worker_stats uncounted; /* statistics of loops that do not count, which no code reads */
    uint64_t random;                   /* stream of gws_random_next() */
    uint32_t last;                     /* the victim of the last successful steal */
    uint32_t last_tried;               /* the last victim tried */
    uint32_t *topology_order;          /* the other workers, nearest first; NULL: not needed */
    struct gws__trace trace;
};

/* The words of one team member: at[0] for barriers with even numbers, at[1] for barriers with odd numbers. */
struct gws__barrier_slot {
    struct {
        alignas(128) _Atomic uint64_t barrier; /* the last barrier whose words the member has stored here */
        uint64_t words[gws_team_words];
    } at[2];
    uint64_t barriers; /* number of barriers that the member has reached */
};

struct gws_team {
    uint32_t members;
    bool yields;                    /* waiting members yield their CPUs: there are more workers than CPUs */
    struct gws__barrier_slot *slot; /* workers entries */
    gws_team_body *body;
    void *context;
};

struct gws__pool {
    struct gws_runtime services; /* first: a gws_runtime * is a gws__pool * */
    const struct gws__policy *policy;
    const struct gws_work_queue *levels; /* of the policy, as is tasks: one of them is NULL */
    const struct gws_task_queue *tasks;
    gws_victim *victim;      /* the policy's function, or the selected function; NULL: no stealing */
    gws_victim *user_victim; /* the user's function, then equal to victim; NULL: none */
    gws_amount *amount;
    bool wait, vote;
    bool limited; /* gws__limit_open() made services.allocator */
    uint32_t chunk, sample;
    uint64_t opened_ns;
    struct gws__tracks tracks;
    struct gws__record *record; /* of tasks; NULL: none */
    double ran_ms; /* time in loops and in gws_parallel_add_stats() since the last reset of the statistics */
    struct gws__threads threads;
    struct gws__idle_set idle_set;
    void *shared; /* one allocation for the members below, up to ranges */
    uint64_t shared_bytes;
    struct gws__thread *thread;
    struct gws__parking_slot *slot;
    struct gws__thread **active;
    struct gws__worker_state *worker;
    struct gws_team team;
    uint32_t *topology_order;   /* workers times (workers - 1) entries; see gws__topology_order() */
    void *queue_state;          /* state of the policy's work queue; NULL if the policy has none */
    struct gws__ranges *ranges; /* state for loops on a task queue; NULL if the policy has a work queue */
    /* The current loop or job, constant while it runs. */
    void (*work)(struct gws__pool *pool, uint32_t worker);
    const struct gws_loop *loop;
    struct gws__job *job; /* the call for immediate tasks; see tasks.h */
    uint32_t victims;     /* number of possible victims in the loop */
    uint32_t attempts;    /* number of victims that a thief tries before it gives up; worker 0 tries all */
};

/* gws__pool_run() is services.run. gws__pool_work() is the function that the threads run. */
void gws__pool_run(struct gws_runtime *runtime, const struct gws_loop *loop);
void gws__pool_work(void *context, uint32_t worker); /* context: the struct gws__pool */

/* Runs body on a team of at most `members` workers. services.team points to this function. */
void gws__pool_team(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context);

/* A thief's view at the start of a search among the first `victims` workers. */
struct gws_view gws__pool_view(struct gws__pool *pool, uint32_t self, uint32_t victims);

/* Returns whether the current loop or call for tasks is cut short. The worker then skips the chunks or tasks that it
 * has not begun. */
static inline bool gws__pool_cut(struct gws__pool *pool, uint32_t worker)
{
    if (!pool->services.may_cut) return false;
    /* relaxed: a worker that sees the flag late runs a few more chunks. */
    return worker == 0 ? gws_cancelled(&pool->services)
                       : atomic_load_explicit(&pool->services.cancelled, memory_order_relaxed);
}

/* Returns the next victim. */
uint32_t gws__pool_victim(const struct gws__pool *pool, const struct gws_view *view);

/* Returns the chunk size of a loop on `workers` workers. */
uint32_t gws__pool_chunk(const struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers);

/* Adds a slice to a worker's trace, if tracing is on. The victim of a steal is state->last. */
void gws__pool_trace(struct gws__pool *pool, struct gws__worker_state *state, enum gws_slice_kind kind,
                     uint64_t begin_ns, uint64_t end_ns, uint64_t tasks);
void gws__pool_tracks_free(struct gws__pool *pool);

/* Returns the nanoseconds since the opening of the runtime. */
uint64_t gws__pool_now(const struct gws__pool *pool);

#endif

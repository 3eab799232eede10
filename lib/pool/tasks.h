/* SPDX-License-Identifier: MIT */
/* One call for immediate tasks while it runs: what the workers share, and what each has for itself. */
#ifndef GWS_POOL_TASKS_H
#define GWS_POOL_TASKS_H

#include "../queue/task_container.h"
#include "../tasks.h"
#include "pool.h"
#include "records.h"
#include "termination.h"

enum { gws__job_line = 128, gws__most_batch = 256 };

/* One worker's own. */
struct gws_task_worker {
    alignas(128) const struct gws_task_container *container; /* NULL: in rounds, where all that is made goes to more */
    void *state;
    struct gws__pool *pool;
    struct gws__job *job;
    struct gws_worker_stats *stats;
    struct gws__records more; /* what its queue could not take, or what the next round is to run */
    uint64_t *taken;          /* batch records: copies of the tasks it runs */
    uint64_t *spare;          /* one record, which is lost: memory is short */
    uint32_t worker;
    bool in_more, lost; /* where the place is that gws_spawn_reserve() answered */
    uint64_t made;
    uint64_t threshold; /* from which it balances */
    uint32_t unsampled; /* batches since it looked at the lengths */
    uint64_t began_ns;  /* the busy stretch that it is in */
    uint64_t ran;       /* tasks in that stretch */
    uint64_t took;      /* tasks at its last theft */
    double idle_ms;
};

struct gws__job {
    const struct gws_tasks *tasks;
    uint32_t words, batch;
    uint32_t workers, made_for; /* who takes part; entries of tasker */
    bool ranges, aside;         /* the tasks are ranges of a loop, which counts them; and one that does not count */
    bool marks;   /* the vote is told of every run: in one pile for all, tasks change hands without a thief */
    bool is_open; /* container was made */
    const struct gws_task_container *container;
    void *state;
    struct gws_task_worker *tasker; /* workers entries */
    struct gws__termination termination;
    void *memory; /* what was allocated for all of it */
    uint64_t bytes;
    alignas(128) _Atomic uint32_t failed; /* memory was short: tasks are thrown away from now on */
};

/* Makes a job for the pool's workers; tasks must outlive it. gws__job_close() is due in both cases. */
gws_status gws__job_open(struct gws__pool *pool, const struct gws_tasks *tasks,
                         const struct gws_task_container *container, uint32_t workers, struct gws__job *job);
void gws__job_close(struct gws__pool *pool, struct gws__job *job);

/* Runs what is in worker 0's queue, and what that spawns, until nothing is left; the other queues are empty. work:
 * gws__job_work(), or what calls it. */
gws_status gws__job_run(struct gws__pool *pool, struct gws__job *job,
                        void (*work)(struct gws__pool *pool, uint32_t worker));

/* Calls run for count tasks and counts them, or throws them away when the job has failed. */
void gws__job_call(struct gws_task_worker *self, const uint64_t *task, uint32_t count);

void gws__job_work(struct gws__pool *pool, uint32_t worker);

/* As gws_tasks_run(), but that a policy of levels keeps the tasks in queues of that container, unless it is NULL. */
gws_status gws__tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks,
                          const struct gws_task_container *otherwise);

/* Runs tasks in rounds, as loops over what the last round made (rounds.c). */
gws_status gws__rounds_run(struct gws__pool *pool, const struct gws_tasks *tasks);

/* A runtime's state for loops whose policy has a container of tasks only. */
struct gws__ranges {
    struct gws_tasks tasks;
    struct gws__job job;
    uint32_t chunk; /* of the loop that runs */
};

/* gws__ranges_close() is due in both cases. */
gws_status gws__ranges_open(struct gws__pool *pool, struct gws__ranges *ranges);
void gws__ranges_close(struct gws__pool *pool, struct gws__ranges *ranges);

void gws__ranges_run(struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers);

#endif

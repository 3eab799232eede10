/* SPDX-License-Identifier: MIT */
/* One call of gws_tasks_run() while it runs: the state that its workers share, and the state of each worker. */
#ifndef GWS_POOL_TASKS_H
#define GWS_POOL_TASKS_H

#include "../queue/task_queue.h"
#include "../tasks.h"
#include "pool.h"
#include "record.h"
#include "segmented_list.h"
#include "termination.h"

enum { gws__job_line = 128, gws__max_batch = 256 };

/* The state of one worker. */
struct gws_task_worker {
    alignas(128) const struct gws_task_queue *queue; /* NULL: tasks run in rounds, and all new tasks go to overflow */
    void *state;
    struct gws__pool *pool;
    struct gws__job *job;
    struct gws_worker_stats *stats;
    struct gws__record *record;          /* NULL: the tasks are not recorded */
    struct gws__segmented_list overflow; /* tasks that the queue could not take, or the tasks of the next round */
    uint64_t *batch;                     /* batch_size records: copies of the tasks that run now */
    uint64_t *discard;                   /* one record for a task that the job drops when memory is short */
    uint32_t worker;
    bool in_overflow, lost; /* gws_spawn_reserve() found no slot in the queue; nor in overflow */
    uint64_t made;
    uint64_t threshold; /* minimum difference of lengths for balancing */
    uint32_t unsampled; /* batches since the last sample of the lengths */
    uint64_t began_ns;  /* start of the current busy time */
    uint64_t ran;       /* tasks run since began_ns */
    uint64_t stolen;    /* number of tasks of the last steal */
    double idle_ms;
    /* If tasks are recorded: the running task's line, and the time in it that is not its own. */
    uint64_t line, apart_ns;
};

/* Other processes, with which worker 0 exchanges tasks through its own queue. Worker 0 stays busy (termination.h) until
 * they have ended too. */
enum gws__peers_answer {
    GWS__PEERS_NOTHING, /* look again */
    GWS__PEERS_GAVE,    /* the queue of worker 0 has tasks */
    GWS__PEERS_OVER     /* no process has tasks, or the job has failed: worker 0 goes on alone */
};

struct gws__peers {
    /* Worker 0 calls poll() between two batches, and seek() while it finds no tasks in this process. exhausted: no
     * worker of this process has tasks. */
    void (*poll)(void *context, struct gws_task_worker *self);
    enum gws__peers_answer (*seek)(void *context, struct gws_task_worker *self, bool exhausted);
    void *context;
    bool alone; /* worker 0 is the only one of this process, and its tasks do not count in the statistics */
    const struct gws_task_queue *otherwise; /* for policies without a task queue; NULL: these are refused */
};

struct gws__job {
    const struct gws_tasks *tasks;
    const struct gws__peers *peers;      /* NULL: none, or no longer. Only worker 0 reads and writes it */
    uint32_t words, batch_size;          /* words: of a task in a queue */
    uint32_t workers, allocated_workers; /* workers that take part; entries of task_worker */
    bool ranges;                         /* the tasks are ranges of a loop, and the loop counts them */
    bool uncounted;                      /* the loop does not count in the statistics */
    bool marks_every_run; /* every run marks its worker black: with one queue for all, tasks move without a steal */
    bool is_open;         /* the queue is initialised */
    const struct gws_task_queue *queue;
    void *state;
    struct gws_task_worker *task_worker; /* workers entries */
    struct gws__termination termination;
    void *memory; /* one allocation for the whole job */
    uint64_t bytes;
    alignas(128) _Atomic uint32_t
        failed; /* a gws_status; if memory is short or the call is cancelled, the job drops its other tasks */
};

/* Returns the words of a task of the user. */
static inline uint32_t gws__task_words(const struct gws_tasks *tasks)
{
    return (tasks->bytes + 7) / 8;
}

/* Makes a job for the pool's workers. record: for tasks of the runtime's user, if they are recorded. tasks must outlive
 * the job. The caller must call gws__job_close() after success and after failure. */
gws_status gws__job_open(struct gws__pool *pool, const struct gws_tasks *tasks, const struct gws_task_queue *queue,
                         uint32_t workers, struct gws__record *record, struct gws__job *job);
void gws__job_close(struct gws__pool *pool, struct gws__job *job);

/* Runs the tasks in worker 0's queue and all tasks that they spawn. The other queues must be empty. work:
 * gws__job_work(), or a function that calls it. */
gws_status gws__job_run(struct gws__pool *pool, struct gws__job *job,
                        void (*work)(struct gws__pool *pool, uint32_t worker));

/* Runs count tasks and counts them, or drops them if the job has failed. */
void gws__job_call(struct gws_task_worker *self, const uint64_t *task, uint32_t count);

void gws__job_work(struct gws__pool *pool, uint32_t worker);

/* As gws_tasks_run(), but a policy without a task queue uses `otherwise`, unless `otherwise` is NULL. */
gws_status gws__tasks_run(struct gws_runtime *runtime, const struct gws_tasks *tasks,
                          const struct gws_task_queue *otherwise);

/* Returns whether some queue seems to have tasks. The result is an estimate, but it stays false only if no task
 * exists. */
bool gws__job_has_work(const struct gws_task_worker *self);

/* Takes the older half of the worker's own tasks, at most `gift`, out of its queue, for another process or device.
 * task: space for `max` tasks; the function looks at no more. *older is their place in task. The other tasks return to
 * the queue in their order. Returns the number taken. Only the worker may call it. */
uint32_t gws__job_split(struct gws_task_worker *self, uint64_t *task, uint32_t max, uint32_t gift,
                        const uint64_t **older);

/* As gws_tasks_run() with peers; without roots, too. Errors: also GWS_INVALID if the policy runs tasks in rounds (and
 * peers->otherwise is NULL), or detects termination by the vote. The call has then not begun. */
gws_status gws__tasks_run_with(struct gws_runtime *runtime, const struct gws_tasks *tasks,
                               const struct gws__peers *peers);

/* Runs tasks in rounds: each round is a loop over the tasks that the last round made (rounds.c). */
gws_status gws__rounds_run(struct gws__pool *pool, const struct gws_tasks *tasks);

/* A runtime's state for loops if its policy has only a task queue. */
struct gws__ranges {
    struct gws_tasks tasks;
    struct gws__job job;
    uint32_t chunk; /* chunk size of the current loop */
};

/* Makes the state for loops. The caller must call gws__ranges_close() after success and after failure. */
gws_status gws__ranges_open(struct gws__pool *pool, struct gws__ranges *ranges);
void gws__ranges_close(struct gws__pool *pool, struct gws__ranges *ranges);

void gws__ranges_run(struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers);

#endif

/* SPDX-License-Identifier: MIT */
/* A pool of immediate tasks in the host's memory, between several sides that run tasks: devices, each with a host
 * thread, and the CPU's workers. The host is thus the balancer between devices (Chen et al., IPDPS 2010, section 4),
 * and no side needs atomics on the memory of another.
 *
 * A side without tasks takes tasks from the pool. If the pool is empty, the side waits, and the pool is `hungry`: CPU
 * workers that see this give tasks. A waiting side asks one device at a time to pause its kernel and to give about half
 * of its tasks (steal-half). A device that gave nothing is not asked again for a while, and each time for twice as
 * long. The run is over when every side waits and the pool is empty: only a side that runs tasks gives tasks.
 *
 * A visitor exchanges tasks without waiting, because it also exchanges tasks with other ranks (task_ranks.c). It does
 * not join, and decides itself when the run is over. */
#ifndef GWS_LIB_HETERO_TASK_POOL_H
#define GWS_LIB_HETERO_TASK_POOL_H

#include <pthread.h>
#include <stdatomic.h>

#include "../device_tasks.h"
#include "../parallel.h"

struct gws__task_pool;

/* One side. The pool's lock protects the fields. The side's thread reads the counts after the run. */
struct gws__task_side {
    struct gws__task_pool *pool;
    struct gws__task_side *next; /* the next side of the pool */
    _Atomic uint32_t *stop;  /* the word that the side's kernel polls (TASK_STOP_NOW, TASK_STOP_PAUSE); NULL: none */
    uint64_t wants;          /* tasks that the side takes at once, at least, if there are as many */
    bool polls;              /* the side's thread asks the cancel hook while it waits */
    bool yields;             /* a visitor that takes nothing while a side waits */
    bool running, requested; /* its kernel runs; a waiting side has asked it to pause */
    double until_ms, backoff_ms;                   /* it is not asked before that time */
    double since_ms;                               /* a visitor waits since then; 0: it does not wait */
    uint64_t taken, takes, given, gives, requests; /* tasks, and calls; requests to pause */
    double idle_ms;                                /* time without tasks */
    uint32_t number;                               /* of the side, in the order of joining */
    uint64_t from[GWS_DEVICE_TASK_SIDES];          /* taken tasks that each side gave */
};

struct gws__task_pool {
    struct gws_runtime *runtime;
    uint32_t entry; /* words of a task, even */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    _Atomic bool hungry, over; /* hints for CPU workers, which read them without the lock (relaxed) */
    gws_status status;         /* the first error of a side, and its message */
    struct gws_diagnostic where;
    struct gws__task_side *side; /* all sides */
    uint32_t sides, idle;        /* their number, and how many wait */
    uint32_t numbers;            /* of sides and their followers */
    bool remote;                 /* a visitor brings tasks from elsewhere: it ends the run */
    bool requested;              /* some device is asked */
    uint32_t *task;              /* a queue: tasks head .. head + count - 1 */
    uint8_t *giver;              /* of each task: a side's number; behind the tasks in the same memory */
    uint64_t head, count, capacity;
};

/* Makes an empty pool of tasks of `words` words. Errors: GWS_SYSTEM. */
gws_status gws__task_pool_open(struct gws__task_pool *pool, struct gws_runtime *runtime, uint32_t words);
void gws__task_pool_close(struct gws__task_pool *pool);

/* Adds a side before the run. The caller has set the side's first fields, and other fields to zero. At most
 * GWS_DEVICE_TASK_SIDES sides join. */
void gws__task_pool_join(struct gws__task_pool *pool, struct gws__task_side *side);

/* Gives the next number to a side that does not join: another side takes tasks for it. Both give tasks. */
void gws__task_pool_follow(struct gws__task_pool *pool, struct gws__task_side *side);

/* Adds count tasks of pool->entry words each. side: the giver; NULL: the caller, before the run. An error ends the run.
 * Errors: GWS_NO_MEMORY. */
gws_status gws__task_pool_give(struct gws__task_pool *pool, struct gws__task_side *side, const uint32_t *task,
                               uint64_t count);

/* Waits for tasks. Returns their number, and in *task the caller's copy, which gws_release() frees (count, 4 *
 * pool->entry). Returns 0 when the run is over. */
uint64_t gws__task_pool_take(struct gws__task_pool *pool, struct gws__task_side *side, uint32_t **task);

/* Waits until the run is over, and asks the cancel hook meanwhile. */
void gws__task_pool_watch(struct gws__task_pool *pool);

/* Ends the run for all sides. The first error stays. GWS_OK: no task is left. where: the side's message, or NULL. */
void gws__task_pool_end(struct gws__task_pool *pool, gws_status status, const struct gws_diagnostic *where);

/* Returns the first error of the run so far, on any side. */
gws_status gws__task_pool_status(struct gws__task_pool *pool);

/* Returns whether some side that joined waits for tasks. */
bool gws__task_pool_waits(struct gws__task_pool *pool);

/* A visitor's take, which returns 0 at once if the pool is empty. Other sides then give tasks, and a device is asked
 * for some if the visitor has called in vain for a millisecond. *quiet: no side that joined has tasks, nor the pool.
 * The visitor calls rest() when it has found tasks elsewhere. */
uint64_t gws__task_pool_visit(struct gws__task_pool *pool, struct gws__task_side *visitor, uint32_t **task,
                              bool *quiet);
void gws__task_pool_rest(struct gws__task_pool *pool, struct gws__task_side *visitor);

/* Surround a launch of a side's kernel. launch() returns false if the run is over. landed() returns true if another
 * side waits, so that this side should give tasks now. It then calls answered(): whether it gave tasks, and the time
 * that the pause took. */
bool gws__task_pool_launch(struct gws__task_side *side);
bool gws__task_pool_landed(struct gws__task_side *side);
void gws__task_pool_answered(struct gws__task_side *side, bool gave, double ms);

/* The shortest time between two requests to a device. */
extern const double gws__task_pool_backoff_ms;

static inline void gws__task_pool_lock(struct gws__task_pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
}

static inline void gws__task_pool_unlock(struct gws__task_pool *pool)
{
    (void)pthread_mutex_unlock(&pool->lock);
}

static inline bool gws__task_pool_hungry(const struct gws__task_pool *pool)
{
    return atomic_load_explicit(&pool->hungry, memory_order_relaxed);
}

static inline bool gws__task_pool_over(const struct gws__task_pool *pool)
{
    return atomic_load_explicit(&pool->over, memory_order_relaxed);
}

#endif

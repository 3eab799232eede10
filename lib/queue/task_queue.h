/* SPDX-License-Identifier: MIT */
/* Task queues: a queue of tasks of fixed size for each worker. Workers fill and empty the queues while they run.
 *
 * Concurrency contract of every task queue: only one thread at a time acts as worker w and calls reserve(), commit()
 * and pop() for w. The thief calls steal(), and the worker `self` calls balance(). Any thread may call length(). init()
 * and destroy() are exclusive. Exactly one worker acquires each task, as a whole. The worker that acquires a task sees
 * what its maker wrote before commit(). A task is an array of 64-bit words.
 *
 * Each queue is one file. The file compiles alone as plain C11, and as C++ for a model checker that replaces the
 * atomics. So the files declare atomics as _Atomic(T) and cast pointers from void *. */
#ifndef GWS_QUEUE_TASK_QUEUE_H
#define GWS_QUEUE_TASK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../runtime.h"
#include "work_queue.h" /* enum gws_acquire */

struct gws_task_shape {
    uint32_t workers;
    uint32_t words;    /* 64-bit words of a task, 1 .. 512 */
    uint64_t capacity; /* initial capacity of a worker's queue in tasks, a power of two */
    const struct gws_allocator *allocator;
};

/* One attempt to steal. */
struct gws_steal_request {
    uint32_t thief, victim; /* never the same */
    /* Returns the number of tasks to take, 1 .. length, when length tasks (at least 1) can be stolen.
     * gws__steal_amount() enforces the range. Queues that pass on one task at a time do not call this function. */
    uint64_t (*amount)(uint64_t length, uint64_t chunk);
    uint64_t chunk;
    bool wait; /* wait for a held lock rather than give up (GWS_ACQUIRE_ABORTED) */
};

/* Returns the amount, clamped to 1 .. length because a user's own function may return any number. */
static inline uint64_t gws__steal_amount(const struct gws_steal_request *request, uint64_t length)
{
    uint64_t amount = request->amount(length, request->chunk);
    return amount < 1 ? 1 : amount < length ? amount : length;
}

struct gws_task_queue {
    /* The state has `bytes` bytes, and worker_bytes bytes for each worker. It is aligned to 128 bytes and zero before
     * init(). */
    size_t bytes, worker_bytes;
    /* Returns GWS_NO_MEMORY if it cannot allocate the first buffers. The caller must call destroy() after success and
     * after failure. */
    gws_status (*init)(void *state, const struct gws_task_shape *shape);
    void (*destroy)(void *state);
    /* Returns the slot for the worker's next task (aligned to 8), or NULL if the queue is full and cannot grow. The
     * slot stays valid until the next call for this worker. commit() makes its content a task. After NULL, the queue
     * accepts tasks again once it has shrunk. */
    uint64_t *(*reserve)(void *state, uint32_t worker);
    void (*commit)(void *state, uint32_t worker);
    /* Moves up to max (at least 1) of the worker's own tasks to out. The first of these should run first. Returns the
     * number of moved tasks, 0 if the queue is empty. */
    uint32_t (*pop)(void *state, uint32_t worker, uint32_t max, uint64_t *out);
    /* Takes *stolen tasks from the victim. The first task goes to out. The others, as many as fit, go to the thief's
     * own queue. Writes out and *stolen only when it returns GWS_ACQUIRED. The thief's queue must be empty. */
    enum gws_acquire (*steal)(void *state, const struct gws_steal_request *request, uint64_t *out, uint64_t *stolen);
    /* Returns the number of tasks in the worker's queue, an estimate while workers run. The value 0 is exact if no
     * thief takes tasks and the last commit() is visible to the caller. */
    uint64_t (*length)(const void *state, uint32_t worker);
    /* Evens out the queues of self and partner if their lengths differ by threshold or more and the partner is not
     * idle. Returns the number of moved tasks. NULL: not supported. */
    uint64_t (*balance)(void *state, uint32_t self, uint32_t partner, uint64_t threshold);
    /* mark_idle() makes the worker idle, or returns false if its queue is not empty. Until mark_active(), no other
     * worker puts tasks into that queue, unless all workers share one queue. Both functions are NULL if workers never
     * put tasks into other queues. After init() the workers are active. */
    bool (*mark_idle)(void *state, uint32_t worker);
    void (*mark_active)(void *state, uint32_t worker);
};

extern const struct gws_task_queue gws__task_queue_abp;
extern const struct gws_task_queue gws__task_queue_chaselev;
extern const struct gws_task_queue gws__task_queue_split;
extern const struct gws_task_queue gws__task_queue_workpile;
extern const struct gws_task_queue gws__task_queue_global;

#endif

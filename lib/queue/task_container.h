/* SPDX-License-Identifier: MIT */
/* Task containers: a queue of fixed-size records for each worker, filled and emptied while the workers run.
 *
 * Concurrency contract of every container here: place(), publish() and pop() for worker w are called by whoever is
 * worker w, and never two at once; steal() and balance() by whoever is their thief or self; length() by anyone. make()
 * and strip() are exclusive. A task is handed out exactly once, whole, with everything that its maker wrote before
 * publish() visible to whoever takes it. A task is words of 64 bits.
 *
 * Each container is one file that compiles alone as plain C11, and as C++ for a model checker that replaces the
 * atomics: so atomics are declared _Atomic(T), and pointers from void * are cast. */
#ifndef GWS_QUEUE_TASK_CONTAINER_H
#define GWS_QUEUE_TASK_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../runtime.h"
#include "container.h" /* enum gws_grab */

struct gws_task_shape {
    uint32_t workers;
    uint32_t words; /* of a task, 1 .. 512 */
    uint64_t room;  /* tasks a worker's queue holds at first, a power of two */
    const struct gws_allocator *allocator;
};

/* One attempt at stealing. */
struct gws_theft {
    uint32_t thief, victim; /* never the same */
    /* How many to take of a queue in which length (at least 1) can be stolen: 1 .. length, which
     * gws__theft_amount() sees to. Containers that hand over one task at a time do not ask. */
    uint64_t (*amount)(uint64_t length, uint64_t chunk);
    uint64_t chunk;
    bool wait; /* for a lock that another holds, rather than giving up (GWS_GRAB_ABORTED) */
};

/* What amount answers, or the nearest that is there: a user's own may answer anything. */
static inline uint64_t gws__theft_amount(const struct gws_theft *theft, uint64_t length)
{
    uint64_t amount = theft->amount(length, theft->chunk);
    return amount < 1 ? 1 : amount < length ? amount : length;
}

struct gws_task_container {
    /* Of the state, and of it for each worker; the state is aligned to 128 bytes and zero before make(). */
    size_t bytes, worker_bytes;
    /* GWS_NO_MEMORY when the queues' first buffers cannot be had; strip() is due in both cases. */
    gws_status (*make)(void *state, const struct gws_task_shape *shape);
    void (*strip)(void *state);
    /* Where worker may write its next task (aligned to 8), NULL when the queue is full and cannot grow. The place stays
     * valid until the next call for this worker; publish() makes what was written there a task. A full queue that
     * answered NULL takes tasks again when it has shrunk. */
    uint64_t *(*place)(void *state, uint32_t worker);
    void (*publish)(void *state, uint32_t worker);
    /* Moves up to most (at least 1) of the worker's own tasks to out, the one that it should run first in front.
     * Returns how many; 0: it has none. */
    uint32_t (*pop)(void *state, uint32_t worker, uint32_t most, uint64_t *out);
    /* Takes *taken tasks of the victim: the first to out, the others into the thief's own queue, as many as fit there.
     * Only GWS_GRAB_TOOK writes out and *taken. The thief's queue is empty when this is called. */
    enum gws_grab (*steal)(void *state, const struct gws_theft *theft, uint64_t *out, uint64_t *taken);
    /* Tasks in the worker's queue, a guess unless all stand still. If nobody takes any and the last publish() is
     * visible to the asker, 0 is true. */
    uint64_t (*length)(const void *state, uint32_t worker);
    /* Moves tasks between self and partner until both have about as many, if they differ by threshold or more and
     * partner is not retired. Returns how many moved. NULL: there is no such thing here. */
    uint64_t (*balance)(void *state, uint32_t self, uint32_t partner, uint64_t threshold);
    /* retire: worker goes idle; false if its queue is not empty after all. Until enlist(), nobody else puts tasks into
     * it, unless it is the one queue of all. Both NULL where others never do. Workers are enlisted by make(). */
    bool (*retire)(void *state, uint32_t worker);
    void (*enlist)(void *state, uint32_t worker);
};

extern const struct gws_task_container gws__tasks_abp;
extern const struct gws_task_container gws__tasks_chaselev;
extern const struct gws_task_container gws__tasks_split;
extern const struct gws_task_container gws__tasks_workpile;
extern const struct gws_task_container gws__tasks_global;

#endif

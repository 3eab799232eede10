/* SPDX-License-Identifier: MIT */
/* Queues in windows (lib/transport/link.h): the tasks that a rank releases to other ranks. A thief takes about half of
 * them without the help of their owner. Every rank has a queue at the same words of its window. The owner's other tasks
 * are in the queues of its threads.
 *
 * A queue is a ring of task slots. Positions count up; a position modulo the capacity is a slot. The tasks are those
 * from `tail` to `split`. Thieves move the tail, and the owner moves the split.
 *
 * Two protocols have the same functions: rank_split.c (a lock, which thieves do not wait for in vain) and rank_saws.c
 * (one atomic addition finds and claims tasks). */
#ifndef GWS_LIB_HETERO_RANK_QUEUE_H
#define GWS_LIB_HETERO_RANK_QUEUE_H

#include "../queue/task_queue.h"
#include "../transport/links.h"

enum { gws__rank_queue_words = 16 }; /* words before the slots: a line of memory or two */

struct gws__rank_protocol;

/* The owner's view; a thief uses its own one to access a victim's queue. */
struct gws__rank_queue {
    const struct gws__rank_protocol *protocol;
    const struct gws__link *link;
    void *memory;
    uint32_t self;
    uint32_t words;    /* of a task */
    uint64_t capacity; /* in tasks */
    uint64_t split;
    uint64_t tail; /* rank_split.c: the last one that the owner saw; rank_saws.c: of the published tasks */
    uint64_t free; /* thieves have copied all tasks before this position, except those in the queue */
};

struct gws__rank_protocol {
    const char *name;
    /* Owner only. */
    uint64_t (*length)(struct gws__rank_queue *queue); /* thieves may take some meanwhile; 0 is exact */
    /* Adds the tasks that fit. They are the owner's newest ones. Returns their number. */
    uint64_t (*release)(struct gws__rank_queue *queue, const uint64_t *task, uint64_t count);
    /* Takes the newer half back, at most max (at least 1) tasks. Returns their number, 0 only if there are none. */
    uint64_t (*reacquire)(struct gws__rank_queue *queue, uint64_t max, uint64_t *task);
    /* Returns how many tasks thieves have taken since the queue was opened. */
    uint64_t (*taken)(struct gws__rank_queue *queue);
    /* Thief: takes about half of the victim's tasks, at most max. wait: waits for a locked queue. GWS_ACQUIRE_EMPTY:
     * the queue was empty at the first look; _ABORTED: it became so while it was locked, or was locked for long; _LOST:
     * it became so before the thief had it. */
    enum gws_acquire (*steal)(struct gws__rank_queue *queue, uint32_t victim, bool wait, uint64_t max, uint64_t *task,
                              uint64_t *stolen);
};

extern const struct gws__rank_protocol gws__rank_split, gws__rank_saws;

/* Makes the rank's own queue empty. max_tasks: the maximum number of tasks in it. No rank may steal from it until all
 * ranks have opened theirs. */
void gws__rank_queue_open(struct gws__rank_queue *queue, const struct gws__rank_protocol *protocol,
                          const struct gws__window *window, uint32_t self, uint32_t words, uint64_t max_tasks);

/* Copy tasks to and from the slots of a rank. */
void gws__rank_queue_put(struct gws__rank_queue *queue, uint64_t position, uint64_t count, const uint64_t *task);
void gws__rank_queue_get(struct gws__rank_queue *queue, uint32_t rank, uint64_t position, uint64_t count,
                         uint64_t *task);

#endif

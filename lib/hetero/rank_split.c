/* SPDX-License-Identifier: MIT */
/* The split queue with aborting steals (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work
 * Stealing", SC 2009, sections 3.1, 3.2 and 4.3), in windows.
 *
 * Words: lock, tail, split. A rank that finds the lock 0 with a swap has it. Its holder alone moves the tail, and takes
 * tasks back from the split. The owner releases tasks without the lock: it moves the split up after it has written
 * them, and a thief that sees the old split sees fewer tasks. A thief moves the tail only after it has copied the
 * tasks, so the owner may write the slots before the tail.
 *
 * A thief that finds the lock held reads tail and split again, and gives up when there are no tasks. A waiting thief
 * has taken nothing, so it can leave at any time.
 *
 * Orders: swap() of a word releases what was written before, to those that load or swap the word (link.h). The owner's
 * tasks become visible by split, a holder's changes by lock, and a thief's reads are over before tail.
 * tests/models/rank_steal.pml has the protocol and the vote on it as a model. */
#include <sched.h>

#include "../base/lock.h"
#include "../policy/decide.h"
#include "rank_queue.h"

enum { lock_word, tail_word, split_word };

static uint64_t own_word(struct gws__rank_queue *queue, uint64_t word)
{
    uint64_t value;
    queue->link->load(queue->memory, queue->self, word, 1, &value);
    return value;
}

/* ---- the owner ---- */

static uint64_t length(struct gws__rank_queue *queue)
{
    return queue->split - own_word(queue, tail_word);
}

static uint64_t release(struct gws__rank_queue *queue, const uint64_t *task, uint64_t count)
{
    const uint64_t space = queue->capacity - length(queue);
    if (count > space) count = space;
    if (count == 0) return 0;
    gws__rank_queue_put(queue, queue->split, count, task);
    queue->split += count;
    (void)queue->link->swap(queue->memory, queue->self, split_word, queue->split);
    return count;
}

/* Waits for the lock, which a thief holds while it copies. */
static void acquire_own_lock(struct gws__rank_queue *queue)
{
    for (uint32_t looks = 1; queue->link->swap(queue->memory, queue->self, lock_word, 1) != 0; looks++) {
        if (looks % gws__lock_patience == 0)
            (void)sched_yield();
        else
            gws__spin_pause();
    }
}

static uint64_t reacquire(struct gws__rank_queue *queue, uint64_t max, uint64_t *task)
{
    if (length(queue) == 0) return 0;
    acquire_own_lock(queue);
    const uint64_t shared = length(queue), half = gws__amount_half(shared, 0), count = half < max ? half : max;
    queue->split -= count;
    (void)queue->link->swap(queue->memory, queue->self, split_word, queue->split);
    (void)queue->link->swap(queue->memory, queue->self, lock_word, 0);
    gws__rank_queue_get(queue, queue->self, queue->split, count, task); /* only release() writes these slots */
    return count;
}

static uint64_t taken(struct gws__rank_queue *queue)
{
    return own_word(queue, tail_word);
}

/* ---- thieves ---- */

/* Returns how many tasks the victim seems to have. Without the lock the two words need not belong together. */
static uint64_t stealable(struct gws__rank_queue *queue, uint32_t victim, uint64_t *tail)
{
    uint64_t word[2];
    queue->link->load(queue->memory, victim, tail_word, 2, word);
    *tail = word[0];
    return word[1] > word[0] && word[1] - word[0] <= queue->capacity ? word[1] - word[0] : 0;
}

/* Takes the victim's lock, or gives up. */
static bool enter(struct gws__rank_queue *queue, uint32_t victim, bool wait)
{
    uint64_t tail;
    for (uint32_t looks = 1; queue->link->swap(queue->memory, victim, lock_word, 1) != 0; looks++) {
        if (!wait && (looks == gws__lock_patience || stealable(queue, victim, &tail) == 0)) return false;
        if (looks % gws__lock_patience == 0)
            (void)sched_yield();
        else
            gws__spin_pause();
    }
    return true;
}

static enum gws_acquire steal(struct gws__rank_queue *queue, uint32_t victim, bool wait, uint64_t max, uint64_t *task,
                              uint64_t *stolen)
{
    uint64_t tail;
    if (stealable(queue, victim, &tail) == 0) return GWS_ACQUIRE_EMPTY;
    if (!enter(queue, victim, wait)) return GWS_ACQUIRE_ABORTED;
    const uint64_t shared = stealable(queue, victim, &tail), half = gws__amount_half(shared, 0);
    const uint64_t count = half < max ? half : max;
    if (count > 0) {
        gws__rank_queue_get(queue, victim, tail, count, task);
        (void)queue->link->swap(queue->memory, victim, tail_word, tail + count);
    }
    (void)queue->link->swap(queue->memory, victim, lock_word, 0);
    *stolen = count;
    return count > 0 ? GWS_ACQUIRED : GWS_ACQUIRE_LOST;
}

const struct gws__rank_protocol gws__rank_split = {"split", length, release, reacquire, taken, steal};

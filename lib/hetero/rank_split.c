/* SPDX-License-Identifier: MIT */
/* The split queue with aborting steals (Dinan, Larkins, Sadayappan, Krishnamoorthy, Nieplocha: "Scalable Work
 * Stealing", SC 2009, sections 3.1, 3.2 and 4.3), in windows.
 *
 * Words: tail, split. The tail is also the lock: a rank that swaps `locked` for a position has the lock and the tail,
 * and frees both with the new position. Its holder alone moves the tail, and takes tasks back from the split. The owner
 * releases tasks without the lock: it moves the split up after it has written them, and a thief that sees the old split
 * sees fewer tasks. A thief moves the tail only after it has copied the tasks, so the owner may write the slots before
 * the tail.
 *
 * A steal is five accesses, one after the other: a look, the lock, the split, the tasks, the tail. A thief that finds
 * the queue locked looks again, and gives up when there are no tasks. A waiting thief has taken nothing, so it can
 * leave at any time.
 *
 * Orders: swap() of a word releases what was written before, to those that load or swap the word (link.h). The owner's
 * tasks become visible by split, a holder's changes by tail, and a thief's reads are over before tail.
 * tests/models/rank_steal.pml has the protocol and the vote on it as a model. */
#include <sched.h>

#include "../base/lock.h"
#include "../policy/decide.h"
#include "rank_queue.h"

enum { tail_word, split_word };

static const uint64_t locked = UINT64_MAX;

/* ---- the owner ---- */

/* Returns how many tasks thieves have taken, as far as the owner can see. While a thief has the lock, that is the last
 * position that the owner saw. If it equals the split, there is no task for that thief either. */
static uint64_t taken(struct gws__rank_queue *queue)
{
    uint64_t tail;
    queue->link->load(queue->memory, queue->self, tail_word, 1, &tail);
    if (tail != locked) queue->tail = tail;
    return queue->tail;
}

static uint64_t length(struct gws__rank_queue *queue)
{
    return queue->split - taken(queue);
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
    uint64_t tail;
    for (uint32_t looks = 1; (tail = queue->link->swap(queue->memory, queue->self, tail_word, locked)) == locked;
         looks++) {
        if (looks % gws__lock_patience == 0)
            (void)sched_yield();
        else
            gws__spin_pause();
    }
    queue->tail = tail;
}

static uint64_t reacquire(struct gws__rank_queue *queue, uint64_t max, uint64_t *task)
{
    if (length(queue) == 0) return 0;
    acquire_own_lock(queue);
    const uint64_t half = gws__amount_half(queue->split - queue->tail, 0), count = half < max ? half : max;
    queue->split -= count;
    (void)queue->link->swap(queue->memory, queue->self, split_word, queue->split);
    (void)queue->link->swap(queue->memory, queue->self, tail_word, queue->tail);
    gws__rank_queue_get(queue, queue->self, queue->split, count, task); /* only release() writes these slots */
    return count;
}

/* ---- thieves ---- */

/* Returns whether the victim may have tasks. Without the lock the two words need not belong together. */
static bool may_have_tasks(struct gws__rank_queue *queue, uint32_t victim)
{
    uint64_t word[2];
    queue->link->load(queue->memory, victim, tail_word, 2, word);
    return word[tail_word] == locked ||
           (word[split_word] > word[tail_word] && word[split_word] - word[tail_word] <= queue->capacity);
}

/* Takes the victim's lock, or gives up. *tail: the tail, if the thief has the lock (out). */
static bool enter(struct gws__rank_queue *queue, uint32_t victim, bool wait, uint64_t *tail)
{
    for (uint32_t looks = 1; (*tail = queue->link->swap(queue->memory, victim, tail_word, locked)) == locked; looks++) {
        if (!wait && (looks == gws__lock_patience || !may_have_tasks(queue, victim))) return false;
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
    uint64_t tail, split;
    if (!may_have_tasks(queue, victim)) return GWS_ACQUIRE_EMPTY;
    if (!enter(queue, victim, wait, &tail)) return GWS_ACQUIRE_ABORTED;
    queue->link->load(queue->memory, victim, split_word, 1, &split); /* with the lock: never below the tail */
    const uint64_t half = gws__amount_half(split - tail, 0), count = half < max ? half : max;
    if (count > 0) gws__rank_queue_get(queue, victim, tail, count, task);
    (void)queue->link->swap(queue->memory, victim, tail_word, tail + count);
    *stolen = count;
    return count > 0 ? GWS_ACQUIRED : GWS_ACQUIRE_LOST;
}

const struct gws__rank_protocol gws__rank_split = {"split", length, release, reacquire, taken, steal};

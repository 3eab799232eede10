/* SPDX-License-Identifier: MIT */
/* The split queues of Dinan, Larkins, Sadayappan, Krishnamoorthy and Nieplocha (SC 2009, section 3): one circular
 * buffer for each worker, of which one part is private to it and the other shared.
 *
 *     tail          split           head          tail <= split <= head <= tail + capacity; all only count up, but for
 *      | shared ...... | private ..... |          head at pop() and split at a reacquire
 *        thieves, lock   owner, no lock
 *
 * The owner makes tasks in place at head and pops there, last in, first out, without a lock, a fence or an atomic
 * read-modify-write. It hands tasks to the thieves by moving split towards head (release, section 3.2: no lock, since
 * thieves change tail only, and one who still sees the old split merely sees less), and takes them back by moving split
 * towards tail (reacquire), under the lock. Thieves move tail, under the lock, and take half by default (section 3.4).
 *
 * When to release: the paper says "periodically". Here, at every publish() and pop(), when the private part has come to
 * hold more than twice the shared one; then each gets half. So a third of a queue or more can always be stolen, and a
 * release or reacquire happens at most once while the queue changes by a part of its length. The last private task
 * stays where it is, for it mostly is popped at once, unless a thief has been here and found nothing (hungry).
 *
 * Copying under the lock: a thief copies before it moves tail and lets go. The paper lets thieves of a cluster copy
 * later, because there copying takes as long as a message; here it takes less than the lock's own traffic, and copying
 * later would need a second tail, so that the owner does not write over what is still being copied.
 *
 * Aborting (section 4.3): a thief that finds the lock taken gives up as soon as the shared part is seen to be empty, or
 * after a bounded look: in one memory another victim is never far, and the holder may not even be on a processor. */
#include <stdalign.h>
#include <stdatomic.h>

#include "../base/lock.h"
#include "ring.h"
#include "task_container.h"

struct split {
    /* The owner's. */
    alignas(128) _Atomic(uint64_t) head; /* read by others for length() only */
    uint64_t released;                   /* what split is; only the owner changes it */
    uint64_t limit;                      /* head may go up to here before tail must be looked at again */
    struct gws__ring ring;
    struct gws_allocator allocator; /* constant, as is workers */
    uint32_t workers;
    /* Everybody's. Thieves never look at the lines above. */
    alignas(128) struct gws__lock lock;
    _Atomic(uint32_t) hungry; /* a thief found nothing since the last release */
    _Atomic(uint64_t) tail;   /* written under the lock, as is the ring */
    _Atomic(uint64_t) split;
    struct gws__ring thieves_ring; /* a copy of ring */
};

static void queue_make(struct split *q, const struct gws_task_shape *shape)
{
    q->workers = shape->workers;
    q->allocator = *shape->allocator;
    gws__lock_init(&q->lock);
    atomic_init(&q->head, 0);
    atomic_init(&q->tail, 0);
    atomic_init(&q->split, 0);
    atomic_init(&q->hungry, 0);
}

static gws_status split_make(void *state, const struct gws_task_shape *shape)
{
    struct split *queue = (struct split *)state;
    for (uint32_t w = 0; w < shape->workers; w++) queue_make(&queue[w], shape);
    for (uint32_t w = 0; w < shape->workers; w++) {
        struct split *q = &queue[w];
        if (!gws__ring_new(&q->ring, &q->allocator, shape->room, shape->words)) return GWS_NO_MEMORY;
        q->thieves_ring = q->ring;
        q->limit = shape->room;
    }
    return GWS_OK;
}

static void split_strip(void *state)
{
    struct split *queue = (struct split *)state;
    for (uint32_t w = 0, workers = queue[0].workers; w < workers; w++)
        gws__ring_free(&queue[w].ring, &queue[w].allocator);
}

/* ---- room ---- */

/* Owner only: a buffer of at least so many tasks. Asked for before the lock is taken; thieves look into the old one
 * under the lock only, so it can go when the lock is free again. */
static bool grow(struct split *q, uint64_t head, uint64_t capacity)
{
    struct gws__ring old = q->ring, ring;
    uint64_t wanted = gws__ring_capacity(&old);
    while (wanted < capacity) wanted *= 2;
    if (!gws__ring_new(&ring, &q->allocator, wanted, old.words)) return false;
    gws__lock_take(&q->lock);
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    gws__ring_copy(&ring, tail, &old, tail, head - tail);
    q->thieves_ring = ring;
    gws__lock_drop(&q->lock);
    gws__ring_free(&old, &q->allocator);
    q->ring = ring;
    q->limit = tail + wanted;
    return true;
}

/* Owner only: sees that count more tasks fit, if that can be. */
static bool make_room(struct split *q, uint64_t head, uint64_t count)
{
    /* acquire: pairs with the release of tail in take(), so the thief has copied what is overwritten now. */
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_acquire);
    q->limit = tail + gws__ring_capacity(&q->ring);
    return q->limit - head >= count || grow(q, head, head - tail + count);
}

/* ---- the owner ---- */

/* Gives half of the queue to the thieves. */
static void release(struct split *q, uint64_t head, uint64_t tail)
{
    q->released = head - (head - tail) / 2;
    /* release: pairs with the acquire of split in take(), so the tasks below it are whole. */
    atomic_store_explicit(&q->split, q->released, memory_order_release);
    if (atomic_load_explicit(&q->hungry, memory_order_relaxed))
        atomic_store_explicit(&q->hungry, 0, memory_order_relaxed);
}

/* Sets head, and releases if the shared part is low. A stale tail makes it look fuller than it is: the next call sees
 * to that. */
static inline void set_head(struct split *q, uint64_t head)
{
    atomic_store_explicit(&q->head, head, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed), own = head - q->released;
    if (own <= 2 * (q->released - tail)) return;
    if (own > 1 || atomic_load_explicit(&q->hungry, memory_order_relaxed)) release(q, head, tail);
}

static uint64_t *split_place(void *state, uint32_t worker)
{
    struct split *q = (struct split *)state + worker;
    uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
    if (head == q->limit && !make_room(q, head, 1)) return NULL;
    return gws__ring_at(&q->ring, head);
}

static void split_publish(void *state, uint32_t worker)
{
    struct split *q = (struct split *)state + worker;
    set_head(q, atomic_load_explicit(&q->head, memory_order_relaxed) + 1);
}

/* Takes back half of the shared part, the newer; false if there is none. Waits for the lock: a thief holds it for as
 * long as it copies. */
static bool reacquire(struct split *q)
{
    if (q->released == atomic_load_explicit(&q->tail, memory_order_relaxed)) return false;
    gws__lock_take(&q->lock);
    uint64_t shared = q->released - atomic_load_explicit(&q->tail, memory_order_relaxed);
    q->released -= (shared + 1) / 2;
    /* relaxed: who reads it to take tasks does so after this holder of the lock. */
    atomic_store_explicit(&q->split, q->released, memory_order_relaxed);
    gws__lock_drop(&q->lock);
    return shared > 0;
}

static uint32_t split_pop(void *state, uint32_t worker, uint32_t most, uint64_t *out)
{
    struct split *q = (struct split *)state + worker;
    uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
    if (head == q->released && !reacquire(q)) return 0;
    uint64_t own = head - q->released;
    uint32_t count = own < most ? (uint32_t)own : most;
    const struct gws__ring ring = q->ring;
    for (uint32_t i = 0; i < count; i++, out += ring.words)
        gws__task_copy(out, gws__ring_at(&ring, --head), ring.words);
    set_head(q, head);
    return count;
}

/* ---- thieves ---- */

/* How many can be stolen: a guess without the lock. A thief that sees none says so. */
static uint64_t stealable(struct split *q)
{
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    uint64_t split = atomic_load_explicit(&q->split, memory_order_relaxed);
    if (split > tail) return split - tail;
    if (!atomic_load_explicit(&q->hungry, memory_order_relaxed))
        atomic_store_explicit(&q->hungry, 1, memory_order_relaxed);
    return 0;
}

/* Takes the victim's lock, or gives up. Who does not wait takes it only if nobody had it since there was something to
 * be stolen, so there still is: only its holders take tasks away. */
static bool enter(struct split *victim, bool wait)
{
    if (wait) {
        gws__lock_take(&victim->lock);
        return true;
    }
    for (uint32_t looks = 0; looks < gws__lock_patience; looks++) {
        uint32_t turn = gws__lock_look(&victim->lock);
        if (stealable(victim) == 0) return false;
        if (gws__lock_try_at(&victim->lock, turn)) return true;
        gws__spin_pause();
    }
    return false;
}

/* Under the victim's lock: takes the oldest tasks, the first of them to out, at most room others into the thief's slots
 * from head on, which nobody else looks at. Returns how many. */
static uint64_t take(struct split *victim, const struct gws_theft *theft, struct split *thief, uint64_t head,
                     uint64_t room, uint64_t *out)
{
    uint64_t tail = atomic_load_explicit(&victim->tail, memory_order_relaxed);
    /* acquire: pairs with the release of split in release(), so the tasks below it are whole. */
    uint64_t length = atomic_load_explicit(&victim->split, memory_order_acquire) - tail;
    if (length == 0) return 0;
    uint64_t count = gws__theft_amount(theft, length);
    if (count > room + 1) count = room + 1;
    gws__task_copy(out, gws__ring_at(&victim->thieves_ring, tail), victim->thieves_ring.words);
    gws__ring_copy(&thief->ring, head, &victim->thieves_ring, tail + 1, count - 1);
    /* release: pairs with the acquire of tail in make_room(), so the owner overwrites what has been copied. */
    atomic_store_explicit(&victim->tail, tail + count, memory_order_release);
    return count;
}

static enum gws_grab split_steal(void *state, const struct gws_theft *theft, uint64_t *out, uint64_t *taken)
{
    struct split *victim = (struct split *)state + theft->victim, *thief = (struct split *)state + theft->thief;
    uint64_t length = stealable(victim);
    if (length == 0) return GWS_GRAB_EMPTY;
    /* Room is made before the lock is taken; if memory is short, the thief takes what fits. */
    uint64_t head = atomic_load_explicit(&thief->head, memory_order_relaxed);
    (void)make_room(thief, head, gws__theft_amount(theft, length) - 1);
    if (!enter(victim, theft->wait)) return GWS_GRAB_ABORTED;
    uint64_t count = take(victim, theft, thief, head, thief->limit - head, out);
    gws__lock_drop(&victim->lock);
    if (count == 0) return GWS_GRAB_LOST; /* the lock was won too late: a failed steal (section 5.3) */
    set_head(thief, head + count - 1);
    *taken = count;
    return GWS_GRAB_TOOK;
}

static uint64_t split_length(const void *state, uint32_t worker)
{
    const struct split *q = (const struct split *)state + worker;
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
    return head > tail ? head - tail : 0;
}

const struct gws_task_container gws__tasks_split = {
    0,         sizeof(struct split), split_make,   split_strip, split_place, split_publish,
    split_pop, split_steal,          split_length, NULL,        NULL,        NULL,
};

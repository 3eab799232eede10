/* SPDX-License-Identifier: MIT */
/* The split queues of Dinan, Larkins, Sadayappan, Krishnamoorthy and Nieplocha (SC 2009, section 3): one circular
 * buffer for each worker, with a private and a shared part.
 *
 *     tail          split           head          tail <= split <= head <= tail + capacity; all only count up, except
 *      | shared ...... | private ..... |          head at pop() and split at a reacquire
 *        thieves, lock   owner, no lock
 *
 * The owner makes tasks in place at head and pops there, last in, first out, without a lock, a fence or an atomic
 * read-modify-write. It releases tasks to the thieves by moving split towards head (section 3.2). A release needs no
 * lock: thieves change only tail, and a thief with an old value of split only sees fewer tasks. The owner reacquires
 * tasks by moving split towards tail, under the lock. Thieves move tail, under the lock, and take half of the shared
 * part by default (section 3.4).
 *
 * When to release: the paper says "periodically". Here, every commit() and pop() releases when the private part is more
 * than twice as long as the shared part. Each part then gets half. So thieves can always steal at least a third of a
 * queue. Releases and reacquires happen at most once while the length of the queue changes by a constant factor. The
 * last private task stays private, because the owner mostly pops it at once. The owner releases it only if a thief has
 * found the shared part empty (hungry).
 *
 * Copying under the lock: a thief copies before it moves tail and unlocks. In the paper, the thieves of a cluster copy
 * later, because a copy there takes as long as a message. Here a copy takes less time than the traffic of the lock.
 * With a later copy, a second tail would have to keep the owner from overwriting tasks that a thief still copies.
 *
 * Aborting (section 4.3): a thief that finds the lock held gives up as soon as the shared part is empty, or after a
 * bounded number of polls. In shared memory, a probe of another victim is cheap, and the system may have
 * suspended the holder. */
#include <stdalign.h>
#include <stdatomic.h>

#include "../base/lock.h"
#include "ring.h"
#include "task_queue.h"

struct split {
    /* Private to the owner. */
    alignas(128) _Atomic(uint64_t) head; /* other workers read it only in length() */
    uint64_t released;                   /* a copy of split, which only the owner changes */
    uint64_t limit;                      /* the value of head at which the owner must read tail again */
    struct gws__ring ring;
    struct gws_allocator allocator; /* constant, as is workers */
    uint32_t workers;
    /* Shared. Thieves never access the lines above. */
    alignas(128) struct gws__lock lock;
    _Atomic(uint32_t) hungry; /* a thief found no task since the last release */
    _Atomic(uint64_t) tail;   /* written under the lock, as is the ring */
    _Atomic(uint64_t) split;
    struct gws__ring thieves_ring; /* a copy of ring */
};

static void queue_init(struct split *q, const struct gws_task_shape *shape)
{
    q->workers = shape->workers;
    q->allocator = *shape->allocator;
    gws__lock_init(&q->lock);
    atomic_init(&q->head, 0);
    atomic_init(&q->tail, 0);
    atomic_init(&q->split, 0);
    atomic_init(&q->hungry, 0);
}

static gws_status split_init(void *state, const struct gws_task_shape *shape)
{
    struct split *queue = (struct split *)state;
    for (uint32_t w = 0; w < shape->workers; w++) queue_init(&queue[w], shape);
    for (uint32_t w = 0; w < shape->workers; w++) {
        struct split *q = &queue[w];
        if (!gws__ring_new(&q->ring, &q->allocator, shape->capacity, shape->words)) return GWS_NO_MEMORY;
        q->thieves_ring = q->ring;
        q->limit = shape->capacity;
    }
    return GWS_OK;
}

static void split_destroy(void *state)
{
    struct split *queue = (struct split *)state;
    for (uint32_t w = 0, workers = queue[0].workers; w < workers; w++)
        gws__ring_free(&queue[w].ring, &queue[w].allocator);
}

/* ---- capacity ---- */

/* Owner only: allocates a buffer for at least `capacity` tasks before it takes the lock. Thieves access the old buffer
 * only under the lock, so the owner can free it after the unlock. */
static bool grow(struct split *q, uint64_t head, uint64_t capacity)
{
    struct gws__ring old = q->ring, ring;
    uint64_t wanted = gws__ring_capacity(&old);
    while (wanted < capacity) wanted *= 2;
    if (!gws__ring_new(&ring, &q->allocator, wanted, old.words)) return false;
    gws__lock_acquire(&q->lock);
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    gws__ring_copy(&ring, tail, &old, tail, head - tail);
    q->thieves_ring = ring;
    gws__lock_release(&q->lock);
    gws__ring_free(&old, &q->allocator);
    q->ring = ring;
    q->limit = tail + wanted;
    return true;
}

/* Owner only: ensures space for count more tasks, if possible. */
static bool ensure_capacity(struct split *q, uint64_t head, uint64_t count)
{
    /* acquire: pairs with the release of tail in take(). The thief has thus copied the tasks before the owner
     * overwrites them. */
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_acquire);
    q->limit = tail + gws__ring_capacity(&q->ring);
    return q->limit - head >= count || grow(q, head, head - tail + count);
}

/* ---- the owner ---- */

/* Releases half of the queue to the thieves. */
static void release(struct split *q, uint64_t head, uint64_t tail)
{
    q->released = head - (head - tail) / 2;
    /* release: pairs with the acquire of split in take(). The tasks below split are thus complete. */
    atomic_store_explicit(&q->split, q->released, memory_order_release);
    if (atomic_load_explicit(&q->hungry, memory_order_relaxed))
        atomic_store_explicit(&q->hungry, 0, memory_order_relaxed);
}

/* Sets head, and releases tasks if the shared part is short. A stale tail makes the shared part look longer. The next
 * call corrects that. */
static inline void set_head(struct split *q, uint64_t head)
{
    atomic_store_explicit(&q->head, head, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed), own = head - q->released;
    if (own <= 2 * (q->released - tail)) return;
    if (own > 1 || atomic_load_explicit(&q->hungry, memory_order_relaxed)) release(q, head, tail);
}

static uint64_t *split_reserve(void *state, uint32_t worker)
{
    struct split *q = (struct split *)state + worker;
    uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
    if (head == q->limit && !ensure_capacity(q, head, 1)) return NULL;
    return gws__ring_at(&q->ring, head);
}

static void split_commit(void *state, uint32_t worker)
{
    struct split *q = (struct split *)state + worker;
    set_head(q, atomic_load_explicit(&q->head, memory_order_relaxed) + 1);
}

/* Reacquires the newer half of the shared part. Returns false if the shared part is empty. The owner waits for the
 * lock, which a thief holds while it copies. */
static bool reacquire(struct split *q)
{
    if (q->released == atomic_load_explicit(&q->tail, memory_order_relaxed)) return false;
    gws__lock_acquire(&q->lock);
    uint64_t shared = q->released - atomic_load_explicit(&q->tail, memory_order_relaxed);
    q->released -= (shared + 1) / 2;
    /* relaxed: a thief reads split under the lock, after this holder. */
    atomic_store_explicit(&q->split, q->released, memory_order_relaxed);
    gws__lock_release(&q->lock);
    return shared > 0;
}

static uint32_t split_pop(void *state, uint32_t worker, uint32_t max, uint64_t *out)
{
    struct split *q = (struct split *)state + worker;
    uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
    if (head == q->released && !reacquire(q)) return 0;
    uint64_t own = head - q->released;
    uint32_t count = own < max ? (uint32_t)own : max;
    const struct gws__ring ring = q->ring;
    for (uint32_t i = 0; i < count; i++, out += ring.words)
        gws__task_copy(out, gws__ring_at(&ring, --head), ring.words);
    set_head(q, head);
    return count;
}

/* ---- thieves ---- */

/* Estimates, without the lock, how many tasks a thief can steal. A thief that sees none sets hungry. */
static uint64_t stealable(struct split *q)
{
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    uint64_t split = atomic_load_explicit(&q->split, memory_order_relaxed);
    if (split > tail) return split - tail;
    if (!atomic_load_explicit(&q->hungry, memory_order_relaxed))
        atomic_store_explicit(&q->hungry, 1, memory_order_relaxed);
    return 0;
}

/* Takes the victim's lock, or gives up. A thief that does not wait takes the lock only if no thread has held it since
 * the thief saw stealable tasks. Only lock holders take tasks away, so these tasks are still there. */
static bool enter(struct split *victim, bool wait)
{
    if (wait) {
        gws__lock_acquire(&victim->lock);
        return true;
    }
    for (uint32_t looks = 0; looks < gws__lock_patience; looks++) {
        uint32_t turn = gws__lock_turn(&victim->lock);
        if (stealable(victim) == 0) return false;
        if (gws__lock_try_at(&victim->lock, turn)) return true;
        gws__spin_pause();
    }
    return false;
}

/* Takes the oldest tasks, under the victim's lock. The first task goes to out. At most `capacity` others go to the
 * thief's slots from head on, which no other worker accesses. Returns the number of tasks taken. */
static uint64_t take(struct split *victim, const struct gws_steal_request *request, struct split *thief, uint64_t head,
                     uint64_t capacity, uint64_t *out)
{
    uint64_t tail = atomic_load_explicit(&victim->tail, memory_order_relaxed);
    /* acquire: pairs with the release of split in release(). The tasks below split are thus complete. */
    uint64_t length = atomic_load_explicit(&victim->split, memory_order_acquire) - tail;
    if (length == 0) return 0;
    uint64_t count = gws__steal_amount(request, length);
    if (count > capacity + 1) count = capacity + 1;
    gws__task_copy(out, gws__ring_at(&victim->thieves_ring, tail), victim->thieves_ring.words);
    gws__ring_copy(&thief->ring, head, &victim->thieves_ring, tail + 1, count - 1);
    /* release: pairs with the acquire of tail in ensure_capacity(). The owner thus overwrites only tasks that the thief
     * has copied. */
    atomic_store_explicit(&victim->tail, tail + count, memory_order_release);
    return count;
}

static enum gws_acquire split_steal(void *state, const struct gws_steal_request *request, uint64_t *out,
                                    uint64_t *stolen)
{
    struct split *victim = (struct split *)state + request->victim, *thief = (struct split *)state + request->thief;
    uint64_t length = stealable(victim);
    if (length == 0) return GWS_ACQUIRE_EMPTY;
    /* The thief grows its queue before it takes the lock. If memory is short, it takes the tasks that fit. */
    uint64_t head = atomic_load_explicit(&thief->head, memory_order_relaxed);
    (void)ensure_capacity(thief, head, gws__steal_amount(request, length) - 1);
    if (!enter(victim, request->wait)) return GWS_ACQUIRE_ABORTED;
    uint64_t count = take(victim, request, thief, head, thief->limit - head, out);
    gws__lock_release(&victim->lock);
    if (count == 0) return GWS_ACQUIRE_LOST; /* the thief got the lock too late: a failed steal (section 5.3) */
    set_head(thief, head + count - 1);
    *stolen = count;
    return GWS_ACQUIRED;
}

static uint64_t split_length(const void *state, uint32_t worker)
{
    const struct split *q = (const struct split *)state + worker;
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
    return head > tail ? head - tail : 0;
}

const struct gws_task_queue gws__task_queue_split = {
    0,         sizeof(struct split), split_init,   split_destroy, split_reserve, split_commit,
    split_pop, split_steal,          split_length, NULL,          NULL,          NULL,
};

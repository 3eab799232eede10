/* SPDX-License-Identifier: MIT */
/* The local workpiles of Rudolph, Slivkin-Allalouf and Upfal (SPAA 1991, sections 2.2 and 3): a first in, first out
 * queue for each worker, with a lock of its own. Now and then a worker balances with a partner. Tasks move from the end
 * of the longer queue to the end of the shorter queue until both have about the same length (figure 2). lib/policy
 * decides when, and with whom.
 *
 * State: a circular buffer with the oldest task at front and length tasks. Other workers also add tasks to a worker's
 * queue, but they never fill its last free slot. So commit() always finds the slot that reserve() promised, and
 * reserve() needs no lock. Only the owner's reserve() replaces the buffer, under the lock. A queue takes as many tasks
 * from a partner as its buffer can hold.
 *
 * A worker takes two locks in the order of their addresses, so deadlock is impossible. All accesses except estimates of
 * length are under a lock, so no other operation orders memory here. */
#include <stdalign.h>
#include <stdatomic.h>

#include "../base/lock.h"
#include "ring.h"
#include "task_queue.h"

struct workpile {
    alignas(128) struct gws__lock lock;
    bool idle;
    _Atomic(uint64_t) length; /* changes under the lock; a read without the lock is an estimate */
    uint64_t front;
    struct gws__ring ring; /* only the owner replaces it, under the lock, and makes tasks in the scratch slot */
    struct gws_allocator allocator; /* constant, as is workers */
    uint32_t workers;
};

static gws_status workpile_init(void *state, const struct gws_task_shape *shape)
{
    struct workpile *pile = (struct workpile *)state;
    for (uint32_t w = 0; w < shape->workers; w++) {
        pile[w].workers = shape->workers;
        pile[w].allocator = *shape->allocator;
        gws__lock_init(&pile[w].lock);
        atomic_init(&pile[w].length, 0);
    }
    for (uint32_t w = 0; w < shape->workers; w++)
        if (!gws__ring_new(&pile[w].ring, &pile[w].allocator, shape->capacity, shape->words)) return GWS_NO_MEMORY;
    return GWS_OK;
}

static void workpile_destroy(void *state)
{
    struct workpile *pile = (struct workpile *)state;
    for (uint32_t w = 0, workers = pile[0].workers; w < workers; w++) gws__ring_free(&pile[w].ring, &pile[w].allocator);
}

static uint64_t length_of(const struct workpile *p)
{
    return atomic_load_explicit(&p->length, memory_order_relaxed);
}

static void set_length(struct workpile *p, uint64_t length)
{
    atomic_store_explicit(&p->length, length, memory_order_relaxed);
}

/* ---- the owner ---- */

static bool grow(struct workpile *p)
{
    struct gws__ring old = p->ring, ring;
    if (!gws__ring_new(&ring, &p->allocator, 2 * gws__ring_capacity(&old), old.words)) return false;
    gws__lock_acquire(&p->lock);
    gws__ring_copy(&ring, p->front, &old, p->front, length_of(p));
    p->ring = ring;
    gws__lock_release(&p->lock);
    gws__ring_free(&old, &p->allocator);
    return true;
}

/* Reserves a slot. Only the owner's commit() fills the last slot, and the owner has seen its own commits. So a queue
 * that is not full here is not full at commit(). */
static uint64_t *workpile_reserve(void *state, uint32_t worker)
{
    struct workpile *p = (struct workpile *)state + worker;
    if (length_of(p) == gws__ring_capacity(&p->ring) && !grow(p)) return NULL;
    return gws__ring_scratch(&p->ring);
}

static void workpile_commit(void *state, uint32_t worker)
{
    struct workpile *p = (struct workpile *)state + worker;
    gws__lock_acquire(&p->lock);
    uint64_t length = length_of(p);
    gws__task_copy(gws__ring_at(&p->ring, p->front + length), gws__ring_scratch(&p->ring), p->ring.words);
    set_length(p, length + 1);
    gws__lock_release(&p->lock);
}

static uint32_t workpile_pop(void *state, uint32_t worker, uint32_t max, uint64_t *out)
{
    struct workpile *p = (struct workpile *)state + worker;
    if (length_of(p) == 0) return 0;
    gws__lock_acquire(&p->lock);
    uint64_t length = length_of(p), words = p->ring.words;
    uint32_t count = length < max ? (uint32_t)length : max;
    for (uint32_t i = 0; i < count; i++) gws__task_copy(out + i * words, gws__ring_at(&p->ring, p->front++), words);
    set_length(p, length - count);
    gws__lock_release(&p->lock);
    return count;
}

static bool workpile_mark_idle(void *state, uint32_t worker)
{
    struct workpile *p = (struct workpile *)state + worker;
    gws__lock_acquire(&p->lock);
    bool empty = length_of(p) == 0;
    if (empty) p->idle = true;
    gws__lock_release(&p->lock);
    return empty;
}

static void workpile_mark_active(void *state, uint32_t worker)
{
    struct workpile *p = (struct workpile *)state + worker;
    gws__lock_acquire(&p->lock);
    p->idle = false;
    gws__lock_release(&p->lock);
}

/* ---- two queues ---- */

static void release_both(struct workpile *a, struct workpile *b)
{
    gws__lock_release(&a->lock);
    gws__lock_release(&b->lock);
}

static bool acquire_both(struct workpile *a, struct workpile *b, bool wait)
{
    struct workpile *first = a < b ? a : b, *second = a < b ? b : a;
    if (wait) {
        gws__lock_acquire(&first->lock);
        gws__lock_acquire(&second->lock);
        return true;
    }
    if (!gws__lock_try(&first->lock)) return false;
    if (gws__lock_try(&second->lock)) return true;
    gws__lock_release(&first->lock);
    return false;
}

/* Returns the number of tasks that p accepts from other workers. The caller has both locks. */
static uint64_t free_slots(const struct workpile *p)
{
    return gws__ring_capacity(&p->ring) - length_of(p) - (length_of(p) < gws__ring_capacity(&p->ring));
}

/* Moves the last count tasks of one queue, in their order, to the end of the other queue. The caller has both locks. */
static void move(struct workpile *from, struct workpile *to, uint64_t count)
{
    uint64_t left = length_of(from) - count;
    gws__ring_copy(&to->ring, to->front + length_of(to), &from->ring, from->front + left, count);
    set_length(from, left);
    set_length(to, length_of(to) + count);
}

static bool differ(const struct workpile *a, const struct workpile *b, uint64_t threshold)
{
    uint64_t x = length_of(a), y = length_of(b);
    return (x > y ? x - y : y - x) >= threshold;
}

/* Balances two queues and waits for their locks. The paper found little difference between waiting and giving up
 * (section 3). */
static uint64_t workpile_balance(void *state, uint32_t self, uint32_t partner, uint64_t threshold)
{
    struct workpile *a = (struct workpile *)state + self, *b = (struct workpile *)state + partner;
    if (!differ(a, b, threshold)) return 0;
    acquire_both(a, b, true);
    struct workpile *longer = length_of(a) < length_of(b) ? b : a, *shorter = longer == a ? b : a;
    uint64_t count = (length_of(longer) - length_of(shorter)) / 2;
    if (count > free_slots(shorter)) count = free_slots(shorter);
    if (b->idle || !differ(a, b, threshold)) count = 0;
    move(longer, shorter, count);
    release_both(a, b);
    return count;
}

/* Balances the victim with a thief that has no tasks. The last tasks of the victim move, the oldest of them to out. */
static enum gws_acquire workpile_steal(void *state, const struct gws_steal_request *request, uint64_t *out,
                                       uint64_t *stolen)
{
    struct workpile *victim = (struct workpile *)state + request->victim,
                    *thief = (struct workpile *)state + request->thief;
    if (length_of(victim) == 0) return GWS_ACQUIRE_EMPTY;
    if (!acquire_both(victim, thief, request->wait)) return GWS_ACQUIRE_ABORTED;
    uint64_t length = length_of(victim), count = length ? gws__steal_amount(request, length) : 0;
    if (count > free_slots(thief) + 1) count = free_slots(thief) + 1;
    if (count > 0) {
        move(victim, thief, count - 1);
        /* The last remaining task is older than all tasks that moved. */
        uint64_t last = length_of(victim) - 1;
        gws__task_copy(out, gws__ring_at(&victim->ring, victim->front + last), victim->ring.words);
        set_length(victim, last);
        *stolen = count;
    }
    release_both(victim, thief);
    return count > 0 ? GWS_ACQUIRED : GWS_ACQUIRE_LOST; /* count is 0 if another worker has emptied the queue */
}

static uint64_t workpile_length(const void *state, uint32_t worker)
{
    return length_of((const struct workpile *)state + worker);
}

const struct gws_task_queue gws__task_queue_workpile = {
    0,
    sizeof(struct workpile),
    workpile_init,
    workpile_destroy,
    workpile_reserve,
    workpile_commit,
    workpile_pop,
    workpile_steal,
    workpile_length,
    workpile_balance,
    workpile_mark_idle,
    workpile_mark_active,
};

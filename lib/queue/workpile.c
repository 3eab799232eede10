/* SPDX-License-Identifier: MIT */
/* The local workpiles of Rudolph, Slivkin-Allalouf and Upfal (SPAA 1991, sections 2.2 and 3): a first in, first out
 * queue for each worker, under a lock of its own. Now and then a worker meets a partner, and tasks move from the end of
 * the longer queue to the end of the shorter until both are about as long (figure 2). Whether and with whom is decided
 * elsewhere (lib/policy).
 *
 * State: a circular buffer, the oldest task at front, length tasks. Others put tasks into a worker's queue too, but
 * never into its last free slot: so what place() has promised publish() can keep, and place() needs no lock. Only the
 * owner's place() changes the buffer, under the lock; a queue takes from a partner as much as its buffer holds.
 *
 * Two locks are taken in the order of their addresses, so there is no circle of waiting. Everything but the guesses at
 * length happens under a lock: nothing else orders memory here. */
#include <stdalign.h>
#include <stdatomic.h>

#include "../base/lock.h"
#include "ring.h"
#include "task_container.h"

struct pile {
    alignas(128) struct gws__lock lock;
    bool retired;
    _Atomic(uint64_t) length; /* written under the lock; read without it as a guess */
    uint64_t front;
    struct gws__ring ring;          /* changed by the owner under the lock; its spare is where the owner makes tasks */
    struct gws_allocator allocator; /* constant, as is workers */
    uint32_t workers;
};

static gws_status workpile_make(void *state, const struct gws_task_shape *shape)
{
    struct pile *pile = (struct pile *)state;
    for (uint32_t w = 0; w < shape->workers; w++) {
        pile[w].workers = shape->workers;
        pile[w].allocator = *shape->allocator;
        gws__lock_init(&pile[w].lock);
        atomic_init(&pile[w].length, 0);
    }
    for (uint32_t w = 0; w < shape->workers; w++)
        if (!gws__ring_new(&pile[w].ring, &pile[w].allocator, shape->room, shape->words)) return GWS_NO_MEMORY;
    return GWS_OK;
}

static void workpile_strip(void *state)
{
    struct pile *pile = (struct pile *)state;
    for (uint32_t w = 0, workers = pile[0].workers; w < workers; w++) gws__ring_free(&pile[w].ring, &pile[w].allocator);
}

static uint64_t length_of(const struct pile *p)
{
    return atomic_load_explicit(&p->length, memory_order_relaxed);
}

static void set_length(struct pile *p, uint64_t length)
{
    atomic_store_explicit(&p->length, length, memory_order_relaxed);
}

/* ---- the owner ---- */

static bool grow(struct pile *p)
{
    struct gws__ring old = p->ring, ring;
    if (!gws__ring_new(&ring, &p->allocator, 2 * gws__ring_capacity(&old), old.words)) return false;
    gws__lock_take(&p->lock);
    gws__ring_copy(&ring, p->front, &old, p->front, length_of(p));
    p->ring = ring;
    gws__lock_drop(&p->lock);
    gws__ring_free(&old, &p->allocator);
    return true;
}

/* Only the owner's publish() fills the last slot, and it has seen its own: so a queue that is not full here will not be
 * when publish() comes. */
static uint64_t *workpile_place(void *state, uint32_t worker)
{
    struct pile *p = (struct pile *)state + worker;
    if (length_of(p) == gws__ring_capacity(&p->ring) && !grow(p)) return NULL;
    return gws__ring_spare(&p->ring);
}

static void workpile_publish(void *state, uint32_t worker)
{
    struct pile *p = (struct pile *)state + worker;
    gws__lock_take(&p->lock);
    uint64_t length = length_of(p);
    gws__task_copy(gws__ring_at(&p->ring, p->front + length), gws__ring_spare(&p->ring), p->ring.words);
    set_length(p, length + 1);
    gws__lock_drop(&p->lock);
}

static uint32_t workpile_pop(void *state, uint32_t worker, uint32_t most, uint64_t *out)
{
    struct pile *p = (struct pile *)state + worker;
    if (length_of(p) == 0) return 0;
    gws__lock_take(&p->lock);
    uint64_t length = length_of(p), words = p->ring.words;
    uint32_t count = length < most ? (uint32_t)length : most;
    for (uint32_t i = 0; i < count; i++) gws__task_copy(out + i * words, gws__ring_at(&p->ring, p->front++), words);
    set_length(p, length - count);
    gws__lock_drop(&p->lock);
    return count;
}

static bool workpile_retire(void *state, uint32_t worker)
{
    struct pile *p = (struct pile *)state + worker;
    gws__lock_take(&p->lock);
    bool empty = length_of(p) == 0;
    if (empty) p->retired = true;
    gws__lock_drop(&p->lock);
    return empty;
}

static void workpile_enlist(void *state, uint32_t worker)
{
    struct pile *p = (struct pile *)state + worker;
    gws__lock_take(&p->lock);
    p->retired = false;
    gws__lock_drop(&p->lock);
}

/* ---- two queues ---- */

static void drop_both(struct pile *a, struct pile *b)
{
    gws__lock_drop(&a->lock);
    gws__lock_drop(&b->lock);
}

static bool take_both(struct pile *a, struct pile *b, bool wait)
{
    struct pile *first = a < b ? a : b, *second = a < b ? b : a;
    if (wait) {
        gws__lock_take(&first->lock);
        gws__lock_take(&second->lock);
        return true;
    }
    if (!gws__lock_try(&first->lock)) return false;
    if (gws__lock_try(&second->lock)) return true;
    gws__lock_drop(&first->lock);
    return false;
}

/* Under both locks: how many tasks p accepts from others. */
static uint64_t room_of(const struct pile *p)
{
    return gws__ring_capacity(&p->ring) - length_of(p) - (length_of(p) < gws__ring_capacity(&p->ring));
}

/* Under both locks: moves the last count tasks of one queue, in their order, to the end of the other. */
static void move(struct pile *from, struct pile *to, uint64_t count)
{
    uint64_t left = length_of(from) - count;
    gws__ring_copy(&to->ring, to->front + length_of(to), &from->ring, from->front + left, count);
    set_length(from, left);
    set_length(to, length_of(to) + count);
}

static bool differ(const struct pile *a, const struct pile *b, uint64_t threshold)
{
    uint64_t x = length_of(a), y = length_of(b);
    return (x > y ? x - y : y - x) >= threshold;
}

/* Waits for the locks: the paper found little difference between that and giving up (section 3). */
static uint64_t workpile_balance(void *state, uint32_t self, uint32_t partner, uint64_t threshold)
{
    struct pile *a = (struct pile *)state + self, *b = (struct pile *)state + partner;
    if (!differ(a, b, threshold)) return 0;
    take_both(a, b, true);
    struct pile *longer = length_of(a) < length_of(b) ? b : a, *shorter = longer == a ? b : a;
    uint64_t count = (length_of(longer) - length_of(shorter)) / 2;
    if (count > room_of(shorter)) count = room_of(shorter);
    if (b->retired || !differ(a, b, threshold)) count = 0;
    move(longer, shorter, count);
    drop_both(a, b);
    return count;
}

/* The same meeting as seen by one who has nothing: the last tasks of the victim, the oldest of them to out. */
static enum gws_grab workpile_steal(void *state, const struct gws_theft *theft, uint64_t *out, uint64_t *taken)
{
    struct pile *victim = (struct pile *)state + theft->victim, *thief = (struct pile *)state + theft->thief;
    if (length_of(victim) == 0) return GWS_GRAB_EMPTY;
    if (!take_both(victim, thief, theft->wait)) return GWS_GRAB_ABORTED;
    uint64_t length = length_of(victim), count = length ? gws__theft_amount(theft, length) : 0;
    if (count > room_of(thief) + 1) count = room_of(thief) + 1;
    if (count > 0) {
        move(victim, thief, count - 1);
        /* What was the last of the rest is older than all that moved. */
        uint64_t last = length_of(victim) - 1;
        gws__task_copy(out, gws__ring_at(&victim->ring, victim->front + last), victim->ring.words);
        set_length(victim, last);
        *taken = count;
    }
    drop_both(victim, thief);
    return count > 0 ? GWS_GRAB_TOOK : GWS_GRAB_LOST; /* another emptied it since the look at its length */
}

static uint64_t workpile_length(const void *state, uint32_t worker)
{
    return length_of((const struct pile *)state + worker);
}

const struct gws_task_container gws__tasks_workpile = {
    0,
    sizeof(struct pile),
    workpile_make,
    workpile_strip,
    workpile_place,
    workpile_publish,
    workpile_pop,
    workpile_steal,
    workpile_length,
    workpile_balance,
    workpile_retire,
    workpile_enlist,
};

/* SPDX-License-Identifier: MIT */
/* One workpile for all, under one lock: the global workpile that Rudolph, Slivkin-Allalouf and Upfal (SPAA 1991,
 * section 2.1) measure theirs against. It balances perfectly and scales badly. First in, first out, as the paper
 * has it (section 4.3): a tree of tasks is run level by level, and needs room for its widest.
 *
 * State: a circular buffer, the oldest task at front, length tasks. Each worker makes its next task in scratch of its
 * own; so that publish() cannot fail, a worker holds a slot from place() on: length + held <= capacity. publish() takes
 * the next slot while it has the lock, so place() rarely needs it.
 *
 * Everything happens under the lock but the guess at length: nothing else orders memory here. */
#include <stdalign.h>
#include <stdatomic.h>

#include "../base/lock.h"
#include "ring.h"
#include "task_container.h"

struct pile {
    alignas(128) struct gws__lock lock;
    _Atomic(uint64_t) length; /* written under the lock */
    uint64_t front;
    uint64_t held; /* slots that workers hold */
    struct gws__ring ring;
    /* Constant. */
    alignas(128) struct gws_allocator allocator;
    uint32_t workers;
};

/* One worker's, and nobody else's; entries of an array that lies behind the pile. */
struct worker_state {
    alignas(128) uint64_t *scratch;
    bool holds;
};

static struct worker_state *worker_of(void *state, uint32_t worker)
{
    return (struct worker_state *)((struct pile *)state + 1) + worker;
}

static gws_status global_make(void *state, const struct gws_task_shape *shape)
{
    struct pile *p = (struct pile *)state;
    p->workers = shape->workers;
    p->allocator = *shape->allocator;
    p->ring.words = shape->words;
    gws__lock_init(&p->lock);
    atomic_init(&p->length, 0);
    for (uint32_t w = 0; w < shape->workers; w++) {
        uint64_t **scratch = &worker_of(state, w)->scratch;
        *scratch = (uint64_t *)gws__memory_new(shape->allocator, shape->words, sizeof **scratch);
        if (!*scratch) return GWS_NO_MEMORY;
    }
    uint64_t room = shape->room; /* without what is held */
    if (room > UINT64_MAX / 4) return GWS_NO_MEMORY;
    while (room < shape->room + shape->workers) room *= 2;
    return gws__ring_new(&p->ring, shape->allocator, room, shape->words) ? GWS_OK : GWS_NO_MEMORY;
}

static void global_strip(void *state)
{
    struct pile *p = (struct pile *)state;
    for (uint32_t w = 0; w < p->workers; w++) {
        uint64_t *scratch = worker_of(state, w)->scratch;
        gws__memory_free(&p->allocator, scratch, p->ring.words, sizeof *scratch);
    }
    gws__ring_free(&p->ring, &p->allocator);
}

static uint64_t length_of(const struct pile *p)
{
    return atomic_load_explicit(&p->length, memory_order_relaxed);
}

static void set_length(struct pile *p, uint64_t length)
{
    atomic_store_explicit(&p->length, length, memory_order_relaxed);
}

/* Under the lock: everybody waits while memory is asked for, but everybody waits for this queue anyway. */
static bool grow(struct pile *p)
{
    struct gws__ring old = p->ring;
    if (!gws__ring_new(&p->ring, &p->allocator, 2 * gws__ring_capacity(&old), old.words)) return false;
    gws__ring_copy(&p->ring, p->front, &old, p->front, length_of(p));
    gws__ring_free(&old, &p->allocator);
    return true;
}

/* Under the lock: a slot for a worker that holds none, if one is free. */
static bool hold(struct pile *p)
{
    if (length_of(p) + p->held >= gws__ring_capacity(&p->ring)) return false;
    p->held++;
    return true;
}

static uint64_t *global_place(void *state, uint32_t worker)
{
    struct pile *p = (struct pile *)state;
    struct worker_state *mine = worker_of(state, worker);
    if (!mine->holds) {
        gws__lock_take(&p->lock);
        mine->holds = hold(p) || (grow(p) && hold(p));
        gws__lock_drop(&p->lock);
    }
    return mine->holds ? mine->scratch : NULL;
}

static void global_publish(void *state, uint32_t worker)
{
    struct pile *p = (struct pile *)state;
    struct worker_state *mine = worker_of(state, worker);
    gws__lock_take(&p->lock);
    uint64_t length = length_of(p);
    gws__task_copy(gws__ring_at(&p->ring, p->front + length), mine->scratch, p->ring.words);
    set_length(p, length + 1);
    p->held--;
    mine->holds = hold(p);
    gws__lock_drop(&p->lock);
}

static uint32_t global_pop(void *state, uint32_t worker, uint32_t most, uint64_t *out)
{
    struct pile *p = (struct pile *)state;
    (void)worker;
    if (length_of(p) == 0) return 0;
    gws__lock_take(&p->lock);
    uint64_t length = length_of(p), words = p->ring.words;
    uint32_t count = length < most ? (uint32_t)length : most;
    for (uint32_t i = 0; i < count; i++) gws__task_copy(out + i * words, gws__ring_at(&p->ring, p->front++), words);
    set_length(p, length - count);
    gws__lock_drop(&p->lock);
    return count;
}

static enum gws_grab global_steal(void *state, const struct gws_theft *theft, uint64_t *out, uint64_t *taken)
{
    (void)state;
    (void)theft;
    (void)out;
    (void)taken;
    return GWS_GRAB_EMPTY;
}

/* Others may put tasks into it all the time; who asks learns whether there are some that it should pop. */
static bool global_retire(void *state, uint32_t worker)
{
    struct pile *p = (struct pile *)state;
    (void)worker;
    gws__lock_take(&p->lock);
    bool empty = length_of(p) == 0;
    gws__lock_drop(&p->lock);
    return empty;
}

static void global_enlist(void *state, uint32_t worker)
{
    (void)state;
    (void)worker;
}

static uint64_t global_length(const void *state, uint32_t worker)
{
    (void)worker;
    return length_of((const struct pile *)state);
}

const struct gws_task_container gws__tasks_global = {
    sizeof(struct pile), sizeof(struct worker_state),
    global_make,         global_strip,
    global_place,        global_publish,
    global_pop,          global_steal,
    global_length,       NULL,
    global_retire,       global_enlist,
};

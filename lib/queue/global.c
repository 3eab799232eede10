/* SPDX-License-Identifier: MIT */
/* One workpile for all workers, under one lock: the global workpile that Rudolph, Slivkin-Allalouf and Upfal (SPAA
 * 1991, section 2.1) compare theirs with. A global workpile balances perfectly and scales badly. It is first in, first
 * out, as in the paper (section 4.3). A tree of tasks thus runs level by level and needs memory for its widest level.
 *
 * State: a circular buffer with the oldest task at front and length tasks. Each worker makes its next task in scratch
 * memory of its own. commit() must not fail, so reserve() holds a slot for the worker: length + held <= capacity.
 * commit() holds the next slot while it has the lock, so reserve() rarely needs the lock.
 *
 * All accesses except estimates of length are under the lock, so no other operation orders memory here. */
#include <stdalign.h>
#include <stdatomic.h>

#include "../base/lock.h"
#include "ring.h"
#include "task_queue.h"

struct global_pile {
    alignas(128) struct gws__lock lock;
    _Atomic(uint64_t) length; /* written under the lock */
    uint64_t front;
    uint64_t held; /* number of slots that workers hold */
    struct gws__ring ring;
    /* Constant. */
    alignas(128) struct gws_allocator allocator;
    uint32_t workers;
};

/* One worker's private state, an entry of the array behind the pile. */
struct global_worker {
    alignas(128) uint64_t *scratch;
    bool holds;
};

static struct global_worker *worker_of(void *state, uint32_t worker)
{
    return (struct global_worker *)((struct global_pile *)state + 1) + worker;
}

static gws_status global_init(void *state, const struct gws_task_shape *shape)
{
    struct global_pile *p = (struct global_pile *)state;
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
    uint64_t capacity = shape->capacity; /* capacity without held slots */
    if (capacity > UINT64_MAX / 4) return GWS_NO_MEMORY;
    while (capacity < shape->capacity + shape->workers) capacity *= 2;
    return gws__ring_new(&p->ring, shape->allocator, capacity, shape->words) ? GWS_OK : GWS_NO_MEMORY;
}

static void global_destroy(void *state)
{
    struct global_pile *p = (struct global_pile *)state;
    for (uint32_t w = 0; w < p->workers; w++) {
        uint64_t *scratch = worker_of(state, w)->scratch;
        gws__memory_free(&p->allocator, scratch, p->ring.words, sizeof *scratch);
    }
    gws__ring_free(&p->ring, &p->allocator);
}

static uint64_t length_of(const struct global_pile *p)
{
    return atomic_load_explicit(&p->length, memory_order_relaxed);
}

static void set_length(struct global_pile *p, uint64_t length)
{
    atomic_store_explicit(&p->length, length, memory_order_relaxed);
}

/* Doubles the ring. The caller has the lock, and all workers wait for the allocation. They would wait for this queue
 * anyway. */
static bool grow(struct global_pile *p)
{
    struct gws__ring old = p->ring;
    if (!gws__ring_new(&p->ring, &p->allocator, 2 * gws__ring_capacity(&old), old.words)) return false;
    gws__ring_copy(&p->ring, p->front, &old, p->front, length_of(p));
    gws__ring_free(&old, &p->allocator);
    return true;
}

/* Holds a slot for a worker that holds none, if a slot is free. The caller has the lock. */
static bool hold(struct global_pile *p)
{
    if (length_of(p) + p->held >= gws__ring_capacity(&p->ring)) return false;
    p->held++;
    return true;
}

static uint64_t *global_reserve(void *state, uint32_t worker)
{
    struct global_pile *p = (struct global_pile *)state;
    struct global_worker *mine = worker_of(state, worker);
    if (!mine->holds) {
        gws__lock_acquire(&p->lock);
        mine->holds = hold(p) || (grow(p) && hold(p));
        gws__lock_release(&p->lock);
    }
    return mine->holds ? mine->scratch : NULL;
}

static void global_commit(void *state, uint32_t worker)
{
    struct global_pile *p = (struct global_pile *)state;
    struct global_worker *mine = worker_of(state, worker);
    gws__lock_acquire(&p->lock);
    uint64_t length = length_of(p);
    gws__task_copy(gws__ring_at(&p->ring, p->front + length), mine->scratch, p->ring.words);
    set_length(p, length + 1);
    p->held--;
    mine->holds = hold(p);
    gws__lock_release(&p->lock);
}

static uint32_t global_pop(void *state, uint32_t worker, uint32_t max, uint64_t *out)
{
    struct global_pile *p = (struct global_pile *)state;
    (void)worker;
    if (length_of(p) == 0) return 0;
    gws__lock_acquire(&p->lock);
    uint64_t length = length_of(p), words = p->ring.words;
    uint32_t count = length < max ? (uint32_t)length : max;
    for (uint32_t i = 0; i < count; i++) gws__task_copy(out + i * words, gws__ring_at(&p->ring, p->front++), words);
    set_length(p, length - count);
    gws__lock_release(&p->lock);
    return count;
}

static enum gws_acquire global_steal(void *state, const struct gws_steal_request *request, uint64_t *out,
                                     uint64_t *stolen)
{
    (void)state;
    (void)request;
    (void)out;
    (void)stolen;
    return GWS_ACQUIRE_EMPTY;
}

/* Returns true if there are no tasks to pop. Other workers may add tasks at any time. */
static bool global_mark_idle(void *state, uint32_t worker)
{
    struct global_pile *p = (struct global_pile *)state;
    (void)worker;
    gws__lock_acquire(&p->lock);
    bool empty = length_of(p) == 0;
    gws__lock_release(&p->lock);
    return empty;
}

static void global_mark_active(void *state, uint32_t worker)
{
    (void)state;
    (void)worker;
}

static uint64_t global_length(const void *state, uint32_t worker)
{
    (void)worker;
    return length_of((const struct global_pile *)state);
}

const struct gws_task_queue gws__task_queue_global = {
    sizeof(struct global_pile),
    sizeof(struct global_worker),
    global_init,
    global_destroy,
    global_reserve,
    global_commit,
    global_pop,
    global_steal,
    global_length,
    NULL,
    global_mark_idle,
    global_mark_active,
};

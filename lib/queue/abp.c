/* SPDX-License-Identifier: MIT */
/* Bounded deques of Arora, Blumofe and Plaxton (SPAA'98), with the tag against ABA, as Cederman and Tsigas print them
 * (section 35.3.3), and with the orders that their listing lacks (Alglave et al., ASPLOS 2015, section 3.2.1). The
 * owner adds and takes at the tail, thieves take one task at the head.
 *
 * State: for each worker head, the index of the oldest task with a tag above it, and tail, the index of the first free
 * slot. Indexes start over at slot 0 whenever the owner finds its queue empty or takes the last task; the tag then goes
 * up by one, so that a thief that slept meanwhile fails (until the tag comes round, after 2^32 fresh starts in the time
 * of one steal). Slots in front of head are lost until then: a queue of which thieves took much is full early.
 *
 * Who may take what. The owner claims slots [begin, end) by lowering tail to begin, and then reads head. A thief reads
 * head, then tail, and then moves head from slot i to i + 1 by a compare-and-swap: that takes the task in slot i. All
 * five are sequentially consistent, so they stand in one order S, and the argument is that of chaselev.c, with h for
 * the index that the owner has read from head. A slot below h is gone. The one at h is in dispute: the owner, too,
 * takes it by a compare-and-swap only. A thief that read an index above h, under the same tag, read it from another
 * thief's compare-and-swap, which comes after the owner's load in S; the thief's load of head comes after that, and its
 * load of tail later still, so it sees the lowered tail. An acquire load of head suffices in C11, but not in RC11.
 * Under another tag its own compare-and-swap fails, or it has acquired the tail of the fresh start. All this holds for
 * any number of tasks at once, as pop() takes them. */
#include <stdalign.h>

#include "../base/memory.h"
#include "task_container.h"
#include "task_words.h"

struct deque {
    alignas(128) _Atomic(uint64_t) head; /* tag << 32 | index; thieves move it, the owner starts it over */
    alignas(128) _Atomic(uint64_t) tail; /* written by the owner only */
    uint64_t seen;                       /* the owner's: a value of head, not older than its tag's first */
    gws__word *slot;                     /* constant from make() to strip(), as are all below */
    uint64_t *scratch;                   /* two tasks of the owner: the one it makes, the one it is trying to steal */
    uint64_t room;
    const struct gws_allocator *allocator;
    uint32_t words, workers;
};

static uint64_t index_of(uint64_t head)
{
    return (uint32_t)head;
}

/* The head of a queue that starts over: index 0, the next tag. */
static uint64_t head_after(uint64_t head)
{
    return ((head >> 32) + 1) << 32;
}

static gws_status abp_make(void *state, const struct gws_task_shape *shape)
{
    struct deque *deque = (struct deque *)state;
    deque[0].workers = shape->workers;
    if (shape->room > UINT32_MAX) return GWS_NO_MEMORY; /* an index is half a word */
    for (uint32_t w = 0; w < shape->workers; w++) {
        struct deque *q = &deque[w];
        q->words = shape->words;
        q->room = shape->room;
        q->allocator = shape->allocator;
        atomic_store_explicit(&q->head, 0, memory_order_relaxed);
        atomic_store_explicit(&q->tail, 0, memory_order_relaxed);
        q->slot = (gws__word *)gws__memory_new(q->allocator, q->room * q->words, sizeof *q->slot);
        q->scratch = (uint64_t *)gws__memory_new(q->allocator, (uint64_t)2 * q->words, sizeof *q->scratch);
        if (!q->slot || !q->scratch) return GWS_NO_MEMORY;
    }
    return GWS_OK;
}

static void abp_strip(void *state)
{
    struct deque *deque = (struct deque *)state;
    for (uint32_t w = 0; w < deque[0].workers; w++) {
        struct deque *q = &deque[w];
        gws__memory_free(q->allocator, q->slot, q->room * q->words, sizeof *q->slot);
        gws__memory_free(q->allocator, q->scratch, (uint64_t)2 * q->words, sizeof *q->scratch);
    }
}

/* The owner starts the queue over: it has read head, and only the task there, if it is below end, is in dispute; what
 * lies above it is the owner's. Returns from which index on the tasks below end are. */
static uint64_t start_over(struct deque *q, uint64_t head, uint64_t end)
{
    uint64_t index = index_of(head), anew = head_after(head);
    q->seen = anew;
    /* Before head: published by the two releases below. */
    atomic_store_explicit(&q->tail, 0, memory_order_relaxed);
    /* release: pairs with the acquire of head in steal(), so that who sees the new head does not see an old tail. */
    if (index < end &&
        atomic_compare_exchange_strong_explicit(&q->head, &head, anew, memory_order_release, memory_order_relaxed))
        return index;
    /* The task at index is a thief's. release: as above. acquire: pairs with that thief's compare-and-swap, so that it
     * has read its slot before the owner fills it again. */
    (void)atomic_exchange_explicit(&q->head, anew, memory_order_acq_rel);
    return index < end ? index + 1 : end;
}

static uint64_t *abp_place(void *state, uint32_t worker)
{
    struct deque *q = (struct deque *)state + worker;
    if (atomic_load_explicit(&q->tail, memory_order_relaxed) == q->room) {
        uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
        if (index_of(head) < q->room) return NULL;
        (void)start_over(q, head, q->room);
    }
    return q->scratch;
}

static void abp_publish(void *state, uint32_t worker)
{
    struct deque *q = (struct deque *)state + worker;
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    gws__words_put(q->slot + tail * q->words, q->scratch, q->words);
    /* release: pairs with the load of tail in steal(), so that the thief finds the task, and what its maker wrote. */
    atomic_store_explicit(&q->tail, tail + 1, memory_order_release);
}

/* The owner takes up to most of the tasks below end. Returns from which index on they are its own. */
static uint64_t claim(struct deque *q, uint64_t end, uint32_t most)
{
    uint64_t begin = end > most ? end - most : 0;
    /* seq_cst, both: pair with steal()'s load of tail and compare-and-swap of head; see the top. */
    atomic_store_explicit(&q->tail, begin, memory_order_seq_cst);
    q->seen = atomic_load_explicit(&q->head, memory_order_seq_cst);
    return begin <= index_of(q->seen) ? start_over(q, q->seen, end) : begin;
}

/* A task that is alone is in dispute anyway, so it is not hidden first: that would cost as much again. */
static uint32_t abp_pop(void *state, uint32_t worker, uint32_t most, uint64_t *out)
{
    struct deque *q = (struct deque *)state + worker;
    uint64_t end = atomic_load_explicit(&q->tail, memory_order_relaxed);
    if (end == 0) return 0;
    uint64_t begin = end - index_of(q->seen) == 1 ? start_over(q, q->seen, end) : claim(q, end, most);
    for (uint64_t i = end; i-- > begin; out += q->words) gws__words_get(q->slot + i * q->words, out, q->words);
    return (uint32_t)(end - begin);
}

static enum gws_grab abp_steal(void *state, const struct gws_theft *theft, uint64_t *out, uint64_t *taken)
{
    struct deque *q = (struct deque *)state + theft->victim;
    uint64_t *loot = ((struct deque *)state)[theft->thief].scratch + q->words;
    /* seq_cst: pairs with other thieves' compare-and-swap and the load of head in claim(); see the top. As an acquire,
     * with the releases in start_over(). */
    uint64_t head = atomic_load_explicit(&q->head, memory_order_seq_cst);
    /* seq_cst: pairs with the store in claim(); and, as an acquire, with the release in publish(). */
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_seq_cst);
    if (index_of(head) >= tail) return GWS_GRAB_EMPTY;
    gws__words_get(q->slot + index_of(head) * q->words, loot, q->words);
    /* seq_cst: pairs with the loads of head in claim() and above; as a release, with the exchange in start_over(). */
    if (!atomic_compare_exchange_strong_explicit(&q->head, &head, head + 1, memory_order_seq_cst, memory_order_relaxed))
        return GWS_GRAB_LOST;
    for (uint32_t i = 0; i < q->words; i++) out[i] = loot[i];
    *taken = 1;
    return GWS_GRAB_TOOK;
}

static uint64_t abp_length(const void *state, uint32_t worker)
{
    const struct deque *q = (const struct deque *)state + worker;
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    uint64_t head = index_of(atomic_load_explicit(&q->head, memory_order_relaxed));
    return tail > head ? tail - head : 0;
}

const struct gws_task_container gws__tasks_abp = {
    0,         sizeof(struct deque), abp_make, abp_strip, abp_place, abp_publish, abp_pop,
    abp_steal, abp_length,           NULL,     NULL,      NULL,
};

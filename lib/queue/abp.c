/* SPDX-License-Identifier: MIT */
/* Bounded deques of Arora, Blumofe and Plaxton (SPAA'98), with the tag against ABA as in Cederman and Tsigas (section
 * 35.3.3) and the memory orders that their listing lacks (Alglave et al., ASPLOS 2015, section 3.2.1). The owner pushes
 * and pops at the tail. Thieves take one task at the head.
 *
 * State: each worker has head (the index of the oldest task, with a tag above it) and tail (the index of the first free
 * slot). Indexes restart at slot 0 whenever the owner finds its queue empty or takes the last task. The tag then
 * increases by one. So the steal of a thief that slept in the meantime fails (until the tag wraps, after 2^32 restarts
 * during one steal). Slots below head are unusable until the next restart, so a queue with many steals fills early.
 *
 * Ownership. The owner claims slots [begin, end) by lowering tail to begin, and then reads head. A thief reads head,
 * then tail, and then moves head from slot i to i + 1 by a compare-and-swap, which takes the task in slot i. All five
 * operations are sequentially consistent, so they have one order S. The argument is that of chaselev.c, with h for the
 * index that the owner has read from head. Thieves have taken the slots below h. Owner and thieves compete for slot h:
 * the owner also takes it only by a compare-and-swap. Suppose that a thief read an index above h under the same tag.
 * The thief read that index from another thief's compare-and-swap, which comes after the owner's load in S. The thief's
 * load of head comes after that compare-and-swap, and its load of tail later still. So the thief sees the lowered tail.
 * An acquire load of head suffices in C11, but not in RC11. Under another tag, the thief's own compare-and-swap fails,
 * or the thief has acquired the tail of the restart. The argument holds for any number of tasks that pop() takes at
 * once. */
#include <stdalign.h>

#include "../base/memory.h"
#include "task_queue.h"
#include "task_words.h"

struct abp_deque {
    alignas(128) _Atomic(uint64_t) head; /* tag << 32 | index; thieves advance it, the owner restarts it */
    alignas(128) _Atomic(uint64_t) tail; /* only the owner writes it */
    uint64_t seen;                       /* private to the owner: a value of head with the current tag */
    gws__word *slot;                     /* constant from init() to destroy(), as are all members below */
    uint64_t *scratch; /* two tasks of the owner: the task that it makes, and the task that it tries to steal */
    uint64_t capacity;
    const struct gws_allocator *allocator;
    uint32_t words, workers;
};

static uint64_t index_of(uint64_t head)
{
    return (uint32_t)head;
}

/* Returns the head after a restart: index 0, the next tag. */
static uint64_t head_after(uint64_t head)
{
    return ((head >> 32) + 1) << 32;
}

static gws_status abp_init(void *state, const struct gws_task_shape *shape)
{
    struct abp_deque *deque = (struct abp_deque *)state;
    deque[0].workers = shape->workers;
    if (shape->capacity > UINT32_MAX) return GWS_NO_MEMORY; /* an index is half a word */
    for (uint32_t w = 0; w < shape->workers; w++) {
        struct abp_deque *q = &deque[w];
        q->words = shape->words;
        q->capacity = shape->capacity;
        q->allocator = shape->allocator;
        atomic_store_explicit(&q->head, 0, memory_order_relaxed);
        atomic_store_explicit(&q->tail, 0, memory_order_relaxed);
        q->slot = (gws__word *)gws__memory_new(q->allocator, q->capacity * q->words, sizeof *q->slot);
        q->scratch = (uint64_t *)gws__memory_new(q->allocator, (uint64_t)2 * q->words, sizeof *q->scratch);
        if (!q->slot || !q->scratch) return GWS_NO_MEMORY;
    }
    return GWS_OK;
}

static void abp_destroy(void *state)
{
    struct abp_deque *deque = (struct abp_deque *)state;
    for (uint32_t w = 0; w < deque[0].workers; w++) {
        struct abp_deque *q = &deque[w];
        gws__memory_free(q->allocator, q->slot, q->capacity * q->words, sizeof *q->slot);
        gws__memory_free(q->allocator, q->scratch, (uint64_t)2 * q->words, sizeof *q->scratch);
    }
}

/* Restarts the queue. head: the value that the owner has read. Owner and thieves compete only for the task at the index
 * of head, if that is below end. The tasks above it are the owner's. Returns the first index of the owner's tasks below
 * end. */
static uint64_t start_over(struct abp_deque *q, uint64_t head, uint64_t end)
{
    uint64_t index = index_of(head), anew = head_after(head);
    q->seen = anew;
    /* This store precedes the stores of head below. Their releases publish it. */
    atomic_store_explicit(&q->tail, 0, memory_order_relaxed);
    /* release: pairs with the acquire of head in steal(). A thief that sees the new head thus does not see an old tail.
     */
    if (index < end &&
        atomic_compare_exchange_strong_explicit(&q->head, &head, anew, memory_order_release, memory_order_relaxed))
        return index;
    /* A thief has the task at index. The release is as above. The acquire pairs with that thief's compare-and-swap. The
     * thief has thus read the slot before the owner fills it again. */
    (void)atomic_exchange_explicit(&q->head, anew, memory_order_acq_rel);
    return index < end ? index + 1 : end;
}

static uint64_t *abp_reserve(void *state, uint32_t worker)
{
    struct abp_deque *q = (struct abp_deque *)state + worker;
    if (atomic_load_explicit(&q->tail, memory_order_relaxed) == q->capacity) {
        uint64_t head = atomic_load_explicit(&q->head, memory_order_relaxed);
        if (index_of(head) < q->capacity) return NULL;
        (void)start_over(q, head, q->capacity);
    }
    return q->scratch;
}

static void abp_commit(void *state, uint32_t worker)
{
    struct abp_deque *q = (struct abp_deque *)state + worker;
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    gws__words_put(q->slot + tail * q->words, q->scratch, q->words);
    /* release: pairs with the load of tail in steal(). The thief thus sees the task and its maker's writes. */
    atomic_store_explicit(&q->tail, tail + 1, memory_order_release);
}

/* Takes up to max of the tasks below end for the owner. Returns the first index of its tasks. */
static uint64_t claim(struct abp_deque *q, uint64_t end, uint32_t max)
{
    uint64_t begin = end > max ? end - max : 0;
    /* seq_cst: both operations pair with steal()'s load of tail and compare-and-swap of head (see the head of the
     * file). */
    atomic_store_explicit(&q->tail, begin, memory_order_seq_cst);
    q->seen = atomic_load_explicit(&q->head, memory_order_seq_cst);
    return begin <= index_of(q->seen) ? start_over(q, q->seen, end) : begin;
}

/* Pops tasks. Thieves compete for a single task in any case. So the owner does not lower tail first, which would double
 * the cost. */
static uint32_t abp_pop(void *state, uint32_t worker, uint32_t max, uint64_t *out)
{
    struct abp_deque *q = (struct abp_deque *)state + worker;
    uint64_t end = atomic_load_explicit(&q->tail, memory_order_relaxed);
    if (end == 0) return 0;
    uint64_t begin = end - index_of(q->seen) == 1 ? start_over(q, q->seen, end) : claim(q, end, max);
    for (uint64_t i = end; i-- > begin; out += q->words) gws__words_get(q->slot + i * q->words, out, q->words);
    return (uint32_t)(end - begin);
}

static enum gws_acquire abp_steal(void *state, const struct gws_steal_request *request, uint64_t *out, uint64_t *stolen)
{
    struct abp_deque *q = (struct abp_deque *)state + request->victim;
    uint64_t *copy = ((struct abp_deque *)state)[request->thief].scratch + q->words;
    /* seq_cst: pairs with other thieves' compare-and-swap and the load of head in claim() (see the head of the file).
     * As an acquire, it pairs with the releases in start_over(). */
    uint64_t head = atomic_load_explicit(&q->head, memory_order_seq_cst);
    /* seq_cst: pairs with the store in claim(). As an acquire, it pairs with the release in commit(). */
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_seq_cst);
    if (index_of(head) >= tail) return GWS_ACQUIRE_EMPTY;
    gws__words_get(q->slot + index_of(head) * q->words, copy, q->words);
    /* seq_cst: pairs with the loads of head in claim() and above. As a release, it pairs with the exchange in
     * start_over(). */
    if (!atomic_compare_exchange_strong_explicit(&q->head, &head, head + 1, memory_order_seq_cst, memory_order_relaxed))
        return GWS_ACQUIRE_LOST;
    for (uint32_t i = 0; i < q->words; i++) out[i] = copy[i];
    *stolen = 1;
    return GWS_ACQUIRED;
}

static uint64_t abp_length(const void *state, uint32_t worker)
{
    const struct abp_deque *q = (const struct abp_deque *)state + worker;
    uint64_t tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
    uint64_t head = index_of(atomic_load_explicit(&q->head, memory_order_relaxed));
    return tail > head ? tail - head : 0;
}

const struct gws_task_queue gws__task_queue_abp = {
    0,           sizeof(struct abp_deque),
    abp_init,    abp_destroy,
    abp_reserve, abp_commit,
    abp_pop,     abp_steal,
    abp_length,  NULL,
    NULL,        NULL,
};

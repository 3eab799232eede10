/* SPDX-License-Identifier: MIT */
/* Growing deques of Chase and Lev (SPAA 2005). The owner pushes and pops at the bottom. Thieves take one task at the
 * top. The ring doubles when it is full. The memory orders follow Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013), with
 * sequentially consistent operations in place of their fences. These operations are as fast on x86 and faster on ARM,
 * and ThreadSanitizer supports them.
 *
 * State: each worker has top and bottom. Its tasks have indexes top .. bottom - 1. The slot of a task is its index
 * modulo the size of the ring. top only rises, so there is no ABA. level is the logarithm of the size, and ring[level]
 * is the ring. Smaller rings stay allocated until destroy(), because a thief may still read there. Such a thief finds
 * its task unchanged, or loses its compare-and-swap.
 *
 * Ownership. The owner claims tasks [begin, end) by lowering bottom to begin, and then reads top. A thief reads top,
 * then bottom, and then moves top from i to i + 1 by a compare-and-swap, which takes task i. All five operations are
 * sequentially consistent, so they have one order S. Let t be the top that the owner has read. There are three cases
 * for a task i of the claim:
 * - i < t: top has passed i, so a compare-and-swap from i fails. The owner knows from t that the task is not its own.
 * - i = t: owner and thieves compete. The owner also takes it only by a compare-and-swap, and one of them succeeds.
 * - i > t: the owner takes the task without a compare-and-swap. No thief can take it: a thief that read i from top read
 *   it from another thief's compare-and-swap. That compare-and-swap comes after the owner's load in S, since the load
 *   did not see it. The thief's load of top comes after that compare-and-swap, and its load of bottom later still. So
 *   the thief sees the lowered bottom and finds the queue empty. (If the thief read i from the owner's
 *   compare-and-swap, it has acquired the lowered bottom.)
 *
 * In C11 an acquire load of top suffices for i > t, because S agrees with happens-before there. In RC11 (Lahav et al.,
 * PLDI 2017) it does not: the owner and the second of two thieves could both take task i (tests/models/test_rc11.py).
 * The argument holds for any number of tasks that pop() takes at once. */
#include <stdalign.h>

#include "../base/memory.h"
#include "task_queue.h"
#include "task_words.h"

enum { max_level = 48 }; /* 2^48 tasks of 512 words of 8 bytes are less than 2^64 bytes */

struct chaselev_deque {
    alignas(128) _Atomic(uint64_t) top;    /* thieves advance it, and the owner advances it for the last task */
    alignas(128) _Atomic(uint64_t) bottom; /* only the owner writes it */
    uint64_t seen;                         /* private to the owner: a lower bound of top */
    uint64_t *scratch; /* two tasks of the owner: the new task, and the task that it tries to steal. Constant */
    alignas(128) _Atomic(uint32_t) level;
    uint32_t words, workers; /* constant from init() to destroy(), as is the next member */
    const struct gws_allocator *allocator;
    gws__word *ring[max_level + 1]; /* NULL, or set before the owner stores the level; then constant */
};

static gws__word *slot_of(const struct chaselev_deque *q, uint32_t level, uint64_t index)
{
    return q->ring[level] + (index & (((uint64_t)1 << level) - 1)) * q->words;
}

static bool ring_new(struct chaselev_deque *q, uint32_t level)
{
    if (level > max_level) return false;
    q->ring[level] = (gws__word *)gws__memory_new(q->allocator, (uint64_t)q->words << level, sizeof(gws__word));
    return q->ring[level] != NULL;
}

static gws_status chaselev_init(void *state, const struct gws_task_shape *shape)
{
    struct chaselev_deque *deque = (struct chaselev_deque *)state;
    uint32_t level = 0;
    while ((uint64_t)1 << level < shape->capacity && level < max_level) level++;
    deque[0].workers = shape->workers;
    for (uint32_t w = 0; w < shape->workers; w++) {
        struct chaselev_deque *q = &deque[w];
        q->words = shape->words;
        q->allocator = shape->allocator;
        atomic_store_explicit(&q->top, 0, memory_order_relaxed);
        atomic_store_explicit(&q->bottom, 0, memory_order_relaxed);
        atomic_store_explicit(&q->level, level, memory_order_relaxed);
        q->scratch = (uint64_t *)gws__memory_new(q->allocator, (uint64_t)2 * q->words, sizeof *q->scratch);
        if (!ring_new(q, level) || !q->scratch) return GWS_NO_MEMORY;
    }
    return GWS_OK;
}

static void chaselev_destroy(void *state)
{
    struct chaselev_deque *deque = (struct chaselev_deque *)state;
    for (uint32_t w = 0; w < deque[0].workers; w++) {
        struct chaselev_deque *q = &deque[w];
        for (uint32_t level = 0; level <= max_level; level++)
            gws__memory_free(q->allocator, q->ring[level], (uint64_t)q->words << level, sizeof(gws__word));
        gws__memory_free(q->allocator, q->scratch, (uint64_t)2 * q->words, sizeof *q->scratch);
    }
}

static bool grow(struct chaselev_deque *q, uint32_t level, uint64_t bottom)
{
    if (!ring_new(q, level + 1)) return false;
    for (uint64_t i = q->seen; i != bottom; i++) {
        const gws__word *from = slot_of(q, level, i);
        gws__word *to = slot_of(q, level + 1, i);
        for (uint32_t k = 0; k < q->words; k++)
            atomic_store_explicit(&to[k], atomic_load_explicit(&from[k], memory_order_relaxed), memory_order_relaxed);
    }
    /* release: pairs with the load of level in steal(). The thief thus sees the ring and its tasks. */
    atomic_store_explicit(&q->level, level + 1, memory_order_release);
    return true;
}

static bool has_space(const struct chaselev_deque *q, uint64_t bottom, uint32_t level)
{
    return (bottom - q->seen) >> level == 0;
}

static uint64_t *chaselev_reserve(void *state, uint32_t worker)
{
    struct chaselev_deque *q = (struct chaselev_deque *)state + worker;
    uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    uint32_t level = atomic_load_explicit(&q->level, memory_order_relaxed);
    if (has_space(q, bottom, level)) return q->scratch;
    /* acquire: pairs with the thief's compare-and-swap. The thief has thus read its slot before the owner fills it
     * again. */
    q->seen = atomic_load_explicit(&q->top, memory_order_acquire);
    return has_space(q, bottom, level) || grow(q, level, bottom) ? q->scratch : NULL;
}

static void chaselev_commit(void *state, uint32_t worker)
{
    struct chaselev_deque *q = (struct chaselev_deque *)state + worker;
    uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    uint32_t level = atomic_load_explicit(&q->level, memory_order_relaxed);
    gws__words_put(slot_of(q, level, bottom), q->scratch, q->words);
    /* release: pairs with the load of bottom in steal(). The thief thus sees the task and its maker's writes. */
    atomic_store_explicit(&q->bottom, bottom + 1, memory_order_release);
}

/* Empties the queue. The owner has read top. Thieves compete only for the task at top, if that is below end. The tasks
 * above it are the owner's. Returns the first index of the owner's tasks below end. */
static uint64_t empty_out(struct chaselev_deque *q, uint64_t top, uint64_t end)
{
    uint64_t expected = top, next = top < end ? top + 1 : end;
    /* seq_cst: as in claim(). A thief that sees the new top thus does not see bottom as it was before claim() lowered
     * it. */
    bool won = top < end && atomic_compare_exchange_strong_explicit(&q->top, &expected, next, memory_order_seq_cst,
                                                                    memory_order_relaxed);
    atomic_store_explicit(&q->bottom, next, memory_order_relaxed);
    /* acquire: pairs with the compare-and-swap of the winning thief, as in reserve(). */
    q->seen = won ? next : atomic_load_explicit(&q->top, memory_order_acquire);
    return won ? top : next;
}

/* Takes up to max of the tasks below end for the owner. Returns the first index of its tasks. */
static uint64_t claim(struct chaselev_deque *q, uint64_t end, uint32_t max)
{
    uint64_t begin = end - q->seen > max ? end - max : q->seen;
    /* seq_cst: both operations pair with steal()'s load of bottom and compare-and-swap of top (see the head of the
     * file). */
    atomic_store_explicit(&q->bottom, begin, memory_order_seq_cst);
    q->seen = atomic_load_explicit(&q->top, memory_order_seq_cst);
    return begin <= q->seen ? empty_out(q, q->seen, end) : begin;
}

/* Pops tasks. Thieves compete for a single task in any case. So the owner does not lower bottom first, which would
 * double the cost. */
static uint32_t chaselev_pop(void *state, uint32_t worker, uint32_t max, uint64_t *out)
{
    struct chaselev_deque *q = (struct chaselev_deque *)state + worker;
    uint64_t end = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    if (end == q->seen) return 0;
    uint64_t begin = end - q->seen == 1 ? empty_out(q, q->seen, end) : claim(q, end, max);
    uint32_t level = atomic_load_explicit(&q->level, memory_order_relaxed);
    for (uint64_t i = end; i-- > begin; out += q->words) gws__words_get(slot_of(q, level, i), out, q->words);
    return (uint32_t)(end - begin);
}

static enum gws_acquire chaselev_steal(void *state, const struct gws_steal_request *request, uint64_t *out,
                                       uint64_t *stolen)
{
    struct chaselev_deque *q = (struct chaselev_deque *)state + request->victim;
    uint64_t *copy = ((struct chaselev_deque *)state)[request->thief].scratch + q->words;
    /* seq_cst: pairs with other thieves' compare-and-swap and the load of top in claim() (see the head of the file). As
     * an acquire, it pairs with the owner's compare-and-swap in empty_out(). */
    uint64_t top = atomic_load_explicit(&q->top, memory_order_seq_cst);
    /* seq_cst: pairs with the store in claim(). As an acquire, it pairs with the release in commit(). */
    uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_seq_cst);
    if (top >= bottom) return GWS_ACQUIRE_EMPTY;
    /* acquire: pairs with the release in grow(). */
    uint32_t level = atomic_load_explicit(&q->level, memory_order_acquire);
    gws__words_get(slot_of(q, level, top), copy, q->words);
    /* seq_cst: pairs with the loads of top in claim() and above. As a release, it pairs with the acquire in reserve().
     */
    if (!atomic_compare_exchange_strong_explicit(&q->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed))
        return GWS_ACQUIRE_LOST;
    for (uint32_t i = 0; i < q->words; i++) out[i] = copy[i];
    *stolen = 1;
    return GWS_ACQUIRED;
}

static uint64_t chaselev_length(const void *state, uint32_t worker)
{
    const struct chaselev_deque *q = (const struct chaselev_deque *)state + worker;
    uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    uint64_t top = atomic_load_explicit(&q->top, memory_order_relaxed);
    return bottom > top ? bottom - top : 0;
}

const struct gws_task_queue gws__task_queue_chaselev = {
    0,
    sizeof(struct chaselev_deque),
    chaselev_init,
    chaselev_destroy,
    chaselev_reserve,
    chaselev_commit,
    chaselev_pop,
    chaselev_steal,
    chaselev_length,
    NULL,
    NULL,
    NULL,
};

/* SPDX-License-Identifier: MIT */
/* Growing deques of Chase and Lev (SPAA 2005): the owner adds and takes at the bottom, thieves take one task at the
 * top, in a ring that doubles when it is full. Orders after Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013), with
 * sequentially consistent operations where they have fences: as fast on x86, faster on ARM, and ThreadSanitizer
 * understands them.
 *
 * State: for each worker top and bottom; the tasks are those with index top .. bottom - 1, a task's slot is its index
 * modulo the ring's size. top only rises, so there is no ABA. level is the size's logarithm, and ring[level] the ring;
 * smaller rings are kept until strip(), since a thief may still read there. It finds the task it is after unchanged, or
 * loses its compare-and-swap.
 *
 * Who may take what. The owner claims tasks [begin, end) by lowering bottom to begin, and then reads top. A thief reads
 * top, then bottom, and then moves top from i to i + 1 by a compare-and-swap: that takes task i. All five are
 * sequentially consistent, so they stand in one order S, and there are three cases for a task i of the claim and t, the
 * top that the owner has read:
 * - i < t: top has passed i, so a compare-and-swap from i fails. The owner knows from t that the task is not its own.
 * - i = t: in dispute. The owner also takes it by a compare-and-swap only, and one of them wins.
 * - i > t: the owner takes it without one. No thief can: one that read i from top read it from another thief's
 *   compare-and-swap, which comes after the owner's load in S, since that load did not see it. The thief's load of top
 *   comes after that compare-and-swap, and its load of bottom comes later still: it sees the lowered bottom and finds
 *   the queue empty. (If it read i from the owner's compare-and-swap, it has acquired the lowered bottom.)
 * In C11 an acquire load of top suffices for i > t, because S agrees with happens-before there. In RC11 (Lahav et al.,
 * PLDI 2017) it does not: the owner and the second of two thieves could both take task i (tests/models/test_rc11.py).
 * All this holds for any number of tasks at once, as pop() takes them. */
#include <stdalign.h>

#include "../base/memory.h"
#include "task_container.h"
#include "task_words.h"

enum { most_level = 48 }; /* times 512 words times 8 bytes is less than 2^64 */

struct deque {
    alignas(128) _Atomic(uint64_t) top;    /* thieves move it, and the owner when it takes the last task */
    alignas(128) _Atomic(uint64_t) bottom; /* written by the owner only */
    uint64_t seen;                         /* the owner's: top was at least here */
    uint64_t *scratch; /* two tasks of the owner: the one it makes, the one it is trying to steal. Constant */
    alignas(128) _Atomic(uint32_t) level;
    uint32_t words, workers; /* constant from make() to strip(), as is the next */
    const struct gws_allocator *allocator;
    gws__word *ring[most_level + 1]; /* NULL or filled before its level is stored, constant from then on */
};

static gws__word *slot_of(const struct deque *q, uint32_t level, uint64_t index)
{
    return q->ring[level] + (index & (((uint64_t)1 << level) - 1)) * q->words;
}

static bool ring_new(struct deque *q, uint32_t level)
{
    if (level > most_level) return false;
    q->ring[level] = (gws__word *)gws__memory_new(q->allocator, (uint64_t)q->words << level, sizeof(gws__word));
    return q->ring[level] != NULL;
}

static gws_status chaselev_make(void *state, const struct gws_task_shape *shape)
{
    struct deque *deque = (struct deque *)state;
    uint32_t level = 0;
    while ((uint64_t)1 << level < shape->room && level < most_level) level++;
    deque[0].workers = shape->workers;
    for (uint32_t w = 0; w < shape->workers; w++) {
        struct deque *q = &deque[w];
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

static void chaselev_strip(void *state)
{
    struct deque *deque = (struct deque *)state;
    for (uint32_t w = 0; w < deque[0].workers; w++) {
        struct deque *q = &deque[w];
        for (uint32_t level = 0; level <= most_level; level++)
            gws__memory_free(q->allocator, q->ring[level], (uint64_t)q->words << level, sizeof(gws__word));
        gws__memory_free(q->allocator, q->scratch, (uint64_t)2 * q->words, sizeof *q->scratch);
    }
}

static bool grow(struct deque *q, uint32_t level, uint64_t bottom)
{
    if (!ring_new(q, level + 1)) return false;
    for (uint64_t i = q->seen; i != bottom; i++) {
        const gws__word *from = slot_of(q, level, i);
        gws__word *to = slot_of(q, level + 1, i);
        for (uint32_t k = 0; k < q->words; k++)
            atomic_store_explicit(&to[k], atomic_load_explicit(&from[k], memory_order_relaxed), memory_order_relaxed);
    }
    /* release: pairs with the load of level in steal(), so that the thief finds the ring and the tasks in it. */
    atomic_store_explicit(&q->level, level + 1, memory_order_release);
    return true;
}

static bool has_room(const struct deque *q, uint64_t bottom, uint32_t level)
{
    return (bottom - q->seen) >> level == 0;
}

static uint64_t *chaselev_place(void *state, uint32_t worker)
{
    struct deque *q = (struct deque *)state + worker;
    uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    uint32_t level = atomic_load_explicit(&q->level, memory_order_relaxed);
    if (has_room(q, bottom, level)) return q->scratch;
    /* acquire: pairs with the thief's compare-and-swap, so that it has read its slot before the owner fills it again.
     */
    q->seen = atomic_load_explicit(&q->top, memory_order_acquire);
    return has_room(q, bottom, level) || grow(q, level, bottom) ? q->scratch : NULL;
}

static void chaselev_publish(void *state, uint32_t worker)
{
    struct deque *q = (struct deque *)state + worker;
    uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    uint32_t level = atomic_load_explicit(&q->level, memory_order_relaxed);
    gws__words_put(slot_of(q, level, bottom), q->scratch, q->words);
    /* release: pairs with the load of bottom in steal(), so that the thief finds the task, and what its maker wrote. */
    atomic_store_explicit(&q->bottom, bottom + 1, memory_order_release);
}

/* The owner has read top, and only the task there, if it is below end, is in dispute; what lies above it is the
 * owner's. Returns from which index on the tasks below end are. The queue is empty then. */
static uint64_t empty_out(struct deque *q, uint64_t top, uint64_t end)
{
    uint64_t expected = top, next = top < end ? top + 1 : end;
    /* seq_cst: one more step of the Dekker pair above, so that who sees the new top does not see bottom as it was
     * before it was lowered. */
    bool won = top < end && atomic_compare_exchange_strong_explicit(&q->top, &expected, next, memory_order_seq_cst,
                                                                    memory_order_relaxed);
    atomic_store_explicit(&q->bottom, next, memory_order_relaxed);
    /* acquire: pairs with the compare-and-swap of the thief who won; why, place() says. */
    q->seen = won ? next : atomic_load_explicit(&q->top, memory_order_acquire);
    return won ? top : next;
}

/* The owner takes up to most of the tasks below end. Returns from which index on they are its own. */
static uint64_t claim(struct deque *q, uint64_t end, uint32_t most)
{
    uint64_t begin = end - q->seen > most ? end - most : q->seen;
    /* seq_cst, both: pair with steal()'s load of bottom and compare-and-swap of top; see the top. */
    atomic_store_explicit(&q->bottom, begin, memory_order_seq_cst);
    q->seen = atomic_load_explicit(&q->top, memory_order_seq_cst);
    return begin <= q->seen ? empty_out(q, q->seen, end) : begin;
}

/* A task that is alone is in dispute anyway, so it is not hidden first: that would cost as much again. */
static uint32_t chaselev_pop(void *state, uint32_t worker, uint32_t most, uint64_t *out)
{
    struct deque *q = (struct deque *)state + worker;
    uint64_t end = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    if (end == q->seen) return 0;
    uint64_t begin = end - q->seen == 1 ? empty_out(q, q->seen, end) : claim(q, end, most);
    uint32_t level = atomic_load_explicit(&q->level, memory_order_relaxed);
    for (uint64_t i = end; i-- > begin; out += q->words) gws__words_get(slot_of(q, level, i), out, q->words);
    return (uint32_t)(end - begin);
}

static enum gws_grab chaselev_steal(void *state, const struct gws_theft *theft, uint64_t *out, uint64_t *taken)
{
    struct deque *q = (struct deque *)state + theft->victim;
    uint64_t *loot = ((struct deque *)state)[theft->thief].scratch + q->words;
    /* seq_cst: pairs with other thieves' compare-and-swap and the load of top in claim(); see the top. As an acquire,
     * with the owner's compare-and-swap in empty_out(). */
    uint64_t top = atomic_load_explicit(&q->top, memory_order_seq_cst);
    /* seq_cst: pairs with the store in claim(); and, as an acquire, with the release in publish(). */
    uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_seq_cst);
    if (top >= bottom) return GWS_GRAB_EMPTY;
    /* acquire: pairs with the release in grow(). */
    uint32_t level = atomic_load_explicit(&q->level, memory_order_acquire);
    gws__words_get(slot_of(q, level, top), loot, q->words);
    /* seq_cst: pairs with the loads of top in claim() and above; as a release, with that in place(). */
    if (!atomic_compare_exchange_strong_explicit(&q->top, &top, top + 1, memory_order_seq_cst, memory_order_relaxed))
        return GWS_GRAB_LOST;
    for (uint32_t i = 0; i < q->words; i++) out[i] = loot[i];
    *taken = 1;
    return GWS_GRAB_TOOK;
}

static uint64_t chaselev_length(const void *state, uint32_t worker)
{
    const struct deque *q = (const struct deque *)state + worker;
    uint64_t bottom = atomic_load_explicit(&q->bottom, memory_order_relaxed);
    uint64_t top = atomic_load_explicit(&q->top, memory_order_relaxed);
    return bottom > top ? bottom - top : 0;
}

const struct gws_task_container gws__tasks_chaselev = {
    0,
    sizeof(struct deque),
    chaselev_make,
    chaselev_strip,
    chaselev_place,
    chaselev_publish,
    chaselev_pop,
    chaselev_steal,
    chaselev_length,
    NULL,
    NULL,
    NULL,
};

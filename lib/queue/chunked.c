/* SPDX-License-Identifier: MIT */
/* The chunked deques of Abdelmageed's thesis (section 3.4.1): one buffer, cut by index into a deque for each worker,
 * without copying. The owner pops a chunk from the head; thieves take a whole chunk from the tail.
 *
 * State: for each worker one word, head in its low half and tail in its high half, counted in chunks from the start of
 * its part of the loop. The thesis keeps two words, and its pop must then undo a move when both ends meet (its case 2);
 * with both ends in one word a single compare-and-swap decides every case. Within a loop head only rises and tail only
 * falls, so a word never comes back to an old value: there is no ABA and no tag is needed.
 *
 * Orders: relaxed throughout. Each CAS claims indexes only; the modification order of the one word makes the claims
 * disjoint, and what the indexes stand for was published before the loop began (container.h). */
#include <stdalign.h>
#include <stdatomic.h>

#include "container.h"

struct deque {
    alignas(128) _Atomic(uint64_t) ends; /* tail << 32 | head */
    struct gws_range part;               /* constant in a loop, as is chunk; its last chunk may be short */
    uint32_t chunk;
};

static uint64_t ends_of(uint64_t head, uint64_t tail)
{
    return tail << 32 | head;
}

static void deque_fill(struct deque *q, struct gws_range part, uint32_t chunk)
{
    q->part = part;
    q->chunk = chunk;
    atomic_store_explicit(&q->ends, ends_of(0, (part.end - part.begin + chunk - 1) / chunk), memory_order_relaxed);
}

static uint32_t chunked_fill(void *state, const struct gws_cut *cut)
{
    struct deque *deque = (struct deque *)state;
    for (uint32_t w = 0; w < cut->parts; w++) deque_fill(&deque[w], cut->part[w], cut->chunk);
    if (cut->parts) return cut->parts;

    uint64_t chunks = (cut->count + cut->chunk - 1) / cut->chunk;
    uint64_t each = chunks / cut->workers, longer = chunks % cut->workers, begin = 0;
    for (uint32_t w = 0; w < cut->workers; w++) {
        uint64_t end = begin + (each + (w < longer)) * cut->chunk;
        if (end > cut->count) end = cut->count;
        deque_fill(&deque[w], (struct gws_range){begin, end}, cut->chunk);
        begin = end;
    }
    return cut->workers;
}

static enum gws_grab took(const struct deque *q, uint64_t index, struct gws_range *out)
{
    uint64_t begin = q->part.begin + index * q->chunk, end = begin + q->chunk;
    *out = (struct gws_range){begin, end < q->part.end ? end : q->part.end};
    return GWS_GRAB_TOOK;
}

static enum gws_grab chunked_pop(void *state, uint32_t worker, struct gws_range *out)
{
    struct deque *q = (struct deque *)state + worker;
    uint64_t ends = atomic_load_explicit(&q->ends, memory_order_relaxed);
    for (;;) {
        uint64_t head = (uint32_t)ends, tail = ends >> 32;
        if (head >= tail) return GWS_GRAB_EMPTY;
        /* Fails only when a thief took a chunk meanwhile, so at most once for each chunk that is left. */
        if (atomic_compare_exchange_weak_explicit(&q->ends, &ends, ends_of(head + 1, tail), memory_order_relaxed,
                                                  memory_order_relaxed))
            return took(q, head, out);
    }
}

/* A lost race is reported, not retried: the caller chooses the next victim. */
static enum gws_grab chunked_steal(void *state, uint32_t victim, struct gws_range *out)
{
    struct deque *q = (struct deque *)state + victim;
    uint64_t ends = atomic_load_explicit(&q->ends, memory_order_relaxed);
    uint64_t head = (uint32_t)ends, tail = ends >> 32;
    if (head >= tail) return GWS_GRAB_EMPTY;
    if (!atomic_compare_exchange_strong_explicit(&q->ends, &ends, ends_of(head, tail - 1), memory_order_relaxed,
                                                 memory_order_relaxed))
        return GWS_GRAB_LOST;
    return took(q, tail - 1, out);
}

const struct gws_container gws__container_chunked = {false,        0,           sizeof(struct deque),
                                                     chunked_fill, chunked_pop, chunked_steal};

/* SPDX-License-Identifier: MIT */
/* The chunked deques of Abdelmageed's thesis (section 3.4.1): one buffer, divided by index into a deque for each
 * worker, without copying. The owner pops a chunk at the head. Thieves take a whole chunk at the tail.
 *
 * State: each worker has one word, with head in its low half and tail in its high half. Both count chunks from the
 * start of the worker's part of the loop. The thesis uses two words, so its pop must undo a move when both ends meet
 * (its case 2). With both ends in one word, a single compare-and-swap decides every case. Within a loop, head only
 * rises and tail only falls. A word thus never returns to an old value, and needs no tag against ABA.
 *
 * Orders: relaxed throughout. Each compare-and-swap claims indexes only. The modification order of the one word makes
 * the claims disjoint. The begin of the loop has published the indexes' data (work_queue.h). */
#include <stdalign.h>
#include <stdatomic.h>

#include "work_queue.h"

struct chunked_deque {
    alignas(128) _Atomic(uint64_t) ends; /* tail << 32 | head */
    struct gws_range part;               /* constant in a loop, as is chunk; the last chunk of a part may be short */
    uint32_t chunk;
};

static uint64_t ends_of(uint64_t head, uint64_t tail)
{
    return tail << 32 | head;
}

static void deque_fill(struct chunked_deque *q, struct gws_range part, uint32_t chunk)
{
    q->part = part;
    q->chunk = chunk;
    atomic_store_explicit(&q->ends, ends_of(0, (part.end - part.begin + chunk - 1) / chunk), memory_order_relaxed);
}

static uint32_t chunked_fill(void *state, const struct gws_loop_partition *partition)
{
    struct chunked_deque *deque = (struct chunked_deque *)state;
    for (uint32_t w = 0; w < partition->parts; w++) deque_fill(&deque[w], partition->part[w], partition->chunk);
    if (partition->parts) return partition->parts;

    uint64_t chunks = (partition->count + partition->chunk - 1) / partition->chunk;
    uint64_t each = chunks / partition->workers, longer = chunks % partition->workers, begin = 0;
    for (uint32_t w = 0; w < partition->workers; w++) {
        uint64_t end = begin + (each + (w < longer)) * partition->chunk;
        if (end > partition->count) end = partition->count;
        deque_fill(&deque[w], (struct gws_range){begin, end}, partition->chunk);
        begin = end;
    }
    return partition->workers;
}

static enum gws_acquire acquired(const struct chunked_deque *q, uint64_t index, struct gws_range *out)
{
    uint64_t begin = q->part.begin + index * q->chunk, end = begin + q->chunk;
    *out = (struct gws_range){begin, end < q->part.end ? end : q->part.end};
    return GWS_ACQUIRED;
}

static enum gws_acquire chunked_pop(void *state, uint32_t worker, struct gws_range *out)
{
    struct chunked_deque *q = (struct chunked_deque *)state + worker;
    uint64_t ends = atomic_load_explicit(&q->ends, memory_order_relaxed);
    for (;;) {
        uint64_t head = (uint32_t)ends, tail = ends >> 32;
        if (head >= tail) return GWS_ACQUIRE_EMPTY;
        /* The compare-and-swap fails only if a thief took a chunk in the meantime. It thus fails at most once for each
         * remaining chunk. */
        if (atomic_compare_exchange_weak_explicit(&q->ends, &ends, ends_of(head + 1, tail), memory_order_relaxed,
                                                  memory_order_relaxed))
            return acquired(q, head, out);
    }
}

/* Steals a chunk. Reports a lost race without a retry, because the caller selects the next victim. */
static enum gws_acquire chunked_steal(void *state, uint32_t victim, struct gws_range *out)
{
    struct chunked_deque *q = (struct chunked_deque *)state + victim;
    uint64_t ends = atomic_load_explicit(&q->ends, memory_order_relaxed);
    uint64_t head = (uint32_t)ends, tail = ends >> 32;
    if (head >= tail) return GWS_ACQUIRE_EMPTY;
    if (!atomic_compare_exchange_strong_explicit(&q->ends, &ends, ends_of(head, tail - 1), memory_order_relaxed,
                                                 memory_order_relaxed))
        return GWS_ACQUIRE_LOST;
    return acquired(q, tail - 1, out);
}

const struct gws_work_queue gws__work_queue_chunked = {false,        0,           sizeof(struct chunked_deque),
                                                       chunked_fill, chunked_pop, chunked_steal};

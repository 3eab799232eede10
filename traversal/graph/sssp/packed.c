/* SPDX-License-Identifier: MIT */
/* Integer distances whose words also hold the parent: distance << parent_bits | parent. One compare-and-swap writes
 * distance and parent. The word of an unreached vertex is all ones. */
#include "one_process.h"

static inline uint64_t distance_at(const struct sssp *search, uint64_t vertex)
{
    return atomic_load_explicit(&search->word[vertex], memory_order_relaxed) >> search->parent_bits;
}

static inline uint64_t plus(const struct sssp *search, struct gws__sssp_worker *me, uint64_t distance, uint64_t arc)
{
    if (!search->graph->weight) return distance + 1;
    int32_t weight = search->graph->weight[arc];
    me->bad_weight |= weight < 0;
    return distance + (uint32_t)weight;
}

static inline void prefetch_weight(const struct gws_graph *graph, uint64_t arc)
{
    if (graph->weight) __builtin_prefetch(&graph->weight[arc]);
}

static inline uint64_t bucket_of(const struct sssp *search, uint64_t distance)
{
    return distance >> search->shift;
}

static inline uint32_t tag_of(uint64_t distance)
{
    return (uint32_t)distance;
}

/* True if a distance 2^32 larger might look like that of an unreached vertex. */
static inline bool too_far(const struct sssp *search, uint64_t distance)
{
    return distance + UINT32_MAX >= UINT64_MAX >> search->parent_bits;
}

/* relaxed: a word is complete in itself. A barrier orders rounds. */
static inline bool improve(struct sssp *search, const struct gws__sssp_worker *me, uint32_t vertex, uint64_t distance,
                           uint32_t from)
{
    (void)me;
    uint64_t word = atomic_load_explicit(&search->word[vertex], memory_order_relaxed);
    while (distance < word >> search->parent_bits)
        if (atomic_compare_exchange_weak_explicit(&search->word[vertex], &word, distance << search->parent_bits | from,
                                                  memory_order_relaxed, memory_order_relaxed))
            return true;
    return false;
}

static inline bool write_result(const struct sssp *search, uint64_t vertex, uint64_t *distance)
{
    uint64_t word = atomic_load_explicit(&search->word[vertex], memory_order_relaxed);
    *distance = word == UINT64_MAX ? GWS_NO_DISTANCE : word >> search->parent_bits;
    uint64_t parent = word & (((uint64_t)1 << search->parent_bits) - 1);
    search->parent[vertex] = word == UINT64_MAX ? GWS_NO_VERTEX : (uint32_t)parent;
    return word != UINT64_MAX;
}

#include "relax_body.h"

static void fill(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct sssp *search = context;
    for (uint64_t v = begin; v < end; v++) atomic_store_explicit(&search->word[v], UINT64_MAX, memory_order_relaxed);
}

static void start(struct sssp *search)
{
    atomic_store_explicit(&search->word[search->source], search->source, memory_order_relaxed);
}

const struct gws__sssp_loops gws__sssp_packed = {fill, start, by_blocks, by_segments, fuse, nearer, finish};

/* SPDX-License-Identifier: MIT */
/* Parents by a loop over the arcs of this rank's rows, after the search, for one kind of weights. The source that
 * includes this header must define first: NO_PATH, plus(), vertex_at(), distance_at(), and
 *
 *     bool has_distance(search, vertex)              this rank can read the vertex's distance and write its parent
 *     _Atomic uint32_t *parent_of(search, vertex)
 */
#include "sssp_state.h"

/* relaxed: a barrier orders the loops. */
static void offer_parent(const struct sssp *search, uint32_t vertex, uint32_t parent)
{
    uint32_t old = atomic_load_explicit(parent_of(search, vertex), memory_order_relaxed);
    while (parent < old && !atomic_compare_exchange_weak_explicit(parent_of(search, vertex), &old, parent,
                                                                  memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* Looks for the last arcs of shortest paths. The arc of such a path leaves its row; in an undirected graph (pulls) the
 * row may as well take the first of its neighbours, in ascending order. */
static inline void find_parents(struct sssp *search, uint32_t worker, uint64_t begin, uint64_t end, bool pulls)
{
    const struct gws_graph *graph = search->graph;
    struct gws__sssp_worker *me = gws__sssp_worker_of(search, worker);
    for (uint64_t row = begin; row < end; row++) {
        const uint64_t distance = distance_at(search, row);
        for (uint64_t arc = graph->offset[row]; distance != NO_PATH && arc < graph->offset[row + 1]; arc++) {
            const uint32_t other = vertex_at(search, arc);
            /* another rank's path is better */
            if (pulls &&
                graph->target[arc] >= atomic_load_explicit(parent_of(search, (uint32_t)row), memory_order_relaxed))
                break;
            if (!has_distance(search, other)) continue;
            const uint64_t there = distance_at(search, other);
            const uint64_t nearer = pulls ? there : distance, farther = pulls ? distance : there;
            if (nearer >= farther || plus(search, me, nearer, arc) != farther) continue;
            offer_parent(search, pulls ? (uint32_t)row : other,
                         pulls ? graph->target[arc] : (uint32_t)(search->first + row));
            if (pulls) break;
        }
    }
}

static void parents(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    find_parents(context, worker, begin, end, false);
}

static void pull_parents(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    find_parents(context, worker, begin, end, true);
}

static bool is_level(struct sssp *search, uint64_t distance, uint64_t arc)
{
    return plus(search, search->scratch->worker, distance, arc) == distance;
}

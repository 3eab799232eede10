/* SPDX-License-Identifier: MIT */
/* The loops of a search for shortest paths among ranks, for one kind of weights. The source that includes this header
 * must define NO_PATH, plus(), bucket_of() and prefetch_weight() first (see ../sssp/relax_body.h).
 *
 * A path to another rank's vertex goes into the outbox. */
#include "sssp_vertices.h"

/* relaxed, as all atomic operations here: a word is complete in itself, and a barrier orders the loops. */
static inline uint64_t distance_at(const struct sssp *search, uint64_t vertex)
{
    return atomic_load_explicit(&search->word[vertex], memory_order_relaxed);
}

static inline bool too_far(const struct sssp *search, uint64_t distance)
{
    (void)search;
    (void)distance;
    return false;
}

static inline uint32_t number_of(const struct sssp *search, const struct gws__sssp_worker *me)
{
    return (uint32_t)(me - search->scratch->worker);
}

static inline void prefetch_vertex(const struct sssp *search, const struct gws__sssp_worker *me, uint32_t vertex)
{
    if (vertex < search->graph->vertices)
        __builtin_prefetch((const void *)&search->word[vertex]);
    else
        gws__outbox_prefetch_path(search->outbox, number_of(search, me), (uint32_t)(search->first + vertex));
}

#define LIMITS_ARCS /* by the space of the outbox */

static inline bool may_relax(const struct sssp *search, const struct gws__sssp_worker *me, uint64_t arcs, bool divided)
{
    struct gws__outbox *outbox = search->outbox;
    const uint32_t worker = number_of(search, me);
    if (!gws__outbox_reserve(outbox, worker, me->claims + arcs)) return false;
    if (divided) outbox->worker[worker].reserved -= arcs; /* whoever relaxes them */
    return true;
}

static inline _Atomic uint32_t *parent_of(const struct sssp *search, uint64_t row)
{
    return (_Atomic uint32_t *)&search->parent[row];
}

/* A lower distance forgets the parent, which was of a longer path. */
static inline bool improve(struct sssp *search, const struct gws__sssp_worker *me, uint32_t vertex, uint64_t distance,
                           uint32_t from)
{
    if (vertex >= search->graph->vertices) {
        const bool is_nearer = distance_at(search, from) < distance;
        const struct gws__path path = {(uint32_t)(search->first + vertex),
                                       is_nearer ? (uint32_t)(search->first + from) : GWS_NO_VERTEX, distance};
        if (distance != NO_PATH) gws__outbox_add_path(search->outbox, number_of(search, me), path);
        return false;
    }
    uint64_t word = distance_at(search, vertex);
    while (distance < word)
        if (atomic_compare_exchange_weak_explicit(&search->word[vertex], &word, distance, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            atomic_store_explicit(parent_of(search, vertex), GWS_NO_VERTEX, memory_order_relaxed);
            return true;
        }
    return false;
}

static inline bool write_result(const struct sssp *search, uint64_t vertex, const uint64_t *distance)
{
    (void)search;
    (void)vertex;
    return *distance != NO_PATH;
}

#include "../sssp/relax_body.h"

static void fill(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct sssp *search = context;
    for (uint64_t row = begin; row < end; row++) {
        atomic_store_explicit(&search->word[row], NO_PATH, memory_order_relaxed);
        atomic_store_explicit(parent_of(search, row), GWS_NO_VERTEX, memory_order_relaxed);
    }
}

/* source: a row of this rank. */
static void start(struct sssp *search)
{
    atomic_store_explicit(&search->word[search->source], 0, memory_order_relaxed);
}

/* The calling thread alone. The entries go to all workers. */
static void receive(void *context, uint32_t rank, const void *data, uint64_t items)
{
    enum { together = 64, ahead = 16 };
    struct sssp *search = context;
    const struct gws__path *path = data;
    for (uint64_t i = 0; i < items; i++) {
        const uint32_t row = (uint32_t)(path[i].vertex - search->first);
        const uint64_t old = distance_at(search, row), distance = path[i].length;
        if (i + ahead < items)
            __builtin_prefetch((const void *)&search->word[(uint32_t)(path[i + ahead].vertex - search->first)]);
        if (distance == old && path[i].parent < search->parent[row]) search->parent[row] = path[i].parent;
        if (distance >= old) continue;
        struct gws__sssp_worker *worker =
            gws__sssp_worker_of(search, (uint32_t)((i / together + rank) % search->workers));
        atomic_store_explicit(&search->word[row], distance, memory_order_relaxed);
        search->parent[row] = path[i].parent;
        gws__sssp_add(search, worker, bucket_of(search, distance), (struct gws__sssp_entry){row, tag_of(distance)});
    }
}

static inline bool has_distance(const struct sssp *search, uint32_t vertex)
{
    return vertex < search->graph->vertices;
}

#include "sssp_parents.h"

#define LOOPS                                                                                                          \
    {                                                                                                                  \
        .rounds = {fill, start, by_blocks, by_segments, fuse, nearer, finish}, .parents = parents,                     \
        .pull_parents = pull_parents, .receive = receive, .is_level = is_level, .no_path = NO_PATH                     \
    }

/* SPDX-License-Identifier: MIT */
/* The loops of a search for shortest paths among ranks that share memory, for one kind of weights. The source that
 * includes this header must define UNREACHED (a word), NO_PATH (a distance of a result), plus(), bucket_of() and
 * prefetch_weight() first (see ../sssp/relax_body.h).
 *
 * State encoding. The shared memory has a word for each vertex of the graph: distance << (parent_bits + 1) |
 * parent << 1 | foreign. All ranks lower words by compare-and-swap. Of paths of one length that with the smaller parent
 * stays; all ones as a parent are none that is nearer to the source. Without space for the parent parent_bits is 0, and
 * a loop finds the parents at the end. A rank that lowers the distance of another rank's vertex sets `foreign`, and
 * marks the vertex for its owner, which adds it to a bucket after the round. A rank that lowers the distance of its own
 * vertex clears `foreign`, because it adds the vertex itself: so each distance is added once.
 *
 * All atomic operations are relaxed: a word is complete in itself, and barriers order the rounds.
 */
#include "sssp_vertices.h"

static inline _Atomic uint64_t *word_of(const struct sssp *search, uint64_t vertex)
{
    return &search->all[(uint32_t)(search->first + vertex)];
}

static inline uint64_t distance_at(const struct sssp *search, uint64_t vertex)
{
    return atomic_load_explicit(word_of(search, vertex), memory_order_relaxed) >> (search->parent_bits + 1);
}

/* True if a distance 2^32 larger might look like that of an unreached vertex. */
static inline bool too_far(const struct sssp *search, uint64_t distance)
{
    return distance + UINT32_MAX >= UINT64_MAX >> (search->parent_bits + 1);
}

static inline void prefetch_vertex(const struct sssp *search, const struct gws__sssp_worker *me, uint32_t vertex)
{
    (void)me;
    __builtin_prefetch((const void *)word_of(search, vertex));
}

/* Marks another rank's vertex. */
static inline void mark(const struct sssp *search, uint32_t vertex)
{
    const uint64_t place = vertex / 64, bit = UINT64_C(1) << vertex % 64;
    if (atomic_load_explicit(&search->mark[place], memory_order_relaxed) & bit) return;
    if (atomic_fetch_or_explicit(&search->mark[place], bit, memory_order_relaxed) == 0)
        atomic_fetch_or_explicit(&search->mark_of_64[place / 64], UINT64_C(1) << place % 64, memory_order_relaxed);
}

/* Returns whether the caller must add the vertex to a bucket. */
static inline bool improve(struct sssp *search, const struct gws__sssp_worker *me, uint32_t vertex, uint64_t distance,
                           uint32_t from)
{
    const uint32_t bits = search->parent_bits;
    _Atomic uint64_t *at = word_of(search, vertex);
    uint64_t word = atomic_load_explicit(at, memory_order_relaxed);
    (void)me;
    if (distance > word >> (bits + 1)) return false;
    const uint64_t none = (UINT64_C(1) << bits) - 1;
    const bool has_parent = bits > 0 && distance_at(search, from) < distance, is_own = vertex < search->graph->vertices;
    const uint64_t path = distance << bits | (has_parent ? (uint32_t)(search->first + from) : none);
    while (path < word >> 1) {
        const bool is_shorter = distance < word >> (bits + 1);
        if (!atomic_compare_exchange_weak_explicit(at, &word, path << 1 | (is_shorter ? !is_own : word & 1),
                                                   memory_order_relaxed, memory_order_relaxed))
            continue;
        if (is_shorter && !is_own) mark(search, (uint32_t)(search->first + vertex));
        return is_shorter && is_own;
    }
    return false;
}

static inline _Atomic uint32_t *parent_of(const struct sssp *search, uint32_t vertex)
{
    return &search->all_parents[(uint32_t)(search->first + vertex)];
}

static inline bool has_distance(const struct sssp *search, uint32_t vertex)
{
    (void)search;
    (void)vertex;
    return true;
}

static inline bool write_result(const struct sssp *search, uint64_t row, uint64_t *distance)
{
    const uint64_t word = atomic_load_explicit(word_of(search, row), memory_order_relaxed);
    const uint64_t none = (UINT64_C(1) << search->parent_bits) - 1, parent = word >> 1 & none;
    *distance = word == UNREACHED ? NO_PATH : word >> (search->parent_bits + 1);
    if (search->all_parents)
        search->parent[row] = atomic_load_explicit(parent_of(search, (uint32_t)row), memory_order_relaxed);
    else
        search->parent[row] = parent == none ? GWS_NO_VERTEX : (uint32_t)parent;
    return word != UNREACHED;
}

#include "../sssp/relax_body.h"

static void fill(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct sssp *search = context;
    (void)worker;
    for (uint64_t row = begin; row < end; row++) {
        atomic_store_explicit(word_of(search, row), UNREACHED, memory_order_relaxed);
        if (search->all_parents)
            atomic_store_explicit(parent_of(search, (uint32_t)row), GWS_NO_VERTEX, memory_order_relaxed);
    }
}

/* source: a row of this rank. */
static void start(struct sssp *search)
{
    const uint64_t parent = search->parent_bits > 0 ? search->first + search->source : 0;
    atomic_store_explicit(word_of(search, search->source), parent << 1, memory_order_relaxed);
}

/* Adds the marked rows to buckets, and removes the marks. The calling thread alone, while no rank relaxes arcs. The
 * entries go to all workers. Returns their number. */
static uint64_t take(struct sssp *search)
{
    enum { together = 64 };
    uint64_t taken = 0;
    for (uint64_t i = search->first / 4096; i * 4096 < search->first + search->graph->vertices; i++)
        for (uint64_t words = gws__rank_sssp_take_words(search, i); words; words &= words - 1) {
            const uint64_t place = i * 64 + (uint64_t)__builtin_ctzll(words);
            uint64_t bits = atomic_exchange_explicit(&search->mark[place], 0, memory_order_relaxed);
            for (; bits; bits &= bits - 1) {
                const uint32_t row = (uint32_t)(place * 64 + (uint64_t)__builtin_ctzll(bits) - search->first);
                if (!(atomic_load_explicit(word_of(search, row), memory_order_relaxed) & 1)) continue;
                const uint64_t distance = distance_at(search, row);
                struct gws__sssp_worker *worker =
                    gws__sssp_worker_of(search, (uint32_t)(taken++ / together % search->workers));
                gws__sssp_add(search, worker, bucket_of(search, distance),
                              (struct gws__sssp_entry){row, tag_of(distance)});
            }
        }
    return taken;
}

#include "sssp_parents.h"

#define LOOPS                                                                                                          \
    {                                                                                                                  \
        .rounds = {fill, start, by_blocks, by_segments, fuse, nearer, finish}, .parents = parents,                     \
        .pull_parents = pull_parents, .take = take, .is_level = is_level, .no_path = NO_PATH                           \
    }

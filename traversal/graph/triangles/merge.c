/* SPDX-License-Identifier: MIT */
/* Counts the triangles of graphs with short rows by merging the unchanged rows. For each vertex u and each neighbour v
 * < u, a worker counts the common neighbours below v. So the count finds each triangle once, at its largest vertex. */
#include "oriented.h"

enum { longest = gws__triangles_short };

struct merging {
    const uint64_t *offset; /* arrays of the graph: offset and target */
    const uint32_t *target;
    _Atomic uint64_t *count; /* may be NULL */
    _Atomic uint64_t triangles, wedges;
    atomic_bool has_long_row; /* true if a row is too long and the counts are incomplete */
};

/* relaxed: the caller reads the sums after the loop's barrier. */
static void add(_Atomic uint64_t *sum, uint64_t more)
{
    atomic_fetch_add_explicit(sum, more, memory_order_relaxed);
}

/* Returns the number of common neighbours below v of v and another vertex. low[0 .. lows - 1] are the neighbours of
 * that vertex below v, in ascending order. */
static inline uint64_t meet(const struct merging *merging, const uint32_t *low, uint32_t lows, uint32_t v)
{
    const uint32_t *at = merging->target + merging->offset[v];
    const uint32_t *end = merging->target + merging->offset[v + (uint64_t)1];
    uint64_t found = 0;
    for (uint32_t i = 0; i < lows; i++) {
        while (at < end && *at < low[i]) at++;
        if (at == end) break;
        if (*at != low[i]) continue;
        found++;
        if (merging->count) add(&merging->count[low[i]], 1);
    }
    if (merging->count && found) add(&merging->count[v], found);
    return found;
}

/* Returns the number of triangles in which u is the largest vertex. Adds the wedges at u. */
static inline uint64_t merge_row(const struct merging *merging, uint32_t u, const uint32_t *row, uint32_t length,
                                 uint64_t *wedges)
{
    uint32_t low[longest + 1], lows = 0, neighbours = 0, last = u;
    uint64_t found = 0;
    for (uint32_t i = 0; i < length; i++) { /* without branches, which would be unpredictable */
        uint32_t counts = (uint32_t)(row[i] != u) & (uint32_t)(row[i] != last);
        last = row[i];
        neighbours += counts;
        low[lows] = row[i];
        lows += counts & (uint32_t)(row[i] < u);
    }
    *wedges += (uint64_t)neighbours * (neighbours - (neighbours > 0)) / 2;
    for (uint32_t i = 1; i < lows;
         i++) /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the first `lows` are set */
        found += meet(merging, low, i, low[i]);
    if (merging->count && found) add(&merging->count[u], found);
    return found;
}

static void merge_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct merging *merging = context;
    uint64_t triangles = 0, wedges = 0;
    (void)worker;
    /* relaxed: the flag is a hint here; the last read follows the loop's barrier. */
    if (atomic_load_explicit(&merging->has_long_row, memory_order_relaxed)) return;
    for (uint64_t u = begin; u < end; u++) {
        uint64_t at = merging->offset[u], length = merging->offset[u + 1] - at;
        if (length > longest) {
            atomic_store_explicit(&merging->has_long_row, true, memory_order_relaxed);
            return;
        }
        triangles += merge_row(merging, (uint32_t)u, merging->target + at, (uint32_t)length, &wedges);
    }
    add(&merging->triangles, triangles);
    add(&merging->wedges, wedges);
}

bool gws__triangles_merge(struct gws_runtime *runtime, const struct gws_graph *graph, _Atomic uint64_t *count,
                          uint64_t *triangles, uint64_t *wedges)
{
    struct merging merging = {.offset = graph->offset, .target = graph->target, .count = count};
    const struct gws_loop loop = {.count = graph->vertices, .grain = 1 << 12, .body = merge_rows, .context = &merging};
    bool whole = gws_parallel_try(runtime, &loop) == GWS_OK; /* if the call is cancelled, the other method reports it */
    *triangles = merging.triangles;
    *wedges = merging.wedges;
    return whole && !merging.has_long_row;
}

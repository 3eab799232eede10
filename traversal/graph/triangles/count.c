/* SPDX-License-Identifier: MIT */
/* Counts the triangles of an oriented graph. For each vertex u a bitmap marks the targets of u. For each arc (u, v)
 * the worker counts the marked targets of v. A task is a range of arcs, so workers share long rows. Each range marks
 * its rows again.
 *
 * For the triangles of each vertex, u and v get the count of the arc. Bit-sliced counters count the third vertices in
 * a hub's bitmap. Bit i of plane k is bit k of the counter of target i. The worker adds the marked bits of each hub's
 * bitmap to the planes with carries. At the end of u's row the worker adds the counters to the vertices. */
#include <string.h>

#include "oriented.h"

enum {
    planes = 8,
    full = (1 << planes) - 1, /* max number of additions before the counters overflow */
    chunk = 2048,             /* arcs of a task */
    ahead_row = 8,            /* prefetch distance of a row's position, in arcs */
    ahead_data = 4,           /* prefetch distance of the row's data */
    plane_words = gws__triangles_hubs / 64 * planes,
};

struct counting {
    const struct gws__oriented *oriented;
    _Atomic uint64_t *count; /* indexed by rank; may be NULL */
    uint64_t *scratch;       /* mark and planes of all workers */
    uint64_t mark_words, scratch_words;
    uint64_t (*count_arcs)(const struct counting *counting, uint64_t *mark, uint64_t begin, uint64_t end);
    _Atomic uint64_t triangles;
};

/* relaxed: the caller reads the sums after the loop's barrier. */
static void add(_Atomic uint64_t *sum, uint64_t more)
{
    atomic_fetch_add_explicit(sum, more, memory_order_relaxed);
}

/* ---- one arc ---- */

static inline uint64_t meet_bits(const uint64_t *mark, const uint64_t *bits, uint32_t words)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < words; i++) found += (uint64_t)__builtin_popcountll(mark[i] & bits[i]);
    return found;
}

/* Counts as meet_bits(), and adds the common bits to the counters. */
static inline uint64_t meet_bits_adding(const uint64_t *mark, const uint64_t *bits, uint32_t words, uint64_t *plane)
{
    enum { width = gws__triangles_vector };
    uint64_t found = 0;
    for (uint32_t at = 0; at < words; at += width, plane += planes * width) {
        uint64_t carry[width], any = 0;
        for (int i = 0; i < width; i++) any |= carry[i] = mark[at + i] & bits[at + i];
        if (!any) continue;
        for (int i = 0; i < width; i++) found += (uint64_t)__builtin_popcountll(carry[i]);
        for (uint64_t *digit = plane; any; digit += width) {
            any = 0;
            for (int i = 0; i < width; i++) {
                uint64_t before = digit[i];
                digit[i] = before ^ carry[i];
                any |= carry[i] &= before;
            }
        }
    }
    return found;
}

static inline uint64_t meet_list(const struct counting *counting, const uint64_t *mark, uint64_t begin, uint64_t end)
{
    const uint32_t *target = counting->oriented->target;
    uint64_t found = 0;
    for (uint64_t a = begin; a < end; a++) {
        uint64_t hit = mark[target[a] / 64] >> target[a] % 64 & 1;
        found += hit;
        if (counting->count && hit) add(&counting->count[target[a]], 1);
    }
    return found;
}

static inline uint64_t meet(const struct counting *counting, const uint64_t *mark, uint64_t *plane, uint32_t v)
{
    const struct gws__oriented *oriented = counting->oriented;
    uint64_t begin = oriented->offset[v], end = oriented->offset[v + (uint64_t)1], found = 0;
    if (v < oriented->hubs && oriented->hub[v].vectors) {
        const struct gws__triangles_hub *hub = &oriented->hub[v];
        const uint64_t *bits = oriented->bits + hub->word;
        uint32_t words = hub->vectors * gws__triangles_vector;
        found = plane ? meet_bits_adding(mark, bits, words, plane) : meet_bits(mark, bits, words);
        begin += hub->covered;
    }
    return found + meet_list(counting, mark, begin, end);
}

/* ---- the rows of a range of arcs ---- */

/* Adds the counters of a row's targets to the counts of the vertices and clears the counters. A target's counter has a
 * word in each plane. */
static void add_up(const struct counting *counting, const uint32_t *row, uint64_t length, uint64_t *plane)
{
    enum { width = gws__triangles_vector };
    for (int clear = 0; clear <= 1; clear++)
        for (uint64_t i = 0; i < length; i++) {
            uint32_t to = row[i], sum = 0;
            if (to >= gws__triangles_hubs) continue;
            uint64_t *digit = plane + to / gws__triangles_vector_bits * (planes * width) + to / 64 % width;
            for (int k = 0; k < planes; k++) {
                sum |= (uint32_t)(digit[k * width] >> to % 64 & 1) << k;
                if (clear) digit[k * width] = 0;
            }
            if (!clear && sum) add(&counting->count[to], sum);
        }
}

static inline void fetch_ahead(const struct gws__oriented *oriented, uint64_t arc)
{
    uint32_t far = oriented->target[arc + ahead_row], near = oriented->target[arc + ahead_data];
    __builtin_prefetch(&oriented->offset[far]);
    if (far < oriented->hubs) __builtin_prefetch(&oriented->hub[far]);
    if (near < oriented->hubs) __builtin_prefetch(&oriented->bits[oriented->hub[near].word]);
    __builtin_prefetch(&oriented->target[oriented->offset[near]]);
}

/* Counts triangles over arcs begin .. end - 1 of the row of u. */
__attribute__((always_inline)) static inline uint64_t
count_row(const struct counting *counting, uint64_t *mark, uint64_t *plane, uint32_t u, uint64_t begin, uint64_t end)
{
    const struct gws__oriented *oriented = counting->oriented;
    const uint32_t *row = oriented->target + oriented->offset[u];
    uint64_t length = oriented->offset[u + (uint64_t)1] - oriented->offset[u], total = 0,
             arcs = oriented->offset[oriented->graph->vertices];
    if (length < 2) return 0;
    for (uint64_t i = 0; i < length; i++) mark[row[i] / 64] |= UINT64_C(1) << row[i] % 64;
    for (uint64_t a = begin; a < end; a++) {
        if (a + ahead_row < arcs) fetch_ahead(oriented, a);
        uint32_t v = oriented->target[a];
        uint64_t found = meet(counting, mark, plane, v);
        total += found;
        if (!plane) continue;
        if (found) add(&counting->count[v], found);
        if ((a - begin) % full == full - 1) add_up(counting, row, length, plane);
    }
    if (plane) add_up(counting, row, length, plane);
    if (plane && total) add(&counting->count[u], total);
    for (uint64_t i = 0; i < length; i++) mark[row[i] / 64] = 0;
    return total;
}

__attribute__((always_inline)) static inline uint64_t count_arcs(const struct counting *counting, uint64_t *mark,
                                                                 uint64_t begin, uint64_t end)
{
    uint64_t total = 0;
    const uint64_t vertices = counting->oriented->graph->vertices;
    for (uint32_t u = (uint32_t)gws_bounds_find(counting->oriented->offset, 1, vertices, begin); begin < end; u++) {
        uint64_t row_end = counting->oriented->offset[u + (uint64_t)1], stop = row_end < end ? row_end : end;
        total += counting->count ? count_row(counting, mark, mark + counting->mark_words, u, begin, stop)
                                 : count_row(counting, mark, NULL, u, begin, stop);
        begin = stop;
    }
    return total;
}

/* ---- for each kind of processor ---- */

static uint64_t count_plain(const struct counting *counting, uint64_t *mark, uint64_t begin, uint64_t end)
{
    return count_arcs(counting, mark, begin, end);
}

#if defined __x86_64__
__attribute__((target("popcnt,avx2"))) static uint64_t count_avx2(const struct counting *counting, uint64_t *mark,
                                                                  uint64_t begin, uint64_t end)
{
    return count_arcs(counting, mark, begin, end);
}

__attribute__((target("popcnt,avx512f,avx512vl,avx512vpopcntdq"))) static uint64_t
count_avx512(const struct counting *counting, uint64_t *mark, uint64_t begin, uint64_t end)
{
    return count_arcs(counting, mark, begin, end);
}

static void choose(struct counting *counting)
{
    counting->count_arcs = count_plain;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) counting->count_arcs = count_avx2;
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq"))
        counting->count_arcs = count_avx512;
}
#else
static void choose(struct counting *counting)
{
    counting->count_arcs = count_plain;
}
#endif

static void count_range(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct counting *counting = context;
    uint64_t *mark = counting->scratch + worker * counting->scratch_words;
    add(&counting->triangles, counting->count_arcs(counting, mark, begin, end));
}

gws_status gws__oriented_count(const struct gws__oriented *oriented, _Atomic uint64_t *count, uint64_t *triangles)
{
    enum { line = 16 }; /* padding between the arrays of workers, in words */
    struct gws_runtime *runtime = oriented->runtime;
    struct counting counting = {.oriented = oriented, .count = count};
    uint32_t workers = gws_runtime_workers(runtime);
    uint64_t vectors = oriented->graph->vertices / gws__triangles_vector_bits + 1;
    counting.mark_words = vectors * gws__triangles_vector;
    counting.scratch_words = counting.mark_words + (count ? plane_words : 0) + line;
    counting.scratch = gws_allocate(runtime, workers * counting.scratch_words, sizeof *counting.scratch);
    if (!counting.scratch) return GWS_NO_MEMORY;
    memset(counting.scratch, 0, workers * counting.scratch_words * sizeof *counting.scratch);
    choose(&counting);
    struct gws_loop loop = {.count = gws__oriented_arcs(oriented),
                            .chunk = chunk,
                            .grain = chunk,
                            .body = count_range,
                            .context = &counting};
    gws_status status = gws_parallel_try(runtime, &loop);
    gws_release(runtime, counting.scratch, workers * counting.scratch_words, sizeof *counting.scratch);
    *triangles = counting.triangles;
    return status;
}

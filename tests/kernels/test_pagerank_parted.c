/* SPDX-License-Identifier: MIT */
/* The emulated kernel of PageRank on a graph parted among devices. Threads emulate the groups of one to eight devices
 * in one address space. Ranks are those of the kernel for one device, bit by bit. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define NONE 0xffffffffu
#define PAGERANK_MIDDLE 16u
#define PAGERANK_PIECE 64u

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/pagerank_words.h"
#include "../../kernels/graph/pagerank_parted_words.h"
#include "../../kernels/engine/peers_words.h"
#include "../../kernels/engine/peers.cl"
#include "../../kernels/graph/pagerank_float.h"
#include "../../kernels/graph/pagerank_rows.cl"

#include "../../kernels/graph/pagerank.cl"
#include "../../kernels/graph/pagerank_parted.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

enum {
    max_parts = PARTED_MAX,
    max_groups = 3,
    max_pieces = 1 << 12,
    stride = PAGERANK_STRIDE(vertices),
    iterations = 20
};

/* A device's memory. The rows are copies of those of its part. */
struct device {
    u64 offset[vertices + 1], heavy_sum[max_pieces], sums[PAGERANK_GENERATIONS * PAGERANK_SUMS], arrived,
        stats[max_groups * PAGERANK_STATS], exchange[PARTED_POSTS + stride];
    u32 *source, *degree, out[vertices], restarts[vertices], listed[vertices], long_row[vertices],
        heavy[2 * max_pieces], piece[max_pieces], count[PAGERANK_COUNTS], *stop, stops;
    double rank[vertices];
    struct parted_bounds bounds;
};

static struct device device[max_parts], single;

static struct {
    float shares[2][vertices];
    u32 restarts[vertices], personal, parts, max;
    double entries;
    u64 bound;
} run;

/* ---- one device ---- */

static void on_one_device(void)
{
    graph_pagerank(graph.reverse_offset, graph.source, graph.offset, NULL, NULL, run.restarts, run.shares[0],
                   run.shares[1], single.listed, single.long_row, single.heavy, single.heavy_sum, single.piece,
                   single.rank, single.count, single.sums, &single.arrived, NULL, 0.85, run.entries, run.bound,
                   vertices, run.personal, run.max);
}

static void clear(struct device *at)
{
    memset(at->heavy_sum, 0x55, sizeof at->heavy_sum);
    memset(at->listed, 0x55, sizeof at->listed);
    memset(at->rank, 0x55, sizeof at->rank);
    memset(at->count, 0, sizeof at->count);
    memset(at->sums, 0, sizeof at->sums);
}

/* ---- several devices ---- */

static u64 *exchange_of(u32 part)
{
    return device[part < run.parts ? part : 0].exchange;
}

static void run_on_device(void)
{
    struct device *at = &device[emulated_device];
    graph_pagerank_parted(at->offset, at->source, at->degree, at->restarts, at->listed, at->long_row, at->heavy,
                          at->heavy_sum, at->piece, at->rank, at->count, at->sums, at->stats, &at->arrived, at->stop,
                          exchange_of(0), exchange_of(1), exchange_of(2), exchange_of(3), exchange_of(4),
                          exchange_of(5), exchange_of(6), exchange_of(7), at->bounds, 0.85, run.entries, run.bound,
                          run.personal, graph.reverse_offset[vertices] > PAGERANK_DENSE * (u64)vertices, run.max);
}

static void open_device(u32 part, u32 parts, const u32 *bounds)
{
    struct device *at = &device[part];
    const u64 first = bounds[part], size = bounds[part + 1] - first, arc = graph.reverse_offset[first];
    const u64 arcs = graph.reverse_offset[first + size] - arc;
    memset(at, 0, sizeof *at);
    at->bounds.part = part;
    at->bounds.parts = parts;
    for (u32 q = 0; q <= parts; q++) at->bounds.first[q] = bounds[q];
    at->source = malloc((arcs + 1) * sizeof *at->source);
    memcpy(at->source, graph.source + arc, arcs * sizeof *at->source);
    for (u64 v = 0; v <= size; v++) at->offset[v] = graph.reverse_offset[first + v] - arc;
    for (u64 v = 0; v < size; v++) {
        at->out[v] = (u32)(graph.offset[first + v + 1] - graph.offset[first + v]);
        at->restarts[v] = run.restarts[first + v];
    }
    at->degree = at->out;
    at->stop = &at->stops;
}

static void open_devices(u32 parts, const u32 *bounds)
{
    run.parts = parts;
    for (u32 part = 0; part < parts; part++) open_device(part, parts, bounds);
}

static void close_devices(void)
{
    for (u32 part = 0; part < run.parts; part++) free(device[part].source);
}

static void run_devices(u32 groups)
{
    struct emulated_group group[max_parts][max_emulated_groups];
    for (u32 part = 0; part < run.parts; part++) {
        clear(&device[part]);
        memset(device[part].exchange + PARTED_POSTS, 0x55, stride * sizeof(u64));
    }
    for (u32 part = 0; part < run.parts; part++) start_device(part, group[part], run_on_device, groups);
    for (u32 part = 0; part < run.parts; part++) join_groups(group[part], groups);
}

static void judge(void)
{
    u64 error = 0;
    for (u32 part = 0; part < run.parts; part++) {
        const struct device *at = &device[part];
        const u32 first = at->bounds.first[part], size = at->bounds.first[part + 1] - first;
        const u32 did = at->count[PAGERANK_ITERATIONS];
        ck_assert_uint_eq(did, single.count[PAGERANK_ITERATIONS]);
        ck_assert_int_eq(memcmp(at->rank, single.rank + first, size * sizeof *at->rank), 0);
        error += at->sums[did % PAGERANK_GENERATIONS * PAGERANK_SUMS + PAGERANK_ERROR];
    }
    const u32 last = single.count[PAGERANK_ITERATIONS] % PAGERANK_GENERATIONS;
    ck_assert_uint_eq(error, single.sums[last * PAGERANK_SUMS + PAGERANK_ERROR]);
}

/* Bounds are uneven, and parts may be empty: the first, the last, or some between. */
static const struct {
    u32 parts, first[max_parts + 1];
} layouts[] = {{1, {0, vertices}},
               {2, {0, 1024, vertices}},
               {3, {0, 320, vertices, vertices}},
               {3, {0, 0, 1504, vertices}},
               {2, {0, 2976, vertices}},
               {8, {0, 0, 32, 32, 2048, 2944, vertices, vertices, vertices}},
               {4, {0, 736, 1504, 2240, vertices}},
               {5, {0, 32, 64, 96, 128, vertices}}};

START_TEST(ranks_are_those_of_one_device)
{
    make_shape(_i);
    run.restarts[0] = 2;
    run.restarts[vertices - 1] = 1;
    for (u32 mode = 0; mode < 4; mode++) {
        run.personal = mode % 2;
        run.entries = run.personal ? 3 : vertices;
        run.bound = mode < 2 ? 0 : 1ull << 42;
        run.max = mode < 2 ? iterations : 200;
        clear(&single);
        emulate_groups(on_one_device, 2);
        for (u32 i = mode % 2; i < sizeof layouts / sizeof *layouts; i += gws_test_quick() ? 2 : 1) {
            open_devices(layouts[i].parts, layouts[i].first);
            for (u32 groups = gws_test_quick() ? 1 + i % 3 : 1; groups <= max_groups;
                 groups += gws_test_quick() ? 3 : 2) {
                run_devices(groups);
                judge();
                for (u32 part = 0; part < run.parts; part++) device[part].arrived = 0;
            }
            close_devices();
        }
    }
    graph_free();
}
END_TEST

/* One device sees the word of the host, and all devices end after the same iteration. The next run is right. */
START_TEST(a_cancelled_run_ends)
{
    make_shape(0);
    run.personal = 0;
    run.entries = vertices;
    run.bound = 0;
    run.max = iterations;
    open_devices(layouts[2].parts, layouts[2].first);
    device[1].stops = 1;
    run_devices(2);
    for (u32 part = 0; part < run.parts; part++)
        ck_assert_uint_eq(device[part].count[PAGERANK_ITERATIONS], PAGERANK_LOOK);
    device[1].stops = 0;
    run_devices(2);
    clear(&single);
    emulate_groups(on_one_device, 2);
    judge();
    close_devices();
    graph_free();
}
END_TEST

/* The second device never launches. The first one ends at its first barrier when the host gives up. */
START_TEST(an_abandoned_run_ends)
{
    struct emulated_group group[max_emulated_groups];
    make_shape(0);
    run.entries = vertices;
    open_devices(layouts[1].parts, layouts[1].first);
    clear(&device[0]);
    start_groups(group, run_on_device, 3);
    atomic_store((_Atomic u32 *)&device[0].stops, PEERS_ABANDON);
    join_groups(group, 3);
    ck_assert_uint_eq(device[0].count[PAGERANK_ITERATIONS], 0);
    close_devices();
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {ranks_are_those_of_one_device, shapes}, {a_cancelled_run_ends, 1}, {an_abandoned_run_ends, 1}, {0}};
    return gws_test_run("pagerank parted", test);
}

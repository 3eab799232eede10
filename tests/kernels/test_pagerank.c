/* SPDX-License-Identifier: MIT */
/* The emulated kernel of PageRank, checked against pushes along all arcs. */
#include "../harness.h"

#include <math.h>

#define GWS_GROUP_SIZE 1
#define NONE 0xffffffffu
#define PAGERANK_MIDDLE 16u
#define PAGERANK_PIECE 64u

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/pagerank_words.h"
#include "../../kernels/graph/pagerank_float.h"
#include "../../kernels/graph/pagerank_rows.cl"

#include "../../kernels/graph/pagerank.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

enum { iterations = 20, max_pieces = 1 << 12 };

static struct {
    float shares[vertices], more_shares[vertices];
    u32 restarts[vertices], listed[vertices], long_row[vertices], heavy[2 * max_pieces], piece[max_pieces],
        count[PAGERANK_COUNTS], personal;
    u64 heavy_sum[max_pieces], sums[PAGERANK_GENERATIONS * PAGERANK_SUMS], arrived;
    double rank[vertices], entries;
    u32 *stop, stops; /* stop: NULL, or &stops */
    bool indexed;
} run;

static double expected[vertices];

static void rank_serially(void)
{
    static double restart[vertices], next[vertices];
    for (u32 v = 0; v < vertices; v++) restart[v] = (run.personal ? run.restarts[v] : 1) / run.entries;
    memcpy(expected, restart, sizeof expected);
    for (int i = 0; i < iterations; i++) {
        double lost = 0.15;
        memset(next, 0, sizeof next);
        for (u32 v = 0; v < vertices; v++) {
            u64 begin = graph.offset[v], end = graph.offset[v + 1];
            if (begin == end) lost += 0.85 * expected[v];
            for (u64 a = begin; a < end; a++) next[graph.target[a]] += 0.85 * expected[v] / (double)(end - begin);
        }
        for (u32 v = 0; v < vertices; v++) expected[v] = next[v] + lost * restart[v];
    }
}

/* An index with the vertices in reverse order. */
static struct {
    u32 *source, vertex[vertices], degree[vertices];
    u64 row[vertices + 1];
} places;

static void make_places(void)
{
    places.source = calloc(graph.offset[vertices] + 1, sizeof *places.source);
    for (u32 p = 0; p < vertices; p++) {
        const u32 v = vertices - 1 - p;
        const u64 begin = graph.reverse_offset[v], arcs = graph.reverse_offset[v + 1] - begin;
        places.vertex[p] = v;
        places.degree[p] = (u32)(graph.offset[v + 1] - graph.offset[v]);
        places.row[p + 1] = places.row[p] + arcs;
        for (u64 i = 0; i < arcs; i++) places.source[places.row[p] + i] = vertices - 1 - graph.source[begin + i];
    }
}

static void all_groups(void)
{
    graph_pagerank(run.indexed ? places.row : graph.reverse_offset, run.indexed ? places.source : graph.source,
                   graph.offset, run.indexed ? places.degree : NULL, run.indexed ? places.vertex : NULL, run.restarts,
                   run.shares, run.more_shares, run.listed, run.long_row, run.heavy, run.heavy_sum, run.piece, run.rank,
                   run.count, run.sums, &run.arrived, run.stop, 0.85, run.entries, 0, vertices, run.personal,
                   iterations);
}

static void check_ranks(u32 groups)
{
    double distance = 0, sum = 0;
    memset(&run.shares, 0x55, sizeof run.shares);
    memset(&run.more_shares, 0x55, sizeof run.more_shares);
    memset(run.listed, 0x55, sizeof run.listed);
    memset(run.long_row, 0x55, sizeof run.long_row);
    memset(run.heavy_sum, 0x55, sizeof run.heavy_sum);
    memset(run.count, 0, sizeof run.count);
    memset(run.sums, 0, sizeof run.sums);
    run.arrived = 0;
    emulate_groups(all_groups, groups);
    ck_assert_uint_eq(run.count[PAGERANK_ITERATIONS], iterations);
    for (u32 v = 0; v < vertices; v++) {
        distance += fabs(run.rank[v] - expected[v]);
        sum += run.rank[v];
    }
    ck_assert_double_le(distance, 2e-6);
    ck_assert_double_eq_tol(sum, 1, 1e-10);
}

START_TEST(ranks_equal_the_oracles)
{
    make_shape(_i);
    make_places();
    for (run.personal = 0; run.personal < 2; run.personal++) {
        memset(run.restarts, 0, sizeof run.restarts);
        run.restarts[0] = 2;
        run.restarts[vertices - 1] = 1;
        run.entries = run.personal ? 3 : vertices;
        rank_serially();
        run.stop = run.personal ? &run.stops : NULL;
        for (u32 groups = 1; groups <= 5; groups += 2) {
            run.indexed = groups == 3;
            check_ranks(groups);
        }
    }
    free(places.source);
    graph_free();
}
END_TEST

START_TEST(a_cancelled_run_ends)
{
    make_shape(0);
    run.entries = vertices;
    run.stop = &run.stops;
    run.stops = 1;
    memset(run.count, 0, sizeof run.count);
    memset(run.sums, 0, sizeof run.sums);
    emulate_groups(all_groups, 3);
    ck_assert_uint_eq(run.count[PAGERANK_ITERATIONS], 1);
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{ranks_equal_the_oracles, shapes}, {a_cancelled_run_ends, 1}, {0}};
    return gws_test_run("pagerank", test);
}

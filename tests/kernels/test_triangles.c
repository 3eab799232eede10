/* SPDX-License-Identifier: MIT */
/* The emulated kernel of triangles, checked against all pairs of neighbours. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define TRIANGLES_HEAVY 40u
#define TRIANGLES_CHUNK 7u
#define TRIANGLES_BITS 1024u
#define TRIANGLES_PACKED 1500u
#define TRIANGLES_FILTER 256u
#define NONE 0xffffffffu /* for graph.h */

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/engine/sums.cl"
#include "../../kernels/graph/triangles_words.h"
#include "../../kernels/graph/triangles_state.cl"
#include "../../kernels/graph/triangles_merge.cl"
#include "../../kernels/graph/triangles_ranks.cl"
#include "../../kernels/graph/triangles_rows.cl"
#include "../../kernels/graph/triangles_arcs.cl"
#include "../../kernels/graph/triangles.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

enum { max_groups = 5, max_arcs = 400000 };

static struct {
    u64 row[vertices], unit[max_arcs], count[vertices], sums[TRIANGLES_SUMS], arrived;
    u32 rank[vertices], order[vertices], out[max_arcs], words[TRIANGLES_WORDS], cursors[2 * max_groups], counts;
    u32 *stop, stops; /* stop: NULL, or &stops */
} run;

static u64 expected[vertices], triangles, wedges;

/* Makes the graph symmetric, with ascending rows that keep parallel arcs and loops. */
static bool *symmetrise(void)
{
    unsigned char *arcs = calloc((size_t)vertices * vertices, 1);
    bool *adjacent = calloc((size_t)vertices * vertices, sizeof *adjacent);
    u64 count = 0;
    for (u32 v = 0; v < vertices; v++)
        for (u64 a = graph.offset[v]; a < graph.offset[v + 1]; a++) {
            arcs[(size_t)v * vertices + graph.target[a]]++;
            if (graph.target[a] != v) arcs[(size_t)graph.target[a] * vertices + v]++;
        }
    for (size_t i = 0; i < (size_t)vertices * vertices; i++) count += arcs[i];
    graph.target = realloc(graph.target, (count + 1) * sizeof *graph.target);
    ck_assert_uint_le(count, max_arcs);
    count = 0;
    for (u32 v = 0; v < vertices; v++) {
        graph.offset[v] = count;
        for (u32 to = 0; to < vertices; to++) {
            for (u32 i = 0; i < arcs[(size_t)v * vertices + to]; i++) graph.target[count++] = to;
            adjacent[(size_t)v * vertices + to] = to != v && arcs[(size_t)v * vertices + to] > 0;
        }
    }
    graph.offset[vertices] = count;
    free(arcs);
    return adjacent;
}

static void count_serially(const bool *adjacent)
{
    static u32 neighbour[vertices];
    triangles = wedges = 0;
    for (u32 v = 0; v < vertices; v++) {
        u64 degree = 0;
        for (u32 to = 0; to < vertices; to++)
            if (adjacent[(size_t)v * vertices + to]) neighbour[degree++] = to;
        expected[v] = 0;
        for (u64 i = 0; i < degree; i++)
            for (u64 j = 0; j < i; j++) expected[v] += adjacent[(size_t)neighbour[i] * vertices + neighbour[j]];
        triangles += expected[v];
        wedges += degree ? degree * (degree - 1) / 2 : 0;
    }
    triangles /= 3;
}

static void all_groups(void)
{
    graph_triangles(graph.offset, graph.target, run.rank, run.order, run.row, run.out, run.unit, run.words, run.count,
                    run.sums, run.cursors, &run.arrived, run.stop, vertices, run.counts);
}

START_TEST(triangles_equal_the_oracles)
{
    make_shape(_i);
    bool *adjacent = symmetrise();
    count_serially(adjacent);
    for (u32 groups = gws_test_races() ? 3 : 1; groups <= max_groups; groups += 2)
        for (u32 counts = 0; counts <= 1; counts++) {
            memset(&run, 0x55, sizeof run);
            memset(run.sums, 0, sizeof run.sums);
            memset(run.words, 0, sizeof run.words);
            memset(run.count, 0, sizeof run.count);
            memset(run.cursors, 0, sizeof run.cursors);
            run.arrived = 0;
            run.counts = counts;
            run.stop = counts ? &run.stops : NULL;
            run.stops = 0;
            emulate_groups(all_groups, groups);
            ck_assert_uint_eq(run.sums[TRIANGLES_FOUND], triangles);
            ck_assert_uint_eq(run.sums[TRIANGLES_WEDGES], wedges);
            for (u32 v = 0; v < vertices; v++)
                if (run.count[v] != (counts ? expected[v] : 0)) ck_abort_msg("vertex %u: %d", v, (int)run.count[v]);
            if (!counts) continue;
            run.stops = 1; /* a cancelled run counts no triangles */
            memset(run.sums, 0, sizeof run.sums);
            memset(run.words, 0, sizeof run.words);
            memset(run.cursors, 0, sizeof run.cursors);
            emulate_groups(all_groups, groups);
            ck_assert_uint_eq(run.sums[TRIANGLES_FOUND], 0);
        }
    free(adjacent);
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{triangles_equal_the_oracles, shapes}, {0}};
    return gws_test_run("triangles", test);
}

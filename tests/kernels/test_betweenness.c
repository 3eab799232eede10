/* SPDX-License-Identifier: MIT */
/* The emulated kernel of betweenness centrality, checked against Brandes' algorithm in its published form. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define BC_HEAVY 64u
#define BC_PIECE 24u

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/betweenness_words.h"
#include "../../kernels/graph/betweenness_state.cl"
#include "../../kernels/graph/betweenness_rows.cl"
#include "../../kernels/graph/betweenness.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

#include <math.h>

enum { max_pieces = 10000, max_teams = 3, roots = 3, deep_shape = 3 };

static struct {
    u32 root[roots], report[2 * roots], roots, teams, scaled, narrow, spread;
    u32 depth[max_teams * vertices], queue[max_teams * vertices], first[max_teams * BC_FIRST_WORDS(vertices)];
    u32 scale[max_teams * vertices], row[max_teams * 2 * max_pieces], piece[max_teams * 2 * max_pieces];
    u32 part_scale[max_teams * max_pieces], count[max_teams * BC_COUNTS];
    double value[max_teams * vertices], centrality[vertices], others[max_teams * vertices];
    double *arc, *other_arcs; /* NULL: the runs do not sum up arcs */
    double partial[max_teams * max_pieces];
    u64 arrived[max_teams * BC_ARRIVED];
    u32 *stop, stops; /* stop: NULL, or &stops */
} run;

static double expected[vertices], *expected_arc;
static u32 levels, reached;

static void add_serially(u32 root)
{
    static u32 depth[vertices], queue[vertices];
    static double sigma[vertices], delta[vertices];
    memset(depth, 0xff, sizeof depth);
    memset(sigma, 0, sizeof sigma);
    memset(delta, 0, sizeof delta);
    depth[queue[0] = root] = 0;
    sigma[root] = reached = 1;
    for (u32 head = 0; head < reached; head++)
        for (u64 a = graph.offset[queue[head]]; a < graph.offset[queue[head] + 1]; a++) {
            u32 v = queue[head], w = graph.target[a];
            if (depth[w] == NONE) {
                depth[w] = depth[v] + 1;
                queue[reached++] = w;
            }
            if (depth[w] == depth[v] + 1) sigma[w] += sigma[v];
        }
    levels = depth[queue[reached - 1]] + 1;
    for (u32 i = reached; i-- > 0;) {
        u32 v = queue[i];
        for (u64 a = graph.offset[v]; a < graph.offset[v + 1]; a++)
            if (depth[graph.target[a]] == depth[v] + 1) {
                double term = sigma[v] / sigma[graph.target[a]] * (1 + delta[graph.target[a]]);
                delta[v] += term;
                if (expected_arc) expected_arc[a] += term;
            }
        if (i > 0) expected[v] += delta[v];
    }
}

static bool undirected;

static void all_groups(void)
{
    graph_betweenness(graph.offset, graph.target, undirected ? graph.offset : graph.reverse_offset,
                      undirected ? graph.target : graph.source, run.centrality, run.root, run.report, run.depth,
                      run.queue, run.first, run.value, run.others, run.arc, run.other_arcs, run.scale, run.row,
                      run.piece, run.partial, run.part_scale, run.count, run.arrived, run.stop, vertices, run.roots,
                      run.teams, run.scaled, run.narrow, run.spread, max_pieces, max_pieces,
                      run.arc ? graph.offset[vertices] : 0);
}

static void add_groups(void)
{
    graph_betweenness_add(run.centrality, run.others, vertices, run.teams);
    if (run.arc) graph_betweenness_add(run.arc, run.other_arcs, graph.offset[vertices], run.teams);
}

static void run_roots(u32 groups)
{
    memset(run.depth, 0x55, sizeof run.depth);
    memset(run.queue, 0x55, sizeof run.queue);
    memset(run.first, 0x55, sizeof run.first);
    memset(run.value, 0x55, sizeof run.value);
    memset(run.count, 0x55, sizeof run.count);
    memset(run.report, 0x55, sizeof run.report);
    memset(run.arrived, 0, sizeof run.arrived);
    memset(run.centrality, 0, sizeof run.centrality);
    memset(run.others, 0, sizeof run.others);
    if (run.arc) memset(run.arc, 0, graph.offset[vertices] * sizeof *run.arc);
    if (run.arc) memset(run.other_arcs, 0, max_teams * graph.offset[vertices] * sizeof *run.arc);
    emulate_groups(all_groups, groups);
    emulate_groups(add_groups, groups);
}

/* Runs sources that lie apart, and compares reports and sums with the oracle's. */
static void check_roots(u32 groups)
{
    run.roots = roots;
    for (u32 i = 0; i < roots; i++) run.root[i] = i * (vertices / 3);
    const u64 arcs = graph.offset[vertices];
    memset(expected, 0, sizeof expected);
    if (run.arc) memset(expected_arc, 0, arcs * sizeof *expected_arc);
    run_roots(groups);
    for (u32 i = 0; i < roots; i++) {
        add_serially(run.root[i]);
        ck_assert_uint_eq(run.report[2 * i], levels);
        ck_assert_uint_eq(run.report[2 * i + 1], reached);
    }
    for (u32 v = 0; v < vertices; v++)
        if (!(fabs(run.centrality[v] - expected[v]) <= 1e-9 * (1 + expected[v])))
            ck_abort_msg("vertex %u: %g for %g", v, run.centrality[v], expected[v]);
    for (u64 a = 0; run.arc && a < arcs; a++)
        if (!(fabs(run.arc[a] - expected_arc[a]) <= 1e-9 * (1 + expected_arc[a])))
            ck_abort_msg("arc %u: %g for %g", (u32)a, run.arc[a], expected_arc[a]);
}

/* Makes the arrays of arcs, or frees them. */
static void use_arcs(bool used)
{
    const u64 arcs = graph.offset[vertices] + 1;
    free(run.arc), free(run.other_arcs), free(expected_arc);
    run.arc = used ? calloc(arcs, sizeof *run.arc) : NULL;
    run.other_arcs = used ? calloc(max_teams * arcs, sizeof *run.arc) : NULL;
    expected_arc = used ? calloc(arcs, sizeof *run.arc) : NULL;
}

/* The teams of these runs have one to three groups; with two teams, the third group has no team. */
START_TEST(dependencies_equal_the_oracles)
{
    make_shape(_i);
    for (u32 groups = 1; groups <= 3; groups += 2)
        for (u32 mode = 0; mode < 6; mode++) {
            run.scaled = mode % 2;
            run.narrow = mode / 2 * 40;
            run.spread = mode % 2 * 3 + 1;
            run.stop = mode < 3 ? &run.stops : NULL;
            run.teams = groups == 1 ? 1 : mode % 3 + 1;
            if (_i == deep_shape && groups > 1 && mode < 2) continue; /* the run would have thousands of barriers */
            undirected = _i == symmetric_shape && groups > 1;
            use_arcs(mode % 3 != 1);
            check_roots(groups);
        }
    use_arcs(false);
    graph_free();
}
END_TEST

/* The graph is a path of double arcs with 2^2999 shortest paths from end to end. */
START_TEST(numbers_of_paths_are_scaled)
{
    static u32 from[2 * vertices], to[2 * vertices];
    u64 count = 0;
    for (u32 v = 0; v + 1 < vertices; v++)
        for (u32 copy = 0; copy < 2; copy++, count++) from[count] = v, to[count] = v + 1;
    csr(from, to, count, &graph.offset, &graph.target);
    csr(to, from, count, &graph.reverse_offset, &graph.source);
    undirected = false;
    run.root[0] = run.scaled = 0;
    run.roots = run.teams = run.spread = 1;
    run.narrow = 8;
    run_roots(2);
    ck_assert_uint_eq(run.report[0], 0);
    for (u32 v = 0; v < vertices; v++) ck_assert(run.centrality[v] == 0);
    run.scaled = 1;
    run_roots(2);
    ck_assert_uint_eq(run.report[0], vertices);
    for (u32 v = 1; v < vertices; v++)
        if (run.centrality[v] != vertices - 1 - v) ck_abort_msg("vertex %u: %g", v, run.centrality[v]);
    free(graph.offset);
    free(graph.target);
    free(graph.reverse_offset);
    free(graph.source);
}
END_TEST

/* The kernel ends in the first level, and has added nothing. */
START_TEST(a_cancelled_run_ends)
{
    make_shape(deep_shape);
    undirected = false;
    run.stop = &run.stops;
    run.stops = 1;
    run.roots = roots;
    run.spread = 1;
    for (u32 i = 0; i < roots; i++) run.root[i] = i;
    for (u32 mode = 0; mode < 4; mode++) {
        run.narrow = mode % 2 * 40;
        run.teams = mode / 2 + 1;
        run_roots(mode < 2 ? 1 : 3);
        ck_assert_uint_eq(run.report[0], 1);
        ck_assert_uint_eq(run.report[2 * roots - 1], 0x55555555); /* no source after the cancelled one */
        for (u32 v = 0; v < vertices; v++) ck_assert(run.centrality[v] == 0);
    }
    run.stop = NULL;
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {dependencies_equal_the_oracles, shapes}, {numbers_of_paths_are_scaled, 1}, {a_cancelled_run_ends, 1}, {0}};
    return gws_test_run("betweenness", test);
}

/* SPDX-License-Identifier: MIT */
/* The emulated kernel of communities, with small tables and short rows, compared with gws_communities(). */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define COMMUNITIES_SHORT 4u
#define COMMUNITIES_LONG 24u
#define COMMUNITIES_ALONE 200u

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/engine/sums.cl"
#include "../../kernels/graph/communities_words.h"
#include "../../kernels/graph/communities_rules.h"
#include "../../kernels/graph/communities_state.cl"
#include "../../kernels/graph/communities_sums.cl"
#include "../../kernels/graph/communities_table.cl"
#include "../../kernels/graph/communities_choice.cl"
#include "../../kernels/graph/communities_row.cl"
#include "../../kernels/graph/communities_propagate.cl"
#include "../../kernels/graph/communities_move.cl"
#include "../../kernels/graph/communities_merge.cl"
#include "../../kernels/graph/communities.cl"
/* clang-format on */
#include "../../traversal/communities.h"
#include "../lib/device/drivers.h"
#include "../traversal/graph/bfs/shapes.h"
#include "emulate.h"

enum { max_vertices = 1 << 11, max_arcs = 1 << 16, slots = 32 };

static struct {
    const struct gws_graph *graph;
    u64 offset[2][max_vertices + 1], degree[max_vertices], degrees[max_vertices];
    u32 target[2][max_arcs];
    u64 weight[2][max_arcs];
    u32 node[max_vertices], community[max_vertices], refined[max_vertices], long_row[max_arcs];
    u32 next[max_vertices], flags[max_vertices], list[max_vertices], last[max_vertices];
    u32 table_label[2 * slots * max_emulated_groups];
    u64 table_sum[2 * slots * max_emulated_groups], part[max_emulated_groups], sums[COMMUNITIES_SUMS], arrived;
    u32 count[COMMUNITIES_COUNTS], groups, level; /* level: 0: the graph, otherwise its parity gives the arrays */
    struct gws__communities_step p;
} run;

static void all_groups(void)
{
    const struct gws_graph *graph = run.graph, *in = graph->directed ? graph->reverse : graph;
    const bool first = run.level == 0;
    const u32 now = run.level % 2, next = 1 - now;
    const u32 *weight = first ? (const u32 *)graph->weight : (const u32 *)(const void *)run.weight[now];
    graph_communities(first ? graph->offset : run.offset[now], first ? graph->target : run.target[now], weight,
                      in->offset, in->target, (const u32 *)in->weight, run.node, run.community,
                      first ? run.node : run.refined, run.degree, run.degrees, run.next, run.flags, run.list, run.last,
                      run.long_row, run.offset[next], run.target[next], (u32 *)(void *)run.weight[next],
                      run.table_label, run.table_sum, run.part, run.count, run.sums, &run.arrived, NULL, run.p);
}

static void step(u32 which)
{
    run.p.step = which;
    memset(run.count, 0, sizeof run.count);
    memset(run.sums, 0, sizeof run.sums);
    emulate_groups(all_groups, run.groups);
}

static void begin_level(void)
{
    run.level = 0;
    run.p.vertices = run.p.nodes = (u32)run.graph->vertices;
    run.p.halves = run.graph->directed ? 2 : 1;
    run.p.weights = run.graph->weight && !run.p.max ? WEIGHT_WORDS : WEIGHT_ONES; /* max: label propagation */
    run.p.loops_once = !run.graph->directed;
}

/* Returns false if no level follows. */
static bool next_level(void)
{
    step(COMMUNITIES_SUM);
    run.p.begins = 0;
    run.p.total = run.sums[LEVEL_TOTAL];
    if (run.p.total == 0) return false;
    step(COMMUNITIES_MOVE);
    run.p.round += run.count[FOUND_ROUNDS];
    if (run.p.refines ? run.count[FOUND_LABELS] == run.p.nodes : run.sums[LEVEL_MOVES] == 0) return false;
    if (run.p.refines) {
        run.p.round++;
        step(COMMUNITIES_REFINE);
    }
    step(COMMUNITIES_NUMBER);
    run.p.made = run.count[FOUND_NODES];
    if (run.p.made == run.p.nodes) return false;
    run.p.out = WEIGHT_LONGS;
    step(COMMUNITIES_COUNT);
    run.p.longs = run.count[FOUND_LONG];
    ck_assert_uint_le(run.sums[LEVEL_ARCS], max_arcs);
    step(COMMUNITIES_WRITE);
    run.level++;
    run.p.nodes = run.p.made;
    run.p.halves = 1;
    run.p.weights = WEIGHT_LONGS;
    run.p.loops_once = 0;
    return true;
}

static void find(enum gws_communities_method method)
{
    run.p = (struct gws__communities_step){.resolution = 1, .scale = 1, .warp_slots = slots, .group_slots = slots};
    run.p.refines = method == GWS_COMMUNITIES_LEIDEN;
    run.p.max = method == GWS_COMMUNITIES_CDLP ? 10 : 0;
    begin_level();
    if (run.p.max) {
        step(COMMUNITIES_PROPAGATE);
        return;
    }
    for (u32 pass = 0; pass < (run.p.refines ? 2 : 1); pass++) {
        begin_level();
        run.p.begins = 1 + pass;
        while (next_level()) continue;
        step(COMMUNITIES_LABEL);
    }
}

static void check_summary(const struct gws_communities_result *wanted)
{
    begin_level();
    run.p.summary = 1;
    step(COMMUNITIES_SUM);
    run.p.total = run.sums[LEVEL_TOTAL];
    step(COMMUNITIES_SUMMARISE);
    ck_assert_uint_eq(run.count[FOUND_LABELS], wanted->count);
    ck_assert_uint_eq(run.count[FOUND_LARGEST], wanted->largest);
}

static void check_graph(struct gws_runtime *runtime, struct gws_graph *graph)
{
    run.graph = graph;
    ck_assert_uint_le(graph->vertices, max_vertices);
    for (int method = 0; method < 3; method++) {
        const struct gws_communities_options options = {.method = (enum gws_communities_method)method};
        struct gws_communities_result wanted = {0};
        ck_assert_int_eq(gws_communities(runtime, graph, &options, &wanted), GWS_OK);
        for (run.groups = 1; run.groups <= 3; run.groups += 2) {
            run.arrived = 0;
            memset(run.table_label, 0xff, sizeof run.table_label);
            memset(run.table_sum, 0, sizeof run.table_sum);
            memset(run.node, 0x55, sizeof run.node);
            memset(run.community, 0x55, sizeof run.community);
            find(options.method);
            ck_assert_int_eq(memcmp(run.node, wanted.community, graph->vertices * sizeof *run.node), 0);
            check_summary(&wanted);
        }
        gws_communities_result_clear(&wanted);
    }
}

START_TEST(communities_equal_the_threads)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = generate(_i == 0 ? "kron:7:12" : "grid:20x15");
    if (_i == 0) ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, 0, 7, 1), GWS_OK);
    check_graph(runtime, graph);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(directed_graphs)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    struct gws_graph *graph = make_graph(shapes[3 * _i].make, shapes[3 * _i].vertices, DIRECTED_WITH_REVERSE);
    if (graph->vertices <= max_vertices && graph->arcs < max_arcs / 2) check_graph(runtime, graph);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{communities_equal_the_threads, 2}, {directed_graphs, shape_count / 3}, {0}};
    return gws_test_run("communities", test);
}

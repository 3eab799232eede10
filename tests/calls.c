/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "../workloads/quicksort.h"
#include "../workloads/uts.h"
#include "calls.h"

/* ---- tasks ---- */

GWS_TEST_CALL(tasks)
{
    struct gws_uts_tree tree = gws_uts_named("T1")->tree;
    struct gws_uts_result result = {0};
    tree.depth = 6;
    gws_status status = gws_uts_search(runtime, &tree, NULL, &result);
    *answer = result.nodes;
    return status;
}

GWS_TEST_CALL(quicksort)
{
    enum { count = 20000 };
    const struct gws_quicksort_options options = {0};
    struct gws_quicksort_result result = {0};
    uint64_t *keys = malloc(count * sizeof *keys);
    for (uint64_t i = 0; i < count; i++) keys[i] = i * 7919 % count;
    gws_status status = gws_quicksort(runtime, keys, count, &options, &result);
    for (uint64_t i = 0; status == GWS_OK && i < count; i++)
        if (keys[i] != i) ck_abort_msg("key %llu", (unsigned long long)i);
    *answer = 0;
    free(keys);
    return status;
}

/* ---- the table ---- */

static const struct gws_test_call task_calls[] = {GWS_TEST_ROW(tasks), GWS_TEST_ROW(quicksort), {0}};
static const struct gws_test_call *const table[] = {
    gws_test_graph_calls, gws_test_algorithm_calls, gws_test_space_calls, task_calls, gws_test_file_calls, NULL};

const struct gws_test_call *gws_test_call_at(int i)
{
    for (const struct gws_test_call *const *part = table; *part; part++)
        for (const struct gws_test_call *call = *part; call->name; call++)
            if (i-- == 0) return call;
    return NULL;
}

int gws_test_calls(void)
{
    int calls = 0;
    while (gws_test_call_at(calls)) calls++;
    return calls;
}

/* ---- the world ---- */

/* Makes a directed graph with components of several sizes: two arcs of each vertex. */
static void open_directed(struct gws_runtime *runtime, struct gws_test_world *world)
{
    enum { vertices = 200 };
    struct gws_edge edge[2 * vertices];
    for (uint32_t v = 0; v < vertices; v++) {
        edge[2 * v] = (struct gws_edge){v, (v * v * 7 + 3) % vertices};
        edge[2 * v + 1] = (struct gws_edge){v, v % 10 < 9 ? v + 1 : v - 9};
    }
    const struct gws_edge_block block = {.edge = edge, .count = 2 * vertices};
    const struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = &block};
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &world->directed), GWS_OK);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, world->directed), GWS_OK);
    ck_assert(world->directed->directed);
}

void gws_test_world_open(struct gws_runtime *runtime, const char *graph, const char *points,
                         struct gws_test_world *world)
{
    const struct gws_md_start start = {.atoms = 300, .gauss = true};
    double low[3], high[3];
    *world = (struct gws_test_world){0};
    ck_assert_int_eq(gws_graph_generate(runtime, graph, &world->graph, NULL), GWS_OK);
    ck_assert_int_eq(gws_graph_draw_weights(runtime, world->graph, 1, 200, 5), GWS_OK);
    open_directed(runtime, world);
    ck_assert_int_eq(gws_graph_generate(runtime, "grid:30x40", &world->plain, NULL), GWS_OK);
    ck_assert_int_eq(gws_md_begin(runtime, &start, &world->atoms, low, high), GWS_OK);
    ck_assert_int_eq(gws_points_generate(runtime, points, false, &world->points, NULL), GWS_OK);
    ck_assert_int_eq(gws_octree_build(runtime, &world->points, NULL, &world->tree, NULL), GWS_OK);
    ck_assert_int_eq(gws_octree_copy_points(runtime, world->tree, &world->points), GWS_OK);
    snprintf(world->folder, sizeof world->folder, "%s", gws_test_temp(""));
    gws_test_make_files(runtime, world);
}

void gws_test_world_close(struct gws_test_world *world)
{
    gws_octree_destroy(world->tree);
    gws_points_clear(&world->points);
    gws_points_clear(&world->atoms);
    gws_graph_destroy(world->plain);
    gws_graph_destroy(world->directed);
    gws_graph_destroy(world->graph);
}

/* SPDX-License-Identifier: MIT */
/* Fetches results from devices, each part alone, in the narrowest type, and twice. Also checks the memory in which the
 * parts lie. The tests run on every device of this machine, or on $GWS_TEST_DEVICE. */
#include "../../../engine/devices.h"
#include "searches.h"

#include "../../../../../lib/trace.h"
#include "../../../../../traversal/graph/bfs/device/state.h"

static const struct gws_bfs_device_options forms[] = {
    {.launch = GWS_BFS_PER_LEVEL}, {.launch = GWS_BFS_PERSISTENT}, {.cpu = true}, {.cpu = false}};
enum { form_count = sizeof forms / sizeof *forms, search_count = 3 };

static uint32_t narrow_at(const struct gws_bfs_result *result, uint64_t i)
{
    if (result->narrow_bytes == 1)
        return ((uint8_t *)result->narrow)[i] == UINT8_MAX ? GWS_NO_VERTEX : ((uint8_t *)result->narrow)[i];
    if (result->narrow_bytes == 2)
        return ((uint16_t *)result->narrow)[i] == UINT16_MAX ? GWS_NO_VERTEX : ((uint16_t *)result->narrow)[i];
    return ((uint32_t *)result->narrow)[i];
}

static void check_narrow(const struct gws_bfs_result *result, const struct oracle *oracle)
{
    ck_assert_uint_eq(result->narrow_bytes, oracle->levels <= 255 ? 1 : oracle->levels <= 65535 ? 2 : 4);
    for (uint64_t v = 0; v < result->vertices; v++)
        if (narrow_at(result, v) != oracle->depth[v])
            ck_abort_msg("vertex %llu: narrow depth %u", (unsigned long long)v, narrow_at(result, v));
}

/* Checks that the result shows neither part of a fetch if reading the second part fails. */
static void check_failed(struct gws_bfs_device *search, struct gws_bfs_result *result)
{
    struct gws_device_buffer *parent = search->array[gws__bfs_parent], *small = NULL;
    ck_assert_int_eq(gws_device_buffer_new(device, 4, &small, NULL), GWS_OK);
    search->array[gws__bfs_parent] = small;
    ck_assert_int_ne(gws_bfs_device_fetch(search, GWS_BFS_DEPTH | GWS_BFS_PARENT, result, NULL), GWS_OK);
    ck_assert(!result->depth && !result->parent);
    search->array[gws__bfs_parent] = parent;
    gws_device_buffer_free(small);
}

/* Checks the counts before any array is fetched, and then single parts. */
static void check_parts(struct gws_bfs_device *search, struct gws_bfs_result *result, const struct gws_graph *graph,
                        const struct oracle *oracle, uint32_t parts)
{
    bool there = gws_bfs_device_buffer(search, GWS_BFS_DEPTH) != NULL;
    ck_assert(result->reached == oracle->reached && result->reached_arcs == oracle->arcs);
    ck_assert(result->levels == oracle->levels && (result->depth == NULL) == there);
    ck_assert(!there || (!result->parent && !result->narrow));
    if (there) ck_assert_int_eq(gws_bfs_check(runtime, graph, result, NULL), GWS_INVALID);
    if (there && graph->vertices > 1) check_failed(search, result);
    ck_assert_int_eq(gws_bfs_device_fetch(search, parts, result, NULL), GWS_OK);
    ck_assert((result->depth != NULL) >= ((parts & GWS_BFS_DEPTH) != 0));
    ck_assert((result->parent != NULL) >= ((parts & GWS_BFS_PARENT) != 0));
    ck_assert((result->narrow != NULL) == ((parts & GWS_BFS_NARROW) != 0));
    if (there) ck_assert((result->depth != NULL) == ((parts & GWS_BFS_DEPTH) != 0));
    if (parts & GWS_BFS_NARROW) check_narrow(result, oracle);
    ck_assert((gws_bfs_device_buffer(search, GWS_BFS_NARROW) != NULL) == (there && result->narrow));
    ck_assert_int_eq(gws_bfs_device_fetch(search, GWS_BFS_DEPTH | GWS_BFS_PARENT, result, NULL), GWS_OK);
    compare(graph, result->source, oracle, result);
    ck_assert_int_eq(gws_bfs_check(runtime, graph, result, NULL), GWS_OK);
    if (!there) return;
    uint32_t *depth = content_of(gws_bfs_device_buffer(search, GWS_BFS_DEPTH), graph->vertices * 4);
    ck_assert_int_eq(memcmp(depth, oracle->depth, graph->vertices * 4), 0);
    ck_assert_ptr_nonnull(gws_bfs_device_buffer(search, GWS_BFS_PARENT));
    free(depth);
}

static void check_form(const struct gws_graph *graph, const struct gws_bfs_device_options *form)
{
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    if (search_open(runtime, device, graph, form, &search, NULL) != GWS_OK) return; /* unsupported on this device */
    ck_assert_int_eq(gws_bfs_device_fetch(search, GWS_BFS_DEPTH, &result, NULL), GWS_INVALID);
    ck_assert_ptr_null(gws_bfs_device_buffer(search, GWS_BFS_DEPTH));
    for (uint32_t parts = 0; parts < 8; parts++) {
        uint32_t source = (uint32_t)(graph->vertices * parts / 8);
        struct oracle oracle = oracle_new(graph, source);
        ck_assert_int_eq(gws_bfs_device_run(search, source, &result, NULL), GWS_OK);
        check_parts(search, &result, graph, &oracle, parts);
        oracle_free(&oracle);
    }
    struct gws_bfs_result other = {0};
    ck_assert_int_eq(gws_bfs_device_fetch(search, 8, &result, NULL), GWS_INVALID);
    ck_assert_int_eq(gws_bfs_device_fetch(search, GWS_BFS_DEPTH, &other, NULL), GWS_INVALID);
    gws_bfs_result_clear(&result);
    ck_assert_int_eq(gws_bfs_device_fetch(search, GWS_BFS_DEPTH, &result, NULL), GWS_INVALID);
    search_close(search);
}

/* Checks depths of one byte and of two bytes. A special build also checks depths of four bytes. */
DEVICE_TEST(parts_are_fetched_on_request)
{
    struct gws_graph *graph[] = {make_graph(hubs, 3000, UNDIRECTED), make_graph(sparse, 2000, DIRECTED_WITH_REVERSE),
                                 make_graph(path, 300, UNDIRECTED), make_graph(path, 256, UNDIRECTED)};
    for (size_t g = 0; g < sizeof graph / sizeof *graph; g++) {
        for (int f = 0; f < form_count; f++) check_form(graph[g], &forms[f]);
        gws_graph_destroy(graph[g]);
    }
}

/* Threads can reuse a result that a device filled, and a device can reuse a result that threads filled. */
DEVICE_TEST(results_serve_both_sides)
{
    struct gws_graph *graph = make_graph(hubs, 3000, UNDIRECTED);
    struct gws_bfs_result result = {0};
    struct gws_bfs_device *search = NULL;
    struct oracle oracle = oracle_new(graph, 7);
    ck_assert_int_eq(search_open(runtime, device, graph, NULL, &search, NULL), GWS_OK);
    for (int i = 0; i < search_count; i++) {
        ck_assert_int_eq(gws_bfs_device_run(search, 7, &result, NULL), GWS_OK);
        if (i > 0) ck_assert_int_eq(gws_bfs_device_fetch(search, GWS_BFS_NARROW, &result, NULL), GWS_OK);
        ck_assert_int_eq(gws_bfs(runtime, graph, 7, NULL, &result), GWS_OK);
        ck_assert_ptr_null(result.narrow);
        compare(graph, 7, &oracle, &result);
    }
    oracle_free(&oracle);
    gws_bfs_result_clear(&result);
    search_close(search);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{parts_are_fetched_on_request, 1}, {results_serve_both_sides, 1}, {0}};
    return gws_test_run("result", test);
}

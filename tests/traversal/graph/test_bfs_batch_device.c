/* SPDX-License-Identifier: MIT */
/* Compares searches from many sources on every device of this machine with serial searches. */
#include "../engine/devices.h"

#include "../../../traversal/bfs_batch_device.h"

enum { max_sources = GWS_BFS_BATCH_SOURCES };

static uint32_t distance_at(const struct gws_bfs_batch_device_result *result, uint64_t at)
{
    if (result->width == 4) return ((const uint32_t *)result->distance)[at];
    uint32_t distance =
        result->width == 1 ? ((const uint8_t *)result->distance)[at] : ((const uint16_t *)result->distance)[at];
    return distance == UINT32_MAX >> (32 - 8 * result->width) ? GWS_NO_VERTEX : distance;
}

/* Adds the vertices within max_distance of source i to the pairs. Returns the number of levels. */
static uint32_t compare_source(const struct gws_graph *graph, uint32_t source, uint32_t i, uint32_t max_distance,
                               const struct gws_bfs_batch_device_result *result, uint64_t *pairs)
{
    struct oracle oracle = oracle_new(graph, source);
    uint64_t total = 0, reached = 0;
    uint32_t levels = oracle.levels <= max_distance ? oracle.levels : max_distance + 1;
    for (uint32_t d = 0; d < levels; d++) {
        reached += oracle.size[d];
        total += d * oracle.size[d];
        pairs[d] += oracle.size[d];
    }
    ck_assert_uint_eq(result->reached[i], reached);
    ck_assert_uint_eq(result->total[i], total);
    ck_assert_uint_eq(result->farthest[i], levels - 1);
    for (uint64_t v = 0; v < graph->vertices && result->distance; v++) {
        uint32_t wanted = oracle.depth[v] < levels ? oracle.depth[v] : GWS_NO_VERTEX;
        if (distance_at(result, i * graph->vertices + v) != wanted)
            ck_abort_msg("source %u, vertex %u", i, (uint32_t)v);
    }
    oracle_free(&oracle);
    return levels;
}

static void compare_all(const struct gws_graph *graph, const uint32_t *source, uint32_t count, uint32_t max_distance,
                        const struct gws_bfs_batch_device_result *result)
{
    uint64_t *pairs = calloc(graph->vertices + 1, sizeof *pairs);
    uint32_t levels = 0;
    ck_assert_uint_eq(result->vertices, graph->vertices);
    ck_assert_uint_eq(result->sources, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = compare_source(graph, source[i], i, max_distance, result, pairs);
        if (own > levels) levels = own;
    }
    ck_assert_uint_eq(result->levels, levels);
    if (levels > 0) ck_assert_int_eq(memcmp(result->pairs, pairs, levels * sizeof *pairs), 0);
    free(pairs);
}

static void compare_content(const struct gws_bfs_batch_device *batch, const struct gws_bfs_batch_device_result *result)
{
    struct gws_device_buffer *buffer = gws_bfs_batch_device_buffer(batch, GWS_BFS_BATCH_DISTANCES);
    uint64_t bytes = result->sources * result->vertices * result->width;
    ck_assert_int_eq(buffer == NULL, result->distance == NULL);
    if (!buffer || bytes == 0) return;
    void *content = malloc(bytes);
    ck_assert_int_eq(gws_device_read(buffer, 0, content, bytes, NULL), GWS_OK);
    ck_assert_int_eq(memcmp(content, result->distance, bytes), 0);
    free(content);
}

/* Runs from the first `count` sources, then from fewer. */
static void check_runs(const struct gws_graph *graph, struct gws_device_graph *on_device,
                       const struct gws_bfs_batch_device_options *options, uint32_t count)
{
    struct gws_bfs_batch_device *batch = NULL;
    struct gws_bfs_batch_device_result result = {0};
    struct gws_diagnostic where = {0};
    uint32_t source[max_sources],
        max_distance = options && options->max_distance ? options->max_distance : UINT32_MAX - 1;
    uint64_t random = 5;
    for (uint32_t i = 0; i < count; i++)
        source[i] = i % 9 == 8 ? source[i - 1] : gws_random_below(gws_random_next(&random), (uint32_t)graph->vertices);
    ck_assert_msg(gws_bfs_batch_device_open(on_device, options, &batch, &where) == GWS_OK, "%s", where.message);
    for (uint32_t runs = 0; runs < 2; runs++, count /= 2) {
        ck_assert_msg(gws_bfs_batch_device_run(batch, source, count, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_msg(gws_bfs_batch_device_fetch(batch, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert(result.ms >= 0 && result.fetch_ms >= 0);
        ck_assert_int_eq(result.width > 0, options && options->distances);
        compare_all(graph, source, count, max_distance, &result);
        compare_content(batch, &result);
    }
    gws_bfs_batch_device_result_clear(&result);
    gws_bfs_batch_device_close(batch);
}

DEVICE_TEST(results_equal_those_of_serial_searches)
{
    static const struct gws_bfs_batch_device_options options[] = {
        {.sources = 64, .distances = true}, {.distances = true}, {.sources = 70, .max_distance = 3}, {.sources = 1}};
    static const uint32_t count[] = {64, 150, 70, 1};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        if (!shape_runs(s)) continue;
        uint64_t vertices = shapes[s].vertices < 900 ? shapes[s].vertices : 900;
        struct gws_graph *graph = make_graph(shapes[s].make, vertices, s % 2 ? UNDIRECTED : DIRECTED_WITH_REVERSE);
        struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
        check_runs(graph, on_device, &options[s % 4], count[s % 4]);
        check_runs(graph, on_device, &options[(s + 1) % 4], count[(s + 1) % 4]);
        gws_device_graph_close(on_device);
        gws_graph_destroy(graph);
    }
}

/* Distances of a long path need 2 bytes. With little memory, a run of 100 sources is two launches. */
DEVICE_TEST(no_vertices_long_paths_little_memory)
{
    struct gws_graph *none = make_graph(nothing, 0, UNDIRECTED), *some = make_graph(path, 1000, UNDIRECTED);
    struct gws_device_graph *on_device = open_graph(none, (struct gws_device_graph_options){.without = 0});
    check_runs(none, on_device, NULL, 0);
    gws_device_graph_close(on_device);
    on_device = open_graph(some, (struct gws_device_graph_options){.without = 0});
    check_runs(some, on_device, &(struct gws_bfs_batch_device_options){.distances = true}, 65);
    check_runs(some, on_device, &(struct gws_bfs_batch_device_options){.distances = true, .max_distance = 254}, 3);
    gws_device_graph_close(on_device);
    on_device = open_graph(some, (struct gws_device_graph_options){.placement = GWS_PLACE_DEVICE, .memory = 50000});
    check_runs(some, on_device, &(struct gws_bfs_batch_device_options){.distances = true}, 100);
    gws_device_graph_close(on_device);
    gws_graph_destroy(none);
    gws_graph_destroy(some);
}

DEVICE_TEST(bad_arguments_are_refused)
{
    struct gws_graph *graph = make_graph(grid, 100, DIRECTED);
    struct gws_bfs_batch_device *batch = NULL;
    struct gws_bfs_batch_device_result result = {0};
    struct gws_diagnostic where = {0};
    const uint32_t source[] = {3, 100};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_bfs_batch_device_open(on_device, NULL, &batch, &where), GWS_NEEDS_REVERSE);
    ck_assert(where.message[0]);
    gws_device_graph_close(on_device);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws_bfs_batch_device_options options = {.sources = max_sources + 1};
    ck_assert_int_eq(gws_bfs_batch_device_open(on_device, &options, &batch, &where), GWS_INVALID);
    options.sources = 2;
    ck_assert_int_eq(gws_bfs_batch_device_open(on_device, &options, &batch, &where), GWS_OK);
    ck_assert_int_eq(gws_bfs_batch_device_run(batch, source, 1, &result, &where), GWS_OK);
    ck_assert_int_eq(gws_bfs_batch_device_run(batch, source, 2, &result, &where), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_bfs_batch_device_run(batch, source, 3, &result, &where), GWS_INVALID);
    ck_assert_uint_eq(result.sources, 1);
    ck_assert_int_eq(gws_bfs_batch_device_fetch(batch, &result, &where), GWS_OK);
    gws_bfs_batch_device_close(batch);
    gws_bfs_batch_device_close(NULL);
    gws_bfs_batch_device_result_clear(&result);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

static uint32_t polls, last_poll; /* last_poll: from then on the hook returns true */

static bool ask(void *context)
{
    (void)context;
    return ++polls >= last_poll;
}

/* A cancelled run leaves nothing to fetch. */
DEVICE_TEST(runs_are_cancelled)
{
    const struct gws_options with = {.threads = 1, .cancel = ask};
    const uint32_t source[] = {0};
    struct gws_graph *graph = make_graph(path, 3000, UNDIRECTED);
    struct gws_bfs_batch_device *batch = NULL;
    struct gws_bfs_batch_device_result result = {0};
    struct gws_diagnostic where = {0};
    last_poll = UINT32_MAX;
    const struct outer outer = open_inner(&with);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_bfs_batch_device_open(on_device, NULL, &batch, &where), GWS_OK);
    ck_assert_int_eq(gws_bfs_batch_device_run(batch, source, 1, &result, &where), GWS_OK);
    last_poll = polls;
    ck_assert_int_eq(gws_bfs_batch_device_run(batch, source, 1, &result, &where), GWS_CANCELLED);
    last_poll = UINT32_MAX;
    ck_assert_int_eq(gws_bfs_batch_device_fetch(batch, &result, &where), GWS_INVALID);
    ck_assert_int_eq(gws_bfs_batch_device_run(batch, source, 1, &result, &where), GWS_OK);
    ck_assert_uint_eq(result.levels, graph->vertices);
    gws_bfs_batch_device_close(batch);
    gws_device_graph_close(on_device);
    close_inner(outer);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{results_equal_those_of_serial_searches, 1},
                                    {no_vertices_long_paths_little_memory, 1},
                                    {bad_arguments_are_refused, 1},
                                    {runs_are_cancelled, 1},
                                    {0}};
    return gws_test_run("bfs_batch_device", test);
}

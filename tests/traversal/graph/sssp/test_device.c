/* SPDX-License-Identifier: MIT */
/* Compares shortest paths on every device of this machine with the threads' paths, and runs the checker. */
#include "../../engine/devices.h"

#include "weights.h"

#include "../../../../traversal/sssp_device.h"

/* Returns the distances of either kind, 8 bytes each. */
static const void *distances_of(const struct gws_sssp_result *result)
{
    return result->real_distance ? (const void *)result->real_distance : (const void *)result->distance;
}

static void check(const struct gws_graph *graph, double delta)
{
    const struct gws_sssp_options options = {.delta = delta};
    struct gws_sssp_result wanted = {0}, result = {0};
    struct gws_sssp_device *search = NULL;
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_msg(gws_sssp_device_open(on_device, &options, &search, &where) == GWS_OK, "%s", where.message);
    for (uint64_t source = 0; source < graph->vertices; source += graph->vertices / 2 + 1) {
        ck_assert_int_eq(gws_sssp(runtime, graph, (uint32_t)source, NULL, &wanted, NULL), GWS_OK);
        gws_status status = gws_sssp_device_run(search, (uint32_t)source, &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
        ck_assert_uint_eq(result.reached, wanted.reached);
        ck_assert_ptr_null(distances_of(&result));
        ck_assert_int_eq(gws_sssp_device_fetch(search, &result, &where), GWS_OK);
        status = gws_sssp_check(runtime, graph, &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
        ck_assert_mem_eq(distances_of(&result), distances_of(&wanted), graph->vertices * 8);
        ck_assert_int_eq(gws_sssp_device_fetch(search, &result, &where), GWS_INVALID);
        uint32_t *content = content_of(gws_sssp_device_parents(search), graph->vertices * sizeof *content);
        ck_assert_mem_eq(content, result.parent, graph->vertices * sizeof *content);
        free(content);
    }
    ck_assert_int_eq(gws_sssp_device_run(search, (uint32_t)graph->vertices, &result, &where), GWS_OUT_OF_RANGE);
    gws_sssp_result_clear(&wanted);
    gws_sssp_result_clear(&result);
    gws_sssp_device_close(search);
    gws_device_graph_close(on_device);
}

/* Sanitizer runs take one kind of weights for each shape. */
DEVICE_TEST(distances_equal_those_of_threads)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t i = 0; i < 3; i++) { /* half of the kinds of weights, the other half for the next shape */
            if (gws_test_quick() && i != s / 2 % 3) continue;
            struct weighted made =
                add_weights(make_graph(shapes[s].make, shapes[s].vertices, s / 2 % 2 ? DIRECTED : UNDIRECTED),
                            (enum weights)((s + 2 * i) % weight_kinds));
            check(made.graph, s % 3 == 0 ? 0 : s % 3 == 1 ? 1 : 1e12);
            weighted_free(&made);
        }
}

/* Checks that opening a search fails. */
static void refuses(const struct gws_graph *graph, enum gws_placement placement, double delta, gws_status wanted)
{
    const struct gws_sssp_options options = {.delta = delta};
    struct gws_sssp_device *search = NULL;
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.placement = placement});
    ck_assert_int_eq(gws_sssp_device_open(on_device, &options, &search, &where), wanted);
    ck_assert_ptr_null(search);
    ck_assert(where.message[0]);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(what_devices_cannot_do_is_refused)
{
    struct weighted made = add_weights(make_graph(grid, 100, UNDIRECTED), SMALL);
    refuses(made.graph, GWS_PLACE_HOST, 0, GWS_UNSUPPORTED);
    refuses(made.graph, GWS_PLACE_DEVICE, -1, GWS_INVALID);
    ((int32_t *)made.weight)[7] = -1;
    refuses(made.graph, GWS_PLACE_DEVICE, 0, GWS_INVALID);
    weighted_free(&made);
    made = add_weights(make_graph(grid, 100, UNDIRECTED), REAL);
    ((float *)made.weight)[7] = -0.5f;
    refuses(made.graph, GWS_PLACE_DEVICE, 0, GWS_INVALID);
    ((float *)made.weight)[7] = NAN;
    refuses(made.graph, GWS_PLACE_DEVICE, 0, GWS_INVALID);
    ((float *)made.weight)[7] = INFINITY;
    refuses(made.graph, GWS_PLACE_DEVICE, 0, GWS_INVALID);
    weighted_free(&made);
    gws_sssp_device_close(NULL);
}

/* The first search has distances of 32 bits, the second one needs 64, and the third one keeps them. */
DEVICE_TEST(large_distances_need_64_bits)
{
    static const struct {
        uint32_t source;
        uint64_t bytes;
    } step[] = {{299, 4}, {0, 8}, {299, 8}};
    struct weighted made = add_weights(make_graph(path, 300, DIRECTED), LARGE);
    struct gws_sssp_device *search = NULL;
    struct gws_sssp_result result = {0};
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(made.graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_sssp_device_open(on_device, NULL, &search, &where), GWS_OK);
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        gws_status status = gws_sssp_device_run(search, step[i].source, &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
        ck_assert_uint_eq(gws_device_buffer_bytes(gws_sssp_device_distances(search)), 300 * step[i].bytes);
        ck_assert_int_eq(gws_sssp_device_fetch(search, &result, &where), GWS_OK);
        status = gws_sssp_check(runtime, made.graph, &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
    }
    gws_sssp_result_clear(&result);
    gws_sssp_device_close(search);
    gws_device_graph_close(on_device);
    weighted_free(&made);
}

/* Makes the k-th allocation on the host fail in the run that changes to 64 bits. Returns whether there was one. The
 * next run succeeds. */
static bool fails_once(struct gws_test_memory *memory, struct gws_device_graph *on_device, uint64_t k)
{
    struct gws_sssp_device *search = NULL;
    struct gws_sssp_result result = {0};
    ck_assert_int_eq(gws_sssp_device_open(on_device, NULL, &search, NULL), GWS_OK);
    ck_assert_int_eq(gws_sssp_device_run(search, 299, &result, NULL), GWS_OK);
    memory->fail_at = atomic_load(&memory->calls) + k;
    atomic_store(&memory->failed, false);
    gws_status status = gws_sssp_device_run(search, 0, &result, NULL);
    bool failed = atomic_load(&memory->failed);
    memory->fail_at = 0;
    ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
    if (failed) ck_assert_int_eq(gws_sssp_device_fetch(search, &result, NULL), GWS_INVALID);
    ck_assert(!failed || result.source == 299);
    ck_assert_int_eq(gws_sssp_device_run(search, 0, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.reached, 300);
    ck_assert_uint_eq(gws_device_buffer_bytes(gws_sssp_device_distances(search)), 300 * 8);
    gws_sssp_result_clear(&result);
    gws_sssp_device_close(search);
    return failed;
}

DEVICE_TEST(short_memory_for_64_bits_is_reported)
{
    struct weighted made = add_weights(make_graph(path, 300, DIRECTED), LARGE);
    struct gws_test_memory memory = {.fail_at = 0};
    struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
    struct gws_runtime *small = NULL;
    struct gws_device *other = NULL;
    struct gws_device_graph *on_device = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &small), GWS_OK);
    ck_assert_int_eq(gws_device_open(small, gws_device_describe(device)->address, gws_test_cached(), &other, NULL),
                     GWS_OK);
    ck_assert_int_eq(gws_device_graph_open(small, other, made.graph, NULL, &on_device, NULL), GWS_OK);
    for (uint64_t k = 1; fails_once(&memory, on_device, k);) k += gws_test_step();
    gws_device_graph_close(on_device);
    gws_device_close(other);
    gws_runtime_close(small);
    gws_test_memory_check(&memory);
    weighted_free(&made);
}

int main(void)
{
    const struct gws_test test[] = {{distances_equal_those_of_threads, 1},
                                    {what_devices_cannot_do_is_refused, 1},
                                    {large_distances_need_64_bits, 1},
                                    {short_memory_for_64_bits_is_reported, 1},
                                    {0}};
    return gws_test_run("sssp", test);
}

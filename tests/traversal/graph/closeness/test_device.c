/* SPDX-License-Identifier: MIT */
/* Compares closeness on every device of this machine with serial searches, and in every bit with the threads. */
#include "../../engine/devices.h"

#include "../../../../traversal/closeness_device.h"
#include "values.h"

static void compare_bits(const struct gws_closeness_result *wanted, const struct gws_closeness_result *result)
{
    const uint64_t n = wanted->sources;
    ck_assert_uint_eq(result->vertices, wanted->vertices);
    ck_assert_uint_eq(result->sources, n);
    ck_assert_uint_eq(result->diameter, wanted->diameter);
    ck_assert_uint_eq(result->radius, wanted->radius);
    ck_assert_int_eq(result->source == NULL, wanted->source == NULL);
    if (n == 0) return;
    ck_assert_int_eq(memcmp(result->reached, wanted->reached, n * sizeof *wanted->reached), 0);
    ck_assert_int_eq(memcmp(result->eccentricity, wanted->eccentricity, n * sizeof *wanted->eccentricity), 0);
    ck_assert_int_eq(memcmp(result->total, wanted->total, n * sizeof *wanted->total), 0);
    ck_assert_int_eq(memcmp(result->harmonic, wanted->harmonic, n * sizeof *wanted->harmonic), 0);
    ck_assert_int_eq(memcmp(result->closeness, wanted->closeness, n * sizeof *wanted->closeness), 0);
    if (wanted->source) ck_assert_int_eq(memcmp(result->source, wanted->source, n * sizeof *wanted->source), 0);
}

static void compare_content(const struct gws_closeness_device *closeness, const struct gws_closeness_result *result)
{
    const void *const array[] = {result->reached, result->eccentricity, result->total, result->harmonic};
    for (int i = 0; i < GWS_CLOSENESS_ARRAYS && result->sources > 0; i++) {
        uint64_t bytes = result->sources * (i < GWS_CLOSENESS_TOTAL ? 4 : 8);
        void *content = content_of(gws_closeness_device_buffer(closeness, (enum gws_closeness_array)i), bytes);
        ck_assert_int_eq(memcmp(content, array[i], bytes), 0);
        free(content);
    }
}

static void check_values(struct gws_graph *graph, struct gws_device_graph *on_device,
                         const struct gws_closeness_options *options)
{
    struct gws_closeness_device *closeness = NULL;
    struct gws_closeness_result wanted = {0}, result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_closeness(runtime, graph, options, &wanted), GWS_OK);
    ck_assert_msg(gws_closeness_device_open(on_device, options, &closeness, &where) == GWS_OK, "%s", where.message);
    for (int run = 0; run < 2; run++) {
        ck_assert_msg(gws_closeness_device_run(closeness, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_uint_eq(result.sources, wanted.sources);
        ck_assert_int_eq(gws_closeness_device_fetch(closeness, &result, &where), GWS_OK);
        ck_assert(result.ms >= 0 && result.fetch_ms >= 0);
        compare_bits(&wanted, &result);
        compare_content(closeness, &result);
    }
    compare_entries(graph, options ? options : &(struct gws_closeness_options){0}, &result);
    ck_assert_msg(gws_closeness_check(runtime, graph, options, &result, &where) == GWS_OK, "%s", where.message);
    gws_closeness_result_clear(&wanted);
    gws_closeness_result_clear(&result);
    gws_closeness_device_close(closeness);
}

/* Searches from some vertices, of which some repeat, from samples, and from all vertices of a small graph. A quick run
 * takes the even options for both kinds of one shape, and the odd ones for the next. */
static void check_graph(struct gws_graph *graph)
{
    static size_t turn;
    const size_t step = gws_test_quick() ? 2 : 1;
    const uint32_t last = (uint32_t)graph->vertices - 1, source[] = {last, 0, last / 2, last, last};
    const struct gws_closeness_options options[] = {{.source = source, .sources = 5, .outgoing = true},
                                                    {.samples = 64, .seed = 3},
                                                    {.samples = 150, .seed = 4, .outgoing = true, .unscaled = true},
                                                    {.samples = graph->vertices > 1100 ? 300 : 0}};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    for (size_t i = turn++ / 2 % step; i < sizeof options / sizeof *options; i += step)
        check_values(graph, on_device, &options[i]);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(values_equal_those_of_threads)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int arcs = 0; arcs < arc_kinds; arcs++) {
            if (!shape_runs(s) || (enum arcs)arcs == DIRECTED) continue;
            struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, (enum arcs)arcs);
            check_graph(graph);
            gws_graph_destroy(graph);
        }
}

DEVICE_TEST(generated_graphs_and_long_rows)
{
    static const char *const names[] = {"kron:12", "road:5000"};
    for (int i = 0; i < 2; i++) {
        struct gws_graph *graph = generate(names[i]);
        check_graph(graph);
        gws_graph_destroy(graph);
    }
    for (int arcs = 0; arcs < 2; arcs++) { /* the hub has a long row */
        struct gws_graph *graph = make_graph(star, 9000, arcs ? DIRECTED_WITH_REVERSE : UNDIRECTED);
        check_graph(graph);
        gws_graph_destroy(graph);
    }
}

DEVICE_TEST(no_vertices_no_sources_little_memory)
{
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED), *some = make_graph(path, 70, UNDIRECTED);
    const uint32_t source[] = {1};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    check_values(graph, on_device, NULL);
    gws_device_graph_close(on_device);
    on_device = open_graph(some, (struct gws_device_graph_options){.without = 0});
    check_values(some, on_device, NULL);
    check_values(some, on_device, &(struct gws_closeness_options){.source = source, .sources = 0});
    gws_device_graph_close(on_device);
    /* With so little memory, batches have 64 sources. */
    on_device = open_graph(some, (struct gws_device_graph_options){.placement = GWS_PLACE_DEVICE, .memory = 5000});
    check_values(some, on_device, NULL);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
    gws_graph_destroy(some);
}

static void refuses(struct gws_graph *graph, struct gws_device_graph_options place,
                    const struct gws_closeness_options *options, gws_status wanted)
{
    struct gws_closeness_device *closeness = NULL;
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, place);
    ck_assert_int_eq(gws_closeness_device_open(on_device, options, &closeness, &where), wanted);
    ck_assert_ptr_null(closeness);
    ck_assert(where.message[0] != '\0');
    gws_device_graph_close(on_device);
}

DEVICE_TEST(bad_arguments_are_refused)
{
    const uint32_t source[] = {3, 100};
    struct gws_closeness_options options = {.source = source, .sources = 2};
    struct gws_graph *graph = make_graph(grid, 100, DIRECTED);
    refuses(graph, (struct gws_device_graph_options){.without = 0}, NULL, GWS_NEEDS_REVERSE);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    refuses(graph, (struct gws_device_graph_options){.without = 0}, &options, GWS_OUT_OF_RANGE);
    refuses(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST}, NULL, GWS_UNSUPPORTED);
    refuses(graph, (struct gws_device_graph_options){.without = GWS_INDEX_ALL}, NULL, GWS_UNSUPPORTED);
    gws_closeness_device_close(NULL);
    gws_graph_destroy(graph);
}

static uint32_t batches, polls, last_poll; /* last_poll: from then on the hook returns true; 0: never */

static bool ask(void *context)
{
    (void)context;
    polls++;
    return last_poll > 0 ? polls >= last_poll : batches > 0;
}

static void count_batch(void *context, const char *work, uint64_t done, uint64_t total)
{
    (void)context;
    if (strcmp(work, "closeness") != 0) return;
    ck_assert_uint_le(done, total);
    batches++;
}

/* Cancels a run of two batches after the first one. */
DEVICE_TEST(a_run_is_cancelled_between_batches)
{
    const struct gws_options with = {.threads = 1, .cancel = ask, .progress = count_batch};
    struct gws_graph *graph = make_graph(grid, 400, UNDIRECTED);
    struct gws_closeness_device *closeness = NULL;
    struct gws_closeness_result result = {0};
    struct gws_diagnostic where = {0};
    batches = 0;
    const struct outer outer = open_inner(&with);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_closeness_device_open(on_device, NULL, &closeness, &where), GWS_OK);
    ck_assert_int_eq(gws_closeness_device_run(closeness, &result, &where), GWS_CANCELLED);
    ck_assert_uint_eq(batches, 1);
    ck_assert_uint_eq(result.sources, 0);
    ck_assert_int_eq(gws_closeness_device_fetch(closeness, &result, &where), GWS_INVALID);
    gws_closeness_device_close(closeness);
    gws_device_graph_close(on_device);
    close_inner(outer);
    gws_graph_destroy(graph);
}

/* Cancels while the kernel searches along a path, which takes a level for each vertex. On a busy machine the kernel may
 * end before the host polls, so there are several tries. */
DEVICE_TEST(a_cancelled_kernel_ends_early)
{
    const uint32_t first = 0;
    const struct gws_options with = {.threads = 1, .cancel = ask};
    const struct gws_closeness_options options = {.source = &first, .sources = 1};
    struct gws_graph *graph = make_graph(path, 30000, UNDIRECTED);
    struct gws_closeness_device *closeness = NULL;
    struct gws_closeness_result result = {0};
    uint32_t levels = UINT32_MAX;
    batches = last_poll = 0;
    const struct outer outer = open_inner(&with);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    ck_assert_int_eq(gws_closeness_device_open(on_device, &options, &closeness, NULL), GWS_OK);
    for (int i = 0; i < 20 && levels >= graph->vertices - 1 && gws_device_describe(device)->max_shared > 0; i++) {
        polls = 0;
        last_poll = 4; /* the call asks when it begins, and before the launch */
        if (gws_closeness_device_run(closeness, &result, NULL) == GWS_OK) continue;
        struct gws_device_buffer *buffer = gws_closeness_device_buffer(closeness, GWS_CLOSENESS_ECCENTRICITY);
        ck_assert_int_eq(gws_device_read(buffer, 0, &levels, sizeof levels, NULL), GWS_OK);
    }
    if (gws_device_describe(device)->max_shared > 0) ck_assert_uint_lt(levels, graph->vertices - 1);
    last_poll = 0;
    ck_assert_int_eq(gws_closeness_device_run(closeness, &result, NULL), GWS_OK);
    ck_assert_int_eq(gws_closeness_device_fetch(closeness, &result, NULL), GWS_OK);
    ck_assert_uint_eq(result.diameter, graph->vertices - 1);
    gws_closeness_result_clear(&result);
    gws_closeness_device_close(closeness);
    gws_device_graph_close(on_device);
    close_inner(outer);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{values_equal_those_of_threads, 1},
                                    {generated_graphs_and_long_rows, 1},
                                    {no_vertices_no_sources_little_memory, 1},
                                    {bad_arguments_are_refused, 1},
                                    {a_run_is_cancelled_between_batches, 1},
                                    {a_cancelled_kernel_ends_early, 1},
                                    {0}};
    return gws_test_run("closeness_device", test);
}

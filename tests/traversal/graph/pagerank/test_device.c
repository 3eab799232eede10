/* SPDX-License-Identifier: MIT */
/* Compares PageRank on every device of this machine with the oracle, and runs the checker. */
#include "ranks.h"

#include "../../../../traversal/pagerank_device.h"

static void build_index(const struct gws_graph *graph, struct gws_pagerank_device *pagerank)
{
    for (int call = 0; call < 2; call++) {
        double ms = -1;
        uint64_t bytes = 0;
        ck_assert_int_eq(gws_pagerank_device_order(pagerank, &ms, &bytes, NULL), GWS_OK);
        ck_assert_double_ge(ms, 0);
        ck_assert_uint_eq(bytes, 16 * graph->vertices + 8 + 4 * graph->arcs);
    }
}

/* The ranks of an index must be bitwise equal to those without it. */
static void check_ranks(struct gws_graph *graph, struct gws_device_graph *on_device,
                        const struct gws_pagerank_options *options, bool indexed)
{
    struct gws_pagerank_device *pagerank = NULL;
    struct gws_pagerank_result result = {0};
    struct gws_diagnostic where = {0};
    double *wanted = rank_serially(graph, options, options->tolerance < 0 ? options->max_iterations : 200);
    double *first = calloc(graph->vertices + 1, sizeof *first);
    ck_assert_msg(gws_pagerank_device_open(on_device, options, &pagerank, &where) == GWS_OK, "%s", where.message);
    for (int run = 0; run < (indexed ? 3 : 2); run++) {
        gws_pagerank_result_clear(&result);
        if (run == 2) build_index(graph, pagerank);
        ck_assert_msg(gws_pagerank_device_run(pagerank, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_int_eq(gws_pagerank_device_fetch(pagerank, &result, &where), GWS_OK);
        ck_assert_msg(gws_pagerank_check(runtime, graph, options, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_int_eq(result.converged, options->tolerance >= 0);
        double bound = options->tolerance < 0 ? 1e-12 : (result.error + 2.5e-7) * 6;
        ck_assert_double_le(distance(result.rank, wanted, graph->vertices), bound);
        double *content = content_of(gws_pagerank_device_buffer(pagerank), graph->vertices * sizeof *content);
        ck_assert_int_eq(memcmp(content, result.rank, graph->vertices * sizeof *content), 0);
        free(content);
        if (run == 0) memcpy(first, result.rank, graph->vertices * sizeof *first);
        ck_assert_int_eq(memcmp(first, result.rank, graph->vertices * sizeof *first), 0);
    }
    free(first);
    free(wanted);
    gws_pagerank_result_clear(&result);
    gws_pagerank_device_close(pagerank);
}

/* A quick run takes the even options for both kinds of one shape, and the odd ones for the next shape. */
static void check_graph(struct gws_graph *graph)
{
    static size_t turn;
    const size_t step = gws_test_quick() ? 2 : 1;
    const uint32_t last = (uint32_t)graph->vertices - 1, source[] = {0, last, last / 2, last};
    const struct gws_pagerank_options options[] = {{.tolerance = 0},
                                                   {.tolerance = -1, .max_iterations = 5},
                                                   {.tolerance = 1e-10, .source = source, .sources = 4},
                                                   {.damping = 0.5, .source = source, .sources = 4}};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    for (size_t i = turn++ / 2 % step; i < sizeof options / sizeof *options; i += step)
        check_ranks(graph, on_device, &options[i], i % 2 == 0);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(ranks_are_right)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int directed = 0; directed < 2; directed++) {
            if (!shape_runs(s)) continue;
            struct gws_graph *graph =
                make_graph(shapes[s].make, shapes[s].vertices, directed ? DIRECTED_WITH_REVERSE : UNDIRECTED);
            check_graph(graph);
            gws_graph_destroy(graph);
        }
    struct gws_graph *graph = make_graph(star, 9000, UNDIRECTED); /* the hub has a heavy row */
    check_graph(graph);
    gws_graph_destroy(graph);
}

DEVICE_TEST(an_empty_graph)
{
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    check_ranks(graph, on_device, &(const struct gws_pagerank_options){.damping = 0.5}, true);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

static void refuses(struct gws_graph *graph, struct gws_device_graph_options place,
                    const struct gws_pagerank_options *options, gws_status wanted)
{
    struct gws_device_graph *on_device = open_graph(graph, place);
    struct gws_pagerank_device *pagerank = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_pagerank_device_open(on_device, options, &pagerank, &where), wanted);
    ck_assert_ptr_null(pagerank);
    ck_assert(where.message[0]);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(refusals)
{
    static const uint32_t outside = 100;
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED), *directed = make_graph(grid, 100, DIRECTED);
    const struct gws_device_graph_options none = {.without = 0}, host = {.placement = GWS_PLACE_HOST};
    refuses(graph, host, NULL, GWS_UNSUPPORTED);
    refuses(directed, none, NULL, GWS_NEEDS_REVERSE);
    refuses(graph, none, &(const struct gws_pagerank_options){.damping = 1}, GWS_INVALID);
    refuses(graph, none, &(const struct gws_pagerank_options){.source = &outside, .sources = 1}, GWS_OUT_OF_RANGE);
    gws_pagerank_device_close(NULL);
    gws_graph_destroy(graph);
    gws_graph_destroy(directed);
}

int main(void)
{
    const struct gws_test test[] = {{ranks_are_right, 1}, {an_empty_graph, 1}, {refusals, 1}, {0}};
    return gws_test_run("pagerank", test);
}

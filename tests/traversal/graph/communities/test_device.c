/* SPDX-License-Identifier: MIT */
/* Compares communities on every device of this machine with those of threads, which must be equal in every bit. */
#include "../../engine/devices.h"

#include "../../../../traversal/communities_device.h"

static void equal_threads(struct gws_graph *graph, struct gws_device_graph *on_device,
                          const struct gws_communities_options *options)
{
    struct gws_communities_result wanted = {0}, result = {0};
    struct gws_communities_device *communities = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_communities(runtime, graph, options, &wanted), GWS_OK);
    ck_assert_msg(gws_communities_device_open(on_device, options, &communities, &where) == GWS_OK, "%s", where.message);
    ck_assert_int_eq(gws_communities_device_fetch(communities, &result, &where), GWS_INVALID);
    for (int run = 0; run < 2; run++) {
        gws_communities_result_clear(&result);
        ck_assert_msg(gws_communities_device_run(communities, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_int_eq(gws_communities_device_fetch(communities, &result, &where), GWS_OK);
        ck_assert_uint_eq(result.vertices, graph->vertices);
        ck_assert_uint_eq(result.count, wanted.count);
        ck_assert_uint_eq(result.largest, wanted.largest);
        ck_assert_uint_eq(result.levels, wanted.levels);
        ck_assert(result.modularity == wanted.modularity);
        uint64_t bytes = graph->vertices * sizeof *wanted.community;
        ck_assert_int_eq(memcmp(result.community, wanted.community, bytes), 0);
        uint32_t *content = content_of(gws_communities_device_buffer(communities), bytes);
        ck_assert_int_eq(memcmp(content, result.community, bytes), 0);
        free(content);
    }
    gws_communities_result_clear(&wanted);
    gws_communities_result_clear(&result);
    gws_communities_device_close(communities);
}

/* Runs two of the options, because opening takes long. */
static void check_graph(struct gws_graph *graph, size_t which)
{
    const struct gws_communities_options options[] = {
        {.method = GWS_COMMUNITIES_LEIDEN},
        {.method = GWS_COMMUNITIES_LOUVAIN, .max_levels = 1},
        {.method = GWS_COMMUNITIES_CDLP},
        {.method = GWS_COMMUNITIES_LOUVAIN},
        {.method = GWS_COMMUNITIES_CDLP, .iterations = 60},
        {.method = GWS_COMMUNITIES_LEIDEN, .resolution = 0.4, .passes = 3, .ignore_weights = true}};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    equal_threads(graph, on_device, &options[which % 3]);
    equal_threads(graph, on_device, &options[which % 3 + 3]);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(shapes_are_partitioned)
{
    for (size_t s = 0; s < shape_count; s++) {
        if (!shape_runs(s)) continue;
        struct gws_graph *graph =
            make_graph(shapes[s].make, shapes[s].vertices, s % 2 ? DIRECTED_WITH_REVERSE : UNDIRECTED);
        check_graph(graph, s);
        gws_graph_destroy(graph);
    }
}

/* Graphs with more work than one group does alone. */
DEVICE_TEST(hubs_and_meshes)
{
    static const struct {
        const char *graph;
        struct gws_communities_options options;
    } run[] = {{"kron:10:16", {.method = GWS_COMMUNITIES_LEIDEN, .passes = 1}}, /* rows of all lengths */
               {"kron:10:16", {.method = GWS_COMMUNITIES_CDLP}},
               {"grid:70x60", {.method = GWS_COMMUNITIES_CDLP, .iterations = 25}}}; /* late ones change few labels */
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        struct gws_graph *graph = generate(run[i].graph);
        struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
        equal_threads(graph, on_device, &run[i].options);
        gws_device_graph_close(on_device);
        gws_graph_destroy(graph);
    }
}

/* Weights of all types. The large ones add up to more than 2^31 - 1, so the levels have weights of 64 bits. */
DEVICE_TEST(weights_count)
{
    struct gws_graph *graph = generate("kron:9:6");
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, i ? 1 << 27 : 0, i ? 1 << 30 : 5, 3), GWS_OK);
        check_graph(graph, 0);
    }
    float *real = malloc(graph->arcs * sizeof *real);
    for (uint64_t a = 0; a < graph->arcs; a++) real[a] = (float)graph->weight[a] / 7e8F;
    const int32_t *weight = graph->weight;
    graph->weight = NULL;
    graph->real_weight = real;
    check_graph(graph, 0);
    graph->weight = weight;
    graph->real_weight = NULL;
    free(real);
    gws_graph_destroy(graph);
}

DEVICE_TEST(an_empty_graph)
{
    struct gws_graph *graph = make_graph(nothing, 0, UNDIRECTED);
    check_graph(graph, 2);
    gws_graph_destroy(graph);
}

static void refuses(struct gws_graph *graph, struct gws_device_graph_options place,
                    const struct gws_communities_options *options, gws_status wanted)
{
    struct gws_device_graph *on_device = open_graph(graph, place);
    struct gws_communities_device *communities = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_communities_device_open(on_device, options, &communities, &where), wanted);
    ck_assert_ptr_null(communities);
    ck_assert(where.message[0]);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(refusals)
{
    struct gws_graph *graph = make_graph(grid, 100, UNDIRECTED), *directed = make_graph(grid, 100, DIRECTED);
    const struct gws_device_graph_options none = {.without = 0}, host = {.placement = GWS_PLACE_HOST};
    refuses(graph, host, NULL, GWS_UNSUPPORTED);
    refuses(directed, none, NULL, GWS_NEEDS_REVERSE);
    refuses(graph, none, &(const struct gws_communities_options){.resolution = -1}, GWS_INVALID);
    ck_assert_int_eq(gws_graph_draw_weights(runtime, graph, 1, 9, 3), GWS_OK);
    int32_t *weight = malloc(graph->arcs * sizeof *weight);
    const int32_t *drawn = graph->weight;
    memcpy(weight, drawn, graph->arcs * sizeof *weight);
    weight[7] = -1;
    graph->weight = weight;
    refuses(graph, none, NULL, GWS_INVALID);
    graph->weight = drawn;
    free(weight);
    gws_communities_device_close(NULL);
    gws_graph_destroy(graph);
    gws_graph_destroy(directed);
}

int main(void)
{
    const struct gws_test test[] = {{shapes_are_partitioned, 1}, {hubs_and_meshes, 1}, {weights_count, 1},
                                    {an_empty_graph, 1},         {refusals, 1},        {0}};
    return gws_test_run("communities", test);
}

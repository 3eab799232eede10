/* SPDX-License-Identifier: MIT */
/* The calls of tests/calls.h that run algorithms on graphs, and their checks. */
#include "harness.h"

#include "calls.h"

/* Defines a call that runs an algorithm and checks its result. */
#define CHECKED(name, algorithm, run, check, number)                                                                   \
    GWS_TEST_CALL(name)                                                                                                \
    {                                                                                                                  \
        struct gws_##algorithm##_result result = {0};                                                                  \
        gws_status status = run;                                                                                       \
        if (status == GWS_OK) status = check;                                                                          \
        if (status == GWS_OK) *answer = number;                                                                        \
        gws_##algorithm##_result_clear(&result);                                                                       \
        return status;                                                                                                 \
    }
#define FOUND(name, algorithm, run, number) CHECKED(name, algorithm, run, GWS_OK, number)
#define gws_diameter_result_clear(result) (void)(result)

static const struct gws_components_options strong = {.strong = true};
static const struct gws_betweenness_options more = {.samples = 20, .seed = 3}, few = {.samples = 5, .seed = 3};
static const struct gws_communities_options by_louvain = {.method = GWS_COMMUNITIES_LOUVAIN},
                                            by_cdlp = {.method = GWS_COMMUNITIES_CDLP};

FOUND(bfs, bfs, gws_bfs(runtime, world->graph, 1, NULL, &result), result.reached + result.levels * (uint64_t)1000000)
CHECKED(bfs_check, bfs, gws_bfs(runtime, world->graph, 1, NULL, &result),
        gws_bfs_check(runtime, world->graph, &result, NULL), result.reached)
FOUND(sssp, sssp, gws_sssp(runtime, world->graph, 1, NULL, &result, NULL),
      result.reached + (uint64_t)(result.max_distance * 1e6))
FOUND(path, path, gws_path(runtime, world->graph, 1, (uint32_t)world->graph->vertices - 1, NULL, &result, NULL),
      result.length ? result.distance[result.length - 1] : 0)
FOUND(components, components, gws_components(runtime, world->graph, NULL, &result),
      result.components + result.largest * 1000000)
FOUND(triangles, triangles, gws_triangles(runtime, world->graph, NULL, &result), result.triangles)
FOUND(cores, cores, gws_cores(runtime, world->graph, &result), result.max_core)
FOUND(betweenness, betweenness, gws_betweenness(runtime, world->graph, &more, &result), result.reached)
FOUND(closeness, closeness, gws_closeness(runtime, world->graph, NULL, &result), result.diameter)
FOUND(diameter, diameter, gws_diameter(runtime, world->graph, &result), result.diameter)
FOUND(leiden, communities, gws_communities(runtime, world->graph, NULL, &result), result.vertices)
FOUND(louvain, communities, gws_communities(runtime, world->graph, &by_louvain, &result), result.vertices)
FOUND(cdlp, communities, gws_communities(runtime, world->graph, &by_cdlp, &result), result.vertices)

static gws_status add_reached(void *reached, uint64_t index, const struct gws_bfs_result *result)
{
    (void)index;
    *(uint64_t *)reached += result->reached;
    return GWS_OK;
}

GWS_TEST_CALL(bfs_many)
{
    static const uint32_t source[] = {1, 2, 3};
    *answer = 0;
    return gws_bfs_many(runtime, world->graph, source, 3, NULL, add_reached, answer);
}

static gws_status add_counts(void *reached, const struct gws_bfs_batch_level *level)
{
    for (uint32_t i = 0; i < level->sources; i++) *(uint64_t *)reached += level->count[i];
    return GWS_OK;
}

GWS_TEST_CALL(bfs_batch)
{
    static const uint32_t source[] = {1, 2, 3};
    *answer = 0;
    return gws_bfs_batch(runtime, world->graph, source, 3, false, add_counts, answer);
}

GWS_TEST_CALL(label_propagation)
{
    struct gws_label_propagation_result result = {.label = calloc(world->graph->vertices, sizeof *result.label)};
    gws_status status = gws_label_propagation(runtime, world->graph, &result);
    *answer = result.roots;
    free(result.label);
    return status;
}

GWS_TEST_CALL(pagerank)
{
    const struct gws_pagerank_options options = {.max_iterations = 7, .tolerance = -1};
    struct gws_pagerank_result result = {0};
    double sum = 0;
    gws_status status = gws_pagerank(runtime, world->graph, &options, &result);
    for (uint64_t v = 0; status == GWS_OK && v < result.vertices; v++) sum += result.rank[v];
    *answer = (uint64_t)(sum * 1000 + 0.5);
    gws_pagerank_result_clear(&result);
    return status;
}

CHECKED(sssp_check, sssp, gws_sssp(runtime, world->graph, 1, NULL, &result, NULL),
        gws_sssp_check(runtime, world->graph, &result, NULL), result.reached)
CHECKED(path_check, path, gws_path(runtime, world->graph, 1, 2, NULL, &result, NULL),
        gws_path_check(runtime, world->graph, &result, NULL), result.length)
CHECKED(components_check, components, gws_components(runtime, world->graph, NULL, &result),
        gws_components_check(runtime, world->graph, NULL, &result, NULL), result.components)
CHECKED(strong_check, components, gws_components(runtime, world->directed, &strong, &result),
        gws_components_check(runtime, world->directed, &strong, &result, NULL), result.components)
CHECKED(pagerank_check, pagerank, gws_pagerank(runtime, world->graph, NULL, &result),
        gws_pagerank_check(runtime, world->graph, NULL, &result, NULL), result.vertices)
CHECKED(betweenness_check, betweenness, gws_betweenness(runtime, world->graph, &few, &result),
        gws_betweenness_check(runtime, world->graph, &few, &result, NULL), result.reached)
CHECKED(closeness_check, closeness, gws_closeness(runtime, world->graph, NULL, &result),
        gws_closeness_check(runtime, world->graph, NULL, &result, NULL), result.diameter)
CHECKED(diameter_check, diameter, gws_diameter(runtime, world->graph, &result),
        gws_diameter_check(runtime, world->graph, &result, NULL), result.diameter)
CHECKED(triangles_check, triangles, gws_triangles(runtime, world->graph, NULL, &result),
        gws_triangles_check(runtime, world->graph, &result, NULL), result.triangles)
CHECKED(cores_check, cores, gws_cores(runtime, world->graph, &result),
        gws_cores_check(runtime, world->graph, &result, NULL), result.max_core)
CHECKED(leiden_check, communities, gws_communities(runtime, world->graph, NULL, &result),
        gws_communities_check(runtime, world->graph, NULL, &result, NULL), result.vertices)
CHECKED(cdlp_check, communities, gws_communities(runtime, world->graph, &by_cdlp, &result),
        gws_communities_check(runtime, world->graph, &by_cdlp, &result, NULL), result.vertices)

const struct gws_test_call gws_test_algorithm_calls[] = {GWS_TEST_ROW(bfs),
                                                         GWS_TEST_ROW(bfs_check),
                                                         GWS_TEST_ROW(sssp),
                                                         GWS_TEST_ROW(path),
                                                         GWS_TEST_ROW(components),
                                                         GWS_TEST_ROW(triangles),
                                                         GWS_TEST_ROW(cores),
                                                         GWS_TEST_ROW(closeness),
                                                         GWS_TEST_ROW(diameter),
                                                         GWS_TEST_ROW(bfs_many),
                                                         GWS_TEST_ROW(bfs_batch),
                                                         GWS_TEST_ROW(label_propagation),
                                                         GWS_TEST_ROW(pagerank),
                                                         GWS_TEST_ROW(betweenness),
                                                         GWS_TEST_ROW(leiden),
                                                         GWS_TEST_ROW(louvain),
                                                         GWS_TEST_ROW(cdlp),
                                                         GWS_TEST_ROW(sssp_check),
                                                         GWS_TEST_ROW(path_check),
                                                         GWS_TEST_ROW(components_check),
                                                         GWS_TEST_ROW(strong_check),
                                                         GWS_TEST_ROW(pagerank_check),
                                                         GWS_TEST_ROW(betweenness_check),
                                                         GWS_TEST_ROW(closeness_check),
                                                         GWS_TEST_ROW(diameter_check),
                                                         GWS_TEST_ROW(triangles_check),
                                                         GWS_TEST_ROW(cores_check),
                                                         GWS_TEST_ROW(leiden_check),
                                                         GWS_TEST_ROW(cdlp_check),
                                                         {0}};

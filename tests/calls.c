/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "../workloads/quicksort.h"
#include "../workloads/uts.h"
#include "calls.h"

#define CALL(name) GWS_TEST_CALL(name)
#define UNUSED (void)world, (void)label

/* ---- graphs ---- */

static uint64_t sum_of(const struct gws_graph *graph)
{
    uint64_t sum = graph->vertices;
    for (uint64_t a = 0; a < graph->arcs; a++) sum += a * graph->target[a];
    return sum;
}

gws_status gws_test_made(struct gws_graph *graph, gws_status status, uint64_t *answer)
{
    if (status == GWS_OK) *answer = sum_of(graph);
    if (status == GWS_OK) gws_graph_destroy(graph);
    return status;
}

CALL(generate)
{
    struct gws_graph *graph = NULL;
    UNUSED;
    gws_status status = gws_graph_generate(runtime, "road:3000", &graph, NULL);
    return gws_test_made(graph, status, answer);
}

CALL(symmetrise)
{
    struct gws_graph *graph = NULL;
    UNUSED;
    gws_status status = gws_graph_symmetrise(runtime, world->graph, &graph);
    return gws_test_made(graph, status, answer);
}

static gws_status relabel(struct gws_runtime *runtime, const struct gws_graph *from, enum gws_order order,
                          uint64_t *answer)
{
    uint32_t *new_of_old = gws_allocate(runtime, from->vertices, sizeof *new_of_old);
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_order(runtime, from, order, 0, new_of_old);
    if (status == GWS_OK) status = gws_graph_relabel(runtime, from, new_of_old, from->vertices, &graph);
    gws_release(runtime, new_of_old, from->vertices, sizeof *new_of_old);
    return gws_test_made(graph, status, answer);
}

CALL(order)
{
    UNUSED;
    return relabel(runtime, world->graph, GWS_ORDER_DEGREE, answer);
}

CALL(order_rcm)
{
    UNUSED;
    return relabel(runtime, world->graph, GWS_ORDER_RCM, answer);
}

CALL(order_hilbert)
{
    struct gws_graph *graph = NULL;
    UNUSED;
    gws_status status = gws_graph_generate(runtime, "grid:40x30", &graph, NULL);
    if (status == GWS_OK) status = relabel(runtime, graph, GWS_ORDER_HILBERT, answer);
    gws_graph_destroy(graph);
    return status;
}

CALL(simplify)
{
    struct gws_graph *graph = NULL;
    UNUSED;
    gws_status status = gws_graph_generate(runtime, "kron:9", &graph, NULL);
    if (status == GWS_OK) status = gws_graph_simplify(runtime, true, true, &graph);
    if (status == GWS_OK) return gws_test_made(graph, status, answer);
    gws_graph_destroy(graph);
    return status;
}

CALL(largest_component)
{
    struct gws_graph *graph = NULL;
    UNUSED;
    gws_status status = gws_graph_largest_component(runtime, world->graph, &graph);
    return gws_test_made(graph, status, answer);
}

CALL(wrap)
{
    const struct gws_graph *from = world->graph;
    struct gws_graph *graph = NULL;
    UNUSED;
    gws_status status = gws_graph_wrap(runtime, from->vertices, from->offset, from->target, NULL, false, false, &graph);
    return gws_test_made(graph, status, answer);
}

CALL(graph_components)
{
    uint64_t count = 0;
    uint32_t *component = gws_allocate(runtime, world->graph->vertices, sizeof *component);
    UNUSED;
    if (!component) return GWS_NO_MEMORY;
    gws_status status = gws_graph_components(runtime, world->graph, component, &count);
    gws_release(runtime, component, world->graph->vertices, sizeof *component);
    *answer = count;
    return status;
}

CALL(gaps)
{
    struct gws_graph_gaps gaps;
    UNUSED;
    gws_status status = gws_graph_gaps(runtime, world->graph, &gaps);
    *answer = status == GWS_OK ? gaps.median : 0;
    return status;
}

CALL(summarise)
{
    struct gws_graph_summary summary;
    UNUSED;
    gws_status status = gws_graph_summarise(runtime, world->graph, &summary);
    *answer = summary.max_degree;
    return status;
}

/* ---- algorithms ---- */

CALL(bfs)
{
    struct gws_bfs_result result = {0};
    UNUSED;
    gws_status status = gws_bfs(runtime, world->graph, 1, NULL, &result);
    if (status == GWS_OK) *answer = result.reached + result.levels * (uint64_t)1000000;
    gws_bfs_result_clear(&result);
    return status;
}

CALL(bfs_check)
{
    struct gws_bfs_result result = {0};
    UNUSED;
    gws_status status = gws_bfs(runtime, world->graph, 1, NULL, &result);
    if (status == GWS_OK) status = gws_bfs_check(runtime, world->graph, &result, NULL);
    if (status == GWS_OK) *answer = result.reached;
    gws_bfs_result_clear(&result);
    return status;
}

static gws_status add_reached(void *reached, uint64_t index, const struct gws_bfs_result *result)
{
    (void)index;
    *(uint64_t *)reached += result->reached;
    return GWS_OK;
}

CALL(bfs_many)
{
    static const uint32_t source[] = {1, 2, 3};
    UNUSED;
    *answer = 0;
    return gws_bfs_many(runtime, world->graph, source, 3, NULL, add_reached, answer);
}

static gws_status add_counts(void *reached, const struct gws_bfs_batch_level *level)
{
    for (uint32_t i = 0; i < level->sources; i++) *(uint64_t *)reached += level->count[i];
    return GWS_OK;
}

CALL(bfs_batch)
{
    static const uint32_t source[] = {1, 2, 3};
    UNUSED;
    *answer = 0;
    return gws_bfs_batch(runtime, world->graph, source, 3, false, add_counts, answer);
}

CALL(label_propagation)
{
    struct gws_label_propagation_result result = {.label = calloc(world->graph->vertices, sizeof *result.label)};
    UNUSED;
    gws_status status = gws_label_propagation(runtime, world->graph, &result);
    *answer = result.roots;
    free(result.label);
    return status;
}

CALL(sssp)
{
    struct gws_sssp_result result = {0};
    UNUSED;
    gws_status status = gws_sssp(runtime, world->graph, 1, NULL, &result, NULL);
    if (status == GWS_OK) *answer = result.reached + (uint64_t)(result.max_distance * 1e6);
    gws_sssp_result_clear(&result);
    return status;
}

CALL(path)
{
    struct gws_path_result result = {0};
    UNUSED;
    gws_status status = gws_path(runtime, world->graph, 1, (uint32_t)world->graph->vertices - 1, NULL, &result, NULL);
    if (status == GWS_OK) *answer = result.length ? result.distance[result.length - 1] : 0;
    gws_path_result_clear(&result);
    return status;
}

CALL(components)
{
    struct gws_components_result result = {0};
    UNUSED;
    gws_status status = gws_components(runtime, world->graph, NULL, &result);
    if (status == GWS_OK) *answer = result.components + result.largest * 1000000;
    gws_components_result_clear(&result);
    return status;
}

CALL(pagerank)
{
    const struct gws_pagerank_options options = {.max_iterations = 7, .tolerance = -1};
    struct gws_pagerank_result result = {0};
    double sum = 0;
    UNUSED;
    gws_status status = gws_pagerank(runtime, world->graph, &options, &result);
    for (uint64_t v = 0; status == GWS_OK && v < result.vertices; v++) sum += result.rank[v];
    *answer = (uint64_t)(sum * 1000 + 0.5);
    gws_pagerank_result_clear(&result);
    return status;
}

CALL(triangles)
{
    struct gws_triangles_result result = {0};
    UNUSED;
    gws_status status = gws_triangles(runtime, world->graph, NULL, &result);
    if (status == GWS_OK) *answer = result.triangles;
    gws_triangles_result_clear(&result);
    return status;
}

CALL(cores)
{
    struct gws_cores_result result = {0};
    UNUSED;
    gws_status status = gws_cores(runtime, world->graph, &result);
    if (status == GWS_OK) *answer = result.max_core;
    gws_cores_result_clear(&result);
    return status;
}

CALL(betweenness)
{
    const struct gws_betweenness_options options = {.samples = 20, .seed = 3};
    struct gws_betweenness_result result = {0};
    UNUSED;
    gws_status status = gws_betweenness(runtime, world->graph, &options, &result);
    if (status == GWS_OK) *answer = result.reached;
    gws_betweenness_result_clear(&result);
    return status;
}

CALL(closeness)
{
    struct gws_closeness_result result = {0};
    UNUSED;
    gws_status status = gws_closeness(runtime, world->graph, NULL, &result);
    if (status == GWS_OK) *answer = result.diameter;
    gws_closeness_result_clear(&result);
    return status;
}

CALL(diameter)
{
    struct gws_diameter_result result = {0};
    UNUSED;
    gws_status status = gws_diameter(runtime, world->graph, &result);
    *answer = result.diameter;
    return status;
}

static gws_status find_communities(struct gws_runtime *runtime, const struct gws_test_world *world,
                                   enum gws_communities_method method, uint64_t *answer)
{
    const struct gws_communities_options options = {.method = method};
    struct gws_communities_result result = {0};
    gws_status status = gws_communities(runtime, world->graph, &options, &result);
    if (status == GWS_OK) *answer = result.vertices;
    gws_communities_result_clear(&result);
    return status;
}

CALL(leiden)
{
    UNUSED;
    return find_communities(runtime, world, GWS_COMMUNITIES_LEIDEN, answer);
}

CALL(louvain)
{
    UNUSED;
    return find_communities(runtime, world, GWS_COMMUNITIES_LOUVAIN, answer);
}

CALL(cdlp)
{
    UNUSED;
    return find_communities(runtime, world, GWS_COMMUNITIES_CDLP, answer);
}

/* ---- checks ---- */

/* Defines a call that runs an algorithm and checks its result. */
#define CHECKED(name, clear, type, run, check, number)                                                                 \
    CALL(name)                                                                                                         \
    {                                                                                                                  \
        struct type result = {0};                                                                                      \
        UNUSED;                                                                                                        \
        gws_status status = run;                                                                                       \
        if (status == GWS_OK) status = check;                                                                          \
        if (status == GWS_OK) *answer = number;                                                                        \
        clear(&result);                                                                                                \
        return status;                                                                                                 \
    }

static const struct gws_components_options strong = {.strong = true};
static const struct gws_betweenness_options few = {.samples = 5, .seed = 3};
static const struct gws_communities_options by_cdlp = {.method = GWS_COMMUNITIES_CDLP};

static void clear_diameter(struct gws_diameter_result *result)
{
    (void)result;
}

CHECKED(sssp_check, gws_sssp_result_clear, gws_sssp_result, gws_sssp(runtime, world->graph, 1, NULL, &result, NULL),
        gws_sssp_check(runtime, world->graph, &result, NULL), result.reached)
CHECKED(path_check, gws_path_result_clear, gws_path_result, gws_path(runtime, world->graph, 1, 2, NULL, &result, NULL),
        gws_path_check(runtime, world->graph, &result, NULL), result.length)
CHECKED(components_check, gws_components_result_clear, gws_components_result,
        gws_components(runtime, world->graph, NULL, &result),
        gws_components_check(runtime, world->graph, NULL, &result, NULL), result.components)
CHECKED(strong_check, gws_components_result_clear, gws_components_result,
        gws_components(runtime, world->directed, &strong, &result),
        gws_components_check(runtime, world->directed, &strong, &result, NULL), result.components)
CHECKED(pagerank_check, gws_pagerank_result_clear, gws_pagerank_result,
        gws_pagerank(runtime, world->graph, NULL, &result),
        gws_pagerank_check(runtime, world->graph, NULL, &result, NULL), result.vertices)
CHECKED(betweenness_check, gws_betweenness_result_clear, gws_betweenness_result,
        gws_betweenness(runtime, world->graph, &few, &result),
        gws_betweenness_check(runtime, world->graph, &few, &result, NULL), result.reached)
CHECKED(closeness_check, gws_closeness_result_clear, gws_closeness_result,
        gws_closeness(runtime, world->graph, NULL, &result),
        gws_closeness_check(runtime, world->graph, NULL, &result, NULL), result.diameter)
CHECKED(diameter_check, clear_diameter, gws_diameter_result, gws_diameter(runtime, world->graph, &result),
        gws_diameter_check(runtime, world->graph, &result, NULL), result.diameter)
CHECKED(triangles_check, gws_triangles_result_clear, gws_triangles_result,
        gws_triangles(runtime, world->graph, NULL, &result), gws_triangles_check(runtime, world->graph, &result, NULL),
        result.triangles)
CHECKED(cores_check, gws_cores_result_clear, gws_cores_result, gws_cores(runtime, world->graph, &result),
        gws_cores_check(runtime, world->graph, &result, NULL), result.max_core)
CHECKED(leiden_check, gws_communities_result_clear, gws_communities_result,
        gws_communities(runtime, world->graph, NULL, &result),
        gws_communities_check(runtime, world->graph, NULL, &result, NULL), result.vertices)
CHECKED(cdlp_check, gws_communities_result_clear, gws_communities_result,
        gws_communities(runtime, world->graph, &by_cdlp, &result),
        gws_communities_check(runtime, world->graph, &by_cdlp, &result, NULL), result.vertices)

/* ---- points and octrees ---- */

static gws_status build(struct gws_runtime *runtime, const struct gws_test_world *world, enum gws_octree_builder how,
                        uint64_t *answer)
{
    const struct gws_octree_options options = {.builder = how};
    struct gws_octree *tree = NULL;
    gws_status status = gws_octree_build(runtime, &world->points, &options, &tree, NULL);
    if (status != GWS_OK) return status;
    *answer = tree->nodes + tree->leaves * 1000000;
    gws_octree_destroy(tree);
    return GWS_OK;
}

CALL(octree_by_task)
{
    UNUSED;
    return build(runtime, world, GWS_OCTREE_BY_TASK, answer);
}

CALL(octree_by_sort)
{
    UNUSED;
    return build(runtime, world, GWS_OCTREE_SORT, answer);
}

CALL(nearest)
{
    double position[3 * 500];
    struct gws_octree_hits hits = {0};
    UNUSED;
    for (int i = 0; i < 3 * 500; i++) position[i] = i * 37 % 101 / 101.0;
    gws_status status = gws_octree_nearest(runtime, world->tree, position, 500, 3, &hits, NULL);
    if (status == GWS_OK) *answer = hits.offset[hits.queries] + hits.point[7] * 1000000;
    gws_octree_hits_clear(&hits);
    return status;
}

/* Defines a call for a query, of which the tree answers many copies. */
#define QUERY(name, type, function, ...)                                                                               \
    CALL(name)                                                                                                         \
    {                                                                                                                  \
        enum { copies = 500 };                                                                                         \
        static const struct type one = __VA_ARGS__;                                                                    \
        struct type query[copies];                                                                                     \
        struct gws_octree_hits hits = {0};                                                                             \
        UNUSED;                                                                                                        \
        for (int i = 0; i < copies; i++) query[i] = one;                                                               \
        gws_status status = function(runtime, world->tree, query, copies, &hits, NULL);                                \
        if (status == GWS_OK) *answer = hits.offset[hits.queries];                                                     \
        gws_octree_hits_clear(&hits);                                                                                  \
        return status;                                                                                                 \
    }

QUERY(in_boxes, gws_octree_box, gws_octree_in_boxes, {{0, 0, 0}, {0.5, 0.5, 0.5}})
QUERY(in_balls, gws_octree_ball, gws_octree_in_balls, {{0.5, 0.5, 0.5}, 0.25})
/* Defines a call for totals of a query, of which the tree answers many copies. */
#define TOTAL(name, type, function, ...)                                                                               \
    CALL(name)                                                                                                         \
    {                                                                                                                  \
        enum { copies = 500 };                                                                                         \
        static const struct type one = __VA_ARGS__;                                                                    \
        struct type query[copies];                                                                                     \
        uint64_t count[copies];                                                                                        \
        UNUSED;                                                                                                        \
        for (int i = 0; i < copies; i++) query[i] = one;                                                               \
        const struct gws_octree_totals totals = {count, NULL, NULL};                                                   \
        gws_status status = function(runtime, world->tree, query, copies, &totals, NULL);                              \
        if (status == GWS_OK) *answer = count[0] + count[copies - 1] * 1000000;                                        \
        return status;                                                                                                 \
    }

TOTAL(count_in_boxes, gws_octree_box, gws_octree_count_in_boxes, {{0, 0, 0}, {0.5, 0.5, 0.5}})
TOTAL(count_in_balls, gws_octree_ball, gws_octree_count_in_balls, {{0.5, 0.5, 0.5}, 0.25})
QUERY(on_rays, gws_octree_ray, gws_octree_first_on_rays, {{0, 0, 0}, {1, 1, 1}, 0.1})

/* Makes points and their tree, and gives the tree copies of the points, or sorts the points. */
static gws_status lay_out(struct gws_runtime *runtime, bool sorts, uint64_t *answer)
{
    struct gws_points points = {0};
    struct gws_octree *tree = NULL;
    gws_status status = gws_points_generate(runtime, "shell:3000", true, &points, NULL);
    if (status == GWS_OK) status = gws_octree_build(runtime, &points, NULL, &tree, NULL);
    if (status == GWS_OK)
        status =
            sorts ? gws_octree_sort_points(runtime, tree, &points) : gws_octree_copy_points(runtime, tree, &points);
    if (status == GWS_OK) *answer = tree->points;
    gws_octree_destroy(tree);
    gws_points_clear(&points);
    return status;
}

CALL(copy_points)
{
    UNUSED;
    return lay_out(runtime, false, answer);
}

CALL(sort_points)
{
    UNUSED;
    return lay_out(runtime, true, answer);
}

CALL(convert)
{
    struct gws_points points = {0};
    UNUSED;
    gws_status status = gws_points_generate(runtime, "uniform:3000", true, &points, NULL);
    if (status == GWS_OK) status = gws_points_convert(runtime, &points, false);
    if (status == GWS_OK) *answer = points.count;
    gws_points_clear(&points);
    return status;
}

CALL(points)
{
    struct gws_points points = {0};
    UNUSED;
    gws_status status = gws_points_generate(runtime, "gauss:5000", true, &points, NULL);
    if (status == GWS_OK) *answer = points.count;
    gws_points_clear(&points);
    return status;
}

CALL(octree_check)
{
    struct gws_octree *tree = NULL;
    UNUSED;
    gws_status status = gws_octree_build(runtime, &world->points, NULL, &tree, NULL);
    if (status == GWS_OK) status = gws_octree_check(runtime, &world->points, tree, NULL);
    if (status == GWS_OK) *answer = tree->nodes;
    gws_octree_destroy(tree);
    return status;
}

/* Builds the trees of a function, and checks them or computes their errors. */
static gws_status run_madness(struct gws_runtime *runtime, bool checks, uint64_t *answer)
{
    struct gws_madness_body body = {.factor = 0.7, .sharpness = 1};
    struct gws_madness_problem problem;
    struct gws_madness_tree *tree = NULL;
    double error;
    gws_madness_defaults(&problem);
    problem.functions = 1;
    problem.values = gws_madness_gaussian;
    problem.context = &body;
    problem.order = 3;
    problem.threshold = 1e-2;
    for (int a = 0; a < 3; a++) {
        problem.low[a] = -5;
        problem.high[a] = 5;
    }
    gws_status status = checks ? gws_madness_build(runtime, &problem, &tree, NULL)
                               : gws_madness_build_on_ranks(runtime, NULL, &problem, &tree, NULL);
    if (status == GWS_OK)
        status = checks ? gws_madness_check(runtime, &problem, tree, NULL)
                        : gws_madness_error(runtime, &problem, tree, &error);
    if (status == GWS_OK) *answer = tree->boxes;
    gws_madness_destroy(tree);
    return status;
}

CALL(madness_check)
{
    UNUSED;
    return run_madness(runtime, true, answer);
}

CALL(madness_error)
{
    UNUSED;
    return run_madness(runtime, false, answer);
}

CALL(md)
{
    const struct gws_md_options options = {.cutoff = 1};
    struct gws_md *md = NULL;
    struct gws_md_result result = {0};
    struct gws_points later = {0};
    UNUSED;
    gws_status status = gws_md_open(runtime, &world->atoms, &options, &md, NULL);
    if (status == GWS_OK) status = gws_md_run(md, 2, &result, NULL);
    if (status == GWS_OK) status = gws_md_fetch(md, &later);
    if (status == GWS_OK) status = gws_md_check(runtime, &later, &options, &result, result.momentum, NULL);
    if (status == GWS_OK) *answer = result.neighbours;
    gws_points_clear(&later);
    gws_md_close(md);
    return status;
}

CALL(md_begin)
{
    const struct gws_md_start start = {.atoms = 2000, .gauss = true};
    struct gws_points atoms = {0};
    double low[3], high[3];
    UNUSED;
    gws_status status = gws_md_begin(runtime, &start, &atoms, low, high);
    if (status == GWS_OK) *answer = atoms.count;
    gws_points_clear(&atoms);
    return status;
}

/* ---- tasks ---- */

CALL(tasks)
{
    struct gws_uts_tree tree = gws_uts_named("T1")->tree;
    struct gws_uts_result result = {0};
    UNUSED;
    tree.depth = 6;
    gws_status status = gws_uts_search(runtime, &tree, NULL, &result);
    *answer = result.nodes;
    return status;
}

CALL(quicksort)
{
    enum { count = 20000 };
    const struct gws_quicksort_options options = {0};
    struct gws_quicksort_result result = {0};
    uint64_t *keys = malloc(count * sizeof *keys);
    UNUSED;
    for (uint64_t i = 0; i < count; i++) keys[i] = i * 7919 % count;
    gws_status status = gws_quicksort(runtime, keys, count, &options, &result);
    for (uint64_t i = 0; status == GWS_OK && i < count; i++)
        if (keys[i] != i) ck_abort_msg("key %llu", (unsigned long long)i);
    *answer = 0;
    free(keys);
    return status;
}

/* ---- the table ---- */

#define ROW(name)                                                                                                      \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct gws_test_call table[] = {
    ROW(generate),
    ROW(symmetrise),
    ROW(order),
    ROW(order_rcm),
    ROW(order_hilbert),
    ROW(simplify),
    ROW(largest_component),
    ROW(wrap),
    ROW(graph_components),
    ROW(gaps),
    ROW(summarise),
    ROW(bfs),
    ROW(bfs_check),
    ROW(bfs_many),
    ROW(bfs_batch),
    ROW(label_propagation),
    ROW(sssp),
    ROW(path),
    ROW(components),
    ROW(pagerank),
    ROW(triangles),
    ROW(cores),
    ROW(betweenness),
    ROW(closeness),
    ROW(diameter),
    ROW(leiden),
    ROW(louvain),
    ROW(cdlp),
    ROW(octree_by_task),
    ROW(octree_by_sort),
    ROW(nearest),
    ROW(in_boxes),
    ROW(in_balls),
    ROW(on_rays),
    ROW(count_in_boxes),
    ROW(count_in_balls),
    ROW(copy_points),
    ROW(sort_points),
    ROW(convert),
    ROW(points),
    ROW(tasks),
    ROW(quicksort),
    ROW(sssp_check),
    ROW(path_check),
    ROW(components_check),
    ROW(strong_check),
    ROW(pagerank_check),
    ROW(betweenness_check),
    ROW(closeness_check),
    ROW(diameter_check),
    ROW(triangles_check),
    ROW(cores_check),
    ROW(leiden_check),
    ROW(cdlp_check),
    ROW(octree_check),
    ROW(madness_check),
    ROW(madness_error),
    ROW(md),
    ROW(md_begin),
};
enum { own_calls = sizeof table / sizeof *table };

int gws_test_calls(void)
{
    return own_calls + gws_test_file_call_count;
}

const struct gws_test_call *gws_test_call_at(int i)
{
    if (i < own_calls) return &table[i];
    return i < gws_test_calls() ? &gws_test_file_calls[i - own_calls] : NULL;
}

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

/* SPDX-License-Identifier: MIT */
/* Every public function that needs the workers of a runtime returns GWS_BUSY while another thread is inside a call.
 * The lists below name the functions with arguments that are valid in this order. Each function first runs on the
 * thread that owns the runtime, where it must succeed. Then another thread calls it. tests/check_calls compares the
 * lists with the headers. */
#include "harness.h"

#include <pthread.h>

#include "../graphws.h"
#include "gaussian.h"
#include "lib/device/drivers.h"

enum { sources = 2, small_group = 1 };

/* Arguments and results. The functions that make something write it to a field `made_...`, which release() frees after
 * each call. */
static struct gws_runtime *runtime;
static struct gws_graph *graph, *made_graph;
static struct gws_points points, made_points;
static struct gws_octree *tree, *made_tree;
static struct gws_octree_hits hits;
static struct gws_madness_tree *madness, *made_madness;
static struct gws_md *md, *made_md;
static struct gws_points atoms; /* of md */
static struct gws_md_result md_result;
static double md_low[3], md_high[3];
static struct gws_query *made_query;
static uint64_t queries;
static struct gws_output *output;
static struct gws_diagnostic where;
static uint32_t *word, *made_source;
static uint64_t made_sources;
static char folder[GWS_TEST_PATH];

static struct gws_bfs_result bfs_result, parted_result;
static struct gws_bfs_index bfs_index;
static struct gws_sssp_result sssp_result;
static struct gws_path_result path_result;
static struct gws_components_result components_result;
static struct gws_pagerank_result pagerank_result;
static struct gws_pagerank_index pagerank_index;
static struct gws_rank_graph *rank_graph, *made_rank_graph;
static struct gws_rank_bfs_result rank_bfs_result;
static struct gws_rank_components_result rank_components_result;
static struct gws_rank_pagerank_result rank_pagerank_result;
static struct gws_rank_sssp_result rank_sssp_result;
static struct gws_betweenness_result betweenness_result;
static struct gws_closeness_result closeness_result;
static struct gws_bfs_batch_device_result batch_result;
static struct gws_diameter_result diameter_result;
static struct gws_triangles_result triangles_result;
static struct gws_cores_result cores_result;
static struct gws_communities_result communities_result;
static struct gws_label_propagation_result labels;

static struct gws_device *device;
static struct gws_device_graph *on_device;
static struct gws_bfs_device *bfs;
static struct gws_bfs_devices *parted;
static struct gws_sssp_device *sssp;
static struct gws_components_device *components, *strong_components;
static struct gws_pagerank_device *pagerank;
static struct gws_pagerank_devices *parted_pagerank;
static struct gws_components_devices *parted_components;
static struct gws_sssp_devices *parted_sssp;
static struct gws_communities_device *communities;
static double index_ms;
static uint64_t index_bytes;
static struct gws_betweenness_device *betweenness;
static struct gws_closeness_device *closeness;
static struct gws_bfs_batch_device *batch;
static struct gws_diameter_device *diameter;
static struct gws_path_device *path;
static struct gws_triangles_device *triangles;
static struct gws_cores_device *cores;
static struct gws_octree_device *octree;
static struct gws_octree_on_device *octree_on_device;
static struct gws_madness_device *builder;
static struct gws_device_tasks *device_tasks;
static struct gws_md_device *md_device, *md_on_devices;
static const struct gws_md_devices md_devices = {&device, 1, GWS_MD_STEAL};

static const uint32_t source[sources] = {1, 2};
static const struct gws_betweenness_options some = {.source = source, .sources = sources};
static const struct gws_md_start md_start = {.atoms = 100, .gauss = true};
static const struct gws_triangles_options counts = {.parts = GWS_TRIANGLES_COUNT};
static const struct gws_madness_device_options single = {.group_size = small_group};
static struct gws_device_source program;
static const struct gws_device_tasks_options uts_words = {.length = 6};
static const struct gws_device_task_roots no_roots = {.count = 0};
static struct gws_device_tasks_result tasks_result;
static struct gws_device_task_side_result side_result;
static const struct gws_octree_box box = {{0, 0, 0}, {0.5, 0.5, 0.5}};
static const struct gws_octree_ball ball = {{0.5, 0.5, 0.5}, 0.25};
static uint64_t total;
static const struct gws_octree_totals totals = {&total, NULL, NULL};
static const struct gws_octree_ray ray = {{0, 0, 0}, {1, 1, 1}, 0.1};
static const double position[3] = {0.5, 0.5, 0.5}, high[3] = {1, 1, 1};
static const struct gws_boxes boxes = {.count = 1, .low = position, .high = high};
static const struct gws_query_kind kind = {"point", 3, "point X Y Z"};
static const struct gws_edge_block no_edges = {.count = 0};
static const struct gws_edges edges = {.vertices = 3, .blocks = 1, .block = &no_edges};
static struct gws_madness_problem problem;
static double madness_error;
static char megabyte[1 << 20];

static gws_status visit_result(void *context, uint64_t index, const struct gws_bfs_result *result)
{
    (void)context, (void)index, (void)result;
    return GWS_OK;
}

static gws_status visit_level(void *context, const struct gws_bfs_batch_level *level)
{
    (void)context, (void)level;
    return GWS_OK;
}

static void run_task(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    (void)context, (void)self, (void)worker, (void)task, (void)count;
}

static const uint64_t root;
static const struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = run_task};

static double cost_of_task(void *context, const void *task)
{
    (void)context, (void)task;
    return 1;
}

static void simulate_task(void *context, struct gws_sim *sim, uint32_t worker, const void *task)
{
    (void)context, (void)sim, (void)worker, (void)task;
}

static const struct gws_sim_options sim_options = {.workers = 1, .machine = {.cache = 1, .host = 1}};
static const struct gws_sim_levels sim_levels = {.count = 0};
static const struct gws_sim_tasks sim_tasks = {
    .bytes = sizeof root, .root = &root, .roots = 1, .cost = cost_of_task, .run = simulate_task};
static _Thread_local struct gws_sim_result sim_result;

/* Returns the path of a file in this test's folder. */
static const char *file(const char *name)
{
    static _Thread_local char path[sizeof folder + 64];
    snprintf(path, sizeof path, "%s%s", folder, name);
    return path;
}

static const struct gws_table *table(void)
{
    static const struct gws_column column[] = {{"vertex", GWS_COLUMN_ID, NULL}};
    static struct gws_table made;
    made = (struct gws_table){graph, graph->vertices, 1, column};
    return &made;
}

/* Rows of an empty graph. */
static gws_status read_offsets(void *context, uint64_t first, uint64_t count, uint64_t *offset)
{
    (void)context;
    (void)first;
    memset(offset, 0, count * sizeof *offset);
    return GWS_OK;
}

static gws_status read_arcs(void *context, uint64_t first, uint64_t count, uint32_t *target, void *weight)
{
    (void)context;
    (void)first;
    (void)count;
    (void)target;
    (void)weight;
    return GWS_OK;
}

static const struct gws_rank_rows no_rows = {.read_offsets = read_offsets, .read_arcs = read_arcs};

/* ---- the functions ---- */

#define LIB_CALLS(CALL)                                                                                                \
    CALL(gws_tasks_record, runtime, file("tasks.txt"), NULL)                                                           \
    CALL(gws_tasks_run, runtime, &tasks)                                                                               \
    CALL(gws_tasks_record_end, runtime, NULL, NULL)                                                                    \
    CALL(gws_sim_levels, runtime, &sim_options, &sim_levels, &sim_result, NULL)                                        \
    CALL(gws_sim_run, runtime, &sim_options, &sim_tasks, &sim_result, NULL)                                            \
    CALL(gws_rank_tasks_run, runtime, NULL, &tasks)                                                                    \
    CALL(gws_rank_graph_generate, runtime, NULL, "kron:4", &made_rank_graph, NULL)                                     \
    CALL(gws_rank_graph_build, runtime, NULL, &edges, NULL, &made_rank_graph, NULL)                                    \
    CALL(gws_rank_graph_spread, runtime, NULL, graph, &made_rank_graph, NULL)                                          \
    CALL(gws_rank_graph_from_rows, runtime, NULL, &no_rows, &made_rank_graph, NULL)                                    \
    CALL(gws_rank_graph_gather, runtime, rank_graph, megabyte, 4, megabyte)                                            \
    CALL(gws_rank_bfs, runtime, rank_graph, 0, GWS_BFS_AUTO, &rank_bfs_result, NULL)                                   \
    CALL(gws_rank_components, runtime, rank_graph, &rank_components_result, NULL)                                      \
    CALL(gws_rank_components_check, runtime, rank_graph, &rank_components_result, NULL)                                \
    CALL(gws_rank_bfs_check, runtime, rank_graph, &rank_bfs_result, NULL)                                              \
    CALL(gws_rank_graph_add_reverse, runtime, rank_graph, NULL)                                                        \
    CALL(gws_rank_graph_draw_weights, runtime, rank_graph, 1, 9, 1, NULL)                                              \
    CALL(gws_rank_sssp, runtime, rank_graph, 0, NULL, &rank_sssp_result, NULL)                                         \
    CALL(gws_rank_sssp_check, runtime, rank_graph, &rank_sssp_result, NULL)                                            \
    CALL(gws_rank_pagerank, runtime, rank_graph, NULL, &rank_pagerank_result, NULL)                                    \
    CALL(gws_rank_pagerank_check, runtime, rank_graph, NULL, &rank_pagerank_result, NULL)                              \
    CALL(gws_graph_build, runtime, &edges, NULL, &made_graph)                                                          \
    CALL(gws_graph_wrap, runtime, graph->vertices, graph->offset, graph->target, NULL, false, false, &made_graph)      \
    CALL(gws_graph_wrap_real, runtime, graph->vertices, graph->offset, graph->target, NULL, true, false, &made_graph)  \
    CALL(gws_graph_check_rows, runtime, graph, &where)                                                                 \
    CALL(gws_graph_add_reverse, runtime, graph)                                                                        \
    CALL(gws_graph_symmetrise, runtime, graph, &made_graph)                                                            \
    CALL(gws_graph_simplify, runtime, true, true, &graph)                                                              \
    CALL(gws_graph_order, runtime, graph, GWS_ORDER_DEGREE, 0, word)                                                   \
    CALL(gws_graph_relabel, runtime, graph, word, graph->vertices, &made_graph)                                        \
    CALL(gws_graph_components, runtime, graph, word, NULL)                                                             \
    CALL(gws_graph_largest_component, runtime, graph, &made_graph)                                                     \
    CALL(gws_graph_summarise, runtime, graph, &(struct gws_graph_summary){0})                                          \
    CALL(gws_graph_gaps, runtime, graph, &(struct gws_graph_gaps){0})                                                  \
    CALL(gws_graph_generate, runtime, "grid:4x4", &made_graph, &where)                                                 \
    CALL(gws_graph_draw_weights, runtime, graph, 1, 9, 1)                                                              \
    CALL(gws_points_convert, runtime, &points, false)                                                                  \
    CALL(gws_points_generate, runtime, "uniform:100", true, &made_points, &where)

#define IO_CALLS(CALL)                                                                                                 \
    CALL(gws_graph_write, runtime, graph, file("graph.txt"), GWS_FORMAT_AUTO, &where)                                  \
    CALL(gws_graph_read, runtime, file("graph.txt"), NULL, &made_graph, &where)                                        \
    CALL(gws_rank_graph_read, runtime, NULL, file("graph.txt"), NULL, &made_rank_graph, NULL)                          \
    CALL(gws_rank_table_write, runtime, rank_graph, &(struct gws_column){.name = "vertex"}, 1, file("r.csv"), NULL)    \
    CALL(gws_graph_load, runtime, file("graph.txt"), NULL, &made_graph, &where)                                        \
    CALL(gws_points_write, runtime, &points, file("points.csv"), GWS_POINTS_AUTO, &where)                              \
    CALL(gws_points_read, runtime, file("points.csv"), NULL, &made_points, &where)                                     \
    CALL(gws_points_load, runtime, "uniform:100", NULL, &made_points, &where)                                          \
    CALL(gws_boxes_write, runtime, &boxes, file("boxes.vtu"), &where)                                                  \
    CALL(gws_table_write, runtime, table(), file("table.csv"), &where)                                                 \
    CALL(gws_trace_write, runtime, file("trace.json"), &where)                                                         \
    CALL(gws_trace_write_tracks, runtime, NULL, 0, "split", file("tracks.json"), &where)                               \
    CALL(gws_sources_read, runtime, file("sources.txt"), graph, &made_source, &made_sources, &where)                   \
    CALL(gws_queries_read, runtime, file("queries.txt"), &kind, 1, &made_query, &queries, &where)                      \
    CALL(gws_atoms_read, runtime, file("atoms.xyz"), &made_points, md_low, md_high, &where)                            \
    CALL(gws_output_open, runtime, file("output.txt"), &where, &output)                                                \
    CALL(gws_output_write, output, megabyte, sizeof megabyte)                                                          \
    CALL(gws_atoms_write, output, &points, position, high)                                                             \
    CALL(gws_output_close, output, GWS_OK)

#define GRAPH_CALLS(CALL)                                                                                              \
    CALL(gws_bfs, runtime, graph, 1, NULL, &bfs_result)                                                                \
    CALL(gws_bfs_check, runtime, graph, &bfs_result, &where)                                                           \
    CALL(gws_bfs_index_build, runtime, graph, &bfs_index)                                                              \
    CALL(gws_bfs_many, runtime, graph, source, sources, NULL, visit_result, NULL)                                      \
    CALL(gws_bfs_batch, runtime, graph, source, sources, false, visit_level, NULL)                                     \
    CALL(gws_sssp, runtime, graph, 1, NULL, &sssp_result, &where)                                                      \
    CALL(gws_sssp_check, runtime, graph, &sssp_result, &where)                                                         \
    CALL(gws_path, runtime, graph, 1, 2, NULL, &path_result, &where)                                                   \
    CALL(gws_path_check, runtime, graph, &path_result, &where)                                                         \
    CALL(gws_components, runtime, graph, NULL, &components_result)                                                     \
    CALL(gws_components_check, runtime, graph, NULL, &components_result, &where)                                       \
    CALL(gws_pagerank, runtime, graph, NULL, &pagerank_result)                                                         \
    CALL(gws_pagerank_check, runtime, graph, NULL, &pagerank_result, &where)                                           \
    CALL(gws_pagerank_index_build, runtime, graph, &pagerank_index)                                                    \
    CALL(gws_betweenness, runtime, graph, &some, &betweenness_result)                                                  \
    CALL(gws_betweenness_check, runtime, graph, &some, &betweenness_result, &where)                                    \
    CALL(gws_closeness, runtime, graph, NULL, &closeness_result)                                                       \
    CALL(gws_closeness_check, runtime, graph, NULL, &closeness_result, &where)                                         \
    CALL(gws_diameter, runtime, graph, &diameter_result)                                                               \
    CALL(gws_diameter_check, runtime, graph, &diameter_result, &where)                                                 \
    CALL(gws_triangles, runtime, graph, NULL, &triangles_result)                                                       \
    CALL(gws_triangles_check, runtime, graph, &triangles_result, &where)                                               \
    CALL(gws_cores, runtime, graph, &cores_result)                                                                     \
    CALL(gws_cores_check, runtime, graph, &cores_result, &where)                                                       \
    CALL(gws_communities, runtime, graph, NULL, &communities_result)                                                   \
    CALL(gws_communities_check, runtime, graph, NULL, &communities_result, &where)                                     \
    CALL(gws_label_propagation, runtime, graph, &labels)

#define SPACE_CALLS(CALL)                                                                                              \
    CALL(gws_octree_build, runtime, &points, NULL, &made_tree, &where)                                                 \
    CALL(gws_octree_check, runtime, &points, tree, &where)                                                             \
    CALL(gws_octree_copy_points, runtime, tree, &points)                                                               \
    CALL(gws_octree_in_boxes, runtime, tree, &box, 1, &hits, &where)                                                   \
    CALL(gws_octree_in_balls, runtime, tree, &ball, 1, &hits, &where)                                                  \
    CALL(gws_octree_count_in_boxes, runtime, tree, &box, 1, &totals, &where)                                           \
    CALL(gws_octree_count_in_balls, runtime, tree, &ball, 1, &totals, &where)                                          \
    CALL(gws_octree_nearest, runtime, tree, position, 1, 3, &hits, &where)                                             \
    CALL(gws_octree_first_on_rays, runtime, tree, &ray, 1, &hits, &where)                                              \
    CALL(gws_octree_sort_points, runtime, tree, &points)                                                               \
    CALL(gws_madness_build, runtime, &problem, &made_madness, &where)                                                  \
    CALL(gws_madness_build_on_ranks, runtime, NULL, &problem, &made_madness, &where)                                   \
    CALL(gws_madness_gather_on_ranks, runtime, NULL, &made_madness, &where)                                            \
    CALL(gws_madness_check, runtime, &problem, madness, &where)                                                        \
    CALL(gws_madness_error, runtime, &problem, madness, &madness_error)                                                \
    CALL(gws_md_begin, runtime, &md_start, &made_points, md_low, md_high)                                              \
    CALL(gws_md_open, runtime, &atoms, NULL, &made_md, &where)                                                         \
    CALL(gws_md_run, md, 0, &md_result, &where)                                                                        \
    CALL(gws_md_check, runtime, &atoms, NULL, &md_result, md_result.momentum, &where)

#define DEVICE_CALLS(CALL)                                                                                             \
    CALL(gws_device_graph_open, runtime, device, graph, NULL, &on_device, &where)                                      \
    CALL(gws_device_graph_upload, on_device, &where)                                                                   \
    CALL(gws_device_graph_prepare, on_device, GWS_INDEX_HUBS, &where)                                                  \
    CALL(gws_bfs_device_open, on_device, NULL, &bfs, &where)                                                           \
    CALL(gws_bfs_device_run, bfs, 1, &bfs_result, &where)                                                              \
    CALL(gws_bfs_device_fetch, bfs, GWS_BFS_DEPTH, &bfs_result, &where)                                                \
    CALL(gws_bfs_device_run_many, bfs, source, sources, visit_result, NULL, &where)                                    \
    CALL(gws_bfs_device_poison, bfs, &where)                                                                           \
    CALL(gws_sssp_device_open, on_device, NULL, &sssp, &where)                                                         \
    CALL(gws_sssp_device_run, sssp, 1, &sssp_result, &where)                                                           \
    CALL(gws_sssp_device_fetch, sssp, &sssp_result, &where)                                                            \
    CALL(gws_components_device_open, on_device, &components, &where)                                                   \
    CALL(gws_components_device_open_strong, on_device, &strong_components, &where)                                     \
    CALL(gws_components_device_run, components, &components_result, &where)                                            \
    CALL(gws_components_device_fetch, components, &components_result, &where)                                          \
    CALL(gws_pagerank_device_open, on_device, NULL, &pagerank, &where)                                                 \
    CALL(gws_pagerank_device_order, pagerank, &index_ms, &index_bytes, &where)                                         \
    CALL(gws_pagerank_device_run, pagerank, &pagerank_result, &where)                                                  \
    CALL(gws_pagerank_device_fetch, pagerank, &pagerank_result, &where)                                                \
    CALL(gws_communities_device_open, on_device, NULL, &communities, &where)                                           \
    CALL(gws_communities_device_run, communities, &communities_result, &where)                                         \
    CALL(gws_communities_device_fetch, communities, &communities_result, &where)                                       \
    CALL(gws_betweenness_device_open, on_device, &betweenness, &where)                                                 \
    CALL(gws_betweenness_device_run, betweenness, &some, &betweenness_result, &where)                                  \
    CALL(gws_betweenness_device_fetch, betweenness, &betweenness_result, &where)                                       \
    CALL(gws_closeness_device_open, on_device, NULL, &closeness, &where)                                               \
    CALL(gws_closeness_device_run, closeness, &closeness_result, &where)                                               \
    CALL(gws_closeness_device_fetch, closeness, &closeness_result, &where)                                             \
    CALL(gws_bfs_devices_open, runtime, &device, 1, graph, NULL, &parted, &where)                                      \
    CALL(gws_bfs_devices_run, parted, 0, &parted_result, &where)                                                       \
    CALL(gws_bfs_devices_fetch, parted, GWS_BFS_DEPTH, &parted_result, &where)                                         \
    CALL(gws_bfs_devices_poison, parted, &where)                                                                       \
    CALL(gws_pagerank_devices_open, runtime, &device, 1, graph, NULL, &parted_pagerank, &where)                        \
    CALL(gws_pagerank_devices_run, parted_pagerank, &pagerank_result, &where)                                          \
    CALL(gws_pagerank_devices_fetch, parted_pagerank, &pagerank_result, &where)                                        \
    CALL(gws_components_devices_open, runtime, &device, 1, graph, &parted_components, &where)                          \
    CALL(gws_components_devices_run, parted_components, &components_result, &where)                                    \
    CALL(gws_components_devices_fetch, parted_components, &components_result, &where)                                  \
    CALL(gws_sssp_devices_open, runtime, &device, 1, graph, NULL, &parted_sssp, &where)                                \
    CALL(gws_sssp_devices_run, parted_sssp, 1, &sssp_result, &where)                                                   \
    CALL(gws_sssp_devices_fetch, parted_sssp, &sssp_result, &where)                                                    \
    CALL(gws_bfs_batch_device_open, on_device, NULL, &batch, &where)                                                   \
    CALL(gws_bfs_batch_device_run, batch, source, sources, &batch_result, &where)                                      \
    CALL(gws_bfs_batch_device_fetch, batch, &batch_result, &where)                                                     \
    CALL(gws_diameter_device_open, on_device, &diameter, &where)                                                       \
    CALL(gws_diameter_device_run, diameter, &diameter_result, &where)                                                  \
    CALL(gws_path_device_open, on_device, NULL, &path, &where)                                                         \
    CALL(gws_path_device_run, path, 1, 2, &path_result, &where)                                                        \
    CALL(gws_path_device_fetch, path, &path_result, &where)                                                            \
    CALL(gws_triangles_device_open, on_device, &counts, &triangles, &where)                                            \
    CALL(gws_triangles_device_run, triangles, &triangles_result, &where)                                               \
    CALL(gws_triangles_device_fetch, triangles, &triangles_result, &where)                                             \
    CALL(gws_cores_device_open, on_device, &cores, &where)                                                             \
    CALL(gws_cores_device_run, cores, &cores_result, &where)                                                           \
    CALL(gws_cores_device_fetch, cores, &cores_result, &where)                                                         \
    CALL(gws_label_propagation_device, on_device, &labels, &where)                                                     \
    CALL(gws_label_propagation_hybrid, on_device, &labels, &where)                                                     \
    CALL(gws_octree_device_open, runtime, device, NULL, &octree, &where)                                               \
    CALL(gws_octree_device_build, octree, &points, &made_tree, &where)                                                 \
    CALL(gws_octree_device_poison, octree, &where)                                                                     \
    CALL(gws_madness_device_open, runtime, device, problem.order, &single, &builder, &where)                           \
    CALL(gws_madness_device_build, builder, &problem, &made_madness, &where)                                           \
    CALL(gws_madness_device_build_on_ranks, builder, NULL, &problem, &made_madness, &where)                            \
    CALL(gws_madness_device_poison, builder, &where)                                                                   \
    CALL(gws_device_tasks_open, runtime, device, &program, &uts_words, &device_tasks, &where)                          \
    CALL(gws_device_tasks_run, device_tasks, &no_roots, &tasks_result, &where)                                         \
    CALL(gws_device_tasks_run_sides, runtime, &no_roots, &(const struct gws_device_task_side){.tasks = device_tasks},  \
         1, &side_result, &where)                                                                                      \
    CALL(gws_device_tasks_run_ranks, runtime, NULL, &no_roots,                                                         \
         &(const struct gws_device_task_side){.tasks = device_tasks}, 1, &side_result, &where)                         \
    CALL(gws_md_device_open, runtime, device, &atoms, NULL, GWS_MD_STEAL, &md_device, &where)                          \
    CALL(gws_md_devices_open, runtime, &md_devices, &atoms, NULL, &md_on_devices, &where)                              \
    CALL(gws_md_device_run, md_device, 0, &md_result, &where)                                                          \
    CALL(gws_md_device_fetch, md_device, &made_points, &where)

#define CUDA_CALLS(CALL)                                                                                               \
    CALL(gws_octree_on_device_open, runtime, device, tree, &octree_on_device, &where)                                  \
    CALL(gws_octree_on_device_in_boxes, octree_on_device, &box, 1, &hits, &where)                                      \
    CALL(gws_octree_on_device_in_balls, octree_on_device, &ball, 1, &hits, &where)                                     \
    CALL(gws_octree_on_device_nearest, octree_on_device, position, 1, 3, &hits, &where)                                \
    CALL(gws_octree_on_device_first_on_rays, octree_on_device, &ray, 1, &hits, &where)

#define DEFINE(name, ...)                                                                                              \
    static gws_status call_##name(void)                                                                                \
    {                                                                                                                  \
        return name(__VA_ARGS__);                                                                                      \
    }
#define ROW(name, ...) {#name, call_##name},

LIB_CALLS(DEFINE)
IO_CALLS(DEFINE)
GRAPH_CALLS(DEFINE)
SPACE_CALLS(DEFINE)
DEVICE_CALLS(DEFINE)
CUDA_CALLS(DEFINE)

static const struct call {
    const char *name;
    gws_status (*run)(void);
} on_threads[] = {LIB_CALLS(ROW) IO_CALLS(ROW) GRAPH_CALLS(ROW) SPACE_CALLS(ROW)}, on_devices[] = {DEVICE_CALLS(ROW)},
  on_cuda[] = {CUDA_CALLS(ROW)};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- the test ---- */

static void open_all(void)
{
    const struct gws_options options = {.threads = 2, .trace = 100};
    if (!getenv("GRAPHWS_BUILD")) setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1);
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_generate(runtime, "kron:6", &graph, NULL), GWS_OK);
    ck_assert_int_eq(gws_rank_graph_generate(runtime, NULL, "kron:4", &rank_graph, NULL), GWS_OK);
    ck_assert_int_eq(gws_points_generate(runtime, "uniform:300", false, &points, NULL), GWS_OK);
    ck_assert_int_eq(gws_octree_build(runtime, &points, NULL, &tree, NULL), GWS_OK);
    problem = gws_test_gaussian();
    ck_assert_int_eq(gws_madness_build(runtime, &problem, &madness, &where), GWS_OK);
    ck_assert_int_eq(gws_md_begin(runtime, &md_start, &atoms, md_low, md_high), GWS_OK);
    ck_assert_int_eq(gws_md_open(runtime, &atoms, NULL, &md, &where), GWS_OK);
    ck_assert_int_eq(gws_md_run(md, 1, &md_result, &where), GWS_OK);
    gws_points_clear(&atoms);
    ck_assert_int_eq(gws_md_fetch(md, &atoms), GWS_OK);
    word = calloc(graph->vertices, sizeof *word);
    labels.label = calloc(graph->vertices, sizeof *labels.label);
    snprintf(folder, sizeof folder, "%s", gws_test_temp(""));
    gws_test_file("sources.txt", "p aux sp ss 1\ns 1\n", 18);
    gws_test_file("queries.txt", "point 1 2 3\n", 12);
    gws_test_file("atoms.xyz", "1\n\nX 1 2 3\n", 11);
}

static void release(void)
{
    gws_graph_destroy(made_graph);
    gws_rank_graph_destroy(made_rank_graph);
    gws_points_clear(&made_points);
    gws_octree_destroy(made_tree);
    gws_madness_destroy(made_madness);
    gws_md_close(made_md);
    made_md = NULL;
    gws_release(runtime, made_source, made_sources, sizeof *made_source);
    gws_release(runtime, made_query, queries, sizeof *made_query);
    made_graph = NULL;
    made_rank_graph = NULL;
    made_tree = NULL;
    made_madness = NULL;
    made_source = NULL;
    made_query = NULL;
}

static void close_all(void)
{
    gws_bfs_result_clear(&bfs_result);
    gws_bfs_result_clear(&parted_result);
    gws_bfs_index_clear(&bfs_index);
    gws_sssp_result_clear(&sssp_result);
    gws_path_result_clear(&path_result);
    gws_components_result_clear(&components_result);
    gws_pagerank_result_clear(&pagerank_result);
    gws_pagerank_index_clear(&pagerank_index);
    gws_betweenness_result_clear(&betweenness_result);
    gws_closeness_result_clear(&closeness_result);
    gws_triangles_result_clear(&triangles_result);
    gws_cores_result_clear(&cores_result);
    gws_communities_result_clear(&communities_result);
    gws_octree_hits_clear(&hits);
    gws_madness_destroy(madness);
    gws_md_close(md);
    gws_octree_destroy(tree);
    gws_points_clear(&points);
    gws_points_clear(&atoms);
    gws_rank_bfs_result_clear(&rank_bfs_result);
    gws_rank_components_result_clear(&rank_components_result);
    gws_rank_pagerank_result_clear(&rank_pagerank_result);
    gws_rank_sssp_result_clear(&rank_sssp_result);
    gws_rank_graph_destroy(rank_graph);
    gws_graph_destroy(graph);
    free(labels.label);
    free(word);
    gws_runtime_close(runtime);
}

static void close_device(void)
{
    gws_madness_device_close(builder);
    gws_device_tasks_close(device_tasks);
    gws_md_device_close(md_device);
    gws_md_device_close(md_on_devices);
    gws_octree_on_device_close(octree_on_device);
    gws_octree_device_close(octree);
    gws_cores_device_close(cores);
    gws_triangles_device_close(triangles);
    gws_path_device_close(path);
    gws_diameter_device_close(diameter);
    gws_bfs_batch_device_close(batch);
    gws_closeness_device_close(closeness);
    gws_betweenness_device_close(betweenness);
    gws_communities_device_close(communities);
    gws_pagerank_device_close(pagerank);
    gws_components_device_close(components);
    gws_components_device_close(strong_components);
    gws_sssp_device_close(sssp);
    gws_bfs_devices_close(parted);
    gws_pagerank_devices_close(parted_pagerank);
    gws_components_devices_close(parted_components);
    gws_sssp_devices_close(parted_sssp);
    gws_bfs_device_close(bfs);
    gws_device_graph_close(on_device);
    gws_device_close(device);
}

static void *try_on_other_thread(void *status)
{
    const struct call *call = *(const struct call **)status;
    static gws_status answer;
    answer = call->run();
    return &answer;
}

/* The other thread calls the function first, while this thread is inside a call. The function thus cannot free or
 * replace what the next functions need. */
static void check_calls(const struct call *call, size_t count)
{
    for (const struct call *end = call + count; call < end; call++) {
        pthread_t thread;
        void *answer;
        ck_assert_int_eq(gws_call_begin(runtime), GWS_OK);
        ck_assert_int_eq(pthread_create(&thread, NULL, try_on_other_thread, &call), 0);
        ck_assert_int_eq(pthread_join(thread, &answer), 0);
        gws_status busy = *(gws_status *)answer, own = gws_call_end(runtime, GWS_OK);
        ck_assert_msg(busy == GWS_BUSY, "%s on another thread: %s", call->name, gws_status_text(busy));
        where.message[0] = '\0';
        if (own == GWS_OK) own = call->run();
        ck_assert_msg(own == GWS_OK, "%s: %s: %s", call->name, gws_status_text(own), where.message);
        release();
    }
}

START_TEST(threads)
{
    open_all();
    check_calls(on_threads, LENGTH(on_threads));
    close_all();
}
END_TEST

static const char *const kinds[] = {"opencl", "cuda"};

START_TEST(devices)
{
    open_all();
    if (gws_device_open(runtime, kinds[_i], gws_test_cached(), &device, NULL) != GWS_OK) {
        printf("skipped: no device %s\n", kinds[_i]);
    } else {
        ck_assert(gws_device_tasks_program("uts", &program));
        check_calls(on_devices, LENGTH(on_devices));
        /* Queries on a device need the points in leaf order. */
        if (_i == 1) ck_assert_int_eq(gws_octree_sort_points(runtime, tree, &points), GWS_OK);
        if (_i == 1) check_calls(on_cuda, LENGTH(on_cuda));
    }
    close_device();
    close_all();
}
END_TEST

static Suite *busy(void)
{
    Suite *suite = suite_create("busy calls");
    TCase *all = tcase_create("all");
    tcase_add_test(all, threads);
    tcase_add_loop_test(all, devices, 0, LENGTH(kinds));
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(busy);
}

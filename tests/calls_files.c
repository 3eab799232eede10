/* SPDX-License-Identifier: MIT */
/* The calls of tests/calls.h that read or write files. */
#include "harness.h"

#include "calls.h"

/* ---- reading ---- */

static const char *in_folder(const struct gws_test_world *world, const char *name, char path[GWS_TEST_PATH + 64])
{
    snprintf(path, GWS_TEST_PATH + 64, "%s%s", world->folder, name);
    return path;
}

static gws_status read_graph(struct gws_runtime *runtime, const struct gws_test_world *world, const char *name,
                             const struct gws_read_options *options, uint64_t *answer)
{
    char path[GWS_TEST_PATH + 64];
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_read(runtime, in_folder(world, name, path), options, &graph, NULL);
    return gws_test_made(graph, status, answer);
}

/* Defines a call that reads a graph of the world's folder. */
#define READ(name, file, ...)                                                                                          \
    GWS_TEST_CALL(name)                                                                                                \
    {                                                                                                                  \
        const struct gws_read_options options = {__VA_ARGS__};                                                         \
        return read_graph(runtime, world, file, &options, answer);                                                     \
    }

READ(read_list, "graph.txt.gz", .remove_loops = true)
READ(read_matrix, "graph.mtx", .direction = GWS_EDGES_DIRECTED)
READ(read_rows, "graph.metis", .remove_duplicates = true)
READ(read_roads, "graph.gr", .weights = GWS_WEIGHTS_DROP)
READ(read_binary, "graph.gwsg", .remove_loops = true)
READ(read_names, "graph.txt.gz", .names = true)
READ(read_binary_names, "names.gwsg", .trust = false)
READ(read_binary_reals, "reals.gwsg", .weights = GWS_WEIGHTS_ROUND)
READ(read_sparse_ids, "sparse.txt", .weights = GWS_WEIGHTS_DROP)
READ(read_vertex_list, "listed.e", .weights = GWS_WEIGHTS_DROP)

GWS_TEST_CALL(load_graph)
{
    char path[GWS_TEST_PATH + 64];
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_load(runtime, in_folder(world, "graph.gwsg", path), NULL, &graph, NULL);
    return gws_test_made(graph, status, answer);
}

/* Defines a call that reads points of the world's folder. `read` is a call with the variables path, points, low and
 * high. */
#define READ_POINTS(name, file, read)                                                                                  \
    GWS_TEST_CALL(name)                                                                                                \
    {                                                                                                                  \
        char path[GWS_TEST_PATH + 64];                                                                                 \
        struct gws_points points = {0};                                                                                \
        double low[3], high[3];                                                                                        \
        (void)low, (void)high;                                                                                         \
        (void)in_folder(world, file, path);                                                                            \
        gws_status status = read;                                                                                      \
        if (status == GWS_OK) *answer = points.count;                                                                  \
        gws_points_clear(&points);                                                                                     \
        return status;                                                                                                 \
    }

READ_POINTS(read_csv_points, "points.csv.gz", gws_points_read(runtime, path, NULL, &points, NULL))
READ_POINTS(read_ply_points, "points.ply", gws_points_read(runtime, path, NULL, &points, NULL))
READ_POINTS(read_npy_points, "points.npy", gws_points_read(runtime, path, NULL, &points, NULL))
READ_POINTS(read_native_points, "points.gwsp", gws_points_read(runtime, path, NULL, &points, NULL))
READ_POINTS(load_points, "points.ply", gws_points_load(runtime, path, NULL, &points, NULL))
READ_POINTS(read_atoms, "atoms.xyz", gws_atoms_read(runtime, path, &points, low, high, NULL))

GWS_TEST_CALL(read_sources)
{
    char path[GWS_TEST_PATH + 64];
    uint32_t *source = NULL;
    uint64_t count = 0;
    gws_status status =
        gws_sources_read(runtime, in_folder(world, "sources.ss", path), world->graph, &source, &count, NULL);
    *answer = count;
    gws_release(runtime, source, count, sizeof *source);
    return status;
}

GWS_TEST_CALL(read_queries)
{
    static const struct gws_query_kind kind = {"point", 3, "point X Y Z"};
    char path[GWS_TEST_PATH + 64];
    struct gws_query *query = NULL;
    uint64_t count = 0;
    gws_status status =
        gws_queries_read(runtime, in_folder(world, "queries.txt", path), &kind, 1, &query, &count, NULL);
    *answer = count;
    gws_release(runtime, query, count, sizeof *query);
    return status;
}

/* ---- writing ---- */

/* The file must exist after success only. */
static gws_status wrote(const char *path, gws_status status, uint64_t *answer)
{
    if ((status == GWS_OK) != (access(path, F_OK) == 0)) ck_abort_msg("%s: %s", path, gws_status_text(status));
    *answer = 0;
    if (status == GWS_OK) remove(path);
    return status;
}

/* Defines a call that writes a file. `write` is a call with the variable path. */
#define WRITE(name, file, write)                                                                                       \
    GWS_TEST_CALL(name)                                                                                                \
    {                                                                                                                  \
        char own[256], path[GWS_TEST_PATH + 64];                                                                       \
        snprintf(own, sizeof own, "%s%s", label, file);                                                                \
        (void)in_folder(world, own, path);                                                                             \
        return wrote(path, write, answer);                                                                             \
    }

static gws_status write_ids(struct gws_runtime *runtime, const struct gws_test_world *world, const char *path)
{
    const struct gws_column column[] = {{"vertex", GWS_COLUMN_ID, NULL}};
    const struct gws_table table = {world->graph, world->graph->vertices, 1, column};
    return gws_table_write(runtime, &table, path, NULL);
}

static gws_status write_one_box(struct gws_runtime *runtime, const char *path)
{
    static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    const struct gws_boxes boxes = {.count = 1, .low = low, .high = high};
    return gws_boxes_write(runtime, &boxes, path, NULL);
}

static gws_status write_atoms(struct gws_runtime *runtime, const struct gws_points *atoms, const char *path)
{
    static const double low[3], high[3] = {1, 1, 1};
    struct gws_output *output = NULL;
    gws_status status = gws_output_open(runtime, path, NULL, &output);
    if (status == GWS_OK) status = gws_atoms_write(output, atoms, low, high);
    return gws_output_close(output, status);
}

static gws_status write_bytes(struct gws_runtime *runtime, const char *path)
{
    enum { megabyte = 1 << 20 };
    static char bytes[megabyte];
    struct gws_output *output = NULL;
    gws_status status = gws_output_open(runtime, path, NULL, &output);
    for (int i = 0; i < 4 && status == GWS_OK; i++) status = gws_output_write(output, bytes, megabyte);
    return gws_output_close(output, status);
}

static gws_status write_slices(struct gws_runtime *runtime, const char *path)
{
    static struct gws_slice slice[1 << 14];
    const struct gws_track track = {.slice = slice, .count = sizeof slice / sizeof *slice};
    return gws_trace_write_tracks(runtime, &track, 1, "split", path, NULL);
}

WRITE(write_list, "out.txt.gz", gws_graph_write(runtime, world->graph, path, GWS_FORMAT_AUTO, NULL))
WRITE(write_matrix, "out.mtx", gws_graph_write(runtime, world->graph, path, GWS_FORMAT_AUTO, NULL))
WRITE(write_rows, "out.metis", gws_graph_write(runtime, world->plain, path, GWS_FORMAT_AUTO, NULL))
WRITE(write_colouring, "out.col", gws_graph_write(runtime, world->graph, path, GWS_FORMAT_AUTO, NULL))
WRITE(write_binary, "out.gwsg", gws_graph_write(runtime, world->graph, path, GWS_FORMAT_AUTO, NULL))
WRITE(write_table, "out.csv", write_ids(runtime, world, path))
WRITE(write_csv_points, "out.csv", gws_points_write(runtime, &world->points, path, GWS_POINTS_AUTO, NULL))
WRITE(write_native_points, "out.gwsp", gws_points_write(runtime, &world->points, path, GWS_POINTS_AUTO, NULL))
WRITE(write_molecule, "out.xyz", write_atoms(runtime, &world->points, path))
WRITE(write_boxes, "out.vtu", write_one_box(runtime, path))
WRITE(write_trace, "out.json", gws_trace_write(runtime, path, NULL))
WRITE(write_tracks, "out.json", write_slices(runtime, path))
WRITE(write_raw, "out.bin.gz", write_bytes(runtime, path))

const struct gws_test_call gws_test_file_calls[] = {
    GWS_TEST_ROW(read_list),         GWS_TEST_ROW(read_matrix),       GWS_TEST_ROW(read_rows),
    GWS_TEST_ROW(read_roads),        GWS_TEST_ROW(read_binary),       GWS_TEST_ROW(read_names),
    GWS_TEST_ROW(read_binary_names), GWS_TEST_ROW(read_binary_reals), GWS_TEST_ROW(read_sparse_ids),
    GWS_TEST_ROW(read_vertex_list),  GWS_TEST_ROW(load_graph),        GWS_TEST_ROW(read_csv_points),
    GWS_TEST_ROW(read_ply_points),   GWS_TEST_ROW(read_npy_points),   GWS_TEST_ROW(read_native_points),
    GWS_TEST_ROW(load_points),       GWS_TEST_ROW(read_sources),      GWS_TEST_ROW(read_queries),
    GWS_TEST_ROW(read_atoms),        GWS_TEST_ROW(write_list),        GWS_TEST_ROW(write_matrix),
    GWS_TEST_ROW(write_rows),        GWS_TEST_ROW(write_colouring),   GWS_TEST_ROW(write_binary),
    GWS_TEST_ROW(write_table),       GWS_TEST_ROW(write_csv_points),  GWS_TEST_ROW(write_native_points),
    GWS_TEST_ROW(write_molecule),    GWS_TEST_ROW(write_boxes),       GWS_TEST_ROW(write_trace),
    GWS_TEST_ROW(write_tracks),      GWS_TEST_ROW(write_raw),         {0}};

/* ---- the files ---- */

static void make_graph(struct gws_runtime *runtime, const struct gws_test_world *world, const struct gws_graph *graph,
                       const char *name)
{
    char path[GWS_TEST_PATH + 64];
    ck_assert_msg(gws_graph_write(runtime, graph, in_folder(world, name, path), GWS_FORMAT_AUTO, NULL) == GWS_OK, "%s",
                  name);
}

static void make_points(struct gws_runtime *runtime, const struct gws_test_world *world, const char *name)
{
    char path[GWS_TEST_PATH + 64];
    ck_assert_msg(gws_points_write(runtime, &world->points, in_folder(world, name, path), GWS_POINTS_AUTO, NULL) ==
                      GWS_OK,
                  "%s", name);
}

/* Writes the graph with names for ids, and with real weights. */
static void make_binary(struct gws_runtime *runtime, const struct gws_test_world *world)
{
    char path[GWS_TEST_PATH + 64];
    const struct gws_graph *graph = world->graph;
    const struct gws_read_options options = {.names = true};
    struct gws_graph *names = NULL, *reals = NULL;
    float *weight = malloc(graph->arcs * sizeof *weight);
    ck_assert_int_eq(gws_graph_read(runtime, in_folder(world, "graph.txt.gz", path), &options, &names, NULL), GWS_OK);
    make_graph(runtime, world, names, "names.gwsg");
    for (uint64_t a = 0; a < graph->arcs; a++) weight[a] = (float)graph->weight[a];
    ck_assert_int_eq(
        gws_graph_wrap_real(runtime, graph->vertices, graph->offset, graph->target, weight, false, false, &reals),
        GWS_OK);
    make_graph(runtime, world, reals, "reals.gwsg");
    gws_graph_destroy(names);
    gws_graph_destroy(reals);
    free(weight);
}

static FILE *make_file(const struct gws_test_world *world, const char *name)
{
    char path[GWS_TEST_PATH + 64];
    FILE *file = fopen(in_folder(world, name, path), "w");
    ck_assert_msg(file != NULL, "%s", path);
    return file;
}

/* Writes lists of edges with ids that are no range, one of them with a list of its vertices. */
static void make_sparse(const struct gws_test_world *world)
{
    enum { edges = 2000 };
    FILE *sparse = make_file(world, "sparse.txt"), *listed = make_file(world, "listed.e");
    FILE *vertices = make_file(world, "listed.v");
    for (uint64_t i = 1; i <= edges; i++) {
        fprintf(sparse, "%llu %llu\n", (unsigned long long)(i * i * 1000003), (unsigned long long)i);
        fprintf(listed, "%llu %llu\n", (unsigned long long)(3 * i), (unsigned long long)(3 * (i * 7 % edges + 1)));
        fprintf(vertices, "%llu\n", (unsigned long long)(3 * i));
    }
    fclose(sparse);
    fclose(listed);
    fclose(vertices);
}

void gws_test_make_files(struct gws_runtime *runtime, const struct gws_test_world *world)
{
    static const char *const graphs[] = {"graph.txt.gz", "graph.mtx", "graph.gr", "graph.gwsg"};
    static const char *const points[] = {"points.csv.gz", "points.ply", "points.npy", "points.gwsp"};
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) make_graph(runtime, world, world->graph, graphs[i]);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) make_points(runtime, world, points[i]);
    make_graph(runtime, world, world->plain, "graph.metis");
    make_binary(runtime, world);
    make_sparse(world);
    FILE *sources = make_file(world, "sources.ss"), *queries = make_file(world, "queries.txt");
    fputs("p aux sp ss 2\ns 1\ns 2\n", sources);
    fputs("point 1 2 3\npoint 4 5 6\n", queries);
    fclose(sources);
    fclose(queries);
    char path[GWS_TEST_PATH + 64];
    ck_assert_int_eq(write_atoms(runtime, &world->points, in_folder(world, "atoms.xyz", path)), GWS_OK);
}

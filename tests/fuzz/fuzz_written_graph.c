/* SPDX-License-Identifier: MIT */
/* Fuzzes the writers of graphs. The target writes a small graph from the input in every format that accepts it. The
 * reader must return the same graph, except for properties that the format cannot hold. */
#include "draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { max_vertices = 64, max_arcs = 128 };

static const struct {
    const char *name;
    enum gws_format format;
    bool numbers, weights; /* numbers: the format stores the vertices' ids; weights: the format stores weights */
} formats[] = {{"out.gr", GWS_FORMAT_DIMACS, false, true},       {"out.col", GWS_FORMAT_DIMACS_EDGE, false, false},
               {"out.pace", GWS_FORMAT_PACE, false, false},      {"out.txt", GWS_FORMAT_EDGE_LIST, true, true},
               {"out.csv.gz", GWS_FORMAT_EDGE_LIST, true, true}, {"out.mtx", GWS_FORMAT_MATRIX_MARKET, false, true},
               {"out.graph", GWS_FORMAT_METIS, false, true},     {"out.gwsg", GWS_FORMAT_GWSG, true, true}};

static struct gws_graph *take_graph(struct fuzz_bytes *bytes)
{
    struct gws_edge edge[max_arcs];
    int32_t weight[max_arcs];
    float real[max_arcs];
    uint8_t kind = fuzz_take_byte(bytes);
    uint32_t vertices = 1 + fuzz_take_byte(bytes) % max_vertices, first_id;
    uint64_t arcs = 0;
    fuzz_take(bytes, &first_id, sizeof first_id);
    for (; arcs < max_arcs && bytes->left > 0; arcs++) {
        edge[arcs] = (struct gws_edge){fuzz_take_byte(bytes) % vertices, fuzz_take_byte(bytes) % vertices};
        weight[arcs] = (int32_t)arcs;
        if (kind & 1) fuzz_take(bytes, &weight[arcs], sizeof *weight);
        memcpy(&real[arcs], &weight[arcs], sizeof *real);
        if (real[arcs] - real[arcs] != 0) real[arcs] = 0.5F; /* the weight is not finite */
    }
    struct gws_edge_block block = {.edge = edge, .count = arcs};
    if (kind & 8)
        block.real_weight = real;
    else if (kind & 1)
        block.weight = weight;
    struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = kind & 2 ? GWS_BUILD_SYMMETRISE : GWS_BUILD_DIRECTED};
    options.remove_duplicates = (kind & 2) != 0;
    options.remove_loops = (kind & 4) != 0;
    struct gws_graph *graph = NULL;
    fuzz_demand(gws_graph_build(fuzz_roomy_runtime(), &edges, &options, &graph) == GWS_OK, "no graph");
    gws_graph_set_first_id(graph, first_id / 2); /* with larger ids, edge lists have only vertices with edges */
    return graph;
}

static void there_and_back(const struct gws_graph *graph, size_t i)
{
    char path[fuzz_path];
    struct gws_diagnostic where = {0};
    struct gws_graph expected = *graph, *read = NULL;
    struct gws_read_options options = {.format = formats[i].format};
    options.direction = graph->directed ? GWS_EDGES_DIRECTED : GWS_EDGES_UNDIRECTED;
    if (formats[i].format == GWS_FORMAT_GWSG) options.direction = GWS_EDGES_AS_FILE;
    if (!formats[i].numbers) expected.first_id = 1;
    if (!formats[i].weights) expected.weight = NULL, expected.real_weight = NULL;
    if (!expected.weight && !expected.real_weight) options.weights = GWS_WEIGHTS_DROP;
    gws_status status =
        gws_graph_write(fuzz_roomy_runtime(), graph, fuzz_file(formats[i].name, path), formats[i].format, &where);
    if (status == GWS_UNSUPPORTED) return;
    fuzz_demand(status == GWS_OK, where.message);
    status = gws_graph_read(fuzz_roomy_runtime(), path, &options, &read, &where);
    fuzz_demand(status == GWS_OK, where.message);
    fuzz_walk(read);
    if (graph->arcs == 0) { /* without arcs, no line shows that the graph has weights */
        expected.weight = read->weight;
        expected.real_weight = read->real_weight;
    }
    fuzz_same(&expected, read);
    gws_graph_destroy(read);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct gws_graph *graph = take_graph(&bytes);
    fuzz_begin_files();
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) there_and_back(graph, i);
    gws_graph_destroy(graph);
    return 0;
}

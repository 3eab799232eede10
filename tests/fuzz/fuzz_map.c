/* SPDX-License-Identifier: MIT */
/* Fuzzes the maps of gbfs. The map shows a small graph whose coordinates are raw doubles from the input. The bytes
 * after the coordinates are arcs and depths. */
#include "draw.h"

#include "../../tools/gbfs/gbfs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { max_vertices = 16, max_arcs = 64, not_reached = 255 };

static struct gws_graph *take_graph(struct fuzz_bytes *bytes, double position[2 * max_vertices])
{
    uint32_t vertices = 1 + fuzz_take_byte(bytes) % max_vertices;
    uint8_t kind = fuzz_take_byte(bytes);
    struct gws_edge edge[max_arcs];
    struct gws_edge_block block = {.edge = edge};
    struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = &block};
    struct gws_build_options options = {.kind = kind % 2 ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRISE};
    struct gws_graph *graph = NULL;
    fuzz_take(bytes, position, 2 * vertices * sizeof *position);
    for (uint64_t arcs = kind / 2 % max_arcs; block.count < arcs; block.count++)
        edge[block.count] = (struct gws_edge){fuzz_take_byte(bytes) % vertices, fuzz_take_byte(bytes) % vertices};
    fuzz_demand(gws_graph_build(fuzz_roomy_runtime(), &edges, &options, &graph) == GWS_OK, "no graph");
    gws_graph_borrow_positions(graph, position);
    return graph;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    double position[2 * max_vertices];
    uint32_t depth[max_vertices];
    struct session session = {.runtime = fuzz_roomy_runtime(), .graph = take_graph(&bytes, position)};
    struct bfs_report report = {.session = &session, .result = {.vertices = session.graph->vertices, .depth = depth}};
    report.result.source = fuzz_take_byte(&bytes) % (uint32_t)session.graph->vertices;
    for (uint64_t v = 0; v < session.graph->vertices; v++) {
        uint8_t byte = fuzz_take_byte(&bytes);
        depth[v] = byte == not_reached ? GWS_NO_VERTEX : byte;
        if (byte != not_reached && byte >= report.result.levels) report.result.levels = byte + 1u;
    }
    char path[fuzz_path];
    fuzz_begin_files();
    fuzz_file(size % 2 ? "out.png" : "out.svg", path);
    fuzz_demand(picture_of_map(&report, path) == -1, "a map is not drawn");
    gws_graph_destroy(session.graph);
    return 0;
}

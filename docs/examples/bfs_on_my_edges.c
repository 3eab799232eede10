/* SPDX-License-Identifier: MIT */
/* Searches a graph of your own edges. README shows this program; the files beside it use the library from make, CMake,
 * meson and Python. */
#include <graphws/graphws.h>
#include <stdio.h>

int main(void)
{
    struct gws_edge edge[] = {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 3}};
    struct gws_edge_block block = {.edge = edge, .count = 5};
    struct gws_edges edges = {.vertices = 6, .blocks = 1, .block = &block};
    struct gws_build_options undirected = {.kind = GWS_BUILD_SYMMETRISE};
    struct gws_runtime *runtime = NULL;
    struct gws_graph *graph = NULL;
    struct gws_bfs_result result = {0};
    gws_status status = gws_runtime_open(NULL, &runtime);
    if (status == GWS_OK) status = gws_graph_build(runtime, &edges, &undirected, &graph);
    if (status == GWS_OK) status = gws_bfs(runtime, graph, 0, NULL, &result);
    for (uint32_t v = 0; v < result.vertices; v++)
        if (result.depth[v] != GWS_NO_VERTEX) printf("%u is %u away\n", v, result.depth[v]);
    if (status != GWS_OK) fprintf(stderr, "%s\n", gws_status_text(status));
    gws_bfs_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    return status != GWS_OK;
}

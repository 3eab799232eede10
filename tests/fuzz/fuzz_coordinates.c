/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of coordinates beside a graph of five vertices, 1 .. 5; read twice, in whole and in tiny pieces. */
#include "read_graph.h"

#include "../../io/text/coordinates.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct gws_graph *five_vertices(void)
{
    static const uint64_t offset[6] = {0};
    struct gws_graph *graph = NULL;
    gws_status status = gws_graph_wrap(fuzz_runtime(), 5, offset, NULL, NULL, true, true, &graph);
    fuzz_demand(status == GWS_OK, "no graph");
    gws_graph_set_first_id(graph, 1);
    return graph;
}

static gws_status read_once(const uint8_t *data, size_t size, bool pieces, struct gws_graph *graph,
                            struct gws_where *where)
{
    struct gws__input input;
    gws_status status = gws__input_open_memory(&input, fuzz_runtime(), data, size, "input", where);
    if (pieces) input.piece_size = 16;
    if (status == GWS_OK) status = gws__coordinates_read_input(&input, graph, where);
    gws__input_close(&input);
    fuzz_demand((status == GWS_OK) == (graph->position != NULL), "positions and an error, or neither");
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gws_where where[2] = {{0}, {0}};
    struct gws_graph *a = five_vertices(), *b = five_vertices();
    gws_status status = read_once(data, size, false, a, &where[0]);
    gws_status again = read_once(data, size, true, b, &where[1]);
    if (fuzz_same_status(data, size, status, again))
        fuzz_demand(where[0].line == where[1].line && where[0].column == where[1].column, "two places of one error");
    if (status == GWS_OK) fuzz_demand(memcmp(a->position, b->position, 10 * sizeof(double)) == 0, "other positions");
    gws_graph_destroy(a);
    gws_graph_destroy(b);
    return 0;
}

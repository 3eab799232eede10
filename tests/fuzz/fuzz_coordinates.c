/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of coordinates, for a graph of five vertices, 1 .. 5. The target reads the input whole and in tiny
 * chunks, in all modes of enum fuzz_mode. */
#include "read_graph.h"

#include "../../io/text/reader.h"

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

static gws_status read_once(const uint8_t *data, size_t size, enum fuzz_mode mode, uint64_t chunk_size,
                            struct gws_graph *graph, struct gws_diagnostic *where)
{
    struct gws__input input;
    gws_status status = fuzz_open(&input, data, size, mode, chunk_size, where);
    if (status == GWS_OK) status = gws__coordinates_read_input(&input, graph);
    gws__input_close(&input);
    fuzz_demand((status == GWS_OK) == (graph->position != NULL), "positions and an error, or neither");
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gws_diagnostic where[2] = {{0}, {0}};
    struct gws_graph *a = five_vertices();
    gws_status status = read_once(data, size, FUZZ_FILE, 0, a, &where[0]);
    for (int mode = 0; mode < FUZZ_MODES; mode++) {
        struct gws_graph *b = five_vertices();
        gws_status again = read_once(data, size, (enum fuzz_mode)mode, 16, b, &where[1]);
        fuzz_same_end(data, size, status, &where[0], again, &where[1]);
        if (status == GWS_OK)
            fuzz_demand(memcmp(a->position, b->position, 10 * sizeof(double)) == 0, "other positions");
        gws_graph_destroy(b);
    }
    gws_graph_destroy(a);
    return 0;
}

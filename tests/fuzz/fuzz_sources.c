/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of sources, for a graph of five vertices, 1 .. 5. The target reads the input whole and in tiny
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

static void read_once(const uint8_t *data, size_t size, enum fuzz_mode mode, uint64_t chunk_size,
                      const struct gws_graph *graph)
{
    struct gws__input input;
    struct gws_diagnostic where;
    uint32_t *source = NULL;
    uint64_t count = 0;
    gws_status status = fuzz_open(&input, data, size, mode, chunk_size, &where);
    if (status == GWS_OK) status = gws__sources_read_input(&input, graph, &source, &count);
    gws__input_close(&input);
    fuzz_demand((status == GWS_OK) == (source != NULL), "sources and an error, or neither");
    for (uint64_t i = 0; source && i < count; i++) fuzz_demand(source[i] < graph->vertices, "a source is out of range");
    gws_release(fuzz_runtime(), source, count, sizeof *source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gws_graph *graph = five_vertices();
    read_once(data, size, FUZZ_FILE, 0, graph);
    for (int mode = 0; mode < FUZZ_MODES; mode++) read_once(data, size, (enum fuzz_mode)mode, 16, graph);
    gws_graph_destroy(graph);
    return 0;
}

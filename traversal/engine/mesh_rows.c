/* SPDX-License-Identifier: MIT */
/* Writes the rows of a mesh (mesh_rows.h). The workers process blocks of vertices. The further rows of a block follow
 * the further rows of the earlier blocks. A first pass counts the further rows of each block. */
#include "mesh_rows.h"

#include "engine.h"

enum { words = MESH_ROW_WORDS, block = 1 << 14 };

/* Returns the number of rows beyond the first for a vertex with this degree. */
static uint64_t further_of(uint64_t degree)
{
    return degree <= words ? 0 : (degree - 2) / (words - 1);
}

/* A mesh has at most a sixteenth more rows than vertices, so mesh rows take no more memory than the rows of other
 * graphs. */
bool gws__mesh_rows_count(const struct gws_graph *graph, uint64_t *rows)
{
    uint64_t max = graph->vertices + graph->vertices / 16;
    if (graph->arcs > words * graph->vertices || 2 * graph->arcs < 3 * graph->vertices || max >= MESH_ROW_CONTINUES)
        return false;
    *rows = graph->vertices;
    for (uint64_t v = 0; v < graph->vertices && *rows <= max; v++)
        *rows += further_of(gws_graph_degree(graph, (uint32_t)v));
    return *rows <= max;
}

/* ---- writing ---- */

struct mesh_writer {
    const struct gws_graph *graph;
    const struct gws__mesh_rows *rows;
    uint32_t *further; /* for each block: the number of its further rows, later of those of all blocks before it */
};

static uint64_t end_of(const struct gws_graph *graph, uint64_t number)
{
    return (number + 1) * block < graph->vertices ? (number + 1) * block : graph->vertices;
}

static void count_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct mesh_writer *writing = context;
    for (uint64_t b = begin; b < end; b++) {
        uint64_t count = 0;
        for (uint64_t v = b * block; v < end_of(writing->graph, b); v++)
            count += further_of(gws_graph_degree(writing->graph, (uint32_t)v));
        writing->further[b] = (uint32_t)count; /* the count fits, since there are fewer than 2^31 rows */
    }
}

static uint32_t *place_of(const struct gws__mesh_rows *rows, uint64_t number)
{
    return number < rows->device_rows ? rows->on_device[number] : rows->on_host[number - rows->device_rows];
}

/* Writes a vertex's rows. further: the next free row beyond the vertices' rows. Returns the next free row after the
 * written rows. */
static uint32_t write_rows(const struct mesh_writer *writing, uint32_t vertex, uint32_t further)
{
    const struct gws_graph *graph = writing->graph;
    const uint32_t *target = graph->target + graph->offset[vertex];
    uint64_t left = gws_graph_degree(graph, vertex);
    uint32_t *row = place_of(writing->rows, vertex);
    for (; left > words; left -= words - 1, target += words - 1) {
        for (int i = 0; i < words - 1; i++) row[i] = target[i];
        row[words - 1] = MESH_ROW_CONTINUES | further;
        row = place_of(writing->rows, graph->vertices + further++);
    }
    for (uint64_t i = 0; i < words; i++) row[i] = i < left ? target[i] : GWS_NO_VERTEX;
    return further;
}

static void write_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct mesh_writer *writing = context;
    for (uint64_t b = begin; b < end; b++) {
        uint32_t further = writing->further[b];
        for (uint64_t v = b * block; v < end_of(writing->graph, b); v++)
            further = write_rows(writing, (uint32_t)v, further);
    }
}

gws_status gws__mesh_rows_write(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws__mesh_rows *rows)
{
    uint64_t blocks = (graph->vertices + block - 1) / block;
    struct mesh_writer writing = {graph, rows, gws_allocate(runtime, blocks, sizeof *writing.further)};
    if (!writing.further) return GWS_NO_MEMORY;
    gws__engine_uncounted(runtime, blocks, 1, count_blocks, &writing);
    uint32_t before = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t count = writing.further[b];
        writing.further[b] = before;
        before += count;
    }
    gws__engine_uncounted(runtime, blocks, 1, write_blocks, &writing);
    gws_release(runtime, writing.further, blocks, sizeof *writing.further);
    return GWS_OK;
}

/* ---- counting the arcs of some rows ---- */

uint64_t gws__mesh_rows_arcs(const struct gws_graph *graph, uint64_t device_rows, uint64_t *whole)
{
    uint64_t arcs = 0, short_rows = 0;
    bool all = device_rows > graph->vertices;
    for (uint64_t v = 0; v < device_rows && v < graph->vertices; v++) {
        uint64_t degree = gws_graph_degree(graph, (uint32_t)v);
        bool fits = all || degree <= words;
        short_rows += fits;
        arcs += fits ? degree : words - 1;
    }
    *whole = short_rows;
    return arcs;
}

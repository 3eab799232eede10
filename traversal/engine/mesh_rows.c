/* SPDX-License-Identifier: MIT */
/* Writes the rows of a mesh (mesh_rows.h). Vertices are processed in blocks. The further rows of a block follow those
 * of earlier blocks; a first pass counts them. */
#include "mesh_rows.h"

#include "../../lib/parallel.h"

enum { words = MESH_ROW_WORDS, block = 1 << 14 };

/* The rows beyond the first of a vertex with this degree. */
static uint64_t further_of(uint64_t degree)
{
    return degree <= words ? 0 : (degree - 2) / (words - 1);
}

/* At most a sixteenth more rows than vertices: so meshes take no more memory than other graphs. */
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
    uint32_t *further; /* for each block: its further rows; then those of the blocks before it */
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
        writing->further[b] = (uint32_t)count; /* fits: there are fewer than 2^31 rows */
    }
}

static uint32_t *place_of(const struct gws__mesh_rows *rows, uint64_t number)
{
    return number < rows->device_rows ? rows->on_device[number] : rows->on_host[number - rows->device_rows];
}

/* Writes a vertex's rows. further: the next free row beyond the vertices' rows. Returns the next free one after that.
 */
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

static void for_blocks(struct mesh_writer *writing, struct gws_runtime *runtime, uint64_t blocks, gws_body *body)
{
    struct gws_loop loop = {.count = blocks, .grain = 1, .body = body, .context = writing, .uncounted = true};
    gws_parallel_run(runtime, &loop);
}

gws_status gws__mesh_rows_write(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws__mesh_rows *rows)
{
    uint64_t blocks = (graph->vertices + block - 1) / block;
    struct mesh_writer writing = {graph, rows, gws_allocate(runtime, blocks, sizeof *writing.further)};
    if (!writing.further) return GWS_NO_MEMORY;
    for_blocks(&writing, runtime, blocks, count_blocks);
    uint32_t before = 0;
    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t count = writing.further[b];
        writing.further[b] = before;
        before += count;
    }
    for_blocks(&writing, runtime, blocks, write_blocks);
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

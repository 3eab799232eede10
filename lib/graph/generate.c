/* SPDX-License-Identifier: MIT */
/* Descriptions of generated graphs, such as "kron:20" and "grid:300x200". The named generator parses the rest. */
#include "generate.h"

#include <string.h>

#include "build.h"

/* ---- grid: the W x H lattice, written directly as CSR ---- */

struct lattice {
    uint64_t width, height;
    uint64_t *offset;
    uint32_t *target;
    double *position;
};

/* Returns the number of arcs of all vertices before (x, y): the rows above and the vertices to the left. */
static uint64_t arcs_before(const struct lattice *grid, uint64_t x, uint64_t y)
{
    uint64_t lines = y * 2 * (grid->width - 1) + grid->width * (y > 0 ? 2 * y - 1 : 0);
    uint64_t vertical = (uint64_t)(y > 0) + (y + 1 < grid->height);
    return lines + (x > 0 ? 2 * x - 1 : 0) + x * vertical;
}

static void write_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct lattice *grid = context;
    (void)worker;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        uint64_t x = vertex % grid->width, y = vertex / grid->width, at = arcs_before(grid, x, y);
        grid->offset[vertex] = at;
        if (y > 0) grid->target[at++] = (uint32_t)(vertex - grid->width);
        if (x > 0) grid->target[at++] = (uint32_t)(vertex - 1);
        if (x + 1 < grid->width) grid->target[at++] = (uint32_t)(vertex + 1);
        if (y + 1 < grid->height) grid->target[at++] = (uint32_t)(vertex + grid->width);
        grid->position[2 * vertex] = (double)x;
        grid->position[2 * vertex + 1] = (double)y;
    }
}

static gws_status make_grid(struct gws_runtime *runtime, uint64_t width, uint64_t height, struct gws_graph **graph)
{
    struct lattice grid = {.width = width, .height = height};
    struct gws_graph *made;
    uint64_t vertices = width * height, arcs = 2 * ((width - 1) * height + width * (height - 1));
    gws_status status = gws__graph_allocate(runtime, vertices, arcs, GWS__WEIGHT_NONE, &made);
    if (status != GWS_OK) return status;
    grid.position = gws_allocate(runtime, 2 * vertices, sizeof *grid.position);
    if (!grid.position) {
        gws_graph_destroy(made);
        return GWS_NO_MEMORY;
    }
    gws_graph_adopt_positions(made, grid.position);
    grid.offset = made->owner->owned[GWS__PART_OFFSET].memory;
    grid.target = made->owner->owned[GWS__PART_TARGET].memory;
    status = gws_parallel_try_for(runtime, vertices, 1 << 12, write_vertices, &grid);
    grid.offset[vertices] = arcs;
    made->directed = false;
    if (status == GWS_OK)
        *graph = made;
    else
        gws_graph_destroy(made);
    return status;
}

static gws_status read_grid(struct gws__description *description, uint64_t *width, uint64_t *height)
{
    gws_status status = gws__description_number(description, "the width", 1, UINT32_MAX, width);
    if (status == GWS_OK && *description->at != 'x')
        status = gws__description_fail(description, GWS_SYNTAX, "expected ", "'x' and the height");
    if (status != GWS_OK) return status;
    ++description->at;
    status = gws__description_number(description, "the height (at most 2^32 - 1 vertices)", 1, GWS_NO_VERTEX / *width,
                                     height);
    return status == GWS_OK ? gws__description_end(description, "WxH") : status;
}

static gws_status generate_grid(struct gws_runtime *runtime, struct gws__description *description,
                                struct gws_graph **graph)
{
    uint64_t width = 0, height = 0;
    gws_status status = read_grid(description, &width, &height);
    return status == GWS_OK ? make_grid(runtime, width, height, graph) : status;
}

static uint64_t draw_grid(const struct gws__edge_stream *stream, uint64_t begin, uint64_t end, struct gws_edge *edge,
                          int32_t *weight)
{
    const uint64_t width = stream->of.width;
    uint64_t count = 0;
    (void)weight;
    for (uint64_t vertex = begin; vertex < end; ++vertex) {
        if (vertex % width > 0) edge[count++] = (struct gws_edge){(uint32_t)vertex, (uint32_t)(vertex - 1)};
        if (vertex >= width) edge[count++] = (struct gws_edge){(uint32_t)vertex, (uint32_t)(vertex - width)};
    }
    return count;
}

static gws_status open_grid(struct gws__description *description, struct gws__edge_stream *stream)
{
    uint64_t width = 0, height = 0;
    gws_status status = read_grid(description, &width, &height);
    stream->vertices = stream->items = width * height;
    stream->draw = draw_grid;
    stream->of.width = width;
    return status;
}

/* ---- table ---- */

static const struct graph_generator {
    const char *prefix;
    gws__generator *generate;
    gws__stream_opener *open;
} generators[] = {
    {"kron:", gws__generate_kron, gws__open_kron},
    {"uniform:", gws__generate_uniform, gws__open_uniform},
    {"grid:", generate_grid, open_grid},
    {"road:", gws__generate_road, gws__open_road},
};

static const struct graph_generator *generator_of(const char *name)
{
    for (size_t i = 0; i < sizeof generators / sizeof *generators; ++i)
        if (strncmp(name, generators[i].prefix, strlen(generators[i].prefix)) == 0) return &generators[i];
    return NULL;
}

bool gws_graph_is_generator(const char *name)
{
    return generator_of(name) != NULL;
}

/* Moves the description behind the generator's name. */
static gws_status find_generator(struct gws__description *described, const struct graph_generator **generator)
{
    *generator = generator_of(described->text);
    if (!*generator)
        return gws__description_fail(described, GWS_SYNTAX, "expected ", "kron:, uniform:, grid: or road:");
    described->at += strlen((*generator)->prefix);
    return GWS_OK;
}

gws_status gws__edge_stream_open(const char *description, struct gws__edge_stream *stream, struct gws_diagnostic *where)
{
    const struct graph_generator *generator;
    struct gws__description described = {.text = description, .at = description, .where = where};
    *stream = (struct gws__edge_stream){0};
    gws_status status = find_generator(&described, &generator);
    return status == GWS_OK ? generator->open(&described, stream) : status;
}

static gws_status graph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                                 struct gws_diagnostic *where)
{
    const struct graph_generator *generator;
    struct gws__description described = {.text = description, .at = description, .where = where};
    gws_status status = find_generator(&described, &generator);
    if (status == GWS_OK) status = generator->generate(runtime, &described, graph);
    if (status == GWS_NO_MEMORY) gws_diagnostic_set(where, status, description, 0, 0, "out of memory for this graph");
    return status;
}

gws_status gws_graph_generate(struct gws_runtime *runtime, const char *description, struct gws_graph **graph,
                              struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, graph_generate(runtime, description, graph, where));
}

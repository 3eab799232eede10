/* SPDX-License-Identifier: MIT */
/* The W x H lattice, written as CSR at once: where a row begins is a formula. */
#include "build.h"
#include "generate.h"
#include "owner.h"

struct grid {
    uint64_t width, height;
    uint64_t *offset;
    uint32_t *target;
    double *position;
};

/* Arcs of all vertices before (x, y): lines above, then vertices to the left. */
static uint64_t arcs_before(const struct grid *grid, uint64_t x, uint64_t y)
{
    uint64_t lines = y * 2 * (grid->width - 1) + grid->width * (y > 0 ? 2 * y - 1 : 0);
    uint64_t vertical = (uint64_t)(y > 0) + (y + 1 < grid->height);
    return lines + (x > 0 ? 2 * x - 1 : 0) + x * vertical;
}

static void write_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct grid *grid = context;
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

gws_status gws__generate_grid(struct gws_runtime *runtime, uint64_t width, uint64_t height, struct gws_graph **graph)
{
    struct grid grid = {.width = width, .height = height};
    struct gws_graph *made;
    uint64_t vertices = width * height, arcs = 2 * ((width - 1) * height + width * (height - 1));
    gws_status status = gws__graph_allocate(runtime, vertices, arcs, false, &made);
    if (status != GWS_OK) return status;
    grid.position = gws_allocate(runtime, 2 * vertices, sizeof *grid.position);
    if (!grid.position) {
        gws_graph_destroy(made);
        return GWS_NO_MEMORY;
    }
    gws_graph_adopt_positions(made, grid.position);
    grid.offset = made->owner->owned[GWS__PART_OFFSET].memory;
    grid.target = made->owner->owned[GWS__PART_TARGET].memory;
    gws_parallel_for(runtime, vertices, 1 << 12, write_vertices, &grid);
    grid.offset[vertices] = arcs;
    made->directed = false;
    *graph = made;
    return GWS_OK;
}

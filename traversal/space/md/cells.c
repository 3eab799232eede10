/* SPDX-License-Identifier: MIT */
/* Cells of atoms: a counting sort by cell number. Atoms of a cell are in ascending order, so lists, and with them the
 * order in which forces are added, do not depend on the threads. */
#include <string.h>

#include "state.h"

enum { cells_grain = 4096 };

static bool is_periodic(const struct gws_md *md)
{
    return md->field.edge[0] > 0;
}

static void find_bounds(const struct gws_md *md, float low[3], float high[3])
{
    for (uint64_t axis = 0; axis < 3; axis++) {
        low[axis] = md->field.low[axis];
        high[axis] = low[axis] + md->field.edge[axis];
        if (is_periodic(md)) continue;
        low[axis] = high[axis] = md->atoms ? md->position[axis] : 0;
        for (uint64_t i = 0; i < md->atoms; i++) {
            low[axis] = fmin(low[axis], md->position[MD_WORDS * i + axis]);
            high[axis] = fmax(high[axis], md->position[MD_WORDS * i + axis]);
        }
    }
}

static void wrap_atoms(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        for (uint64_t axis = 0; axis < 3; axis++) {
            float *at = &md->position[MD_WORDS * i + axis];
            *at = md_wrapped(*at, md->field.low[axis], md->field.edge[axis]);
        }
}

static void find_cells(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) md->cells.cell[i] = md_cell_of(&md->cells.grid, md_load(md->position, i));
}

static gws_status reserve_cells(struct gws_md *md)
{
    struct gws__md_cells *cells = &md->cells;
    if (cells->capacity > cells->grid.cells) return GWS_OK;
    gws_release(md->runtime, cells->begin, cells->capacity, sizeof *cells->begin);
    cells->begin = gws_allocate(md->runtime, cells->grid.cells + UINT64_C(1), sizeof *cells->begin);
    cells->capacity = cells->begin ? cells->grid.cells + UINT64_C(1) : 0;
    return cells->begin ? GWS_OK : GWS_NO_MEMORY;
}

/* A serial counting sort: its three passes read and write 4 bytes an atom. */
static void sort_by_cell(struct gws_md *md)
{
    struct gws__md_cells *cells = &md->cells;
    memset(cells->begin, 0, (cells->grid.cells + UINT64_C(1)) * sizeof *cells->begin);
    for (uint64_t i = 0; i < md->atoms; i++) cells->begin[cells->cell[i]]++;
    uint32_t sum = 0;
    for (uint64_t c = 0; c <= cells->grid.cells; c++) {
        uint32_t count = cells->begin[c];
        cells->begin[c] = sum;
        sum += count;
    }
    for (uint64_t i = 0; i < md->atoms; i++) cells->atom[cells->begin[cells->cell[i]]++] = (uint32_t)i;
    memmove(cells->begin + 1, cells->begin, cells->grid.cells * sizeof *cells->begin);
    cells->begin[0] = 0;
}

gws_status gws__md_fill_cells(struct gws_md *md)
{
    float low[3], high[3];
    gws_status status = is_periodic(md) ? gws__md_for(md, md->atoms, cells_grain, wrap_atoms) : GWS_OK;
    find_bounds(md, low, high);
    md->cells.grid = md_grid_over(low, high, md->field.reach, (uint32_t)md->atoms);
    if (status == GWS_OK) status = reserve_cells(md);
    if (status == GWS_OK) status = gws__md_for(md, md->atoms, cells_grain, find_cells);
    if (status == GWS_OK) sort_by_cell(md);
    return status;
}

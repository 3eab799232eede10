/* SPDX-License-Identifier: MIT */
/* Cells of atoms: a counting sort by cell number. Atoms of a cell are in ascending order, so lists, and with them the
 * order in which forces are added, do not depend on the threads. */
#include <math.h>
#include <string.h>

#include "state.h"

enum { cells_grain = 4096, cells_per_atom = 2, cells_min = 64 };

static bool is_periodic(const struct gws_md *md)
{
    return md->field.edge[0] > 0;
}

/* ---- the grid ---- */

static void bounds_of(const struct gws_md *md, float low[3], float high[3])
{
    for (int axis = 0; axis < 3; axis++) low[axis] = INFINITY, high[axis] = -INFINITY;
    for (uint64_t i = 0; i < md->atoms; i++)
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fminf(low[axis], md->position[MD_WORDS * i + (uint64_t)axis]);
            high[axis] = fmaxf(high[axis], md->position[MD_WORDS * i + (uint64_t)axis]);
        }
}

/* Chooses the grid of cells. Where atoms are far apart, cells grow until there are at most two for each atom. */
static void choose_grid(struct gws_md *md)
{
    struct gws__md_cells *cells = &md->cells;
    float high[3], least = (float)(md->options.cutoff + md->options.skin);
    double limit = (double)cells_per_atom * (double)md->atoms + cells_min;
    if (!is_periodic(md)) bounds_of(md, cells->low, high);
    for (int axis = 0; axis < 3 && is_periodic(md); axis++) {
        cells->low[axis] = (float)md->options.low[axis];
        high[axis] = cells->low[axis] + md->field.edge[axis];
    }
    for (;; least *= 1.25F) {
        double product = 1;
        for (int axis = 0; axis < 3; axis++) product *= fmax(1, floor((high[axis] - cells->low[axis]) / least));
        if (product <= limit) break;
    }
    cells->cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        float extent = high[axis] - cells->low[axis];
        cells->count[axis] = (uint32_t)fmaxf(1, floorf(extent / least));
        cells->edge[axis] = extent > 0 ? extent / (float)cells->count[axis] : least;
        cells->cells *= cells->count[axis];
    }
}

/* ---- atoms into cells ---- */

/* Moves a coordinate back into a periodic box. */
static float wrapped(float at, float low, float edge)
{
    if (at < low || at >= low + edge) at -= floorf((at - low) / edge) * edge;
    return at < low + edge ? at : low;
}

static uint32_t cell_along(const struct gws__md_cells *cells, int axis, float at)
{
    float cell = (at - cells->low[axis]) / cells->edge[axis];
    return cell < (float)cells->count[axis] ? (uint32_t)fmaxf(cell, 0) : cells->count[axis] - 1;
}

static void wrap_atoms(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        for (int axis = 0; axis < 3; axis++) {
            float *at = &md->position[MD_WORDS * i + (uint64_t)axis];
            *at = wrapped(*at, (float)md->options.low[axis], md->field.edge[axis]);
        }
}

static void find_cells(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    struct gws__md_cells *cells = &md->cells;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const float *at = &md->position[MD_WORDS * i];
        cells->cell[i] =
            (cell_along(cells, 2, at[2]) * cells->count[1] + cell_along(cells, 1, at[1])) * cells->count[0] +
            cell_along(cells, 0, at[0]);
    }
}

static gws_status reserve_cells(struct gws_md *md)
{
    struct gws__md_cells *cells = &md->cells;
    if (cells->capacity > cells->cells) return GWS_OK;
    gws_release(md->runtime, cells->begin, cells->capacity, sizeof *cells->begin);
    cells->begin = gws_allocate(md->runtime, cells->cells + 1, sizeof *cells->begin);
    cells->capacity = cells->begin ? cells->cells + 1 : 0;
    return cells->begin ? GWS_OK : GWS_NO_MEMORY;
}

/* A serial counting sort: its three passes read and write 4 bytes an atom. */
static void sort_by_cell(struct gws_md *md)
{
    struct gws__md_cells *cells = &md->cells;
    memset(cells->begin, 0, (cells->cells + 1) * sizeof *cells->begin);
    for (uint64_t i = 0; i < md->atoms; i++) cells->begin[cells->cell[i]]++;
    uint32_t sum = 0;
    for (uint64_t c = 0; c <= cells->cells; c++) {
        uint32_t count = cells->begin[c];
        cells->begin[c] = sum;
        sum += count;
    }
    for (uint64_t i = 0; i < md->atoms; i++) cells->atom[cells->begin[cells->cell[i]]++] = (uint32_t)i;
    memmove(cells->begin + 1, cells->begin, cells->cells * sizeof *cells->begin);
    cells->begin[0] = 0;
}

gws_status gws__md_fill_cells(struct gws_md *md)
{
    gws_status status = is_periodic(md) ? gws__md_for(md, md->atoms, cells_grain, wrap_atoms) : GWS_OK;
    choose_grid(md);
    if (status == GWS_OK) status = reserve_cells(md);
    if (status == GWS_OK) status = gws__md_for(md, md->atoms, cells_grain, find_cells);
    if (status == GWS_OK) sort_by_cell(md);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* The order of the atoms, and their lists of neighbours within cut-off and skin. */
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { lists_grain = 4096 };

/* ---- the order of the atoms ---- */

struct population {
    uint32_t atoms, cell;
};

static int by_population(const void *a, const void *b)
{
    const struct population *x = a, *y = b;
    if (x->atoms != y->atoms) return x->atoms < y->atoms ? 1 : -1;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* Writes the atoms of fuller cells before those of emptier ones into order[]. */
static gws_status order_by_population(const struct gws_md *md, uint32_t *order)
{
    const struct gws__md_cells *cells = &md->cells;
    struct population *of = gws_allocate(md->runtime, cells->grid.cells, sizeof *of);
    if (!of) return GWS_NO_MEMORY;
    for (uint64_t c = 0; c < cells->grid.cells; c++)
        of[c] = (struct population){cells->begin[c + 1] - cells->begin[c], (uint32_t)c};
    qsort(of, cells->grid.cells, sizeof *of, by_population);
    for (uint64_t c = 0, at = 0; c < cells->grid.cells; at += of[c++].atoms)
        memcpy(order + at, cells->atom + cells->begin[of[c].cell], of[c].atoms * sizeof *order);
    gws_release(md->runtime, of, cells->grid.cells, sizeof *of);
    return GWS_OK;
}

/* Moves the atoms into the order of cells.cell[], which serves as the permutation here. */
static void permute_atoms(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t from = md->cells.cell[i];
        memcpy(&md->built_at[MD_WORDS * i], &md->position[MD_WORDS * from], MD_WORDS * sizeof(float));
        memcpy(&md->sorted[MD_WORDS * i], &md->velocity[MD_WORDS * from], MD_WORDS * sizeof(float));
        md->next_id[i] = md->id[from];
    }
}

static void swap_floats(float **a, float **b)
{
    float *swap = *a;
    *a = *b;
    *b = swap;
}

static void swap_words(uint32_t **a, uint32_t **b)
{
    uint32_t *swap = *a;
    *a = *b;
    *b = swap;
}

/* Reorders the atoms. Forces stay in the old order, because the next step overwrites them. */
static gws_status reorder(struct gws_md *md)
{
    gws_status status = GWS_OK;
    if (md->options.order == GWS_MD_RANDOM) return GWS_OK;
    if (md->options.order == GWS_MD_POPULATION)
        status = order_by_population(md, md->cells.cell);
    else
        memcpy(md->cells.cell, md->cells.atom, md->atoms * sizeof *md->cells.cell);
    if (status == GWS_OK) status = gws__md_for(md, md->atoms, lists_grain, permute_atoms);
    if (status != GWS_OK) return status;
    swap_floats(&md->position, &md->built_at);
    swap_floats(&md->velocity, &md->sorted);
    swap_words(&md->id, &md->next_id);
    return gws__md_fill_cells(md);
}

/* ---- lists ---- */

/* Returns the length of the list `found` entries long with the neighbours in a cell; writes them unless out is NULL. */
static uint32_t list_cell(const struct gws_md *md, uint32_t atom, uint32_t cell, uint32_t *out, uint32_t found)
{
    const struct md_four at = md_load(md->position, atom);
    for (uint32_t i = md->cells.begin[cell]; i < md->cells.begin[cell + 1]; i++) {
        uint32_t other = md->cells.atom[i];
        if (other == atom) continue;
        if (!md_is_neighbour(&md->field, at, md_load(md->position, other))) continue;
        if (out) out[found] = other;
        found++;
    }
    return found;
}

static uint32_t list_atom(const struct gws_md *md, uint32_t atom, uint32_t *out)
{
    const struct gws__md_grid *grid = &md->cells.grid;
    bool wraps = md->field.edge[0] > 0;
    uint32_t cell = md->cells.cell[atom], row = cell / grid->count[0], found = 0;
    struct md_around x = md_cells_beside(cell % grid->count[0], grid->count[0], wraps);
    struct md_around y = md_cells_beside(row % grid->count[1], grid->count[1], wraps);
    struct md_around z = md_cells_beside(row / grid->count[1], grid->count[2], wraps);
    for (uint32_t k = 0; k < z.count; k++)
        for (uint32_t j = 0; j < y.count; j++)
            for (uint32_t i = 0; i < x.count; i++)
                found =
                    list_cell(md, atom, (z.at[k] * grid->count[1] + y.at[j]) * grid->count[0] + x.at[i], out, found);
    return found;
}

static void count_lists(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    (void)worker;
    for (uint64_t i = begin * GWS_MD_TASK; i < gws__md_end(md, end - 1); i++)
        md->row[i + 1] = list_atom(md, (uint32_t)i, NULL);
}

static void fill_lists(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    (void)worker;
    for (uint64_t i = begin * GWS_MD_TASK; i < gws__md_end(md, end - 1); i++)
        (void)list_atom(md, (uint32_t)i, md->neighbour + md->row[i]);
}

static gws_status reserve_lists(struct gws_md *md)
{
    uint64_t needed = md->row[md->atoms];
    if (needed <= md->neighbours) return GWS_OK;
    gws_release(md->runtime, md->neighbour, md->neighbours, sizeof *md->neighbour);
    md->neighbours = needed + needed / 16;
    md->neighbour = gws_allocate(md->runtime, md->neighbours, sizeof *md->neighbour);
    if (!md->neighbour) md->neighbours = 0;
    return md->neighbour ? GWS_OK : GWS_NO_MEMORY;
}

static gws_status build_lists(struct gws_md *md)
{
    gws_status status = gws__md_for(md, md->tasks, 1, count_lists);
    if (status != GWS_OK) return status;
    md->row[0] = 0;
    for (uint64_t i = 0; i < md->atoms; i++) md->row[i + 1] += md->row[i];
    status = reserve_lists(md);
    return status == GWS_OK ? gws__md_for(md, md->tasks, 1, fill_lists) : status;
}

gws_status gws__md_rebuild(struct gws_md *md)
{
    double began = gws_clock_ms();
    gws_status status = gws__md_fill_cells(md);
    if (status == GWS_OK) status = reorder(md);
    if (status == GWS_OK) status = build_lists(md);
    if (status != GWS_OK) return status;
    memcpy(md->built_at, md->position, md->atoms * MD_WORDS * sizeof *md->position);
    atomic_store_explicit(&md->stale, 0, memory_order_relaxed);
    md->rebuilds++;
    md->rebuild_ms += gws_clock_ms() - began;
    return GWS_OK;
}

/* SPDX-License-Identifier: MIT */
/* The order of the atoms, and their lists of neighbours within cut-off and skin. */
#include <math.h>
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
    struct population *of = gws_allocate(md->runtime, cells->cells, sizeof *of);
    if (!of) return GWS_NO_MEMORY;
    for (uint64_t c = 0; c < cells->cells; c++)
        of[c] = (struct population){cells->begin[c + 1] - cells->begin[c], (uint32_t)c};
    qsort(of, cells->cells, sizeof *of, by_population);
    for (uint64_t c = 0, at = 0; c < cells->cells; at += of[c++].atoms)
        memcpy(order + at, cells->atom + cells->begin[of[c].cell], of[c].atoms * sizeof *order);
    gws_release(md->runtime, of, cells->cells, sizeof *of);
    return GWS_OK;
}

/* Moves the atoms into the order of cells.cell[], which serves as the permutation here. */
static void permute_atoms(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws_md *md = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t from = md->cells.cell[i];
        memcpy(&md->moved_from[MD_WORDS * i], &md->position[MD_WORDS * from], MD_WORDS * sizeof(float));
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
    swap_floats(&md->position, &md->moved_from);
    swap_floats(&md->velocity, &md->sorted);
    swap_words(&md->id, &md->next_id);
    return gws__md_fill_cells(md);
}

/* ---- lists ---- */

/* The rows of cells beside a cell: at most three along each axis, none twice. */
struct around {
    uint32_t count[3], at[3][3];
};

static struct around cells_around(const struct gws_md *md, uint32_t cell)
{
    const struct gws__md_cells *cells = &md->cells;
    uint32_t mine[3] = {cell % cells->count[0], cell / cells->count[0] % cells->count[1],
                        cell / cells->count[0] / cells->count[1]};
    struct around around = {.count = {0}};
    for (int axis = 0; axis < 3; axis++) {
        uint32_t of = cells->count[axis], steps = of < 3 ? of : 3;
        bool wraps = md->field.edge[axis] > 0;
        for (uint32_t step = 0; step < steps; step++) {
            uint32_t next = mine[axis] + step + of - (steps > 1);
            if (!wraps && steps == 2) next = step + of;
            if (!wraps && steps == 3 && (next < of || next >= 2 * of)) continue;
            around.at[axis][around.count[axis]++] = next % of;
        }
    }
    return around;
}

struct listing {
    const struct gws_md *md;
    float reach; /* square of cut-off and skin */
    uint32_t atom;
    uint32_t *out; /* NULL: count only */
    uint32_t found;
};

static void list_cell(struct listing *at, uint32_t cell)
{
    const struct gws_md *md = at->md;
    const float *mine = &md->position[(uint64_t)MD_WORDS * at->atom];
    for (uint32_t i = md->cells.begin[cell]; i < md->cells.begin[cell + 1]; i++) {
        uint32_t other = md->cells.atom[i];
        const float *theirs = &md->position[(uint64_t)MD_WORDS * other];
        float square = 0;
        for (int axis = 0; axis < 3; axis++) {
            float d = mine[axis] - theirs[axis];
            if (d > md->field.half[axis]) d -= md->field.edge[axis];
            if (d < -md->field.half[axis]) d += md->field.edge[axis];
            square += d * d;
        }
        if (square > at->reach || other == at->atom) continue;
        if (at->out) at->out[at->found] = other;
        at->found++;
    }
}

/* Returns the length of the list; writes the list to out unless out is NULL. */
static uint32_t list_atom(const struct gws_md *md, uint32_t atom, uint32_t *out)
{
    const struct gws__md_cells *cells = &md->cells;
    float reach = (float)(md->options.cutoff + md->options.skin);
    struct listing at = {.md = md, .reach = reach * reach, .atom = atom, .out = out};
    struct around around = cells_around(md, cells->cell[atom]);
    for (uint32_t k = 0; k < around.count[2]; k++)
        for (uint32_t j = 0; j < around.count[1]; j++)
            for (uint32_t i = 0; i < around.count[0]; i++)
                list_cell(&at,
                          (around.at[2][k] * cells->count[1] + around.at[1][j]) * cells->count[0] + around.at[0][i]);
    return at.found;
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
    memcpy(md->moved_from, md->position, md->atoms * MD_WORDS * sizeof *md->position);
    atomic_store_explicit(&md->stale, 0, memory_order_relaxed);
    md->rebuilds++;
    md->rebuild_ms += gws_clock_ms() - began;
    return GWS_OK;
}

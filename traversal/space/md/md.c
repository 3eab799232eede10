/* SPDX-License-Identifier: MIT */
/* Opening and closing a simulation, and copying its atoms. */
#include <float.h>
#include <string.h>

#include "../../../lib/random.h"
#include "state.h"

const char *gws_md_order_at(uint32_t i)
{
    static const char *const name[] = {"spatial", "population", "random"};
    return i < sizeof name / sizeof *name ? name[i] : NULL;
}

const char *gws_md_pattern_at(uint32_t i)
{
    static const char *const name[] = {"P0", "P1", "P2", "P3", "P4"};
    return i < sizeof name / sizeof *name ? name[i] : NULL;
}

/* ---- options ---- */

static gws_status invalid(struct gws_diagnostic *where, const char *what)
{
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s", what);
}

static gws_status check_box(const struct gws_md_options *options, bool *periodic, struct gws_diagnostic *where)
{
    double min = 2 * (options->cutoff + options->skin);
    *periodic = false;
    for (int axis = 0; axis < 3; axis++) *periodic |= options->low[axis] != 0 || options->high[axis] != 0;
    for (int axis = 0; axis < 3 && *periodic; axis++)
        if (!(options->high[axis] - options->low[axis] >= min && options->high[axis] - options->low[axis] < 1e6))
            return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                      "an edge of the box is %g; it must be at least %g, twice cut-off and skin",
                                      options->high[axis] - options->low[axis], min);
    return GWS_OK;
}

static gws_status take_options(struct gws_md *md, const struct gws_md_options *given, bool *periodic,
                               struct gws_diagnostic *where)
{
    struct gws_md_options *options = &md->options;
    if (given) *options = *given;
    if (options->cutoff == 0) options->cutoff = 2.5;
    if (options->skin == 0) options->skin = 0.3;
    if (options->step == 0) options->step = 0.004;
    if (!(options->cutoff > 0 && options->cutoff < 1e5) || !(options->skin > 0 && options->skin < 1e5))
        return invalid(where, "cut-off and skin must be above 0");
    if (!(options->step > 0 && options->step < 1e5)) return invalid(where, "the time step must be above 0");
    if (!gws_md_order_at((uint32_t)options->order)) return invalid(where, "unknown order of atoms");
    if (!gws_md_pattern_at((uint32_t)options->pattern)) return invalid(where, "unknown pattern of work");
    if (options->pattern != GWS_MD_P0) options->step = 0; /* without all forces, atoms would fly into each other */
    return check_box(options, periodic, where);
}

static void make_field(struct gws_md *md, bool periodic)
{
    double cutoff = md->options.cutoff, sixth = pow(cutoff, -6);
    md->field = (struct gws__md_field){.cutoff_square = (float)(cutoff * cutoff),
                                       .cutoff = (float)cutoff,
                                       .force = (float)((48 * sixth * sixth - 24 * sixth) / cutoff),
                                       .energy = (float)(4 * (sixth * sixth - sixth)),
                                       .charge_force = (float)(1 / (cutoff * cutoff)),
                                       .charge_energy = (float)(1 / cutoff),
                                       .reach = (float)(cutoff + md->options.skin)};
    for (int axis = 0; axis < 3; axis++) {
        md->field.low[axis] = (float)md->options.low[axis];
        md->field.edge[axis] = periodic ? (float)(md->options.high[axis] - md->options.low[axis]) : 0;
        md->field.half_edge[axis] = periodic ? md->field.edge[axis] / 2 : FLT_MAX;
    }
}

/* ---- memory ---- */

static gws_status reserve(struct gws_md *md)
{
    struct gws_runtime *runtime = md->runtime;
    uint64_t atoms = md->atoms, words = MD_WORDS * atoms;
    float **floats[] = {&md->position, &md->velocity, &md->force, &md->built_at, &md->sorted};
    uint32_t **numbers[] = {&md->id, &md->next_id, &md->cells.atom, &md->cells.cell};
    bool whole = true;
    for (int i = 0; i < 5; i++) whole &= (*floats[i] = gws_allocate(runtime, words, sizeof(float))) != NULL;
    for (int i = 0; i < 4; i++) whole &= (*numbers[i] = gws_allocate(runtime, atoms, sizeof(uint32_t))) != NULL;
    md->row = gws_allocate(runtime, atoms + 1, sizeof *md->row);
    md->sums = gws_allocate(runtime, md->tasks, sizeof *md->sums);
    if (md->force) memset(md->force, 0, words * sizeof(float)); /* tasks without work write no forces */
    return whole && md->row && md->sums ? GWS_OK : GWS_NO_MEMORY;
}

void gws_md_close(struct gws_md *md)
{
    if (!md) return;
    struct gws_runtime *runtime = md->runtime;
    uint64_t atoms = md->atoms, words = MD_WORDS * atoms;
    float *floats[] = {md->position, md->velocity, md->force, md->built_at, md->sorted};
    uint32_t *numbers[] = {md->id, md->next_id, md->cells.atom, md->cells.cell};
    for (int i = 0; i < 5; i++) gws_release(runtime, floats[i], words, sizeof(float));
    for (int i = 0; i < 4; i++) gws_release(runtime, numbers[i], atoms, sizeof(uint32_t));
    gws_release(runtime, md->row, atoms + 1, sizeof *md->row);
    gws_release(runtime, md->sums, md->tasks, sizeof *md->sums);
    gws_release(runtime, md->neighbour, md->neighbours, sizeof *md->neighbour);
    gws_release(runtime, md->cells.begin, md->cells.capacity, sizeof *md->cells.begin);
    gws_release(runtime, md, 1, sizeof *md);
}

/* ---- atoms in ---- */

/* Returns 0 if there is no column. */
static double number_at(const struct gws_points_column *column, uint64_t i)
{
    return column ? gws_points_number(column, i) : 0;
}

/* Fills order[] with a permutation: Fisher and Yates. */
static void shuffle(uint32_t *order, uint64_t count, uint64_t seed)
{
    for (uint64_t i = count; i > 1; i--) {
        uint32_t other = gws_random_below(gws_random_at(seed, i), (uint32_t)i), swap = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swap;
    }
}

/* Moves a coordinate into a periodic box from anywhere. */
static double inside(double at, double low, double edge)
{
    at -= floor((at - low) / edge) * edge;
    return at < low + edge ? at : low;
}

static gws_status take_atom(struct gws_md *md, const struct gws_points *atoms, uint64_t i,
                            const struct gws_points_column *const column[4], struct gws_diagnostic *where)
{
    const void *const axes[] = {atoms->x, atoms->y, atoms->z};
    uint64_t from = md->id[i];
    for (int axis = 0; axis < 3; axis++) {
        double at = gws_points_at(atoms, axes[axis], from), edge = (double)md->field.edge[axis];
        if (!(fabs(at) < 1e9))
            return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "coordinate %g of atom %llu is out of range", at,
                                      (unsigned long long)from);
        if (edge > 0) at = inside(at, md->options.low[axis], edge);
        md->position[MD_WORDS * i + (uint64_t)axis] = (float)at;
        md->velocity[MD_WORDS * i + (uint64_t)axis] = (float)number_at(column[axis], from);
    }
    md->velocity[MD_WORDS * i + 3] = 0;
    md->position[MD_WORDS * i + 3] = (float)number_at(column[3], from);
    return GWS_OK;
}

static gws_status take_atoms(struct gws_md *md, const struct gws_points *atoms, struct gws_diagnostic *where)
{
    const struct gws_points_column *const column[] = {gws_points_find(atoms, "vx"), gws_points_find(atoms, "vy"),
                                                      gws_points_find(atoms, "vz"), gws_points_find(atoms, "charge")};
    gws_status status = GWS_OK;
    for (uint64_t i = 0; i < md->atoms; i++) md->id[i] = (uint32_t)i;
    if (md->options.order == GWS_MD_RANDOM) shuffle(md->id, md->atoms, md->options.seed);
    for (uint64_t i = 0; i < md->atoms && status == GWS_OK; i++) status = take_atom(md, atoms, i, column, where);
    return status;
}

/* ---- opening ---- */

static gws_status first_forces(struct gws_md *md, struct gws_diagnostic *where)
{
    gws_status status = gws__md_rebuild(md);
    if (status == GWS_OK) status = gws__md_forces(md, 0);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    struct gws__md_sums total = gws__md_total(md);
    md->energy = total.potential + total.kinetic;
    if (!isfinite(md->energy)) return invalid(where, "two atoms are at the same place, or nearly so");
    return GWS_OK;
}

gws_status gws__md_make(struct gws_runtime *runtime, const struct gws_points *atoms,
                        const struct gws_md_options *options, struct gws_md **out, struct gws_diagnostic *where)
{
    bool periodic = false;
    if (atoms->count >= (uint64_t)1 << 31) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    struct gws_md *md = gws_allocate(runtime, 1, sizeof *md);
    if (!md) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    memset(md, 0, sizeof *md);
    md->runtime = runtime;
    md->atoms = atoms->count;
    md->tasks = (md->atoms + GWS_MD_TASK - 1) / GWS_MD_TASK;
    gws_status status = take_options(md, options, &periodic, where);
    if (status == GWS_OK) status = gws_diagnostic_status(where, reserve(md));
    if (status == GWS_OK) {
        make_field(md, periodic);
        status = take_atoms(md, atoms, where);
    }
    if (status == GWS_OK)
        *out = md;
    else
        gws_md_close(md);
    return status;
}

static gws_status open_md(struct gws_runtime *runtime, const struct gws_points *atoms,
                          const struct gws_md_options *options, struct gws_md **out, struct gws_diagnostic *where)
{
    struct gws_md *md = NULL;
    gws_status status = gws__md_make(runtime, atoms, options, &md, where);
    if (status == GWS_OK) status = first_forces(md, where);
    if (status == GWS_OK)
        *out = md;
    else
        gws_md_close(md);
    return status;
}

gws_status gws_md_open(struct gws_runtime *runtime, const struct gws_points *atoms,
                       const struct gws_md_options *options, struct gws_md **md, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, open_md(runtime, atoms, options, md, where));
}

/* ---- atoms out ---- */

gws_status gws_md_fetch(const struct gws_md *md, struct gws_points *atoms)
{
    static const char *const name[] = {"vx", "vy", "vz", "charge", "fx", "fy", "fz"};
    struct gws_points_column column[7] = {0};
    for (int c = 0; c < 7; c++) {
        memcpy(column[c].name, name[c], strlen(name[c]) + 1);
        column[c].kind = GWS_NUMBER_F32;
    }
    gws_status status = gws_points_make(md->runtime, md->atoms, false, 7, column, atoms);
    if (status != GWS_OK) return status;
    float *const axes[] = {atoms->x, atoms->y, atoms->z};
    for (uint64_t i = 0; i < md->atoms; i++) {
        for (uint64_t axis = 0; axis < 3; axis++) {
            double at = (double)md->position[MD_WORDS * i + axis], edge = (double)md->field.edge[axis];
            axes[axis][md->id[i]] = (float)(edge > 0 ? inside(at, md->options.low[axis], edge) : at);
            ((float *)atoms->column[axis].data)[md->id[i]] = md->velocity[MD_WORDS * i + axis];
            ((float *)atoms->column[4 + axis].data)[md->id[i]] = md->force[MD_WORDS * i + axis];
        }
        ((float *)atoms->column[3].data)[md->id[i]] = md->position[MD_WORDS * i + 3];
    }
    return GWS_OK;
}

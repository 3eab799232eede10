/* SPDX-License-Identifier: MIT */
/* Checks molecular dynamics: sums over all atoms in doubles, without cells, lists or code of the simulation. */
#include <math.h>

#include "../md.h"
#include "ask.h"

enum { check_all = 4096, check_sample = 256 };

struct checking {
    const struct gws_points *atoms;
    const float *x, *y, *z, *charge;
    double cutoff, edge[3];
};

struct pair {
    double force[3]; /* on the first atom */
    double energy;
    bool inside;
};

static const float *column_of(const struct gws_points *atoms, const char *name)
{
    const struct gws_points_column *column = gws_points_find(atoms, name);
    return column && column->kind == GWS_NUMBER_F32 ? column->data : NULL;
}

/* The energy and the force by the formulas in md.h, by their derivatives on paper. */
static struct pair pair_of(const struct checking *check, uint64_t a, uint64_t b)
{
    struct pair pair = {.energy = 0};
    double d[3] = {(double)check->x[a] - (double)check->x[b], (double)check->y[a] - (double)check->y[b],
                   (double)check->z[a] - (double)check->z[b]};
    for (int axis = 0; axis < 3; axis++)
        if (check->edge[axis] > 0) d[axis] -= check->edge[axis] * round(d[axis] / check->edge[axis]);
    double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), c = check->cutoff;
    double charges = (double)check->charge[a] * (double)check->charge[b];
    pair.inside = r < c;
    if (!pair.inside) return pair;
    double at_cutoff = 24 * (2 * pow(c, -13) - pow(c, -7)) + charges / (c * c);
    double force = 24 * (2 * pow(r, -13) - pow(r, -7)) + charges / (r * r) - at_cutoff;
    for (int axis = 0; axis < 3; axis++) pair.force[axis] = force * d[axis] / r;
    pair.energy = 4 * (pow(r, -12) - pow(r, -6)) - 4 * (pow(c, -12) - pow(c, -6)) + charges / r - charges / c +
                  at_cutoff * (r - c);
    return pair;
}

static gws_status wrong(struct gws_diagnostic *where, const char *what, double found, double expected)
{
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%s is %.9g, expected %.9g", what, found, expected);
}

struct all_pairs {
    double potential;
    uint64_t pairs;
};

/* Compares the force on one atom; adds its pairs to the sums. */
static gws_status check_force(const struct checking *check, uint64_t atom, struct all_pairs *sums,
                              struct gws_diagnostic *where)
{
    static const char *const name[] = {"fx", "fy", "fz"};
    double force[3] = {0}, size = 1;
    for (uint64_t other = 0; other < check->atoms->count; other++) {
        if (other == atom) continue;
        struct pair pair = pair_of(check, atom, other);
        for (int axis = 0; axis < 3; axis++) force[axis] += pair.force[axis];
        size += fabs(pair.force[0]) + fabs(pair.force[1]) + fabs(pair.force[2]);
        sums->potential += pair.energy / 2;
        sums->pairs += pair.inside;
    }
    for (int axis = 0; axis < 3; axis++) {
        double found = (double)column_of(check->atoms, name[axis])[atom];
        if (!(fabs(found - force[axis]) <= 1e-4 * size))
            return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "%s of atom %llu is %.9g, expected %.9g",
                                      name[axis], (unsigned long long)atom, found, force[axis]);
    }
    return GWS_OK;
}

static gws_status check_forces(struct gws_runtime *runtime, const struct checking *check,
                               const struct gws_md_result *result, struct gws_diagnostic *where)
{
    uint64_t atoms = check->atoms->count, samples = atoms <= check_all ? atoms : check_sample;
    struct all_pairs sums = {0};
    for (uint64_t i = 0; i < samples; i++) {
        gws_status status = check_force(check, i * atoms / samples, &sums, where);
        if (status != GWS_OK || gws_cancelled(runtime)) return status;
    }
    if (samples < atoms) return GWS_OK;
    /* A pair at the cut-off may be inside in floats and outside in doubles. */
    if (!(fabs((double)sums.pairs / 2 - (double)result->pairs) <= 2 + 1e-5 * (double)sums.pairs))
        return wrong(where, "the number of pairs", (double)result->pairs, (double)sums.pairs / 2);
    if (!(fabs(sums.potential - result->potential) <= 1e-4 * (double)(atoms + 1)))
        return wrong(where, "the potential energy", result->potential, sums.potential);
    return GWS_OK;
}

static gws_status check_velocities(const struct checking *check, const struct gws_md_result *result,
                                   const double before[3], struct gws_diagnostic *where)
{
    static const char *const name[] = {"vx", "vy", "vz"};
    double kinetic = 0, atoms = (double)check->atoms->count, roots = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float *velocity = column_of(check->atoms, name[axis]);
        double sum = 0;
        for (uint64_t i = 0; i < check->atoms->count; i++) {
            sum += (double)velocity[i];
            kinetic += 0.5 * (double)velocity[i] * (double)velocity[i];
        }
        roots = 1e-4 * (1 + sqrt(atoms * (double)(result->steps + 1)));
        if (!(fabs(sum - result->momentum[axis]) <= 1e-6 * (atoms + 1)))
            return wrong(where, "a sum of velocities", result->momentum[axis], sum);
        if (!(fabs(sum - before[axis]) <= roots)) return wrong(where, "the momentum", sum, before[axis]);
    }
    if (!(fabs(kinetic - result->kinetic) <= 1e-6 * (kinetic + 1)))
        return wrong(where, "the kinetic energy", result->kinetic, kinetic);
    return GWS_OK;
}

static gws_status check_md(struct gws_runtime *runtime, const struct gws_points *atoms,
                           const struct gws_md_options *options, const struct gws_md_result *result,
                           const double before[3], struct gws_diagnostic *where)
{
    struct checking check = {.atoms = atoms, .x = atoms->x, .y = atoms->y, .z = atoms->z, .cutoff = 2.5};
    if (options && options->pattern != GWS_MD_P0)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "tasks without work have no forces to check");
    if (options && options->cutoff > 0) check.cutoff = options->cutoff;
    for (int axis = 0; axis < 3 && options; axis++) check.edge[axis] = options->high[axis] - options->low[axis];
    check.charge = column_of(atoms, "charge");
    if (atoms->is_double || !check.charge || !column_of(atoms, "vx") || !column_of(atoms, "fz"))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the atoms are not those of gws_md_fetch()");
    if (result->atoms != atoms->count)
        return wrong(where, "the number of atoms", (double)result->atoms, (double)atoms->count);
    if (!(result->drift <= 0.02)) return wrong(where, "the drift of the energy per atom", result->drift, 0);
    gws_status status = check_velocities(&check, result, before, where);
    return status == GWS_OK ? check_forces(runtime, &check, result, where) : status;
}

gws_status gws_md_check(struct gws_runtime *runtime, const struct gws_points *atoms,
                        const struct gws_md_options *options, const struct gws_md_result *result,
                        const double momentum_before[3], struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where,
                    ask_end(runtime, check_md(runtime, atoms, options, result, momentum_before, where), where));
}

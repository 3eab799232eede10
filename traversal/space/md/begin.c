/* SPDX-License-Identifier: MIT */
/* Initial states. Each draw has a number, so the atoms do not depend on the threads. A cancelled call cuts the loops.
 */
#include <math.h>
#include <string.h>

#include "../../../lib/parallel.h"
#include "../../../lib/random.h"
#include "../../md.h"

enum { stream_place = 1, stream_velocity = 2 };

static const double tau = 6.283185307179586;

struct places {
    double spacing;         /* edge of a lattice cell, which has four sites */
    uint64_t cells_on_edge; /* lattice cells along an edge */
    double low;             /* of the lattice, on each axis */
    double width;           /* deviation of Gauss's curve; 0: uniform */
    uint64_t seed;
};

/* Returns a draw from 0 < x < 1. */
static double draw(uint64_t seed, uint64_t stream, uint64_t index)
{
    return ((double)(gws_random_at(seed + stream, index) >> 11) + 0.5) * 0x1p-53;
}

static uint64_t sites_of(const struct places *places)
{
    return 4 * places->cells_on_edge * places->cells_on_edge * places->cells_on_edge;
}

/* The four sites of a cell are its corner and the centres of the three faces beside the corner. */
static void site_at(const struct places *places, uint64_t site, double at[3])
{
    uint64_t cell = site / 4, face = site % 4;
    for (uint64_t axis = 0; axis < 3; axis++) {
        double shift = face > 0 && face - 1 != axis ? 0.75 : 0.25;
        at[axis] = places->low + ((double)(cell % places->cells_on_edge) + shift) * places->spacing;
        cell /= places->cells_on_edge;
    }
}

static bool has_atom(const struct places *places, uint64_t site)
{
    double at[3];
    if (places->width <= 0) return true;
    site_at(places, site, at);
    double square = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
    return draw(places->seed, stream_place, site) < exp(-square / (2 * places->width * places->width));
}

/* A lattice with at least as many atoms as wanted. A Gaussian density takes some more, since their number is random. */
static struct places choose_places(const struct gws_md_start *start, double density)
{
    struct places places = {.seed = start->seed};
    double atoms = (double)start->atoms;
    if (!start->gauss) {
        places.cells_on_edge = (uint64_t)ceil(cbrt(atoms / 4) - 1e-9);
        if (places.cells_on_edge == 0) places.cells_on_edge = 1;
        places.spacing = cbrt(atoms / density) / (double)places.cells_on_edge;
        return places;
    }
    places.spacing = cbrt(4 / density);
    places.width = cbrt((atoms + 8 * sqrt(atoms) + 32) / density / pow(tau, 1.5));
    places.cells_on_edge = (uint64_t)ceil(8 * places.width / places.spacing) + 1;
    places.low = -0.5 * (double)places.cells_on_edge * places.spacing;
    return places;
}

static uint64_t count_atoms(struct gws_runtime *runtime, const struct places *places)
{
    uint64_t found = 0, sites = sites_of(places);
    if (places->width <= 0) return sites;
    for (uint64_t site = 0; site < sites && !gws_cancelled_at(runtime, site); site++) found += has_atom(places, site);
    return found;
}

/* Places the atoms on `wanted` of the `found` sites that have atoms, leaving out sites evenly. */
static void place_atoms(struct gws_runtime *runtime, const struct places *places, uint64_t found,
                        struct gws_points *atoms)
{
    float *const axes[] = {atoms->x, atoms->y, atoms->z};
    uint64_t seen = 0, used = 0;
    double at[3];
    for (uint64_t site = 0; used < atoms->count && !gws_cancelled_at(runtime, site); site++) {
        if (!has_atom(places, site)) continue;
        if ((double)seen++ * (double)atoms->count < (double)used * (double)found) continue;
        site_at(places, site, at);
        for (int axis = 0; axis < 3; axis++) axes[axis][used] = (float)at[axis];
        used++;
    }
}

/* Draws normal velocities (Box, Muller, 1958), whose mean is then 0, and scales them to the temperature. */
static void draw_velocities(struct gws_runtime *runtime, struct gws_points *atoms, double temperature, uint64_t seed)
{
    double square = 0;
    for (uint64_t axis = 0; axis < 3; axis++) {
        float *velocity = atoms->column[axis].data;
        double sum = 0;
        for (uint64_t i = 0; i < atoms->count && !gws_cancelled_at(runtime, i); i++) {
            double radius = sqrt(-2 * log(draw(seed, stream_velocity, 6 * i + 2 * axis)));
            velocity[i] = (float)(radius * cos(tau * draw(seed, stream_velocity, 6 * i + 2 * axis + 1)));
            sum += (double)velocity[i];
        }
        for (uint64_t i = 0; i < atoms->count; i++) {
            velocity[i] -= (float)(sum / (double)atoms->count);
            square += (double)velocity[i] * (double)velocity[i];
        }
    }
    double scale = square > 0 ? sqrt(3 * (double)atoms->count * temperature / square) : 0;
    for (uint64_t axis = 0; axis < 3; axis++)
        for (uint64_t i = 0; i < atoms->count; i++) ((float *)atoms->column[axis].data)[i] *= (float)scale;
}

static gws_status begin(struct gws_runtime *runtime, const struct gws_md_start *start, struct gws_points *atoms,
                        double low[3], double high[3])
{
    static const char *const name[] = {"vx", "vy", "vz", "charge"};
    struct gws_points_column column[4] = {0};
    struct gws_points made = {0};
    double density = start->density == 0 ? 0.84 : start->density;
    double temperature = start->temperature == 0 ? 1 : start->temperature;
    if (!(density > 0 && density < 1e9) || !(temperature > 0 && temperature < 1e9) || !(fabs(start->charge) < 1e9))
        return GWS_INVALID;
    if (start->atoms >= (uint64_t)1 << 31) return GWS_TOO_LARGE;
    for (int c = 0; c < 4; c++) {
        memcpy(column[c].name, name[c], strlen(name[c]) + 1);
        column[c].kind = GWS_NUMBER_F32;
    }
    gws_status status = gws_points_make(runtime, start->atoms, false, 4, column, &made);
    if (status != GWS_OK) return status;
    struct places places = choose_places(start, density);
    place_atoms(runtime, &places, count_atoms(runtime, &places), &made);
    draw_velocities(runtime, &made, temperature, start->seed);
    if (gws_cancelled(runtime)) {
        gws_points_clear(&made);
        return GWS_CANCELLED;
    }
    for (uint64_t i = 0; i < start->atoms; i++)
        ((float *)made.column[3].data)[i] = (float)(i % 2 ? -start->charge : start->charge);
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = 0;
        high[axis] = start->gauss ? 0 : places.spacing * (double)places.cells_on_edge;
    }
    *atoms = made;
    return GWS_OK;
}

gws_status gws_md_begin(struct gws_runtime *runtime, const struct gws_md_start *start, struct gws_points *atoms,
                        double low[3], double high[3])
{
    return GWS_CALL(runtime, NULL, begin(runtime, start, atoms, low, high));
}

/* SPDX-License-Identifier: MIT */
/* What a device needs to know of a problem, as kernels/madness/madness_words.h lays it out. */
#include <string.h>

#include "../madness_box.h"
#include "madness_device_state.h"

static uint64_t pairs_of(uint32_t order)
{
    return (order + 1) / 2;
}

uint64_t gws__madness_device_table_bytes(uint32_t order)
{
    const uint64_t pairs = pairs_of(order);
    return (MADNESS_MATRICES + 2 * (pairs * pairs + 2 * order * pairs)) * sizeof(double);
}

/* H0_ij, out of the CPU's table: lane 0 has even i, lane 7 odd ones. */
static double two_scale(const struct gws__madness_tables *tables, uint32_t i, uint32_t j)
{
    return tables->two_scale[0][8 * (j * tables->folded + i / 2) + (i % 2 ? 7 : 0)];
}

static void fill_matrices(const struct gws__madness_tables *tables, double *to)
{
    const uint32_t k = tables->order, width = 2 * tables->folded;
    double *children = to + (uint64_t)tables->folded * width, *parents = children + (uint64_t)k * width;
    for (uint32_t a = 0; a < tables->folded; a++)
        for (uint32_t i = 0; i < k; i++) to[a * width + i] = tables->quadrature[a * k + i];
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) children[j * width + i] = parents[i * width + j] = two_scale(tables, i, j);
}

static void fill_table(const struct gws_madness_problem *problem, const struct gws__madness_tables *tables,
                       double *table)
{
    for (uint32_t level = 0; level <= GWS_MADNESS_LEVEL; level++) {
        table[MADNESS_TOLERANCE + level] = gws__madness_tolerance(problem, level);
        table[MADNESS_SCALE + level] = gws__madness_scale(problem, level);
    }
    for (int a = 0; a < 3; a++) {
        table[MADNESS_LOW + a] = problem->low[a];
        table[MADNESS_EDGE + a] = problem->high[a] - problem->low[a];
    }
    memcpy(table + MADNESS_POINTS, tables->point, problem->order * sizeof *table);
    fill_matrices(tables, table + MADNESS_MATRICES);
}

static gws_status upload_table(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                               struct gws_where *where)
{
    const uint64_t bytes = gws__madness_device_table_bytes(problem->order);
    struct gws__madness_tables *tables = gws_allocate(builder->runtime, 1, sizeof *tables);
    double *table = gws_allocate(builder->runtime, bytes, 1);
    gws_status status = tables && table ? GWS_OK : gws__madness_device_no_memory(where);
    if (status == GWS_OK) {
        memset(table, 0, bytes);
        gws__madness_tables_make(problem->order, tables);
        fill_table(problem, tables, table);
        status = gws_device_write(builder->buffer[madness_table], 0, table, bytes, where);
    }
    gws_release(builder->runtime, table, bytes, 1);
    gws_release(builder->runtime, tables, 1, sizeof *tables);
    return status;
}

/* A body as the kernels read it is a body as the host has it. */
static gws_status upload_bodies(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                struct gws_where *where)
{
    _Static_assert(sizeof(struct gws_madness_body) == MADNESS_BODY_NUMBERS * sizeof(double), "as the kernels read it");
    const uint64_t bytes = problem->functions * sizeof(struct gws_madness_body);
    gws_status status = gws__madness_device_room(builder, madness_body, bytes, where);
    if (status != GWS_OK) return status;
    return gws_device_write(builder->buffer[madness_body], 0, problem->context, bytes, where);
}

static gws_status upload_specials(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                  struct gws_where *where)
{
    const uint64_t numbers = (uint64_t)MADNESS_SPECIAL_NUMBERS * problem->specials;
    gws_status status = gws__madness_device_room(builder, madness_special, numbers * sizeof(double) + 8, where);
    if (status != GWS_OK) return status;
    double *number = gws_allocate(builder->runtime, numbers, sizeof *number);
    if (!number) return gws__madness_device_no_memory(where);
    for (uint32_t i = 0; i < problem->specials; i++) {
        double *to = number + (uint64_t)MADNESS_SPECIAL_NUMBERS * i;
        memcpy(to, problem->special[i].at, 3 * sizeof *to);
        to[3] = problem->special[i].function;
        to[4] = problem->special[i].level;
    }
    status = gws_device_write(builder->buffer[madness_special], 0, number, numbers * sizeof *number, where);
    gws_release(builder->runtime, number, numbers, sizeof *number);
    return status;
}

gws_status gws__madness_device_upload(struct gws_madness_device *builder, const struct gws_madness_problem *problem,
                                      struct gws_where *where)
{
    gws_status status = upload_table(builder, problem, where);
    if (status == GWS_OK) status = upload_bodies(builder, problem, where);
    return status == GWS_OK ? upload_specials(builder, problem, where) : status;
}

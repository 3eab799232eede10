/* SPDX-License-Identifier: MIT */
/* Atoms for tests of molecular dynamics. */
#ifndef GWS_TESTS_MD_WORLD_H
#define GWS_TESTS_MD_WORLD_H

#include "../../../policies.h"

#include <math.h>

#include "../../../../traversal/md.h"

struct world {
    struct gws_points atoms;
    struct gws_md_options options;
    double momentum[3];
};

static inline struct gws_runtime *runtime_of(uint32_t threads)
{
    struct gws_options options = {.threads = threads};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

static inline struct world world_of(struct gws_runtime *runtime, struct gws_md_start start)
{
    struct world world = {.options = {.seed = start.seed}};
    gws_status status = gws_md_begin(runtime, &start, &world.atoms, world.options.low, world.options.high);
    ck_assert_int_eq(status, GWS_OK);
    for (int axis = 0; axis < 3; axis++)
        for (uint64_t i = 0; i < world.atoms.count; i++)
            world.momentum[axis] += (double)((float *)world.atoms.column[axis].data)[i];
    return world;
}

static inline void check(struct gws_runtime *runtime, const struct world *world, const struct gws_points *atoms,
                         const struct gws_md_result *result)
{
    struct gws_diagnostic where = {0};
    if (gws_md_check(runtime, atoms, &world->options, result, world->momentum, &where) != GWS_OK)
        ck_abort_msg("%s", where.message);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Generated point sets for tests. */
#ifndef GWS_TESTS_LIB_POINTS_GENERATED_H
#define GWS_TESTS_LIB_POINTS_GENERATED_H

#include "../../harness.h"

#include "../../../lib/points.h"

static inline struct gws_runtime *open_runtime(uint32_t threads)
{
    struct gws_options options = {.threads = threads};
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    return runtime;
}

static inline struct gws_points generate(const char *description, bool is_double, uint32_t threads)
{
    struct gws_runtime *runtime = open_runtime(threads);
    struct gws_points points = {0};
    struct gws_diagnostic where = {0};
    gws_status status = gws_points_generate(runtime, description, is_double, &points, &where);
    ck_assert_msg(status == GWS_OK, "%s: %s", description, where.message);
    ck_assert(points.is_double == is_double && points.columns == 0);
    gws_runtime_close(runtime);
    return points;
}

#endif

/* SPDX-License-Identifier: MIT */
/* A runtime, and atoms from files and in files, for the tests of atoms. */
#ifndef GWS_TESTS_IO_POINTS_MOLECULE_H
#define GWS_TESTS_IO_POINTS_MOLECULE_H

#include "../../harness.h"

#include "../../../io/atoms_io.h"

static struct gws_runtime *runtime;
static struct gws_points atoms;
static struct gws_diagnostic where;
static double low[3], high[3];

static inline void setup(void)
{
    struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static inline void teardown(void)
{
    gws_points_clear(&atoms);
    gws_runtime_close(runtime);
}

static inline void read_file(const char *path)
{
    gws_points_clear(&atoms);
    gws_status status = gws_atoms_read(runtime, path, &atoms, low, high, &where);
    ck_assert_msg(status == GWS_OK, "%llu:%llu: %s", (unsigned long long)where.line, (unsigned long long)where.column,
                  where.message);
}

static inline void read_text(const char *text)
{
    read_file(gws_test_file("in.xyz", text, strlen(text)));
}

static inline void write_file(const char *path, const struct gws_points *set, int frames)
{
    struct gws_output *output = NULL;
    gws_status status = gws_output_open(runtime, path, &where, &output);
    for (int i = 0; i < frames && status == GWS_OK; i++) status = gws_atoms_write(output, set, low, high);
    ck_assert_msg(gws_output_close(output, status) == GWS_OK, "%s", where.message);
}

static inline void check_box(double low0, double low1, double low2, const double edge[3])
{
    ck_assert(low[0] == low0 && low[1] == low1 && low[2] == low2);
    for (int axis = 0; axis < 3; axis++) ck_assert(high[axis] == low[axis] + edge[axis]);
}

#endif

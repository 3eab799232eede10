/* SPDX-License-Identifier: MIT */
/* Tests molecular dynamics on a device that fails in the middle of a run: the atoms are those of a whole step, or the
 * library says that they are lost. */
#include "trajectory.h"

#include "../../../lib/device/failing.h"

enum { steps = 12, out_of_resources = -5 };

struct counts {
    uint64_t ran, torn;
};

/* One run whose call `fail_at` of OpenCL fails. Returns whether a call failed. */
static bool fail_once(struct gws_runtime *runtime, struct gws_device *device, const struct world *world,
                      const struct trajectory *expected, enum gws_md_schedule schedule, uint64_t fail_at,
                      struct counts *counts)
{
    struct gws_md_device *md = NULL;
    struct gws_md_result result;
    struct gws_points atoms = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_md_device_open(runtime, device, &world->atoms, &world->options, schedule, &md, NULL), GWS_OK);
    atomic_store(&gws_test_opencl.calls, 0);
    atomic_store(&gws_test_opencl.failed, NULL);
    gws_test_opencl.fail_at = fail_at, gws_test_opencl.error = out_of_resources;
    gws_status status = gws_md_device_run(md, steps, &result, NULL);
    gws_test_opencl.fail_at = 0;
    const bool failed = atomic_load(&gws_test_opencl.failed) != NULL;
    ck_assert(status == GWS_OK || (failed && status == GWS_DEVICE));
    gws_status fetched = gws_md_device_fetch(md, &atoms, &where);
    if (fetched == GWS_OK) {
        uint64_t at = steps_of(expected, &atoms);
        ck_assert(status != GWS_OK || at == steps);
        counts->ran += status == GWS_OK;
    } else {
        ck_assert(fetched == GWS_INVALID || fetched == GWS_DEVICE);
        if (fetched == GWS_INVALID) ck_assert_ptr_nonnull(strstr(where.message, "middle of a step"));
        ck_assert_int_ne(gws_md_device_run(md, 1, &result, NULL), GWS_OK);
        counts->torn += fetched == GWS_INVALID;
    }
    gws_points_clear(&atoms);
    gws_md_device_close(md);
    return failed;
}

START_TEST(a_device_fails_in_the_middle)
{
    struct gws_runtime *runtime = runtime_of(1);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 300, .charge = 0.1});
    struct trajectory expected = {0};
    struct counts counts = {0};
    bool failed = true;
    for (uint64_t k = 1; failed; k += gws_test_quick() ? 17 : 5) {
        struct gws_device *device = NULL; /* a new one each time, since a failed wait loses the device */
        if (!gws_test_opencl_is_here() || gws_device_open(runtime, "opencl", NULL, &device, NULL) != GWS_OK) {
            printf("skipped: no OpenCL device\n");
            break;
        }
        if (k == 1) trajectory_of(runtime, device, &world, steps, &expected);
        failed = fail_once(runtime, device, &world, &expected, _i == 0 ? GWS_MD_STEAL : GWS_MD_CENTRAL, k, &counts);
        if (!failed) ck_assert(counts.ran > 0 && counts.torn > 0);
        gws_device_close(device);
    }
    trajectory_clear(&expected);
    gws_points_clear(&world.atoms);
    gws_runtime_close(runtime);
}
END_TEST

static Suite *failing_suite(void)
{
    Suite *suite = suite_create("md on a failing device");
    TCase *tests = tcase_create("failing");
    tcase_add_unchecked_fixture(tests, choose_cache, NULL);
    tcase_add_loop_test(tests, a_device_fails_in_the_middle, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(failing_suite);
}

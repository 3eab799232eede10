/* SPDX-License-Identifier: MIT */
/* Tests cancelled runs of molecular dynamics on a device, under every schedule. $GWS_TEST_DEVICE selects the device. */
#include "trajectory.h"

/* The hook cancels a run from its poll `from` on. */
struct polls {
    uint64_t polled, from;
};

static bool ask(void *context)
{
    struct polls *polls = context;
    return ++polls->polled >= polls->from;
}

/* A cancelled run leaves the atoms of a whole step, and a later run continues from there. */
START_TEST(cancelled)
{
    enum { steps = 40 };
    struct polls polls = {0, UINT64_MAX};
    struct gws_options options = {.threads = 1, .cancel = ask, .context = &polls};
    struct gws_runtime *runtime = NULL;
    struct trajectory expected = {0};
    uint64_t ended = 0;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    struct gws_device *device = device_of_tests(runtime);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 300, .charge = 0.1});
    if (device) trajectory_of(runtime, device, &world, steps, &expected);
    for (uint64_t from = 1; device && ended < steps; from++) {
        struct gws_md_device *md = NULL;
        struct gws_md_result result;
        struct gws_points atoms = {0};
        ck_assert_int_eq(
            gws_md_device_open(runtime, device, &world.atoms, &world.options, possible_on(device, _i), &md, NULL),
            GWS_OK);
        polls = (struct polls){0, from};
        gws_status status = gws_md_device_run(md, steps, &result, NULL);
        polls = (struct polls){0, UINT64_MAX};
        ck_assert(status == GWS_OK || status == GWS_CANCELLED);
        ck_assert_int_eq(gws_md_device_fetch(md, &atoms, NULL), GWS_OK);
        ended = steps_of(&expected, &atoms);
        ck_assert(status != GWS_OK || ended == steps);
        if (ended < steps) ck_assert_int_eq(gws_md_device_run(md, steps - ended, &result, NULL), GWS_OK);
        gws_points_clear(&atoms);
        ck_assert_int_eq(gws_md_device_fetch(md, &atoms, NULL), GWS_OK);
        ck_assert_uint_eq(steps_of(&expected, &atoms), steps);
        gws_points_clear(&atoms);
        gws_md_device_close(md);
    }
    trajectory_clear(&expected);
    gws_points_clear(&world.atoms);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

static Suite *cancelled_suite(void)
{
    Suite *suite = suite_create("cancelled md on a device");
    TCase *tests = tcase_create("cancelled");
    tcase_add_unchecked_fixture(tests, choose_cache, NULL);
    tcase_add_loop_test(tests, cancelled, GWS_MD_STEAL, GWS_MD_CENTRAL + 1);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(cancelled_suite);
}

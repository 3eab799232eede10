/* SPDX-License-Identifier: MIT */
/* Tests molecular dynamics on a device: the check, the same lists and nearly the same energies as on threads, patterns,
 * schedules, lists that grow, refused options, failing memory. $GWS_TEST_DEVICE selects the device. */
#include "trajectory.h"

static struct gws_points run(struct gws_runtime *runtime, struct gws_device *device, const struct world *world,
                             enum gws_md_schedule schedule, uint64_t steps, struct gws_md_result *result)
{
    struct gws_md_device *md = NULL;
    struct gws_points atoms = {0};
    struct gws_md_device_stats stats;
    struct gws_diagnostic where = {0};
    gws_status status = gws_md_device_open(runtime, device, &world->atoms, &world->options, schedule, &md, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    ck_assert_msg(gws_md_device_run(md, steps, result, &where) == GWS_OK, "%s", where.message);
    ck_assert_int_eq(gws_md_device_fetch(md, &atoms, &where), GWS_OK);
    gws_md_device_stats(md, 0, &stats);
    if (world->atoms.count) ck_assert_uint_ge(stats.units, steps * (world->atoms.count / 32));
    ck_assert_uint_le(stats.stolen, stats.units);
    gws_md_device_close(md);
    return atoms;
}

/* The energies of the same steps on threads. */
static struct gws_md_result on_threads(struct gws_runtime *runtime, const struct world *world, uint64_t steps)
{
    struct gws_md *md = NULL;
    struct gws_md_result result;
    ck_assert_int_eq(gws_md_open(runtime, &world->atoms, &world->options, &md, NULL), GWS_OK);
    ck_assert_int_eq(gws_md_run(md, steps, &result, NULL), GWS_OK);
    gws_md_close(md);
    return result;
}

static void compare(const struct gws_md_result *found, const struct gws_md_result *expected)
{
    const double tolerance = 1e-3 * (double)(expected->atoms + 1);
    ck_assert_uint_eq(found->atoms, expected->atoms);
    ck_assert_uint_eq(found->tasks, expected->tasks);
    ck_assert_double_eq_tol((double)found->pairs, (double)expected->pairs, 2 + 1e-3 * (double)expected->pairs);
    ck_assert_double_eq_tol((double)found->neighbours, (double)expected->neighbours,
                            8 + 0.02 * (double)expected->neighbours);
    ck_assert_double_eq_tol(found->potential, expected->potential, tolerance);
    ck_assert_double_eq_tol(found->energy, expected->energy, tolerance);
}

START_TEST(as_on_threads)
{
    static const struct gws_md_start starts[] = {{.atoms = 0, .gauss = true},
                                                 {.atoms = 1, .gauss = true},
                                                 {.atoms = 300, .charge = 0.1},
                                                 {.atoms = 700, .charge = 0.1, .gauss = true},
                                                 {.atoms = 200, .density = 0.001, .gauss = true, .charge = 3}};
    struct gws_runtime *runtime = runtime_of(2);
    struct gws_device *device = device_of_tests(runtime);
    for (int order = 0; device && order < 3; order += 2) { /* spatial and random */
        struct world world = world_of(runtime, starts[_i]);
        world.options.order = (enum gws_md_order)order;
        struct gws_md_result result, expected = on_threads(runtime, &world, 30);
        struct gws_points atoms = run(runtime, device, &world, GWS_MD_STEAL, 30, &result);
        check(runtime, &world, &atoms, &result);
        compare(&result, &expected);
        gws_points_clear(&atoms);
        gws_points_clear(&world.atoms);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* Every schedule and pattern gives the same atoms, bit by bit. */
START_TEST(schedules_and_patterns)
{
    enum { count = 900 };
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device = device_of_tests(runtime);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = count, .gauss = true});
    world.options.pattern = (enum gws_md_pattern)_i;
    struct gws_md_result expected, result;
    struct gws_points same = {0};
    if (device) same = run(runtime, device, &world, GWS_MD_STEAL, 10, &expected);
    for (int schedule = GWS_MD_CURSOR; device && schedule <= GWS_MD_CHUNKS; schedule++) {
        struct gws_points atoms = run(runtime, device, &world, possible_on(device, schedule), 10, &result);
        ck_assert_mem_eq(&result.potential, &expected.potential, sizeof result.potential);
        ck_assert_mem_eq(atoms.x, same.x, count * sizeof(float));
        ck_assert_mem_eq(atoms.column[5].data, same.column[5].data, count * sizeof(float));
        ck_assert_uint_eq(result.tasks, on_threads(runtime, &world, 10).tasks);
        gws_points_clear(&atoms);
    }
    gws_points_clear(&same);
    gws_points_clear(&world.atoms);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* Lists are longer than their first capacity at the beginning. */
START_TEST(long_lists)
{
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device = device_of_tests(runtime);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 500, .charge = 0.1});
    world.options.cutoff = 3.5;
    struct gws_md_result result;
    struct gws_points atoms = {0};
    if (device) {
        atoms = run(runtime, device, &world, GWS_MD_STEAL, 10, &result);
        ck_assert_uint_gt(result.neighbours, 96 * result.atoms);
        check(runtime, &world, &atoms, &result);
    }
    gws_points_clear(&atoms);
    gws_points_clear(&world.atoms);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* Two clusters of 64 atoms fly towards each other. When they meet, the lists outgrow their capacity in the middle of a
 * launch. */
START_TEST(lists_grow)
{
    enum { count = 128 };
    float x[count], y[count], z[count], speed[count];
    struct gws_points_column column = {.name = "vx", .kind = GWS_NUMBER_F32, .data = speed};
    struct world world = {.atoms = {.count = count, .x = x, .y = y, .z = z, .columns = 1, .column = &column},
                          .options = {.cutoff = 12}};
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device = device_of_tests(runtime);
    struct gws_md_result result;
    for (int i = 0; i < count; i++) {
        x[i] = 1.5F * (float)(i % 4) + (i < 64 ? 0 : 25);
        y[i] = 1.5F * (float)(i / 4 % 4);
        z[i] = 1.5F * (float)(i / 16 % 4);
        speed[i] = i < 64 ? 10 : -10;
    }
    if (device) {
        struct gws_points atoms = run(runtime, device, &world, GWS_MD_STEAL, 200, &result);
        ck_assert_uint_gt(result.neighbours, 100 * count);
        check(runtime, &world, &atoms, &result);
        ck_assert_uint_eq(result.neighbours, on_threads(runtime, &world, 200).neighbours);
        gws_points_clear(&atoms);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(refuses)
{
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device = device_of_tests(runtime);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 300});
    struct gws_md_device *md = NULL;
    struct gws_diagnostic where = {0};
    struct gws_md_options bad = world.options;
    bad.order = GWS_MD_POPULATION;
    if (device) {
        ck_assert_int_eq(gws_md_device_open(runtime, device, &world.atoms, &bad, GWS_MD_STEAL, &md, &where),
                         GWS_UNSUPPORTED);
        ck_assert_ptr_nonnull(strstr(where.message, "population"));
        ck_assert_int_eq(gws_md_device_open(runtime, device, &world.atoms, NULL, (enum gws_md_schedule)9, &md, &where),
                         GWS_INVALID);
        ((float *)world.atoms.x)[4] = ((float *)world.atoms.x)[3];
        ((float *)world.atoms.y)[4] = ((float *)world.atoms.y)[3];
        ((float *)world.atoms.z)[4] = ((float *)world.atoms.z)[3];
        ck_assert_int_eq(gws_md_device_open(runtime, device, &world.atoms, &world.options, GWS_MD_STEAL, &md, &where),
                         GWS_INVALID);
        ck_assert_ptr_nonnull(strstr(where.message, "same place"));
        ck_assert_ptr_null(md);
    }
    gws_points_clear(&world.atoms);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(too_long_a_step)
{
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device = device_of_tests(runtime);
    struct world world = world_of(runtime, (struct gws_md_start){.atoms = 300});
    struct gws_md_device *md = NULL;
    struct gws_md_result result = {.atoms = 5};
    struct gws_diagnostic where = {0};
    world.options.step = 0.5;
    if (device) {
        ck_assert_int_eq(gws_md_device_open(runtime, device, &world.atoms, &world.options, GWS_MD_STEAL, &md, &where),
                         GWS_OK);
        ck_assert_int_eq(gws_md_device_run(md, 200, &result, &where), GWS_INVALID);
        ck_assert_ptr_nonnull(strstr(where.message, "time step"));
        ck_assert_uint_eq(result.atoms, 5);
    }
    gws_md_device_close(md);
    gws_points_clear(&world.atoms);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

static bool open_device(struct gws_runtime *runtime, struct gws_device **device)
{
    *device = device_of_tests(runtime);
    return *device != NULL;
}

/* Allocations of the host fail one after the other. */
START_TEST(failing_memory)
{
    check_failing_memory(GWS_MD_STEAL, open_device);
}
END_TEST

static Suite *md_device_suite(void)
{
    Suite *suite = suite_create("md on a device");
    TCase *tests = tcase_create("device");
    tcase_add_unchecked_fixture(tests, choose_cache, NULL);
    tcase_add_loop_test(tests, as_on_threads, 0, 5);
    tcase_add_loop_test(tests, schedules_and_patterns, 0, 5);
    tcase_add_test(tests, long_lists);
    tcase_add_test(tests, lists_grow);
    tcase_add_test(tests, refuses);
    tcase_add_test(tests, too_long_a_step);
    tcase_add_test(tests, failing_memory);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(md_device_suite);
}

/* SPDX-License-Identifier: MIT */
/* Tests molecular dynamics on several devices: some of PoCL, as many as POCL_DEVICES names, or all GPUs
 * if $GWS_TEST_DEVICE is a kind of theirs. The atoms are the same, bit by bit, as on one device. */
#include "trajectory.h"

static uint32_t devices; /* open ones */

/* Opens the devices of the kind of $GWS_TEST_DEVICE. Returns false if there is only one. */
static bool open_devices(struct gws_runtime *runtime, struct gws_device *device[max_md_devices])
{
    const char *given = getenv("GWS_TEST_DEVICE");
    char kind[16] = "opencl", address[32];
    if (given) snprintf(kind, sizeof kind, "%.*s", (int)strcspn(given, ":"), given);
    memset(device, 0, max_md_devices * sizeof *device);
    for (devices = 0; devices < max_md_devices; devices++) {
        snprintf(address, sizeof address, "%s:%u", kind, devices);
        if (gws_device_open(runtime, address, gws_test_cached(), &device[devices], NULL) != GWS_OK) break;
    }
    if (devices > 1) return true;
    printf("skipped: there is no device %s\n", address);
    gws_device_close(device[0]);
    return false;
}

static void close_devices(struct gws_device *device[max_md_devices])
{
    for (uint32_t d = 0; d < devices; d++) gws_device_close(device[d]);
}

static struct gws_md_device *md_on(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t count,
                                   const struct world *world, enum gws_md_schedule schedule)
{
    const struct gws_md_devices on = {device, count, schedule};
    struct gws_md_device *md = NULL;
    struct gws_diagnostic where = {0};
    if (gws_md_devices_open(runtime, &on, &world->atoms, &world->options, &md, &where) != GWS_OK)
        ck_abort_msg("%s", where.message);
    return md;
}

/* Runs as often as `times` says. Returns the atoms at the end. */
static struct gws_points run(struct gws_md_device *md, uint64_t times, uint64_t steps, struct gws_md_result *result)
{
    struct gws_points atoms = {0};
    struct gws_diagnostic where = {0};
    for (uint64_t i = 0; i < times; i++)
        if (gws_md_device_run(md, steps, result, &where) != GWS_OK) ck_abort_msg("%s", where.message);
    ck_assert_int_eq(gws_md_device_fetch(md, &atoms, &where), GWS_OK);
    return atoms;
}

/* Compares a run on all devices with the same one on one device. */
static void compare(struct gws_runtime *runtime, struct gws_device *const *device, const struct world *world,
                    int schedule, uint64_t steps)
{
    struct gws_md_result expected, found;
    struct gws_md_device_stats stats;
    struct gws_md_device *one = md_on(runtime, device, 1, world, GWS_MD_STEAL);
    struct gws_md_device *several = md_on(runtime, device, devices, world, possible_on(*device, schedule));
    struct gws_points same = run(one, 2, steps, &expected), atoms = run(several, 2, steps, &found);
    ck_assert(same_atoms(&same, &atoms));
    ck_assert_mem_eq(&found.potential, &expected.potential, sizeof found.potential);
    ck_assert_mem_eq(&found.kinetic, &expected.kinetic, sizeof found.kinetic);
    ck_assert_mem_eq(&found.drift, &expected.drift, sizeof found.drift);
    ck_assert_uint_eq(found.pairs, expected.pairs);
    ck_assert_uint_eq(found.neighbours, expected.neighbours);
    ck_assert_uint_eq(found.tasks, expected.tasks);
    uint64_t tasks = 0, units = 0;
    for (uint32_t d = 0; d < devices; d++) {
        gws_md_device_stats(several, d, &stats);
        tasks += stats.tasks, units += stats.units;
    }
    gws_md_device_stats(one, 0, &stats);
    ck_assert_uint_eq(tasks, steps * ((world->atoms.count + GWS_MD_TASK - 1) / GWS_MD_TASK));
    ck_assert_uint_eq(tasks, stats.tasks);
    ck_assert_uint_eq(units, stats.units);
    gws_points_clear(&same);
    gws_points_clear(&atoms);
    gws_md_device_close(one);
    gws_md_device_close(several);
}

START_TEST(as_on_one_device)
{
    static const struct gws_md_start starts[] = {{.atoms = 0, .gauss = true},
                                                 {.atoms = 1, .gauss = true},
                                                 {.atoms = 128, .gauss = true},
                                                 {.atoms = 300, .charge = 0.1},
                                                 {.atoms = 900, .charge = 0.1, .gauss = true}};
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device[max_md_devices];
    if (open_devices(runtime, device)) {
        struct world world = world_of(runtime, starts[_i]);
        for (int schedule = GWS_MD_STEAL; schedule <= (_i < 3 ? GWS_MD_CENTRAL : GWS_MD_CHUNKS); schedule++)
            compare(runtime, device, &world, schedule, 8);
        gws_points_clear(&world.atoms);
        close_devices(device);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* Three devices of PoCL. */
START_TEST(patterns)
{
    ck_assert_int_eq(setenv("POCL_DEVICES", "pthread pthread pthread", 1), 0);
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device[max_md_devices];
    if (open_devices(runtime, device)) {
        struct world world = world_of(runtime, (struct gws_md_start){.atoms = 1000, .gauss = true});
        world.options.pattern = (enum gws_md_pattern)_i;
        compare(runtime, device, &world, GWS_MD_STATIC, 3);
        compare(runtime, device, &world, GWS_MD_CENTRAL, 3);
        gws_points_clear(&world.atoms);
        close_devices(device);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* Lists outgrow their capacity, on one or more of the devices, at the beginning or later. */
START_TEST(long_lists)
{
    enum { count = 256 };
    float x[count], y[count], z[count], speed[count];
    struct gws_points_column column = {.name = "vx", .kind = GWS_NUMBER_F32, .data = speed};
    struct world world = {.atoms = {.count = count, .x = x, .y = y, .z = z, .columns = 1, .column = &column},
                          .options = {.cutoff = _i < 2 ? 12 : 4}};
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device[max_md_devices];
    for (int i = 0; i < count; i++) { /* two clusters of 64 atoms that fly towards each other, and single atoms */
        x[i] = i < 128 ? 1.5F * (float)(i % 4) + (i < 64 ? 0 : 25) : 100 + 20 * (float)i;
        y[i] = 1.5F * (float)(i / 4 % 4);
        z[i] = 1.5F * (float)(i / 16 % 4);
        speed[i] = i >= 128 ? 0 : i < 64 ? 10 : -10;
    }
    if (open_devices(runtime, device)) {
        compare(runtime, device, &world, _i % 2 ? GWS_MD_CENTRAL : GWS_MD_STEAL, gws_test_quick() ? 40 : 100);
        close_devices(device);
    }
    gws_runtime_close(runtime);
}
END_TEST

static gws_status refusal(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t count,
                          const char *message)
{
    const struct gws_md_devices on = {device, count, GWS_MD_STEAL};
    float zero = 0;
    const struct gws_points atoms = {.count = 1, .x = &zero, .y = &zero, .z = &zero};
    struct gws_md_device *md = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_md_devices_open(runtime, &on, &atoms, NULL, &md, &where);
    ck_assert_ptr_null(md);
    ck_assert_ptr_nonnull(strstr(where.message, message));
    return status;
}

START_TEST(refused_devices)
{
    struct gws_runtime *runtime = runtime_of(1);
    struct gws_device *device[max_md_devices];
    if (open_devices(runtime, device)) {
        struct gws_device *const twice[] = {device[0], device[0]};
        ck_assert_int_eq(refusal(runtime, device, 0, "0 devices"), GWS_INVALID);
        ck_assert_int_eq(refusal(runtime, device, GWS_MD_DEVICES + 1, "17 devices"), GWS_INVALID);
        ck_assert_int_eq(refusal(runtime, twice, 2, "twice"), GWS_INVALID);
        close_devices(device);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* done: the steps of the run that have ended. */
struct cancelling {
    atomic_bool cancels;
    atomic_uint_fast64_t done;
};

static bool ask(void *context)
{
    return atomic_load(&((struct cancelling *)context)->cancels);
}

static void cancel_later(void *context, const char *work, uint64_t done, uint64_t total)
{
    struct cancelling *cancelling = context;
    (void)work, (void)total;
    atomic_store(&cancelling->done, done);
    if (done >= 3) atomic_store(&cancelling->cancels, true);
}

/* Continues both by the same number of steps, and compares their atoms. */
static void compare_after(struct gws_md_device *one, struct gws_md_device *several, uint64_t steps_of_one,
                          uint64_t steps_of_several)
{
    struct gws_md_result result;
    struct gws_points expected = run(one, 1, steps_of_one, &result), atoms = run(several, 1, steps_of_several, &result);
    ck_assert(same_atoms(&expected, &atoms));
    gws_points_clear(&expected);
    gws_points_clear(&atoms);
}

/* A cancelled run leaves the atoms of a whole step, and a later run continues from there. The runtime asks its hook
 * from time to time only, so the run may take more steps than three. */
START_TEST(cancelled)
{
    struct cancelling cancelling = {.cancels = false};
    struct gws_options options = {.threads = 1, .cancel = ask, .progress = cancel_later, .context = &cancelling};
    struct gws_runtime *runtime = NULL, *other = runtime_of(1);
    struct gws_device *device[max_md_devices], *single[max_md_devices];
    struct gws_md_result result;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    if (open_devices(runtime, device) && open_devices(other, single)) {
        struct world world = world_of(runtime, (struct gws_md_start){.atoms = 300, .charge = 0.1});
        struct gws_md_device *several = md_on(runtime, device, devices, &world, possible_on(*device, _i));
        struct gws_md_device *one = md_on(other, single, 1, &world, GWS_MD_STEAL);
        ck_assert_int_eq(gws_md_device_run(several, 1000000000, &result, NULL), GWS_CANCELLED);
        const uint64_t ended = atomic_load(&cancelling.done);
        atomic_store(&cancelling.cancels, false);
        ck_assert_uint_ge(ended, 3);
        compare_after(one, several, ended, 0);
        compare_after(one, several, 1, 1);
        gws_md_device_close(one);
        gws_md_device_close(several);
        gws_points_clear(&world.atoms);
        close_devices(single);
        close_devices(device);
    }
    gws_runtime_close(runtime);
    gws_runtime_close(other);
}
END_TEST

/* Allocations of the host fail one after the other. */
START_TEST(failing_memory)
{
    check_failing_memory(GWS_MD_CENTRAL, open_devices);
}
END_TEST

static void choose_devices(void)
{
    ck_assert_int_eq(setenv("POCL_DEVICES", "pthread pthread", 1), 0);
    choose_cache();
}

static Suite *devices_suite(void)
{
    Suite *suite = suite_create("md on several devices");
    TCase *tests = tcase_create("devices");
    tcase_add_unchecked_fixture(tests, choose_devices, NULL);
    tcase_add_loop_test(tests, as_on_one_device, 0, 5);
    tcase_add_loop_test(tests, patterns, 1, 5);
    tcase_add_loop_test(tests, long_lists, 0, 4);
    tcase_add_test(tests, refused_devices);
    tcase_add_loop_test(tests, cancelled, GWS_MD_STEAL, GWS_MD_CENTRAL + 1);
    tcase_add_test(tests, failing_memory);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(devices_suite);
}

/* SPDX-License-Identifier: MIT */
/* The device of the tests, and a simulation on it step by step: what a call that ends early may leave. */
#ifndef GWS_TESTS_MD_TRAJECTORY_H
#define GWS_TESTS_MD_TRAJECTORY_H

#include "world.h"

#include "../../../../traversal/md_device.h"
#include "../../../lib/device/drivers.h"

static inline struct gws_device *device_of_tests(struct gws_runtime *runtime)
{
    const char *address = getenv("GWS_TEST_DEVICE");
    struct gws_device *device = NULL;
    if (gws_device_open(runtime, address ? address : "opencl", gws_test_cached(), &device, NULL) != GWS_OK)
        printf("skipped: no device\n");
    return device;
}

/* Returns the schedule, or another one on a device that shares no memory with the host for a queue. */
static inline enum gws_md_schedule possible_on(const struct gws_device *device, int schedule)
{
    if (schedule == GWS_MD_CENTRAL && gws_device_describe(device)->svm < GWS_SVM_FINE) return GWS_MD_CURSOR;
    return (enum gws_md_schedule)schedule;
}

static inline void choose_cache(void)
{
    if (!getenv("GRAPHWS_BUILD")) setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1);
}

enum { trajectory_max = 64 };

struct trajectory {
    uint64_t steps;
    struct gws_points at[trajectory_max + 1]; /* the atoms after each number of steps */
};

static inline void trajectory_of(struct gws_runtime *runtime, struct gws_device *device, const struct world *world,
                                 uint64_t steps, struct trajectory *found)
{
    struct gws_md_device *md = NULL;
    struct gws_md_result result;
    *found = (struct trajectory){.steps = steps};
    ck_assert_int_eq(gws_md_device_open(runtime, device, &world->atoms, &world->options, GWS_MD_STEAL, &md, NULL),
                     GWS_OK);
    for (uint64_t i = 0; i <= steps; i++) {
        if (i > 0) ck_assert_int_eq(gws_md_device_run(md, 1, &result, NULL), GWS_OK);
        ck_assert_int_eq(gws_md_device_fetch(md, &found->at[i], NULL), GWS_OK);
    }
    gws_md_device_close(md);
}

static inline void trajectory_clear(struct trajectory *trajectory)
{
    for (uint64_t i = 0; i <= trajectory->steps; i++) gws_points_clear(&trajectory->at[i]);
}

static inline bool same_atoms(const struct gws_points *one, const struct gws_points *other)
{
    const uint64_t bytes = one->count * sizeof(float);
    bool same = one->count == other->count && memcmp(one->x, other->x, bytes) == 0 &&
                memcmp(one->y, other->y, bytes) == 0 && memcmp(one->z, other->z, bytes) == 0;
    for (uint32_t i = 0; i < one->columns && same; i++)
        same = memcmp(one->column[i].data, other->column[i].data, bytes) == 0;
    return same;
}

/* Returns the number of whole steps after which the atoms are these, bit by bit. */
static inline uint64_t steps_of(const struct trajectory *trajectory, const struct gws_points *atoms)
{
    for (uint64_t i = 0; i <= trajectory->steps; i++)
        if (same_atoms(&trajectory->at[i], atoms)) return i;
    ck_abort_msg("the atoms are not those of a whole step");
    return 0;
}

enum { max_md_devices = 8 };

/* Runs on devices while allocations of the host fail one after the other. open() opens up to max_md_devices, and
 * returns false if it fails. */
static inline void check_failing_memory(enum gws_md_schedule schedule,
                                        bool (*open)(struct gws_runtime *runtime, struct gws_device **device))
{
    for (uint64_t k = 1;; k += gws_test_quick() ? 61 : 17) {
        struct gws_test_memory memory = {.fail_at = k};
        struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct gws_md_device *md = NULL;
        struct gws_points atoms = {0}, end = {0};
        struct gws_md_result result;
        double box[2][3];
        struct gws_device *device[max_md_devices] = {0};
        struct gws_md_devices on = {.device = device, .schedule = schedule};
        const struct gws_md_start start = {.atoms = 200, .gauss = true};
        gws_status status = gws_runtime_open(&options, &runtime);
        const bool has = status == GWS_OK && open(runtime, device);
        if (has) on.schedule = possible_on(device[0], schedule);
        while (has && on.devices < max_md_devices && device[on.devices]) on.devices++;
        if (has) status = gws_md_begin(runtime, &start, &atoms, box[0], box[1]);
        if (has && status == GWS_OK) status = gws_md_devices_open(runtime, &on, &atoms, NULL, &md, NULL);
        if (has && status == GWS_OK) status = gws_md_device_run(md, 2, &result, NULL);
        if (has && status == GWS_OK) status = gws_md_device_fetch(md, &end, NULL);
        ck_assert(status == GWS_OK || status == GWS_NO_MEMORY);
        gws_md_device_close(md);
        gws_points_clear(&atoms);
        gws_points_clear(&end);
        for (uint32_t d = 0; d < on.devices && has; d++) gws_device_close(device[d]);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}

#endif

/* SPDX-License-Identifier: MIT */
/* Functions for tests that hold for every kind of device. They visit each usable device of this machine in turn, and
 * build the tests' program (kernels.cl) on the device. On a machine without devices a test prints "skipped:". The test
 * itself looks for devices, since drivers do not survive fork(). */
#ifndef GWS_TESTS_LIB_DEVICE_DEVICES_H
#define GWS_TESTS_LIB_DEVICE_DEVICES_H

#include "../../harness.h"
#include "drivers.h"

#include "../../../kernels/kernels.h"
#include "../../../lib/device.h"
#include "../../../lib/parallel.h"

extern const struct gws__kernel_program gws__test_programs[];

enum { gws_test_devices = 8 };

static struct gws_runtime *runtime;
static char logged[65536];

static void keep_line(void *context, const char *line)
{
    (void)context;
    size_t used = strlen(logged);
    snprintf(logged + used, sizeof logged - used, "%s\n", line);
}

/* All tests of this run share a program cache, separate from the user's. The test runner names the cache's folder.
 * Without a runner, the parent's process number is part of the name, since each test is a child of one process. */
static inline void open_runtime(void)
{
    struct gws_options options = {.threads = 1, .log = keep_line};
    const char *base = getenv("TMPDIR");
    char cache[GWS_TEST_PATH];
    logged[0] = '\0';
    snprintf(cache, sizeof cache, "%s/graphws-test-cache-%ld", base ? base : "/tmp", (long)getppid());
    if (!getenv("GRAPHWS_BUILD")) ck_assert_int_eq(setenv("XDG_CACHE_HOME", cache, 1), 0);
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static inline void close_runtime(void)
{
    gws_runtime_close(runtime);
}

/* Calls use(address) for every usable device whose address begins with kind, and with $GWS_TEST_DEVICE if that is
 * set. */
static inline void for_each_device(const char *kind, void (*use)(const char *address))
{
    struct gws_device_info info[gws_test_devices];
    uint32_t count = 0, used = 0;
    const char *only = getenv("GWS_TEST_DEVICE");
    if (!only) only = "";
    gws_device_list(runtime, info, gws_test_devices, &count);
    for (uint32_t i = 0; i < count && i < gws_test_devices; i++)
        if (!info[i].unusable[0] && strncmp(info[i].address, kind, strlen(kind)) == 0 &&
            strncmp(info[i].address, only, strlen(only)) == 0) {
            use(info[i].address);
            used++;
        }
    if (used == 0) printf("skipped: no device %s\n", kind);
}

/* Defines a test whose body runs for each of these devices. */
#define DEVICE_TEST(name, kind)                                                                                        \
    static void name##_on(const char *address);                                                                        \
    START_TEST(name)                                                                                                   \
    {                                                                                                                  \
        for_each_device(kind, name##_on);                                                                              \
    }                                                                                                                  \
    END_TEST                                                                                                           \
    static void name##_on(const char *address)

static inline struct gws_device *device_at(const char *address, const struct gws_device_options *options)
{
    struct gws_device *device = NULL;
    struct gws_diagnostic where = {0};
    if (!options) options = gws_test_cached();
    ck_assert_msg(gws_device_open(runtime, address, options, &device, &where) == GWS_OK, "%s", where.message);
    return device;
}

/* Calls fails(address, k) with k from 1 on, if the device compiles programs: a run in which the k-th allocation fails,
 * with a runtime of its own in `runtime`. Ends when it returns false, because no allocation failed, or after 200
 * allocations. */
static inline void fail_each_allocation(const char *address, bool (*fails)(const char *address, uint64_t k))
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_runtime *saved = runtime;
    const bool compiles = gws_device_describe(device)->compiles;
    gws_device_close(device);
    for (uint64_t k = 1; compiles && k <= 200 && fails(address, k); k += gws_test_step()) continue;
    runtime = saved;
}

static inline struct gws_device_buffer *new_buffer(struct gws_device *device, uint64_t bytes)
{
    struct gws_device_buffer *buffer = NULL;
    ck_assert_int_eq(gws_device_buffer_new(device, bytes, &buffer, NULL), GWS_OK);
    ck_assert_uint_eq(gws_device_buffer_bytes(buffer), bytes);
    return buffer;
}

/* Returns the source of the tests' program. */
static inline struct gws_device_source test_source(void)
{
    return (struct gws_device_source){.name = "kernels.cl",
                                      .part = gws__test_programs[0].part,
                                      .parts = gws__test_programs[0].parts,
                                      .options = "-DGWS_SCOPE=GWS_HOST_SCOPE",
                                      .image = gws__test_programs[0].image,
                                      .image_bytes = gws__test_programs[0].image_bytes};
}

static inline struct gws_device_program *built_program(struct gws_device *device,
                                                       const struct gws_device_source *source)
{
    struct gws_device_program *program = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_device_program_build(device, source, &program, &where) == GWS_OK, "%s", where.message);
    return program;
}

static inline struct gws_device_program *test_program(struct gws_device *device)
{
    struct gws_device_source source = test_source();
    struct gws_device_program *program = built_program(device, &source);
    ck_assert_msg(strstr(logged, "warning") == NULL, "%s", logged);
    return program;
}

/* Builds the program with this name of tests/kernels/programs. */
static inline struct gws_device_program *named_test_program(struct gws_device *device, const char *name)
{
    const struct gws__kernel_program *found = gws__test_programs;
    while (strcmp(found->name, name) != 0) found++;
    struct gws_device_source source = {.name = name,
                                       .part = found->part,
                                       .parts = found->parts,
                                       .image = found->image,
                                       .image_bytes = found->image_bytes};
    return built_program(device, &source);
}

static inline void runs(struct gws_device *device, const struct gws_device_launch *launch)
{
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_device_run(device, launch, &where) == GWS_OK, "%s", where.message);
}

static inline void waits(struct gws_device *device)
{
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_device_wait(device, &where) == GWS_OK, "%s", where.message);
}

#endif

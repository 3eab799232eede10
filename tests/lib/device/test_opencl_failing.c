/* SPDX-License-Identifier: MIT */
/* Tests the library with an OpenCL driver in which one call fails, one call and all later calls fail, or commands
 * never complete. See session.h. */
#include "session.h"

#include "../../../lib/device/kind.h"

#include <time.h>

enum { out_of_resources = -5, out_of_host_memory = -6 };

static const char *const add_kernel[] = {"kernel void add(global uint *word, uint more)\n"
                                         "{\n"
                                         "    word[get_global_id(0)] += more;\n"
                                         "}\n"};
static const struct gws_device_source add_program = {.name = "add.cl", .part = add_kernel, .parts = 1};
/* Commands that complete may be slow on a busy machine. During a stall the clock of failing_opencl.c leaps. */
enum { limit_ms = 10000 };
static const struct session_of opencl = {
    .address = "opencl", .source = &add_program, .driver = &gws_test_opencl, .limit_ms = limit_ms};

/* Makes large copies use staging buffers, as on a GPU on a bus. */
static void have_staging(struct gws_device *device)
{
    device->wants_staging = true;
}

static const struct session_of across_bus = {.address = "opencl",
                                             .source = &add_program,
                                             .driver = &gws_test_opencl,
                                             .limit_ms = limit_ms,
                                             .opened = have_staging};

static void sweep(struct gws_test_driver driver, uint64_t some)
{
    if (session_has_device(&opencl, gws_test_opencl_is_here())) session_sweep(&opencl, driver, some);
}

START_TEST(one_call_fails)
{
    sweep((struct gws_test_driver){.error = out_of_resources}, 60);
}
END_TEST

START_TEST(one_call_finds_no_memory)
{
    sweep((struct gws_test_driver){.error = out_of_host_memory}, 30);
}
END_TEST

START_TEST(the_device_goes_away)
{
    sweep((struct gws_test_driver){.error = out_of_resources, .fail_after = true}, 30);
}
END_TEST

START_TEST(nothing_ends)
{
    sweep((struct gws_test_driver){.stall = true}, 30);
}
END_TEST

/* clFlush, clGetEventInfo */
START_TEST(a_wait_that_fails_loses_the_device)
{
    if (session_has_device(&opencl, gws_test_opencl_is_here())) session_lose_waits(&opencl, 2, out_of_host_memory);
}
END_TEST

START_TEST(across_a_bus_one_call_fails)
{
    if (!session_has_device(&opencl, gws_test_opencl_is_here())) return;
    session_sweep(&across_bus, (struct gws_test_driver){.error = out_of_resources}, 20);
}
END_TEST

START_TEST(across_a_bus_nothing_ends)
{
    if (!session_has_device(&opencl, gws_test_opencl_is_here())) return;
    session_sweep(&across_bus, (struct gws_test_driver){.stall = true}, 10);
}
END_TEST

static void wait_for_driver(void)
{
    enum { late_ns = 100000000 };
    (void)nanosleep(&(struct timespec){.tv_nsec = late_ns}, NULL);
}

START_TEST(a_read_that_is_given_up_leaves_memory_alone)
{
    if (session_has_device(&opencl, gws_test_opencl_is_here())) session_give_up_read(&opencl, 1 << 20, wait_for_driver);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{one_call_fails, 1},
                                    {one_call_finds_no_memory, 1},
                                    {the_device_goes_away, 1},
                                    {nothing_ends, 1},
                                    {across_a_bus_one_call_fails, 1},
                                    {across_a_bus_nothing_ends, 1},
                                    {a_wait_that_fails_loses_the_device, 1},
                                    {a_read_that_is_given_up_leaves_memory_alone, 1},
                                    {0}};
    return gws_test_run_between("opencl_failing", test, open_runtime, close_runtime);
}

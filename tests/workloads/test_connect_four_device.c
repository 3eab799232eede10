/* SPDX-License-Identifier: MIT */
/* Tests four-in-a-row on every device that compiles programs, with stealing and with a static schedule: the values of
 * the workers' search, few and many groups, and failing memory. */
#include "../lib/device/devices.h"

#include "../../workloads/connect_four.h"

static const struct gws_connect_four_options ahead_5 = {.moves = "4435", .ahead = 5};

/* Searches on a device that is open. */
static gws_status search_once(struct gws_device *device, const struct gws_device_tasks_options *options,
                              struct gws_connect_four_result *result, struct gws_device_task_side_result *side)
{
    struct gws_connect_four_device *search = NULL;
    gws_status status = gws_connect_four_device_open(runtime, device, options, &search, NULL);
    if (status == GWS_OK) status = gws_connect_four_sides(runtime, &search, 1, false, &ahead_5, result, side, NULL);
    gws_connect_four_device_close(search);
    return status;
}

static bool compiles(struct gws_device *device)
{
    return gws_device_describe(device)->compiles;
}

static void search_on(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_diagnostic where = {0};
    for (uint32_t groups = 0; groups <= 2 && compiles(device); groups++)
        for (int is_static = 0; is_static < 2; is_static++) {
            const struct gws_device_tasks_options options = {.groups = groups, .is_static = is_static};
            struct gws_connect_four_result result;
            struct gws_device_task_side_result side;
            ck_assert_int_eq(search_once(device, &options, &result, &side), GWS_OK);
            ck_assert_msg(gws_connect_four_check(&ahead_5, &result, &where) == GWS_OK, "%s", where.message);
            if (is_static) ck_assert_uint_eq(side.device.steals, 0);
        }
    gws_device_close(device);
}

START_TEST(like_a_serial_search)
{
    open_runtime();
    for_each_device("", search_on);
    close_runtime();
}
END_TEST

/* A failed search leaves the result unchanged. */
static bool fail_once(const char *address, uint64_t k)
{
    const struct gws_device_tasks_options options = {.groups = 2, .is_static = true};
    struct gws_test_memory memory = {.fail_at = k};
    struct gws_options failing = {.threads = 1, .allocator = gws_test_allocator(&memory)};
    struct gws_connect_four_result result = {.nodes = 77};
    struct gws_device *device = NULL;
    runtime = NULL;
    gws_status status = gws_runtime_open(&failing, &runtime);
    if (status == GWS_OK) status = gws_device_open(runtime, address, gws_test_cached(), &device, NULL);
    if (status == GWS_OK) status = search_once(device, &options, &result, NULL);
    ck_assert(status == GWS_OK || (status == GWS_NO_MEMORY && memory.failed));
    ck_assert_uint_eq(result.nodes == 77, status != GWS_OK);
    gws_device_close(device);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
    return memory.failed;
}

static void fail_on(const char *address)
{
    fail_each_allocation(address, fail_once);
}

START_TEST(short_memory)
{
    open_runtime();
    for_each_device("", fail_on);
    close_runtime();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{like_a_serial_search, 1}, {short_memory, 1}, {0}};
    return gws_test_run("four-in-a-row on devices", test);
}

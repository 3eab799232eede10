/* SPDX-License-Identifier: MIT */
/* Tests word_min(), long_min() and word_store() of the portability headers, on threads and on every device. */
#include "devices.h"

#define GWS_GROUP_SIZE 1

#include "../../kernels/emulate.h"
#include "words.cl"

enum { threads = 4, values = 40000 };

static struct {
    u64 long_min[4];
    u32 min[5];
} got;

static void clear(void)
{
    memset(&got, 0, sizeof got);
    memset(got.min, 0xff, 4 * sizeof *got.min);
    memset(got.long_min, 0xff, sizeof got.long_min);
}

static void judge(const char *address)
{
    u32 min[4] = {~0u, ~0u, ~0u, ~0u}, at[4] = {0};
    for (u32 i = 0; i < values; i++)
        if (i * 2654435761u < min[i % 4]) min[i % 4] = i * 2654435761u, at[i % 4] = i;
    ck_assert_msg(got.min[4] == 0, "%s: a lower word came back higher", address);
    for (int i = 0; i < 4; i++) ck_assert_msg(got.min[i] == min[i], "%s: min %u for %u", address, got.min[i], min[i]);
    for (int i = 0; i < 4; i++) ck_assert_msg(got.long_min[i] == ((u64)min[i] << 32 | at[i]), "%s: 64 bits", address);
}

static void gather_here(void)
{
    gather_words(got.min, got.long_min, values);
}

START_TEST(threads_gather)
{
    clear();
    emulate_groups(gather_here, threads);
    judge("threads");
}
END_TEST

DEVICE_TEST(devices_gather, "")
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *min = new_buffer(device, sizeof got.min);
    struct gws_device_buffer *long_min = new_buffer(device, sizeof got.long_min);
    u32 count = values;
    struct gws_device_argument argument[] = {
        {.buffer = min}, {.buffer = long_min}, {.value = &count, .bytes = sizeof count}};
    struct gws_device_launch launch = {.program = program,
                                       .kernel = "gather_words",
                                       .groups = 16,
                                       .group_size = 64,
                                       .argument = argument,
                                       .arguments = 3};
    clear();
    ck_assert_int_eq(gws_device_write(min, 0, got.min, sizeof got.min, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_write(long_min, 0, got.long_min, sizeof got.long_min, NULL), GWS_OK);
    runs(device, &launch);
    ck_assert_int_eq(gws_device_read(min, 0, got.min, sizeof got.min, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(long_min, 0, got.long_min, sizeof got.long_min, NULL), GWS_OK);
    judge(address);
    gws_device_buffer_free(min);
    gws_device_buffer_free(long_min);
    gws_device_program_free(program);
    gws_device_close(device);
}

int main(void)
{
    const struct gws_test test[] = {{threads_gather, 1}, {devices_gather, 1}, {0}};
    return gws_test_run_between("words", test, open_runtime, close_runtime);
}

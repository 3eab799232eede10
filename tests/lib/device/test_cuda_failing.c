/* SPDX-License-Identifier: MIT */
/* Tests the library with a stub of CUDA's runtime (failing_cuda.c). One call fails, one call and all later calls fail,
 * or commands never complete. See session.h. The test needs CUDA's headers, but no NVIDIA device. */
#include "session.h"

enum { invalid_value = 1, no_memory = 2, illegal_address = 700, unknown = 999 };

/* The part of a fatbin that the library checks. */
static const struct {
    uint32_t magic;
    uint16_t version, head_bytes;
    uint64_t bytes;
} image = {.magic = 0xba55ed50u, .version = 1, .head_bytes = 16};

static void end(void)
{
    uint64_t wrong = gws_test_cuda_end();
    ck_assert_msg(wrong == 0, "call %llu, %s: %llu times the driver came upon memory that it had lost",
                  (unsigned long long)gws_test_cuda.fail_at, gws_test_cuda.failed, (unsigned long long)wrong);
}

static const struct gws_device_source add_source = {.name = "add", .image = &image, .image_bytes = sizeof image};
static const struct session_of cuda = {
    .address = "cuda", .source = &add_source, .driver = &gws_test_cuda, .limit_ms = 20, .end = end};

static void sweep(struct gws_test_driver driver, uint64_t some)
{
    if (session_has_device(&cuda, gws_test_cuda_is_here())) session_sweep(&cuda, driver, some);
}

START_TEST(one_call_fails)
{
    sweep((struct gws_test_driver){.error = unknown}, gws_test_quick() ? 40 : UINT64_MAX);
    sweep((struct gws_test_driver){.error = invalid_value}, 30);
}
END_TEST

START_TEST(one_call_finds_no_memory)
{
    sweep((struct gws_test_driver){.error = no_memory}, 40);
}
END_TEST

START_TEST(the_device_goes_away)
{
    sweep((struct gws_test_driver){.error = illegal_address, .fail_after = true}, 30);
}
END_TEST

START_TEST(nothing_ends)
{
    sweep((struct gws_test_driver){.stall = true}, 40);
}
END_TEST

/* cudaSetDevice, cudaStreamQuery */
START_TEST(a_wait_that_fails_loses_the_device)
{
    if (!session_has_device(&cuda, gws_test_cuda_is_here())) return;
    session_lose_waits(&cuda, 2, no_memory);
    session_lose_waits(&cuda, 2, invalid_value);
}
END_TEST

/* All workers copy a large read. One thread copies a small read through the slot. */
START_TEST(a_read_that_is_given_up_leaves_memory_alone)
{
    if (!session_has_device(&cuda, gws_test_cuda_is_here())) return;
    session_give_up_read(&cuda, 5 << 20, end);
    gws_test_cuda = (struct gws_test_driver){0};
    session_give_up_read(&cuda, 1 << 10, end);
}
END_TEST

/* ---- two devices ---- */

static gws_status add_on(struct gws_device *device, struct gws_device_program *program, struct gws_device *of,
                         struct gws_device_buffer *buffer, struct gws_diagnostic *where)
{
    uint32_t more = 3;
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.value = &more, .bytes = sizeof more}};
    struct gws_device_launch launch = {
        .program = program, .kernel = "add", .groups = 1, .group_size = 1, .argument = argument, .arguments = 2};
    gws_status status = gws_device_fill(buffer, 0, 7, 1, where);
    if (status == GWS_OK) status = gws_device_wait(of, where);
    if (status == GWS_OK) status = gws_device_run(device, &launch, where);
    return status == GWS_OK ? gws_device_wait(device, where) : status;
}

/* A kernel adds to a buffer of another device, and a copy reads it, once the device reaches that device's memory. */
START_TEST(a_device_reaches_another)
{
    if (!session_has_device(&cuda, gws_test_cuda_is_here())) return;
    struct gws_diagnostic where = {0};
    struct gws_device *here = device_at("cuda:0", NULL), *there = device_at("cuda:1", NULL);
    const struct gws_device_info *from = gws_device_describe(here), *to = gws_device_describe(there);
    struct gws_device_program *program = built_program(here, &add_source);
    struct gws_device_buffer *buffer = new_buffer(there, 4), *copied = new_buffer(here, 4);
    uint32_t word = 0, copy = 0;
    struct gws_device_peer peer = gws_device_peer(from, to), back = gws_device_peer(to, from);
    ck_assert(peer.access && !peer.atomics && peer.rank == 1);
    ck_assert(!back.access && !back.atomics && back.rank == 0);
    ck_assert_int_eq(gws_device_reach(there, here, &where), GWS_UNSUPPORTED);
    ck_assert_str_eq(where.message, "cuda:1 does not reach the memory of cuda:0");
    ck_assert_int_eq(add_on(here, program, there, buffer, &where), GWS_INVALID);
    ck_assert_ptr_nonnull(strstr(where.message, "a buffer of another device"));
    ck_assert_int_eq(gws_device_copy(copied, 0, buffer, 0, 4, &where), GWS_INVALID);
    ck_assert_str_eq(where.message, "cuda:0: the buffer belongs to another device");
    ck_assert_int_eq(gws_device_reach(here, there, NULL), GWS_OK);
    ck_assert_int_eq(add_on(here, program, there, buffer, &where), GWS_OK);
    ck_assert_int_eq(gws_device_read(buffer, 0, &word, sizeof word, NULL), GWS_OK);
    ck_assert_uint_eq(word, 10);
    ck_assert_int_eq(gws_device_copy(copied, 0, buffer, 0, 4, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_copy(buffer, 0, copied, 0, 4, NULL), GWS_INVALID); /* the way back is another one */
    ck_assert_int_eq(gws_device_copy(copied, 0, buffer, 2, 4, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_read(copied, 0, &copy, sizeof copy, NULL), GWS_OK);
    ck_assert_uint_eq(copy, 10);
    gws_device_buffer_free(copied);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(there);
    gws_device_close(here);
    end();
}
END_TEST

/* cudaDeviceGetP2PAttribute (three times: failed queries mean no access), cudaSetDevice, cudaDeviceEnablePeerAccess */
START_TEST(a_device_fails_to_reach_another)
{
    if (!session_has_device(&cuda, gws_test_cuda_is_here())) return;
    for (uint64_t k = 1; k <= 6; k++) {
        gws_test_cuda = (struct gws_test_driver){.error = unknown};
        struct gws_diagnostic where = {0};
        struct gws_device *here = device_at("cuda:0", NULL), *there = device_at("cuda:1", NULL);
        gws_test_cuda.fail_at = atomic_load(&gws_test_cuda.calls) + k;
        gws_status status = gws_device_reach(here, there, &where);
        ck_assert_int_eq(status, k == 1 ? GWS_UNSUPPORTED : k == 4 || k == 5 ? GWS_DEVICE : GWS_OK);
        ck_assert_int_eq(where.message[0] == 0, status == GWS_OK);
        gws_device_close(there);
        gws_device_close(here);
        end();
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{one_call_fails, 1},
                                    {one_call_finds_no_memory, 1},
                                    {the_device_goes_away, 1},
                                    {nothing_ends, 1},
                                    {a_wait_that_fails_loses_the_device, 1},
                                    {a_read_that_is_given_up_leaves_memory_alone, 1},
                                    {a_device_reaches_another, 1},
                                    {a_device_fails_to_reach_another, 1},
                                    {0}};
    return gws_test_run_between("cuda_failing", test, open_runtime, close_runtime);
}

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
static const struct session_of cuda = {.address = "cuda", .source = &add_source, .driver = &gws_test_cuda, .end = end};

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

static Suite *failing_suite(void)
{
    Suite *suite = suite_create("cuda_failing");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, open_runtime, close_runtime);
    tcase_add_test(all, one_call_fails);
    tcase_add_test(all, one_call_finds_no_memory);
    tcase_add_test(all, the_device_goes_away);
    tcase_add_test(all, nothing_ends);
    tcase_add_test(all, a_wait_that_fails_loses_the_device);
    tcase_add_test(all, a_read_that_is_given_up_leaves_memory_alone);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(failing_suite);
}

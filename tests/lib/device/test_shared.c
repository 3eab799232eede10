/* SPDX-License-Identifier: MIT */
/* Tests kernels that run concurrently with the host in shared memory. The tests cover messages through words with one
 * writer each, atomics of both sides on one word, and polling for completion. */
#include "devices.h"

#include <inttypes.h>
#include <sched.h>

enum { slots = 64, line = 16 }; /* words */

/* ---- ping-pong ---- */

/* The shared words of kernel ping_pong in kernels.cl. */
struct ping_pong {
    struct gws_device *device;
    struct gws_device_program *program;
    struct gws_device_buffer *flags, *data;
    _Atomic(uint32_t) *flag;
    uint32_t *word;
};

static struct ping_pong ping_pong_open(const char *address, const struct gws_device_options *options)
{
    struct ping_pong ping_pong = {.device = device_at(address, options)};
    void *flag, *word;
    ping_pong.program = test_program(ping_pong.device);
    ck_assert_int_eq(
        gws_device_shared_new(ping_pong.device, 2 * line * sizeof(uint32_t), &ping_pong.flags, &flag, NULL), GWS_OK);
    ck_assert_int_eq(
        gws_device_shared_new(ping_pong.device, 2 * slots * sizeof(uint32_t), &ping_pong.data, &word, NULL), GWS_OK);
    memset(flag, 0, 2 * line * sizeof(uint32_t));
    memset(word, 0, 2 * slots * sizeof(uint32_t));
    ping_pong.flag = flag;
    ping_pong.word = word;
    return ping_pong;
}

static void ping_pong_close(struct ping_pong *ping_pong)
{
    gws_device_program_free(ping_pong->program);
    gws_device_buffer_free(ping_pong->data);
    gws_device_buffer_free(ping_pong->flags);
    gws_device_close(ping_pong->device);
}

static void ping_pong_begin(struct ping_pong *ping_pong, uint32_t rounds, uint64_t patience)
{
    struct gws_device_argument argument[] = {{.buffer = ping_pong->flags},
                                             {.buffer = ping_pong->data},
                                             {.value = &rounds, .bytes = sizeof rounds},
                                             {.value = &patience, .bytes = sizeof patience}};
    struct gws_device_launch launch = {.program = ping_pong->program,
                                       .kernel = "ping_pong",
                                       .groups = 1,
                                       .group_size = 1,
                                       .resident = true,
                                       .argument = argument,
                                       .arguments = 4};
    runs(ping_pong->device, &launch);
}

static void send_request(struct ping_pong *ping_pong, uint32_t round)
{
    ping_pong->word[round % slots] = round * 2654435761u;
    /* release: pairs with the kernel's acquire of this flag. */
    atomic_store_explicit(&ping_pong->flag[0], round, memory_order_release);
}

/* Polls the kernel's flag until it differs from the flag of the previous round. Returns the old value after a
 * timeout. */
static uint32_t await_reply(struct ping_pong *ping_pong, uint32_t round)
{
    uint32_t reply = round - 1;
    for (uint64_t polls = 0; reply == round - 1 && polls < UINT64_C(1) << 32; polls++) {
        (void)sched_yield(); /* the device may be this processor */
        /* acquire: pairs with the kernel's release of its flag, so this thread sees the kernel's reply. */
        reply = atomic_load_explicit(&ping_pong->flag[line], memory_order_acquire);
    }
    return reply;
}

static void exchange(const char *address)
{
    struct gws_device_info info;
    struct ping_pong ping_pong = ping_pong_open(address, NULL);
    info = *gws_device_describe(ping_pong.device);
    uint32_t rounds = (info.type == GWS_DEVICE_GPU ? 1000000 : 200) / (gws_test_quick() ? 10 : 1);
    ping_pong_begin(&ping_pong, rounds, UINT64_C(1) << 32);
    for (uint32_t round = 1; round <= rounds; round++) {
        send_request(&ping_pong, round);
        uint32_t reply = await_reply(&ping_pong, round), answer = ping_pong.word[slots + round % slots];
        if (reply != round || answer != round * 2654435761u + 1)
            ck_abort_msg("%s: round %u, reply %u: %u", address, round, reply, answer);
    }
    waits(ping_pong.device);
    ping_pong_close(&ping_pong);
}

static bool shares(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    bool able = gws_device_describe(device)->svm >= GWS_SVM_FINE;
    gws_device_close(device);
    if (!able) printf("skipped: %s shares no memory with the host\n", address);
    return able;
}

DEVICE_TEST(a_kernel_and_the_host_exchange_messages, "")
{
    if (shares(address)) exchange(address);
}

DEVICE_TEST(a_kernel_without_requests_ends, "")
{
    if (!shares(address)) return;
    struct ping_pong ping_pong = ping_pong_open(address, NULL);
    ping_pong_begin(&ping_pong, 5, 1000);
    waits(ping_pong.device);
    ck_assert_uint_eq(atomic_load(&ping_pong.flag[line]), UINT32_MAX);
    ping_pong_close(&ping_pong);
}

/* Checks that a kernel that waits for the host is not complete, and that the kernel completes after the last
 * request. */
DEVICE_TEST(polling_reports_completion, "")
{
    bool done = false;
    if (!shares(address)) return;
    struct ping_pong ping_pong = ping_pong_open(address, NULL);
    ck_assert_int_eq(gws_device_poll(ping_pong.device, &done, NULL), GWS_OK);
    ck_assert(done);
    ping_pong_begin(&ping_pong, 2, UINT64_C(1) << 32);
    send_request(&ping_pong, 1);
    ck_assert_uint_eq(await_reply(&ping_pong, 1), 1);
    ck_assert_int_eq(gws_device_poll(ping_pong.device, &done, NULL), GWS_OK);
    ck_assert(!done);
    send_request(&ping_pong, 2);
    for (uint64_t polls = 0; !done && polls < UINT64_C(1) << 32; polls++) {
        (void)sched_yield();
        ck_assert_int_eq(gws_device_poll(ping_pong.device, &done, NULL), GWS_OK);
    }
    ck_assert(done);
    ck_assert_uint_eq(ping_pong.word[slots + 2], 2u * 2654435761u + 1);
    waits(ping_pong.device);
    ping_pong_close(&ping_pong);
}

/* Checks that a kernel that waits for ever loses the device. Freeing the device's objects must not wait for the
 * kernel. */
DEVICE_TEST(a_kernel_that_waits_in_vain_is_lost, "")
{
    struct gws_device_options options = {.limit_ms = 400};
    struct gws_diagnostic where = {0};
    if (!shares(address)) return;
    struct ping_pong ping_pong = ping_pong_open(address, &options);
    ping_pong_begin(&ping_pong, 1, UINT64_C(1) << 31);
    ck_assert_int_eq(gws_device_wait(ping_pong.device, &where), GWS_DEVICE);
    ck_assert_msg(strstr(where.message, "no answer after 400 ms") != NULL, "%s", where.message);
    _Atomic(uint32_t) *flag = ping_pong.flag;
    ping_pong_close(&ping_pong);
    /* The kernel's memory is still allocated. This store ends the kernel, so that the test can end. */
    atomic_store_explicit(flag, 1, memory_order_release);
}

/* ---- atomics of both sides ---- */

DEVICE_TEST(atomics_of_both_sides_lose_nothing, "")
{
    enum { rounds = 20000, items = 4 };
    uint32_t times = rounds;
    void *host;
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_info info = *gws_device_describe(device);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = NULL;
    if (info.svm < GWS_SVM_ATOMICS || strncmp(address, "opencl", 6) != 0) {
        printf("skipped: atomics of %s do not hold against the host's\n", address);
    } else {
        ck_assert_int_eq(gws_device_shared_new(device, sizeof(uint64_t), &buffer, &host, NULL), GWS_OK);
        _Atomic(uint64_t) *word = host;
        atomic_store(word, 0);
        struct gws_device_argument argument[] = {{.buffer = buffer}, {.value = &times, .bytes = sizeof times}};
        struct gws_device_launch launch = {.program = program,
                                           .kernel = "count",
                                           .groups = info.groups,
                                           .group_size = items,
                                           .argument = argument,
                                           .arguments = 2};
        runs(device, &launch);
        for (uint32_t i = 0; i < 10 * rounds; i++) atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
        waits(device);
        ck_assert_uint_eq(atomic_load(word), (uint64_t)rounds * (10 + (uint64_t)info.groups * items));
    }
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

static Suite *shared_suite(void)
{
    Suite *suite = suite_create("shared memory");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, open_runtime, close_runtime);
    tcase_add_test(all, a_kernel_and_the_host_exchange_messages);
    tcase_add_test(all, a_kernel_without_requests_ends);
    tcase_add_test(all, polling_reports_completion);
    tcase_add_test(all, atomics_of_both_sides_lose_nothing);
    suite_add_tcase(suite, all);
    TCase *lost = tcase_create("lost"); /* a separate case, for tools that report its leaks */
    tcase_add_checked_fixture(lost, open_runtime, close_runtime);
    tcase_add_test(lost, a_kernel_that_waits_in_vain_is_lost);
    suite_add_tcase(suite, lost);
    return suite;
}

int main(void)
{
    return gws_test_main(shared_suite);
}

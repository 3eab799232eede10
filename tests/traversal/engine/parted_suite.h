/* SPDX-License-Identifier: MIT */
/* What the tests of graphs that are parted among devices have alike: numbers of emulated devices, the real devices of
 * this machine, a driver or an allocator that fails once, and a hook that cancels. */
#ifndef GWS_TESTS_TRAVERSAL_PARTED_SUITE_H
#define GWS_TESTS_TRAVERSAL_PARTED_SUITE_H

#include "emulated_devices.h"

#include "../../../traversal/engine/parts.h"
#include "../../lib/device/drivers.h"

/* ---- numbers of devices ---- */

/* Tests run on 1 to few_devices, and each of them on one larger number of devices. Kernels that wait for each other
 * then have graphs of at most many_vertices, because their groups are threads, and a machine may have few cores. These
 * are vertices for seven parts, so the last of eight devices has none. */
enum { few_devices = 3, many_vertices = 200 };

static inline uint32_t many_devices(int test)
{
    static const uint32_t count[] = {4, 7, max_emulated};
    return count[(unsigned)test % (sizeof count / sizeof *count)];
}

/* Returns the test's numbers of devices, for i = 0 .. few_devices. */
static inline uint32_t devices_of(int test, uint32_t i)
{
    return i < few_devices ? i + 1 : many_devices(test);
}

/* Returns the number of devices after `count`: 1, 2, 3 and all. */
static inline uint32_t next_count(uint32_t count, uint32_t all)
{
    return count < few_devices || count == all ? count + 1 : all;
}

/* ---- real devices ---- */

/* Opens the first device, or $GWS_TEST_DEVICE, and all devices of CUDA that reach it. If there is only one, it is
 * opened for $GWS_TEST_SHARES. Returns the number of opened devices. */
static inline uint32_t open_real(struct gws_runtime *runtime, struct gws_device *device[PARTED_MAX])
{
    struct gws_device_info info[PARTED_MAX];
    const char *only = getenv("GWS_TEST_DEVICE"), *text = getenv("GWS_TEST_SHARES");
    const struct gws_device_options options = {.shares = text ? (uint32_t)(*text - '0') % (PARTED_MAX + 1) : 1};
    uint32_t count = 0, opened = 0, first = 0;
    gws_device_list(runtime, info, PARTED_MAX, &count);
    for (uint32_t i = 0; i < count && i < PARTED_MAX; i++) {
        bool wanted = only ? strncmp(info[i].address, only, strlen(only)) == 0 : opened == 0;
        if (!wanted || info[i].unusable[0]) continue;
        if (opened == 0) first = i;
        if (opened > 0 && !gws_device_peer(&info[i], &info[first]).access) continue;
        ck_assert_int_eq(gws_device_open(runtime, info[i].address, gws_test_cached(), &device[opened++], NULL), GWS_OK);
    }
    if (opened == 1 && options.shares > 1) {
        gws_device_close(device[0]);
        for (opened = 0; opened < options.shares; opened++)
            ck_assert_int_eq(gws_device_open(runtime, info[first].address, &options, &device[opened], NULL), GWS_OK);
    }
    printf("%s: %u devices\n", opened ? "ran on" : "skipped", opened);
    return opened;
}

static inline void close_real(struct gws_device *const *device, uint32_t opened)
{
    for (uint32_t d = 0; d < opened; d++) gws_device_close(device[d]);
}

/* ---- refusals ---- */

/* Fails to open what is under test, with this message in the diagnostic. options: of its own kind; NULL: the usual. */
typedef gws_status refusal_of_suite(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                                    const struct gws_graph *graph, const void *options, const char *message);

/* What no parted graph allows. device: two emulated devices; afterwards they do not reach each other. */
static inline void check_refusals(struct gws_runtime *runtime, struct gws_device *const *device,
                                  const struct gws_graph *graph, refusal_of_suite *refusal)
{
    struct gws_device *const twice[2] = {device[0], device[0]};
    const struct gws_graph huge = {.vertices = (uint64_t)1 << 31};
    ck_assert_int_eq(refusal(runtime, device, 0, graph, NULL, "0 devices"), GWS_INVALID);
    ck_assert_int_eq(refusal(runtime, device, 9, graph, NULL, "9 devices"), GWS_INVALID);
    ck_assert_int_eq(refusal(runtime, twice, 2, graph, NULL, "given twice"), GWS_INVALID);
    ck_assert_int_eq(refusal(runtime, device, 2, &huge, NULL, ""), GWS_TOO_LARGE);
    emulated[1].base.reaches = 2;
    ck_assert_int_eq(refusal(runtime, device, 2, graph, NULL, "cuda:1 does not reach the memory of cuda:0"),
                     GWS_UNSUPPORTED);
}

/* One of many devices has no memory left. */
static inline void check_full_device(struct gws_runtime *runtime, const struct gws_graph *graph,
                                     refusal_of_suite *refusal)
{
    struct gws_device *device[max_emulated];
    open_emulated(runtime, max_emulated, 1 << 26, device);
    emulated[5].memory = 64;
    ck_assert_int_eq(refusal(runtime, device, max_emulated, graph, NULL, "cuda:5: full"), GWS_NO_MEMORY);
    close_emulated(max_emulated);
}

/* ---- failures ---- */

/* Opens what is under test on attempt_devices emulated devices, runs it once, and closes it. */
enum { attempt_devices = 3 };
struct attempt {
    gws_status (*run)(struct gws_runtime *runtime, struct gws_device *const *device, const struct attempt *attempt);
    const struct gws_graph *graph;
    const void *index;       /* of run()'s own kind */
    uint32_t which, fail_at; /* the device whose call number fail_at fails; 0: none */
};

static inline gws_status try_attempt(struct gws_runtime *runtime, const void *context)
{
    const struct attempt *attempt = context;
    struct gws_device *device[max_emulated];
    open_emulated(runtime, attempt_devices, 1 << 26, device);
    emulated[attempt->which].fail_at = attempt->fail_at;
    gws_status status = attempt->run(runtime, device, attempt);
    close_emulated(attempt_devices);
    return status;
}

/* Every call of a device that makes an object, copies or launches fails once. */
static inline void fail_each_call(struct attempt attempt)
{
    struct gws_runtime *runtime = open_runtime(NULL, 1, 0);
    gws_status status = GWS_NO_MEMORY;
    for (attempt.fail_at = 1; status != GWS_OK; attempt.fail_at++) {
        ck_assert_uint_lt(attempt.fail_at, 500);
        status = try_attempt(runtime, &attempt);
        ck_assert(status == GWS_OK || status == GWS_NO_MEMORY || status == GWS_DEVICE);
    }
    gws_runtime_close(runtime);
}

/* Every such call of the first and of the second device fails once, and so does every allocation. */
static inline void check_failures(struct attempt attempt)
{
    for (attempt.which = 0; attempt.which < 2; attempt.which++) fail_each_call(attempt);
    gws_test_each_allocation(1, try_attempt, &attempt);
}

/* ---- runs that end early ---- */

static uint64_t polls, cancel_at; /* the hook returns true from poll number cancel_at on; 0: never */

static inline bool ask(void *context)
{
    (void)context;
    return ++polls >= cancel_at && cancel_at > 0;
}

/* Calls cancel() on emulated devices, and on the real ones if a kernel there can see the host's word. The runtime
 * always asks its hook. */
static inline void cancel_on_devices(void (*cancel)(struct gws_runtime *runtime, struct gws_device *const *device,
                                                    uint32_t devices))
{
    const struct gws_options options = {.threads = 2, .cancel = ask};
    struct gws_runtime *runtime = NULL;
    struct gws_device *device[PARTED_MAX];
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    runtime->ask_every_ms = 0;
    cancel_at = 0;
    open_emulated(runtime, many_devices(0), 1 << 28, device);
    cancel(runtime, device, many_devices(0));
    close_emulated(many_devices(0));
    cancel_at = 0;
    const uint32_t opened = open_real(runtime, device);
    if (opened > 0 && gws_device_describe(device[0])->max_shared > 0) cancel(runtime, device, opened);
    close_real(device, opened);
    gws_runtime_close(runtime);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Tests the common properties of all kinds of devices on each usable device (PoCL on most test machines). The tests
 * cover listing, opening, properties, kernels that do not end, children of fork(), and short memory. */
#include "devices.h"

#include <inttypes.h>
#include <sys/wait.h>

/* ---- listing and opening ---- */

START_TEST(listing_describes_devices)
{
    struct gws_device_info info[gws_test_devices], first;
    uint32_t count = 0, again = 0, of_kind = 0;
    gws_device_list(runtime, info, gws_test_devices, &count);
    gws_device_list(runtime, &first, 0, &again);
    ck_assert_uint_eq(count, again);
    for (uint32_t i = 0; i < count && i < gws_test_devices; i++) {
        char address[32];
        size_t kind = strcspn(info[i].address, ":");
        of_kind = i > 0 && strncmp(info[i - 1].address, info[i].address, kind + 1) == 0 ? of_kind + 1 : 0;
        snprintf(address, sizeof address, "%.*s:%" PRIu32, (int)kind, info[i].address, of_kind);
        ck_assert_str_eq(info[i].address, address);
        ck_assert_str_ne(info[i].name, "");
        ck_assert_uint_ge(info[i].units, 1);
        ck_assert_uint_eq(info[i].groups, info[i].units);
        ck_assert_uint_ge(info[i].memory, info[i].max_buffer);
        ck_assert_int_eq(info[i].svm >= GWS_SVM_FINE, info[i].max_shared > 0);
        if (!info[i].unusable[0]) ck_assert_int_ge(info[i].scope, GWS_ATOMIC_DEVICE);
    }
}
END_TEST

START_TEST(kinds_have_names)
{
    static const char *const name[] = {"opencl", "cuda"};
    for (uint32_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *about = NULL, *off = "";
        ck_assert_str_eq(gws_device_kind_at(i, &about, &off), name[i]);
        ck_assert_ptr_nonnull(about);
        ck_assert(!off || off[0]);
    }
    ck_assert_ptr_null(gws_device_kind_at(sizeof name / sizeof *name, NULL, NULL));
}
END_TEST

static void refuses(const char *address)
{
    struct gws_device *device = NULL;
    struct gws_diagnostic where = {0};
    gws_status status = gws_device_open(runtime, address, NULL, &device, &where);
    ck_assert_msg(status == GWS_INVALID || status == GWS_UNSUPPORTED, "%s: %s", address, gws_status_text(status));
    ck_assert_ptr_null(device);
    ck_assert_msg(strncmp(where.message, address, strlen(address)) == 0, "%s: %s", address, where.message);
}

START_TEST(wrong_addresses_are_refused)
{
    static const char *const wrong[] = {"",          "cpu",       "opencl:",           "opencl:-1", "opencl:1x",
                                        "opencl: 0", "opencl:99", "opencl:0:0",        "OpenCL:0",  "open",
                                        ":0",        "cuda:999",  "opencl:0000000000", "cuda:"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refuses(wrong[i]);
}
END_TEST

START_TEST(a_kind_without_devices_says_so)
{
    const char *off = NULL;
    struct gws_device *device = NULL;
    struct gws_diagnostic where = {0};
    for (uint32_t i = 0; gws_device_kind_at(i, NULL, &off); i++) {
        if (!off) continue;
        const char *name = gws_device_kind_at(i, NULL, NULL);
        ck_assert_int_eq(gws_device_open(runtime, name, NULL, &device, &where), GWS_UNSUPPORTED);
        ck_assert_msg(strstr(where.message, off) != NULL, "%s", where.message);
    }
}
END_TEST

DEVICE_TEST(cores_and_deques, "")
{
    struct gws_device *device = device_at(address, NULL);
    const struct gws_device_info *info = gws_device_describe(device);
    uint32_t cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    bool host = info->type == GWS_DEVICE_CPU;
    ck_assert_uint_eq(gws_device_cores_left(device, 0), host ? cores : UINT32_MAX);
    ck_assert_uint_eq(gws_device_cores_left(device, cores - 1), host ? 1 : UINT32_MAX);
    ck_assert_uint_eq(gws_device_cores_left(device, cores), host ? 0 : UINT32_MAX);
    ck_assert_uint_eq(gws_device_cores_left(device, UINT32_MAX), host ? 0 : UINT32_MAX);
    struct gws_device_sharing host_sharing = gws_device_sharing(device, NULL), own = gws_device_sharing(device, device);
    ck_assert_int_eq(info->api, strncmp(address, "cuda", 4) == 0 ? GWS_DEVICE_CUDA : GWS_DEVICE_OPENCL);
    ck_assert_int_eq(info->compiles, info->api == GWS_DEVICE_OPENCL);
    ck_assert_int_eq(host_sharing.memory, info->unified);
    ck_assert_int_eq(host_sharing.fine_grained, info->svm >= GWS_SVM_FINE);
    ck_assert_int_eq(host_sharing.atomics, info->svm == GWS_SVM_ATOMICS && info->compiles);
    ck_assert(own.memory && own.fine_grained && own.atomics);
    struct gws_device *second = device_at(address, NULL);
    struct gws_device_sharing again = gws_device_sharing(device, second);
    ck_assert_int_eq(again.memory, info->api == GWS_DEVICE_CUDA);
    ck_assert(again.fine_grained >= again.atomics);
    struct gws_device_peer peer = gws_device_peer(info, gws_device_describe(second));
    ck_assert(peer.access == again.fine_grained && peer.atomics == again.atomics && peer.rank == 0);
    ck_assert_int_eq(gws_device_reach(device, second, NULL), peer.access ? GWS_OK : GWS_UNSUPPORTED);
    gws_device_close(second);
    gws_device_close(device);
}

/* ---- failures ---- */

/* The test ends only after the kernel, so the kernel takes seconds, not minutes. */
DEVICE_TEST(a_wait_that_lasts_too_long_is_an_error, "")
{
    struct gws_device_options options = {.cache = "", .limit_ms = 200};
    struct gws_diagnostic where = {0};
    struct gws_device *device = device_at(address, &options);
    bool gpu = gws_device_describe(device)->type == GWS_DEVICE_GPU, done;
    uint64_t rounds = gpu ? UINT64_C(1) << 22 : UINT64_C(1) << 31;
    uint32_t word = 0;
    struct gws_device_program *program = test_program(device), *again = NULL;
    struct gws_device_source source = test_source();
    struct gws_device_buffer *buffer = new_buffer(device, sizeof word), *more = NULL;
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.value = &rounds, .bytes = sizeof rounds}};
    struct gws_device_launch launch = {
        .program = program, .kernel = "spin", .groups = 1, .group_size = 1, .argument = argument, .arguments = 2};
    void *host = NULL;
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, 1, NULL), GWS_OK);
    runs(device, &launch);
    ck_assert_int_eq(gws_device_read(buffer, 0, &word, sizeof word, &where), GWS_DEVICE);
    ck_assert_msg(strstr(where.message, "no answer after 200 ms") != NULL, "%s", where.message);
    ck_assert_int_eq(gws_device_wait(device, &where), GWS_DEVICE);
    ck_assert_ptr_nonnull(strstr(where.message, "lost earlier"));
    ck_assert_int_eq(gws_device_poll(device, &done, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_device_memory_left(device, &rounds, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, 1, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_device_buffer_new(device, 4, &more, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_device_shared_new(device, 4, &more, &host, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_device_program_build(device, &source, &again, NULL), GWS_DEVICE);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

/* A child of fork() may free the device's objects and do nothing else. The child's calls do not affect the parent. */
DEVICE_TEST(children_do_not_touch_devices, "")
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, 64);
    uint32_t word = 5;
    int ended = -1;
    ck_assert_int_eq(gws_device_fill(buffer, 0, 7, 16, NULL), GWS_OK);
    pid_t child = fork();
    if (child == 0) {
        struct gws_diagnostic where = {0};
        bool refused = gws_device_read(buffer, 0, &word, sizeof word, &where) == GWS_DEVICE;
        gws_device_buffer_free(buffer);
        gws_device_program_free(program);
        gws_device_close(device);
        _exit(refused && word == 5 && strstr(where.message, "belongs to another process") ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ck_assert_int_eq(ended, 0);
    ck_assert_int_eq(gws_device_read(buffer, 0, &word, sizeof word, NULL), GWS_OK);
    ck_assert_uint_eq(word, 7);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

/* Uses one object of each kind. */
static gws_status use_all(struct gws_runtime *with, const char *address, const struct gws_device_options *options,
                          struct gws_diagnostic *where)
{
    struct gws_device *device = NULL;
    struct gws_device_buffer *buffer = NULL, *shared = NULL;
    struct gws_device_program *program = NULL;
    struct gws_device_source source = test_source();
    void *host;
    gws_status status = gws_device_open(with, address, options, &device, where);
    if (status == GWS_OK) status = gws_device_buffer_new(device, 64, &buffer, where);
    if (status == GWS_OK && gws_device_describe(device)->max_shared > 0)
        status = gws_device_shared_new(device, 64, &shared, &host, where);
    if (status == GWS_OK) status = gws_device_program_build(device, &source, &program, where);
    struct gws_device_argument argument[] = {{.buffer = shared ? shared : buffer}};
    struct gws_device_launch launch = {.program = program,
                                       .kernel = "nothing",
                                       .groups = 1,
                                       .group_size = 1,
                                       .resident = true,
                                       .argument = argument,
                                       .arguments = 1};
    if (status == GWS_OK) status = gws_device_run(device, &launch, where);
    if (status == GWS_OK) status = gws_device_wait(device, where);
    gws_device_program_free(program);
    gws_device_buffer_free(shared);
    gws_device_buffer_free(buffer);
    gws_device_close(device);
    return status;
}

static void fail_each_call(const char *address, const struct gws_device_options *options)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_options with = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *own = NULL;
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws_runtime_open(&with, &own), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = use_all(own, address, options, &where);
        ck_assert_msg(status == (memory.failed ? GWS_NO_MEMORY : GWS_OK), "%s: %s", address, where.message);
        ck_assert(where.message[0] || !memory.failed);
        gws_runtime_close(own);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}

/* Runs without a cache, then with a cache. The last attempt of the first round fills the cache. */
DEVICE_TEST(short_memory_is_reported, "")
{
    struct gws_device_options options = {.cache = ""}, cached = {.cache = gws_test_temp("short")};
    fail_each_call(address, &options);
    fail_each_call(address, &cached);
    fail_each_call(address, &cached);
}

static Suite *device_suite(void)
{
    Suite *suite = suite_create("devices");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, open_runtime, close_runtime);
    tcase_add_test(all, listing_describes_devices);
    tcase_add_test(all, kinds_have_names);
    tcase_add_test(all, wrong_addresses_are_refused);
    tcase_add_test(all, a_kind_without_devices_says_so);
    tcase_add_test(all, cores_and_deques);
    tcase_add_test(all, short_memory_is_reported);
    suite_add_tcase(suite, all);
    TCase *lost = tcase_create("lost"); /* a separate case, for tools that report its leaks */
    tcase_add_checked_fixture(lost, open_runtime, close_runtime);
    tcase_add_test(lost, a_wait_that_lasts_too_long_is_an_error);
    tcase_add_test(lost, children_do_not_touch_devices);
    suite_add_tcase(suite, lost);
    return suite;
}

int main(void)
{
    return gws_test_main(device_suite);
}

/* SPDX-License-Identifier: MIT */
/* What all kinds of devices have in common, on each usable device (PoCL on most test machines): listing, copies,
 * launches, invalid arguments, kernels that do not end, and short memory. */
#include "devices.h"

#include <inttypes.h>
#include <sys/wait.h>

enum { words = 1000 };

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
    struct gws_where where = {0};
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
    struct gws_where where = {0};
    for (uint32_t i = 0; gws_device_kind_at(i, NULL, &off); i++) {
        if (!off) continue;
        const char *name = gws_device_kind_at(i, NULL, NULL);
        ck_assert_int_eq(gws_device_open(runtime, name, NULL, &device, &where), GWS_UNSUPPORTED);
        ck_assert_msg(strstr(where.message, off) != NULL, "%s", where.message);
    }
}
END_TEST

/* ---- memory ---- */

static void keep_what_is_written(const char *address)
{
    uint32_t out[words], in[words];
    uint64_t unused = 0;
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_buffer *buffer = new_buffer(device, sizeof out), *empty = new_buffer(device, 0);
    for (uint32_t i = 0; i < words; i++) out[i] = i * 2654435761u;
    ck_assert_int_eq(gws_device_write(buffer, 0, out, sizeof out, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_fill(buffer, 10, 77, 20, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_fill(buffer, 40, 0xffffffffu, 2, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(buffer, 0, in, sizeof in, NULL), GWS_OK);
    for (uint32_t i = 10; i < 30; i++) out[i] = 77;
    out[40] = out[41] = 0xffffffffu;
    ck_assert_mem_eq(out, in, sizeof out);
    ck_assert_int_eq(gws_device_read(buffer, 29 * sizeof *in, in, 2 * sizeof *in, NULL), GWS_OK);
    ck_assert_uint_eq(in[0], 77);
    ck_assert_uint_eq(in[1], out[30]);
    ck_assert_int_eq(gws_device_read(empty, 0, in, 0, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_memory_left(device, &unused, NULL), GWS_OK);
    ck_assert(unused > 0 && unused <= gws_device_describe(device)->memory);
    ck_assert_uint_eq(gws_device_memory_held(device), gws_device_buffer_bytes(buffer));
    ck_assert_ptr_nonnull(gws_device_buffer_native(buffer));
    ck_assert_ptr_ne(gws_device_buffer_native(buffer), gws_device_buffer_native(empty));
    gws_device_buffer_free(empty);
    gws_device_buffer_free(buffer);
    ck_assert_uint_eq(gws_device_memory_held(device), 0);
    gws_device_buffer_free(NULL);
    gws_device_close(device);
    gws_device_close(NULL);
}

START_TEST(buffers_keep_what_is_written)
{
    for_each_device("", keep_what_is_written);
}
END_TEST

/* Writes bytes at an offset, and reads them back to a different alignment; the bytes around them stay. */
static void keeps_large(struct gws_device *device, uint64_t bytes, uint64_t offset)
{
    enum { around = 16 };
    uint64_t all = offset + bytes + around, skew = bytes % 4096;
    struct gws_device_buffer *buffer = new_buffer(device, (all + 3) / 4 * 4);
    uint32_t *out = malloc(bytes + 4);
    char *in = malloc(skew + all);
    for (uint64_t i = 0; i < bytes / 4 + 1; i++) out[i] = (uint32_t)(i * 2654435761u);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0x55555555u, (all + 3) / 4, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_write(buffer, offset, out, bytes, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(buffer, 0, in + skew, all, NULL), GWS_OK);
    ck_assert(memcmp(in + skew + offset, out, bytes) == 0);
    for (uint64_t i = 0; i < offset + around; i++)
        if (in[skew + (i < offset ? i : bytes + i)] != 0x55) ck_abort_msg("a byte around %" PRIu64 " changed", bytes);
    memset(in, 0, skew + all);
    ck_assert_int_eq(gws_device_read(buffer, offset, in + skew, bytes, NULL), GWS_OK);
    ck_assert(memcmp(in + skew, out, bytes) == 0);
    ck_assert_int_eq(in[skew + bytes], 0);
    free(in);
    free(out);
    gws_device_buffer_free(buffer);
}

/* With one thread and with several, in sizes that select different methods of copying. */
static void keep_large(const char *address)
{
    enum { mib = 1 << 20 };
    static const uint64_t bytes[] = {mib - 1, mib, mib + 1, 2 * mib - 1, 5 * mib + mib / 2, 24 * mib + 13};
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        const struct gws_options options = {.threads = threads};
        struct gws_runtime *before = runtime;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        struct gws_device *device = device_at(address, NULL);
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) keeps_large(device, bytes[i], 12 * i);
        gws_device_close(device);
        gws_runtime_close(runtime);
        runtime = before;
    }
}

START_TEST(large_blocks_arrive)
{
    for_each_device("", keep_large);
}
END_TEST

static void leave_cores(const char *address)
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
    ck_assert_int_eq(info->translates, info->api == GWS_DEVICE_OPENCL);
    ck_assert_int_eq(host_sharing.memory, info->unified);
    ck_assert_int_eq(host_sharing.fine_grained, info->svm >= GWS_SVM_FINE);
    ck_assert_int_eq(host_sharing.atomics, info->svm == GWS_SVM_ATOMICS && info->translates);
    ck_assert(own.memory && own.fine_grained && own.atomics);
    struct gws_device *second = device_at(address, NULL);
    struct gws_device_sharing again = gws_device_sharing(device, second);
    ck_assert_int_eq(again.memory, info->api == GWS_DEVICE_CUDA);
    ck_assert(again.fine_grained >= again.atomics);
    gws_device_close(second);
    gws_device_close(device);
}

START_TEST(cores_and_deques)
{
    for_each_device("", leave_cores);
}
END_TEST

static void refuse_ranges_outside(const char *address)
{
    uint32_t data[4] = {0};
    struct gws_where where = {0};
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_buffer *buffer = new_buffer(device, 16), *none = NULL;
    ck_assert_int_eq(gws_device_write(buffer, 1, data, 16, &where), GWS_OUT_OF_RANGE);
    ck_assert_ptr_nonnull(strstr(where.message, "16 bytes from 1"));
    ck_assert_int_eq(gws_device_read(buffer, 17, data, 0, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_read(buffer, UINT64_MAX, data, 16, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_read(buffer, 8, data, UINT64_MAX, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_fill(buffer, 3, 0, 2, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, UINT64_MAX / 4 + 1, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_fill(buffer, UINT64_MAX / 4 + 1, 0, 1, NULL), GWS_OUT_OF_RANGE);
    ck_assert_int_eq(gws_device_buffer_new(device, UINT64_MAX, &none, &where), GWS_TOO_LARGE);
    ck_assert_int_eq(gws_device_buffer_new(device, gws_device_describe(device)->max_buffer + 1, &none, NULL),
                     GWS_TOO_LARGE);
    ck_assert_ptr_null(none);
    gws_device_buffer_free(buffer);
    gws_device_close(device);
}

START_TEST(ranges_outside_are_refused)
{
    for_each_device("", refuse_ranges_outside);
}
END_TEST

/* ---- launches ---- */

static void run_kernels(const char *address)
{
    uint32_t data[words], factor = 3;
    uint64_t count = words;
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *from = new_buffer(device, sizeof data), *to = new_buffer(device, sizeof data);
    struct gws_device_argument argument[] = {{.buffer = from},
                                             {.buffer = to},
                                             {.value = &factor, .bytes = sizeof factor},
                                             {.value = &count, .bytes = sizeof count}};
    struct gws_device_launch launch = {.program = program,
                                       .kernel = "scale",
                                       .groups = (words + 63) / 64,
                                       .group_size = 64,
                                       .argument = argument,
                                       .arguments = 4};
    ck_assert(gws_device_translate_ms(device) > 0);
    for (uint32_t i = 0; i < words; i++) data[i] = i;
    ck_assert_int_eq(gws_device_write(from, 0, data, sizeof data, NULL), GWS_OK);
    runs(device, &launch);
    argument[0].buffer = to; /* a launch copies its values at once */
    argument[1].buffer = from;
    factor = 5;
    runs(device, &launch);
    waits(device);
    waits(device);
    ck_assert_int_eq(gws_device_read(from, 0, data, sizeof data, NULL), GWS_OK);
    for (uint32_t i = 0; i < words; i++)
        if (data[i] != (i * 3 + 64) * 5 + 64) ck_abort_msg("%s: %u at %u", address, data[i], i);
    gws_device_buffer_free(from);
    gws_device_buffer_free(to);
    gws_device_program_free(program);
    gws_device_program_free(NULL);
    gws_device_close(device);
}

START_TEST(kernels_run)
{
    for_each_device("", run_kernels);
}
END_TEST

static void refuses_launch(struct gws_device *device, struct gws_device_launch launch, gws_status expected,
                           const char *says)
{
    struct gws_where where = {0};
    gws_status status = gws_device_run(device, &launch, &where);
    ck_assert_msg(status == expected, "%s, not %s: %s", gws_status_text(status), gws_status_text(expected), says);
    ck_assert_msg(strstr(where.message, says) != NULL, "%s", where.message);
}

static void refuse_wrong_launches(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, 64);
    uint64_t wide = 1, max = gws_device_describe(device)->max_group_size;
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.buffer = buffer}, {.value = &wide, .bytes = 4}};
    struct gws_device_launch good = {.program = program,
                                     .kernel = "nothing",
                                     .groups = 1,
                                     .group_size = 1,
                                     .argument = argument,
                                     .arguments = 1},
                             bad = good;
    bad.kernel = "scal";
    refuses_launch(device, bad, GWS_INVALID, "no kernel scal");
    bad = good;
    bad.groups = 0;
    refuses_launch(device, bad, GWS_INVALID, "0 groups");
    bad.groups = UINT64_MAX;
    bad.group_size = 2;
    refuses_launch(device, bad, GWS_TOO_LARGE, "groups");
    bad.groups = 1;
    bad.group_size = max + 1;
    refuses_launch(device, bad, GWS_INVALID, "work-items");
    bad = good;
    bad.cluster = gws_device_describe(device)->max_cluster + 1;
    refuses_launch(device, bad, GWS_INVALID, "clusters of");
    bad = good;
    bad.kernel = "scale";
    bad.arguments = 3;
    refuses_launch(device, bad, GWS_INVALID, "the kernel takes 4 arguments, not 3");
    runs(device, &good);
    waits(device);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}

START_TEST(wrong_launches_are_refused)
{
    for_each_device("", refuse_wrong_launches);
}
END_TEST

static void refuse_things_of_another(const char *address)
{
    struct gws_device *device = device_at(address, NULL), *other = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(other, 64);
    struct gws_device_argument argument[] = {{.buffer = buffer}};
    struct gws_device_launch launch = {
        .program = program, .kernel = "nothing", .groups = 1, .group_size = 1, .argument = argument, .arguments = 1};
    refuses_launch(other, launch, GWS_INVALID, "the program belongs to another device");
    refuses_launch(device, launch, GWS_INVALID, "argument 0 is a buffer of another device");
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(other);
    gws_device_close(device);
}

START_TEST(things_of_another_device_are_refused)
{
    for_each_device("", refuse_things_of_another);
}
END_TEST

/* A source needs a part for the device's kind. */
static void refuse_a_source_without(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_source source = test_source();
    struct gws_device_program *program = NULL;
    struct gws_where where = {0};
    if (strncmp(address, "cuda", 4) == 0)
        source.image = NULL, source.image_bytes = 0;
    else
        source.text = NULL, source.texts = 0;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_UNSUPPORTED);
    ck_assert_msg(strncmp(where.message, "kernels.cl: ", 12) == 0, "%s", where.message);
    ck_assert_ptr_null(program);
    gws_device_close(device);
}

START_TEST(sources_for_another_kind_are_refused)
{
    for_each_device("", refuse_a_source_without);
}
END_TEST

/* ---- what goes wrong ---- */

/* The kernel takes seconds, not minutes, since the test ends only after it. */
static void lose(const char *address)
{
    struct gws_device_options options = {.cache = "", .limit_ms = 200};
    struct gws_where where = {0};
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

START_TEST(a_wait_that_lasts_too_long_is_an_error)
{
    for_each_device("", lose);
}
END_TEST

/* A child of fork() may free the device's objects and do nothing else; the parent is unaffected. */
static void fork_beside(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_device_program *program = test_program(device);
    struct gws_device_buffer *buffer = new_buffer(device, 64);
    uint32_t word = 5;
    int ended = -1;
    ck_assert_int_eq(gws_device_fill(buffer, 0, 7, 16, NULL), GWS_OK);
    pid_t child = fork();
    if (child == 0) {
        struct gws_where where = {0};
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

START_TEST(children_leave_devices_alone)
{
    for_each_device("", fork_beside);
}
END_TEST

/* One use of all kinds of objects. */
static gws_status use_all(struct gws_runtime *with, const char *address, const struct gws_device_options *options,
                          struct gws_where *where)
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
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options with = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *own = NULL;
        struct gws_where where = {0};
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

/* Without a cache, then with one that the last attempt of the first round fills. */
static void report_short_memory(const char *address)
{
    struct gws_device_options options = {.cache = ""}, kept = {.cache = gws_test_temp("short")};
    fail_each_call(address, &options);
    fail_each_call(address, &kept);
    fail_each_call(address, &kept);
}

START_TEST(short_memory_is_reported)
{
    for_each_device("", report_short_memory);
}
END_TEST

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
    tcase_add_test(all, buffers_keep_what_is_written);
    tcase_add_test(all, large_blocks_arrive);
    tcase_add_test(all, ranges_outside_are_refused);
    tcase_add_test(all, kernels_run);
    tcase_add_test(all, wrong_launches_are_refused);
    tcase_add_test(all, things_of_another_device_are_refused);
    tcase_add_test(all, sources_for_another_kind_are_refused);
    tcase_add_test(all, short_memory_is_reported);
    suite_add_tcase(suite, all);
    TCase *lost = tcase_create("lost"); /* separate, for tools that report its leaks */
    tcase_add_checked_fixture(lost, open_runtime, close_runtime);
    tcase_add_test(lost, a_wait_that_lasts_too_long_is_an_error);
    tcase_add_test(lost, children_leave_devices_alone);
    suite_add_tcase(suite, lost);
    return suite;
}

int main(void)
{
    return gws_test_main(device_suite);
}

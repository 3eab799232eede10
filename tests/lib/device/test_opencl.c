/* SPDX-License-Identifier: MIT */
/* OpenCL devices, on the first one that can be used (PoCL on most machines that test this): copies, programs, their
 * cache, launches, what is refused, what happens when a kernel does not end or memory is short. */
#include "../../harness.h"

#include <dirent.h>
#include <inttypes.h>

#include "../../../lib/device.h"
#include "../../../lib/parallel.h"

enum { words = 1000 };

/* What PoCL and the compiler in it keep or share by their own rules is not this test's matter. */
GWS_API const char *__lsan_default_suppressions(void); /* the sanitizers' names, which they must find */
const char *__lsan_default_suppressions(void)
{
    return "leak:libLLVM\nleak:libclang\nleak:libpocl\nleak:libOpenCL\n";
}

/* ThreadSanitizer sees a driver's locks, not its accesses: it had better see neither. */
GWS_API const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "ignore_noninstrumented_modules=1";
}

static struct gws_runtime *runtime;
static char logged[65536];

static void keep_line(void *context, const char *line)
{
    (void)context;
    size_t used = strlen(logged);
    snprintf(logged + used, sizeof logged - used, "%s\n", line);
}

static void open_runtime(void)
{
    struct gws_options options = {.threads = 1, .log = keep_line};
    logged[0] = '\0';
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", gws_test_temp("cache"), 1), 0); /* not the user's */
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void close_runtime(void)
{
    gws_runtime_close(runtime);
}

static bool has_device(struct gws_runtime *with)
{
    struct gws_device_info info[8];
    uint32_t count = 0;
    gws_device_list(with, info, 8, &count);
    for (uint32_t i = 0; i < count && i < 8; i++)
        if (!info[i].unusable[0]) return true;
    printf("skipped: no OpenCL device\n");
    return false;
}

/* NULL, after a line that says so, where there is none. */
static struct gws_device *open_device(const struct gws_device_options *options)
{
    struct gws_device *device = NULL;
    struct gws_where where = {0};
    if (!has_device(runtime)) return NULL;
    ck_assert_msg(gws_device_open(runtime, "opencl", options, &device, &where) == GWS_OK, "%s", where.message);
    return device;
}

static struct gws_device_buffer *new_buffer(struct gws_device *device, uint64_t bytes)
{
    struct gws_device_buffer *buffer = NULL;
    ck_assert_int_eq(gws_device_buffer_new(device, bytes, &buffer, NULL), GWS_OK);
    ck_assert_uint_eq(gws_device_buffer_bytes(buffer), bytes);
    return buffer;
}

/* to[i] = from[i] * factor + the group's size; local memory on the way. */
static const char *const scale_text[] = {
    "kernel void scale(global const uint *from, global uint *to, uint factor, ulong count, local uint *kept)\n",
    "{\n"
    "    ulong i = get_global_id(0);\n"
    "    kept[get_local_id(0)] = i < count ? from[i] * factor : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < count) to[i] = kept[get_local_id(0)] + (uint)get_local_size(0);\n"
    "}\n"
    "kernel void nothing(void) {}\n"};
static const struct gws_device_source scale_source = {.name = "scale.cl", .text = scale_text, .texts = 2};

static gws_status build(struct gws_device *device, struct gws_device_program **program)
{
    return gws_device_program_build(device, &scale_source, program, NULL);
}

/* ---- listing and opening ---- */

START_TEST(listing_describes_devices)
{
    struct gws_device_info info[8], first;
    uint32_t count = 0, again = 0;
    if (!has_device(runtime)) return;
    gws_device_list(runtime, info, 8, &count);
    gws_device_list(runtime, &first, 0, &again);
    ck_assert_uint_eq(count, again);
    for (uint32_t i = 0; i < count && i < 8; i++) {
        char address[32];
        snprintf(address, sizeof address, "opencl:%" PRIu32, i);
        ck_assert_str_eq(info[i].address, address);
        ck_assert_str_ne(info[i].name, "");
        ck_assert_uint_ge(info[i].units, 1);
        ck_assert_uint_eq(info[i].groups, info[i].units);
        ck_assert_uint_ge(info[i].memory, info[i].max_buffer);
        if (!info[i].unusable[0]) ck_assert_int_ge(info[i].scope, GWS_ATOMIC_DEVICE);
    }
}
END_TEST

START_TEST(kinds_have_names)
{
    const char *about = NULL, *off = NULL;
    ck_assert_str_eq(gws_device_kind_at(0, &about, &off), "opencl");
    ck_assert_ptr_nonnull(about);
    ck_assert_ptr_null(gws_device_kind_at(1, NULL, NULL));
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
    static const char *const wrong[] = {"",          "cpu",       "opencl:",    "opencl:-1", "opencl:1x",
                                        "opencl: 0", "opencl:99", "opencl:0:0", "OpenCL:0",  "opencl:0000000000",
                                        "open",      ":0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refuses(wrong[i]);
}
END_TEST

/* ---- memory ---- */

START_TEST(buffers_keep_what_is_written)
{
    uint32_t out[words], in[words];
    struct gws_device *device = open_device(NULL);
    if (!device) return;
    struct gws_device_buffer *buffer = new_buffer(device, sizeof out), *empty = new_buffer(device, 0);
    for (uint32_t i = 0; i < words; i++) out[i] = i * 2654435761u;
    ck_assert_int_eq(gws_device_write(buffer, 0, out, sizeof out, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_fill(buffer, 10, 77, 20, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(buffer, 0, in, sizeof in, NULL), GWS_OK);
    for (uint32_t i = 10; i < 30; i++) out[i] = 77;
    ck_assert_mem_eq(out, in, sizeof out);
    ck_assert_int_eq(gws_device_read(buffer, 29 * sizeof *in, in, 2 * sizeof *in, NULL), GWS_OK);
    ck_assert_uint_eq(in[0], 77);
    ck_assert_uint_eq(in[1], out[30]);
    ck_assert_int_eq(gws_device_read(empty, 0, in, 0, NULL), GWS_OK);
    gws_device_buffer_free(empty);
    gws_device_buffer_free(buffer);
    gws_device_buffer_free(NULL);
    gws_device_close(device);
    gws_device_close(NULL);
}
END_TEST

START_TEST(ranges_outside_are_refused)
{
    uint32_t data[4] = {0};
    struct gws_where where = {0};
    struct gws_device *device = open_device(NULL);
    if (!device) return;
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
END_TEST

/* ---- programs and launches ---- */

START_TEST(kernels_run)
{
    uint32_t data[words], factor = 3;
    uint64_t count = words;
    struct gws_device *device = open_device(NULL);
    if (!device) return;
    struct gws_device_program *program = NULL;
    ck_assert_int_eq(build(device, &program), GWS_OK);
    struct gws_device_buffer *from = new_buffer(device, sizeof data), *to = new_buffer(device, sizeof data);
    struct gws_device_argument argument[] = {{.buffer = from},
                                             {.buffer = to},
                                             {.value = &factor, .bytes = sizeof factor},
                                             {.value = &count, .bytes = sizeof count},
                                             {.bytes = 64 * sizeof(uint32_t)}};
    struct gws_device_launch launch = {program, "scale", (words + 63) / 64, 64, argument, 5};
    for (uint32_t i = 0; i < words; i++) data[i] = i;
    ck_assert_int_eq(gws_device_write(from, 0, data, sizeof data, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_OK);
    argument[0].buffer = to; /* the values of a launch are those at its time */
    argument[1].buffer = from;
    factor = 5;
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_wait(device, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_wait(device, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(from, 0, data, sizeof data, NULL), GWS_OK);
    for (uint32_t i = 0; i < words; i++)
        if (data[i] != (i * 3 + 64) * 5 + 64) ck_abort_msg("%u at %u", data[i], i);
    gws_device_buffer_free(from);
    gws_device_buffer_free(to);
    gws_device_program_free(program);
    gws_device_program_free(NULL);
    gws_device_close(device);
}
END_TEST

static void refuses_launch(struct gws_device *device, struct gws_device_launch launch, gws_status expected,
                           const char *says)
{
    struct gws_where where = {0};
    ck_assert_int_eq(gws_device_run(device, &launch, &where), expected);
    ck_assert_msg(strstr(where.message, says) != NULL, "%s", where.message);
}

START_TEST(wrong_launches_are_refused)
{
    struct gws_device *device = open_device(NULL);
    if (!device) return;
    struct gws_device_program *program = NULL;
    ck_assert_int_eq(build(device, &program), GWS_OK);
    struct gws_device_buffer *buffer = new_buffer(device, 64);
    uint64_t wide = 1, most = gws_device_describe(device)->max_group_size;
    struct gws_device_argument argument[] = {{.buffer = buffer},
                                             {.buffer = buffer},
                                             {.value = &wide, .bytes = 8},
                                             {.value = &wide, .bytes = 8},
                                             {.bytes = 4}};
    struct gws_device_launch good = {.program = program, .kernel = "nothing", .groups = 1, .group_size = 1}, bad = good;
    bad.kernel = "scal";
    refuses_launch(device, bad, GWS_INVALID, "no kernel scal");
    bad = good;
    bad.groups = 0;
    refuses_launch(device, bad, GWS_INVALID, "0 groups of 1");
    bad.groups = UINT64_MAX;
    bad.group_size = most;
    refuses_launch(device, bad, most > 1 ? GWS_TOO_LARGE : GWS_INVALID, "groups");
    bad.groups = 1;
    bad.group_size = most + 1;
    refuses_launch(device, bad, GWS_INVALID, "fit into a group");
    bad = (struct gws_device_launch){program, "scale", 1, 1, argument, 4};
    refuses_launch(device, bad, GWS_INVALID, "it takes 5 arguments, not 4");
    bad.arguments = 5;
    refuses_launch(device, bad, GWS_INVALID, "argument 2 is not what it takes");
    ck_assert_int_eq(gws_device_run(device, &good, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_wait(device, NULL), GWS_OK);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}
END_TEST

START_TEST(things_of_another_device_are_refused)
{
    struct gws_device *device = open_device(NULL), *other = NULL;
    if (!device) return;
    ck_assert_int_eq(gws_device_open(runtime, "opencl", NULL, &other, NULL), GWS_OK);
    struct gws_device_program *program = NULL;
    ck_assert_int_eq(build(device, &program), GWS_OK);
    struct gws_device_buffer *buffer = new_buffer(other, 64);
    struct gws_device_argument argument[] = {{.buffer = buffer}};
    struct gws_device_launch launch = {program, "scale", 1, 1, argument, 1};
    refuses_launch(other, launch, GWS_INVALID, "the program is of another device");
    refuses_launch(device, launch, GWS_INVALID, "argument 0 is of another device");
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(other);
    gws_device_close(device);
}
END_TEST

START_TEST(mistakes_give_the_build_log)
{
    static const char *const text[] = {"kernel void f(global int *a)\n{\n    a[0] = b_is_unknown;\n}\n"};
    static const char *const none[] = {"int f(int a) { return a; }\n"};
    struct gws_device_source source = {.name = "wrong.cl", .text = text, .texts = 1};
    struct gws_device_options options = {.cache = ""};
    struct gws_where where = {0};
    struct gws_device_program *program = NULL;
    struct gws_device *device = open_device(&options);
    if (!device) return;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "wrong.cl") != NULL, "%s", where.message);
    ck_assert_msg(strstr(where.message, "b_is_unknown") != NULL, "%s", where.message);
    ck_assert_ptr_nonnull(strstr(logged, "b_is_unknown"));
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, NULL), GWS_INVALID);
    source.text = none;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_INVALID);
    source.options = "-Dx -no-such-option-at-all";
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_INVALID);
    ck_assert_ptr_null(program);
    ck_assert_int_eq(build(device, &program), GWS_OK); /* the device is as good as before */
    gws_device_program_free(program);
    gws_device_close(device);
}
END_TEST

/* ---- the cache ---- */

/* The name of the one file in folder. */
static const char *only_file(const char *folder)
{
    static char path[GWS_TEST_PATH * 2];
    uint32_t files = 0;
    DIR *listing = opendir(folder);
    ck_assert_msg(listing != NULL, "no folder %s", folder);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        files++;
    }
    closedir(listing);
    ck_assert_uint_eq(files, 1);
    return path;
}

static bool builds_from_cache(const struct gws_device_options *options, const char *flags)
{
    struct gws_device *device = open_device(options);
    struct gws_device_source source = scale_source;
    struct gws_device_program *program = NULL;
    source.options = flags;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, NULL), GWS_OK);
    struct gws_device_launch launch = {.program = program, .kernel = "nothing", .groups = 1, .group_size = 1};
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_wait(device, NULL), GWS_OK);
    bool cached = gws_device_program_cached(program);
    gws_device_program_free(program);
    gws_device_close(device);
    return cached;
}

START_TEST(programs_are_kept_on_disk)
{
    struct gws_device_options options = {.cache = gws_test_temp("new/cache")};
    if (!has_device(runtime)) return;
    ck_assert(!builds_from_cache(&options, NULL));
    (void)only_file(options.cache);
    ck_assert(builds_from_cache(&options, NULL));
    ck_assert(!builds_from_cache(&options, "-DX=1")); /* other options, another program */
    ck_assert(builds_from_cache(&options, "-DX=1"));
}
END_TEST

/* Overwrites one byte of the file, or cuts it to that length. */
static void damage(const char *path, long place, bool cut)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    if (cut) {
        ck_assert_int_eq(ftruncate(fileno(file), place), 0);
    } else {
        ck_assert_int_eq(fseek(file, place, place < 0 ? SEEK_END : SEEK_SET), 0);
        int byte = fgetc(file);
        ck_assert_int_eq(fseek(file, -1, SEEK_CUR), 0);
        ck_assert_int_ne(fputc(byte ^ 0x40, file), EOF);
    }
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(broken_caches_are_mended)
{
    static const struct {
        long place;
        bool cut;
    } harm[] = {{0, true}, {1, false}, {9, false}, {25, false}, {33, false}, {39, true}, {200, true}, {-1, false}};
    struct gws_device_options options = {.cache = gws_test_temp("broken")};
    if (!has_device(runtime)) return;
    ck_assert(!builds_from_cache(&options, NULL));
    for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
        damage(only_file(options.cache), harm[i].place, harm[i].cut);
        ck_assert_msg(!builds_from_cache(&options, NULL), "harm %zu was not noticed", i);
        ck_assert_msg(builds_from_cache(&options, NULL), "harm %zu was not mended", i);
    }
}
END_TEST

START_TEST(no_cache_is_no_error)
{
    struct gws_device_options options = {.cache = ""};
    if (!has_device(runtime)) return;
    ck_assert(!builds_from_cache(&options, NULL));
    ck_assert(!builds_from_cache(&options, NULL));
    options.cache = gws_test_file("a_file", "x", 1);
    ck_assert(!builds_from_cache(&options, NULL));
    options.cache = "/proc/no/such";
    ck_assert(!builds_from_cache(&options, NULL));
}
END_TEST

START_TEST(the_cache_is_where_the_environment_says)
{
    char folder[GWS_TEST_PATH * 2];
    if (!has_device(runtime)) return;
    snprintf(folder, sizeof folder, "%s", gws_test_temp("xdg"));
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", folder, 1), 0);
    ck_assert(!builds_from_cache(NULL, NULL));
    (void)only_file(gws_test_temp("xdg/graphws"));
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", "relative", 1), 0);
    ck_assert_int_eq(setenv("HOME", gws_test_temp("home"), 1), 0);
    ck_assert(!builds_from_cache(NULL, NULL));
    ck_assert(builds_from_cache(NULL, NULL));
    (void)only_file(gws_test_temp("home/.cache/graphws"));
}
END_TEST

/* ---- what goes wrong ---- */

/* A kernel that takes seconds, and not minutes, as the test has to end with it. */
START_TEST(a_wait_that_lasts_too_long_is_an_error)
{
    static const char *const text[] = {"kernel void spin(global volatile uint *word, ulong rounds)\n"
                                       "{\n"
                                       "    for (ulong i = 0; i < rounds; i++) word[0] += 1;\n"
                                       "}\n"};
    struct gws_device_source source = {.name = "spin.cl", .text = text, .texts = 1};
    struct gws_device_options options = {.cache = "", .limit_ms = 50};
    struct gws_where where = {0};
    uint64_t rounds = UINT64_C(1) << 28;
    uint32_t word = 0;
    struct gws_device *device = open_device(&options);
    if (!device) return;
    struct gws_device_program *program = NULL;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, NULL), GWS_OK);
    struct gws_device_buffer *buffer = new_buffer(device, sizeof word), *more = NULL;
    struct gws_device_argument argument[] = {{.buffer = buffer}, {.value = &rounds, .bytes = sizeof rounds}};
    struct gws_device_launch launch = {program, "spin", 1, 1, argument, 2};
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, 1, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_OK);
    ck_assert_int_eq(gws_device_read(buffer, 0, &word, sizeof word, &where), GWS_DEVICE);
    ck_assert_ptr_nonnull(strstr(where.message, "no answer after 50 ms"));
    ck_assert_int_eq(gws_device_wait(device, &where), GWS_DEVICE);
    ck_assert_ptr_nonnull(strstr(where.message, "lost before"));
    ck_assert_int_eq(gws_device_run(device, &launch, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_device_fill(buffer, 0, 0, 1, NULL), GWS_DEVICE);
    ck_assert_int_eq(gws_device_buffer_new(device, 4, &more, NULL), GWS_DEVICE);
    ck_assert_int_eq(build(device, &program), GWS_DEVICE);
    gws_device_buffer_free(buffer);
    gws_device_program_free(program);
    gws_device_close(device);
}
END_TEST

/* Everything there is, once. */
static gws_status use_all(struct gws_runtime *with, const struct gws_device_options *options, struct gws_where *where)
{
    struct gws_device *device = NULL;
    struct gws_device_buffer *buffer = NULL;
    struct gws_device_program *program = NULL;
    gws_status status = gws_device_open(with, "opencl", options, &device, where);
    if (status == GWS_OK) status = gws_device_buffer_new(device, 64, &buffer, where);
    if (status == GWS_OK) status = gws_device_program_build(device, &scale_source, &program, where);
    struct gws_device_launch launch = {.program = program, .kernel = "nothing", .groups = 2, .group_size = 1};
    if (status == GWS_OK) status = gws_device_run(device, &launch, where);
    if (status == GWS_OK) status = gws_device_wait(device, where);
    gws_device_program_free(program);
    gws_device_buffer_free(buffer);
    gws_device_close(device);
    return status;
}

static void fail_each_call(const struct gws_device_options *options)
{
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options with = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *own = NULL;
        struct gws_where where = {0};
        ck_assert_int_eq(gws_runtime_open(&with, &own), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = use_all(own, options, &where);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert(where.message[0] || !memory.failed);
        gws_runtime_close(own);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}

START_TEST(short_memory_is_reported)
{
    struct gws_device_options options = {.cache = ""}, kept = {.cache = gws_test_temp("short")};
    if (!has_device(runtime)) return;
    fail_each_call(&options);
    ck_assert(!builds_from_cache(&kept, NULL));
    fail_each_call(&kept);
}
END_TEST

static Suite *device_suite(void)
{
    Suite *suite = suite_create("opencl");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, open_runtime, close_runtime);
    tcase_add_test(all, listing_describes_devices);
    tcase_add_test(all, kinds_have_names);
    tcase_add_test(all, wrong_addresses_are_refused);
    tcase_add_test(all, buffers_keep_what_is_written);
    tcase_add_test(all, ranges_outside_are_refused);
    tcase_add_test(all, kernels_run);
    tcase_add_test(all, wrong_launches_are_refused);
    tcase_add_test(all, things_of_another_device_are_refused);
    tcase_add_test(all, mistakes_give_the_build_log);
    tcase_add_test(all, programs_are_kept_on_disk);
    tcase_add_test(all, broken_caches_are_mended);
    tcase_add_test(all, no_cache_is_no_error);
    tcase_add_test(all, the_cache_is_where_the_environment_says);
    tcase_add_test(all, a_wait_that_lasts_too_long_is_an_error);
    tcase_add_test(all, short_memory_is_reported);
    suite_add_tcase(suite, all);
    return suite;
}

int main(void)
{
    return gws_test_main(device_suite);
}

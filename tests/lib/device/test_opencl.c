/* SPDX-License-Identifier: MIT */
/* Tests of OpenCL alone: programs from source, build logs, the cache on disk, local memory as an argument. The tests
 * run on the first usable OpenCL device. test_device.c tests the common properties of all kinds. */
#include "devices.h"

#include <dirent.h>
#include <inttypes.h>

#include "../../../lib/device/kind.h"

/* Opens an OpenCL device. Returns NULL, with a message, if there is no such device. */
static struct gws_device *open_device(const struct gws_device_options *options)
{
    struct gws_device *device = NULL;
    if (gws_device_open(runtime, "opencl", options, &device, NULL) != GWS_OK) printf("skipped: no OpenCL device\n");
    return device;
}

static bool has_device(void)
{
    struct gws_device *device = open_device(NULL);
    gws_device_close(device);
    return device != NULL;
}

/* The kernel sets to[i] = from[i] * factor + the group's size, through local memory. */
static const char *const scale_text[] = {
    "kernel void scale(global const uint *from, global uint *to, uint factor, ulong count, local uint *value)\n",
    "{\n"
    "    ulong i = get_global_id(0);\n"
    "    value[get_local_id(0)] = i < count ? from[i] * factor : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < count) to[i] = value[get_local_id(0)] + (uint)get_local_size(0);\n"
    "}\n"
    "kernel void nothing(void) {}\n"};
static const struct gws_device_source scale_source = {.name = "scale.cl", .part = scale_text, .parts = 2};

static gws_status build(struct gws_device *device, struct gws_device_program **program)
{
    return gws_device_program_build(device, &scale_source, program, NULL);
}

/* ---- programs ---- */

START_TEST(local_memory_is_an_argument)
{
    uint32_t from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8], factor = 3;
    uint64_t count = 8, max = UINT64_MAX, groups = 0;
    struct gws_diagnostic where = {0};
    struct gws_device *device = open_device(NULL);
    if (!device) return;
    struct gws_device_program *program = NULL;
    ck_assert_int_eq(build(device, &program), GWS_OK);
    struct gws_device_buffer *buffer[] = {new_buffer(device, sizeof from), new_buffer(device, sizeof to)};
    struct gws_device_argument argument[] = {{.buffer = buffer[0]},
                                             {.buffer = buffer[1]},
                                             {.value = &factor, .bytes = sizeof factor},
                                             {.value = &count, .bytes = sizeof count},
                                             {.bytes = 4 * sizeof *to}};
    struct gws_device_launch launch = {
        .program = program, .kernel = "scale", .groups = 2, .group_size = 4, .argument = argument, .arguments = 5};
    ck_assert_int_eq(gws_device_write(buffer[0], 0, from, sizeof from, NULL), GWS_OK);
    runs(device, &launch);
    ck_assert_int_eq(gws_device_read(buffer[1], 0, to, sizeof to, NULL), GWS_OK);
    for (uint32_t i = 0; i < 8; i++) ck_assert_uint_eq(to[i], 3 * from[i] + 4);
    argument[4].bytes = gws_device_describe(device)->local_memory + 1;
    ck_assert_int_eq(gws_device_resident(device, &launch, &groups, &where), GWS_UNSUPPORTED);
    ck_assert_str_eq(where.message, "scale: not even one group of 4 items fits");
    argument[2] = (struct gws_device_argument){.value = &max, .bytes = sizeof max};
    ck_assert_int_eq(gws_device_run(device, &launch, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "argument 2 does not match") != NULL, "%s", where.message);
    gws_device_buffer_free(buffer[0]);
    gws_device_buffer_free(buffer[1]);
    gws_device_program_free(program);
    gws_device_close(device);
}
END_TEST

START_TEST(mistakes_give_the_build_log)
{
    static const char *const text[] = {"kernel void f(global int *a)\n{\n    a[0] = b_is_unknown;\n}\n"};
    static const char *const none[] = {"int f(int a) { return a; }\n"};
    struct gws_device_source source = {.name = "wrong.cl", .part = text, .parts = 1};
    struct gws_device_options options = {.cache = ""};
    struct gws_diagnostic where = {0};
    struct gws_device_program *program = NULL;
    struct gws_device *device = open_device(&options);
    if (!device) return;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_INVALID);
    ck_assert_msg(strstr(where.message, "wrong.cl") != NULL, "%s", where.message);
    ck_assert_msg(strstr(where.message, "b_is_unknown") != NULL, "%s", where.message);
    ck_assert_ptr_nonnull(strstr(logged, "b_is_unknown"));
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, NULL), GWS_INVALID);
    source.part = none;
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_INVALID);
    source.options = "-Dx -no-such-option-at-all";
    ck_assert_int_eq(gws_device_program_build(device, &source, &program, &where), GWS_INVALID);
    ck_assert_ptr_null(program);
    ck_assert_int_eq(build(device, &program), GWS_OK); /* the device still works */
    gws_device_program_free(program);
    gws_device_close(device);
}
END_TEST

/* ---- the cache ---- */

/* Returns the name of the only file in folder. */
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

START_TEST(programs_are_cached_on_disk)
{
    struct gws_device_options options = {.cache = gws_test_temp("new/cache")};
    if (!has_device()) return;
    ck_assert(!builds_from_cache(&options, NULL));
    (void)only_file(options.cache);
    ck_assert(builds_from_cache(&options, NULL));
    ck_assert(!builds_from_cache(&options, "-DX=1")); /* different options make a different program */
    ck_assert(builds_from_cache(&options, "-DX=1"));
}
END_TEST

/* Overwrites one byte of the file, or truncates the file to this length. */
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
    if (!has_device()) return;
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
    if (!has_device()) return;
    ck_assert(!builds_from_cache(&options, NULL));
    ck_assert(!builds_from_cache(&options, NULL));
    options.cache = gws_test_file("a_file", "x", 1);
    ck_assert(!builds_from_cache(&options, NULL));
    options.cache = "/proc/no/such";
    ck_assert(!builds_from_cache(&options, NULL));
}
END_TEST

/* Returns true if the driver is PoCL, which has its own cache. The library then uses a cache only if the caller names
 * one. */
static bool caches_programs(void)
{
    struct gws_device *device = open_device(NULL);
    bool keeps = device && strstr(gws_device_describe(device)->driver, "Portable Computing Language");
    gws_device_close(device);
    return keeps;
}

START_TEST(the_cache_is_where_the_environment_says)
{
    char folder[GWS_TEST_PATH * 2];
    if (!has_device()) return;
    snprintf(folder, sizeof folder, "%s", gws_test_temp("xdg"));
    ck_assert_int_eq(setenv("XDG_CACHE_HOME", folder, 1), 0);
    ck_assert(!builds_from_cache(NULL, NULL));
    bool caches = access(gws_test_temp("xdg/graphws"), F_OK) == 0;
    ck_assert_int_eq(caches, !caches_programs());
    if (caches) (void)only_file(gws_test_temp("xdg/graphws"));
    ck_assert_int_eq(builds_from_cache(NULL, NULL), caches);
}
END_TEST

static void folder_is(const char *folder, const char *expected)
{
    char path[gws__cache_path] = "as it was";
    gws__cache_folder(path, folder);
    ck_assert_str_eq(path, expected);
}

START_TEST(folders_by_the_environment)
{
    static char longest[gws__cache_path + 1];
    memset(longest, '/', gws__cache_path);
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    setenv("HOME", "/home", 1);
    folder_is("/by/name", "/by/name");
    folder_is("", "");
    folder_is(longest, "");
    folder_is(longest + 1, longest + 1);
    folder_is(NULL, "/xdg/graphws");
    setenv("XDG_CACHE_HOME", "relative", 1);
    folder_is(NULL, "/home/.cache/graphws");
    setenv("HOME", longest, 1);
    folder_is(NULL, "");
    unsetenv("HOME");
    folder_is(NULL, "");
    setenv("HOME", "relative", 1);
    unsetenv("XDG_CACHE_HOME");
    folder_is(NULL, "");
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{local_memory_is_an_argument, 1}, {mistakes_give_the_build_log, 1},
                                    {programs_are_cached_on_disk, 1}, {broken_caches_are_mended, 1},
                                    {no_cache_is_no_error, 1},        {the_cache_is_where_the_environment_says, 1},
                                    {folders_by_the_environment, 1},  {0}};
    return gws_test_run_between("opencl", test, open_runtime, close_runtime);
}

/* SPDX-License-Identifier: MIT */
#include "generated.h"

#include <inttypes.h>
#include <math.h>

/* Returns the FNV-1a hash of the bytes of the coordinates. */
static uint64_t hash_of(const struct gws_points *points)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const unsigned char *axis[] = {points->x, points->y, points->z};
    for (int a = 0; a < 3; a++)
        for (uint64_t i = 0; i < points->count * (points->is_double ? 8 : 4); i++)
            hash = (hash ^ axis[a][i]) * UINT64_C(0x100000001b3);
    return hash;
}

static const struct known_points {
    const char *description;
    uint64_t count, hash_float, hash_double;
} known[] = {
    {"uniform:5000", 5000, UINT64_C(0x23a2c267e79c95fe), UINT64_C(0xf10313bfeaba8d99)},
    {"gauss:4999:7", 4999, UINT64_C(0x9a0a7f7d97a02238), UINT64_C(0x2b15b98c2bd8cf84)},
    {"plummer:20k:3", 20000, UINT64_C(0x2850940419dbc409), UINT64_C(0x8cca45055126d419)},
    {"shell:12345", 12345, UINT64_C(0xd17bbde608df120d), UINT64_C(0x2bbeda0b11f078e8)},
};

/* The same description makes the same points with any number of threads, in every version. */
START_TEST(same_points_for_ever)
{
    const uint32_t threads[] = {1, 2, 3, 8};
    for (int i = 0; i < 8; i++) {
        struct gws_points points = generate(known[_i].description, i & 1, threads[i / 2]);
        ck_assert_uint_eq(points.count, known[_i].count);
        ck_assert_msg(hash_of(&points) == (i & 1 ? known[_i].hash_double : known[_i].hash_float),
                      "%s: UINT64_C(0x%" PRIx64 ") on %u threads", known[_i].description, hash_of(&points),
                      threads[i / 2]);
        gws_points_clear(&points);
    }
}
END_TEST

START_TEST(defaults_and_seeds)
{
    const char *const descriptions[] = {"shell:1000", "shell:1k:1", "shell:1000:2"};
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        struct gws_points points = generate(descriptions[i], false, 2);
        hash[i] = hash_of(&points);
        gws_points_clear(&points);
    }
    ck_assert_uint_eq(hash[0], hash[1]);
    ck_assert_uint_ne(hash[0], hash[2]);
}
END_TEST

START_TEST(empty_and_one)
{
    struct gws_points none = generate("uniform:0", true, 2), one = generate("plummer:1", false, 2);
    ck_assert_uint_eq(none.count, 0);
    ck_assert_uint_eq(one.count, 1);
    gws_points_clear(&none);
    gws_points_clear(&one);
}
END_TEST

/* Floats are the doubles rounded to nearest, except that the floats stay within the half-open cube. */
START_TEST(floats_are_the_doubles_rounded)
{
    const char *const descriptions[] = {"uniform:300k:5", "gauss:50k:5", "plummer:50k:5", "shell:50k:5"};
    for (int g = 0; g < 4; g++) {
        struct gws_points floats = generate(descriptions[g], false, 2), doubles = generate(descriptions[g], true, 2);
        const float *single = floats.y;
        const double *precise = doubles.y;
        for (uint64_t i = 0; i < floats.count; i++) {
            float rounded = (float)precise[i];
            if (g == 0 && rounded == 1) rounded = nextafterf(1, 0);
            if (single[i] != rounded) ck_abort_msg("%s: point %" PRIu64, descriptions[g], i);
        }
        gws_points_clear(&floats);
        gws_points_clear(&doubles);
    }
}
END_TEST

/* ---- descriptions ---- */

START_TEST(names_of_generators)
{
    const char *const yes[] = {"uniform:", "uniform:20", "gauss:x", "plummer:", "shell:9"};
    const char *const no[] = {"", "uniform", "uniforms:3", "Gauss:3", "file.ply", "./shell:5"};
    for (int i = 0; i < 5; i++) ck_assert(gws_points_is_generator(yes[i]));
    for (int i = 0; i < 6; i++) ck_assert(!gws_points_is_generator(no[i]));
}
END_TEST

static const struct bad_points_description {
    const char *description;
    gws_status status;
    uint64_t column;
} bad_descriptions[] = {
    {"", GWS_SYNTAX, 1},
    {"ring:3", GWS_SYNTAX, 1},
    {"uniform:", GWS_SYNTAX, 9},
    {"uniform:-3", GWS_SYNTAX, 9},
    {"uniform:3x", GWS_SYNTAX, 10},
    {"uniform:3kk", GWS_SYNTAX, 11},
    {"uniform:k", GWS_SYNTAX, 9},
    {"uniform:3K", GWS_SYNTAX, 10},
    {"gauss:3:", GWS_SYNTAX, 9},
    {"gauss:3M:x", GWS_SYNTAX, 10},
    {"gauss:3:4:5", GWS_SYNTAX, 10},
    {"shell:18446744073709551616", GWS_TOO_LARGE, 7},
    {"shell:18446744073709552k", GWS_TOO_LARGE, 7},
    {"shell:99999999999999999G", GWS_TOO_LARGE, 7},
    {"shell:1:18446744073709551616", GWS_TOO_LARGE, 9},
};

START_TEST(bad_description)
{
    const struct bad_points_description *bad = &bad_descriptions[_i];
    struct gws_runtime *runtime = open_runtime(1);
    struct gws_points points = {.count = 77};
    struct gws_diagnostic where = {0};
    gws_status status = gws_points_generate(runtime, bad->description, false, &points, &where);
    ck_assert_msg(status == bad->status && where.column == bad->column, "%s: %s at column %llu: %s", bad->description,
                  gws_status_text(status), (unsigned long long)where.column, where.message);
    ck_assert_int_eq(gws_points_generate(runtime, bad->description, true, &points, NULL), bad->status);
    ck_assert_uint_eq(points.count, 77);
    ck_assert_str_ne(where.message, "");
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(any_allocation_may_fail)
{
    bool failed = true;
    for (uint64_t k = 1; failed; k++) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime;
        struct gws_points points = {0};
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        memory.fail_at = memory.calls + k;
        gws_status status = gws_points_generate(runtime, "plummer:100", false, &points, NULL);
        failed = memory.failed;
        ck_assert_int_eq(status, failed ? GWS_NO_MEMORY : GWS_OK);
        ck_assert_int_eq(points.x == NULL, failed);
        gws_runtime_close(runtime);
        gws_points_clear(&points);
        gws_test_memory_check(&memory);
    }
}
END_TEST

START_TEST(sizes_that_overflow)
{
    struct gws_runtime *runtime = open_runtime(1);
    struct gws_points points = {0};
    ck_assert_int_eq(gws_points_generate(runtime, "shell:18446744073709551615", true, &points, NULL), GWS_TOO_LARGE);
    ck_assert_int_eq(gws_points_generate(runtime, "shell:2305843009213693952", true, &points, NULL), GWS_TOO_LARGE);
    ck_assert_int_eq(gws_points_generate(runtime, "shell:1000000000G", true, &points, NULL), GWS_NO_MEMORY);
    ck_assert_ptr_null(points.owner);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{same_points_for_ever, sizeof known / sizeof *known},
                                    {defaults_and_seeds, 1},
                                    {empty_and_one, 1},
                                    {floats_are_the_doubles_rounded, 1},
                                    {names_of_generators, 1},
                                    {bad_description, sizeof bad_descriptions / sizeof *bad_descriptions},
                                    {any_allocation_may_fail, 1},
                                    {sizes_that_overflow, 1},
                                    {0}};
    return gws_test_run("points generate", test);
}

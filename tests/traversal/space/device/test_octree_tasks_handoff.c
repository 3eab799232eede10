/* SPDX-License-Identifier: MIT */
/* Octrees by CPU workers and a device together. For every form, policy and number of workers, the tree must follow the
 * rules (gws_octree_check()). Exactly one side divides each octant, and both sides take part. */
#include "builders.h"

enum { max_builds = 200 };

static const struct {
    const char *policy;
    enum gws_octree_form form;
} strategy[] = {{"abp", GWS_OCTREE_FORM_SHARED},
                {"chunked", GWS_OCTREE_FORM_SHARED},
                {"abp", GWS_OCTREE_FORM_HANDOFF},
                {"chunked", GWS_OCTREE_FORM_HANDOFF}};
enum { strategies = sizeof strategy / sizeof *strategy };

/* ThreadSanitizer does not see the atomics of a device's groups. If a group passes an octant from one thread to
 * another, ThreadSanitizer reports the threads' writes as a race. tests/kernels/octree.h tests groups, emulated by
 * threads. */
#ifdef __SANITIZE_THREAD__
enum { first_strategy = 2 };
#else
enum { first_strategy = 0 };
#endif

/* Opens a device with the memory that the form requires. Returns NULL if there is no such device. */
static struct gws_device *open_for(struct gws_runtime *runtime, enum gws_octree_form form)
{
    struct gws_device *device = open_device(runtime);
    if (!device || form != GWS_OCTREE_FORM_SHARED || gws_device_describe(device)->svm == GWS_SVM_ATOMICS) return device;
    printf("skipped: the device shares no atomics\n");
    gws_device_close(device);
    return NULL;
}

static struct gws_octree_device_options options_of(enum gws_octree_form form)
{
    return (struct gws_octree_device_options){
        .tree = {.builder = GWS_OCTREE_BY_TASK}, .cpu = true, .form = form, .groups = 1};
}

START_TEST(every_shape)
{
    static const struct {
        uint32_t threads, groups, piece;
        uint64_t leaf;
        uint32_t depth;
    } sides[] = {{1, 0, 0, 0, 0}, {1, 3, 50, 5, 0}, {2, 1, UINT32_MAX, 1, 4}, {3, 2, 700, 1, 0}};
    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++) {
        struct gws_runtime *runtime = open_threads(strategy[_i].policy, sides[s].threads, (struct gws_allocator){0});
        struct gws_device *device = open_for(runtime, strategy[_i].form);
        struct gws_octree_device_options options = options_of(strategy[_i].form);
        options.tree.leaf = sides[s].leaf;
        options.tree.max_depth = sides[s].depth;
        options.groups = sides[s].groups;
        options.piece = sides[s].piece;
        if (device) build_shapes(runtime, device, &options);
        gws_device_close(device);
        gws_runtime_close(runtime);
    }
}
END_TEST

static void judge_counts(const struct gws_octree_device_stats *stats, const struct gws_octree *tree)
{
    uint64_t tasks = stats->cpu.run + stats->device.run;
    ck_assert_uint_eq(tasks, tree->nodes - tree->leaves);
    ck_assert_uint_eq(tree->stats.tasks, tasks);
    ck_assert_uint_eq(stats->cpu.made + stats->device.made, tasks);
    ck_assert_uint_le(stats->cpu.steals, gws_side_stolen(&stats->cpu));
    ck_assert_uint_le(stats->device.steals, gws_side_stolen(&stats->device));
    if (stats->device.run > 0) ck_assert_uint_gt(stats->high_water, 0);
    ck_assert_uint_le(stats->launches, stats->handed_off);
    ck_assert_uint_le(stats->handed_off, stats->device.stolen_from_cpu);
}

/* Each octant is one task of one side, and within a few builds both sides contribute to a tree. */
START_TEST(both_take_part)
{
    struct gws_runtime *runtime = open_threads(strategy[_i].policy, 2, (struct gws_allocator){0});
    struct gws_device *device = open_for(runtime, strategy[_i].form);
    struct gws_octree_device_options options = options_of(strategy[_i].form);
    struct gws_octree_device *builder = NULL;
    struct gws_points points = {0};
    bool cpu = false, groups = false;
    options.piece = UINT32_MAX;
    options.tree.leaf = 8;
    ck_assert_int_eq(gws_points_generate(runtime, "uniform:200k", false, &points, NULL), GWS_OK);
    if (device) ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, NULL), GWS_OK);
    for (int i = 0; device && i < max_builds && !(cpu && groups); i++) {
        struct gws_octree_device_stats stats;
        struct gws_octree *tree = NULL;
        ck_assert_int_eq(gws_octree_device_build(builder, &points, &tree, NULL), GWS_OK);
        gws_octree_device_stats(builder, &stats);
        judge_counts(&stats, tree);
        cpu |= stats.cpu.run > 0 && stats.cpu.steals > 0;
        groups |= stats.device.run > 0;
        if (strategy[_i].form != GWS_OCTREE_FORM_SHARED) ck_assert_int_eq(stats.device.run > 0, stats.handed_off > 0);
        gws_octree_destroy(tree);
    }
    if (device) ck_assert_msg(cpu && groups, "%s does not take part", cpu ? "the device" : "the CPU");
    gws_octree_device_close(builder);
    gws_points_clear(&points);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* The handoff from one thread is deterministic. The idle device always receives some octants, but never all of them.
 */
START_TEST(one_thread_hands_off)
{
    struct gws_runtime *runtime = open_threads(strategy[_i].policy, 1, (struct gws_allocator){0});
    struct gws_device *device = open_for(runtime, GWS_OCTREE_FORM_HANDOFF);
    struct gws_octree_device_options options = options_of(GWS_OCTREE_FORM_HANDOFF);
    struct gws_octree_device *builder = NULL;
    struct gws_octree *tree = NULL;
    struct gws_octree_device_stats stats;
    struct gws_points points = shape_make(0, 20000, false);
    options.piece = 1000;
    if (device) {
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, NULL), GWS_OK);
        ck_assert_int_eq(gws_octree_device_build(builder, &points, &tree, NULL), GWS_OK);
        gws_octree_device_stats(builder, &stats);
        ck_assert_uint_gt(stats.launches, 0);
        ck_assert_uint_gt(stats.cpu.run, 0);
        ck_assert_uint_gt(stats.device.run, 0);
        ck_assert_uint_eq(stats.cpu.steals, 0);
        gws_octree_destroy(tree);
    }
    shape_free(&points);
    gws_octree_device_close(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* The points lie on a line, and each leaf has one point. The record of the tree is too small at first, so the host
 * repeats the build. */
START_TEST(record_grows)
{
    static double x[20000], zero[20000];
    struct gws_points points = {.count = 20000, .x = x, .y = zero, .z = zero, .is_double = true};
    struct gws_runtime *runtime = open_threads(strategy[_i].policy, 2, (struct gws_allocator){0});
    struct gws_device *device = open_for(runtime, strategy[_i].form);
    struct gws_octree_device_options options = options_of(strategy[_i].form);
    struct gws_octree_device *builder = NULL;
    options.tree.leaf = 1;
    for (int i = 0; i < 20000; i++) x[i] = i / 2 + 1e-5 * (i % 2);
    if (device) {
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, NULL), GWS_OK);
        build(builder, runtime, &points, "pairs on a line");
    }
    gws_octree_device_close(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(chosen)
{
    struct gws_runtime *runtime = open_threads(strategy[_i].policy, 2, (struct gws_allocator){0});
    struct gws_device *device = open_device(runtime);
    struct gws_octree_device_options options = options_of(GWS_OCTREE_FORM_AUTO), found;
    struct gws_octree_device *builder = NULL;
    options.groups = 0;
    if (device) {
        bool shares = gws_device_describe(device)->svm == GWS_SVM_ATOMICS;
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, NULL), GWS_OK);
        gws_octree_device_chosen(builder, &found);
        ck_assert_int_eq(found.form, shares ? GWS_OCTREE_FORM_SHARED : GWS_OCTREE_FORM_HANDOFF);
        ck_assert_uint_gt(found.groups, 0);
        ck_assert_str_eq(gws_octree_form_name(found.form), shares ? "shared" : "handoff");
    }
    gws_octree_device_close(builder);
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(refused)
{
    struct gws_runtime *runtime = open_threads("static", 2, (struct gws_allocator){0});
    struct gws_device *device = open_device(runtime);
    struct gws_octree_device *builder = NULL;
    struct gws_octree_device_options options = options_of(GWS_OCTREE_FORM_AUTO);
    struct gws_diagnostic where = {0};
    if (device) {
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_UNSUPPORTED);
        ck_assert(strstr(where.message, "abp or chunked") != NULL);
        options = (struct gws_octree_device_options){.form = GWS_OCTREE_FORM_SHARED};
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_UNSUPPORTED);
        options = (struct gws_octree_device_options){.cpu = true, .form = GWS_OCTREE_FORM_DEVICE};
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_UNSUPPORTED);
        options = (struct gws_octree_device_options){.cpu = true, .form = (enum gws_octree_form)77};
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_INVALID);
        options = (struct gws_octree_device_options){.cpu = true, .tree = {.builder = GWS_OCTREE_SORT}};
        ck_assert_int_eq(gws_octree_device_open(runtime, device, &options, &builder, &where), GWS_INVALID);
        ck_assert_ptr_null(builder);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}
END_TEST

/* A build whose k-th allocation fails makes no tree and no leak. */
START_TEST(memory_runs_out)
{
    struct gws_octree_device_options options = options_of(strategy[_i].form);
    struct gws_points points = shape_make(0, 3000, false);
    uint64_t k = 1;
    options.tree.leaf = 3;
    options.piece = 200;
    while (build_short_of_memory(strategy[_i].policy, 2, &options, &points, k)) k += gws_test_step();
    shape_free(&points);
}
END_TEST

static Suite *octree_both(void)
{
    Suite *suite = suite_create("octrees by CPU and device together");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, every_shape, first_strategy, strategies);
    tcase_add_loop_test(tests, both_take_part, first_strategy, strategies);
    tcase_add_loop_test(tests, one_thread_hands_off, 0, 2);
    tcase_add_loop_test(tests, record_grows, first_strategy, strategies);
    tcase_add_loop_test(tests, chosen, 0, 2);
    tcase_add_test(tests, refused);
    tcase_add_loop_test(tests, memory_runs_out, first_strategy, strategies);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(octree_both);
}

/* SPDX-License-Identifier: MIT */
/* Tests unbalanced tree search. Every hash implementation must give the published counts. Every type and shape must
 * equal the serial search under every policy. The table of thresholds must equal the logarithms that it replaces. Also
 * tests refused parameters and short memory. */
#include "workload.h"

#include <math.h>

#include "../../lib/random.h"
#include "../../workloads/uts.h"
#include "../../workloads/uts_table.h"

#define SHAPED(type_, shape_, depth_, branching_, seed_)                                                               \
    {                                                                                                                  \
        .type = GWS_UTS_##type_, .shape = GWS_UTS_##shape_, .depth = (depth_), .branching = (branching_),              \
        .seed = (seed_), .chance = 0.3, .branching_factor = 3, .turn = 0.5, .repeat = 1                                \
    }

static const struct gws_uts_tree small[] = {
    SHAPED(GEOMETRIC, LINEAR, 10, 4, 1),     SHAPED(GEOMETRIC, LINEAR, 3, 60, 2),
    SHAPED(GEOMETRIC, EXPONENTIAL, 8, 3, 5), SHAPED(GEOMETRIC, EXPONENTIAL, 2, 7, 6),
    SHAPED(GEOMETRIC, CYCLIC, 7, 2.5, 3),    SHAPED(GEOMETRIC, CYCLIC, 1, 5, 9),
    SHAPED(GEOMETRIC, FIXED, 5, 4, 4),       SHAPED(GEOMETRIC, FIXED, 0, 900, 1),
    SHAPED(GEOMETRIC, FIXED, 2, 200, 11),    SHAPED(GEOMETRIC, FIXED, 9, 0, 1),
    SHAPED(HYBRID, LINEAR, 10, 4, 8),        SHAPED(HYBRID, CYCLIC, 9, 3, 8),
    SHAPED(HYBRID, EXPONENTIAL, 9, 3, 2),    SHAPED(HYBRID, FIXED, 7, 3, 2),
    SHAPED(BALANCED, FIXED, 6, 3.9, 0),      SHAPED(BALANCED, FIXED, 2, 1000, 0),
    SHAPED(BALANCED, FIXED, 0, 5, 0),        SHAPED(BINOMIAL, FIXED, 0, 1500, 77),
    SHAPED(BINOMIAL, FIXED, 0, 0.9, 77),     SHAPED(BINOMIAL, FIXED, 0, 1, 3),
};

enum { smalls = sizeof small / sizeof *small };

static void expect(struct gws_runtime *runtime, const struct gws_uts_tree *tree, const struct gws_uts_options *options,
                   const struct gws_uts_result *known)
{
    struct gws_uts_result result = {0};
    ck_assert_int_eq(gws_uts_search(runtime, tree, options, &result), GWS_OK);
    if (result.nodes != known->nodes || result.leaves != known->leaves || result.depth != known->depth)
        ck_abort_msg("type %d, shape %d, depth %d: %llu nodes, %llu leaves, depth %llu", (int)tree->type,
                     (int)tree->shape, (int)tree->depth, (unsigned long long)result.nodes,
                     (unsigned long long)result.leaves, (unsigned long long)result.depth);
}

/* Each hash implementation runs T1 to T5, except that the slow implementations run only T1 and T2. */
START_TEST(test_known)
{
    struct gws_uts_options options = {.hash = gws_uts_hash_at((uint32_t)_i, NULL)};
    if (!options.hash) return;
    struct gws_runtime *runtime = workload_open(2, "chaselev");
    for (uint32_t i = 0; i < (gws_test_quick() ? 1 : _i > 0 ? 2 : 5); i++)
        expect(runtime, &gws_uts_at(i)->tree, &options, &gws_uts_at(i)->result);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_names)
{
    for (uint32_t i = 0; gws_uts_at(i); i++) {
        ck_assert_ptr_eq(gws_uts_named(gws_uts_at(i)->name), gws_uts_at(i));
        ck_assert_int_eq(gws__uts_check(&gws_uts_at(i)->tree), GWS_OK);
    }
    ck_assert_ptr_null(gws_uts_named("T9"));
    struct gws_uts_tree tree = gws_uts_defaults;
    ck_assert_int_eq(gws__uts_check(&tree), GWS_OK);
}
END_TEST

/* Returns the counts that the serial search has confirmed. */
static struct gws_uts_result serial(struct gws_runtime *runtime, const struct gws_uts_tree *tree)
{
    struct gws_uts_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_uts_search(runtime, tree, NULL, &result), GWS_OK);
    gws_status status = gws_uts_check(runtime, tree, &result, 2000000, &where);
    ck_assert_msg(status == GWS_OK, "type %d, shape %d, depth %d: %s", (int)tree->type, (int)tree->shape,
                  (int)tree->depth, where.message);
    return result;
}

static struct gws_uts_result known_small[smalls];

static void know_small(void)
{
    struct gws_runtime *runtime = workload_open(1, NULL);
    for (uint32_t i = 0; i < smalls; i++) known_small[i] = serial(runtime, &small[i]);
    gws_runtime_close(runtime);
}

/* Tests every policy, with small and large batches and with repeated hashing. */
START_TEST(test_small)
{
    struct gws_runtime *runtime = policies_open(_i);
    for (uint32_t i = 0; i < smalls; i++) {
        struct gws_uts_tree tree = small[i];
        struct gws_uts_options options = {.batch = i % 3 == 0 ? 1 : i % 3 == 1 ? 256 : 0};
        tree.repeat = 1 + i % 4;
        expect(runtime, &tree, &options, &known_small[i]);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- the table ---- */

static double mean_at(const struct gws_uts_tree *tree, double x)
{
    double b = tree->branching, d = tree->depth;
    if (x == 0) return b;
    if (tree->shape == GWS_UTS_LINEAR) return b * (1.0 - x / d);
    if (tree->shape == GWS_UTS_EXPONENTIAL) return b * pow(x, -log(b) / log(d));
    if (tree->shape == GWS_UTS_CYCLIC) return x > 5 * d ? 0 : pow(b, sin(2.0 * 3.141592653589793 * x / d));
    return x < d ? b : 0;
}

static uint32_t by_logarithm(double mean, uint32_t draw)
{
    double p = 1.0 / (1.0 + mean), u = (double)draw / 2147483648.0;
    double n = mean > 0 ? floor(log(1 - u) / log(1 - p)) : 0;
    return n < 100 ? (uint32_t)n : 100;
}

static void compare(const struct gws__uts_row *row, double mean, uint32_t draw)
{
    uint32_t expected = by_logarithm(mean, draw);
    bool has = draw - row->low < row->width;
    if (gws__uts_children(row, draw) != expected || has != (expected > 0))
        ck_abort_msg("mean %.17g, draw %u: %u children, not %u", mean, draw, gws__uts_children(row, draw), expected);
}

/* Compares random draws, the smallest and the largest draw, and both sides of every threshold. */
static void compare_row(const struct gws__uts_row *row, double mean, uint64_t *random)
{
    for (uint32_t i = 0; i < 300; i++) compare(row, mean, (uint32_t)gws_random_next(random) >> 1);
    for (uint32_t i = 0; i < 4; i++) {
        compare(row, mean, i);
        compare(row, mean, 0x7fffffff - i);
    }
    for (uint32_t n = 0; n < 100 && row->at[n] != UINT32_MAX; n++)
        for (uint32_t k = 0; k < 4; k++)
            if (row->at[n] + k >= 2 && row->at[n] + k - 2 < 1U << 31) compare(row, mean, row->at[n] + k - 2);
}

START_TEST(test_thresholds)
{
    uint64_t random = 5;
    for (uint32_t i = 0; i < smalls; i++) {
        const struct gws_uts_tree *tree = &small[i];
        if (tree->type != GWS_UTS_GEOMETRIC) continue;
        for (uint32_t depth = 0; depth < 6 * tree->depth + 3; depth++) {
            double mean = tree->shape == GWS_UTS_LINEAR && depth > tree->depth ? 0 : mean_at(tree, depth);
            struct gws__uts_row row;
            gws__uts_row_make(tree, depth, &row);
            compare_row(&row, tree->branching > 0 ? mean : 0, &random);
        }
    }
}
END_TEST

/* ---- refused parameters ---- */

static gws_status search(struct gws_uts_tree tree)
{
    struct gws_runtime *runtime = workload_open(1, NULL);
    struct gws_uts_result result = {.nodes = 123};
    gws_status status = gws_uts_search(runtime, &tree, NULL, &result);
    ck_assert(status == GWS_OK || result.nodes == 123);
    gws_runtime_close(runtime);
    return status;
}

START_TEST(test_refused)
{
    static const struct gws_uts_tree wrong[] = {
        {.type = (enum gws_uts_type)4, .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .shape = (enum gws_uts_shape)4, .depth = 3, .branching = 2, .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .depth = 0, .branching = 2, .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .shape = GWS_UTS_EXPONENTIAL, .depth = 1, .branching = 2, .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .shape = GWS_UTS_CYCLIC, .depth = 5000, .branching = 2, .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .depth = 3, .branching = -1, .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .depth = 3, .branching = NAN, .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .depth = 3, .branching = 1e9, .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .depth = 3, .branching = 2, .repeat = 0},
        {.type = GWS_UTS_BALANCED, .depth = 1 << 21, .branching = 1, .repeat = 1},
        {.type = GWS_UTS_BINOMIAL, .branching = 2, .chance = 1.5, .branching_factor = 0, .repeat = 1},
        {.type = GWS_UTS_BINOMIAL, .branching = 2, .chance = NAN, .branching_factor = 2, .repeat = 1},
        {.type = GWS_UTS_BINOMIAL, .branching = 2, .chance = 0.001, .branching_factor = 101, .repeat = 1},
        {.type = GWS_UTS_HYBRID,
         .depth = 3,
         .branching = 2,
         .chance = 0.1,
         .branching_factor = 2,
         .turn = 2,
         .repeat = 1},
    };
    static const struct gws_uts_tree endless[] = {
        {.type = GWS_UTS_BINOMIAL, .branching = 2000, .chance = 0.21, .branching_factor = 5, .repeat = 1},
        {.type = GWS_UTS_BINOMIAL, .branching = 1, .chance = 1, .branching_factor = 2, .repeat = 1},
        {.type = GWS_UTS_HYBRID,
         .depth = 3,
         .branching = 2,
         .chance = 0.6,
         .branching_factor = 2,
         .turn = 0.5,
         .repeat = 1},
        {.type = GWS_UTS_GEOMETRIC, .shape = GWS_UTS_EXPONENTIAL, .depth = 3, .branching = 0.5, .repeat = 1},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) ck_assert_int_eq(search(wrong[i]), GWS_INVALID);
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) ck_assert_int_eq(search(endless[i]), GWS_TOO_LARGE);
}
END_TEST

START_TEST(test_options)
{
    struct gws_runtime *runtime = workload_open(1, NULL);
    struct gws_uts_result result;
    struct gws_uts_options unknown = {.hash = "md5"}, wide = {.batch = 257};
    ck_assert_int_eq(gws_uts_search(runtime, &small[0], &unknown, &result), GWS_INVALID);
    ck_assert_int_eq(gws_uts_search(runtime, &small[0], &wide, &result), GWS_INVALID);
    gws_runtime_close(runtime);
}
END_TEST

static gws_status search_small(struct gws_runtime *runtime, void *context)
{
    struct gws_uts_result result = {.nodes = 123};
    gws_status status = gws_uts_search(runtime, context, NULL, &result);
    if (status != GWS_OK && result.nodes != 123) ck_abort_msg("a result without success");
    return status;
}

START_TEST(test_short_memory)
{
    struct gws_uts_tree tree = small[0];
    policies_fail(40, search_small, &tree);
}
END_TEST

static Suite *uts_suite(void)
{
    Suite *suite = suite_create("uts");
    TCase *test = tcase_create("uts");
    tcase_add_unchecked_fixture(test, know_small, NULL);
    tcase_add_loop_test(test, test_known, 0, 4);
    tcase_add_test(test, test_names);
    tcase_add_loop_test(test, test_small, 0, policies_count());
    tcase_add_test(test, test_thresholds);
    tcase_add_test(test, test_refused);
    tcase_add_test(test, test_options);
    tcase_add_test(test, test_short_memory);
    suite_add_tcase(suite, test);
    return suite;
}

int main(void)
{
    return gws_test_main(uts_suite);
}

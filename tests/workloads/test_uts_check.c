/* SPDX-License-Identifier: MIT */
/* The tests compare the serial unbalanced tree search with the counts that Olivier et al. published. */
#include "../harness.h"

#include "../../workloads/uts.h"

static const struct {
    struct gws_uts_tree tree;
    struct gws_uts_result result;
} known[] = {
    {{.type = GWS_UTS_GEOMETRIC, .shape = GWS_UTS_FIXED, .depth = 10, .branching = 4, .seed = 19, .repeat = 1},
     {.nodes = 4130071, .depth = 10, .leaves = 3305118}},
    {{.type = GWS_UTS_GEOMETRIC, .shape = GWS_UTS_CYCLIC, .depth = 16, .branching = 6, .seed = 502, .repeat = 1},
     {.nodes = 4117769, .depth = 81, .leaves = 2342762}},
    {{.type = GWS_UTS_BINOMIAL, .branching = 2000, .seed = 42, .chance = 0.124875, .branching_factor = 8, .repeat = 1},
     {.nodes = 4112897, .depth = 1572, .leaves = 3599034}},
    {{.type = GWS_UTS_HYBRID,
      .shape = GWS_UTS_LINEAR,
      .depth = 16,
      .branching = 6,
      .seed = 1,
      .chance = 0.234375,
      .branching_factor = 4,
      .turn = 0.5,
      .repeat = 1},
     {.nodes = 4132453, .depth = 134, .leaves = 3108986}},
};

static const struct gws_uts_tree balanced = {.type = GWS_UTS_BALANCED, .depth = 5, .branching = 3.5, .repeat = 1};
static const struct gws_uts_result balanced_result = {.nodes = 364, .depth = 5, .leaves = 243};

static gws_status check(const struct gws_uts_tree *tree, struct gws_uts_result result, uint64_t max)
{
    struct gws_runtime *runtime = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_runtime_open(&(struct gws_options){.threads = 1}, &runtime), GWS_OK);
    gws_status status = gws_uts_check(runtime, tree, &result, max, &where);
    ck_assert_int_eq(where.message[0] != '\0', status != GWS_OK);
    gws_runtime_close(runtime);
    return status;
}

START_TEST(test_known_counts)
{
    if (_i > 0 && gws_test_quick()) return;
    ck_assert_int_eq(check(&known[_i].tree, known[_i].result, 5000000), GWS_OK);
}
END_TEST

/* The size of a balanced tree does not depend on hashes: 1 + 3 + 9 + ... + 3^5. */
START_TEST(test_balanced)
{
    ck_assert_int_eq(check(&balanced, balanced_result, 1000), GWS_OK);
}
END_TEST

START_TEST(test_wrong)
{
    struct gws_uts_result result = balanced_result;
    result.nodes++;
    ck_assert_int_eq(check(&balanced, result, 1000), GWS_WRONG_RESULT);
    result = balanced_result;
    result.leaves--;
    ck_assert_int_eq(check(&balanced, result, 1000), GWS_WRONG_RESULT);
    result = balanced_result;
    result.depth = 6;
    ck_assert_int_eq(check(&balanced, result, 1000), GWS_WRONG_RESULT);
}
END_TEST

START_TEST(test_max)
{
    ck_assert_int_eq(check(&balanced, balanced_result, 363), GWS_TOO_LARGE);
    ck_assert_int_eq(check(&balanced, balanced_result, 364), GWS_OK);
}
END_TEST

START_TEST(test_memory)
{
    struct gws_uts_tree deep = {.type = GWS_UTS_BALANCED, .depth = 200, .branching = 1, .repeat = 1};
    struct gws_uts_result result = {.nodes = 201, .depth = 200, .leaves = 1};
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_uts_check(runtime, &deep, &result, 1000, NULL);
        ck_assert_int_eq(status, atomic_load(&memory.failed) ? GWS_NO_MEMORY : GWS_OK);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!atomic_load(&memory.failed)) break;
        ck_assert_uint_lt(k, 10);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_known_counts, sizeof known / sizeof *known},
                                    {test_balanced, 1},
                                    {test_wrong, 1},
                                    {test_max, 1},
                                    {test_memory, 1},
                                    {0}};
    return gws_test_run("uts_check", test);
}

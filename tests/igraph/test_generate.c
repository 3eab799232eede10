/* SPDX-License-Identifier: MIT */
/* Generates graphs by igraph. The tests check that a description always gives the same graph, that the caller's random
 * numbers continue, and that bad descriptions fail. */
#include "../harness.h"

#include "../../igraph/graph_igraph.h"
#include "../comma.h"

static struct gws_runtime *runtime;
static struct gws_graph *graph;
static struct gws_diagnostic where;

static void open_runtime(void)
{
    struct gws_options options = {.threads = 2};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void close_runtime(void)
{
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

START_TEST(generators)
{
    struct gws_graph *again = NULL, *other = NULL;
    ck_assert_int_eq(gws_igraph_generate(runtime, "igraph:barabasi:300:3:5", &graph, NULL), GWS_OK);
    ck_assert_int_eq(gws_igraph_generate(runtime, "igraph:barabasi:300:3:5", &again, NULL), GWS_OK);
    ck_assert_int_eq(gws_igraph_generate(runtime, "igraph:barabasi:300:3:6", &other, NULL), GWS_OK);
    ck_assert_uint_eq(graph->vertices, 300);
    ck_assert_uint_eq(graph->arcs, again->arcs);
    ck_assert_mem_eq(graph->target, again->target, graph->arcs * sizeof *graph->target);
    ck_assert(other->arcs != graph->arcs || memcmp(graph->target, other->target, graph->arcs * 4) != 0);
    gws_graph_destroy(again);
    gws_graph_destroy(other);
}
END_TEST

/* The caller's random number generator continues unchanged. */
START_TEST(the_callers_random_numbers)
{
    long long number[2];
    for (int i = 0; i < 2; i++) {
        igraph_rng_seed(igraph_rng_default(), 7);
        if (i) ck_assert_int_eq(gws_igraph_generate(runtime, "igraph:tree:100", &graph, NULL), GWS_OK);
        number[i] = (long long)igraph_rng_get_integer(igraph_rng_default(), 0, 1000000000);
    }
    ck_assert_int_eq(number[0], number[1]);
}
END_TEST

START_TEST(every_generator)
{
    static const char *const made[] = {"igraph:barabasi:50:2",    "igraph:watts:50:2:0.1", "igraph:erdos:50:60",
                                       "igraph:geometric:50:0.3", "igraph:tree:50",        "igraph:forest:50:0.2"};
    const char *about, *form = gws_igraph_generator_at((uint32_t)_i, &about);
    ck_assert_ptr_nonnull(form);
    ck_assert_ptr_null(gws_igraph_generator_at(sizeof made / sizeof *made, NULL));
    ck_assert_int_eq(strncmp(form, made[_i], strcspn(made[_i] + 7, ":") + 8), 0);
    ck_assert_int_eq(gws_igraph_generate(runtime, made[_i], &graph, NULL), GWS_OK);
    ck_assert_uint_eq(graph->vertices, 50);
    ck_assert_uint_gt(graph->arcs, 40);
    ck_assert(!graph->directed);
}
END_TEST

/* The parser of descriptions once depended on the program's locale. */
START_TEST(descriptions_in_any_locale)
{
    if (!gws_test_comma()) return;
    ck_assert_int_eq(gws_igraph_generate(runtime, "igraph:watts:50:2:0.1", &graph, &where), GWS_OK);
}
END_TEST

START_TEST(bad_descriptions)
{
    static const struct {
        const char *text;
        gws_status status;
        uint64_t column;
    } bad[] = {{"igraph:", GWS_SYNTAX, 8},
               {"igraph:star:5", GWS_SYNTAX, 8},
               {"igraph:tree", GWS_SYNTAX, 12},
               {"igraph:tree:x", GWS_SYNTAX, 12},
               {"igraph:tree:5:1:2", GWS_SYNTAX, 16},
               {"igraph:watts:9:2:-1", GWS_SYNTAX, 17},
               {"igraph:tree:1.5", GWS_SYNTAX, 12},
               {"igraph:tree:99999999999999999999", GWS_TOO_LARGE, 13},
               {"igraph:tree:5000000000", GWS_TOO_LARGE, 0},
               {"igraph:watts:9:2:7", GWS_INVALID, 0}};
    ck_assert_int_eq(gws_igraph_generate(runtime, bad[_i].text, &graph, &where), bad[_i].status);
    ck_assert_ptr_null(graph);
    ck_assert_uint_eq(where.column, bad[_i].column);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("igraph generators");
    TCase *tcase = tcase_create("all");
    tcase_add_checked_fixture(tcase, open_runtime, close_runtime);
    tcase_add_test(tcase, generators);
    tcase_add_test(tcase, the_callers_random_numbers);
    tcase_add_loop_test(tcase, every_generator, 0, 6);
    tcase_add_test(tcase, descriptions_in_any_locale);
    tcase_add_loop_test(tcase, bad_descriptions, 0, 10);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    return gws_test_main(suite);
}

/* SPDX-License-Identifier: MIT */
/* The check of components must find each kind of fault. */
#include "../../harness.h"

#include "../../../traversal/components.h"

static struct gws_runtime *runtime;
static struct gws_graph *graph;
static struct gws_components_result result;

/* The components are {0 1 2}, {3 4} and {5}. */
static void set_up(void)
{
    const struct gws_edge edge[] = {{0, 1}, {2, 1}, {4, 3}};
    struct gws_edge_block block = {.edge = edge, .count = 3};
    ck_assert_int_eq(gws_runtime_open(&(struct gws_options){.threads = 2}, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_build(runtime, &(struct gws_edges){6, 1, &block}, NULL, &graph), GWS_OK);
    ck_assert_int_eq(gws_components(runtime, graph, NULL, &result), GWS_OK);
    ck_assert_int_eq(gws_components_check(runtime, graph, NULL, &result, NULL), GWS_OK);
}

static void tear_down(void)
{
    gws_components_result_clear(&result);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

static void wrong(const char *text)
{
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_components_check(runtime, graph, NULL, &result, &where), GWS_WRONG_RESULT);
    ck_assert_msg(strstr(where.message, text) != NULL, "%s", where.message);
}

START_TEST(a_vertex_in_another_component)
{
    result.component[4] = 5;
    wrong("vertex 4 ");
}
END_TEST

START_TEST(a_component_that_is_split)
{
    result.component[2] = 2;
    wrong("vertex 2 ");
}
END_TEST

START_TEST(a_component_with_the_name_of_a_larger_vertex)
{
    result.component[3] = result.component[4] = 4;
    wrong("vertex 3 ");
}
END_TEST

START_TEST(an_invalid_vertex)
{
    result.component[5] = GWS_NO_VERTEX;
    wrong("vertex 5 ");
}
END_TEST

START_TEST(wrong_counts)
{
    result.components++;
    wrong("3 components");
    result.components--;
    result.largest--;
    wrong("the largest of 3 vertices");
}
END_TEST

START_TEST(strong_components)
{
    const struct gws_components_options strong = {.strong = true};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_components_check(runtime, graph, &strong, &result, &where), GWS_NEEDS_REVERSE);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    ck_assert_int_eq(gws_components_check(runtime, graph, &strong, &result, &where), GWS_WRONG_RESULT);
    ck_assert_msg(strstr(where.message, "vertex 1 ") != NULL, "%s", where.message);
    for (uint32_t v = 0; v < 6; v++) result.component[v] = v;
    result.components = 6;
    result.largest = 1;
    ck_assert_int_eq(gws_components_check(runtime, graph, &strong, &result, &where), GWS_OK);
}
END_TEST

START_TEST(an_empty_result)
{
    struct gws_components_result empty = {0};
    ck_assert_int_eq(gws_components_check(runtime, graph, NULL, &empty, NULL), GWS_INVALID);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{a_vertex_in_another_component, 1},
                                    {a_component_that_is_split, 1},
                                    {a_component_with_the_name_of_a_larger_vertex, 1},
                                    {an_invalid_vertex, 1},
                                    {wrong_counts, 1},
                                    {strong_components, 1},
                                    {an_empty_result, 1},
                                    {0}};
    return gws_test_run_between("components check", test, set_up, tear_down);
}

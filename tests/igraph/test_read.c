/* SPDX-License-Identifier: MIT */
/* Files that igraph reads: ids of vertices, weights, positions, gzip, and errors. */
#include "../harness.h"

#include <zlib.h>

#include "../../igraph/graph_igraph.h"
#include "../comma.h"

static struct gws_runtime *runtime;
static struct gws_graph *graph;
static struct gws_diagnostic where;
static char logged[256];

static void log_line(void *context, const char *line)
{
    (void)context;
    snprintf(logged, sizeof logged, "%s", line);
}

static void open_runtime(void)
{
    struct gws_options options = {.threads = 2, .log = log_line};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
}

static void close_runtime(void)
{
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

static gws_status read_text(const char *name, const char *text)
{
    enum gws_igraph_format format;
    ck_assert(gws_igraph_format_of(name, &format));
    return gws_igraph_read(runtime, gws_test_file(name, text, strlen(text)), format, NULL, &graph, &where);
}

/* Returns the weight of the arc between the vertices with the given ids. The weight is 1 in a graph without weights,
 * and 0 if the graph has no such arc. */
static int32_t arc(uint64_t from, uint64_t to)
{
    uint32_t u, v;
    ck_assert_int_eq(gws_graph_find(graph, from, &u), GWS_OK);
    ck_assert_int_eq(gws_graph_find(graph, to, &v), GWS_OK);
    for (uint64_t a = graph->offset[u]; a < graph->offset[u + 1]; a++)
        if (graph->target[a] == v) return graph->weight ? graph->weight[a] : 1;
    return 0;
}

static const char graphml[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                              "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                              "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
                              "<key id=\"x\" for=\"node\" attr.name=\"x\" attr.type=\"double\"/>\n"
                              "<key id=\"y\" for=\"node\" attr.name=\"y\" attr.type=\"double\"/>\n"
                              "<graph edgedefault=\"directed\">\n"
                              "<node id=\"30\"><data key=\"x\">1.5</data><data key=\"y\">-2</data></node>\n"
                              "<node id=\"10\"><data key=\"x\">3</data><data key=\"y\">4</data></node>\n"
                              "<node id=\"20\"><data key=\"x\">5</data><data key=\"y\">6</data></node>\n"
                              "<edge source=\"30\" target=\"10\"><data key=\"w\">7</data></edge>\n"
                              "<edge source=\"10\" target=\"20\"><data key=\"w\">-8</data></edge>\n"
                              "</graph></graphml>\n";

START_TEST(graphml_with_everything)
{
    ck_assert_int_eq(read_text("a.graphml", graphml), GWS_OK);
    ck_assert_uint_eq(graph->vertices, 3);
    ck_assert_uint_eq(graph->arcs, 2);
    ck_assert(graph->directed);
    ck_assert_int_eq(arc(30, 10), 7);
    ck_assert_int_eq(arc(10, 20), -8);
    ck_assert_int_eq(arc(10, 30), 0);
    ck_assert_uint_eq(gws_graph_id(graph, 0), 10);
    ck_assert_ptr_nonnull(graph->position);
    ck_assert_double_eq(graph->position[0], 3);
    ck_assert_double_eq(graph->position[4], 1.5);
    ck_assert_double_eq(graph->position[5], -2);
}
END_TEST

START_TEST(gml_and_pajek)
{
    ck_assert_int_eq(read_text("a.gml",
                               "graph [\n directed 0\n node [ id 5 ]\n node [ id 6 ]\n node [ id 7 ]\n"
                               " edge [ source 5 target 7 value 3 ]\n edge [ source 6 target 5 value 4 ]\n]\n"),
                     GWS_OK);
    ck_assert(!graph->directed);
    ck_assert_int_eq(arc(7, 5), 3);
    ck_assert_int_eq(arc(5, 6), 4);
    ck_assert_ptr_null(graph->id); /* the ids are consecutive */
    ck_assert_uint_eq(graph->first_id, 5);
    gws_graph_destroy(graph);
    graph = NULL;
    ck_assert_int_eq(read_text("a.net", "*Vertices 4\n*Edges\n1 2\n2 3\n3 4\n"), GWS_OK);
    ck_assert_uint_eq(graph->vertices, 4);
    ck_assert_int_eq(arc(1, 2), 1);
    ck_assert_int_eq(arc(4, 3), 1);
    gws_graph_destroy(graph);
    graph = NULL;
}
END_TEST

START_TEST(names)
{
    ck_assert_int_eq(read_text("a.ncol", "900 7\n7 30\n30 900\n"), GWS_OK);
    ck_assert_int_eq(arc(900, 7), 1);
    ck_assert_int_eq(arc(7, 30), 1);
    ck_assert_uint_eq(graph->id[2], 900);
    ck_assert_str_eq(logged, "");
    gws_graph_destroy(graph);
    graph = NULL;
    ck_assert_int_eq(read_text("b.ncol", "ann bob 3\nbob carl 4\n"), GWS_OK);
    ck_assert_str_eq(logged, "");
    ck_assert_int_eq(arc(0, 1), 3);
    ck_assert_int_eq(arc(2, 1), 4);
    uint32_t vertex = 9;
    ck_assert_int_eq(gws_graph_find_name(graph, "carl", 4, &vertex), GWS_OK);
    ck_assert_uint_eq(vertex, 2);
    ck_assert_int_eq(gws_graph_find_name(graph, "bo", 2, &vertex), GWS_OUT_OF_RANGE);
    gws_graph_destroy(graph);
    graph = NULL;
    ck_assert_int_eq(read_text("c.net", "*Vertices 3\n1 \"x\"\n2 \"x\"\n3 \"y\"\n*Edges\n1 2\n2 3\n"), GWS_OK);
    ck_assert_ptr_null(graph->names.text); /* two vertices have the same name */
    ck_assert_uint_eq(graph->first_id, 1);
    gws_graph_destroy(graph);
    graph = NULL;
    ck_assert_int_eq(read_text("a.lgl", "# 5\n6 2\n7 9\n# 6\n7 1\n"), GWS_OK);
    ck_assert_int_eq(arc(5, 6), 2);
    ck_assert_int_eq(arc(7, 6), 1);
}
END_TEST

/* igraph allocates memory for all vertices that a Pajek file declares. */
START_TEST(declared_vertices)
{
    static const char *const counts[] = {"18446744073709551616", "18446744073709551615", "18446744073709551614",
                                         "9223372036854775808",  "9223372036854775807",  "4294967296",
                                         "4294967295",           "2147483648",           "2147483647"};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        char text[256];
        snprintf(text, sizeof text, "%% made by hand\n*Vertices %s\n*Edges\n1 2\n", counts[i]);
        ck_assert_int_eq(read_text("v.net", text), GWS_TOO_LARGE);
        ck_assert_ptr_nonnull(strstr(where.message, "declared"));
    }
}
END_TEST

/* Every 64-bit number is a valid name, including the largest. */
START_TEST(largest_name)
{
    ck_assert_int_eq(read_text("l.ncol", "18446744073709551615 7\n"), GWS_OK);
    ck_assert_int_eq(arc(UINT64_MAX, 7), 1);
    gws_graph_destroy(graph);
    ck_assert_int_eq(read_text("l.ncol", "18446744073709551616 7\n"), GWS_OK);
    ck_assert_uint_eq(gws_graph_id(graph, 1), 1);
}
END_TEST

/* ---- byte-order marks and encodings ---- */

START_TEST(byte_order_marks)
{
    static const struct {
        const char *name, *text;
    } files[] = {{"m.gml", "graph [ node [ id 5 ] node [ id 6 ] edge [ source 5 target 6 ] ]\n"},
                 {"m.net", "*Vertices 2\n*Edges\n1 2\n"},
                 {"m.ncol", "900 7\n"},
                 {"m.lgl", "# 5\n6 2\n"},
                 {"m.graphml", graphml}};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        char text[2048];
        snprintf(text, sizeof text, "\xef\xbb\xbf%s", files[i].text);
        ck_assert_msg(read_text(files[i].name, text) == GWS_OK, "%s: %s", files[i].name, where.message);
        ck_assert_uint_eq(graph->vertices, i == 4 ? 3 : 2);
        gws_graph_destroy(graph);
        graph = NULL;
    }
    ck_assert_int_eq(read_text("n.ncol", "\xff\xfe"
                                         "9"),
                     GWS_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(where.message, "UTF-16"));
}
END_TEST

/* ---- gzip ---- */

static void compressed(const char *path, size_t keep)
{
    gzFile out = gzopen(path, "wb");
    ck_assert(gzwrite(out, graphml, sizeof graphml - 1) > 0);
    ck_assert_int_eq(gzclose(out), Z_OK);
    if (keep) ck_assert_int_eq(truncate(path, (off_t)keep), 0);
}

START_TEST(gzip)
{
    const char *path = gws_test_temp("b.graphml.gz");
    enum gws_igraph_format format;
    ck_assert(gws_igraph_format_of(path, &format));
    compressed(path, 0);
    ck_assert_int_eq(gws_igraph_read(runtime, path, format, NULL, &graph, &where), GWS_OK);
    ck_assert_int_eq(arc(30, 10), 7);
    struct gws_graph *none = NULL;
    compressed(path, 150);
    ck_assert_int_eq(gws_igraph_read(runtime, path, format, NULL, &none, &where), GWS_TRUNCATED);
    ck_assert_str_eq(where.file, path);
    ck_assert_ptr_null(none);
}
END_TEST

/* ---- errors ---- */

START_TEST(malformed)
{
    static const struct {
        const char *name, *text;
    } bad[] = {
        {"c.gml", "graph [\n node [ id 5\n"},    {"c.gml", "graph [\n node [ id 5 ]\n edge [ source 5 target 9 ]\n]\n"},
        {"c.graphml", "<graphml><graph>"},       {"c.net", "*Vertices x\n"},
        {"c.net", "*Vertices 2\n*Edges\n1 3\n"}, {"c.lgl", "5 6\n"}};
    ck_assert_int_ne(read_text(bad[_i].name, bad[_i].text), GWS_OK);
    ck_assert_ptr_null(graph);
    ck_assert_ptr_nonnull(strstr(where.file, bad[_i].name));
    ck_assert_str_ne(where.message, "");
}
END_TEST

START_TEST(no_such_file)
{
    ck_assert_int_eq(gws_igraph_read(runtime, "/nowhere/a.gml", GWS_IGRAPH_GML, NULL, &graph, &where), GWS_SYSTEM);
    ck_assert_ptr_nonnull(strstr(where.message, "No such file"));
}
END_TEST

START_TEST(formats)
{
    enum gws_igraph_format format;
    const char *about, *name;
    uint32_t count = 0;
    for (; (name = gws_igraph_format_name(count, &about)); count++) {
        ck_assert(gws_igraph_format_named(name, &format) && format == count);
        ck_assert_str_ne(about, "");
    }
    ck_assert_uint_eq(count, 5);
    ck_assert(!gws_igraph_format_named("dimacs", &format));
    ck_assert(gws_igraph_format_of("x/y.paj.gz", &format) && format == GWS_IGRAPH_PAJEK);
    ck_assert(!gws_igraph_format_of(".gml", &format) && !gws_igraph_format_of("a.gml.bz2", &format));
}
END_TEST

/* ---- locales ---- */

/* igraph's readers depend on the program's locale. */
START_TEST(numbers_have_a_point_in_any_locale)
{
    if (!gws_test_comma()) return;
    ck_assert_int_eq(read_text("a.graphml", graphml), GWS_OK);
    ck_assert_double_eq(graph->position[4], 1.5);
    char number[8];
    snprintf(number, sizeof number, "%.1f", 1.5); /* the program's locale is unchanged */
    ck_assert_str_eq(number, "1,5");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("igraph");
    TCase *tcase = tcase_create("files");
    tcase_add_checked_fixture(tcase, open_runtime, close_runtime);
    tcase_add_test(tcase, graphml_with_everything);
    tcase_add_test(tcase, gml_and_pajek);
    tcase_add_test(tcase, names);
    tcase_add_test(tcase, declared_vertices);
    tcase_add_test(tcase, largest_name);
    tcase_add_test(tcase, byte_order_marks);
    tcase_add_test(tcase, gzip);
    tcase_add_loop_test(tcase, malformed, 0, 6);
    tcase_add_test(tcase, no_such_file);
    tcase_add_test(tcase, formats);
    tcase_add_test(tcase, numbers_have_a_point_in_any_locale);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    return gws_test_main(suite);
}

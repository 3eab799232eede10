/* SPDX-License-Identifier: MIT */
/* Small well-formed files of every text format, and the expected graphs. */
#define _GNU_SOURCE
#include "../../comma.h"

#include "../../../io/text/reader.h"
#include "../graphs.h"
#include "../input_of.h"

#define KEEP .weights = GWS_WEIGHTS_KEEP
#define ROUND .weights = GWS_WEIGHTS_ROUND
#define DROP .weights = GWS_WEIGHTS_DROP
#define BANNER "%%MatrixMarket matrix coordinate "

static const struct {
    const char *name, *text, *said;
    struct gws_read_options options;
} cases[] = {
    /* 9th DIMACS */
    {"a.gr", "c x\np sp 3 3\na 1 2 5\na 2 1 -5\na 1 2 5\n", "d 3 1>2:5 1>2:5 2>1:-5 3", {KEEP}},
    {"a", "c\r\np sp 3 2\r\n\r\na 1 2 5\r\nc x\r\n a\t2  3 6 \r\n", "d 3 1>2:5 2>3:6 3", {KEEP}},
    {"a", "p sp 2 1\na 1 2 2147483647", "d 2 1>2:2147483647 2", {KEEP}},
    {"a", "p sp 2 1\na 1 2 +2e3", "d 2 1>2:2000 2", {KEEP}},
    {"a", "p sp 2 1\na 1 2 2.5", "d 2 1>2:3 2", {ROUND}},
    {"a", "p sp 2 1\na 1 2 -2.5", "d 2 1>2:-3 2", {ROUND}},
    {"a", "p sp 2 1\na 1 2 2.49999999999999999999", "d 2 1>2:2 2", {ROUND}},
    {"a", "p sp 2 1\na 1 2 nan", "d 2 1>2 2", {DROP}},
    {"a", "p sp 2 1\na 1 2 2147483648", "d 2 1>2:f2.14748365e+09 2", {KEEP}},
    {"a", "p sp 2 2\na 1 2 2147483647\na 2 1 -.5\n", "d 2 1>2:f2.14748365e+09 2>1:f-0.5", {KEEP}},
    {"a", "p sp 2 3\na 1 2 5\na 1 2 -1.5\na 1 2 1.25\n", "d 2 1>2:f-1.5 2", {.remove_duplicates = true}},
    {"a", "p sp 2 1\na 1 2 99999999999999999999", "d 2 1>2 2", {DROP}},
    {"a", "p sp 2 1\na 1 2 5\n", "u 2 1>2:5 2>1:5", {.direction = GWS_EDGES_UNDIRECTED}},
    {"a", "p sp 2 2\na 1 2 5\na 2 1 4\n", "u 2 1>2:4 2>1:4", {.direction = GWS_EDGES_UNDIRECTED}},
    {"a", "p sp 2 3\na 1 1 5\na 1 2 4\na 1 2 3", "d 2 1>2:3 2", {.remove_loops = true, .remove_duplicates = true}},
    {"a", "p sp 0 0\n", "d 0", {KEEP}},
    /* colouring */
    {"a.col", "c x\np edge 3 2\nn 1 4\ne 1 2\ne 2 3\n", "u 3 1>2 2>1 2>3 3>2", {KEEP}},
    {"a", "p col 2 2\ne 1 2\n", "u 2 1>2 2>1", {KEEP}},
    {"a", "p col 2 1\ne 1 2\ne 2 1\n", "u 2 1>2 2>1", {KEEP}},
    {"a", "p edge 2 1\ne 2 1\n", "d 2 1 2>1", {.direction = GWS_EDGES_DIRECTED}},
    /* PACE */
    {"a.gr", "c x\np tw 3 1\nc y\n3 1\n", "u 3 1>3 2 3>1", {KEEP}},
    {"a.gr", "p tw 1 0", "u 1 1", {KEEP}},
    /* edge lists */
    {"a.el", "0 1\n1 2\n", "d 3 0>1 1>2 2", {KEEP}},
    {"a", "1\t2\n2\t3\n", "d 3 1>2 2>3 3", {KEEP}},
    {"a.csv", "5,7\n 7 , 5\n5 ,7\n5, 9", "d 3 5>7 5>7 5>9 7>5 9", {KEEP}},
    {"a.csv", "source,target,weight\n0,1,3\n", "d 2 0>1:3 1", {KEEP}},
    {"a.TSV", "# x\n\nFrom node\tTo node\r\n0\t1\r\n", "d 2 0>1 1", {KEEP}},
    {"a.csv.gz", "\"u\", \"v\"\n0,1\n", "d 2 0>1 1", {KEEP}},
    {"a", "u v\n0 1\n", "d 2 0>1 1", {.format = GWS_FORMAT_EDGE_LIST}},
    {"a", "# Undirected graph\n# Directed\n0 1\n", "u 2 0>1 1>0", {KEEP}},
    {"a", "% x\n#  Directed graph (Undirected before)\r\n0 1\r\n", "d 2 0>1 1", {KEEP}},
    {"a", "# Undirected\n0 1\n", "d 2 0>1 1", {.direction = GWS_EDGES_DIRECTED}},
    {"a.wel", "0 1 3\n# x\n\n1 0 -4\n", "d 2 0>1:3 1>0:-4", {KEEP}},
    {"a", "0 1 3.7\n", "d 2 0>1:4 1", {ROUND}},
    {"a", "0 1 3.7\n", "d 2 0>1 1", {DROP}},
    {"a",
     "0 1 1\n1 2 0.1\n2 3 -3\n3 4 1e-3\n4 5 6\n",
     "d 6 0>1:f1 1>2:f0.100000001 2>3:f-3 3>4:f0.00100000005 4>5:f6 5",
     {KEEP}},
    {"a", "0 1 -0.0\n1 2 16777217\n", "d 3 0>1:0 1>2:16777217 2", {KEEP}},
    {"a", "0 1 1.5\n# x\n4294967296 1 2\n", "d 3 0>1:f1.5 1 4294967296>1:f2", {KEEP}},
    {"a", "4294967296 1 2\n0 1 1.5\n", "d 3 0>1:f1.5 1 4294967296>1:f2", {KEEP}},
    /* halfway between two floats, a little more, and a subnormal; double rounding would be wrong */
    {"a",
     "0 1 16777217.5\n0 2 16777217\n0 3 16777217.000000001\n0 4 1e-45\n0 5 1.00000005960464477539062500000001\n",
     "d 6 0>1:f16777218 0>2:f16777216 0>3:f16777218 0>4:f1.40129846e-45 0>5:f1.00000012 1 2 3 4 5",
     {KEEP}},
    {"a", "4294967296 1\n", "d 2 1 4294967296>1", {KEEP}},
    {"a", "4294967295 0\n", "d 2 0 4294967295>0", {KEEP}},
    {"a", "1 2 3\n18446744073709551615 2 4\n", "d 3 1>2:3 2 18446744073709551615>2:4", {KEEP}},
    {"a", "00000000000000000000000000001 2\n", "d 2 1>2 2", {KEEP}},
    {"a",
     "12345678 123456789\n1234567890123456 1234567890123456789\n",
     "d 4 12345678>123456789 123456789 1234567890123456>1234567890123456789 1234567890123456789",
     {KEEP}},
    {"a.txt", "# nothing\n", "d 0", {KEEP}},
    /* names */
    {"a.csv", "bob,alice\nalice,carol\n", "d 3 alice>carol bob>alice carol", {KEEP}},
    {"a.el", "bob alice 3\nalice\tbob -4\n", "d 2 alice>bob:-4 bob>alice:3", {KEEP}},
    {"a.el", "bob alice .5\n\n# x\nalice bob 2\n", "d 2 alice>bob:f2 bob>alice:f0.5", {KEEP}},
    {"a.el", "# Undirected\nb a", "u 2 a>b b>a", {KEEP}},
    {"a.csv", "A1,2\n3,A1\n", "d 3 2 3>A1 A1>2", {KEEP}},
    {"a.csv", "2,A1\n3,A1\n", "d 3 2>A1 3>A1 A1", {KEEP}},
    {"a.csv", "\"x, y\",\"a \"\"b\"\"\"\r\n z , \" q\"\r\n", "d 4  q a \"b\" x, y>a \"b\" z> q", {KEEP}},
    {"a.csv", "New York;Los Angeles\nLos Angeles;M,A\n", "d 3 Los Angeles>M,A M,A New York>Los Angeles", {KEEP}},
    {"a.tsv", "Smith, John\tDoe, Jane\n", "d 2 Doe, Jane Smith, John>Doe, Jane", {KEEP}},
    {"a.el", "\"New York\" Rome\n", "d 2 New York>Rome Rome", {KEEP}},
    {"a.el", "gr\xc3\xbcn \xe7\xba\xa2\n", "d 2 gr\xc3\xbcn>\xe7\xba\xa2 \xe7\xba\xa2", {KEEP}},
    {"a.el", "1 2\n10 2\n", "d 3 1>2 10>2 2", {.names = true}},
    {"a.el", "# Ids: names\n1 2\n10 2\n", "d 3 1>2 10>2 2", {KEEP}},
    {"a.el", "a b friend\nb c foe\n", "d 3 a>b b>c c", {KEEP}},
    {"a.el", "abcdefgh abcdefghi\nabcdefghi abcdefg\n", "d 3 abcdefg abcdefgh>abcdefghi abcdefghi>abcdefg", {KEEP}},
    /* headers and columns */
    {"a.el", "from,to\n0,1\n", "d 2 0>1 1", {KEEP}},
    {"a.csv", "node1,node2\n0,1\n", "d 2 0>1 1", {KEEP}},
    {"a.csv", "from,to\nfrom,to\n0,1\n", "d 4 0>1 1 from>to to", {KEEP}},
    {"a.csv", "weight;Target;Source Id\n2;1;0\n1.5;1;2\n", "d 3 0>1:f2 1 2>1:f1.5", {KEEP}},
    {"a.csv", "\"dst\",\"src\"\n\"b\",\"a\"\n", "d 2 a>b b", {KEEP}},
    {"a.csv", ",source,target,weight\n0,a,b,3\n1,b,c,4\n", "d 3 a>b:3 b>c:4 c", {KEEP}},
    {"a.csv", ",u,v\n0,5,7\n1,7,9\n", "d 3 5>7 7>9 9", {KEEP}},
    {"a.csv",
     "Source,Target,Type,Id,Label,Weight\n1,2,Directed,0,,1.5\n2,3,Directed,1,x,2\n",
     "d 3 1>2:f1.5 2>3:f2 3",
     {KEEP}},
    {"a.csv", "source,target,time\n1,2,99\n", "d 2 1>2 2", {KEEP}},
    {"a.csv", "from,to\n", "d 0", {KEEP}},
    {"a.csv", "from,to\n", "d 0", {.names = true}},
    {"a.csv", "", "d 0", {.names = true}},
    {"a.csv", "x,y\n", "d 2 x>y y", {.names = true}},
    {"a.csv", "6,2,4,1289241911.72836\n6,5,2,1289241941.53378\n", "d 3 2 5 6>2:4 6>5:2", {KEEP}},
    {"a.txt", "6 2 4 1289241911\n99999999999 5 2 1\n", "d 4 2 5 6>2:4 99999999999>5:2", {KEEP}},
    {"a.csv", "1;2\n2;3\n", "d 3 1>2 2>3 3", {KEEP}},
    {"a.csv", "\"1\",\"2\"\n\"2\",\"3\"\n", "d 3 1>2 2>3 3", {KEEP}},
    {"a.edgelist", "1 2 {}\n2 3 {}\n", "d 3 1>2 2>3 3", {KEEP}},
    {"a.edgelist",
     "1 2 {'weight': 3}\n2 3 {'c': {'weight': 9}, 'x': 'a\\'b', \"weight\" :-4.5 , 'z': 1}\n",
     "d 3 1>2:f3 2>3:f-4.5 3",
     {KEEP}},
    {"a.edgelist", "a b {'weight': 3}\nb c {'weight': 4}\n", "d 3 a>b:3 b>c:4 c", {KEEP}},
    {"a.edgelist", "1 2 {'weight': 3}\n", "d 2 1>2 2", {DROP}},
    {"a", "2 1", "d 2 1 2>1", {.format = GWS_FORMAT_EDGE_LIST}},
    /* MatrixMarket */
    {"a", BANNER "pattern general\n% x\n\n3 3 2\n1 2\n% y\n3 1 \n", "d 3 1>2 2 3>1", {KEEP}},
    {"a",
     "%%matrixmarket MATRIX Coordinate Integer Symmetric\n3 3 3\n1 1 5\n2 1 6\n2 3 7\n",
     "u 3 1>1:5 1>2:6 2>1:6 2>3:7 3>2:7",
     {KEEP}},
    {"a", BANNER "real general\n2 2 1\n1 2 1e1\n", "d 2 1>2:10 2", {KEEP}},
    {"A.MTX", "%%MATRIXMARKET MATRIX COORDINATE INTEGER GENERAL\n2 2 1\n1 2 1.0E1\n", "d 2 1>2:10 2", {KEEP}},
    {"a", BANNER "real general\n2 2 1\n1 2 -.6\n", "d 2 1>2:-1 2", {ROUND}},
    {"a", BANNER "real general\n2 2 1\n1 2 inf\n", "d 2 1>2 2", {DROP}},
    {"a", BANNER "real symmetric\n2 2 1\n2 1 -2.25\n", "u 2 1>2:f-2.25 2>1:f-2.25", {KEEP}},
    {"a", "2 2 1\n1 2\n", "d 2 1>2 2", {.format = GWS_FORMAT_MATRIX_MARKET}},
    {"a", "2 2 1\n1 2 3\n", "d 2 1>2:3 2", {.format = GWS_FORMAT_MATRIX_MARKET}},
    /* METIS */
    {"a.graph", "% x\n3 2\n2\n1 3\n2\n", "u 3 1>2 2>1 2>3 3>2", {KEEP}},
    {"a.graph", "3 1\n\n3\n2\n", "u 3 1 2>3 3>2", {KEEP}},
    {"a.graph", "3 1\n2\n1\n", "u 3 1>2 2>1 3", {KEEP}},
    {"a.graph", "3 1\n2\n1\n\n\n  \n", "u 3 1>2 2>1 3", {KEEP}},
    {"a.graph", "2 1 1\n2 7\n1 7\n", "u 2 1>2:7 2>1:7", {KEEP}},
    {"a.graph", "3 2 1\n2 7\n1 7 3 .5\n2 0.5\n", "u 3 1>2:f7 2>1:f7 2>3:f0.5 3>2:f0.5", {KEEP}},
    {"a.graph", "2 1 10\n9 2\n9 1\n", "u 2 1>2 2>1", {KEEP}},
    {"a.graph", "2 1 111 2\n4 9 9 2 7\n4 8 8 1 7\n", "u 2 1>2:7 2>1:7", {KEEP}},
    {"a.graph", "2 1 100\n4 2\n4 1\n", "u 2 1>2 2>1", {KEEP}},
    {"a.graph", "3 2 100\n2 3\n\n\n", "d 3 1>2 1>3 2 3", {KEEP}},
    {"a.graph", "2 2\n1 2\n1\n", "u 2 1>1 1>2 2>1", {KEEP}},
    {"a.graph", "2 1\n2\n1\n", "d 2 1>2 2>1", {.direction = GWS_EDGES_DIRECTED}},
    {"a.graph", "2 1\n2\n\n", "u 2 1>2 2>1", {.direction = GWS_EDGES_UNDIRECTED}},
    {"a.graph", "0 0\n", "u 0", {KEEP}},
};

static void check(int i)
{
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    const char *path = gws_test_file(cases[i].name, cases[i].text, strlen(cases[i].text));
    gws_status status = gws_graph_read(runtime, path, &cases[i].options, &graph, &where);
    ck_assert_msg(status == GWS_OK, "%s: %d %s", cases[i].text, status, where.message);
    ck_assert_str_eq(gws_describe_graph(graph), cases[i].said);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}

START_TEST(test_format)
{
    check(_i);
}
END_TEST

START_TEST(test_locale)
{
    if (!gws_test_comma()) return;
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) check(i);
}
END_TEST

/* Reads the same texts after a byte-order mark, from a file and from a stream. */
START_TEST(test_marked)
{
    struct gws_runtime *runtime = gws_open_runtime(2, (struct gws_allocator){0});
    char text[1024];
    int size = snprintf(text, sizeof text, "\xef\xbb\xbf%s", cases[_i].text);
    for (int stream = 0; stream < 2; stream++) {
        struct gws_graph *graph = NULL;
        struct gws_diagnostic where = {0};
        struct gws__input input;
        gws_status status = gws_input_of(&input, runtime, text, (uint64_t)size, cases[_i].name, stream, &where);
        ck_assert_int_eq(status, GWS_OK);
        status = gws__graph_read_input(&input, &cases[_i].options, &graph);
        gws__input_close(&input);
        ck_assert_msg(status == GWS_OK, "%s: %d %s", cases[_i].text, status, where.message);
        ck_assert_str_eq(gws_describe_graph(graph), cases[_i].said);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(test_names)
{
    enum gws_format format;
    const char *about = NULL, *name;
    for (unsigned i = 0; (name = gws_format_name((enum gws_format)i, &about)); i++) {
        ck_assert(gws_format_named(name, &format) && format == (enum gws_format)i);
        ck_assert(strlen(about) > 0);
    }
    ck_assert(!gws_format_named("DIMACS", &format));
    ck_assert(gws_format_named("metis", &format) && format == GWS_FORMAT_METIS);
    ck_assert_ptr_null(gws_format_name((enum gws_format) - 1, NULL));
}
END_TEST

START_TEST(test_load)
{
    struct gws_runtime *runtime = gws_open_runtime(1, (struct gws_allocator){0});
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_load(runtime, "grid:2x1", NULL, &graph, NULL), GWS_OK);
    ck_assert_str_eq(gws_describe_graph(graph), "u 2 0>1 1>0");
    gws_graph_destroy(graph);
    ck_assert_int_eq(gws_graph_load(runtime, gws_test_file("a.el", "3 4", 3), NULL, &graph, NULL), GWS_OK);
    ck_assert_str_eq(gws_describe_graph(graph), "d 2 3>4 4");
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_format, sizeof cases / sizeof *cases},
                                    {test_locale, 1},
                                    {test_marked, sizeof cases / sizeof *cases},
                                    {test_names, 1},
                                    {test_load, 1},
                                    {0}};
    return gws_test_run("formats", test);
}

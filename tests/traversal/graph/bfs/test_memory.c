/* SPDX-License-Identifier: MIT */
/* Tests the content of the index of likely neighbours, and searches that use the index. */
#include "shapes.h"

static void check_index(const struct gws_graph *graph, const struct gws_bfs_index *index)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    ck_assert_ptr_eq(index->graph, graph);
    ck_assert_uint_eq(index->bytes, graph->vertices * 4);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t max_degree = 0;
        bool found = in->offset[v] == in->offset[v + 1] && index->likely[v] == GWS_NO_VERTEX;
        for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++) {
            uint64_t degree = gws_graph_degree(graph, in->target[a]);
            max_degree = degree > max_degree ? degree : max_degree;
            found = found || in->target[a] == index->likely[v];
        }
        if (!found || (index->likely[v] != GWS_NO_VERTEX && gws_graph_degree(graph, index->likely[v]) != max_degree))
            ck_abort_msg("vertex %u has %u", (unsigned)v, (unsigned)index->likely[v]);
    }
}

static void search(struct gws_runtime *runtime, const struct gws_graph *graph, const struct gws_bfs_index *index)
{
    struct gws_bfs_result result = {0};
    for (int d = GWS_BFS_AUTO; d <= GWS_BFS_BOTTOM_UP; d++)
        for (uint32_t source = 0; source < graph->vertices; source += (uint32_t)graph->vertices / 7) {
            struct gws_bfs_options options = {.direction = (enum gws_bfs_direction)d, .index = index};
            struct oracle oracle = oracle_new(graph, source);
            struct gws_diagnostic where;
            ck_assert_int_eq(gws_bfs(runtime, graph, source, &options, &result), GWS_OK);
            compare(graph, source, &oracle, &result);
            ck_assert_int_eq(gws_bfs_check(runtime, graph, &result, &where), GWS_OK);
            oracle_free(&oracle);
        }
    gws_bfs_result_clear(&result);
}

START_TEST(searches_agree)
{
    static const char *const names[] = {"kron:12", "uniform:12", "road:5000", "kron:10:4"};
    struct gws_graph *graph = generate(names[_i]), *other = generate("kron:11");
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        struct gws_runtime *runtime = open_runtime(NULL, threads, 0);
        struct gws_bfs_index index = {0};
        ck_assert_int_eq(gws_bfs_index_build(runtime, graph, &index), GWS_OK);
        check_index(graph, &index);
        search(runtime, graph, &index);
        search(runtime, other, &index); /* the index belongs to another graph */
        gws_bfs_index_clear(&index);
        gws_bfs_index_clear(&index);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
    gws_graph_destroy(other);
}
END_TEST

START_TEST(directed)
{
    struct gws_graph *graph = make_graph(dense, 3000, DIRECTED);
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_bfs_index index = {0};
    ck_assert_int_eq(gws_bfs_index_build(runtime, graph, &index), GWS_NEEDS_REVERSE);
    ck_assert_ptr_null(index.likely);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    ck_assert_int_eq(gws_bfs_index_build(runtime, graph, &index), GWS_OK);
    check_index(graph, &index);
    search(runtime, graph, &index);
    gws_bfs_index_clear(&index);
    gws_runtime_close(runtime);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{searches_agree, 4}, {directed, 1}, {0}};
    return gws_test_run("bfs_index", test);
}

/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <float.h>
#include <math.h>

static const uint32_t thread_counts[] = {1, 2, 3, 8};

/* Builds the graph with every combination of options and compares it with the naive graph. */
static void check_all_options(struct gws_runtime *runtime, const struct gws_edges *edges)
{
    for (int i = 0; i < 12; i++) {
        struct gws_build_options options = naive_build_options(i);
        struct naive naive = naive_build(edges, &options);
        struct gws_graph *graph = NULL;
        ck_assert_int_eq(gws_graph_build(runtime, edges, &options, &graph), GWS_OK);
        naive_check(graph, &naive);
        ck_assert_int_eq(graph->directed, options.kind == GWS_BUILD_DIRECTED);
        ck_assert_ptr_null(graph->reverse);
        ck_assert_ptr_null(graph->id);
        ck_assert_int_eq(gws_graph_check_rows(runtime, graph, NULL), GWS_OK);
        gws_graph_destroy(graph);
        naive_clear(&naive);
    }
}

START_TEST(small_random_graphs)
{
    if (gws_test_races() && thread_counts[_i] == 1) return;
    struct gws_runtime *runtime = naive_runtime(thread_counts[_i]);
    for (uint64_t seed = 0; seed < (gws_test_quick() ? 30 : 120); seed++) {
        uint64_t vertices = 1 + gws_random_at(seed, 0) % (seed % 4 == 0 ? 3 : 500);
        uint64_t count = gws_random_at(seed, 1) % 2000, blocks = 1 + seed % 5;
        struct naive_edges edges = naive_random_edges(vertices, count, blocks, seed % 3, seed);
        check_all_options(runtime, &edges.edges);
        naive_edges_clear(&edges);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(same_graph_whatever_the_threads_and_the_order)
{
    uint64_t hash[4];
    struct naive_edges edges = naive_random_edges(3000, 200000, 4, (enum naive_weights)_i, 5);
    for (int i = 0; i < 4; i++) {
        struct gws_runtime *runtime = naive_runtime(thread_counts[i]);
        struct gws_edge_block swapped = edges.block[0];
        struct gws_graph *graph = NULL;
        edges.block[0] = edges.block[3];
        edges.block[3] = swapped;
        ck_assert_int_eq(gws_graph_build(runtime, &edges.edges, NULL, &graph), GWS_OK);
        hash[i] = naive_hash(graph);
        ck_assert_uint_eq(hash[i], hash[0]);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
    }
    naive_edges_clear(&edges);
}
END_TEST

/* ---- shapes ---- */

static struct gws_graph *build(struct gws_runtime *runtime, uint64_t vertices, const struct gws_edge *edge,
                               uint64_t count, struct gws_build_options options)
{
    struct gws_edge_block block = {.edge = edge, .count = count};
    struct gws_edges edges = {.vertices = vertices, .blocks = 1, .block = &block};
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &options, &graph), GWS_OK);
    return graph;
}

START_TEST(empty_graphs)
{
    struct gws_runtime *runtime = naive_runtime(2);
    const uint64_t sizes[] = {0, 1, 2, 65536, 65537, 200001};
    for (int i = 0; i < 6; i++) {
        struct gws_edges edges = {.vertices = sizes[i]};
        check_all_options(runtime, &edges);
    }
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(one_vertex_with_loops)
{
    struct gws_runtime *runtime = naive_runtime(2);
    const struct gws_edge loops[3] = {{0, 0}, {0, 0}, {0, 0}};
    const uint64_t arcs[] = {3, 3, 3, 0, 0, 0, 1, 1, 1, 0, 0, 0};
    for (int i = 0; i < 12; i++) {
        struct gws_graph *graph = build(runtime, 1, loops, 3, naive_build_options(i));
        ck_assert_uint_eq(graph->arcs, arcs[i]);
        gws_graph_destroy(graph);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- edges in a form of the caller's own ---- */

static void read_edges(void *context, uint64_t block, uint64_t begin, uint64_t end, struct gws_edge *edge)
{
    const struct naive_edges *edges = context;
    ck_assert(begin < end && end <= edges->block[block].count);
    memcpy(edge, edges->block[block].edge + begin, (end - begin) * sizeof *edge);
}

/* Some blocks have no edges, but a function that copies them. */
START_TEST(edges_that_are_copied)
{
    struct gws_runtime *runtime = naive_runtime(2);
    for (int weights = 0; weights < 3; weights++) {
        struct naive_edges edges = naive_random_edges(700, 20000, 5, (enum naive_weights)weights, 4);
        const struct gws_build_options options = {.read = read_edges, .context = &edges};
        struct gws_edge_block block[5];
        struct gws_edges copied = {.vertices = 700, .blocks = 5, .block = block};
        struct gws_graph *graph = NULL, *wanted = NULL;
        memcpy(block, edges.block, sizeof block);
        for (int i = 0; i < 5; i += 2) block[i].edge = NULL;
        ck_assert_int_eq(gws_graph_build(runtime, &copied, &options, &graph), GWS_OK);
        ck_assert_int_eq(gws_graph_build(runtime, &edges.edges, NULL, &wanted), GWS_OK);
        ck_assert_uint_eq(naive_hash(graph), naive_hash(wanted));
        gws_graph_destroy(graph);
        gws_graph_destroy(wanted);
        naive_edges_clear(&edges);
    }
    gws_runtime_close(runtime);
}
END_TEST

/* ---- errors ---- */

static gws_status try_build(struct gws_edges edges)
{
    struct gws_runtime *runtime = naive_runtime(2);
    struct gws_graph *untouched = (struct gws_graph *)&edges, *graph = untouched;
    gws_status status = gws_graph_build(runtime, &edges, NULL, &graph);
    if (status != GWS_OK)
        ck_assert_ptr_eq(graph, untouched);
    else
        gws_graph_destroy(graph);
    gws_runtime_close(runtime);
    return status;
}

START_TEST(endpoints_out_of_range)
{
    const struct gws_edge bad[][2] = {{{0, 1}, {3, 0}}, {{0, 1}, {0, 3}}, {{UINT32_MAX, 0}, {0, 0}}, {{3, 3}, {0, 0}}};
    for (int i = 0; i < 4; i++) {
        struct gws_edge_block block = {.edge = bad[i], .count = 2};
        ck_assert_int_eq(try_build((struct gws_edges){3, 1, &block}), GWS_OUT_OF_RANGE);
        ck_assert_int_eq(try_build((struct gws_edges){0, 1, &block}), GWS_OUT_OF_RANGE);
    }
}
END_TEST

START_TEST(weights_in_some_blocks_only)
{
    const struct gws_edge edge[1] = {{0, 1}};
    const int32_t weight[1] = {5};
    struct gws_edge_block block[2] = {{edge, weight, NULL, 1}, {edge, NULL, NULL, 1}};
    ck_assert_int_eq(try_build((struct gws_edges){2, 2, block}), GWS_INVALID);
    block[1].count = 0; /* an empty block may lack weights */
    ck_assert_int_eq(try_build((struct gws_edges){2, 2, block}), GWS_OK);
}
END_TEST

START_TEST(real_weights_in_some_blocks_only)
{
    const struct gws_edge edge[1] = {{0, 1}};
    const int32_t weight[1] = {5};
    const float real[1] = {0.5F};
    struct gws_edge_block block[2] = {{.edge = edge, .real_weight = real, .count = 1}, {.edge = edge, .count = 1}};
    ck_assert_int_eq(try_build((struct gws_edges){2, 2, block}), GWS_INVALID);
    block[1].weight = weight;
    ck_assert_int_eq(try_build((struct gws_edges){2, 2, block}), GWS_INVALID);
    block[0].weight = weight;
    block[1].real_weight = real;
    ck_assert_int_eq(try_build((struct gws_edges){2, 2, block}), GWS_INVALID);
    block[0].weight = block[1].weight = NULL;
    ck_assert_int_eq(try_build((struct gws_edges){2, 2, block}), GWS_OK);
}
END_TEST

START_TEST(real_weights_that_are_not_finite)
{
    static struct gws_edge edge[3000];
    static float real[3000];
    const float bad[] = {INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX, FLT_TRUE_MIN};
    for (int i = 0; i < 6; i++) {
        struct gws_edge_block block = {.edge = edge, .real_weight = real, .count = 3000};
        real[2999] = bad[i];
        ck_assert_int_eq(try_build((struct gws_edges){1, 1, &block}), i < 3 ? GWS_INVALID : GWS_OK);
    }
}
END_TEST

/* Finite weights of all magnitudes keep their values and ascend. -0 becomes 0. */
START_TEST(real_weights_in_order)
{
    static const struct gws_edge edge[8];
    const float given[8] = {1, -0.0F, FLT_MAX, -1.5F, 0, -FLT_MAX, FLT_TRUE_MIN, -FLT_TRUE_MIN};
    const float sorted[8] = {-FLT_MAX, -1.5F, -FLT_TRUE_MIN, 0, 0, FLT_TRUE_MIN, 1, FLT_MAX};
    struct gws_edge_block block = {.edge = edge, .real_weight = given, .count = 8};
    struct gws_edges edges = {1, 1, &block};
    struct gws_runtime *runtime = naive_runtime(1);
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_OK);
    ck_assert_mem_eq(graph->real_weight, sorted, sizeof sorted);
    ck_assert_ptr_null(graph->weight);
    gws_graph_destroy(graph);
    struct gws_build_options lightest = {.remove_duplicates = true};
    ck_assert_int_eq(gws_graph_build(runtime, &edges, &lightest, &graph), GWS_OK);
    ck_assert_uint_eq(graph->arcs, 1);
    ck_assert(graph->real_weight[0] == -FLT_MAX);
    gws_graph_destroy(graph);
    gws_runtime_close(runtime);
}
END_TEST

START_TEST(sizes_that_are_too_large)
{
    const struct gws_edge edge[1] = {{0, 1}};
    struct gws_edge_block block[2] = {{edge, NULL, NULL, 1}, {edge, NULL, NULL, UINT64_MAX}};
    ck_assert_int_eq(try_build((struct gws_edges){UINT64_C(1) << 32, 1, block}), GWS_TOO_LARGE);
    ck_assert_int_eq(try_build((struct gws_edges){UINT64_MAX, 1, block}), GWS_TOO_LARGE);
    ck_assert_int_eq(try_build((struct gws_edges){2, 2, block}), GWS_TOO_LARGE);
}
END_TEST

/* ---- memory ---- */

static void *allocate_little(void *context, size_t bytes)
{
    (void)context;
    return bytes > 1 << 28 ? NULL : malloc(bytes);
}

static void release(void *context, void *memory, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(memory);
}

START_TEST(too_many_vertices_are_refused)
{
    struct gws_options options = {.threads = 2, .allocator = {allocate_little, release, NULL}};
    struct gws_runtime *runtime;
    struct gws_graph *graph = NULL;
    const struct gws_edge edge[2] = {{0, UINT32_MAX - 1}, {UINT32_MAX - 1, 7}};
    struct gws_edge_block block = {.edge = edge, .count = 2};
    struct gws_edges edges = {UINT32_MAX, 1, &block};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    ck_assert_int_eq(gws_graph_build(runtime, &edges, NULL, &graph), GWS_NO_MEMORY);
    ck_assert_ptr_null(graph);
    gws_runtime_close(runtime);
}
END_TEST

/* The build symmetrises, keeps loops, and removes duplicates. */
static gws_status build_once(struct gws_runtime *runtime, const void *context)
{
    const struct gws_build_options all = naive_build_options(7);
    struct gws_graph *graph = NULL;
    const gws_status status = gws_graph_build(runtime, context, &all, &graph);
    ck_assert_int_eq(graph != NULL, status == GWS_OK);
    gws_graph_destroy(graph);
    return status;
}

START_TEST(any_allocation_may_fail)
{
    struct naive_edges edges = naive_random_edges(300, 5000, 3, (enum naive_weights)_i, 9);
    gws_test_each_allocation(2, build_once, &edges.edges);
    naive_edges_clear(&edges);
}
END_TEST

/* The build needs less than twice the CSR beside the caller's edges. */
START_TEST(memory_while_building)
{
    for (int i = 0; i < 36; i += gws_test_quick() ? 7 : 1) {
        struct gws_test_memory memory = {0};
        struct gws_options options = {.threads = thread_counts[i % 4], .allocator = gws_test_allocator(&memory)};
        struct gws_build_options build_options = naive_build_options(i % 12);
        enum naive_weights weighted = (enum naive_weights)(i / 12);
        struct naive_edges edges = naive_random_edges(UINT64_C(1) << 17, 1 << 18, 3, weighted, (uint64_t)i);
        struct gws_runtime *runtime = NULL;
        struct gws_graph *graph = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        int64_t before = (int64_t)memory.live;
        ck_assert_int_eq(gws_graph_build(runtime, &edges.edges, &build_options, &graph), GWS_OK);
        int64_t csr = (int64_t)(8 * graph->vertices + (weighted ? 8 : 4) * graph->arcs);
        ck_assert_msg((int64_t)memory.peak - before < 2 * csr, "combination %d: %lld bytes for a CSR of %lld", i,
                      (long long)memory.peak - before, (long long)csr);
        gws_graph_destroy(graph);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        naive_edges_clear(&edges);
    }
}
END_TEST

static void free_edges(void *context)
{
    struct naive_edges *edges = context;
    ck_assert_ptr_nonnull(edges->block);
    naive_edges_clear(edges);
    edges->block = NULL;
}

START_TEST(edges_freed_during_the_build)
{
    struct gws_runtime *runtime = naive_runtime(3);
    for (int i = 0; i < 36; i += gws_test_quick() ? 5 : 1) {
        struct gws_build_options options = naive_build_options(i % 12);
        struct naive_edges edges = naive_random_edges(3000, 20000, 3, (enum naive_weights)(i / 12), (uint64_t)i);
        struct naive naive = naive_build(&edges.edges, &options);
        struct gws_graph *graph = NULL;
        options.on_read = free_edges;
        options.context = &edges;
        ck_assert_int_eq(gws_graph_build(runtime, &edges.edges, &options, &graph), GWS_OK);
        ck_assert_ptr_null(edges.block);
        naive_check(graph, &naive);
        gws_graph_destroy(graph);
        naive_clear(&naive);
    }
    gws_runtime_close(runtime);
}
END_TEST

static Suite *build_suite(void)
{
    Suite *suite = suite_create("build");
    TCase *random = tcase_create("random"), *shapes = tcase_create("shapes"), *errors = tcase_create("errors");
    tcase_add_loop_test(random, small_random_graphs, 0, 4);
    tcase_add_loop_test(random, same_graph_whatever_the_threads_and_the_order, NAIVE_INTEGERS, NAIVE_REALS + 1);
    tcase_add_test(shapes, empty_graphs);
    tcase_add_test(shapes, one_vertex_with_loops);
    tcase_add_test(shapes, edges_that_are_copied);
    tcase_add_test(errors, endpoints_out_of_range);
    tcase_add_test(errors, weights_in_some_blocks_only);
    tcase_add_test(errors, real_weights_in_some_blocks_only);
    tcase_add_test(errors, real_weights_that_are_not_finite);
    tcase_add_test(shapes, real_weights_in_order);
    tcase_add_test(errors, sizes_that_are_too_large);
    tcase_add_test(errors, too_many_vertices_are_refused);
    tcase_add_loop_test(errors, any_allocation_may_fail, NAIVE_INTEGERS, NAIVE_REALS + 1);
    tcase_add_test(errors, memory_while_building);
    tcase_add_test(shapes, edges_freed_during_the_build);
    suite_add_tcase(suite, random);
    suite_add_tcase(suite, shapes);
    suite_add_tcase(suite, errors);
    return suite;
}

int main(void)
{
    return gws_test_main(build_suite);
}

/* SPDX-License-Identifier: MIT */
/* Compares corenesses with known answers and with an oracle, which computes each k-core by deleting vertices. */
#include "../bfs/shapes.h"

#include "../../../../traversal/cores.h"

/* ---- the oracle ---- */

/* A set of vertices: bit v % 64 of word v / 64. */
static uint64_t words_of(uint64_t n)
{
    return n / 64 + 1;
}

static bool contains(const uint64_t *set, uint64_t v)
{
    return set[v / 64] >> v % 64 & 1;
}

/* Deletes vertices with fewer than k neighbours until each remaining vertex has k. On entry, alive is the (k -
 * 1)-core. neighbours has a set for each vertex. */
static bool shrink(const uint64_t *neighbours, uint64_t n, uint64_t k, uint64_t *alive)
{
    bool any = false;
    for (bool changed = true; changed;) {
        changed = any = false;
        for (uint64_t v = 0; v < n; v++) {
            uint64_t count = 0;
            if (!contains(alive, v)) continue;
            for (uint64_t i = 0; i < words_of(n); i++)
                count += (uint64_t)__builtin_popcountll(alive[i] & neighbours[v * words_of(n) + i]);
            any = any || count >= k;
            if (count >= k) continue;
            alive[v / 64] &= ~((uint64_t)1 << v % 64);
            changed = true;
        }
    }
    return any;
}

static void add_neighbour(uint64_t *neighbours, uint64_t n, uint64_t v, uint64_t w)
{
    neighbours[v * words_of(n) + w / 64] |= (uint64_t)1 << w % 64;
}

/* Returns the corenesses of the oracle. The caller frees the array. */
static uint32_t *cores_of(const struct gws_graph *graph)
{
    uint64_t n = graph->vertices;
    uint64_t *neighbours = calloc((n + 1) * words_of(n), sizeof *neighbours), *alive = malloc(words_of(n) * 8);
    uint32_t *core = calloc(n + 1, sizeof *core);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
            if (graph->target[a] == v) continue;
            add_neighbour(neighbours, n, v, graph->target[a]);
            add_neighbour(neighbours, n, graph->target[a], v);
        }
    memset(alive, 0xff, words_of(n) * 8);
    for (uint32_t k = 1; shrink(neighbours, n, k, alive); k++)
        for (uint64_t v = 0; v < n; v++)
            if (contains(alive, v)) core[v] = k;
    free(neighbours);
    free(alive);
    return core;
}

static void compare_cores(const struct gws_graph *graph, const uint32_t *core, const struct gws_cores_result *result)
{
    uint32_t max = 0;
    ck_assert_uint_eq(result->vertices, graph->vertices);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        if (result->core[v] != core[v]) ck_abort_msg("vertex %d: %u, not %u", (int)v, result->core[v], core[v]);
        max = core[v] > max ? core[v] : max;
    }
    ck_assert_uint_eq(result->max_core, max);
    ck_assert_uint_le(result->rounds, max);
    ck_assert(result->ms >= 0 && result->prepare_ms >= 0);
}

/* ---- shapes ---- */

/* Makes cliques of 1, 2, 3 ... vertices in a row. The cliques have many corenesses, and removals spread from one
 * clique to the next. */
static void cliques(struct edges *edges, uint64_t n)
{
    for (uint64_t begin = 0, size = 1; begin + size <= n; begin += size++) {
        for (uint64_t v = begin; v < begin + size; v++)
            for (uint64_t u = begin; u < v; u++) add(edges, u, v);
        if (begin > 0) add(edges, begin - 1, begin);
    }
}

static const struct shape own_shapes[] = {{"nothing", nothing, 0}, {"cliques", cliques, 400}};
enum { own_count = sizeof own_shapes / sizeof own_shapes[0] };

static void check(const struct gws_graph *graph, const uint32_t *core, uint32_t threads, const char *policy)
{
    struct gws_runtime *runtime = open_runtime(policy, threads, 0);
    struct gws_cores_result result = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_cores(runtime, graph, &result), GWS_OK);
    compare_cores(graph, core, &result);
    ck_assert_msg(gws_cores_check(runtime, graph, &result, &where) == GWS_OK, "%s", where.message);
    gws_cores_result_clear(&result);
    gws_cores_result_clear(&result);
    gws_cores_result_clear(NULL);
    gws_runtime_close(runtime);
}

START_TEST(shapes_of_every_kind)
{
    const struct shape *shape = _i < shape_count ? &shapes[_i] : &own_shapes[_i - shape_count];
    if (shape->vertices > 2000) return; /* the oracle cannot handle larger shapes */
    for (int arcs = 0; arcs < arc_kinds; arcs++) {
        struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)arcs);
        uint32_t *core = cores_of(graph);
        check(graph, core, 1, NULL);
        check(graph, core, 3, NULL);
        free(core);
        gws_graph_destroy(graph);
    }
}
END_TEST

/* The test runs policies with task queues, and policies with work queues, which run tasks in rounds. */
START_TEST(policies)
{
    static const char *const names[] = {"static", "chunked", "workpile", "split", "chaselev"};
    struct gws_graph *graph = make_graph(cliques, 400, UNDIRECTED);
    uint32_t *core = cores_of(graph);
    check(graph, core, 4, names[_i]);
    free(core);
    gws_graph_destroy(graph);
}
END_TEST

/* The test reuses one result for graphs of several sizes. */
START_TEST(results_are_reused)
{
    static const uint64_t sizes[] = {300, 300, 20, 0, 400};
    struct gws_runtime *runtime = open_runtime(NULL, 2, 0);
    struct gws_cores_result result = {0};
    const void *before = NULL;
    for (int i = 0; i < 5; i++) {
        struct gws_graph *graph = make_graph(cliques, sizes[i], UNDIRECTED);
        uint32_t *core = cores_of(graph);
        ck_assert_int_eq(gws_cores(runtime, graph, &result), GWS_OK);
        compare_cores(graph, core, &result);
        if (i == 1) ck_assert_ptr_eq(result.core, before);
        before = result.core;
        free(core);
        gws_graph_destroy(graph);
    }
    gws_cores_result_clear(&result);
    gws_runtime_close(runtime);
}
END_TEST

/* ---- larger graphs ---- */

/* Sanitizer runs take the second five graphs, which are smaller. */
START_TEST(generated_graphs_pass_the_check)
{
    static const struct generated {
        const char *name;
        uint32_t max_core;
    } graphs[] = {{"kron:14", 0}, {"uniform:13", 0}, {"road:20000", 0}, {"grid:200x300", 2}, {"kron:16:2", 0},
                  {"kron:11", 0}, {"uniform:10", 0}, {"road:4000", 0},  {"grid:100x100", 2}, {"kron:13:2", 0}};
    const struct generated *const made = &graphs[gws_test_quick() ? _i + 5 : _i];
    struct gws_graph *graph = generate(made->name);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        struct gws_runtime *runtime = open_runtime(NULL, threads, 0);
        struct gws_cores_result result = {0};
        struct gws_diagnostic where = {0};
        ck_assert_int_eq(gws_cores(runtime, graph, &result), GWS_OK);
        ck_assert_msg(gws_cores_check(runtime, graph, &result, &where) == GWS_OK, "%s", where.message);
        if (made->max_core) ck_assert_uint_eq(result.max_core, made->max_core);
        gws_cores_result_clear(&result);
        gws_runtime_close(runtime);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* Makes paths of three vertices, whose ends are far apart in the numbers, and a hub in a triangle, to which every
 * middle has an edge. Middle i is vertex 2 * paths + i. */
static void paths_on_a_hub(struct edges *edges, uint64_t n)
{
    uint64_t paths = n / 3 - 1, hub = 3 * paths;
    for (uint64_t i = 0; i < paths; i++) {
        add(edges, i, 2 * paths + i);
        add(edges, paths + i, 2 * paths + i);
        if (i % 2) add(edges, 2 * paths + i, hub);
    }
    for (uint64_t i = 0; i < 3; i++) add(edges, hub + i, hub + (i + 1) % 3);
}

/* Two workers lower the degree of a middle at about the
 * same time, and it must not fall below 1. All workers lower the degree of the hub to 2. */
START_TEST(workers_share_removals)
{
    enum { paths = 40000, vertices = 3 * paths + 3 };
    struct gws_graph *graph = make_graph(paths_on_a_hub, vertices, _i ? DIRECTED : UNDIRECTED);
    uint32_t *core = malloc(vertices * sizeof *core);
    for (uint64_t v = 0; v < vertices; v++) core[v] = v < 3 * paths ? 1 : 2;
    for (uint32_t i = 0; i < (gws_test_quick() ? 2 : 20); i++) check(graph, core, 1 + i % 4, i % 2 ? "split" : NULL);
    free(core);
    gws_graph_destroy(graph);
}
END_TEST

/* ---- failures ---- */

/* The test fails each allocation in turn. A result of another size is then empty, or unchanged if symmetrising
 * failed. */
START_TEST(short_memory_is_reported)
{
    struct gws_graph *graph = make_graph(cliques, 200, _i ? DIRECTED : UNDIRECTED),
                     *other = make_graph(path, 9, DIRECTED);
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {.fail_at = 0};
        const struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_cores_result result = {0};
        struct gws_runtime *runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        ck_assert_int_eq(gws_cores(runtime, other, &result), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_cores(runtime, graph, &result);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        if (memory.failed) ck_assert(result.vertices == 0 || (result.vertices == 9 && result.max_core == 1));
        gws_cores_result_clear(&result);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
    gws_graph_destroy(graph);
    gws_graph_destroy(other);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{shapes_of_every_kind, shape_count + own_count},
                                    {policies, 5},
                                    {results_are_reused, 1},
                                    {generated_graphs_pass_the_check, 5},
                                    {workers_share_removals, 2},
                                    {short_memory_is_reported, 2},
                                    {0}};
    return gws_test_run("cores", test);
}

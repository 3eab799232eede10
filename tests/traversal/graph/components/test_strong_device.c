/* SPDX-License-Identifier: MIT */
/* Compares strong components on every device of this machine with the threads' components, and checks them by the
 * library's serial searches. */
#include "../../engine/devices.h"

#include "../../../../traversal/components.h"

static const struct gws_components_options strong = {.strong = true};

static struct gws_components_device *open_components(struct gws_device_graph *on_device)
{
    struct gws_components_device *components = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_msg(gws_components_device_open_strong(on_device, &components, &where) == GWS_OK, "%s", where.message);
    return components;
}

/* Checks runs, and frees the graph. The second run finds the memory that the first one has left. */
static void check_against(const struct gws_components_result *wanted, struct gws_graph *graph, int runs)
{
    struct gws_components_result result = {0};
    struct gws_diagnostic where = {0};
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws_components_device *components = open_components(on_device);
    for (int run = 0; run < runs; run++) {
        gws_components_result_clear(&result);
        ck_assert_msg(gws_components_device_run(components, &result, &where) == GWS_OK, "%s", where.message);
        ck_assert_uint_eq(result.components, wanted->components);
        ck_assert_uint_eq(result.largest, wanted->largest);
        ck_assert_int_eq(gws_components_device_fetch(components, &result, &where), GWS_OK);
        ck_assert_mem_eq(result.component, wanted->component, graph->vertices * sizeof *wanted->component);
        ck_assert_int_eq(gws_components_check(runtime, graph, &strong, &result, &where), GWS_OK);
        ck_assert(result.ms >= 0 && result.fetch_ms >= 0);
        uint32_t *content = content_of(gws_components_device_buffer(components), graph->vertices * sizeof *content);
        ck_assert_mem_eq(content, wanted->component, graph->vertices * sizeof *content);
        free(content);
    }
    gws_components_result_clear(&result);
    gws_components_device_close(components);
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

static void check(struct gws_graph *graph, int runs)
{
    struct gws_components_result wanted = {0};
    ck_assert_int_eq(gws_components(runtime, graph, &strong, &wanted), GWS_OK);
    check_against(&wanted, graph, runs);
    gws_components_result_clear(&wanted);
}

DEVICE_TEST(components_equal_those_of_threads)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        if (!shape_runs(s)) continue;
        check(make_graph(shapes[s].make, shapes[s].vertices, DIRECTED_WITH_REVERSE), 2);
        check(make_graph(shapes[s].make, shapes[s].vertices, UNDIRECTED), 1);
    }
}

/* Makes random arcs, about as many as vertices: components of all sizes. */
static void few_arcs(struct edges *edges, uint64_t n)
{
    random_edges(edges, n, n + n / 4, n);
}

DEVICE_TEST(random_graphs)
{
    for (uint64_t n = 1; n < 3000; n = 2 * n + 3) check(make_graph(few_arcs, n, DIRECTED_WITH_REVERSE), 1);
}

/* ---- long chains ---- */

/* Makes a chain of cycles of three, each with an arc from the next one. Trimming closes none of them. */
static void chain_of_cycles(struct edges *edges, uint64_t n)
{
    for (uint64_t v = 0; v + 3 <= n; v += 3) {
        for (uint64_t k = 0; k < 3; k++) add(edges, v + k, v + (k + 1) % 3);
        if (v + 6 <= n) add(edges, v + 3, v);
    }
}

/* Each component has `size` adjacent vertices. */
static void check_chain(void (*shape)(struct edges *, uint64_t), uint64_t vertices, uint64_t size)
{
    uint32_t *component = malloc(vertices * sizeof *component);
    const struct gws_components_result wanted = {
        .component = component, .components = vertices / size, .largest = size};
    for (uint64_t v = 0; v < vertices; v++) component[v] = (uint32_t)(v / size * size);
    check_against(&wanted, make_graph(shape, vertices, DIRECTED_WITH_REVERSE), 1);
    free(component);
}

/* A method that needs a round for each component, with a step for each component, would take hours. */
DEVICE_TEST(long_chains)
{
    const uint64_t vertices = getenv("GWS_TEST_QUICK") ? 3000 : 99999;
    check_chain(path, vertices, 1);
    check_chain(cycle, vertices, vertices);
    check_chain(chain_of_cycles, vertices, 3);
}

/* ---- failures ---- */

DEVICE_TEST(refused)
{
    struct gws_graph *graph = make_graph(grid, 100, DIRECTED);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws_components_device *components = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_components_device_open_strong(on_device, &components, &where), GWS_NEEDS_REVERSE);
    ck_assert(where.message[0]);
    gws_device_graph_close(on_device);
    ck_assert_int_eq(gws_graph_add_reverse(runtime, graph), GWS_OK);
    on_device = open_graph(graph, (struct gws_device_graph_options){.without = GWS_INDEX_ALL});
    ck_assert_int_eq(gws_components_device_open_strong(on_device, &components, &where), GWS_UNSUPPORTED);
    gws_device_graph_close(on_device);
    on_device = open_graph(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST});
    ck_assert_int_eq(gws_components_device_open_strong(on_device, &components, &where), GWS_UNSUPPORTED);
    gws_device_graph_close(on_device);
    ck_assert_ptr_null(components);
    gws_graph_destroy(graph);
}

/* Fails each allocation of the calls in turn. */
DEVICE_TEST(without_memory)
{
    struct gws_graph *graph = make_graph(dense, 100, DIRECTED_WITH_REVERSE);
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        const struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_components_device *components = NULL;
        struct gws_components_result result = {0};
        struct gws_device_graph *on_device = NULL;
        struct gws_runtime *short_runtime = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &short_runtime), GWS_OK);
        ck_assert_int_eq(gws_device_graph_open(short_runtime, device, graph, NULL, &on_device, NULL), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_components_device_open_strong(on_device, &components, NULL);
        if (status == GWS_OK) status = gws_components_device_run(components, &result, NULL);
        if (status == GWS_OK) status = gws_components_device_fetch(components, &result, NULL);
        ck_assert_int_eq(status, memory.failed ? GWS_NO_MEMORY : GWS_OK);
        gws_components_result_clear(&result);
        gws_components_device_close(components);
        gws_device_graph_close(on_device);
        gws_runtime_close(short_runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
    gws_graph_destroy(graph);
}

static bool second_time(void *context)
{
    int *times = context;
    return ++*times > 1;
}

/* The runtime asks the hook when the run begins, and again between rounds after some milliseconds. */
DEVICE_TEST(cancelled_between_rounds)
{
    struct gws_graph *graph = make_graph(chain_of_cycles, 99999, DIRECTED_WITH_REVERSE);
    int times = -1000;
    const struct gws_options options = {.threads = 1, .cancel = second_time, .context = &times};
    struct gws_components_result result = {0};
    struct gws_device_graph *on_device = NULL;
    struct gws_runtime *cancelled = NULL;
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_runtime_open(&options, &cancelled), GWS_OK);
    ck_assert_int_eq(gws_device_graph_open(cancelled, device, graph, NULL, &on_device, NULL), GWS_OK);
    struct gws_components_device *components = open_components(on_device);
    times = 0;
    ck_assert_int_eq(gws_components_device_run(components, &result, &where), GWS_CANCELLED);
    ck_assert_uint_eq(result.components, 0);
    times = -1000000;
    ck_assert_msg(gws_components_device_run(components, &result, &where) == GWS_OK, "%s", where.message);
    ck_assert_uint_eq(result.components, 33333);
    gws_components_device_close(components);
    gws_device_graph_close(on_device);
    gws_runtime_close(cancelled);
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{components_equal_those_of_threads, 1},
                                    {random_graphs, 1},
                                    {long_chains, 1},
                                    {refused, 1},
                                    {without_memory, 1},
                                    {cancelled_between_rounds, 1},
                                    {0}};
    return gws_test_run("strong components", test);
}

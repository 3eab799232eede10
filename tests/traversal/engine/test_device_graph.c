/* SPDX-License-Identifier: MIT */
/* Compares the arrays of a graph on a device with plain loops over the graph. The tests run on every device of this
 * machine, or on $GWS_TEST_DEVICE. */
#include "devices.h"

enum { max_rows = 1 << 16 };

static void *fetch(const struct gws_device_graph *on_device, enum gws_device_graph_array array, uint64_t bytes)
{
    return content_of(gws_device_graph_buffer(on_device, array), bytes);
}

/* ---- the content of arrays ---- */

static void check_array(const struct gws_device_graph *on_device, enum gws_device_graph_array array, const void *wanted,
                        uint64_t bytes)
{
    void *content = fetch(on_device, array, bytes);
    ck_assert_int_eq(bytes ? memcmp(content, wanted, bytes) : 0, 0);
    free(content);
}

static void check_rows(const struct gws_device_graph *on_device, const struct gws_graph *graph,
                       enum gws_device_graph_array offset)
{
    check_array(on_device, offset, graph->offset, (graph->vertices + 1) * 8);
    check_array(on_device, offset + 1, graph->target, graph->arcs * 4);
}

static uint32_t hub_of(const struct gws_graph *graph, const struct gws_graph *in, uint32_t vertex)
{
    uint32_t best = GWS_NO_VERTEX;
    for (uint64_t arc = in->offset[vertex]; arc < in->offset[vertex + (uint64_t)1]; arc++) {
        uint32_t other = in->target[arc];
        if (best == GWS_NO_VERTEX || gws_graph_degree(graph, other) > gws_graph_degree(graph, best)) best = other;
    }
    return best;
}

static void check_hubs(struct gws_device_graph *on_device, const struct gws_graph *graph, const struct gws_graph *in)
{
    ck_assert_uint_eq(gws_device_graph_candidates(on_device), graph->vertices);
    ck_assert_int_eq(gws_device_graph_prepare(on_device, GWS_INDEX_HUBS, NULL), GWS_OK);
    uint64_t words = (graph->vertices + 31) / 32, candidates = 0;
    uint32_t *hub = fetch(on_device, GWS_ARRAY_HUB, graph->vertices * 4);
    uint32_t *isolated = fetch(on_device, GWS_ARRAY_ISOLATED, words * 4);
    for (uint32_t v = 0; v < graph->vertices; v++) {
        bool none = gws_graph_degree(graph, v) == 0 && gws_graph_degree(in, v) == 0;
        if (hub[v] != hub_of(graph, in, v)) ck_abort_msg("vertex %u: hub %u", v, hub[v]);
        if ((isolated[v / 32] >> v % 32 & 1) != none) ck_abort_msg("vertex %u: isolated or not", v);
        candidates += gws_graph_degree(in, v) > 0;
    }
    ck_assert_uint_eq(gws_device_graph_candidates(on_device), candidates);
    free(hub);
    free(isolated);
}

/* Collects a vertex's targets from its rows of four. Returns their number. */
static uint64_t row_of(const uint32_t *mesh, const struct gws_graph *graph, uint64_t vertex, uint32_t *target)
{
    uint64_t count = 0;
    for (const uint32_t *row = mesh + 4 * vertex;; row = mesh + 4 * (graph->vertices + (row[3] & 0x7fffffff))) {
        bool more = row[3] != GWS_NO_VERTEX && row[3] >> 31;
        for (int i = 0; i < (more ? 3 : 4) && row[i] != GWS_NO_VERTEX; i++) target[count++] = row[i];
        if (!more) return count;
    }
}

static void check_mesh(struct gws_device_graph *on_device, const struct gws_graph *graph)
{
    if (!gws_device_graph_may(on_device, GWS_INDEX_MESH)) return;
    static uint32_t target[max_rows];
    ck_assert_int_eq(gws_device_graph_prepare(on_device, GWS_INDEX_MESH, NULL), GWS_OK);
    uint64_t bytes = gws_device_buffer_bytes(gws_device_graph_buffer(on_device, GWS_ARRAY_MESH));
    ck_assert(bytes % 16 == 0 && bytes / 16 >= graph->vertices);
    uint32_t *mesh = fetch(on_device, GWS_ARRAY_MESH, bytes);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        uint64_t count = row_of(mesh, graph, v, target);
        if (count != gws_graph_degree(graph, (uint32_t)v) ||
            memcmp(target, graph->target + graph->offset[v], count * 4) != 0)
            ck_abort_msg("vertex %llu: its row of four", (unsigned long long)v);
    }
    free(mesh);
}

/* ---- graphs of every shape ---- */

static void check_graph(const struct gws_graph *graph)
{
    const struct gws_graph *in = graph->directed ? graph->reverse : graph;
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    ck_assert(info->graph == graph && info->device == device && info->placement == GWS_PLACE_DEVICE && info->chosen);
    ck_assert_uint_eq(info->bytes, 0);
    ck_assert_int_eq(gws_device_graph_upload(on_device, NULL), GWS_OK);
    ck_assert_uint_eq(info->bytes, (graph->vertices + 1) * 8 + graph->arcs * 4);
    check_rows(on_device, graph, GWS_ARRAY_OFFSET);
    ck_assert(gws_device_graph_may(on_device, GWS_INDEX_HUBS) == (in != NULL));
    ck_assert(gws_device_graph_may(on_device, GWS_INDEX_REVERSE) == (graph->directed && in));
    if (in) check_hubs(on_device, graph, in);
    if (in) check_rows(on_device, in, GWS_ARRAY_IN_OFFSET); /* the device graph builds the hubs from these rows */
    check_mesh(on_device, graph);
    gws_device_graph_close(on_device);
}

DEVICE_TEST(arrays_hold_the_graph)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int arcs = 0; arcs < arc_kinds; arcs++) {
            if (!shape_runs(s)) continue;
            struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, (enum arcs)arcs);
            check_graph(graph);
            gws_graph_destroy(graph);
        }
}

/* ---- indexes ---- */

DEVICE_TEST(each_index_is_built_and_reported_once)
{
    const char *const name[GWS_INDEXES] = {"reverse", "hubs", "mesh"};
    struct gws_graph *graph = make_graph(grid, 1000, DIRECTED_WITH_REVERSE);
    struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = 0});
    struct gws_device_index_info info;
    for (int i = 0; i < GWS_INDEXES; i++)
        ck_assert(!gws_device_graph_index(on_device, (enum gws_device_index)i, &info));
    for (int i = 0; i < GWS_INDEXES; i++) {
        bool may = gws_device_graph_may(on_device, (enum gws_device_index)i);
        if (!may) continue;
        ck_assert_int_eq(gws_device_graph_prepare(on_device, (enum gws_device_index)i, NULL), GWS_OK);
        ck_assert(gws_device_graph_index(on_device, (enum gws_device_index)i, &info));
        ck_assert(strcmp(info.name, name[i]) == 0 && info.about[0] && info.prepare_ms > 0 && info.bytes >= 4000);
        double before = info.prepare_ms;
        ck_assert_int_eq(gws_device_graph_prepare(on_device, (enum gws_device_index)i, NULL), GWS_OK);
        ck_assert(gws_device_graph_index(on_device, (enum gws_device_index)i, &info) && info.prepare_ms == before);
    }
    gws_device_graph_close(on_device);
    gws_graph_destroy(graph);
}

DEVICE_TEST(indexes_can_be_left_out)
{
    struct gws_graph *graph = make_graph(grid, 1000, DIRECTED_WITH_REVERSE);
    struct gws_diagnostic where = {0};
    for (uint32_t without = 0; without <= GWS_INDEX_ALL; without++) {
        struct gws_device_graph *on_device = open_graph(graph, (struct gws_device_graph_options){.without = without});
        for (int i = 0; i < GWS_INDEXES; i++) {
            if (!(without & GWS_INDEX_SET(i))) continue;
            ck_assert(!gws_device_graph_may(on_device, (enum gws_device_index)i));
            ck_assert_int_eq(gws_device_graph_prepare(on_device, (enum gws_device_index)i, &where), GWS_UNSUPPORTED);
            ck_assert(where.message[0]);
        }
        /* The hubs of a directed graph come from its reverse. */
        ck_assert(gws_device_graph_may(on_device, GWS_INDEX_HUBS) ==
                  !(without & (GWS_INDEX_SET(GWS_INDEX_HUBS) | GWS_INDEX_SET(GWS_INDEX_REVERSE))));
        gws_device_graph_close(on_device);
    }
    gws_graph_destroy(graph);
}

/* ---- options and failures ---- */

DEVICE_TEST(options_are_held)
{
    struct gws_graph *graph = make_graph(grid, 1000, UNDIRECTED);
    struct gws_device_graph *on_device = NULL;
    const struct gws_device_graph_options wrong[] = {{.without = GWS_INDEX_ALL + 1},
                                                     {.placement = (enum gws_placement)(GWS_PLACE_HOST + 1)}};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(gws_device_graph_open(runtime, device, graph, &wrong[i], &on_device, NULL), GWS_INVALID);
        ck_assert_ptr_null(on_device);
    }
    ck_assert_int_eq(gws_device_graph_open(runtime, device, graph, NULL, &on_device, NULL), GWS_OK);
    gws_device_graph_close(on_device);
    bool reads_host = gws_device_describe(device)->svm >= GWS_SVM_FINE;
    on_device = open_graph(graph, (struct gws_device_graph_options){.memory = 1 << 15});
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    ck_assert(info->placement == (reads_host ? GWS_PLACE_HOST : GWS_PLACE_DEVICE));
    ck_assert(info->limited && info->memory == 1 << 15);
    gws_device_graph_close(on_device);
    on_device = open_graph(graph, (struct gws_device_graph_options){.placement = GWS_PLACE_HOST});
    ck_assert(gws_device_graph_describe(on_device)->bytes == 0 && !gws_device_graph_describe(on_device)->chosen);
    ck_assert_ptr_null(gws_device_graph_buffer(on_device, GWS_ARRAY_OFFSET));
    for (int i = 0; i < GWS_INDEXES; i++) ck_assert(!gws_device_graph_may(on_device, (enum gws_device_index)i));
    gws_device_graph_close(on_device);
    gws_device_graph_close(NULL);
    gws_graph_destroy(graph);
}

/* Makes the k-th allocation on the host fail, while the test opens the graph or builds the rows of a mesh. */
DEVICE_TEST(short_memory_is_reported)
{
    struct gws_graph *graph = make_graph(cycle, 1000, UNDIRECTED);
    const char *address = gws_device_describe(device)->address;
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        struct gws_options options = {.threads = 2, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *small = NULL;
        struct gws_device *other = NULL;
        struct gws_device_graph *on_device = NULL;
        ck_assert_int_eq(gws_runtime_open(&options, &small), GWS_OK);
        ck_assert_int_eq(gws_device_open(small, address, &(struct gws_device_options){.cache = ""}, &other, NULL),
                         GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        gws_status status = gws_device_graph_open(small, other, graph, NULL, &on_device, NULL);
        if (status == GWS_OK) status = gws_device_graph_prepare(on_device, GWS_INDEX_MESH, NULL);
        ck_assert_int_eq(status, atomic_load(&memory.failed) ? GWS_NO_MEMORY : GWS_OK);
        bool built = on_device && gws_device_graph_buffer(on_device, GWS_ARRAY_MESH);
        ck_assert(built == (status == GWS_OK));
        gws_device_graph_close(on_device);
        gws_device_close(other);
        gws_runtime_close(small);
        gws_test_memory_check(&memory);
        if (status == GWS_OK) break;
    }
    gws_graph_destroy(graph);
}

int main(void)
{
    const struct gws_test test[] = {{arrays_hold_the_graph, 1},    {each_index_is_built_and_reported_once, 1},
                                    {indexes_can_be_left_out, 1},  {options_are_held, 1},
                                    {short_memory_is_reported, 1}, {0}};
    return gws_test_run("device_graph", test);
}

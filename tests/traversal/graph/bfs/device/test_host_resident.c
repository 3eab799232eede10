/* SPDX-License-Identifier: MIT */
/* Searches of host-resident graphs by CPU workers and a device (traversal/graph/bfs/device/host_resident.h), on every
 * device of this machine that shares memory with the host. The checker and gws_bfs() verify every result. */
#include "../../../../lib/device/devices.h"

#include "../../../../../traversal/graph/bfs/device/host_resident.h"
#include "searches.h"

static struct gws_runtime *workers;
static const struct gws_device_graph_options with_host = {.placement = GWS_PLACE_HOST};

/* Removes every third arc, so the graph becomes directed. The result has no reverse. */
static struct gws_graph *make_directed(struct gws_graph *graph)
{
    struct gws_graph *directed = NULL;
    struct gws_edge *edge = malloc(graph->arcs * sizeof *edge + 1);
    uint64_t edges = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
            if (a % 3 != 0) edge[edges++] = (struct gws_edge){v, graph->target[a]};
    struct gws_edge_block block = {.edge = edge, .count = edges};
    struct gws_edges all = {graph->vertices, 1, &block};
    ck_assert_int_eq(gws_graph_build(workers, &all, NULL, &directed), GWS_OK);
    ck_assert(directed->directed);
    free(edge);
    gws_graph_destroy(graph);
    return directed;
}

static struct gws_graph *open_graph(const char *description, bool directed)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(workers, description, &graph, NULL), GWS_OK);
    if (!directed) return graph;
    graph = make_directed(graph);
    ck_assert_int_eq(gws_graph_add_reverse(workers, graph), GWS_OK);
    return graph;
}

static void check_result(const struct gws_graph *graph, uint32_t source, const struct gws_bfs_result *result)
{
    struct gws_bfs_result plain = {0};
    struct gws_diagnostic where = {0};
    ck_assert_int_eq(gws_bfs(workers, graph, source, NULL, &plain), GWS_OK);
    ck_assert_msg(gws_bfs_check(workers, graph, result, &where) == GWS_OK, "%s", where.message);
    ck_assert_uint_eq(result->levels, plain.levels);
    ck_assert_uint_eq(result->reached, plain.reached);
    ck_assert_uint_eq(result->reached_arcs, plain.reached_arcs);
    ck_assert_mem_eq(result->depth, plain.depth, graph->vertices * 4);
    gws_bfs_result_clear(&plain);
}

static uint64_t longest_row(const struct gws_graph *graph)
{
    uint64_t longest = 0;
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (gws_graph_degree(graph, v) > longest) longest = gws_graph_degree(graph, v);
    return longest;
}

/* Checks that the device caches words until the next row does not fit, and that the cached words do not exceed the
 * budget. */
static void within_budget(const struct gws_bfs_device *search, uint64_t held)
{
    const struct gws__host_resident *state = search->own;
    const struct gws_graph *graph = search->graph;
    const struct gws__split_rows *out = &state->rows, *in = &state->in_rows;
    bool both = graph->directed && search->options.direction != GWS_BFS_TOP_DOWN, arcs = search->budgeted;
    uint64_t min = gws__host_resident_min(search), left = search->memory - min;
    uint64_t cached = out->base[out->blocks * gws__row_parts];
    uint64_t all = graph->arcs * (both ? 2 : 1), longest = longest_row(graph);
    held -= min;
    ck_assert(both == (in->graph != NULL));
    if (both) cached += in->base[in->blocks * gws__row_parts];
    if (both && longest < longest_row(graph->reverse)) longest = longest_row(graph->reverse);
    ck_assert_uint_le(held, left);
    ck_assert_uint_eq(held, cached * 4);
    ck_assert_uint_le(cached, all);
    if (!arcs) ck_assert_uint_eq(cached, 0);
    /* The device caches only the reverse's rows for bottom-up searches. */
    if (arcs && search->options.direction == GWS_BFS_BOTTOM_UP) all = graph->arcs;
    if (arcs && cached < all) ck_assert_uint_lt(left - held, longest * 4 + 4);
}

/* Returns the minimal device memory of a search that is not open yet. */
static uint64_t min_of(const struct gws_graph *graph, struct gws_bfs_device_options options)
{
    struct gws_bfs_device search = {.graph = graph, .in = graph->directed ? graph->reverse : graph, .options = options};
    return gws__host_resident_min(&search);
}

/* Searches from a few sources. capacity: bytes for cached rows, 0: none. */
static void search(struct gws_device *device, const struct gws_graph *graph, struct gws_bfs_device_options options,
                   uint64_t capacity, uint32_t sources)
{
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    struct gws_diagnostic where = {0};
    uint64_t before = gws_device_memory_held(device);
    struct gws_device_graph_options placing = {.placement = GWS_PLACE_HOST,
                                               .memory = capacity > 0 ? min_of(graph, options) + capacity : 0};
    gws_status status = search_open_at(workers, device, graph, &placing, &options, &search, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    within_budget(search, gws_device_memory_held(device) - before);
    for (uint32_t i = 0; i < sources; i++) {
        uint32_t source = (uint32_t)(graph->vertices * i / sources);
        status = search_run(search, source, &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
        check_result(graph, source, &result);
        const struct gws__range_stats *stats = &((const struct gws__host_resident *)search->own)->range.stats;
        ck_assert_uint_ge(stats->cpu_chunks + stats->device_chunks, stats->chunks);
        if (options.threshold == 1) ck_assert_uint_ge(stats->ranges, result.levels - 1);
        if (!options.cpu) ck_assert_uint_eq(stats->cpu_chunks, 0);
    }
    ck_assert_int_eq(search_run(search, (uint32_t)graph->vertices, &result, NULL), GWS_OUT_OF_RANGE);
    gws_bfs_result_clear(&result);
    search_close(search);
}

static void search_all(const char *address)
{
    static const struct {
        const char *description;
        bool directed;
    } shape[] = {
        {"kron:10", false}, {"uniform:9:4", true}, {"grid:13x7", false}, {"road:400", false}, {"kron:9:3", true}};
    static const enum gws_bfs_direction direction[] = {GWS_BFS_AUTO, GWS_BFS_TOP_DOWN, GWS_BFS_BOTTOM_UP};
    struct gws_device *device = device_at(address, NULL);
    const struct gws_device_info *info = gws_device_describe(device);
    bool gpu = info->type == GWS_DEVICE_GPU;
    if (info->svm < GWS_SVM_FINE) {
        printf("skipped: %s shares no memory with the host\n", address);
        gws_device_close(device);
        return;
    }
    for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++) {
        struct gws_graph *graph = open_graph(shape[s].description, shape[s].directed);
        /* A CPU device competes with the workers for cores, so the test runs only every fourth variant there. */
        for (uint32_t variant = gpu ? 0 : (uint32_t)s % 4; variant < 12; variant += gpu ? 1 : 4) {
            struct gws_bfs_device_options options = {.threshold = variant % 2 ? 300 : 1,
                                                     .chunk = 64,
                                                     .direction = direction[variant % 3],
                                                     .cpu = variant / 6 % 2 == 0,
                                                     .groups = gpu ? 0 : 1,
                                                     .group_size = gpu ? 64 : variant / 3 % 2 + 1};
            uint64_t capacity = variant % 4 == 3 ? (uint64_t)1 << 24 : variant % 4 == 2 ? 9000 : 0;
            if (!options.cpu) options.threshold = 1;
            search(device, graph, options, capacity, gpu ? 8 : 1);
        }
        gws_graph_destroy(graph);
    }
    gws_device_close(device);
}

START_TEST(searches_are_right)
{
    open_runtime();
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        struct gws_options options = {.threads = threads};
        ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
        for_each_device("", search_all);
        gws_runtime_close(workers);
    }
    close_runtime();
}
END_TEST

/* Searches without the reverse. Such a search cannot recognise vertices that have incoming arcs only. */
static void search_without_reverse(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    bool able = gws_device_describe(device)->svm >= GWS_SVM_FINE;
    for (uint32_t variant = 0; able && variant < 2; variant++) {
        struct gws_graph *graph = make_directed(open_graph("road:300", false));
        struct gws_bfs_device_options options = {.threshold = variant ? 1 << 30 : 1,
                                                 .cpu = true,
                                                 .chunk = 64,
                                                 .group_size = 2,
                                                 .groups = 1,
                                                 .direction = GWS_BFS_TOP_DOWN};
        search(device, graph, options, 0, 4);
        gws_graph_destroy(graph);
    }
    gws_device_close(device);
}

START_TEST(sinks_are_found_without_a_reverse)
{
    struct gws_options options = {.threads = 2};
    open_runtime();
    ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
    for_each_device("", search_without_reverse);
    gws_runtime_close(workers);
    close_runtime();
}
END_TEST

/* Searches with budgets that allow the device to cache a part of the words. */
static void search_cached(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    bool able = gws_device_describe(device)->svm >= GWS_SVM_FINE;
    for (int directed = 0; able && directed < 2; directed++) {
        struct gws_graph *graph = open_graph("kron:9", directed != 0);
        uint64_t bounds = gws__split_rows_bound_bytes(graph) * (directed ? 2 : 1);
        for (uint64_t capacity = bounds / 5; capacity < bounds * 12; capacity = capacity * 2 + 4) {
            struct gws_bfs_device_options options = {
                .cpu = true, .threshold = 1, .chunk = 64, .group_size = 2, .groups = 1};
            search(device, graph, options, capacity, 1);
        }
        gws_graph_destroy(graph);
    }
    gws_device_close(device);
}

START_TEST(rows_are_cached_within_a_budget)
{
    struct gws_options options = {.threads = 2};
    open_runtime();
    ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
    for_each_device("", search_cached);
    gws_runtime_close(workers);
    close_runtime();
}
END_TEST

/* Searches a graph that has more words than one transfer holds. */
static void send_blocks(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    if (gws_device_describe(device)->svm >= GWS_SVM_FINE) {
        struct gws_graph *graph = open_graph("uniform:17:17", false);
        struct gws_bfs_device_options options = {.cpu = true, .groups = 1, .threshold = 1};
        ck_assert_uint_gt(graph->arcs * 4, 1 << 24);
        search(device, graph, options, graph->arcs * 4 + 100, 1);
        gws_graph_destroy(graph);
    }
    gws_device_close(device);
}

START_TEST(many_words_go_in_pieces)
{
    struct gws_options options = {.threads = 2};
    if (gws_test_quick()) return;
    open_runtime();
    ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
    for_each_device("", send_blocks);
    gws_runtime_close(workers);
    close_runtime();
}
END_TEST

static void refuse(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_graph *graph = open_graph("grid:5x5", false);
    struct gws_bfs_device *search = NULL;
    struct gws_diagnostic where = {0};
    struct gws_bfs_device_options bad[] = {{.group_size = 3}, {.groups = 50000}};
    bool able = gws_device_describe(device)->svm >= GWS_SVM_FINE;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gws_status status = search_open_at(workers, device, graph, &with_host, &bad[i], &search, &where);
        ck_assert_int_eq(status, able || i == 0 ? GWS_INVALID : GWS_UNSUPPORTED);
        ck_assert(where.message[0] != '\0' && !search);
    }
    gws_graph_destroy(graph);
    gws_device_close(device);
}

START_TEST(wrong_options_are_refused)
{
    struct gws_options options = {.threads = 1};
    open_runtime();
    ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
    for_each_device("", refuse);
    gws_runtime_close(workers);
    close_runtime();
}
END_TEST

/* ---- by the public functions ---- */

static gws_status open_at(struct gws_device *device, const struct gws_graph *graph,
                          struct gws_device_graph_options placing, struct gws_bfs_device_options options,
                          struct gws_bfs_device **search)
{
    struct gws_diagnostic where = {0};
    gws_status status = search_open_at(workers, device, graph, &placing, &options, search, &where);
    ck_assert_msg(status == GWS_OK || status == GWS_NO_MEMORY || where.message[0] != '\0', "no message");
    return status;
}

/* Checks the statistics. Every task that ran was made or stolen. Both sides together ran at least all tasks. */
static void add_up(const struct gws_bfs_device *search, bool cpu)
{
    static struct gws_bfs_device_stats stats[64];
    uint64_t ran[2] = {0}, given = 0;
    ck_assert_uint_le(gws_bfs_device_workers(search), 64);
    gws_bfs_device_stats(search, stats);
    for (uint32_t w = 0; w < gws_bfs_device_workers(search); w++) {
        ran[stats[w].gpu] += stats[w].did.run;
        given += stats[w].did.made;
        ck_assert_uint_le(stats[w].did.stolen_from_cpu + stats[w].did.stolen_from_device, stats[w].did.run);
        ck_assert_uint_eq(stats[w].gpu ? stats[w].did.stolen_from_device : stats[w].did.stolen_from_cpu, 0);
    }
    ck_assert_uint_ge(ran[0] + ran[1] + 64, given);
    ck_assert(cpu || ran[0] == 0);
}

/* Checks the reported counts of cached rows. */
static void check_cached(const struct gws_bfs_device *search, const struct gws_graph *graph, uint64_t memory)
{
    struct gws_bfs_device_cached cached = {0};
    ck_assert(gws_bfs_device_cached(search, &cached));
    ck_assert_uint_eq(cached.all_arcs, graph->arcs);
    ck_assert_uint_eq(cached.bound_bytes, gws__split_rows_bound_bytes(graph));
    ck_assert((cached.arcs > 0) == (memory > 0) && (cached.rows > 0) == (memory > 0));
    ck_assert_uint_le(cached.whole_rows, cached.rows);
    ck_assert_uint_le(cached.rows, cached.arcs);
    if (memory > 0) ck_assert_uint_le(cached.arcs * 4 + cached.bound_bytes + graph->vertices * 4, memory);
}

static void search_publicly(struct gws_device *device, const struct gws_graph *graph,
                            struct gws_device_graph_options placing, struct gws_bfs_device_options options, bool joint)
{
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_result result = {0};
    struct gws_diagnostic where = {0};
    options.groups = 1;
    ck_assert_int_eq(open_at(device, graph, placing, options, &search), GWS_OK);
    ck_assert_int_eq(gws_bfs_device_form(search), GWS_BFS_FORM_HOST_RESIDENT);
    check_cached(search, graph, placing.memory);
    gws_status status = search_run(search, 3, &result, &where);
    ck_assert_msg(status == GWS_OK, "%s", where.message);
    check_result(graph, 3, &result);
    add_up(search, joint);
    gws_bfs_result_clear(&result);
    search_close(search);
}

static void refuse_publicly(struct gws_device *device, const struct gws_graph *graph)
{
    struct gws_bfs_device *search = NULL;
    struct gws_bfs_device_options steal = {.cpu = true, .steal = GWS_BFS_STEAL_CPU}, none = {.cpu = false};
    struct gws_bfs_device_options order = {.order = GWS_BFS_SEQ_CST}, form = {.cpu = true, .strategy = GWS_BFS_SHARED};
    struct gws_device_graph_options small = {.placement = GWS_PLACE_HOST, .memory = 100}, odd = {.placement = 7};
    ck_assert_int_eq(open_at(device, graph, with_host, steal, &search), GWS_UNSUPPORTED);
    ck_assert_int_eq(open_at(device, graph, with_host, order, &search), GWS_UNSUPPORTED);
    ck_assert_int_eq(open_at(device, graph, with_host, form, &search), GWS_UNSUPPORTED);
    ck_assert_int_eq(open_at(device, graph, small, none, &search), GWS_TOO_LARGE);
    ck_assert_int_eq(open_at(device, graph, odd, none, &search), GWS_INVALID);
    ck_assert_ptr_null(search);
}

static void go_publicly(const char *address)
{
    struct gws_device *device = device_at(address, NULL);
    struct gws_graph *graph = open_graph("kron:9", false);
    struct gws_bfs_device *search = NULL;
    const struct gws_bfs_device_options device_only = {.cpu = false};
    if (gws_device_describe(device)->svm < GWS_SVM_FINE) {
        ck_assert_int_eq(open_at(device, graph, with_host, device_only, &search), GWS_UNSUPPORTED);
    } else if (strcmp(gws_runtime_policy(workers), "chunked") != 0 &&
               strcmp(gws_runtime_policy(workers), "coarse") != 0) {
        ck_assert_int_eq(open_at(device, graph, with_host, device_only, &search), GWS_UNSUPPORTED);
    } else {
        bool coarse = strcmp(gws_runtime_policy(workers), "coarse") == 0;
        search_publicly(device, graph, with_host, (struct gws_bfs_device_options){.cpu = true, .threshold = 1},
                        !coarse);
        search_publicly(device, graph, with_host, device_only, false);
        /* the budget suffices for the bounds but not for the rows */
        search_publicly(device, graph, (struct gws_device_graph_options){.memory = 14000},
                        (struct gws_bfs_device_options){.cpu = true, .chunk = 70, .threshold = 1}, !coarse);
        if (!coarse) refuse_publicly(device, graph);
    }
    gws_graph_destroy(graph);
    gws_device_close(device);
}

START_TEST(the_public_door_leads_here)
{
    static const char *const policy[] = {"chunked", "coarse", "abp", "static", "cursor"};
    open_runtime();
    for (size_t p = 0; p < sizeof policy / sizeof policy[0]; p++) {
        struct gws_options options = {.threads = 2, .policy = policy[p]};
        ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
        for_each_device("", go_publicly);
        gws_runtime_close(workers);
    }
    close_runtime();
}
END_TEST

/* Fails the k-th allocation. Checks that nothing leaks and that the outputs stay unchanged. */
static void run_short(const char *address)
{
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_bfs_device *search = NULL;
        struct gws_bfs_result result = {0};
        ck_assert_int_eq(gws_runtime_open(&options, &workers), GWS_OK);
        struct gws_device *device = device_at(address, NULL);
        struct gws_graph *graph = open_graph("grid:9x7", false);
        struct gws_bfs_device_options small = {.cpu = true, .chunk = 64, .threshold = 1, .group_size = 1, .groups = 1};
        struct gws_device_graph_options placing = {.placement = GWS_PLACE_HOST, .memory = min_of(graph, small) + 100};
        bool able = gws_device_describe(device)->svm >= GWS_SVM_FINE;
        memory.fail_at = able ? atomic_load(&memory.calls) + k : 0;
        gws_status status = able ? search_open_at(workers, device, graph, &placing, &small, &search, NULL) : GWS_OK;
        if (status == GWS_OK && able) status = search_run(search, 0, &result, NULL);
        if (memory.failed) ck_assert_int_eq(status, GWS_NO_MEMORY);
        if (status != GWS_OK) ck_assert(result.depth == NULL);
        memory.fail_at = 0;
        if (search && memory.failed) { /* the next search must succeed */
            ck_assert_int_eq(search_run(search, 0, &result, NULL), GWS_OK);
            ck_assert_int_eq(gws_bfs_check(workers, graph, &result, NULL), GWS_OK);
        }
        gws_bfs_result_clear(&result);
        search_close(search);
        gws_graph_destroy(graph);
        gws_device_close(device);
        gws_runtime_close(workers);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
}

START_TEST(short_of_memory)
{
    open_runtime();
    for_each_device("", run_short);
    close_runtime();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{searches_are_right, 1},
                                    {sinks_are_found_without_a_reverse, 1},
                                    {rows_are_cached_within_a_budget, 1},
                                    {many_words_go_in_pieces, 1},
                                    {wrong_options_are_refused, 1},
                                    {the_public_door_leads_here, 1},
                                    {short_of_memory, 1},
                                    {0}};
    return gws_test_run("search in the host's memory", test);
}

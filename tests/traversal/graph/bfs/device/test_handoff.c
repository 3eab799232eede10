/* SPDX-License-Identifier: MIT */
/* Searches with handoff between a device and a CPU thread (traversal/graph/bfs/device/handoff.h). A serial search
 * emulates the device by kernels/hetero/handoff_words.h. The tests also run on the OpenCL and CUDA devices of this
 * machine. */
#include "../shapes.h"
#include "searches.h"

#include <math.h>

#include "../../../../../lib/device/kind.h"
#include "../../../../../traversal/graph/bfs/device/handoff.h"
#include "../../../../lib/device/drivers.h"

/* ---- the emulated device ---- */

struct emulator {
    struct gws__bfs_handoff *handoff;
    struct gws_bfs_result *result; /* the device's arrays */
    uint64_t *visited;
    uint32_t *queue, source;
    double level_ns, step_ns, handoff_ns, spent_ns; /* costs of a level, a step and a handoff, and the cost so far */
};

static bool claim(uint64_t *visited, uint32_t vertex)
{
    uint64_t bit = (uint64_t)1 << vertex % 64, before = visited[vertex / 64];
    visited[vertex / 64] |= bit;
    return (before & bit) == 0;
}

static void set_vertex(struct emulator *emulator, uint32_t vertex, uint32_t parent, uint32_t depth)
{
    emulator->result->depth[vertex] = depth;
    emulator->result->parent[vertex] = parent;
}

/* Fills queue[0 ..] with the source or the host's frontier. */
static uint32_t begin(struct emulator *emulator, uint64_t words)
{
    const struct gws__bfs_handoff *handoff = emulator->handoff;
    const struct gws__handoff_rule *rule = &handoff->rule;
    if (!rule->resumes) {
        memset(emulator->visited, 0, words * 8);
        memset(emulator->result->depth, 0xff, words * 256);
        memset(emulator->result->parent, 0xff, words * 256);
        claim(emulator->visited, emulator->source);
        set_vertex(emulator, emulator->source, emulator->source, 0);
        emulator->queue[0] = emulator->source;
        return 1;
    }
    memcpy(emulator->visited, handoff->visited, words * 8);
    for (uint32_t i = 0; i < rule->from.size; i++) {
        uint32_t vertex = emulator->queue[i] = handoff->list[i][0];
        ck_assert_uint_lt(handoff->list[i][1], handoff->graph->vertices);
        ck_assert(claim(emulator->visited, vertex) == handoff->claims);
        if (handoff->claims) set_vertex(emulator, vertex, handoff->list[i][1], rule->from.level);
    }
    return rule->from.size;
}

static uint64_t arcs_of(const struct gws_graph *graph, const uint32_t *vertex, uint32_t count)
{
    uint64_t arcs = 0;
    for (uint32_t i = 0; i < count; i++) arcs += gws_graph_degree(graph, vertex[i]);
    return arcs;
}

/* Publishes the frontier with a hole in the list, as the mesh kernel does. */
static void publish(struct emulator *emulator, const uint32_t *frontier, struct gws__handoff_state state)
{
    struct gws__bfs_handoff *handoff = emulator->handoff;
    handoff->list[0][0] = GWS_NO_VERTEX;
    for (uint32_t i = 0; i < state.at.size; i++)
        handoff->list[i + 1][0] = frontier[i], handoff->list[i + 1][1] = GWS_NO_VERTEX;
    memcpy(handoff->visited, emulator->visited, (handoff->graph->vertices + 63) / 64 * 8);
    state.entries = state.at.size + 1;
    state.handed_off = 1;
    *handoff->state = state;
}

static gws_status run_device(void *context, struct gws_diagnostic *where)
{
    (void)where;
    struct emulator *emulator = context;
    struct gws__bfs_handoff *handoff = emulator->handoff;
    const struct gws_graph *graph = handoff->graph;
    const struct gws__handoff_rule *rule = &handoff->rule;
    uint64_t words = (graph->vertices + 63) / 64;
    uint32_t *from = emulator->queue, size = begin(emulator, words), level = rule->resumes ? rule->from.level : 0,
             small = 0;
    uint32_t reached = rule->resumes ? rule->from.reached : 1;
    double lost = 0, small_ns = 0;
    while (size > 0) {
        uint64_t arcs = arcs_of(graph, from, size);
        bool few = arcs < GWS_HANDOFF_CAPACITY;
        if (size > rule->wide) lost = 0;
        if (few) lost += rule->level_loss + rule->vertex_loss * (double)size + rule->arc_loss * (double)arcs;
        if (lost < 0) lost = 0;
        if (few && (lost > rule->limit || small >= rule->max)) {
            publish(emulator, from,
                    (struct gws__handoff_state){.at = {.level = level, .size = size, .reached = reached}});
            break;
        }
        if (rule->timed && !few) break; /* a timed launch ends after this level */
        small += few;
        uint32_t found = 0;
        for (uint32_t i = 0; i < size; i++)
            for (uint64_t a = graph->offset[from[i]]; a < graph->offset[from[i] + 1]; a++)
                if (claim(emulator->visited, graph->target[a])) {
                    set_vertex(emulator, graph->target[a], from[i], level + 1);
                    from[size + found++] = graph->target[a];
                }
        double spent = emulator->level_ns + emulator->step_ns * (double)(size + arcs);
        emulator->spent_ns += spent;
        small_ns += few ? spent : 0;
        if (emulator->result->level) emulator->result->level[level].size = size;
        from += size;
        size = found;
        reached += found;
        level++;
    }
    emulator->spent_ns += emulator->handoff_ns / 2;
    handoff->state->ticks[0] = 100;
    handoff->state->ticks[1] = 200;
    handoff->state->ticks[2] = 200 + (uint64_t)(small_ns * 2);
    handoff->state->ticks[3] = 2100;
    handoff->state->ns[0] = 7000;
    handoff->state->ns[1] = 8000;
    emulator->result->levels = level;
    emulator->result->reached = reached;
    return GWS_OK;
}

/* ---- searches ---- */

struct run {
    struct gws_runtime *runtime;
    struct gws__bfs_handoff handoff;
    struct gws__handoff_state state;
    struct gws_bfs_result result;
    struct emulator emulator;
};

static struct run *open_run(const struct gws_graph *graph)
{
    struct run *run = calloc(1, sizeof *run);
    uint64_t capacity = (graph->vertices + 63) / 64 * 64;
    run->runtime = open_runtime(NULL, 1, 0);
    ck_assert_int_eq(gws__bfs_handoff_open(run->runtime, graph, &run->handoff), GWS_OK);
    run->handoff.state = &run->state;
    run->handoff.list = malloc((GWS_HANDOFF_CAPACITY + 1) * sizeof *run->handoff.list);
    run->handoff.visited = calloc(capacity / 64, 8);
    run->handoff.counts_arcs = true;
    run->result.vertices = graph->vertices;
    run->result.depth = malloc(capacity * 4);
    run->result.parent = malloc(capacity * 4);
    run->result.level = calloc(capacity + 1, sizeof *run->result.level);
    /* A launch adds at most one queue entry per vertex, and the frontier may appear twice. */
    run->emulator = (struct emulator){
        &run->handoff, &run->result, calloc(capacity / 64, 8), malloc(2 * capacity * 4), 0, 0, 0, 0, 0};
    return run;
}

static void close_run(struct run *run)
{
    free(run->handoff.list);
    free(run->handoff.visited);
    free(run->result.depth);
    free(run->result.parent);
    free(run->result.level);
    free(run->emulator.visited);
    free(run->emulator.queue);
    gws__bfs_handoff_close(&run->handoff);
    gws_runtime_close(run->runtime);
    free(run);
}

static void search_from(struct run *run, uint32_t source)
{
    struct gws__bfs_handoff *handoff = &run->handoff;
    run->emulator.source = run->result.source = source;
    run->emulator.spent_ns = 0;
    gws__handoff_reset_stats(&handoff->base);
    gws__bfs_handoff_begin(handoff);
    do {
        memset(&run->state, 0, sizeof run->state);
        (void)run_device(&run->emulator, NULL);
    } while (run->state.handed_off && gws__bfs_handoff_run(handoff));
    if (run->state.handed_off) {
        run->result.levels = handoff->at.level;
        run->result.reached = handoff->at.reached;
    }
    gws__bfs_handoff_commit(handoff, &run->result);
}

static void check(const struct gws_graph *graph, struct run *run)
{
    struct oracle oracle = oracle_new(graph, run->result.source);
    struct gws_diagnostic where = {0};
    run->result.reached_arcs = oracle.arcs; /* the caller sums the arcs */
    compare(graph, run->result.source, &oracle, &run->result);
    ck_assert_msg(gws_bfs_check(run->runtime, graph, &run->result, &where) == GWS_OK, "%s", where.message);
    oracle_free(&oracle);
}

/* Maximal numbers of levels on the host and on the device before a handoff. */
static const uint32_t limits[][2] = {{1, 1},          {2, 3}, {UINT32_MAX, 1},
                                     {1, UINT32_MAX}, {5, 2}, {UINT32_MAX, UINT32_MAX}};
enum { limit_count = sizeof limits / sizeof *limits };

START_TEST(passed_at_any_level)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    const int step = gws_test_quick() ? 5 : 1; /* in a quick run graphs share the variants */
    for (int variant = _i % step; variant < 2 * limit_count; variant += step) {
        struct run *run = open_run(graph);
        run->handoff.claims = variant % 2 != 0;
        run->handoff.base.max_host = limits[variant / 2][0];
        run->handoff.base.max_device = limits[variant / 2][1];
        for (uint32_t source = 0; source < graph->vertices; source += (uint32_t)graph->vertices / 3 + 1) {
            search_from(run, source);
            check(graph, run);
            uint64_t passes = run->handoff.base.model.handoffs, levels = run->result.levels;
            if (run->handoff.base.max_device == UINT32_MAX) ck_assert_uint_eq(passes, 0);
            if (variant / 2 == 0 && levels > 2) ck_assert_uint_ge(passes, levels - 2); /* the two sides alternate */
            if (variant / 2 == 2 && levels > 1 && graph->arcs < GWS_HANDOFF_CAPACITY)
                ck_assert_uint_eq(run->handoff.base.model.host_levels, levels - 1);
        }
        close_run(run);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* Makes a graph of a long path, a dense part and another long path. The device runs only the dense part. */
static void lollipops(struct edges *edges, uint64_t n)
{
    uint64_t tail = n / 3, seed = 5;
    for (uint64_t v = 1; v < n; v++)
        if (v <= tail || v >= n - tail) add(edges, v - 1, v);
    for (uint64_t i = 0; i < 8 * tail; i++) {
        uint64_t from = tail + gws_random_next(&seed) % (n - 2 * tail);
        add(edges, from, tail + gws_random_next(&seed) % (n - 2 * tail));
    }
}

static struct run *open_priced(const struct gws_graph *graph, double host, double device, double pass)
{
    struct run *run = open_run(graph);
    run->handoff.base.model = (struct gws_handoff_model){.host_level_ns = 10,
                                                         .host_step_ns = host,
                                                         .device_level_ns = 2000,
                                                         .device_step_ns = device,
                                                         .handoff_ns = pass};
    run->emulator.level_ns = 2000;
    run->emulator.step_ns = device;
    run->emulator.handoff_ns = pass;
    return run;
}

START_TEST(tails_go_to_the_host)
{
    struct gws_graph *graph = make_graph(lollipops, 30000, UNDIRECTED);
    struct run *run = open_priced(graph, 50, 0.1, 20000);
    search_from(run, 0);
    check(graph, run);
    ck_assert_uint_eq(run->handoff.base.model.handoffs, 3);
    run->handoff.base.pays = false;
    gws__bfs_handoff_commit(&run->handoff, &run->result);
    ck_assert(run->handoff.base.pays);
    ck_assert_uint_ge(run->handoff.base.model.host_levels, run->result.levels - 60);
    ck_assert_uint_le(run->handoff.base.model.host_vertices, 21000);
    close_run(run);
    graph = (gws_graph_destroy(graph), generate("kron:12"));
    run = open_priced(graph, 50, 0.1, 20000);
    search_from(run, 1);
    check(graph, run);
    ck_assert_uint_eq(run->handoff.base.model.handoffs, 0);
    gws__bfs_handoff_commit(&run->handoff, &run->result);
    ck_assert(!run->handoff.base.pays);
    close_run(run);
    gws_graph_destroy(graph);
}
END_TEST

/* Returns the cost of running all levels on the host. */
static double host_cost(const struct gws_graph *graph, const struct run *run)
{
    double cost = 0;
    for (uint32_t i = 0; i < run->result.levels; i++) cost += run->handoff.base.model.host_level_ns;
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (run->result.depth[v] != GWS_NO_VERTEX)
            cost += run->handoff.base.model.host_step_ns * (double)(1 + gws_graph_degree(graph, (uint32_t)v));
    return cost;
}

static double handoff_cost(const struct gws_graph *graph, const struct run *run)
{
    const struct gws_handoff_model *model = &run->handoff.base.model;
    double cost = run->emulator.spent_ns + (double)model->host_levels * model->host_level_ns;
    uint32_t *ran = calloc(run->result.levels + 1, sizeof *ran);
    for (uint64_t i = 0; i < model->host_levels; i++) ran[run->handoff.ran[i].level] = 1;
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (run->result.depth[v] != GWS_NO_VERTEX && ran[run->result.depth[v]])
            cost += model->host_step_ns * (double)(1 + gws_graph_degree(graph, (uint32_t)v));
    free(ran);
    return cost;
}

/* Any sequence of levels costs at most three times as much as on the better side, plus one handoff. The rule cannot be
 * optimal, because later levels are unknown. */
START_TEST(loses_little)
{
    static const double price[][3] = {{50, 0.1, 20000}, {300, 1, 5000}, {20, 1, 100000}, {1000, 0.01, 3000}};
    const struct shape *shape = &shapes[_i];
    struct gws_graph *graph = _i < shape_count ? make_graph(shape->make, shape->vertices, UNDIRECTED)
                                               : make_graph(lollipops, 9000, UNDIRECTED);
    for (int p = 0; p < 4; p++) {
        struct run *run = open_priced(graph, price[p][0], price[p][1], price[p][2]);
        run->emulator.handoff_ns = 0;
        run->handoff.base.model.handoff_ns = INFINITY;
        search_from(run, 0);
        double device = run->emulator.spent_ns, host = host_cost(graph, run);
        run->handoff.base.model.handoff_ns = run->emulator.handoff_ns = price[p][2];
        search_from(run, 0);
        check(graph, run);
        double best = device < host ? device : host, cost = handoff_cost(graph, run);
        ck_assert_msg(cost <= 3 * best + 2 * price[p][2], "%g where one side takes %g", cost, best);
        close_run(run);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* ---- the model ---- */

START_TEST(draws_the_device_s_line)
{
    struct gws_graph *graph = generate(_i ? "kron:12" : "road:5000");
    struct run *run = open_run(graph);
    free(run->result.level);
    run->result.level = NULL; /* the trial records no levels */
    run->handoff.claims = _i == 0;
    run->emulator.level_ns = 1800;
    run->emulator.step_ns = 0.75;
    ck_assert_int_eq(gws__bfs_handoff_calibrate(&run->handoff, run_device, &run->emulator, NULL), GWS_OK);
    const struct gws_handoff_model *model = &run->handoff.base.model;
    ck_assert_double_eq_tol(model->device_level_ns, 1800, 20);
    ck_assert_double_eq_tol(model->device_step_ns, 0.75, 0.05);
    ck_assert(model->host_level_ns >= 0 && model->host_step_ns >= 0 && isfinite(model->handoff_ns));
    ck_assert(!run->handoff.base.timed);
    close_run(run);
    gws_graph_destroy(graph);
}
END_TEST

static gws_status refuse(void *context, struct gws_diagnostic *where)
{
    (void)context;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "gone");
}

START_TEST(a_device_that_fails)
{
    struct gws_graph *graph = generate("grid:20x20"), *bare = make_graph(nothing, 100, UNDIRECTED);
    struct run *run = open_run(graph);
    ck_assert_int_eq(gws__bfs_handoff_calibrate(&run->handoff, refuse, NULL, NULL), GWS_DEVICE);
    ck_assert(isinf(run->handoff.base.model.handoff_ns));
    close_run(run);
    run = open_run(bare); /* without arcs the calibration has nothing to measure and does not call launch() */
    ck_assert_int_eq(gws__bfs_handoff_calibrate(&run->handoff, refuse, NULL, NULL), GWS_OK);
    ck_assert(isinf(run->handoff.base.model.handoff_ns));
    close_run(run);
    gws_graph_destroy(graph);
    gws_graph_destroy(bare);
}
END_TEST

START_TEST(short_of_memory)
{
    struct gws_graph *graph = generate("grid:20x20");
    for (uint64_t k = 1;; k += gws_test_step()) {
        struct gws_test_memory memory = {.fail_at = 0};
        struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct gws__bfs_handoff handoff = {0};
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        ck_assert_int_eq(gws__bfs_handoff_open(runtime, graph, &handoff), memory.failed ? GWS_NO_MEMORY : GWS_OK);
        gws__bfs_handoff_close(&handoff);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
    gws_graph_destroy(graph);
}
END_TEST

/* ---- a real device ---- */

/* Searches from several sources and returns the largest number of levels. */
static uint32_t search_on(struct gws_bfs_device *search, const struct gws_graph *graph, struct gws_runtime *runtime)
{
    struct gws_bfs_result result = {0};
    uint32_t deepest = 0;
    struct gws_diagnostic where = {0};
    const uint32_t sources[] = {0, (uint32_t)graph->vertices / 2, (uint32_t)graph->vertices - 1, 0};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct oracle oracle = oracle_new(graph, sources[i]);
        gws_status status = search_run(search, sources[i], &result, &where);
        ck_assert_msg(status == GWS_OK, "%s", where.message);
        compare(graph, sources[i], &oracle, &result);
        ck_assert_msg(gws_bfs_check(runtime, graph, &result, &where) == GWS_OK, "%s", where.message);
        if (result.levels > deepest) deepest = result.levels;
        oracle_free(&oracle);
    }
    gws_bfs_result_clear(&result);
    return deepest;
}

static bool open_device(struct gws_runtime *runtime, const char *address, struct gws_device **device)
{
    if (gws_device_open(runtime, address, gws_test_cached(), device, NULL) == GWS_OK) return true;
    printf("skipped: no device %s\n", address);
    return false;
}

static void hand_off_at_any_level(struct gws_bfs_device *search, const struct gws_graph *graph,
                                  struct gws_runtime *runtime)
{
    struct gws__bfs_handoff *handoff = search->handoff;
    struct gws_handoff_model model;
    uint32_t deepest = 0;
    bool slow = gws_device_describe(search->device)->type == GWS_DEVICE_CPU; /* launches are slow on a CPU device */
    for (int variant = -1; variant < limit_count; variant += slow ? 2 : 1) {
        if (variant >= 0) handoff->base.max_host = limits[variant][0], handoff->base.max_device = limits[variant][1];
        handoff->base.pays = true;
        uint32_t levels = search_on(search, graph, runtime);
        if (levels > deepest) deepest = levels;
    }
    ck_assert(gws_bfs_device_model(search, &model));
    /* The first level is the only small level of dense and tiny graphs. Later levels run bottom-up. */
    bool has_small = graph->vertices > 100 && graph->arcs < 8 * graph->vertices;
    if (deepest > 3 && has_small) ck_assert_uint_gt(model.handoffs, 0);
    gws_bfs_device_stats_reset(search);
    ck_assert(gws_bfs_device_model(search, &model) && model.handoffs == 0);
}

/* Runs all searches on a device. copies: a handoff copies its data instead of using shared memory. */
static void search_all(const struct gws_graph *graph, const char *address, bool copies)
{
    struct gws_runtime *runtime = open_runtime("chunked", 2, 0);
    struct gws_device *device = NULL;
    const struct gws_bfs_device_options options = {.cpu = true, .strategy = GWS_BFS_HANDOFF};
    struct gws_bfs_device *search = NULL;
    if (open_device(runtime, address, &device)) {
        if (copies) device->info.svm = GWS_SVM_COARSE;
        ck_assert_int_eq(search_open(runtime, device, graph, &options, &search, NULL), GWS_OK);
        ck_assert_int_eq(gws_bfs_device_form(search), GWS_BFS_FORM_HANDOFF);
        ck_assert(search->handoff->mirror[0].in_place == (device->info.svm >= GWS_SVM_FINE));
        hand_off_at_any_level(search, graph, runtime);
        search_close(search);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
}

START_TEST(on_a_device)
{
    int s = _i / 2 / arc_kinds, arcs = _i / 2 % arc_kinds;
    if (!shape_runs((uint64_t)_i / 2)) return;
    struct gws_graph *graph = make_graph(shapes[s].make, shapes[s].vertices, (enum arcs)arcs);
    search_all(graph, _i % 2 ? "cuda" : "opencl", _i / 2 % 2);
    gws_graph_destroy(graph);
}
END_TEST

/* Launches are slow on a CPU device, so a CPU device runs the smaller graphs. */
static const char *const generators[][2] = {{"kron:12", "kron:14"},
                                            {"grid:4x300", "grid:4x5000"},
                                            {"uniform:12", "uniform:14"},
                                            {"grid:60x40", "grid:300x200"},
                                            {"uniform:14:1", "uniform:18:1"}};

START_TEST(generated_on_a_device)
{
    struct gws_graph *graph = generate(generators[_i / 2][_i % 2]);
    search_all(graph, _i % 2 ? "cuda" : "opencl", _i / 2 % 2);
    gws_graph_destroy(graph);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{passed_at_any_level, shape_count * arc_kinds},
                                    {tails_go_to_the_host, 1},
                                    {loses_little, shape_count + 1},
                                    {draws_the_device_s_line, 2},
                                    {a_device_that_fails, 1},
                                    {short_of_memory, 1},
                                    {on_a_device, 2 * shape_count * arc_kinds},
                                    {generated_on_a_device, 2 * (int)(sizeof generators / sizeof *generators)},
                                    {0}};
    return gws_test_run("handoff", test);
}

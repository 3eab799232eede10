/* SPDX-License-Identifier: MIT */
/* Searches that a device and a CPU thread hand off to each other (traversal/graph/bfs/device/handoff.h). The device is
 * played by a serial search here that keeps to kernels/hetero/handoff_words.h; where there are OpenCL and CUDA devices,
 * they play, too. */
#include "../shapes.h"
#include "searches.h"

#include <math.h>

#include "../../../../../lib/device/kind.h"
#include "../../../../../traversal/graph/bfs/device/handoff.h"

/* ---- the device, as the words say ---- */

struct player {
    struct gws__bfs_handoff *hand;
    struct gws_bfs_result *result; /* the device's arrays */
    uint64_t *visited;
    uint32_t *queue, source;
    double level_ns, step_ns, pass_ns, spent_ns; /* what it costs, and has cost so far */
};

static bool claim(uint64_t *visited, uint32_t vertex)
{
    uint64_t bit = (uint64_t)1 << vertex % 64, before = visited[vertex / 64];
    visited[vertex / 64] |= bit;
    return (before & bit) == 0;
}

static void settle(struct player *player, uint32_t vertex, uint32_t parent, uint32_t depth)
{
    player->result->depth[vertex] = depth;
    player->result->parent[vertex] = parent;
}

/* Into queue[0 ..]: the source, or what the host left. */
static uint32_t begin(struct player *player, uint64_t words)
{
    const struct gws__bfs_handoff *hand = player->hand;
    const struct gws__handoff_rule *rule = &hand->rule;
    if (!rule->resumes) {
        memset(player->visited, 0, words * 8);
        memset(player->result->depth, 0xff, words * 256);
        memset(player->result->parent, 0xff, words * 256);
        claim(player->visited, player->source);
        settle(player, player->source, player->source, 0);
        player->queue[0] = player->source;
        return 1;
    }
    memcpy(player->visited, hand->visited, words * 8);
    for (uint32_t i = 0; i < rule->from.size; i++) {
        uint32_t vertex = player->queue[i] = hand->list[i][0];
        ck_assert_uint_lt(hand->list[i][1], hand->graph->vertices);
        ck_assert(claim(player->visited, vertex) == hand->claims);
        if (hand->claims) settle(player, vertex, hand->list[i][1], rule->from.level);
    }
    return rule->from.size;
}

static uint64_t arcs_of(const struct gws_graph *graph, const uint32_t *vertex, uint32_t count)
{
    uint64_t arcs = 0;
    for (uint32_t i = 0; i < count; i++) arcs += gws_graph_degree(graph, vertex[i]);
    return arcs;
}

/* With a hole in the list, as a mesh leaves them. */
static void publish(struct player *player, const uint32_t *front, struct gws__handoff_state state)
{
    struct gws__bfs_handoff *hand = player->hand;
    hand->list[0][0] = GWS_NO_VERTEX;
    for (uint32_t i = 0; i < state.at.size; i++) hand->list[i + 1][0] = front[i], hand->list[i + 1][1] = GWS_NO_VERTEX;
    memcpy(hand->visited, player->visited, (hand->graph->vertices + 63) / 64 * 8);
    state.entries = state.at.size + 1;
    state.handed = 1;
    *hand->state = state;
}

static gws_status run_device(void *context, struct gws_where *where)
{
    (void)where;
    struct player *player = context;
    struct gws__bfs_handoff *hand = player->hand;
    const struct gws_graph *graph = hand->graph;
    const struct gws__handoff_rule *rule = &hand->rule;
    uint64_t words = (graph->vertices + 63) / 64;
    uint32_t *from = player->queue, size = begin(player, words), level = rule->resumes ? rule->from.level : 0,
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
            publish(player, from,
                    (struct gws__handoff_state){.at = {.level = level, .size = size, .reached = reached}});
            break;
        }
        if (rule->timed && !few) break; /* it ends after the level */
        small += few;
        uint32_t found = 0;
        for (uint32_t i = 0; i < size; i++)
            for (uint64_t a = graph->offset[from[i]]; a < graph->offset[from[i] + 1]; a++)
                if (claim(player->visited, graph->target[a])) {
                    settle(player, graph->target[a], from[i], level + 1);
                    from[size + found++] = graph->target[a];
                }
        double spent = player->level_ns + player->step_ns * (double)(size + arcs);
        player->spent_ns += spent;
        small_ns += few ? spent : 0;
        if (player->result->level) player->result->level[level].size = size;
        from += size;
        size = found;
        reached += found;
        level++;
    }
    player->spent_ns += player->pass_ns / 2;
    hand->state->ticks[0] = 100;
    hand->state->ticks[1] = 200;
    hand->state->ticks[2] = 200 + (uint64_t)(small_ns * 2);
    hand->state->ticks[3] = 2100;
    hand->state->ns[0] = 7000;
    hand->state->ns[1] = 8000;
    player->result->levels = level;
    player->result->reached = reached;
    return GWS_OK;
}

/* ---- searches ---- */

struct play {
    struct gws_runtime *runtime;
    struct gws__bfs_handoff hand;
    struct gws__handoff_state state;
    struct gws_bfs_result result;
    struct player player;
};

static struct play *open_play(const struct gws_graph *graph)
{
    struct play *play = calloc(1, sizeof *play);
    uint64_t room = (graph->vertices + 63) / 64 * 64;
    play->runtime = open_runtime(NULL, 1, 0);
    ck_assert_int_eq(gws__bfs_handoff_open(play->runtime, graph, &play->hand), GWS_OK);
    play->hand.state = &play->state;
    play->hand.list = malloc((GWS_HANDOFF_CAPACITY + 1) * sizeof *play->hand.list);
    play->hand.visited = calloc(room / 64, 8);
    play->hand.counts_arcs = true;
    play->result.vertices = graph->vertices;
    play->result.depth = malloc(room * 4);
    play->result.parent = malloc(room * 4);
    play->result.level = calloc(room + 1, sizeof *play->result.level);
    /* A launch of its own may put as many into the queue as there are vertices; the frontier is found twice at most. */
    play->player =
        (struct player){&play->hand, &play->result, calloc(room / 64, 8), malloc(2 * room * 4), 0, 0, 0, 0, 0};
    return play;
}

static void close_play(struct play *play)
{
    free(play->hand.list);
    free(play->hand.visited);
    free(play->result.depth);
    free(play->result.parent);
    free(play->result.level);
    free(play->player.visited);
    free(play->player.queue);
    gws__bfs_handoff_close(&play->hand);
    gws_runtime_close(play->runtime);
    free(play);
}

static void search_from(struct play *play, uint32_t source)
{
    struct gws__bfs_handoff *hand = &play->hand;
    play->player.source = play->result.source = source;
    play->player.spent_ns = 0;
    gws__handoff_reset_stats(&hand->base);
    gws__bfs_handoff_begin(hand);
    do {
        memset(&play->state, 0, sizeof play->state);
        (void)run_device(&play->player, NULL);
    } while (play->state.handed && gws__bfs_handoff_run(hand));
    if (play->state.handed) {
        play->result.levels = hand->at.level;
        play->result.reached = hand->at.reached;
    }
    gws__bfs_handoff_commit(hand, &play->result);
}

static void check(const struct gws_graph *graph, struct play *play)
{
    struct oracle oracle = oracle_new(graph, play->result.source);
    struct gws_where where = {0};
    play->result.reached_arcs = oracle.arcs; /* is the caller's to sum up */
    compare(graph, play->result.source, &oracle, &play->result);
    ck_assert_msg(gws_bfs_check(play->runtime, graph, &play->result, &where) == GWS_OK, "%s", where.message);
    oracle_free(&oracle);
}

/* Passed on after so many levels, at either side. */
static const uint32_t most[][2] = {{1, 1}, {2, 3}, {UINT32_MAX, 1}, {1, UINT32_MAX}, {5, 2}, {UINT32_MAX, UINT32_MAX}};
enum { mosts = sizeof most / sizeof *most };

START_TEST(passed_at_any_level)
{
    const struct shape *shape = &shapes[_i / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i % arc_kinds));
    for (int way = 0; way < 2 * mosts; way++) {
        struct play *play = open_play(graph);
        play->hand.claims = way % 2 != 0;
        play->hand.base.max_host = most[way / 2][0];
        play->hand.base.max_device = most[way / 2][1];
        for (uint32_t source = 0; source < graph->vertices; source += (uint32_t)graph->vertices / 3 + 1) {
            search_from(play, source);
            check(graph, play);
            uint64_t passes = play->hand.base.model.passes, levels = play->result.levels;
            if (play->hand.base.max_device == UINT32_MAX) ck_assert_uint_eq(passes, 0);
            if (way / 2 == 0 && levels > 2) ck_assert_uint_ge(passes, levels - 2); /* one here, one there */
            if (way / 2 == 2 && levels > 1 && graph->arcs < GWS_HANDOFF_CAPACITY)
                ck_assert_uint_eq(play->hand.base.model.host_levels, levels - 1);
        }
        close_play(play);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* A long path, a crowd, and again a long path: only the crowd is the device's. */
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

static struct play *open_priced(const struct gws_graph *graph, double host, double device, double pass)
{
    struct play *play = open_play(graph);
    play->hand.base.model = (struct gws_handoff_model){
        .host_level_ns = 10, .host_step_ns = host, .device_level_ns = 2000, .device_step_ns = device, .pass_ns = pass};
    play->player.level_ns = 2000;
    play->player.step_ns = device;
    play->player.pass_ns = pass;
    return play;
}

START_TEST(tails_go_to_the_host)
{
    struct gws_graph *graph = make_graph(lollipops, 30000, UNDIRECTED);
    struct play *play = open_priced(graph, 50, 0.1, 20000);
    search_from(play, 0);
    check(graph, play);
    ck_assert_uint_eq(play->hand.base.model.passes, 3);
    play->hand.base.pays = false;
    gws__bfs_handoff_commit(&play->hand, &play->result);
    ck_assert(play->hand.base.pays);
    ck_assert_uint_ge(play->hand.base.model.host_levels, play->result.levels - 60);
    ck_assert_uint_le(play->hand.base.model.host_vertices, 21000);
    close_play(play);
    graph = (gws_graph_destroy(graph), generate("kron:12"));
    play = open_priced(graph, 50, 0.1, 20000);
    search_from(play, 1);
    check(graph, play);
    ck_assert_uint_eq(play->hand.base.model.passes, 0);
    gws__bfs_handoff_commit(&play->hand, &play->result);
    ck_assert(!play->hand.base.pays);
    close_play(play);
    gws_graph_destroy(graph);
}
END_TEST

/* What all levels would cost the host. */
static double host_cost(const struct gws_graph *graph, const struct play *play)
{
    double cost = 0;
    for (uint32_t i = 0; i < play->result.levels; i++) cost += play->hand.base.model.host_level_ns;
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (play->result.depth[v] != GWS_NO_VERTEX)
            cost += play->hand.base.model.host_step_ns * (double)(1 + gws_graph_degree(graph, (uint32_t)v));
    return cost;
}

static double handed_cost(const struct gws_graph *graph, const struct play *play)
{
    const struct gws_handoff_model *model = &play->hand.base.model;
    double cost = play->player.spent_ns + (double)model->host_levels * model->host_level_ns;
    uint32_t *ran = calloc(play->result.levels + 1, sizeof *ran);
    for (uint64_t i = 0; i < model->host_levels; i++) ran[play->hand.ran[i].level] = 1;
    for (uint64_t v = 0; v < graph->vertices; v++)
        if (play->result.depth[v] != GWS_NO_VERTEX && ran[play->result.depth[v]])
            cost += model->host_step_ns * (double)(1 + gws_graph_degree(graph, (uint32_t)v));
    free(ran);
    return cost;
}

/* However the levels come, it costs at most three times the better side, and a pass: nobody can know what comes. */
START_TEST(loses_little)
{
    static const double price[][3] = {{50, 0.1, 20000}, {300, 1, 5000}, {20, 1, 100000}, {1000, 0.01, 3000}};
    const struct shape *shape = &shapes[_i];
    struct gws_graph *graph = _i < shape_count ? make_graph(shape->make, shape->vertices, UNDIRECTED)
                                               : make_graph(lollipops, 9000, UNDIRECTED);
    for (int p = 0; p < 4; p++) {
        struct play *play = open_priced(graph, price[p][0], price[p][1], price[p][2]);
        play->player.pass_ns = 0;
        play->hand.base.model.pass_ns = INFINITY;
        search_from(play, 0);
        double device = play->player.spent_ns, host = host_cost(graph, play);
        play->hand.base.model.pass_ns = play->player.pass_ns = price[p][2];
        search_from(play, 0);
        check(graph, play);
        double best = device < host ? device : host, cost = handed_cost(graph, play);
        ck_assert_msg(cost <= 3 * best + 2 * price[p][2], "%g where one side takes %g", cost, best);
        close_play(play);
    }
    gws_graph_destroy(graph);
}
END_TEST

/* ---- the model ---- */

START_TEST(draws_the_device_s_line)
{
    struct gws_graph *graph = generate(_i ? "kron:12" : "road:5000");
    struct play *play = open_play(graph);
    free(play->result.level);
    play->result.level = NULL; /* levels that nobody asked for */
    play->hand.claims = _i == 0;
    play->player.level_ns = 1800;
    play->player.step_ns = 0.75;
    ck_assert_int_eq(gws__bfs_handoff_calibrate(&play->hand, run_device, &play->player, NULL), GWS_OK);
    const struct gws_handoff_model *model = &play->hand.base.model;
    ck_assert_double_eq_tol(model->device_level_ns, 1800, 20);
    ck_assert_double_eq_tol(model->device_step_ns, 0.75, 0.05);
    ck_assert(model->host_level_ns >= 0 && model->host_step_ns >= 0 && isfinite(model->pass_ns));
    ck_assert(!play->hand.base.timed);
    close_play(play);
    gws_graph_destroy(graph);
}
END_TEST

static gws_status refuse(void *context, struct gws_where *where)
{
    (void)context;
    return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "gone");
}

START_TEST(a_device_that_fails)
{
    struct gws_graph *graph = generate("grid:20x20"), *bare = make_graph(nothing, 100, UNDIRECTED);
    struct play *play = open_play(graph);
    ck_assert_int_eq(gws__bfs_handoff_calibrate(&play->hand, refuse, NULL, NULL), GWS_DEVICE);
    ck_assert(isinf(play->hand.base.model.pass_ns));
    close_play(play);
    play = open_play(bare); /* without arcs there is nothing to measure, and nobody is asked */
    ck_assert_int_eq(gws__bfs_handoff_calibrate(&play->hand, refuse, NULL, NULL), GWS_OK);
    ck_assert(isinf(play->hand.base.model.pass_ns));
    close_play(play);
    gws_graph_destroy(graph);
    gws_graph_destroy(bare);
}
END_TEST

START_TEST(short_of_memory)
{
    struct gws_graph *graph = generate("grid:20x20");
    for (uint64_t k = 1;; k++) {
        struct gws_test_memory memory = {.fail_at = 0};
        struct gws_options options = {.threads = 1, .allocator = gws_test_allocator(&memory)};
        struct gws_runtime *runtime = NULL;
        struct gws__bfs_handoff hand = {0};
        ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
        memory.fail_at = atomic_load(&memory.calls) + k;
        ck_assert_int_eq(gws__bfs_handoff_open(runtime, graph, &hand), memory.failed ? GWS_NO_MEMORY : GWS_OK);
        gws__bfs_handoff_close(&hand);
        gws_runtime_close(runtime);
        gws_test_memory_check(&memory);
        if (!memory.failed) break;
    }
    gws_graph_destroy(graph);
}
END_TEST

/* ---- a real device ---- */

/* Returns how many levels the deepest one had. */
static uint32_t search_on(struct gws_bfs_device *search, const struct gws_graph *graph, struct gws_runtime *runtime)
{
    struct gws_bfs_result result = {0};
    uint32_t deepest = 0;
    struct gws_where where = {0};
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
    const struct gws_device_options options = {.cache = getenv("GRAPHWS_BUILD") ? getenv("XDG_CACHE_HOME") : NULL};
    if (gws_device_open(runtime, address, &options, device, NULL) == GWS_OK) return true;
    printf("skipped: no device %s\n", address);
    return false;
}

static void hand_off_at_any_level(struct gws_bfs_device *search, const struct gws_graph *graph,
                                  struct gws_runtime *runtime)
{
    struct gws__bfs_handoff *hand = search->handoff;
    struct gws_handoff_model model;
    uint32_t deepest = 0;
    bool slow = gws_device_describe(search->device)->type == GWS_DEVICE_CPU; /* to be launched */
    for (int way = -1; way < mosts; way += slow ? 2 : 1) {
        if (way >= 0) hand->base.max_host = most[way][0], hand->base.max_device = most[way][1];
        hand->base.pays = true;
        uint32_t levels = search_on(search, graph, runtime);
        if (levels > deepest) deepest = levels;
    }
    ck_assert(gws_bfs_device_model(search, &model));
    /* Dense ones and tiny ones have no small levels but the first: they are soon searched bottom-up. */
    bool has_small = graph->vertices > 100 && graph->arcs < 8 * graph->vertices;
    if (deepest > 3 && has_small) ck_assert_uint_gt(model.passes, 0);
    gws_bfs_device_stats_reset(search);
    ck_assert(gws_bfs_device_model(search, &model) && model.passes == 0);
}

/* In memory of both sides, or by copies. */
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
    const struct shape *shape = &shapes[_i / 2 / arc_kinds];
    struct gws_graph *graph = make_graph(shape->make, shape->vertices, (enum arcs)(_i / 2 % arc_kinds));
    search_all(graph, _i % 2 ? "cuda" : "opencl", _i / 2 % 2);
    gws_graph_destroy(graph);
}
END_TEST

/* Launches are slow on a CPU device: it has the smaller ones. */
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

static Suite *handed(void)
{
    Suite *suite = suite_create("handoff");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, passed_at_any_level, 0, shape_count * arc_kinds);
    tcase_add_test(tests, tails_go_to_the_host);
    tcase_add_loop_test(tests, loses_little, 0, shape_count + 1);
    tcase_add_loop_test(tests, draws_the_device_s_line, 0, 2);
    tcase_add_test(tests, a_device_that_fails);
    tcase_add_test(tests, short_of_memory);
    tcase_add_loop_test(tests, on_a_device, 0, 2 * shape_count * arc_kinds);
    tcase_add_loop_test(tests, generated_on_a_device, 0, 2 * (int)(sizeof generators / sizeof *generators));
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(handed);
}

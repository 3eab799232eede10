/* SPDX-License-Identifier: MIT */
/* Tests cancelling. Whenever the hook returns true, a call must give the right answer or GWS_CANCELLED. The call must
 * keep no memory and no file, and the runtime must still work. */
#include "../../harness.h"

#include "../../../lib/base/services.h"
#include "../../../lib/tasks.h"
#include "../../calls.h"

/* The state of the hook, which returns true from poll number `stop` on (0: never). */
struct polls {
    uint64_t polled, stop;
    uint64_t reports; /* number of progress reports */
};

static bool ask(void *context)
{
    struct polls *polls = context;
    return ++polls->polled >= polls->stop && polls->stop > 0;
}

static void report(void *context, const char *work, uint64_t done, uint64_t total)
{
    struct polls *polls = context;
    (void)work, (void)done, (void)total;
    polls->reports++;
}

static struct polls polls;
static struct gws_test_memory memory;
static struct gws_runtime *runtime;
static struct gws_test_world world;

static const struct gws_options kinds[] = {{.threads = 1},
                                           {.threads = 2},
                                           {.threads = 3, .policy = "static"},
                                           {.threads = 3, .policy = "split"},
                                           {.threads = 3, .policy = "chaselev", .vote = true},
                                           {.threads = 3, .policy = "workpile", .trace = 100}};

/* Opens a runtime that polls the hook at every opportunity, rather than every few milliseconds. */
static void open(int kind)
{
    struct gws_options options = kinds[kind];
    memory = (struct gws_test_memory){0};
    polls = (struct polls){0};
    options.allocator = gws_test_allocator(&memory);
    options.cancel = ask;
    options.progress = report;
    options.context = &polls;
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    runtime->ask_every_ms = 0;
    gws_test_world_open(runtime, "kron:8", "uniform:3000", &world);
}

static void close_all(void)
{
    gws_test_world_close(&world);
    gws_runtime_close(runtime);
    gws_test_memory_check(&memory);
}

/* ---- every call ---- */

/* Calls one function and stops it at poll `stop`. Returns the number of polls. */
static uint64_t try_one(const struct gws_test_call *call, uint64_t stop, uint64_t expected)
{
    uint64_t answer = 0;
    const int64_t live = memory.live;
    polls = (struct polls){.stop = stop};
    gws_status status = call->run(runtime, &world, "cancelled", &answer);
    ck_assert_msg(status == GWS_OK || status == GWS_CANCELLED, "%s, poll %llu: %s", call->name,
                  (unsigned long long)stop, gws_status_text(status));
    ck_assert_msg(stop != 1 || status == GWS_CANCELLED, "%s runs although it is cancelled", call->name);
    ck_assert_msg(status != GWS_OK || answer == expected, "%s, poll %llu: wrong", call->name, (unsigned long long)stop);
    ck_assert_msg(memory.live == live, "%s, poll %llu: %lld blocks more", call->name, (unsigned long long)stop,
                  (long long)(memory.live - live));
    return polls.polled;
}

static uint64_t answer_of(const struct gws_test_call *call, uint64_t *polled)
{
    uint64_t answer = 0;
    polls = (struct polls){0};
    ck_assert_msg(call->run(runtime, &world, "whole", &answer) == GWS_OK, "%s", call->name);
    *polled = polls.polled;
    return answer;
}

/* With a sanitizer each call runs under two of the six kinds of runtimes, and each kind runs a third of the calls. */
START_TEST(every_call_stops_at_every_poll)
{
    const double step = gws_test_quick() ? 2 : 1.3;
    if (gws_test_races() && kinds[_i].threads == 1) return;
    open(_i);
    for (int i = 0; i < gws_test_calls(); i++) {
        if (gws_test_sanitized() && (i + _i) % 3 != 0) continue;
        const struct gws_test_call *call = gws_test_call_at(i);
        uint64_t polled, expected = answer_of(call, &polled);
        ck_assert_msg(kinds[_i].threads > 1 || polled > 1, "%s asks once only", call->name);
        for (uint64_t stop = 1; stop <= polled; stop += 1 + (uint64_t)((double)stop * (step - 1)))
            try_one(call, stop, expected);
        ck_assert_msg(answer_of(call, &polled) == expected, "%s: wrong afterwards", call->name);
    }
    close_all();
}
END_TEST

START_TEST(every_algorithm_reports_progress)
{
    /* Checks, tasks, whose number is not known, and calls that take milliseconds. */
    static const char *const silent[] = {
        "tasks",        "quicksort",     "wrap",          "bfs_check",   "summarise",   "gaps",    "points",
        "octree_check", "madness_check", "madness_error", "copy_points", "sort_points", "convert", "md_begin",
        "read_sources", "read_queries",  "write_boxes",   "write_trace", "write_raw"};
    open(1);
    for (int i = 0; i < gws_test_calls(); i++) {
        const struct gws_test_call *call = gws_test_call_at(i);
        bool reports = true;
        uint64_t polled;
        for (size_t s = 0; s < sizeof silent / sizeof silent[0]; s++) reports &= strcmp(call->name, silent[s]) != 0;
        answer_of(call, &polled);
        ck_assert_msg(!reports || polls.reports > 0, "%s reports nothing", call->name);
    }
    close_all();
}
END_TEST

/* ---- how often calls ask ---- */

/* A graph of many narrow levels has three times as many steps of betweenness as levels: the search, whose series of
 * levels ask once, and one step outwards and inwards. */
START_TEST(betweenness_asks_in_every_level)
{
    const uint32_t source = 0;
    const struct gws_betweenness_options options = {.source = &source, .sources = 1, .memory = 1};
    struct gws_betweenness_result result = {0};
    struct gws_graph *graph = NULL;
    open(_i);
    ck_assert_int_eq(gws_graph_generate(runtime, "grid:3x500", &graph, NULL), GWS_OK);
    polls = (struct polls){0};
    ck_assert_int_eq(gws_betweenness(runtime, graph, &options, &result), GWS_OK);
    ck_assert_uint_ge(result.levels, 500);
    ck_assert_uint_ge(polls.polled, 2 * (result.levels - 2));
    polls = (struct polls){.stop = polls.polled / 2};
    ck_assert_int_eq(gws_betweenness(runtime, graph, &options, &result), GWS_CANCELLED);
    ck_assert_uint_le(polls.polled, polls.stop + 8);
    ck_assert_ptr_null(result.centrality);
    gws_graph_destroy(graph);
    close_all();
}
END_TEST

/* ---- steps that prepare a graph ---- */

struct prepared {
    struct gws_graph *directed, *mesh, *made;
    uint32_t *number;
    struct gws_pagerank_index pagerank;
    struct gws_bfs_index bfs;
    struct gws_triangles_result triangles;
};

static gws_status order(struct prepared *p, enum gws_order by)
{
    return gws_graph_order(runtime, p->mesh, by, 1, p->number);
}

static gws_status by_degree(struct prepared *p)
{
    return order(p, GWS_ORDER_DEGREE);
}

static gws_status by_hilbert(struct prepared *p)
{
    return order(p, GWS_ORDER_HILBERT);
}

static gws_status by_rcm(struct prepared *p)
{
    return order(p, GWS_ORDER_RCM);
}

static gws_status at_random(struct prepared *p)
{
    return order(p, GWS_ORDER_RANDOM);
}

static gws_status relabel(struct prepared *p)
{
    for (uint64_t v = 0; v < p->mesh->vertices; v++) p->number[v] = (uint32_t)(p->mesh->vertices - 1 - v);
    return gws_graph_relabel(runtime, p->mesh, p->number, p->mesh->vertices, &p->made);
}

static gws_status symmetrise(struct prepared *p)
{
    return gws_graph_symmetrise(runtime, p->directed, &p->made);
}

static gws_status add_reverse(struct prepared *p)
{
    gws_status status = gws_graph_symmetrise(runtime, p->directed, &p->made);
    if (status != GWS_OK) return status;
    p->made->directed = true; /* the reverse then equals the graph */
    return gws_graph_add_reverse(runtime, p->made);
}

static gws_status draw_weights(struct prepared *p)
{
    return gws_graph_draw_weights(runtime, p->mesh, 1, 9, 1);
}

static gws_status check_rows(struct prepared *p)
{
    return gws_graph_check_rows(runtime, p->mesh, NULL);
}

static gws_status generate(struct prepared *p)
{
    return gws_graph_generate(runtime, "road:100000", &p->made, NULL);
}

static gws_status index_pagerank(struct prepared *p)
{
    return gws_pagerank_index_build(runtime, p->mesh, &p->pagerank);
}

static gws_status index_bfs(struct prepared *p)
{
    return gws_bfs_index_build(runtime, p->mesh, &p->bfs);
}

static gws_status orient(struct prepared *p)
{
    return gws_triangles(runtime, p->directed, NULL, &p->triangles);
}

static void release_prepared(struct prepared *p)
{
    gws_graph_destroy(p->made);
    gws_pagerank_index_clear(&p->pagerank);
    gws_bfs_index_clear(&p->bfs);
    gws_triangles_result_clear(&p->triangles);
    p->made = NULL;
}

/* The least number of polls of each step with one thread. kron:13 has rows that are too long to merge, so
 * its triangles are oriented. */
static const struct preparation {
    const char *name;
    gws_status (*run)(struct prepared *p);
    uint64_t min;
} preparations[] = {{"by degree", by_degree, 6},   {"by hilbert", by_hilbert, 20},    {"by rcm", by_rcm, 6},
                    {"at random", at_random, 20},  {"relabel", relabel, 500},         {"symmetrise", symmetrise, 100},
                    {"reverse", add_reverse, 200}, {"weights", draw_weights, 20},     {"rows", check_rows, 20},
                    {"generate", generate, 50},    {"pagerank", index_pagerank, 100}, {"bfs", index_bfs, 20},
                    {"orientation", orient, 100}};

static void stop_preparation(const struct preparation *step, struct prepared *p, uint64_t stop)
{
    const int64_t live = memory.live;
    polls = (struct polls){.stop = stop};
    ck_assert_msg(step->run(p) == GWS_CANCELLED, "%s goes on after poll %llu", step->name, (unsigned long long)stop);
    ck_assert_msg(polls.polled <= stop + 2, "%s asks on", step->name);
    release_prepared(p);
    ck_assert_msg(memory.live <= live, "%s keeps memory", step->name);
}

START_TEST(preparations_ask_often)
{
    const struct preparation *step = &preparations[_i];
    struct prepared p = {0};
    if (gws_test_races()) return; /* one thread */
    open(0);
    ck_assert_int_eq(gws_graph_generate(runtime, "grid:400x400", &p.mesh, NULL), GWS_OK);
    ck_assert_int_eq(gws_graph_generate(runtime, "kron:13", &p.directed, NULL), GWS_OK);
    p.directed->directed = true;
    p.number = gws_allocate(runtime, p.mesh->vertices, sizeof *p.number);
    polls = (struct polls){0};
    ck_assert_int_eq(step->run(&p), GWS_OK);
    release_prepared(&p);
    const uint64_t polled = polls.polled;
    ck_assert_msg(polled >= step->min, "%s asks %llu times", step->name, (unsigned long long)polled);
    for (uint64_t part = 1; part < 8; part++) stop_preparation(step, &p, 1 + polled * part / 8);
    gws_release(runtime, p.number, p.mesh->vertices, sizeof *p.number);
    gws_graph_destroy(p.mesh);
    gws_graph_destroy(p.directed);
    close_all();
}
END_TEST

/* ---- loops and tasks ---- */

static void count(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    atomic_fetch_add((_Atomic uint64_t *)context, end - begin);
}

START_TEST(a_loop_is_cut_short)
{
    _Atomic uint64_t ran = 0;
    const struct gws_loop loop = {.count = 100000, .chunk = 10, .body = count, .context = &ran};
    open(_i);
    ck_assert_int_eq(gws_parallel_try(runtime, &loop), GWS_OK);
    ck_assert_uint_eq(ran, loop.count);
    polls = (struct polls){.stop = 3};
    ran = 0;
    ck_assert_int_eq(gws_call_begin(runtime), GWS_OK);
    gws_status status = gws_parallel_try(runtime, &loop);
    ck_assert(status == GWS_CANCELLED || ran == loop.count);
    if (kinds[_i].threads == 1) ck_assert_uint_lt(ran, loop.count);
    ck_assert(status == GWS_OK || gws_cancelled(runtime));
    ran = 0;
    gws_parallel_run(runtime, &loop); /* a loop without a status runs completely, also in a cancelled call */
    ck_assert_uint_eq(ran, loop.count);
    (void)gws_call_end(runtime, status);
    polls = (struct polls){0};
    ck_assert_int_eq(gws_call_begin(runtime), GWS_OK);
    ck_assert(!gws_cancelled(runtime));
    (void)gws_call_end(runtime, GWS_OK);
    close_all();
}
END_TEST

static void multiply(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t tasks)
{
    const uint64_t depth = *(const uint64_t *)task, below = depth + 1;
    (void)context, (void)worker, (void)tasks;
    for (int i = 0; i < 4 && depth < 60; i++) gws_spawn(self, &below); /* more tasks than can ever run */
}

START_TEST(endless_tasks_end)
{
    const uint64_t root = 0;
    const struct gws_tasks tasks = {.bytes = sizeof root, .root = &root, .roots = 1, .run = multiply};
    open(_i);
    const int64_t live = memory.live;
    polls = (struct polls){.stop = 1000};
    ck_assert_int_eq(gws_tasks_run(runtime, &tasks), GWS_CANCELLED);
    ck_assert_int_eq(memory.live, live);
    close_all();
}
END_TEST

static Suite *suite(void)
{
    const int all = sizeof kinds / sizeof kinds[0];
    Suite *suite = suite_create("cancel");
    TCase *tcase = tcase_create("cancel");
    tcase_add_loop_test(tcase, every_call_stops_at_every_poll, 0, all);
    tcase_add_test(tcase, every_algorithm_reports_progress);
    tcase_add_loop_test(tcase, betweenness_asks_in_every_level, 0, all);
    tcase_add_loop_test(tcase, preparations_ask_often, 0, (int)(sizeof preparations / sizeof preparations[0]));
    tcase_add_loop_test(tcase, a_loop_is_cut_short, 0, all);
    tcase_add_loop_test(tcase, endless_tasks_end, 0, all);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    return gws_test_main(suite);
}

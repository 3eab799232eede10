/* SPDX-License-Identifier: MIT */
/* The emulated engine with the operator of BFS. Threads emulate the groups. The tests compare with a serial search.
 * They cover every schedule with and without heavy rows, consecutive searches over the same barrier, several searches
 * in a launch, and handoff between both sides. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../kernels/portability/host.h"
#include "../../kernels/hetero/trace_words.h"
#include "../../kernels/hetero/trace.cl"
#include "../../kernels/hetero/handoff_words.h"

#include "../../kernels/hetero/handoff_rule.h"
#include "../../kernels/operator/operator.h"

#include "../../kernels/engine/direction.h"

#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/record_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/engine/state.cl"
#include "../../kernels/operator/bfs_claim.cl"
#include "../../kernels/operator/bfs.cl"
#include "../../kernels/engine/index.cl"
#include "../../kernels/engine/push.cl"
#include "../../kernels/engine/pull.cl"
#include "../../kernels/engine/serial.cl"
#include "../../kernels/engine/run.cl"
#include "../../kernels/engine/run_handoff.cl"
#include "../../kernels/engine/run_many.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

enum {
    max_groups = 5,
    words = (vertices + 31) / 32,
    max_segments = 400000,
    stats_stride = 8,
    sum_words = 16,
    max_searches = 3,
    report_words = 4
};

static struct {
    u32 depth[max_searches * vertices], parent[max_searches * vertices];
    u32 visited[words], next[words], isolated[words], hub[vertices], hub_mask;
    u32 list[vertices], control[64], cursors[2 * max_groups], segments[max_segments];
    u64 record[max_searches * vertices], sums[sum_words], candidates, stats[max_groups * stats_stride];
    u32 report[max_searches * report_words], roots[max_searches];
    u32 groups, root, heavy, alpha, beta, schedule;
    struct gws__handoff_rule rule;
    struct gws__handoff_state state;
    u32 front[2 * GWS_HANDOFF_CAPACITY], at_host[words];
    struct gws__trace_log *trace;
} run;

static void launch(void (*kernel)(void))
{
    emulate_groups(kernel, run.groups);
}

static void prepare(void)
{
    index_hubs(vertices, 0, graph.offset, graph.reverse_offset, graph.source, run.hub, run.isolated, &run.candidates);
}

#define RUN                                                                                                            \
    graph.offset, graph.target, graph.reverse_offset, graph.source, run.depth, run.parent, run.visited, run.list,      \
        run.control, run.sums, run.cursors, run.stats, run.trace, run.hub, run.isolated, run.next, run.segments,       \
        run.record, run.report, vertices, run.heavy, run.alpha, run.beta, run.schedule, (u32)run.candidates,           \
        run.hub_mask

static void whole_search(void)
{
    engine_run(RUN, run.root);
}

static void several_searches(void)
{
    engine_run_many(RUN, run.roots, max_searches);
}

static void search_with_handoff(void)
{
    engine_run_handoff(RUN, run.root, run.rule, &run.state, run.front, run.at_host);
}

/* Checks a vertex in the result of search `number`. */
static void judge_vertex(u32 number, u32 v)
{
    const u32 *depths = run.depth + number * vertices;
    u32 depth = depths[v], parent = run.parent[number * vertices + v];
    bool right = depth == graph.expected[v];
    if (right && depth == NONE) right = parent == NONE;
    if (right && depth != NONE && v == run.root) right = parent == v;
    if (right && depth != NONE && v != run.root) right = depths[parent] == depth - 1 && has_arc(parent, v);
    if (!right) ck_abort_msg("vertex %u: depth %u for %u, parent %u", v, depth, graph.expected[v], parent);
}

/* Checks that the log has each level once, in order and with its direction, between a begin and an end. */
static void judge_trace(const struct gws__trace_log *log)
{
    const u32 levels = run.report[0];
    ck_assert_uint_eq(log->count, levels + 2);
    ck_assert_uint_eq(log->event[0].kind, GWS_TRACE_BEGIN);
    ck_assert_uint_eq(log->event[levels + 1].kind, GWS_TRACE_END);
    for (u32 level = 0; level < levels; level++) {
        const struct gws__trace_event *event = &log->event[level + 1];
        ck_assert_uint_eq(event->kind, run.record[level] & RECORD_BOTTOM_UP ? GWS_TRACE_PULL : GWS_TRACE_PUSH);
        ck_assert_uint_eq(event->first, level);
        ck_assert_uint_eq(event->second, (u32)run.record[level]);
    }
}

/* Checks depths, parents and levels. Returns the number of tasks. */
static u64 judge_result(u32 number)
{
    const u64 *record = run.record + number * vertices;
    u64 size[vertices + 1] = {0}, tasks = 0;
    for (u32 v = 0; v < vertices; v++) {
        judge_vertex(number, v);
        if (run.depth[number * vertices + v] != NONE) size[run.depth[number * vertices + v]]++;
    }
    u32 levels = run.report[number * report_words], reached = 0;
    for (u32 level = 0; level < levels; level++) {
        ck_assert_uint_eq((u32)record[level], size[level]);
        reached += (u32)size[level];
        tasks += record[level] & RECORD_BOTTOM_UP ? words * 32 : size[level];
    }
    ck_assert_uint_eq(size[levels], 0);
    ck_assert_uint_eq(run.report[number * report_words + 1], reached);
    return tasks;
}

/* Checks that each task of each level ran once. */
static void judge_groups(u64 tasks)
{
    u64 ran = 0, given = 0;
    for (u32 g = 0; g < run.groups; g++) {
        ran += run.stats[g * stats_stride + 1];
        given += run.stats[g * stats_stride];
    }
    ck_assert_uint_eq(ran, tasks);
    if (run.schedule != SCHEDULE_CURSOR) ck_assert_uint_eq(given, tasks);
}

/* Poisons the words that a search must write. */
static void poison(u32 root)
{
    free(graph.expected);
    search_serially(root);
    run.root = root;
    memset(run.depth, 0x55, sizeof run.depth);
    memset(run.parent, 0x55, sizeof run.parent);
    memset(run.next, 0x55, sizeof run.next);
    memset(run.cursors, 0x55, sizeof run.cursors);
}

static void search_from(u32 root)
{
    static u64 words_of_log[1 + 3 * (vertices + 2)];
    struct gws__trace_log *log = (struct gws__trace_log *)words_of_log;
    poison(root);
    log->capacity = vertices + 2;
    log->count = 0;
    run.trace = log;
    launch(whole_search);
    run.trace = NULL;
    judge_groups(judge_result(0));
    judge_trace(log);
}

/* Runs several searches in one launch, over one barrier. */
static void search_from_several(void)
{
    const u32 roots[max_searches] = {0, vertices - 1, 7};
    u64 tasks = 0;
    memcpy(run.roots, roots, sizeof roots);
    poison(roots[0]);
    launch(several_searches);
    for (u32 i = 0; i < max_searches; i++) {
        free(graph.expected);
        search_serially(roots[i]);
        run.root = roots[i];
        tasks += judge_result(i);
    }
    judge_groups(tasks);
}

/* ---- handoff ---- */

/* Runs one level by a loop, as the host does, and writes the results at once. Prepares the list and the rule for the
 * next launch. Returns false if the frontier is empty. */
static bool host_level(void)
{
    u32 count = 0, size = run.state.at.size;
    static u32 found[vertices];
    run.record[run.state.at.level] = size;
    for (u32 i = 0; i < size; i++)
        for (u64 a = graph.offset[run.front[2 * i]]; a < graph.offset[run.front[2 * i] + 1]; a++) {
            u32 v = graph.target[a], bit = 1u << v % 32;
            if (run.at_host[v / 32] & bit) continue;
            run.at_host[v / 32] |= bit;
            run.depth[v] = run.state.at.level + 1;
            run.parent[v] = run.front[2 * i];
            found[count++] = v;
        }
    run.rule.resumes = 1;
    run.rule.from.level = run.state.at.level + 1;
    run.rule.from.size = count;
    run.rule.from.reached = run.state.at.reached + count;
    run.rule.from.pulls = run.state.at.pulls;
    run.rule.from.arcs = 0;
    run.rule.from.unseen = run.state.at.unseen;
    for (u32 i = 0; i < count; i++)
        run.front[2 * i] = found[i], run.rule.from.arcs += graph.offset[found[i] + 1] - graph.offset[found[i]];
    return count > 0;
}

/* Runs one small level at a time on the host, and at most `max` on the device. Only the device runs larger levels. */
static void search_with_handoffs(u32 root, u32 max)
{
    u32 handoffs = 0;
    poison(root);
    run.rule = (struct gws__handoff_rule){.max = max, .limit = 1e30f};
    do {
        memset(&run.state, 0, sizeof run.state);
        launch(search_with_handoff);
        handoffs += run.state.handed_off;
    } while (run.state.handed_off && host_level());
    if (run.state.handed_off) run.report[0] = run.rule.from.level, run.report[1] = run.rule.from.reached;
    judge_result(0);
    if (graph.offset[vertices] == 0 && max > 0) ck_assert_uint_eq(handoffs, 0);
}

static void search(u32 groups, u32 mode)
{
    memset(&run, 0, sizeof run);
    run.groups = groups;
    run.schedule = mode % 3;
    run.heavy = mode % 4 < 2 ? 8 : 512;
    run.alpha = mode % 2 ? 32 : 0;
    run.beta = mode % 2 ? 16 : 0;
    if (mode % 3 < 2) launch(prepare);
    if (mode % 3 == 2) run.candidates = vertices;
    run.hub_mask = mode % 3 < 2 ? NONE : 0;
    search_from(0);
    search_from(vertices - 1);
    search_from_several();
    for (u32 max = 0; max < 3; max++) search_with_handoffs(7 * max, max);
}

START_TEST(depths_equal_the_oracles)
{
    static const struct {
        u64 arcs;
        u32 path, among;
    } shape[] = {
        {0, 1, vertices}, {9000, 1, vertices}, {60000, 1, 2000}, {2000, 1500, vertices}, {70000, 60, vertices}};
    graph_make(shape[_i].arcs, shape[_i].path, shape[_i].among);
    for (u32 groups = gws_test_quick() ? 3 : 1; groups <= max_groups; groups += 2)
        for (u32 mode = 0; mode < 12; mode += gws_test_quick() ? 5 : 1) search(groups, mode);
    graph_free();
}
END_TEST

/* A hub with arcs to and from nearly all vertices. The row of the hub is split in both directions, and the index of
 * hubs names it for the other vertices. */
START_TEST(heavy_rows)
{
    u32 *from = malloc(4 * vertices * sizeof *from), *to = malloc(4 * vertices * sizeof *to);
    u64 arcs = 0;
    for (u32 v = 0; v + 10 < vertices; v++) {
        const u32 hub = vertices / 2, next = v + 3;
        from[arcs] = hub, to[arcs++] = v;
        from[arcs] = v, to[arcs++] = hub;
        if (v % 7 == 0) from[arcs] = v, to[arcs++] = next;
    }
    csr(from, to, arcs, &graph.offset, &graph.target);
    csr(to, from, arcs, &graph.reverse_offset, &graph.source);
    search_serially(0);
    for (u32 groups = gws_test_quick() ? 3 : 1; groups <= max_groups; groups += 2)
        for (u32 mode = 0; mode < 12; mode += gws_test_quick() ? 5 : 1) search(groups, mode);
    graph_free();
    free(from);
    free(to);
}
END_TEST

static void acquire_all(void)
{
    static struct distributor_stats stats[max_groups];
    struct distributor work =
        distributor_open(run.cursors, &stats[gws_host_group], 0, run.heavy, run.alpha, 1, run.schedule);
    struct unit_range range = {0, 0};
    while (distributor_next(&work, &range))
        for (u32 i = range.begin; i < range.end; i++) (void)word_add(&run.segments[i], 1);
}

/* Each schedule assigns every unit exactly once. */
START_TEST(every_unit_once)
{
    static const u32 counts[] = {0, 1, 4, 5, 63, 64, 65, 3000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (u32 mode = 0; mode < 9; mode += gws_test_quick() ? 4 : 1)
            for (u32 groups = gws_test_quick() ? 2 : 1; groups <= max_groups; groups++) {
                memset(&run, 0, sizeof run);
                run.groups = groups;
                run.heavy = counts[c];
                run.schedule = mode % 3;
                run.alpha = mode / 3 == 0 ? 1 : mode / 3 == 1 ? 4 : 32;
                launch(acquire_all);
                for (u32 i = 0; i < 4000; i++)
                    if (run.segments[i] != (i < counts[c]))
                        ck_abort_msg("unit %u of %u handed out %u times", i, counts[c], run.segments[i]);
            }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_unit_once, 1}, {depths_equal_the_oracles, 5}, {heavy_rows, 1}, {0}};
    return gws_test_run("engine", test);
}

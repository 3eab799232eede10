/* SPDX-License-Identifier: MIT */
/* Tests a level queue, emulated with groups as threads. Workers must acquire every range once, and a BFS with the
 * queue must equal a serial search. A test names its queue, defines GWS_GROUP_SIZE and includes the sources before
 * this file. */
#ifndef GWS_TESTS_KERNELS_SUITE_H
#define GWS_TESTS_KERNELS_SUITE_H

#include "emulate.h"
#include "graph.h"

enum { max_groups = 7, max_events = 4096 };

static struct {
    atom64 queue[2 * max_groups * QUEUE_STRIDE], sums[SUM_WORDS];
    u64 stats[2 * max_groups * STATS_STRIDE], record[vertices];
    atom32 depth[vertices], parent[vertices], visited[vertices / 32 + 1], control[CONTROL_WORDS], seen[vertices];
    u32 list[vertices];
    u32 groups;
    u64 trace[1 + 3 * max_events]; /* a struct gws__trace_log */
} run;

#define TRACE_LOG ((struct gws__trace_log *)run.trace)

#define RUN_ARGUMENTS                                                                                                  \
    graph.offset, graph.target, graph.reverse_offset, graph.source, run.depth, run.parent, run.visited, run.list,      \
        run.control, run.sums, run.queue, run.stats, TRACE_LOG

static void launch(void (*kernel)(void))
{
    emulate_groups(kernel, run.groups);
}

static void acquire_all(void)
{
    u64 range[2];
    u64 *stats = run.stats + gws_host_group * STATS_STRIDE;
    for (;;) {
        acquire_range(run.queue, stats, gws_host_group, run.groups, run.groups, true, range);
        if (range[0] == range[1]) return;
        for (u64 i = range[0]; i < range[1]; i++) atom_add(&run.seen[i], 1, order_relaxed);
    }
}

static void acquire_all_of(u64 count, u64 chunk)
{
    for (u32 g = 0; g < run.groups; g++) queue_fill(run.queue, g, run.groups, count, chunk);
    launch(acquire_all);
}

START_TEST(every_index_once)
{
    static const u64 counts[] = {0, 1, 2, 63, 64, 65, vertices};
    static const u64 chunks[] = {1, 3, 64, 5000};
    memset(&run, 0, sizeof run);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++)
            for (run.groups = gws_test_quick() ? 2 : 1; run.groups <= max_groups;
                 run.groups += gws_test_quick() ? 3 : 1) {
                memset(run.seen, 0, sizeof run.seen);
                acquire_all_of(counts[c], chunks[k]);
                for (u64 i = 0; i < vertices; i++)
                    if (run.seen[i] != (i < counts[c]))
                        ck_abort_msg("index %llu of %llu seen %u times", (unsigned long long)i,
                                     (unsigned long long)counts[c], run.seen[i]);
            }
}
END_TEST

static void judge(void)
{
    for (u32 v = 0; v < vertices; v++) {
        u32 depth = run.depth[v], parent = run.parent[v];
        if (depth != graph.expected[v]) ck_abort_msg("vertex %u: depth %u, not %u", v, depth, graph.expected[v]);
        if (depth == NONE ? parent != NONE : v != 0 && (run.depth[parent] != depth - 1 || !has_arc(parent, v)))
            ck_abort_msg("vertex %u of depth %u has parent %u", v, depth, parent);
    }
}

/* ---- the device alone ---- */

static void begin_search(void)
{
    bfs_begin(RUN_ARGUMENTS, 0, vertices, graph.offset[vertices]);
}

static void top_down(void)
{
    bfs_top_down(RUN_ARGUMENTS);
}

static void bottom_up(void)
{
    bfs_bottom_up(RUN_ARGUMENTS);
}

static void plan(u32 threshold, u32 arcs, u32 direction)
{
    gws_host_group = 0;
    gws_host_groups = 1;
    const struct gws__bfs_plan plan = {threshold, arcs, 16, direction, run.groups, 1, vertices, 5};
    bfs_plan(RUN_ARGUMENTS, run.record, plan);
}

static u32 level_threshold, level_direction;

static void whole_level(void)
{
    const struct gws__bfs_plan plan = {
        level_threshold, level_direction % 2 ? 50 : 0xffffffffu, 16, level_direction, run.groups, 1, vertices, 5};
    bfs_level(RUN_ARGUMENTS, run.record, plan);
}

static void round_of(u32 threshold, u32 direction, bool whole)
{
    level_threshold = threshold;
    level_direction = direction;
    if (!whole || run.control[CONTROL_STATE] == STATE_READY)
        plan(threshold, direction % 2 ? 50 : 0xffffffffu, direction);
    if (whole) launch(whole_level);
    if (whole) return;
    launch(top_down);
    launch(bottom_up);
}

/* Checks that the log has each steal once, unless the log was too short. */
static void judge_trace(void)
{
    u64 steals[max_groups] = {0};
    u32 count = TRACE_LOG->count < max_events ? TRACE_LOG->count : 0;
    for (u32 i = 0; i < count; i++)
        if (TRACE_LOG->event[i].kind == GWS_TRACE_STEAL) steals[TRACE_LOG->event[i].group]++;
    for (u32 g = 0; g < run.groups && count > 0; g++)
        ck_assert_uint_eq(steals[g], run.stats[g * STATS_STRIDE + STATS_STEALS]);
}

static void search(u32 groups, u32 threshold, u32 direction, bool whole)
{
    u64 ran = 0, expected = 0, reached = 0;
    memset(&run, 0, sizeof run);
    run.groups = groups;
    TRACE_LOG->capacity = max_events;
    launch(begin_search);
    while (run.control[CONTROL_STATE] != STATE_ENDED) {
        round_of(threshold, direction, whole);
        if (run.control[CONTROL_STATE] != STATE_FULL && run.control[CONTROL_STATE] != STATE_ENDED) continue;
        for (u32 i = 0; i < run.control[CONTROL_RECORDS]; i++) {
            reached += run.record[i] & 0xffffffffu;
            expected += run.record[i] & RECORD_BOTTOM_UP ? vertices : run.record[i] & 0xffffffffu;
        }
        run.control[CONTROL_RECORDS] = 0;
        if (run.control[CONTROL_STATE] == STATE_FULL) run.control[CONTROL_STATE] = STATE_READY;
    }
    for (u32 g = 0; g < groups; g++) ran += run.stats[g * STATS_STRIDE + STATS_RUN];
    judge_trace();
    ck_assert_uint_eq(ran, expected);
    ck_assert_uint_eq(reached, run.control[CONTROL_TAIL]);
    judge();
}

START_TEST(depths_equal_the_oracles)
{
    static const struct {
        u64 arcs;
        u32 path, among;
    } shape[] = {{0, 1, vertices}, {9000, 1, vertices}, {60000, 1, 2000}, {2000, 60, vertices}};
    for (size_t s = 0; s < sizeof shape / sizeof shape[0]; s++) {
        graph_make(shape[s].arcs, shape[s].path, shape[s].among);
        for (u32 groups = gws_test_quick() ? 4 : 1; groups <= max_groups; groups += 3)
            for (u32 mode = gws_test_quick() ? (u32)s : 0; mode < 12; mode += gws_test_quick() ? 5 : 1)
                search(groups, mode % 6 < 3 ? 0 : 40, mode % 3, mode >= 6);
        graph_free();
    }
}
END_TEST

#include "hybrid.h" /* needs all definitions above */

static Suite *kernels(void)
{
    Suite *suite = suite_create("kernels");
    TCase *tests = tcase_create("emulated");
    tcase_add_test(tests, every_index_once);
    tcase_add_test(tests, depths_equal_the_oracles);
    tcase_add_test(tests, groups_persist_beside_cpu_workers);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(kernels);
}

#endif

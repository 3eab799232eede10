/* SPDX-License-Identifier: MIT */
/* The emulated engine for operators whose vertices re-enter. Threads emulate the groups. A test includes the operator
 * before this header. */
#ifndef GWS_TESTS_KERNELS_ROUNDS_H
#define GWS_TESTS_KERNELS_ROUNDS_H

/* clang-format off */
/* Each source needs the sources before it. */
#include "../../kernels/engine/push.cl"
#include "../../kernels/engine/vertex.cl"
#include "../../kernels/engine/rounds_state.cl"
#include "../../kernels/engine/rounds.cl"
#include "../../kernels/engine/rounds_handoff.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

enum { max_groups = 5, bitmap_words = (vertices + 31) / 32, max_segments = 400000, max_arcs = 200000 };

static struct {
    union {
        u32 data[vertices];
        u64 long_data[vertices];
    };
    u32 visited[bitmap_words], next[bitmap_words], far[bitmap_words];
    u32 list[2 * vertices], control[64], cursors[2 * max_groups], segments[max_segments], weight[max_arcs];
    u64 sums[16];
    u32 groups, heavy, schedule, pull_size, word[4], frontier[bitmap_words];
    struct gws__handoff_rule rule;
    struct gws__handoff_state state;
    u32 *stop, stops; /* stop: NULL, or &stops */
} run;

static inline void all_rounds(void)
{
    engine_rounds(graph.offset, graph.target, graph.reverse_offset, graph.source, run.weight, run.data, NULL, NULL,
                  NULL, run.visited, run.next, run.far, run.list, run.control, run.sums, run.cursors, run.segments,
                  NULL, run.stop, vertices, run.heavy, run.schedule, run.pull_size, run.word[0], run.word[1],
                  run.word[2], run.word[3]);
}

static inline void rounds_to_a_handoff(void)
{
    engine_rounds_handoff(graph.offset, graph.target, graph.reverse_offset, graph.source, run.weight, run.data, NULL,
                          NULL, NULL, run.visited, run.next, run.far, run.list, run.control, run.sums, run.cursors,
                          run.segments, NULL, run.stop, vertices, run.heavy, run.schedule, run.pull_size, run.word[0],
                          run.word[1], run.word[2], run.word[3], run.rule, &run.state, run.frontier);
}

/* Runs one round by a loop, as the host does. Returns false if nothing changed. */
static inline bool host_round(void)
{
    static u32 next[bitmap_words];
    struct device_engine s = {.weight = run.weight, .data = {run.data}, .word = {run.word[0]}};
    bool found = false;
    memset(next, 0, sizeof next);
    for (u32 v = 0; v < vertices; v++)
        for (u64 a = graph.offset[v]; run.frontier[v / 32] >> v % 32 & 1 && a < graph.offset[v + 1]; a++) {
            u32 to = graph.target[a];
            if (!op_commit(&s, v, to, op_claim(&s, v, to, op_peek(&s, v, to, a)))) continue;
            next[to / 32] |= 1u << to % 32;
            found = true;
        }
    memcpy(run.frontier, next, sizeof next);
    return found;
}

/* Runs at most `max` rounds at a time on the device, then one on the host. Returns the number of handoffs to the
 * host. */
static inline u32 rounds_with_handoffs(u32 max)
{
    u32 handoffs = 0;
    memset(run.frontier, 0x55, sizeof run.frontier);
    run.rule = (struct gws__handoff_rule){.max = max, .limit = 1e30f};
    do {
        run.state = (struct gws__handoff_state){.handed_off = 0};
        emulate_groups(rounds_to_a_handoff, run.groups);
        handoffs += run.state.handed_off;
        run.rule.resumes = 1;
    } while (run.state.handed_off && host_round());
    struct device_engine s = {.data = {run.data}};
    if (run.state.handed_off) run.sums[SUM_COUNTED] = 0;
    for (u32 v = 0; v < vertices && run.state.handed_off; v++) run.sums[SUM_COUNTED] += op_counts(&s, v);
    return handoffs;
}

/* Poisons the words that a run must write. The words of the barrier keep their values from run to run. */
static void poison(void)
{
    memset(run.long_data, 0x55, sizeof run.long_data);
    memset(run.visited, 0x55, sizeof run.visited);
    memset(run.next, 0x55, sizeof run.next);
    memset(run.far, 0x55, sizeof run.far);
    memset(run.cursors, 0x55, sizeof run.cursors);
    memset(run.control, 0x55, sizeof run.control);
}

/* Chooses one of twelve settings: the schedule, with or without heavy rows, with or without pull, with or without a
 * word that could stop the run. */
static void choose(u32 groups, u32 mode)
{
    memset(run.sums, 0, sizeof run.sums);
    run.groups = groups;
    run.schedule = mode % 3;
    run.heavy = mode % 4 < 2 ? 8 : 512;
    run.pull_size = mode % 2 ? 4 : 0;
    run.stop = mode < 6 ? &run.stops : NULL;
}

/* Calls check() with each number of groups and each setting. Sanitizer runs use fewer numbers of groups. */
static void every_setting(void (*check)(void))
{
    for (u32 groups = gws_test_quick() ? 3 : 1; groups <= max_groups; groups += gws_test_quick() ? 4 : 2)
        for (u32 mode = 0; mode < 12; mode += gws_test_quick() ? 5 : 1) {
            choose(groups, mode);
            check();
        }
}

#endif

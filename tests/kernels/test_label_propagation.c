/* SPDX-License-Identifier: MIT */
/* The emulated engine with kernels/operator/label_propagation.cl, checked against one search from each vertex in
 * turn. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/operator/operator.h"
#include "../../kernels/engine/direction.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/record_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/hetero/trace_words.h"
#include "../../kernels/hetero/trace.cl"
#include "../../kernels/hetero/handoff_words.h"
#include "../../kernels/hetero/handoff_rule.h"
#include "../../kernels/engine/state.cl"
#include "../../kernels/operator/label_propagation.cl"
/* clang-format on */
#include "rounds.h"

static u32 expected[vertices], sources;

/* Labels each vertex with the smallest vertex from which a path leads to it. */
static void label_serially(void)
{
    static u32 stack[vertices];
    memset(expected, 0xff, sizeof expected);
    sources = 0;
    for (u32 v = 0; v < vertices; v++) {
        u32 size = 0;
        if (expected[v] != NONE) continue;
        sources++;
        expected[v] = v;
        stack[size++] = v;
        while (size > 0) {
            u32 from = stack[--size];
            for (u64 a = graph.offset[from]; a < graph.offset[from + 1]; a++) {
                if (expected[graph.target[a]] != NONE) continue;
                expected[graph.target[a]] = v;
                stack[size++] = graph.target[a];
            }
        }
    }
}

static void check_labels(void)
{
    for (int variant = 0; variant < 4; variant++) {
        u32 handoffs = 0;
        poison();
        if (variant < 2)
            emulate_groups(all_rounds, run.groups);
        else
            handoffs = rounds_with_handoffs(3 - (u32)variant);
        for (u32 v = 0; v < vertices; v++)
            if (run.data[v] != expected[v]) ck_abort_msg("vertex %u: %u for %u", v, run.data[v], expected[v]);
        ck_assert_uint_eq(run.sums[SUM_COUNTED], sources);
        if (variant == 3) ck_assert_uint_ge(handoffs, 1); /* at least the handoff before the first round */
        if (variant >= 2) continue;
        ck_assert_uint_ge(run.control[COUNT_REPORT_LEVELS], 1);
        ck_assert_uint_eq(run.control[COUNT_PULLS] > 0, run.pull_size > 0);
    }
}

START_TEST(labels_equal_the_oracles)
{
    make_shape(_i);
    label_serially();
    every_setting(check_labels);
    graph_free();
}
END_TEST

static void check_cancelled(void)
{
    poison();
    run.stop = &run.stops;
    emulate_groups(all_rounds, run.groups);
    ck_assert_uint_eq(run.control[COUNT_REPORT_LEVELS], 0);
}

START_TEST(a_cancelled_run_ends)
{
    make_shape(0);
    run.stops = 1;
    every_setting(check_cancelled);
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{labels_equal_the_oracles, shapes}, {a_cancelled_run_ends, 1}, {0}};
    return gws_test_run("label propagation", test);
}

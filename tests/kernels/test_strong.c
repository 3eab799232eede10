/* SPDX-License-Identifier: MIT */
/* The emulated kernel of strong components, checked against Tarjan's algorithm. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define STRONG_HEAVY 16u
#define STRONG_ALONE 8u
#define STRONG_TRIM 32u

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/strong_words.h"
#include "../../kernels/graph/strong_search.cl"
#include "../../kernels/graph/strong.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

static struct {
    u32 component[vertices], colour[vertices], region[vertices], list[STRONG_LISTS * vertices];
    u32 heavy[1 << 14], count[STRONG_COUNTS], round;
    u64 best, arrived;
} run;

/* ---- the oracle ---- */

static struct {
    u32 expected[vertices], order[vertices], low[vertices], stack[vertices], stacked, discovered;
    u32 components, largest;
} tarjan;

/* The depth of the recursion is at most the number of vertices. */
static void visit_serially(u32 v)
{
    tarjan.order[v] = tarjan.low[v] = ++tarjan.discovered;
    tarjan.stack[tarjan.stacked++] = v;
    for (u64 a = graph.offset[v]; a < graph.offset[v + 1]; a++) {
        u32 to = graph.target[a];
        if (tarjan.expected[to] != NONE) continue;
        if (!tarjan.order[to]) visit_serially(to);
        if (tarjan.expected[to] == NONE && tarjan.low[to] < tarjan.low[v]) tarjan.low[v] = tarjan.low[to];
    }
    if (tarjan.low[v] != tarjan.order[v]) return;
    u32 last = tarjan.stacked, smallest = v;
    do {
        tarjan.stacked--;
        if (tarjan.stack[tarjan.stacked] < smallest) smallest = tarjan.stack[tarjan.stacked];
    } while (tarjan.stack[tarjan.stacked] != v);
    for (u32 i = tarjan.stacked; i < last; i++) tarjan.expected[tarjan.stack[i]] = smallest;
    if (last - tarjan.stacked > tarjan.largest) tarjan.largest = last - tarjan.stacked;
    tarjan.components++;
}

static void find_serially(void)
{
    memset(&tarjan, 0, sizeof tarjan);
    memset(tarjan.expected, 0xff, sizeof tarjan.expected);
    for (u32 v = 0; v < vertices; v++)
        if (!tarjan.order[v]) visit_serially(v);
}

/* ---- the kernel ---- */

static void all_groups(void)
{
    graph_strong(graph.offset, graph.target, graph.reverse_offset, graph.source, run.component, run.colour, run.region,
                 run.list, run.heavy, run.count, &run.best, &run.arrived, vertices, run.round);
}

/* Returns the number of rounds. */
static u32 check_groups(u32 groups)
{
    memset(&run, 0x55, sizeof run);
    memset(run.count, 0, sizeof run.count);
    run.best = ~(u64)0;
    run.arrived = 0;
    run.count[STRONG_OPEN] = vertices;
    for (run.round = 0; run.count[STRONG_OPEN] > 0; run.round++) {
        u32 before = run.count[STRONG_OPEN];
        emulate_groups(all_groups, groups);
        ck_assert_uint_lt(run.count[STRONG_OPEN], before);
    }
    ck_assert_mem_eq(run.component, tarjan.expected, sizeof run.component);
    ck_assert_uint_eq(run.count[STRONG_ROOTS], tarjan.components);
    u32 giant = run.count[STRONG_GIANT], other = run.count[STRONG_LARGEST];
    ck_assert_uint_eq(giant > other ? giant : other, tarjan.largest);
    return run.round;
}

START_TEST(components_equal_the_oracles)
{
    make_shape(_i);
    find_serially();
    for (u32 groups = 1; groups <= 5; groups += 2) check_groups(groups);
    graph_free();
}
END_TEST

/* A chain of cycles of `length` vertices, where each cycle has an arc to the next one. With _i % 2, the arcs lead to
 * smaller numbers. Trimming closes only the ends of the chain, but few rounds close it. */
START_TEST(long_chains_take_few_rounds)
{
    static u32 from[2 * vertices], to[2 * vertices];
    const u32 length = _i / 2 ? 3 : 1;
    u64 arcs = 0;
    for (u32 v = 0; v < vertices; v++) {
        from[arcs] = v;
        to[arcs++] = v % length + 1 < length ? v + 1 : v + 1 - length;
        if (v % length > 0 || v + length >= vertices) continue;
        from[arcs] = _i % 2 ? v + length : v;
        to[arcs++] = _i % 2 ? v : v + length;
    }
    csr(from, to, arcs, &graph.offset, &graph.target);
    csr(to, from, arcs, &graph.reverse_offset, &graph.source);
    find_serially();
    ck_assert_uint_eq(tarjan.components, vertices / length);
    ck_assert_uint_le(check_groups(3), 40);
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{components_equal_the_oracles, shapes}, {long_chains_take_few_rounds, 4}, {0}};
    return gws_test_run("strong components", test);
}

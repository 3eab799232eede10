/* SPDX-License-Identifier: MIT */
/* The emulated engine with kernels/operator/cores.cl, checked against serial removal of vertices. */
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
#include "../../kernels/operator/cores.cl"
/* clang-format on */
#include "rounds.h"

static u32 expected[vertices], max_core, with_core;

/* Makes the graph symmetric, with ascending rows. With `simple`, removes loops and parallel arcs. */
static void symmetrise(bool simple)
{
    unsigned char *arcs = calloc((size_t)vertices * vertices, 1);
    u64 count = 0;
    for (u32 v = 0; v < vertices; v++)
        for (u64 a = graph.offset[v]; a < graph.offset[v + 1]; a++) {
            u32 to = graph.target[a];
            if (simple && to == v) continue;
            arcs[(size_t)v * vertices + to] += (unsigned char)(simple ? 1 - arcs[(size_t)v * vertices + to] : 1);
            if (to != v) arcs[(size_t)to * vertices + v] = arcs[(size_t)v * vertices + to];
        }
    for (size_t i = 0; i < (size_t)vertices * vertices; i++) count += arcs[i];
    graph.target = realloc(graph.target, (count + 1) * sizeof *graph.target);
    count = 0;
    for (u32 v = 0; v < vertices; v++) {
        graph.offset[v] = count;
        for (u32 to = 0; to < vertices; to++)
            for (u32 i = 0; i < arcs[(size_t)v * vertices + to]; i++) graph.target[count++] = to;
    }
    graph.offset[vertices] = count;
    free(arcs);
}

static u32 neighbours_left(u32 v, const bool *removed)
{
    u32 left = 0, last = NONE;
    for (u64 a = graph.offset[v]; a < graph.offset[v + 1]; a++) {
        u32 to = graph.target[a];
        left += to != v && to != last && !removed[to];
        last = to;
    }
    return left;
}

static void remove_serially(void)
{
    static bool removed[vertices];
    u32 left = vertices;
    memset(removed, 0, sizeof removed);
    max_core = with_core = 0;
    for (u32 k = 0; left > 0; k++)
        for (bool changed = true; changed;) {
            changed = false;
            for (u32 v = 0; v < vertices; v++) {
                if (removed[v] || neighbours_left(v, removed) > k) continue;
                removed[v] = changed = true;
                left--;
                expected[v] = max_core = k;
                with_core += k > 0;
            }
        }
}

static void check_cores(void)
{
    poison();
    emulate_groups(all_rounds, run.groups);
    for (u32 v = 0; v < vertices; v++)
        if (run.data[v] != expected[v]) ck_abort_msg("vertex %u: %u for %u", v, run.data[v], expected[v]);
    ck_assert_uint_eq(run.sums[SUM_COUNTED], with_core);
    ck_assert_uint_eq(run.control[COUNT_REPORT_THRESHOLD], max_core + 2);
    ck_assert_uint_ge(run.control[COUNT_REPORT_LEVELS], max_core > 0);
}

START_TEST(cores_equal_the_oracles)
{
    if (gws_test_races() && _i / 2 % 2 != _i % 2) return; /* one kind of graphs for each shape */
    make_shape(_i / 2);
    symmetrise(_i % 2);
    remove_serially();
    run.word[0] = _i % 2;
    run.word[3] = 1;
    every_setting(check_cores);
    run.word[0] = 0;
    every_setting(check_cores);
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{cores_equal_the_oracles, 2 * shapes}, {0}};
    return gws_test_run("cores", test);
}

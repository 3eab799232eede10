/* SPDX-License-Identifier: MIT */
/* The emulated engine with kernels/operator/sssp.cl, checked against Dijkstra's algorithm: with one bucket and with
 * many. */
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
#include "../../kernels/engine/state.cl"
#include "../../kernels/operator/sssp.cl"
/* clang-format on */
#include "rounds.h"

static u32 expected[vertices], reached;

/* Dijkstra's algorithm, which scans all vertices for the nearest one. */
static void search_by_weight(u32 source)
{
    static bool done[vertices];
    memset(expected, 0xff, sizeof expected);
    memset(done, 0, sizeof done);
    expected[source] = reached = 0;
    for (;;) {
        u32 nearest = NONE;
        for (u32 v = 0; v < vertices; v++)
            if (!done[v] && expected[v] != NONE && (nearest == NONE || expected[v] < expected[nearest])) nearest = v;
        if (nearest == NONE) return;
        done[nearest] = true;
        reached++;
        for (u64 a = graph.offset[nearest]; a < graph.offset[nearest + 1]; a++) {
            u64 far = (u64)expected[nearest] + run.weight[a];
            if (far < expected[graph.target[a]]) expected[graph.target[a]] = (u32)far;
        }
    }
}

static void check_distances(void)
{
    static const u32 delta[] = {NONE, 1, 50, 3000, 0x40000000, NONE, 300};
    for (size_t i = 0; i < sizeof delta / sizeof *delta; i++) {
        run.word[3] = delta[i];
        poison();
        if (i < 5)
            emulate_groups(all_rounds, run.groups);
        else
            (void)rounds_with_handoffs(2);
        for (u32 v = 0; v < vertices; v++)
            if (run.data[v] != expected[v])
                ck_abort_msg("delta %u: vertex %u: %u for %u", delta[i], v, run.data[v], expected[v]);
        ck_assert_uint_eq(run.sums[SUM_COUNTED], reached);
    }
}

/* Weights below 1000, including 0; or so large that the distances of far vertices exceed a word. */
static void weigh(bool large)
{
    u64 random = 3, arcs = graph.offset[vertices];
    ck_assert_uint_le(arcs, max_arcs);
    for (u64 a = 0; a < arcs; a++)
        run.weight[a] = large ? 0x30000000u : gws_random_below(gws_random_next(&random), 1000);
}

START_TEST(distances_equal_the_oracles)
{
    make_shape(_i / 2);
    weigh(_i % 2);
    run.word[0] = _i % 3 ? 7 : 0;
    search_by_weight(run.word[0]);
    every_setting(check_distances);
    graph_free();
}
END_TEST

static Suite *sssp(void)
{
    Suite *suite = suite_create("sssp");
    TCase *tests = tcase_create("emulated");
    tcase_add_loop_test(tests, distances_equal_the_oracles, 0, 2 * shapes);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(sssp);
}

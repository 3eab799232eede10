/* SPDX-License-Identifier: MIT */
/* The emulated kernel of bounds on eccentricities, checked against the rules of its header. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/diameter_words.h"
#include "../../kernels/graph/diameter.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

static struct {
    u32 component[vertices], size[vertices], lower[vertices], upper[vertices], found[DIAMETER_FOUND];
    u32 step, last, largest;
    u64 best[2], arrived;
} run;

static u32 lower[vertices], upper[vertices]; /* of the oracle */

static void all_groups(void)
{
    graph_diameter(graph.offset, run.component, run.step == DIAMETER_BOUND ? graph.expected : NULL, run.size, run.lower,
                   run.upper, run.best, run.found, &run.arrived, vertices, run.step, run.last, run.largest);
}

static void launch(u32 step, u32 groups)
{
    memset(run.best, 0xff, sizeof run.best);
    memset(run.found, 0xff, sizeof run.found);
    run.step = step;
    emulate_groups(all_groups, groups);
}

/* Returns whether vertex a is the better candidate. */
static bool is_better(u32 a, u32 than, bool high)
{
    if (upper[a] <= run.largest) return false;
    if (than == NONE) return true;
    if (high && upper[a] != upper[than]) return upper[a] > upper[than];
    if (!high && lower[a] != lower[than]) return lower[a] < lower[than];
    u64 degree = graph.offset[a + 1] - graph.offset[a], other = graph.offset[than + 1] - graph.offset[than];
    return degree != other ? degree > other : a < than;
}

static void judge(bool searched)
{
    u32 wanted[DIAMETER_FOUND] = {NONE, NONE, NONE};
    for (u32 v = 0; v < vertices; v++) {
        if (run.lower[v] != lower[v] || run.upper[v] != upper[v]) ck_abort_msg("the bounds of vertex %u", v);
        if (is_better(v, wanted[DIAMETER_HIGH], true)) wanted[DIAMETER_HIGH] = v;
        if (is_better(v, wanted[DIAMETER_LOW], false)) wanted[DIAMETER_LOW] = v;
        if (searched && graph.expected[v] == run.last && v < wanted[DIAMETER_FARTHEST]) wanted[DIAMETER_FARTHEST] = v;
    }
    ck_assert_mem_eq(run.found, wanted, sizeof wanted);
}

static void bound_serially(void)
{
    for (u32 v = 0; v < vertices; v++) {
        u32 depth = graph.expected[v];
        if (depth == NONE) continue;
        if (lower[v] < depth) lower[v] = depth;
        if (lower[v] < run.last - depth) lower[v] = run.last - depth;
        if (upper[v] > run.last + depth) upper[v] = run.last + depth;
    }
}

/* Components are the residues modulo 7 of the numbers up to 2000, and single vertices. */
static void make_components(void)
{
    for (u32 v = 0; v < vertices; v++) run.component[v] = v < 2000 ? v % 7 : v;
    for (u32 v = 0; v < vertices; v++) {
        lower[v] = 0;
        upper[v] = v < 2000 ? (1999 - v % 7) / 7 : 0;
    }
}

START_TEST(bounds_and_candidates)
{
    for (u32 groups = 1; groups <= 5; groups += 2) {
        memset(&run, 0x55, sizeof run);
        run.arrived = 0;
        run.largest = 0;
        make_shape(_i);
        make_components();
        launch(DIAMETER_SIZES, groups);
        ck_assert_mem_eq(run.size, upper, sizeof upper);
        launch(DIAMETER_BEGIN, groups);
        judge(false);
        for (u32 searches = 0; searches < 5; searches++) {
            free(graph.expected);
            search_serially(searches * 500);
            run.last = 0;
            for (u32 v = 0; v < vertices; v++)
                if (graph.expected[v] != NONE && graph.expected[v] > run.last) run.last = graph.expected[v];
            if (run.last > run.largest) run.largest = run.last;
            launch(DIAMETER_BOUND, groups);
            bound_serially();
            judge(true);
        }
        graph_free();
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{bounds_and_candidates, shapes}, {0}};
    return gws_test_run("diameter", test);
}

/* SPDX-License-Identifier: MIT */
/* The emulated kernel of components, checked against passes over all arcs. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define COMPONENTS_HEAVY 64u

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/components_words.h"
#include "../../kernels/graph/components.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

static struct {
    u32 component[vertices], list[vertices], count[COMPONENTS_COUNTS], undirected;
    u64 arrived;
} run;

static u32 expected[vertices], components, largest;

static void label_serially(void)
{
    static u32 size[vertices];
    for (u32 v = 0; v < vertices; v++) expected[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 v = 0; v < vertices; v++)
            for (u64 a = graph.offset[v]; a < graph.offset[v + 1]; a++) {
                u32 *from = &expected[v], *to = &expected[graph.target[a]];
                changed = changed || *from != *to;
                *from = *to = *from < *to ? *from : *to;
            }
    }
    memset(size, 0, sizeof size);
    components = largest = 0;
    for (u32 v = 0; v < vertices; v++) {
        components += expected[v] == v;
        if (++size[expected[v]] > largest) largest = size[expected[v]];
    }
}

static void all_groups(void)
{
    graph_components(graph.offset, graph.target, run.component, run.list, run.count, &run.arrived, vertices,
                     run.undirected);
}

START_TEST(components_equal_the_oracles)
{
    make_shape(_i);
    label_serially();
    for (u32 groups = 1; groups <= 5; groups += 2)
        for (run.undirected = 0; run.undirected <= (_i == symmetric_shape); run.undirected++) {
            memset(run.component, 0x55, sizeof run.component);
            memset(run.list, 0x55, sizeof run.list);
            memset(run.count, 0, sizeof run.count);
            run.arrived = 0;
            emulate_groups(all_groups, groups);
            ck_assert_mem_eq(run.component, expected, sizeof expected);
            ck_assert_uint_eq(run.count[COMPONENTS_ROOTS], components);
            u32 sampled = run.count[COMPONENTS_SAMPLED];
            ck_assert_uint_eq(2 * sampled >= vertices ? sampled : run.count[COMPONENTS_LARGEST], largest);
        }
    graph_free();
}
END_TEST

static Suite *components_suite(void)
{
    Suite *suite = suite_create("components");
    TCase *tests = tcase_create("emulated");
    tcase_add_loop_test(tests, components_equal_the_oracles, 0, shapes);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return gws_test_main(components_suite);
}

/* SPDX-License-Identifier: MIT */
/* The emulated kernel of components, checked against passes over all arcs. */
#include "../harness.h"

#define GWS_GROUP_SIZE 1
#define COMPONENTS_HEAVY 64u
#define COMPONENTS_CHUNK 256u

/* clang-format off */
#include "../../kernels/portability/host.h"
#include "../../kernels/engine/engine_words.h"
#include "../../kernels/engine/grid.cl"
#include "../../kernels/graph/components_words.h"
#include "../../kernels/graph/components_links.cl"
#include "../../kernels/graph/components_hub.cl"
#include "../../kernels/graph/components_chunks.cl"
#include "../../kernels/graph/components.cl"
/* clang-format on */
#include "emulate.h"
#include "graph.h"

static struct {
    u32 component[vertices], list[vertices], visited[(vertices + 31) / 32];
    u32 count[COMPONENTS_COUNTS], undirected;
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
    graph_components(graph.offset, graph.target, run.component, run.list, run.visited, run.count, &run.arrived,
                     vertices, run.undirected);
}

/* ---- undirected graphs ---- */

enum { max_edges = 40000 };

static u32 from[2 * max_edges], to[2 * max_edges];
static u64 arcs;

static void add_edge(u32 a, u32 b)
{
    from[arcs] = to[arcs + 1] = a;
    to[arcs] = from[arcs + 1] = b;
    arcs += 2;
}

/* Most vertices are near the hub 2000. The search from the hub leaves paths, and a clique apart. */
static void add_hub(void)
{
    u64 random = 3;
    for (u32 v = 10; v < 1500; v++) add_edge(2000, v);
    for (u32 i = 0; i < 20000; i++) add_edge(10 + gws_random_below(gws_random_next(&random), 2400), 1000 + i % 500);
    for (u32 v = 2500; v < 2560; v++) add_edge(v, v + 1);
    add_edge(2530, 2400); /* the path with 2530 in its middle belongs to the largest component, and so does vertex 3 */
    add_edge(3, 2500);
    for (u32 v = 2700; v < 2760; v++)
        for (u32 w = 2700; w < v; w++) add_edge(v, w);
}

/* No vertex reaches more than a few others. */
static void add_cliques(void)
{
    for (u32 v = 0; v < vertices; v++)
        for (u32 w = v % 150; w < v; w += 150) add_edge(v, w);
}

/* Dense and without hubs, but connected. */
static void add_circle(void)
{
    for (u32 v = 0; v < vertices; v++)
        for (u32 i = 1; i <= 10; i++) add_edge(v, (v + i * 7) % vertices);
}

/* A mesh of 50 columns, with gaps. */
static void add_mesh(void)
{
    for (u32 v = 0; v < vertices; v++) {
        if (v % 50 > 0 && v % 7 > 0) add_edge(v, v - 1);
        if (v >= 50 && v % 11 > 0) add_edge(v, v - 50);
    }
}

static void (*const add_edges[])(void) = {add_hub, add_cliques, add_circle, add_mesh};
enum { cases = shapes + sizeof add_edges / sizeof *add_edges };

static void make_case(int which)
{
    if (which < shapes) {
        make_shape(which);
        return;
    }
    arcs = 0;
    add_edges[which - shapes]();
    ck_assert_uint_le(arcs, 2 * max_edges);
    csr(from, to, arcs, &graph.offset, &graph.target);
    csr(to, from, arcs, &graph.reverse_offset, &graph.source);
    search_serially(0);
}

START_TEST(components_equal_the_oracles)
{
    make_case(_i);
    label_serially();
    for (u32 groups = 1; groups <= 5; groups += 2)
        for (run.undirected = 0; run.undirected <= (_i >= symmetric_shape); run.undirected++) {
            memset(run.component, 0x55, sizeof run.component);
            memset(run.list, 0x55, sizeof run.list);
            memset(run.count, 0, sizeof run.count);
            run.arrived = 0;
            emulate_groups(all_groups, groups);
            ck_assert_mem_eq(run.component, expected, sizeof expected);
            ck_assert_uint_eq(run.count[COMPONENTS_ROOTS], components);
            u32 sampled = run.count[COMPONENTS_SAMPLED];
            bool is_largest = COMPONENTS_IS_LARGEST(sampled, components, vertices);
            ck_assert_uint_eq(is_largest ? sampled : run.count[COMPONENTS_LARGEST], largest);
        }
    graph_free();
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{components_equal_the_oracles, cases}, {0}};
    return gws_test_run("components", test);
}

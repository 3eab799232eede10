/* SPDX-License-Identifier: MIT */
/* A graph for emulated kernels, and a serial search of it. */
#ifndef GWS_TESTS_KERNELS_GRAPH_H
#define GWS_TESTS_KERNELS_GRAPH_H

#include "../../lib/random.h"

enum { vertices = 3000 };

static struct {
    u64 *offset, *reverse_offset;
    u32 *target, *source, *expected;
} graph;

static void csr(const u32 *from, const u32 *to, u64 arcs, u64 **offset, u32 **target)
{
    *offset = calloc(vertices + 2, sizeof **offset);
    *target = calloc(arcs + 1, sizeof **target);
    for (u64 a = 0; a < arcs; a++) (*offset)[from[a] + 2]++;
    for (u32 v = 1; v <= vertices; v++) (*offset)[v + 1] += (*offset)[v];
    for (u64 a = 0; a < arcs; a++) (*target)[(*offset)[from[a] + 1]++] = to[a];
}

/* Runs the serial oracle, a search with a queue of vertices. */
static void search_serially(u32 source)
{
    static u32 queue[vertices];
    u32 tail = 0;
    graph.expected = malloc(vertices * sizeof *graph.expected);
    memset(graph.expected, 0xff, vertices * sizeof *graph.expected);
    graph.expected[source] = 0;
    queue[tail++] = source;
    for (u32 head = 0; head < tail; head++)
        for (u64 a = graph.offset[queue[head]]; a < graph.offset[queue[head] + 1]; a++)
            if (graph.expected[graph.target[a]] == NONE) {
                graph.expected[graph.target[a]] = graph.expected[queue[head]] + 1;
                queue[tail++] = graph.target[a];
            }
}

/* Makes a graph of random arcs among the first `among` vertices, with some parallel arcs and some loops, and of a path
 * of `path` vertices. */
static void graph_make(u64 random_arcs, u32 path, u32 among)
{
    u64 arcs = 0, random = 7;
    u32 *from = malloc((2 * random_arcs + path) * sizeof *from), *to = malloc((2 * random_arcs + path) * sizeof *to);
    for (u64 a = 0; a < random_arcs; a++)
        for (u32 copy = 0; copy <= a % 5 / 4; copy++, arcs++) {
            from[arcs] = copy ? from[arcs - 1] : gws_random_below(gws_random_next(&random), among);
            to[arcs] = copy ? to[arcs - 1] : gws_random_below(gws_random_next(&random), among);
        }
    for (u32 v = 0; v + 1 < path; v++, arcs++) from[arcs] = v, to[arcs] = v + 1;
    csr(from, to, arcs, &graph.offset, &graph.target);
    csr(to, from, arcs, &graph.reverse_offset, &graph.source);
    free(from);
    free(to);
    search_serially(0);
}

/* The graphs have several shapes. The last shape has a hub and is symmetric. */
enum { shapes = 6, symmetric_shape = shapes - 1 };

static inline void make_shape(int which)
{
    static const struct {
        u64 arcs;
        u32 path, among;
    } shape[shapes - 1] = {
        {0, 1, vertices}, {9000, 1, vertices}, {60000, 1, 2000}, {2000, 1500, vertices}, {70000, 60, vertices}};
    static u32 from[2 * vertices], to[2 * vertices];
    u64 arcs = 0;
    if (which < shapes - 1) {
        graph_make(shape[which].arcs, shape[which].path, shape[which].among);
        return;
    }
    for (u32 v = 0; v + 10 < vertices; v++, arcs += 2) {
        const u32 hub = vertices / 2;
        from[arcs] = to[arcs + 1] = hub;
        to[arcs] = from[arcs + 1] = v;
    }
    csr(from, to, arcs, &graph.offset, &graph.target);
    csr(to, from, arcs, &graph.reverse_offset, &graph.source);
    search_serially(0);
}

static void graph_free(void)
{
    free(graph.offset);
    free(graph.reverse_offset);
    free(graph.target);
    free(graph.source);
    free(graph.expected);
    memset(&graph, 0, sizeof graph); /* not every test searches serially */
}

static inline bool has_arc(u32 from, u32 to)
{
    for (u64 a = graph.offset[from]; a < graph.offset[from + 1]; a++)
        if (graph.target[a] == to) return true;
    return false;
}

#endif

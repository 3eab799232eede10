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

/* The serial oracle: a queue of vertices. */
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

/* Makes a graph with random arcs, some parallel, some loops, among the first vertices, and a path of `path` vertices.
 */
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

static void graph_free(void)
{
    free(graph.offset);
    free(graph.reverse_offset);
    free(graph.target);
    free(graph.source);
    free(graph.expected);
}

static inline bool has_arc(u32 from, u32 to)
{
    for (u64 a = graph.offset[from]; a < graph.offset[from + 1]; a++)
        if (graph.target[a] == to) return true;
    return false;
}

#endif

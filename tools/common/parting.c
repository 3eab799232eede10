/* SPDX-License-Identifier: MIT */
#include "parting.h"

#include <stdio.h>
#include <string.h>

#include "console.h"

enum { vertex_bytes = 48, never = 63 };

/* Several devices wait for each other in each level, round or iteration. So a graph of few arcs is faster on one, and
 * so is one of many levels, whose degrees are low. The figures are those of two H100s and of two H200s
 * (datasets/bench/results/bfs-gpu.md and graph-algorithms.md). */
static const struct {
    uint32_t arc_bytes;
    uint32_t arcs;   /* two devices are faster from 2^arcs on, ... */
    uint32_t degree; /* ... if vertices have more arcs than this on average */
} rule[] = {[PARTING_BFS] = {.arc_bytes = 4, .arcs = 28, .degree = 5},
            [PARTING_COMPONENTS] = {.arc_bytes = 4, .arcs = never},
            [PARTING_RANKS] = {.arc_bytes = 4, .arcs = 20},
            [PARTING_PATHS] = {.arc_bytes = 8, .arcs = 28, .degree = 5}};

bool parting_may_be_one(const struct device_choices *list)
{
    return list->count == 1 && strstr(list->address[0], ":all") != NULL;
}

bool parting_one_is_faster(enum parting algorithm, const struct gws_device *device, const struct gws_graph *graph)
{
    const double arcs = (double)graph->arcs, vertices = (double)graph->vertices;
    const double rows = arcs * rule[algorithm].arc_bytes * (graph->reverse ? 2 : 1);
    const bool fits = rows + vertices * vertex_bytes < 0.9 * (double)gws_device_describe(device)->memory;
    return fits && (graph->arcs >> rule[algorithm].arcs == 0 || arcs <= vertices * rule[algorithm].degree);
}

void parting_describe(const struct gws_device *device, const struct gws_graph *graph, char *text, size_t size)
{
    char arcs[CONSOLE_NUMBER];
    snprintf(text, size,
             "%s alone: it holds the graph, and several devices would wait for each other too often for %s arcs",
             gws_device_describe(device)->address, console_count(graph->arcs, arcs));
}

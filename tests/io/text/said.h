/* SPDX-License-Identifier: MIT */
/* A graph as one line of text, for tables of inputs and expected graphs. Include after harness.h. */
#ifndef GWS_TESTS_IO_SAID_H
#define GWS_TESTS_IO_SAID_H

#include "../../../io/graph_io.h"
#include "../../../lib/parallel.h"

/* Writes "d N" or "u N", then each arc in order as " FROM>TO" or " FROM>TO:WEIGHT", by ids; then isolated vertices "
 * V". */
static inline const char *gws_said(const struct gws_graph *graph)
{
    static char text[4096];
    int at = snprintf(text, sizeof text, "%s %llu", graph->directed ? "d" : "u", (unsigned long long)graph->vertices);
    for (uint64_t v = 0; v < graph->vertices; v++) {
        unsigned long long from = gws_graph_id(graph, (uint32_t)v);
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1] && at < 4000; a++) {
            unsigned long long to = gws_graph_id(graph, graph->target[a]);
            at += snprintf(text + at, sizeof text - (size_t)at, " %llu>%llu", from, to);
            if (graph->weight) at += snprintf(text + at, sizeof text - (size_t)at, ":%d", graph->weight[a]);
        }
        if (graph->offset[v] == graph->offset[v + 1] && at < 4000)
            at += snprintf(text + at, sizeof text - (size_t)at, " %llu", from);
    }
    return text;
}

#endif

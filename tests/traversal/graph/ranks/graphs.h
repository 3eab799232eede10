/* SPDX-License-Identifier: MIT */
/* The runtime and the graphs of tests on ranks. */
#ifndef GWS_TESTS_TRAVERSAL_RANKS_GRAPHS_H
#define GWS_TESTS_TRAVERSAL_RANKS_GRAPHS_H

#include "../../../lib/transport/rank_calls.h"

static inline struct gws_runtime *open_runtime(void)
{
    struct gws_runtime *runtime = NULL;
    ck_assert_int_eq(gws_runtime_open(NULL, &runtime), GWS_OK);
    return runtime;
}

static inline struct gws_graph *generate(struct gws_runtime *runtime, const char *description)
{
    struct gws_graph *graph = NULL;
    ck_assert_int_eq(gws_graph_generate(runtime, description, &graph, NULL), GWS_OK);
    return graph;
}

#endif

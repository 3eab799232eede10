/* SPDX-License-Identifier: MIT */
/* Times shortest paths: time_sssp THREADS DELTA GRAPH... Each GRAPH is a file or a generator. If DELTA is 0, the
 * library chooses delta. Graphs without weights get weights from 1 to 255. The program prints the median and the best
 * of nine searches from each of three sources, in ms, and the counters of a search. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../../io/graph_io.h"
#include "../../../../lib/parallel.h"
#include "../../../../traversal/sssp.h"

enum { runs = 9, sources = 3 };

/* Ends the program on an error. */
static void must(gws_status status, const struct gws_diagnostic *where)
{
    if (status == GWS_OK) return;
    printf("%s: %s\n", gws_status_text(status), where->message);
    exit(EXIT_FAILURE);
}

static int by_value(const void *a, const void *b)
{
    return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

static void time_source(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t source, double delta)
{
    struct gws_sssp_result result = {0};
    const struct gws_sssp_options options = {.delta = delta};
    struct gws_diagnostic where = {0};
    double ms[runs];
    for (int i = 0; i < runs; i++) {
        must(gws_sssp(runtime, graph, source, &options, &result, &where), &where);
        ms[i] = result.ms;
    }
    qsort(ms, runs, sizeof *ms, by_value);
    printf("  source %" PRIu32 ": %.3f ms, best %.3f; %" PRIu64 " reached, %" PRIu64
           " rounds of delta %g, %.2f of %" PRIu64 " arcs relaxed\n",
           source, ms[runs / 2], ms[0], result.reached, result.rounds, result.delta,
           (double)result.relaxations / (double)result.reached_arcs, result.reached_arcs);
    must(gws_sssp_check(runtime, graph, &result, &where), &where);
    gws_sssp_result_clear(&result);
}

static void time_graph(struct gws_runtime *runtime, const char *name, double delta)
{
    struct gws_graph *graph = NULL;
    struct gws_diagnostic where = {0};
    must(gws_graph_load(runtime, name, NULL, &graph, &where), &where);
    if (!graph->weight && !graph->real_weight) must(gws_graph_draw_weights(runtime, graph, 1, 255, 1), &where);
    printf("%s\n", name);
    uint32_t source = 0;
    for (int i = 0; i < sources; i++, source = (uint32_t)(graph->vertices / 3 * (uint64_t)i)) {
        while (gws_graph_degree(graph, source) == 0) source++;
        time_source(runtime, graph, source, delta);
    }
    gws_graph_destroy(graph);
}

int main(int count, char **argument)
{
    struct gws_options options = {.threads = count > 1 ? (uint32_t)atoi(argument[1]) : 0};
    struct gws_runtime *runtime = NULL;
    must(gws_runtime_open(&options, &runtime), &(struct gws_diagnostic){0});
    for (int i = 3; i < count; i++) time_graph(runtime, argument[i], atof(argument[2]));
    gws_runtime_close(runtime);
    return EXIT_SUCCESS;
}

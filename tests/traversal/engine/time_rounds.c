/* SPDX-License-Identifier: MIT */
/* Times label propagation and shortest paths: time_rounds DEVICE GRAPH..., with graphs in the notation of gbfs. Prints
 * medians of five runs, in ms. The columns are labels on threads, on the device and hybrid, then components by
 * union-find, then paths on the device for several bucket widths. The weights of the paths are 1 to 1000. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../lib/parallel.h"
#include "../../../lib/random.h"
#include "../../../traversal/engine/device_run.h"
#include "../../../traversal/label_propagation.h"

enum { runs = 5 };

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

static double median(double ms[runs])
{
    qsort(ms, runs, sizeof *ms, by_value);
    return ms[runs / 2];
}

static void time_labels(struct gws_runtime *runtime, struct gws_device_graph *on_device, const struct gws_graph *graph)
{
    struct gws_label_propagation_result result = {.label = malloc(graph->vertices * sizeof *result.label)};
    struct gws_diagnostic where = {0};
    double here[runs], there[runs], both[runs], components[runs];
    uint64_t count;
    uint32_t rounds;
    for (int i = 0; i < runs; i++) {
        must(gws_label_propagation(runtime, graph, &result), &where);
        here[i] = result.ms;
        rounds = result.rounds;
        must(gws_label_propagation_device(on_device, &result, &where), &where);
        there[i] = result.ms;
        must(gws_label_propagation_hybrid(on_device, &result, &where), &where);
        both[i] = result.ms;
        components[i] = gws_clock_ms();
        must(gws_graph_components(runtime, graph, result.label, &count), &where);
        components[i] = gws_clock_ms() - components[i];
    }
    printf("  labels: threads %.3f (%" PRIu32 " rounds), device %.3f, both %.3f (%" PRIu32 " rounds, %" PRIu32
           " on the device, %" PRIu32 " handoffs); union-find %.3f\n",
           median(here), rounds, median(there), median(both), result.rounds, result.device_rounds, result.handoffs,
           median(components));
    free(result.label);
}

static void time_paths(struct gws_device_graph *on_device, const struct gws_graph *graph)
{
    static const uint32_t delta[] = {GWS_NO_VERTEX, 100, 1000, 10000};
    uint32_t *weight = malloc((graph->arcs + 1) * sizeof *weight);
    struct gws__device_run *run = NULL;
    struct gws_diagnostic where = {0};
    uint64_t random = 1;
    for (uint64_t a = 0; a < graph->arcs; a++) weight[a] = 1 + gws_random_below(gws_random_next(&random), 1000);
    must(gws__device_run_open(on_device, "engine_sssp", 1, NULL, false, &run, &where), &where);
    must(gws__device_run_weigh(on_device, weight, &run->weight, &where), &where);
    for (size_t d = 0; d < sizeof delta / sizeof *delta; d++) {
        const uint32_t word[4] = {0, 0, 0, delta[d]};
        struct gws__device_run_report report;
        double ms[runs];
        for (int i = 0; i < runs; i++) {
            must(gws__device_run_go(run, word, &report, &where), &where);
            ms[i] = report.ms;
        }
        printf("  paths, delta %" PRIu32 ": device %.3f (%" PRIu32 " rounds)\n", delta[d], median(ms), report.rounds);
    }
    gws_device_buffer_free(run->weight);
    gws__device_run_close(run);
    free(weight);
}

int main(int argc, char **argv)
{
    struct gws_runtime *runtime = NULL;
    struct gws_device *device = NULL;
    struct gws_diagnostic where = {0};
    if (argc < 3) return EXIT_FAILURE;
    must(gws_runtime_open(NULL, &runtime), &where);
    must(gws_device_open(runtime, argv[1], NULL, &device, &where), &where);
    for (int i = 2; i < argc; i++) {
        struct gws_graph *graph = NULL;
        struct gws_device_graph *on_device = NULL;
        must(gws_graph_generate(runtime, argv[i], &graph, &where), &where);
        must(gws_device_graph_open(runtime, device, graph, NULL, &on_device, &where), &where);
        printf("%s: %" PRIu64 " vertices, %" PRIu64 " arcs\n", argv[i], graph->vertices, graph->arcs);
        time_labels(runtime, on_device, graph);
        time_paths(on_device, graph);
        gws_device_graph_close(on_device);
        gws_graph_destroy(graph);
    }
    gws_device_close(device);
    gws_runtime_close(runtime);
    return EXIT_SUCCESS;
}

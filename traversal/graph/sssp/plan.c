/* SPDX-License-Identifier: MIT */
/* Computes the width of a bucket, and finds weights that no search accepts. */
#include "plan.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

/* The mean of 1024 evenly spaced weights, in which an invalid real weight counts as 0. */
double gws__sssp_mean_weight(const struct gws_graph *graph)
{
    enum { samples = 1024 };
    double sum = 0;
    if (graph->arcs == 0 || (!graph->weight && !graph->real_weight)) return 1;
    for (uint64_t i = 0; i < samples; i++) {
        uint64_t arc = (uint64_t)((double)graph->arcs / samples * (double)i);
        double weight = graph->real_weight ? (double)graph->real_weight[arc] : (double)graph->weight[arc];
        if (weight > 0 && weight <= (double)FLT_MAX) sum += weight;
    }
    return sum / samples;
}

void gws__sssp_plan(struct sssp *search, double delta)
{
    const struct gws_graph *graph = search->graph;
    double degree = (double)graph->arcs / (double)graph->vertices;
    gws__sssp_set_delta(search, delta > 0 ? delta : gws__sssp_mean_weight(graph) / (degree > 1 ? degree : 1));
}

void gws__sssp_set_delta(struct sssp *search, double wanted)
{
    const struct gws_graph *graph = search->graph;
    int power;
    double mantissa = frexp(wanted, &power);
    if (mantissa == 0.5) power--;
    if (!graph->real_weight && power < 0) power = 0;
    if (!graph->real_weight && power > 62) power = 62;
    search->shift = power > 0 ? (uint32_t)power : 0;
    search->delta = ldexp(1, power);
    search->factor = ldexp(1, -power);
}

gws_status gws__sssp_bad_weight(const struct gws_graph *graph, struct gws_diagnostic *where)
{
    for (uint32_t v = 0; v < graph->vertices; v++)
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + (uint64_t)1]; a++) {
            double weight = graph->real_weight ? (double)graph->real_weight[a] : (double)graph->weight[a];
            if (weight >= 0 && weight <= (double)FLT_MAX) continue;
            return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                      "the arc from %" PRIu64 " to %" PRIu64
                                      " has the weight %g; shortest paths need weights that are not negative",
                                      gws_graph_id(graph, v), gws_graph_id(graph, graph->target[a]), weight);
        }
    return gws_diagnostic_status(where, GWS_INVALID);
}

struct weight_scan {
    const struct gws_graph *graph;
    _Atomic bool bad;
};

static void scan_weights(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    struct weight_scan *weights = context;
    const int32_t *weight = weights->graph->weight;
    const float *real = weights->graph->real_weight;
    bool bad = false;
    for (uint64_t a = begin; a < end; a++) bad |= real ? !(real[a] >= 0 && real[a] <= FLT_MAX) : weight[a] < 0;
    /* relaxed: the caller reads the flag after the loop has ended. */
    if (bad) atomic_store_explicit(&weights->bad, true, memory_order_relaxed);
}

gws_status gws__sssp_check_weights(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   struct gws_diagnostic *where)
{
    struct weight_scan weights = {.graph = graph};
    const struct gws_loop loop = {.count = graph->arcs, .grain = 1 << 16, .body = scan_weights, .context = &weights};
    if (!graph->weight && !graph->real_weight) return GWS_OK;
    gws_status status = gws_parallel_try(runtime, &loop);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    return weights.bad ? gws__sssp_bad_weight(graph, where) : GWS_OK;
}

/* SPDX-License-Identifier: MIT */
/* Shortest paths on a device: two runs of the engine over the same distances and weights, by the operators
 * kernels/operator/sssp.cl and sssp_parents.cl. The second run uses the bitmaps and lists of the first one. A search by
 * integer weights begins with distances of 32 bits. When a distance does not fit, the search frees its runs, starts
 * again, and stays with 64 bits. Real weights need doubles. */
#include <math.h>
#include <string.h>

#include "../../sssp_device.h"
#include "device.h"
#include "plan.h"

/* The programs for each type of distances. */
static const struct {
    const char *distances, *parents;
} program[] = {[SSSP_WORD] = {"engine_sssp", "engine_sssp_parents"},
               [SSSP_LONG] = {"engine_sssp_long", "engine_sssp_long_parents"},
               [SSSP_DOUBLE] = {"engine_sssp_double", "engine_sssp_double_parents"}};

struct runs {
    struct gws__device_run *distances, *parents; /* parents borrows the buffers of distances; both NULL: not open */
    uint32_t word[2];                            /* word[2] and word[3] of the operator: the width of a bucket */
    double delta;                                /* the width of a bucket */
};

struct gws_sssp_device {
    struct gws_runtime *runtime;
    struct gws_device_graph *on_device;
    const struct gws_graph *graph;
    struct gws_device_buffer *weight;
    enum gws__sssp_form form;
    struct runs runs;
    double wanted; /* the wanted width of a bucket; 0: a computed one */
    bool ran;
    uint32_t source; /* source of the last run */
};

/* ---- what one device and several do alike ---- */

gws_status gws__sssp_device_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  const struct gws_sssp_options *options, struct gws_diagnostic *where)
{
    const double delta = options ? options->delta : 0;
    if (!(delta >= 0 && isfinite(delta)))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "delta is negative or not finite");
    return gws__sssp_check_weights(runtime, graph, where);
}

gws_status gws__sssp_device_weigh(struct gws_device_graph *on_device, struct gws_device_buffer **weight,
                                  struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    const struct gws_graph *graph = info->graph;
    const void *given = graph->real_weight ? (const void *)graph->real_weight : (const void *)graph->weight;
    if (given) return gws__device_run_weigh(on_device, given, weight, where);
    uint32_t *ones = gws_allocate(info->runtime, graph->arcs, sizeof *ones);
    if (!ones) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint64_t a = 0; a < graph->arcs; a++) ones[a] = 1;
    gws_status status = gws__device_run_weigh(on_device, ones, weight, where);
    gws_release(info->runtime, ones, graph->arcs, sizeof *ones);
    return status;
}

/* Returns a width for this graph and this number of warps. Davidson et al. choose 32 mean weights, divided by the mean
 * degree. A wider device needs more vertices in a frontier, and sparse graphs give fewer of them per bucket, so there
 * the width grows with the number of warps. The factors are measured (datasets/bench/results/graph-algorithms.md). */
static double choose_delta(const struct gws_graph *graph, uint64_t groups, uint32_t group_size)
{
    const double dense = 16, sparse = 0.15;
    double degree = graph->vertices ? (double)graph->arcs / (double)graph->vertices : 1;
    double warps = (double)groups * (group_size < 32 ? 1 : group_size / 32);
    if (degree < 1) degree = 1;
    return gws__sssp_mean_weight(graph) / degree * fmax(dense, sparse * warps / degree);
}

/* Only distances of 32 bits do not round the width to a power of two. */
double gws__sssp_device_delta(const struct gws_graph *graph, enum gws__sssp_form form, double wanted, uint64_t groups,
                              uint32_t group_size, uint32_t word[2])
{
    enum { bias = 1023 }; /* of the exponent of a double */
    if (wanted == 0) wanted = choose_delta(graph, groups, group_size);
    if (form == SSSP_WORD) {
        word[1] = wanted < 1 ? 1 : wanted < (double)INT32_MAX ? (uint32_t)wanted : INT32_MAX;
        return word[1];
    }
    int power, min = form == SSSP_LONG ? 0 : 1 - bias, max = form == SSSP_LONG ? 62 : bias - 1;
    if (frexp(wanted, &power) == 0.5) power--;
    power = power < min ? min : power > max ? max : power;
    word[0] = (uint32_t)(form == SSSP_LONG ? power : bias - power);
    word[1] = 1;
    return ldexp(1, power);
}

/* Computes the counts of the result. */
static void complete(const struct gws_graph *graph, struct gws_sssp_result *result)
{
    result->reached_arcs = 0;
    result->max_distance = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        if (result->parent[v] == GWS_NO_VERTEX) continue;
        double distance = graph->real_weight ? result->real_distance[v] : (double)result->distance[v];
        result->reached_arcs += gws_graph_degree(graph, (uint32_t)v);
        if (distance > result->max_distance) result->max_distance = distance;
    }
}

gws_status gws__sssp_device_fetch(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  gws__sssp_device_read *read, void *search, struct gws_sssp_result *result,
                                  struct gws_diagnostic *where)
{
    struct gws_sssp_result filled = *result;
    double began = gws_clock_ms();
    gws_status status = gws__sssp_prepare(runtime, graph, &filled);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    struct gws__sssp_scratch *scratch = filled.scratch;
    filled = *result;
    filled.scratch = scratch;
    filled.distance = graph->real_weight ? NULL : scratch->distance;
    filled.real_distance = graph->real_weight ? scratch->distance : NULL;
    filled.parent = scratch->parent;
    status = read(search, scratch->distance, filled.parent, where);
    if (status != GWS_OK) {
        gws_sssp_result_clear(&filled);
        return status;
    }
    complete(graph, &filled);
    filled.fetch_ms = gws_clock_ms() - began;
    *result = filled;
    return GWS_OK;
}

/* ---- opening ---- */

static void close_runs(struct runs *runs)
{
    gws__device_run_close(runs->parents);
    gws__device_run_close(runs->distances);
    *runs = (struct runs){0};
}

/* Opens both runs for distances of the search's form, and uploads the weights once. After an error, none is open. */
static gws_status open_runs(struct gws_sssp_device *search, struct gws_diagnostic *where)
{
    struct runs *runs = &search->runs;
    const enum gws__sssp_form form = search->form;
    gws_status status =
        gws__device_run_open(search->on_device, program[form].distances, 1, NULL, false, &runs->distances, where);
    if (status == GWS_OK && !search->weight) status = gws__sssp_device_weigh(search->on_device, &search->weight, where);
    if (status == GWS_OK) {
        runs->distances->weight = search->weight;
        const struct gws__device_kernel *kernel = &runs->distances->kernel;
        runs->delta =
            gws__sssp_device_delta(search->graph, form, search->wanted, kernel->groups, kernel->group_size, runs->word);
    }
    if (status == GWS_OK && form != SSSP_WORD)
        status = gws__device_run_resize(runs->distances, search->graph->vertices * 8, where);
    if (status == GWS_OK)
        status = gws__device_run_open(search->on_device, program[form].parents, 3, runs->distances, false,
                                      &runs->parents, where);
    if (status != GWS_OK) close_runs(runs);
    return status;
}

static gws_status sssp_device_open(struct gws_device_graph *on_device, const struct gws_sssp_options *options,
                                   struct gws_sssp_device **search, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    gws_status status = gws__sssp_device_check(info->runtime, info->graph, options, where);
    if (status != GWS_OK) return status;
    struct gws_sssp_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_sssp_device){.runtime = info->runtime, .on_device = on_device, .graph = info->graph};
    made->wanted = options ? options->delta : 0;
    made->form = info->graph->real_weight ? SSSP_DOUBLE : SSSP_WORD;
    status = open_runs(made, where);
    if (status == GWS_OK)
        *search = made;
    else
        gws_sssp_device_close(made);
    return status;
}

gws_status gws_sssp_device_open(struct gws_device_graph *on_device, const struct gws_sssp_options *options,
                                struct gws_sssp_device **search, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(on_device)->runtime, where,
                    sssp_device_open(on_device, options, search, where));
}

void gws_sssp_device_close(struct gws_sssp_device *search)
{
    if (!search) return;
    close_runs(&search->runs);
    gws_device_buffer_free(search->weight);
    gws_release(search->runtime, search, 1, sizeof *search);
}

/* ---- runs ---- */

/* Runs both, and opens them before if they are not open. Adds to made->ms. */
static gws_status run_both(struct gws_sssp_device *search, uint32_t source, struct gws_sssp_result *made,
                           bool *is_too_far, struct gws_diagnostic *where)
{
    const struct runs *runs = &search->runs;
    struct gws__device_run_report distances, parents;
    gws_status status = runs->parents ? GWS_OK : open_runs(search, where);
    const uint32_t word[4] = {source, 0, runs->word[0], runs->word[1]};
    gws_report_progress(search->runtime, "relaxing arcs", 0, 0);
    if (status == GWS_OK) status = gws__device_run_go(runs->distances, word, &distances, where);
    if (status == GWS_OK) status = gws__device_run_go(runs->parents, word, &parents, where);
    if (status != GWS_OK) return status;
    *is_too_far = parents.counted > 0;
    made->reached = distances.counted;
    made->rounds = distances.rounds + parents.rounds;
    made->delta = runs->delta;
    made->ms += distances.ms + parents.ms;
    return GWS_OK;
}

static gws_status sssp_device_run(struct gws_sssp_device *search, uint32_t source, struct gws_sssp_result *result,
                                  struct gws_diagnostic *where)
{
    struct gws_sssp_result made = {.source = source, .vertices = search->graph->vertices};
    bool is_too_far = false;
    if (source >= search->graph->vertices)
        return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "the source is not a vertex of the graph");
    search->ran = false;
    gws_status status = run_both(search, source, &made, &is_too_far, where);
    if (status == GWS_OK && is_too_far) {
        close_runs(&search->runs);
        search->form = SSSP_LONG;
        status = run_both(search, source, &made, &is_too_far, where);
    }
    if (status != GWS_OK) return status;
    gws_sssp_result_clear(result);
    *result = made;
    search->ran = true;
    search->source = source;
    return GWS_OK;
}

gws_status gws_sssp_device_run(struct gws_sssp_device *search, uint32_t source, struct gws_sssp_result *result,
                               struct gws_diagnostic *where)
{
    return GWS_CALL(search->runtime, where, sssp_device_run(search, source, result, where));
}

struct gws_device_buffer *gws_sssp_device_distances(const struct gws_sssp_device *search)
{
    return search->runs.distances ? search->runs.distances->data[0].buffer : NULL;
}

struct gws_device_buffer *gws_sssp_device_parents(const struct gws_sssp_device *search)
{
    return search->runs.parents ? search->runs.parents->data[1].buffer : NULL;
}

/* From the end, since they fill the first half of the array. */
void gws__sssp_device_widen(uint64_t *distance, uint64_t vertices)
{
    for (uint64_t v = vertices; v-- > 0;) {
        uint32_t word;
        memcpy(&word, (const char *)distance + v * sizeof word, sizeof word);
        distance[v] = word == GWS_NO_VERTEX ? GWS_NO_DISTANCE : word;
    }
}

static gws_status read_both(void *context, void *distance, uint32_t *parent, struct gws_diagnostic *where)
{
    struct gws_sssp_device *search = context;
    gws_status status = gws__device_run_fetch(search->runs.distances, 0, distance, where);
    if (status == GWS_OK) status = gws__device_run_fetch(search->runs.parents, 1, parent, where);
    if (status == GWS_OK && search->form == SSSP_WORD) gws__sssp_device_widen(distance, search->graph->vertices);
    return status;
}

static gws_status sssp_device_fetch(struct gws_sssp_device *search, struct gws_sssp_result *result,
                                    struct gws_diagnostic *where)
{
    if (!search->ran || result->vertices != search->graph->vertices || result->source != search->source ||
        result->scratch)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the result is not the last run's");
    return gws__sssp_device_fetch(search->runtime, search->graph, read_both, search, result, where);
}

gws_status gws_sssp_device_fetch(struct gws_sssp_device *search, struct gws_sssp_result *result,
                                 struct gws_diagnostic *where)
{
    return GWS_CALL(search->runtime, where, sssp_device_fetch(search, result, where));
}

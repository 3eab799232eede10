/* SPDX-License-Identifier: MIT */
/* The result of closeness: its memory, its sources, and the values that follow from the sums of the searches. */
#include <string.h>

#include "../../../lib/parallel.h"
#include "../../engine/sample.h"
#include "state.h"

struct gws__closeness_scratch {
    struct gws_allocator allocator;
    uint64_t capacity; /* number of sources that fit */
};

void gws__closeness_finish(struct gws_closeness_result *result, bool unscaled)
{
    double others = (double)result->vertices - 1;
    result->diameter = 0;
    result->radius = UINT32_MAX;
    for (uint64_t i = 0; i < result->sources; i++) {
        double reached = (double)result->reached[i] - 1;
        result->closeness[i] = 0;
        if (reached <= 0) continue;
        result->closeness[i] = reached / (double)result->total[i] * (unscaled ? 1 : reached / others);
        if (result->eccentricity[i] > result->diameter) result->diameter = result->eccentricity[i];
        if (result->eccentricity[i] < result->radius) result->radius = result->eccentricity[i];
    }
    if (result->diameter == 0) result->radius = 0;
}

/* Returns the size of a block with all arrays of a result behind the scratch: two arrays of 8-byte entries, total, two
 * arrays of 4-byte entries, and source. */
static uint64_t bytes_for(uint64_t capacity)
{
    return sizeof(struct gws__closeness_scratch) + capacity * (3 * sizeof(double) + 3 * sizeof(uint32_t));
}

static gws_status reserve(struct gws_runtime *runtime, uint64_t sources, struct gws_closeness_result *result)
{
    const struct gws_allocator *allocator = gws_runtime_allocator(runtime);
    struct gws__closeness_scratch *scratch = result->scratch;
    if (scratch && scratch->capacity >= sources && scratch->allocator.allocate == allocator->allocate &&
        scratch->allocator.context == allocator->context)
        return GWS_OK;
    if (sources > PTRDIFF_MAX / 64) return GWS_NO_MEMORY;
    scratch = allocator->allocate(allocator->context, (size_t)bytes_for(sources));
    if (!scratch) return GWS_NO_MEMORY;
    *scratch = (struct gws__closeness_scratch){.allocator = *allocator, .capacity = sources};
    gws_closeness_result_clear(result);
    result->scratch = scratch;
    result->closeness = (double *)(void *)(scratch + 1);
    result->harmonic = result->closeness + sources;
    result->total = (uint64_t *)(void *)(result->harmonic + sources);
    result->reached = (uint32_t *)(void *)(result->total + sources);
    result->eccentricity = result->reached + sources;
    return GWS_OK;
}

gws_status gws__closeness_list_sources(struct gws_runtime *runtime, const struct gws_graph *graph,
                                       const struct gws_closeness_options *options, struct gws_closeness_result *result)
{
    bool samples = !options->source && options->samples > 0 && options->samples < graph->vertices;
    uint64_t sources = options->source ? options->sources : samples ? options->samples : graph->vertices;
    for (uint64_t i = 0; options->source && i < options->sources; i++)
        if (options->source[i] >= graph->vertices) return GWS_OUT_OF_RANGE;
    if (graph->directed && !graph->reverse) return GWS_NEEDS_REVERSE;
    gws_status status = reserve(runtime, sources, result);
    if (status != GWS_OK) return status;
    result->vertices = graph->vertices;
    result->sources = sources;
    result->source = options->source || samples ? result->eccentricity + result->scratch->capacity : NULL;
    if (options->source && sources > 0) memmove(result->source, options->source, sources * sizeof *result->source);
    if (samples) status = gws__sample_vertices(runtime, graph, sources, options->seed, result->source);
    if (status != GWS_OK) gws_closeness_result_clear(result);
    return status;
}

void gws_closeness_result_clear(struct gws_closeness_result *result)
{
    if (!result) return;
    struct gws__closeness_scratch *scratch = result->scratch;
    if (scratch) {
        struct gws_allocator allocator = scratch->allocator;
        allocator.release(allocator.context, scratch, (size_t)bytes_for(scratch->capacity));
    }
    *result = (struct gws_closeness_result){0};
}

/* SPDX-License-Identifier: MIT */
/* Connected components: the memory of a result, and the size of the largest one. */
#include "../../components.h"

#include <stdatomic.h>
#include <string.h>

#include "../../../lib/parallel.h"
#include "../../../lib/random.h"
#include "result.h"
#include "strong.h"

enum { grain = 1 << 14, samples = 64 };

struct sizes {
    const uint32_t *component;
    uint32_t wanted;        /* the component whose vertices are counted into found */
    _Atomic uint32_t *size; /* size of each component; may be NULL */
    _Atomic uint64_t found, largest;
};

static void count_wanted(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct sizes *sizes = context;
    uint64_t found = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) found += sizes->component[v] == sizes->wanted;
    atomic_fetch_add_explicit(&sizes->found, found, memory_order_relaxed); /* a sum, read after the barrier */
}

/* Counts a run of equal components at once, since vertices with adjacent numbers are often in one component. */
static void count_all(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct sizes *sizes = context;
    uint32_t run = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        run++;
        if (v + 1 < end && sizes->component[v + 1] == sizes->component[v]) continue;
        atomic_fetch_add_explicit(&sizes->size[sizes->component[v]], run, memory_order_relaxed);
        run = 0;
    }
}

static void find_largest(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct sizes *sizes = context;
    uint64_t largest = 0;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t size = atomic_load_explicit(&sizes->size[v], memory_order_relaxed);
        largest = size > largest ? size : largest;
    }
    uint64_t now = atomic_load_explicit(&sizes->largest, memory_order_relaxed);
    while (now < largest && !atomic_compare_exchange_weak_explicit(&sizes->largest, &now, largest, memory_order_relaxed,
                                                                   memory_order_relaxed)) {
    }
}

/* A majority vote of some vertices (Boyer, Moore 1981) finds a component with more than half of the vertices. If there
 * is no such component, the workers count all components. */
static gws_status measure_largest(struct gws_runtime *runtime, const uint32_t *component, uint64_t vertices,
                                  uint64_t *largest)
{
    struct sizes sizes = {.component = component, .wanted = GWS_NO_VERTEX};
    for (uint32_t i = 0, votes = 0; i < samples && vertices > 0; i++) {
        uint32_t one = component[gws_random_at(1, i) % vertices];
        if (votes == 0) sizes.wanted = one;
        votes = sizes.wanted == one ? votes + 1 : votes - 1;
    }
    gws_status status = gws_parallel_try_for(runtime, vertices, grain, count_wanted, &sizes);
    if (status != GWS_OK) return status;
    *largest = atomic_load_explicit(&sizes.found, memory_order_relaxed);
    if (*largest >= vertices - *largest) return GWS_OK;
    sizes.size = gws_allocate(runtime, vertices, sizeof *sizes.size);
    if (!sizes.size) return GWS_NO_MEMORY;
    memset((void *)sizes.size, 0, vertices * sizeof *sizes.size);
    status = gws_parallel_try_for(runtime, vertices, grain, count_all, &sizes);
    if (status == GWS_OK) status = gws_parallel_try_for(runtime, vertices, grain, find_largest, &sizes);
    *largest = atomic_load_explicit(&sizes.largest, memory_order_relaxed);
    gws_release(runtime, (void *)sizes.size, vertices, sizeof *sizes.size);
    return status;
}

void gws_components_result_clear(struct gws_components_result *result)
{
    if (!result) return;
    if (result->component)
        result->allocator.release(result->allocator.context, result->component,
                                  (size_t)result->vertices * sizeof *result->component);
    *result = (struct gws_components_result){0};
}

gws_status gws__components_reserve(struct gws_runtime *runtime, uint64_t vertices, struct gws_components_result *result)
{
    if (result->component && result->vertices == vertices) return GWS_OK;
    uint32_t *component = gws_allocate(runtime, vertices, sizeof *component);
    if (!component) return GWS_NO_MEMORY;
    gws_components_result_clear(result);
    *result = (struct gws_components_result){
        .vertices = vertices, .component = component, .allocator = *gws_runtime_allocator(runtime)};
    return GWS_OK;
}

static gws_status components(struct gws_runtime *runtime, const struct gws_graph *graph,
                             const struct gws_components_options *options, struct gws_components_result *result)
{
    const bool strong = options && options->strong && graph->directed;
    double began = gws_clock_ms();
    if (strong && !graph->reverse) return GWS_NEEDS_REVERSE;
    gws_status status = gws__components_reserve(runtime, graph->vertices, result);
    if (status != GWS_OK) return status;
    status = strong ? gws__strong_components(runtime, graph, result->component, &result->components)
                    : gws_graph_components(runtime, graph, result->component, &result->components);
    if (status == GWS_OK) status = measure_largest(runtime, result->component, graph->vertices, &result->largest);
    result->ms = gws_clock_ms() - began;
    if (status != GWS_OK) gws_components_result_clear(result);
    return status;
}

gws_status gws_components(struct gws_runtime *runtime, const struct gws_graph *graph,
                          const struct gws_components_options *options, struct gws_components_result *result)
{
    return GWS_CALL(runtime, NULL, components(runtime, graph, options, result));
}

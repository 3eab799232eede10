/* SPDX-License-Identifier: MIT */
/* Builds the CSR from edges. The build scatters arcs into buckets of consecutive vertices (build.h), and then finishes
 * each bucket in cache. For that it sorts the arcs (build.h), removes duplicates, and writes the offsets of the
 * bucket's vertices. The sort orders every row completely, so the result does not depend on the order of the workers'
 * writes.
 *
 * Memory beside the final arrays: 2 bytes an arc, and the workers' scratch, which plan_scratch() keeps below 1 1/3
 * bytes an arc (2 with weights). After removing duplicates, the build frees the 2 bytes and copies the rows into arrays
 * of the final size. */
#include "build.h"

#include <string.h>

#include "../parallel.h"

struct csr_build {
    struct gws__scatter scatter;
    const struct gws_build_options *options;
    uint64_t *offset;
    uint64_t *remaining; /* remaining arcs of each bucket; prefix sums turn them into positions */
    uint32_t workers;
    struct gws__arc_scratches scratches;
    uint32_t *packed_target;
    int32_t *packed_weight;
};

/* Returns the part of a graph that holds its weights. */
static enum gws__graph_part weight_part(enum gws__weight_kind kind)
{
    return kind == GWS__WEIGHT_REAL ? GWS__PART_REAL_WEIGHT : GWS__PART_WEIGHT;
}

gws_status gws__graph_allocate(struct gws_runtime *runtime, uint64_t vertices, uint64_t arcs,
                               enum gws__weight_kind weight_kind, struct gws_graph **graph)
{
    const bool weighted = weight_kind != GWS__WEIGHT_NONE;
    struct gws_graph *made;
    if (gws__graph_new(runtime, vertices, arcs, &made) != GWS_OK) return GWS_NO_MEMORY;
    gws__graph_own(made, GWS__PART_OFFSET, gws_allocate(runtime, vertices + 1, sizeof(uint64_t)), vertices + 1);
    if (made->offset) gws__graph_own(made, GWS__PART_TARGET, gws_allocate(runtime, arcs, sizeof(uint32_t)), arcs);
    if (weighted && made->target)
        gws__graph_own(made, weight_part(weight_kind), gws_allocate(runtime, arcs, sizeof(int32_t)), arcs);
    if (!made->offset || !made->target || gws__weight_kind_of(made) != weight_kind) {
        gws_graph_destroy(made);
        return GWS_NO_MEMORY;
    }
    *graph = made;
    return GWS_OK;
}

/* ---- finishing a bucket ---- */

static void finish_buckets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct csr_build *build = context;
    const struct gws__scatter *scatter = &build->scatter;
    uint64_t vertices = scatter->source->vertices;
    for (uint64_t bucket = begin; bucket < end; ++bucket) {
        uint64_t at = scatter->start[bucket], first = bucket << scatter->shift, last = (bucket + 1) << scatter->shift;
        struct gws__arcs arcs = {.low = scatter->low + at,
                                 .target = scatter->target + at,
                                 .weight = scatter->weight ? scatter->weight + at : NULL,
                                 .count = scatter->start[bucket + 1] - at,
                                 .low_bits = scatter->shift,
                                 .target_bits = gws__bits_below(gws__edge_source_targets(scatter->source))};
        gws__arcs_sort(&arcs, &build->scratches.scratch[worker]);
        build->remaining[bucket] = gws__arcs_write_rows(&arcs, build->options->remove_duplicates, build->offset + first,
                                                        (last < vertices ? last : vertices) - first, at);
        if (arcs.weight && scatter->source->weight_kind == GWS__WEIGHT_REAL)
            gws__restore_weights(arcs.weight, build->remaining[bucket]);
    }
}

/* ---- scratch ---- */

static uint64_t plan_scratch(const struct csr_build *build)
{
    const struct gws__scatter *scatter = &build->scatter;
    uint64_t largest = 0, capacity = scatter->arcs / (12 * (uint64_t)build->workers);
    for (uint64_t bucket = 0; bucket < scatter->buckets; ++bucket) {
        uint64_t count = scatter->start[bucket + 1] - scatter->start[bucket];
        if (count > largest) largest = count;
    }
    if (capacity < 512) capacity = 512;
    if (capacity > INT32_MAX) capacity = INT32_MAX; /* positions within a bucket have 32 bits */
    return capacity < largest ? capacity : largest;
}

/* ---- closing the gaps of removed duplicates ---- */

static void pack_buckets(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct csr_build *build = context;
    const struct gws__scatter *scatter = &build->scatter;
    (void)worker;
    for (uint64_t bucket = begin; bucket < end; ++bucket) {
        uint64_t from = scatter->start[bucket], to = build->remaining[bucket],
                 count = build->remaining[bucket + 1] - to;
        uint64_t first = bucket << scatter->shift, last = (bucket + 1) << scatter->shift;
        if (last > scatter->source->vertices) last = scatter->source->vertices;
        memcpy(build->packed_target + to, scatter->target + from, count * sizeof *build->packed_target);
        if (scatter->weight)
            memcpy(build->packed_weight + to, scatter->weight + from, count * sizeof *build->packed_weight);
        for (uint64_t vertex = first; vertex < last; ++vertex) build->offset[vertex] -= from - to;
    }
}

static gws_status pack(struct csr_build *build, struct gws_graph *graph)
{
    struct gws_runtime *runtime = build->scatter.runtime;
    uint64_t buckets = build->scatter.buckets, remaining = gws__prefix_sum(build->remaining, buckets);
    build->remaining[buckets] = remaining;
    if (remaining == build->scatter.arcs) return GWS_OK;
    build->packed_target = gws_allocate(runtime, remaining, sizeof *build->packed_target);
    if (!build->packed_target) return GWS_NO_MEMORY;
    if (build->scatter.weight) {
        build->packed_weight = gws_allocate(runtime, remaining, sizeof *build->packed_weight);
        if (!build->packed_weight) {
            gws_release(runtime, build->packed_target, remaining, sizeof *build->packed_target);
            return GWS_NO_MEMORY;
        }
    }
    gws_status status = gws_parallel_try_for(runtime, buckets, 1, pack_buckets, build);
    gws__graph_own(graph, GWS__PART_TARGET, build->packed_target, remaining);
    if (build->packed_weight)
        gws__graph_own(graph, weight_part(build->scatter.source->weight_kind), build->packed_weight, remaining);
    graph->arcs = remaining;
    return status;
}

/* ---- building ---- */

/* Sets pointers to the graph's own arrays. Only the build may write them. */
static void fill_arrays(struct csr_build *build, struct gws_graph *graph)
{
    build->offset = graph->owner->owned[GWS__PART_OFFSET].memory;
    build->scatter.target = graph->owner->owned[GWS__PART_TARGET].memory;
    build->scatter.weight = graph->owner->owned[weight_part(build->scatter.source->weight_kind)].memory;
}

/* Reports one of four phases of similar duration: counting edges, scattering them to buckets, sorting, packing. */
static void report(const struct csr_build *build, uint64_t parts)
{
    gws_report_progress(build->scatter.runtime, "building", parts, 4);
}

static gws_status scatter_and_finish(struct csr_build *build)
{
    struct gws__scatter *scatter = &build->scatter;
    struct gws_loop loop = {.count = scatter->buckets, .chunk = 1, .body = finish_buckets, .context = build};
    scatter->low = gws_allocate(scatter->runtime, scatter->arcs, sizeof *scatter->low);
    gws_status status = scatter->low ? gws__arc_scratches_open(scatter->runtime, plan_scratch(build),
                                                               scatter->weight != NULL, &build->scratches)
                                     : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        report(build, 1);
        status = gws__scatter_move(scatter);
        report(build, 2);
    }
    if (status == GWS_OK && build->options->on_read) build->options->on_read(build->options->context);
    if (status == GWS_OK) status = gws_parallel_try(scatter->runtime, &loop);
    gws__arc_scratches_close(scatter->runtime, &build->scratches);
    gws_release(scatter->runtime, scatter->low, scatter->arcs, sizeof *scatter->low);
    return status;
}

static gws_status build_counted(struct csr_build *build, struct gws_graph **graph)
{
    struct gws__scatter *scatter = &build->scatter;
    struct gws_graph *made = NULL;
    gws_status status = gws__graph_allocate(scatter->runtime, scatter->source->vertices, scatter->arcs,
                                            scatter->source->weight_kind, &made);
    if (status != GWS_OK) return status;
    fill_arrays(build, made);
    build->remaining = gws_allocate(scatter->runtime, scatter->buckets + 1, sizeof *build->remaining);
    status = build->remaining ? scatter_and_finish(build) : GWS_NO_MEMORY;
    report(build, 3);
    if (status == GWS_OK && build->options->remove_duplicates) status = pack(build, made);
    if (status == GWS_OK) build->offset[made->vertices] = made->arcs;
    gws_release(scatter->runtime, build->remaining, scatter->buckets + 1, sizeof *build->remaining);
    if (status == GWS_OK)
        *graph = made;
    else
        gws_graph_destroy(made);
    return status;
}

gws_status gws__graph_build(struct gws_runtime *runtime, const struct gws__edge_source *source,
                            const struct gws_build_options *options, struct gws_graph **graph)
{
    static const struct gws_build_options everything = {.kind = GWS_BUILD_DIRECTED};
    if (!options) options = &everything;
    struct csr_build build = {.scatter = {.runtime = runtime,
                                          .source = source,
                                          .both = options->kind == GWS_BUILD_SYMMETRISE,
                                          .drop_loops = options->remove_loops},
                              .options = options,
                              .workers = gws_runtime_workers(runtime)};
    report(&build, 0);
    gws_status status = gws__scatter_count(&build.scatter);
    if (status == GWS_OK) status = build_counted(&build, graph);
    if (status == GWS_OK) (*graph)->directed = options->kind == GWS_BUILD_DIRECTED;
    gws__scatter_clear(&build.scatter);
    return status;
}

static gws_status graph_build(struct gws_runtime *runtime, const struct gws_edges *edges,
                              const struct gws_build_options *options, struct gws_graph **graph)
{
    struct gws__edge_source source;
    gws_status status = gws__edge_source_of_edges(edges, options, &source);
    return status == GWS_OK ? gws__graph_build(runtime, &source, options, graph) : status;
}

gws_status gws_graph_build(struct gws_runtime *runtime, const struct gws_edges *edges,
                           const struct gws_build_options *options, struct gws_graph **graph)
{
    return GWS_CALL(runtime, NULL, graph_build(runtime, edges, options, graph));
}

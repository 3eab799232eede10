/* SPDX-License-Identifier: MIT */
/* Graphs from graphs: the reverse, the symmetric closure, a renumbered part, and a graph without loops or parallel
 * arcs. All but the last are builds from an edge source with the arcs of the old graph (build.h). */
#include <stdatomic.h>
#include <string.h>

#include "../parallel.h"
#include "build.h"

/* ---- reverse ---- */

struct comparison {
    const struct gws_graph *a, *b; /* of the same size */
    atomic_bool differs;
};

static void compare_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct comparison *comparison = context;
    const struct gws_graph *a = comparison->a, *b = comparison->b;
    (void)worker;
    /* relaxed: a hint here; the final read follows the loop's barrier. */
    if (atomic_load_explicit(&comparison->differs, memory_order_relaxed)) return;
    uint64_t arc = a->offset[begin], arcs = a->offset[end] - arc;
    bool differs = memcmp(a->offset + begin, b->offset + begin, (end - begin + 1) * sizeof *a->offset) != 0 ||
                   memcmp(a->target + arc, b->target + arc, arcs * sizeof *a->target) != 0 ||
                   (a->weight && memcmp(a->weight + arc, b->weight + arc, arcs * sizeof *a->weight) != 0);
    if (differs) atomic_store_explicit(&comparison->differs, true, memory_order_relaxed);
}

/* In both graphs, rows must be sorted by target, then weight; equal arcs then give equal arrays. */
static bool equal(struct gws_runtime *runtime, const struct gws_graph *a, const struct gws_graph *b)
{
    struct comparison comparison = {.a = a, .b = b};
    atomic_init(&comparison.differs, false);
    gws_parallel_for(runtime, a->vertices, 1 << 12, compare_vertices, &comparison);
    return !atomic_load_explicit(&comparison.differs, memory_order_relaxed);
}

gws_status gws_graph_add_reverse(struct gws_runtime *runtime, struct gws_graph *graph)
{
    if (!graph->directed || graph->reverse) return GWS_OK;
    struct gws__edge_source source = gws__edge_source_of_graph(graph);
    struct gws_graph *reverse;
    source.reversed = true;
    gws_status status = gws__graph_build(runtime, &source, NULL, &reverse);
    if (status != GWS_OK) return status;
    if (equal(runtime, graph, reverse)) {
        graph->directed = false;
        gws_graph_destroy(reverse);
    } else {
        graph->reverse = reverse;
    }
    return GWS_OK;
}

/* ---- symmetrise ---- */

gws_status gws_graph_symmetrise(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_graph **result)
{
    struct gws__edge_source source = gws__edge_source_of_graph(graph);
    struct gws_build_options options = {.kind = graph->directed ? GWS_BUILD_SYMMETRISE : GWS_BUILD_SYMMETRIC,
                                        .remove_duplicates = true};
    struct gws_graph *made;
    gws_status status = gws__graph_build(runtime, &source, &options, &made);
    if (status != GWS_OK) return status;
    status = gws__graph_copy_names(runtime, graph, made);
    if (status == GWS_OK)
        *result = made;
    else
        gws_graph_destroy(made);
    return status;
}

/* ---- relabel ---- */

enum { word_bits = 64 };

/* True if the new numbers are 0 .. remaining - 1, each once: the count matches, and no bit is set twice. */
static bool is_numbering(const uint32_t *new_of_old, uint64_t vertices, uint64_t remaining, uint64_t *used)
{
    uint64_t count = 0;
    memset(used, 0, (remaining / word_bits + 1) * sizeof *used);
    for (uint64_t old = 0; old < vertices; ++old) {
        uint32_t name = new_of_old[old];
        if (name == GWS_NO_VERTEX) continue;
        uint64_t bit = UINT64_C(1) << name % word_bits;
        if (name >= remaining || (used[name / word_bits] & bit) != 0) return false;
        used[name / word_bits] |= bit;
        ++count;
    }
    return count == remaining;
}

static gws_status check_numbering(struct gws_runtime *runtime, const uint32_t *new_of_old, uint64_t vertices,
                                  uint64_t remaining)
{
    if (remaining > vertices) return GWS_INVALID;
    uint64_t *used = gws_allocate(runtime, remaining / word_bits + 1, sizeof *used);
    if (!used) return GWS_NO_MEMORY;
    bool good = is_numbering(new_of_old, vertices, remaining, used);
    gws_release(runtime, used, remaining / word_bits + 1, sizeof *used);
    return good ? GWS_OK : GWS_INVALID;
}

/* True if the remaining vertices keep their order, so their ids still ascend. */
static bool keeps_order(const uint32_t *new_of_old, uint64_t vertices)
{
    uint32_t next = 0;
    for (uint64_t old = 0; old < vertices; ++old)
        if (new_of_old[old] != GWS_NO_VERTEX && new_of_old[old] != next++) return false;
    return true;
}

static gws_status move_ids(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *new_of_old,
                           struct gws_graph *result)
{
    if (!keeps_order(new_of_old, graph->vertices)) return GWS_OK;
    if (result->vertices == graph->vertices && !graph->id) {
        result->first_id = graph->first_id;
        return GWS_OK;
    }
    uint64_t *id = gws_allocate(runtime, result->vertices, sizeof *id);
    if (!id) return GWS_NO_MEMORY;
    for (uint64_t old = 0; old < graph->vertices; ++old)
        if (new_of_old[old] != GWS_NO_VERTEX) id[new_of_old[old]] = gws_graph_id(graph, (uint32_t)old);
    gws_graph_adopt_ids(result, id);
    return GWS_OK;
}

static gws_status move_positions(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *new_of_old,
                                 struct gws_graph *result)
{
    if (!graph->position) return GWS_OK;
    double *position = gws_allocate(runtime, 2 * result->vertices, sizeof *position);
    if (!position) return GWS_NO_MEMORY;
    for (uint64_t old = 0; old < graph->vertices; ++old) {
        uint64_t name = new_of_old[old];
        if (name == GWS_NO_VERTEX) continue;
        position[2 * name] = graph->position[2 * old];
        position[2 * name + 1] = graph->position[2 * old + 1];
    }
    gws_graph_adopt_positions(result, position);
    return GWS_OK;
}

gws_status gws_graph_relabel(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *new_of_old,
                             uint64_t remaining, struct gws_graph **result)
{
    gws_status status = check_numbering(runtime, new_of_old, graph->vertices, remaining);
    if (status != GWS_OK) return status;
    struct gws__edge_source source = gws__edge_source_of_graph(graph);
    struct gws_build_options options = {.kind = graph->directed ? GWS_BUILD_DIRECTED : GWS_BUILD_SYMMETRIC};
    struct gws_graph *made;
    source.vertices = remaining;
    source.new_of_old = new_of_old;
    status = gws__graph_build(runtime, &source, &options, &made);
    if (status != GWS_OK) return status;
    status = move_ids(runtime, graph, new_of_old, made);
    if (status == GWS_OK) status = move_positions(runtime, graph, new_of_old, made);
    if (status == GWS_OK)
        *result = made;
    else
        gws_graph_destroy(made);
    return status;
}

/* ---- simplify: count each row's remaining arcs, prefix sum, copy ---- */

enum { rows_per_wake = 1024 };

struct simplify {
    const struct gws_graph *graph;
    bool loops, duplicates;
    uint64_t *offset; /* of the new graph, like the next two */
    uint32_t *target;
    int32_t *weight;
};

/* True if arc i of row v is the first of a run to keep. */
static bool starts_run(const struct simplify *simplify, uint64_t v, uint64_t i)
{
    const uint32_t *target = simplify->graph->target;
    if (simplify->loops && target[i] == v) return false;
    return !simplify->duplicates || i == simplify->graph->offset[v] || target[i] != target[i - 1];
}

static void count_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct simplify *simplify = context;
    const uint64_t *offset = simplify->graph->offset;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        uint64_t remaining = 0;
        for (uint64_t i = offset[v]; i < offset[v + 1]; i++) remaining += starts_run(simplify, v, i);
        simplify->offset[v + 1] = remaining;
    }
}

static void copy_row(const struct simplify *simplify, uint64_t v)
{
    const struct gws_graph *graph = simplify->graph;
    uint64_t at = simplify->offset[v];
    for (uint64_t i = graph->offset[v]; i < graph->offset[v + 1]; i++) {
        if (starts_run(simplify, v, i)) {
            simplify->target[at] = graph->target[i];
            if (graph->weight) simplify->weight[at] = graph->weight[i];
            at++;
        } else if (graph->weight && graph->target[i] != v && graph->weight[i] < simplify->weight[at - 1]) {
            simplify->weight[at - 1] = graph->weight[i];
        }
    }
}

static void copy_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t v = begin; v < end; v++) copy_row(context, v);
}

/* Fills the new graph with the arcs to keep. */
static gws_status fill(struct gws_runtime *runtime, struct simplify *simplify, struct gws_graph *made)
{
    const struct gws_graph *old = simplify->graph;
    simplify->target = gws_allocate(runtime, made->arcs, sizeof *simplify->target);
    gws__graph_own(made, GWS__PART_TARGET, simplify->target, made->arcs);
    if (old->weight) simplify->weight = gws_allocate(runtime, made->arcs, sizeof *simplify->weight);
    gws__graph_own(made, GWS__PART_WEIGHT, simplify->weight, made->arcs);
    if (!simplify->target || (old->weight && !simplify->weight)) return GWS_NO_MEMORY;
    made->directed = old->directed;
    gws_parallel_for(runtime, old->vertices, rows_per_wake, copy_rows, simplify);
    return gws__graph_copy_names(runtime, old, made);
}

gws_status gws_graph_simplify(struct gws_runtime *runtime, bool loops, bool duplicates, struct gws_graph **graph)
{
    struct gws_graph *old = *graph, *made = NULL;
    struct simplify simplify = {.graph = old, .loops = loops, .duplicates = duplicates};
    uint64_t vertices = old->vertices;
    if (!loops && !duplicates) return GWS_OK;
    simplify.offset = gws_allocate(runtime, vertices + 1, sizeof *simplify.offset);
    if (!simplify.offset) return GWS_NO_MEMORY;
    gws_parallel_for(runtime, vertices, rows_per_wake, count_rows, &simplify);
    simplify.offset[0] = 0;
    for (uint64_t v = 0; v < vertices; v++) simplify.offset[v + 1] += simplify.offset[v];
    uint64_t arcs = simplify.offset[vertices];
    gws_status status = arcs < old->arcs ? gws__graph_new(runtime, vertices, arcs, &made) : GWS_OK;
    if (!made) {
        gws_release(runtime, simplify.offset, vertices + 1, sizeof *simplify.offset);
        return status;
    }
    gws__graph_own(made, GWS__PART_OFFSET, simplify.offset, vertices + 1);
    status = fill(runtime, &simplify, made);
    gws_graph_destroy(status == GWS_OK ? old : made);
    if (status == GWS_OK) *graph = made;
    return status;
}

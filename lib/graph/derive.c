/* SPDX-License-Identifier: MIT */
/* Graphs from graphs: the reverse, the symmetric closure and a renumbered part. They are builds from an edge source
 * with the arcs of the old graph (build.h). */
#include <stdatomic.h>
#include <string.h>

#include "../parallel.h"
#include "build.h"

/* ---- reverse ---- */

struct comparison {
    const struct gws_graph *a, *b; /* both graphs have the same size */
    atomic_bool differs;
};

/* Compares values, not bytes, because -0 and 0 are equal. */
static bool reals_differ(const float *a, const float *b, uint64_t count)
{
    bool differ = false;
    for (uint64_t i = 0; i < count; ++i) differ |= a[i] != b[i];
    return differ;
}

static void compare_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct comparison *comparison = context;
    const struct gws_graph *a = comparison->a, *b = comparison->b;
    (void)worker;
    /* relaxed: only a hint here. The final read follows the loop's barrier. */
    if (atomic_load_explicit(&comparison->differs, memory_order_relaxed)) return;
    uint64_t arc = a->offset[begin], arcs = a->offset[end] - arc;
    bool differs = memcmp(a->offset + begin, b->offset + begin, (end - begin + 1) * sizeof *a->offset) != 0 ||
                   memcmp(a->target + arc, b->target + arc, arcs * sizeof *a->target) != 0 ||
                   (a->weight && memcmp(a->weight + arc, b->weight + arc, arcs * sizeof *a->weight) != 0) ||
                   (a->real_weight && reals_differ(a->real_weight + arc, b->real_weight + arc, arcs));
    if (differs) atomic_store_explicit(&comparison->differs, true, memory_order_relaxed);
}

/* Sets *equal to whether both graphs have the same arcs. Their rows must be sorted by target, then weight. Equal arcs
 * then give equal arrays. */
static gws_status compare(struct gws_runtime *runtime, const struct gws_graph *a, const struct gws_graph *b,
                          bool *equal)
{
    struct comparison comparison = {.a = a, .b = b};
    atomic_init(&comparison.differs, false);
    gws_status status = gws_parallel_try_for(runtime, a->vertices, 1 << 12, compare_vertices, &comparison);
    *equal = !atomic_load_explicit(&comparison.differs, memory_order_relaxed);
    return status;
}

static gws_status graph_add_reverse(struct gws_runtime *runtime, struct gws_graph *graph)
{
    if (!graph->directed || graph->reverse) return GWS_OK;
    struct gws__edge_source source = gws__edge_source_of_graph(graph);
    struct gws_graph *reverse;
    bool equal = false;
    source.reversed = true;
    gws_status status = gws__graph_build(runtime, &source, NULL, &reverse);
    if (status != GWS_OK) return status;
    status = compare(runtime, graph, reverse, &equal);
    if (status == GWS_OK && equal) graph->directed = false;
    if (status == GWS_OK && !equal)
        graph->reverse = reverse;
    else
        gws_graph_destroy(reverse);
    return status;
}

gws_status gws_graph_add_reverse(struct gws_runtime *runtime, struct gws_graph *graph)
{
    return GWS_CALL(runtime, NULL, graph_add_reverse(runtime, graph));
}

/* ---- symmetrise ---- */

static gws_status graph_symmetrise(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   struct gws_graph **result)
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

gws_status gws_graph_symmetrise(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_graph **result)
{
    return GWS_CALL(runtime, NULL, graph_symmetrise(runtime, graph, result));
}

/* ---- relabel ---- */

enum { word_bits = 64 };

/* Returns GWS_OK if the new numbers are 0 .. remaining - 1, each once. This holds if the count matches and the function
 * sets no bit of `used` twice. */
static gws_status mark_numbers(struct gws_runtime *runtime, const uint32_t *new_of_old, uint64_t vertices,
                               uint64_t remaining, uint64_t *used)
{
    uint64_t count = 0;
    memset(used, 0, (remaining / word_bits + 1) * sizeof *used);
    for (uint64_t old = 0; old < vertices; ++old) {
        uint32_t name = new_of_old[old];
        if (gws_cancelled_at(runtime, old)) return GWS_CANCELLED;
        if (name == GWS_NO_VERTEX) continue;
        uint64_t bit = UINT64_C(1) << name % word_bits;
        if (name >= remaining || (used[name / word_bits] & bit) != 0) return GWS_INVALID;
        used[name / word_bits] |= bit;
        ++count;
    }
    return count == remaining ? GWS_OK : GWS_INVALID;
}

static gws_status check_numbering(struct gws_runtime *runtime, const uint32_t *new_of_old, uint64_t vertices,
                                  uint64_t remaining)
{
    if (remaining > vertices) return GWS_INVALID;
    uint64_t *used = gws_allocate(runtime, remaining / word_bits + 1, sizeof *used);
    if (!used) return GWS_NO_MEMORY;
    gws_status status = mark_numbers(runtime, new_of_old, vertices, remaining, used);
    gws_release(runtime, used, remaining / word_bits + 1, sizeof *used);
    return status;
}

static gws_status move_numbers(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *new_of_old,
                               struct gws_graph *result)
{
    uint64_t *id = gws_allocate(runtime, result->vertices, sizeof *id);
    bool cancelled = false;
    if (!id) return GWS_NO_MEMORY;
    for (uint64_t old = 0; old < graph->vertices && !(cancelled = gws_cancelled_at(runtime, old)); ++old)
        if (new_of_old[old] != GWS_NO_VERTEX) id[new_of_old[old]] = gws_graph_id(graph, (uint32_t)old);
    gws_graph_adopt_ids(result, id);
    return cancelled ? GWS_CANCELLED : GWS_OK;
}

static gws_status move_ids(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *new_of_old,
                           struct gws_graph *result)
{
    if (graph->names.text) return gws__graph_move_names(runtime, graph, new_of_old, result);
    uint32_t *order = gws_allocate(runtime, result->vertices, sizeof *order);
    if (!order) return GWS_NO_MEMORY;
    const bool ascending = gws__graph_move_order(graph->id_order, graph->vertices, new_of_old, order);
    const bool dense = ascending && result->vertices == graph->vertices && !graph->id;
    gws_status status = dense ? GWS_OK : move_numbers(runtime, graph, new_of_old, result);
    if (dense) result->first_id = graph->first_id;
    if (ascending || status != GWS_OK)
        gws_release(runtime, order, result->vertices, sizeof *order);
    else
        gws_graph_adopt_id_order(result, order);
    return status;
}

static gws_status move_positions(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *new_of_old,
                                 struct gws_graph *result)
{
    if (!graph->position) return GWS_OK;
    double *position = gws_allocate(runtime, 2 * result->vertices, sizeof *position);
    bool cancelled = false;
    if (!position) return GWS_NO_MEMORY;
    for (uint64_t old = 0; old < graph->vertices && !(cancelled = gws_cancelled_at(runtime, old)); ++old) {
        uint64_t name = new_of_old[old];
        if (name == GWS_NO_VERTEX) continue;
        position[2 * name] = graph->position[2 * old];
        position[2 * name + 1] = graph->position[2 * old + 1];
    }
    gws_graph_adopt_positions(result, position);
    return cancelled ? GWS_CANCELLED : GWS_OK;
}

static gws_status graph_relabel(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *new_of_old,
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

gws_status gws_graph_relabel(struct gws_runtime *runtime, const struct gws_graph *graph, const uint32_t *new_of_old,
                             uint64_t remaining, struct gws_graph **result)
{
    return GWS_CALL(runtime, NULL, graph_relabel(runtime, graph, new_of_old, remaining, result));
}

/* SPDX-License-Identifier: MIT */
/* Weak components of a parted graph. Ranks of one host find them in shared memory (components_shared.c). Otherwise
 * each rank finds fragments (lib/graph/components.c), then follow unions between ranks (components_labels.c).
 *
 * Few of the arcs between ranks are read, as Afforest does within a rank (Sutton, Ben-Nun, Barak, IPDPS 2018): first
 * every vertex tells one neighbour on another rank; of a rank's large fragment, few vertices do. Then most vertices of
 * most graphs have the same label, that of a large component. Only the other vertices tell all their neighbours. An arc
 * between two vertices of one label unites nothing, and every other arc has an end outside the large component, whose
 * owner reads it. */
#include "components_state.h"

#include "../../../lib/hetero/rank_graph.h"
#include "../../../lib/hetero/rank_memory.h"

/* ---- fragments ---- */

static void reset_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_merging *merging = context;
    (void)worker;
    for (uint64_t row = begin; row < end; row++) {
        merging->label[row] = (uint32_t)(merging->graph->first + row);
        merging->rows[row] = 0;
        merging->size[row] = 0;
    }
}

/* Counts the rows of fragments, and lists those that may become larger. */
static void count_rows(struct gws__rank_merging *merging)
{
    uint32_t in_large = 0;
    merging->fragment = merging->component;
    for (uint64_t row = 0; row < merging->graph->rows; row++) {
        const uint32_t root = merging->root[row];
        if (root == row && gws__rank_has_arcs(merging->graph, row))
            merging->fragment[merging->fragments++] = (uint32_t)row;
        if (root == merging->large)
            in_large++;
        else
            merging->rows[root]++;
    }
    if (in_large > 0) merging->rows[merging->large] = in_large;
}

static gws_status merge(struct gws__rank_merging *merging, struct gws_rank_components_result *result)
{
    gws_status status = gws__rank_graph_fragments(merging->runtime, merging->graph, merging->root, &merging->large);
    status = gws_transport_agree(merging->graph->transport, status);
    if (status != GWS_OK) return status;
    count_rows(merging);
    return gws__rank_merge_labels(merging, result);
}

/* ---- the result ---- */

static void take_sizes(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__rank_merging *merging = context;
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) merging->size[pair[i].vertex - merging->graph->first] += pair[i].value;
}

/* Sends the sizes of fragments to the owners of their labels, as many as fit at a time. */
static void send_sizes(struct gws__rank_merging *merging)
{
    const struct gws_rank_graph *graph = merging->graph;
    uint64_t root = 0, more;
    do {
        uint64_t count = 0;
        for (; root < graph->rows && count < merging->outbox.capacity; root++) {
            const uint32_t label = merging->label[root];
            if (merging->rows[root] == 0) continue;
            if (gws__rank_owns(graph, label))
                merging->size[label - graph->first] += merging->rows[root];
            else
                merging->outbox.pair[count++] = (struct gws__pair){label, merging->rows[root]};
        }
        more = root < graph->rows;
        atomic_store_explicit(&merging->outbox.count, count, memory_order_relaxed);
        gws__outbox_send(&merging->outbox, take_sizes, merging, &more, 1);
    } while (more > 0);
}

/* Names the component of each row. relaxed: the caller reads the counts after the loop has ended. */
static void name_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_merging *merging = context;
    uint64_t components = 0, largest = 0;
    (void)worker;
    for (uint64_t row = begin; row < end; row++) {
        merging->component[row] = merging->label[merging->root[row]];
        components += merging->size[row] > 0;
        if (merging->size[row] > largest) largest = merging->size[row];
    }
    atomic_fetch_add_explicit(&merging->components, components, memory_order_relaxed);
    gws__rank_raise(&merging->max_size, largest);
}

static void finish(struct gws__rank_merging *merging, struct gws_rank_components_result *result)
{
    const struct gws_rank_graph *graph = merging->graph;
    send_sizes(merging);
    gws_parallel_for(merging->runtime, graph->rows, 4096, name_rows, merging);
    result->components = atomic_load_explicit(&merging->components, memory_order_relaxed);
    result->largest = atomic_load_explicit(&merging->max_size, memory_order_relaxed);
    gws_transport_sum(graph->transport, &result->components, 1);
    gws_transport_max(graph->transport, &result->largest, 1);
}

/* ---- the call ---- */

static gws_status open_merging(struct gws__rank_merging *merging, struct gws_rank_components_result *result)
{
    struct gws_runtime *runtime = merging->runtime;
    const struct gws_rank_graph *graph = merging->graph;
    const uint64_t rows = graph->rows;
    uint64_t capacity = gws__outbox_capacity(graph);
    if (graph->reverse) capacity += gws__outbox_capacity(graph->reverse);
    merging->component = result->component;
    merging->root = gws_allocate(runtime, rows, sizeof *merging->root);
    merging->label = gws_allocate(runtime, rows, sizeof *merging->label);
    merging->rows = gws_allocate(runtime, rows, sizeof *merging->rows);
    merging->size = gws_allocate(runtime, rows, sizeof *merging->size);
    gws_status status = gws__outbox_open(runtime, graph, capacity, &merging->outbox);
    const bool all = merging->root && merging->label && merging->rows && merging->size;
    if (!all || status != GWS_OK) return GWS_NO_MEMORY;
    gws_parallel_for(runtime, rows, 1 << 14, reset_rows, merging);
    return GWS_OK;
}

static void close_merging(struct gws__rank_merging *merging)
{
    struct gws_runtime *runtime = merging->runtime;
    const uint64_t rows = merging->graph->rows;
    gws__outbox_close(&merging->outbox);
    gws_release(runtime, merging->root, rows, sizeof *merging->root);
    gws_release(runtime, merging->label, rows, sizeof *merging->label);
    gws_release(runtime, merging->rows, rows, sizeof *merging->rows);
    gws_release(runtime, merging->size, rows, sizeof *merging->size);
    gws_release(runtime, merging->wait, merging->capacity, sizeof *merging->wait);
}

void gws_rank_components_result_clear(struct gws_rank_components_result *result)
{
    if (!result) return;
    if (result->runtime) gws_release(result->runtime, result->component, result->rows, sizeof *result->component);
    *result = (struct gws_rank_components_result){0};
}

/* Unites fragments by messages. */
static gws_status send_labels(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                              struct gws_rank_components_result *result, struct gws_diagnostic *where)
{
    struct gws__rank_merging merging = {.runtime = runtime, .graph = graph};
    gws_status status = gws__ranks_agree(graph->transport, open_merging(&merging, result), where);
    if (status == GWS_OK) {
        status = merge(&merging, result);
        if (status == GWS_OK) finish(&merging, result);
        (void)gws_diagnostic_status(where, status);
    }
    close_merging(&merging);
    return status;
}

static gws_status find(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                       struct gws_rank_components_result *result, struct gws_diagnostic *where)
{
    struct gws__rank_memory shared;
    gws_status status = gws__rank_memory_open(runtime, graph->transport, graph->vertices / 2 + 1, &shared, where);
    if (status != GWS_OK) return status;
    if (!shared.all) return send_labels(runtime, graph, result, where);
    status = gws__rank_components_shared(runtime, graph, (uint32_t *)shared.all, result);
    gws__rank_memory_close(&shared);
    return gws_diagnostic_status(where, status);
}

static gws_status rank_components(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                  struct gws_rank_components_result *result, struct gws_diagnostic *where)
{
    const double begin = gws_clock_ms();
    gws_rank_components_result_clear(result);
    if (graph->directed && !graph->reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    result->runtime = runtime;
    result->rows = graph->rows;
    result->component = gws_allocate(runtime, graph->rows, sizeof *result->component);
    gws_status status = gws__ranks_agree(graph->transport, result->component ? GWS_OK : GWS_NO_MEMORY, where);
    if (status == GWS_OK) status = find(runtime, graph, result, where);
    if (status != GWS_OK) gws_rank_components_result_clear(result);
    result->ms = status == GWS_OK ? gws_clock_ms() - begin : 0;
    return status;
}

gws_status gws_rank_components(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                               struct gws_rank_components_result *result, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where, rank_components(runtime, graph, result, where));
}

/* SPDX-License-Identifier: MIT */
/* Labels that fragments pass on between ranks, in rounds. */
#include "components_state.h"

/* Offers a label to the fragment of a vertex of this rank. The calling thread only. */
static void offer(struct gws__rank_merging *merging, uint32_t vertex, uint32_t label)
{
    const uint32_t root = gws__rank_parent(merging, (uint32_t)(vertex - merging->graph->first));
    if (merging->label[root] <= label) return;
    merging->label[root] = label;
    merging->next += !(merging->changed[root] & 2);
    merging->changed[root] |= 2;
}

static void take_labels(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) offer(context, pair[i].vertex, pair[i].value);
}

static void tell_row(struct gws__rank_merging *merging, const struct gws_rank_graph *rows, uint32_t worker,
                     uint64_t row, uint32_t label)
{
    for (uint64_t arc = rows->offset[row]; arc < rows->offset[row + 1]; arc++)
        if (!gws__rank_owns(rows, rows->target[arc]))
            gws__outbox_add(&merging->outbox, worker, (struct gws__pair){rows->target[arc], label});
}

static void tell_rows(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_merging *merging = context;
    const struct gws_rank_graph *graph = merging->graph;
    for (uint64_t row = merging->step + begin; row < merging->step + end; row++) {
        const uint32_t root = gws__rank_parent(merging, (uint32_t)row);
        if (!(merging->changed[root] & 1)) continue;
        tell_row(merging, graph, worker, row, merging->label[root]);
        if (graph->reverse) tell_row(merging, graph->reverse, worker, row, merging->label[root]);
        if (root == row && !gws__rank_owns(graph, merging->offered[root]))
            gws__outbox_add(&merging->outbox, worker, (struct gws__pair){merging->offered[root], merging->label[root]});
    }
}

static void flush(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_merging *merging = context;
    (void)begin;
    (void)end;
    gws__outbox_flush(&merging->outbox, &merging->outbox.worker[worker]);
}

/* Returns the most pairs that a row makes. */
static uint64_t pairs_of(const struct gws_rank_graph *graph, uint64_t row)
{
    uint64_t pairs = graph->offset[row + 1] - graph->offset[row] + 1;
    if (graph->reverse) pairs += graph->reverse->offset[row + 1] - graph->reverse->offset[row];
    return pairs;
}

/* Sets the end of the step that begins at merging->step: its pairs fit the outbox. */
static void end_step(struct gws__rank_merging *merging)
{
    uint64_t pairs = 0;
    for (merging->end = merging->step; merging->end < merging->graph->rows; merging->end++) {
        if (merging->changed[gws__rank_parent(merging, (uint32_t)merging->end)] & 1)
            pairs += pairs_of(merging->graph, merging->end);
        if (pairs > merging->outbox.capacity) break;
    }
}

/* Labels move to the next round. What a root of this rank had offered to another fragment of this rank is offered here.
 */
static uint64_t begin_round(struct gws__rank_merging *merging)
{
    const struct gws_rank_graph *graph = merging->graph;
    for (uint64_t root = 0; root < graph->rows; root++) {
        if (!(merging->changed[root] & 2) || gws__rank_parent(merging, (uint32_t)root) != root) continue;
        if (gws__rank_owns(graph, merging->offered[root])) offer(merging, merging->offered[root], merging->label[root]);
    }
    for (uint64_t root = 0; root < graph->rows; root++) merging->changed[root] >>= 1;
    const uint64_t changed = merging->next;
    merging->next = 0;
    return changed;
}

static void end_round(struct gws__rank_merging *merging)
{
    for (uint64_t root = 0; root < merging->graph->rows; root++)
        if (merging->changed[root] & 1) merging->offered[root] = merging->label[root];
}

enum { of_more, of_failed, of_sent, sums };

/* Passes on the labels that changed. Returns the status of all ranks. */
static gws_status run_round(struct gws__rank_merging *merging, struct gws_rank_components_result *result)
{
    uint64_t sum[sums];
    merging->step = 0;
    do {
        end_step(merging);
        const struct gws_loop loop = {.count = merging->end - merging->step,
                                      .grain = 1024,
                                      .body = tell_rows,
                                      .finish = flush,
                                      .context = merging};
        if (loop.count > 0) gws_parallel_run(merging->runtime, &loop);
        merging->step = merging->end;
        if (gws_cancelled(merging->runtime)) merging->status = GWS_CANCELLED;
        sum[of_more] = merging->end < merging->graph->rows;
        sum[of_failed] = merging->status != GWS_OK;
        sum[of_sent] = atomic_load_explicit(&merging->outbox.count, memory_order_relaxed);
        gws__outbox_send(&merging->outbox, take_labels, merging, sum, sums);
        atomic_store_explicit(&merging->outbox.count, 0, memory_order_relaxed);
        result->sent += sum[of_sent];
    } while (sum[of_more] > 0 && sum[of_failed] == 0);
    end_round(merging);
    return sum[of_failed] > 0 ? gws_transport_agree(merging->graph->transport, merging->status) : GWS_OK;
}

/* ---- shortcuts: a fragment with label L takes the label of vertex L ---- */

/* Answers queries: a pair of L, and a vertex of the fragment that asks. The answers lie in outbox.pair, which is free
 * while its sorted copy is sent. A rank asks at most capacity / ranks queries at a time, so all answers fit. */
static void take_queries(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__rank_merging *merging = context;
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) {
        const uint32_t own = gws__rank_parent(merging, (uint32_t)(pair[i].vertex - merging->graph->first));
        if (merging->label[own] < pair[i].vertex)
            merging->outbox.pair[merging->answers++] = (struct gws__pair){pair[i].value, merging->label[own]};
    }
}

/* Adds the queries of rows from `row` on, as many as fit. Returns the next row. */
static uint64_t ask_rows(struct gws__rank_merging *merging, uint64_t row)
{
    const struct gws_rank_graph *graph = merging->graph;
    const uint64_t max = merging->outbox.capacity / gws_transport_ranks(graph->transport);
    uint64_t count = 0;
    for (; row < graph->rows && count < max; row++) {
        const uint32_t label = merging->label[row];
        if (gws__rank_parent(merging, (uint32_t)row) != row) continue;
        if (gws__rank_owns(graph, label))
            offer(merging, (uint32_t)(graph->first + row),
                  merging->label[gws__rank_parent(merging, (uint32_t)(label - graph->first))]);
        else
            merging->outbox.pair[count++] = (struct gws__pair){label, (uint32_t)(graph->first + row)};
    }
    atomic_store_explicit(&merging->outbox.count, count, memory_order_relaxed);
    return row;
}

static void shorten(struct gws__rank_merging *merging)
{
    uint64_t row = 0, more;
    do {
        row = ask_rows(merging, row);
        more = row < merging->graph->rows;
        merging->answers = 0;
        gws__outbox_send(&merging->outbox, take_queries, merging, &more, 1);
        atomic_store_explicit(&merging->outbox.count, merging->answers, memory_order_relaxed);
        gws__outbox_send(&merging->outbox, take_labels, merging, NULL, 0);
        atomic_store_explicit(&merging->outbox.count, 0, memory_order_relaxed);
    } while (more > 0);
}

gws_status gws__rank_merge_labels(struct gws__rank_merging *merging, struct gws_rank_components_result *result)
{
    gws_status status = GWS_OK;
    for (uint64_t changed = 1; changed > 0 && status == GWS_OK;) {
        status = run_round(merging, result);
        if (status == GWS_OK) shorten(merging);
        result->rounds++;
        changed = begin_round(merging);
        gws_transport_sum(merging->graph->transport, &changed, 1);
    }
    return status;
}

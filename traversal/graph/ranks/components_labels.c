/* SPDX-License-Identifier: MIT */
/* Unions of fragments across ranks. A message (vertex, value) says that the fragments of both are one component. The
 * owner of the vertex gives its fragment the smaller label. If the larger label is a vertex of another fragment, that
 * fragment must be united, too: so the owner passes (larger, smaller) on to the owner of the larger one. A message ends
 * where both labels are equal, or where a fragment that had its own vertex as label takes the smaller one. Each
 * passing on lowers the larger number, so all messages end. */
#include <string.h>

#include "components_state.h"

enum { recent_pairs = GWS__RANK_MERGING_RECENT, sparse_rows = 64 };

/* ---- messages ---- */

static void add_message(struct gws__rank_merging *merging, struct gws__pair pair)
{
    struct gws__pair *recent = &merging->recent[(pair.vertex ^ pair.value * 31U) % recent_pairs];
    if ((recent->vertex == pair.vertex && recent->value == pair.value) || merging->status != GWS_OK) return;
    if (merging->waiting == merging->capacity) {
        const uint64_t capacity = 2 * merging->capacity + 1024;
        struct gws__pair *wait = gws_allocate(merging->runtime, capacity, sizeof *wait);
        if (!wait) {
            merging->status = GWS_NO_MEMORY;
            return;
        }
        if (merging->wait) memcpy(wait, merging->wait, merging->waiting * sizeof *wait);
        gws_release(merging->runtime, merging->wait, merging->capacity, sizeof *wait);
        merging->wait = wait;
        merging->capacity = capacity;
    }
    *recent = pair;
    merging->wait[merging->waiting++] = pair;
}

/* Unites the fragments of a vertex and of a value. The calling thread only. */
static void unite_labels(struct gws__rank_merging *merging, uint32_t vertex, uint32_t value)
{
    const struct gws_rank_graph *graph = merging->graph;
    while (gws__rank_owns(graph, vertex)) {
        const uint32_t root = merging->root[vertex - graph->first];
        const uint32_t label = merging->label[root];
        if (label == value) return;
        if (label < value) {
            vertex = value;
            value = label;
            continue;
        }
        merging->label[root] = value;
        merging->lowered++;
        if (label == graph->first + root) return;
        vertex = label;
    }
    add_message(merging, (struct gws__pair){vertex, value});
}

static void take_messages(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) unite_labels(context, pair[i].vertex, pair[i].value);
}

enum { of_open, of_failed, of_sent, sums };

/* Sends what the outbox holds. sum[of_open] comes with this rank's value. Returns the status of all ranks. */
static gws_status send_messages(struct gws__rank_merging *merging, uint64_t sum[sums],
                                struct gws_rank_components_result *result)
{
    if (gws_cancelled(merging->runtime)) merging->status = GWS_CANCELLED;
    sum[of_failed] = merging->status != GWS_OK;
    sum[of_sent] = gws__outbox_flush_all(&merging->outbox) + merging->outbox.sent;
    gws__outbox_send(&merging->outbox, take_messages, merging, sum, sums);
    atomic_store_explicit(&merging->outbox.count, 0, memory_order_relaxed);
    result->sent += sum[of_sent];
    result->rounds++;
    return sum[of_failed] > 0 ? gws_transport_agree(merging->graph->transport, merging->status) : GWS_OK;
}

/* ---- arcs ---- */

static void tell(struct gws__rank_merging *merging, uint32_t worker, uint32_t to, uint32_t label)
{
    if (!gws__rank_owns(merging->graph, to))
        gws__outbox_add_pair(&merging->outbox, worker, (struct gws__pair){to, label});
}

/* Tells a neighbour on another rank, if there is one: rows ascend, so it is the first or the last neighbour. Few rows
 * of the large fragment do. */
static void tell_first(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_merging *merging = context;
    const struct gws_rank_graph *graph = merging->graph;
    for (uint64_t row = merging->step + begin; row < merging->step + end; row++) {
        const uint64_t first = graph->offset[row], last = graph->offset[row + 1];
        const uint32_t root = merging->root[row];
        if (first == last || (root == merging->large && row % sparse_rows != 0)) continue;
        const uint32_t to = graph->target[gws__rank_owns(graph, graph->target[first]) ? last - 1 : first];
        tell(merging, worker, to, merging->label[root]);
    }
}

static void tell_row(struct gws__rank_merging *merging, const struct gws_rank_graph *rows, uint32_t worker,
                     uint64_t row, uint32_t label)
{
    for (uint64_t arc = rows->offset[row]; arc < rows->offset[row + 1]; arc++)
        tell(merging, worker, rows->target[arc], label);
}

/* Tells all neighbours of the vertices outside the largest component. */
static void tell_others(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__rank_merging *merging = context;
    const struct gws_rank_graph *graph = merging->graph;
    for (uint64_t row = merging->step + begin; row < merging->step + end; row++) {
        const uint32_t label = merging->label[merging->root[row]];
        if (label == merging->largest) continue;
        tell_row(merging, graph, worker, row, label);
        if (graph->reverse) tell_row(merging, graph->reverse, worker, row, label);
    }
}

static uint64_t pairs_of(const struct gws__rank_merging *merging, uint64_t row, bool all)
{
    const struct gws_rank_graph *graph = merging->graph;
    uint64_t pairs = graph->offset[row + 1] - graph->offset[row];
    if (!all) return pairs > 0;
    if (merging->label[merging->root[row]] == merging->largest) return 0;
    if (graph->reverse) pairs += graph->reverse->offset[row + 1] - graph->reverse->offset[row];
    return pairs;
}

/* Returns the end of the step that begins at merging->step: its pairs fit the outbox. */
static uint64_t end_of_step(const struct gws__rank_merging *merging, bool all)
{
    const uint64_t limit = gws__outbox_limit(&merging->outbox);
    uint64_t pairs = 0, end = merging->step;
    for (; end < merging->graph->rows; end++) {
        pairs += pairs_of(merging, end, all);
        if (pairs > limit && end > merging->step) break;
    }
    return end;
}

/* Tells neighbours of vertices until the outbox may be full. */
static void tell_step(struct gws__rank_merging *merging, bool all)
{
    const uint64_t end = end_of_step(merging, all);
    gws_parallel_for(merging->runtime, end - merging->step, 1024, all ? tell_others : tell_first, merging);
    merging->step = end;
}

/* Tells neighbours on other ranks: one of each vertex, or all of some. */
static gws_status tell_arcs(struct gws__rank_merging *merging, bool all, struct gws_rank_components_result *result)
{
    const uint64_t rows = merging->graph->rows;
    uint64_t sum[sums];
    gws_status status;
    merging->step = 0;
    do {
        do tell_step(merging, all);
        while (merging->step < rows && !gws_cancelled(merging->runtime) &&
               gws__outbox_send_part(&merging->outbox, take_messages, merging));
        sum[of_open] = merging->step < rows;
        status = send_messages(merging, sum, result);
    } while (sum[of_open] > 0 && status == GWS_OK);
    return status;
}

/* ---- shortcuts: a fragment with label L takes the label of vertex L ---- */

static void lower_label(struct gws__rank_merging *merging, uint32_t row, uint32_t label)
{
    const uint32_t root = merging->root[row];
    if (merging->label[root] <= label) return;
    merging->label[root] = label;
    merging->lowered++;
}

static void take_answers(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__rank_merging *merging = context;
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++)
        lower_label(merging, (uint32_t)(pair[i].vertex - merging->graph->first), pair[i].value);
}

/* Answers queries: a pair of L, and a vertex of the fragment that asks. The answers lie in outbox.pair, which is free
 * while its sorted copy is sent. A rank asks at most capacity / ranks queries at a time, so all answers fit. */
static void take_queries(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__rank_merging *merging = context;
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) {
        const uint32_t own = merging->root[pair[i].vertex - merging->graph->first];
        if (merging->label[own] < pair[i].vertex)
            merging->outbox.pair[merging->answers++] = (struct gws__pair){pair[i].value, merging->label[own]};
    }
}

/* Adds the query of a fragment, unless another one with the same label asks. */
static uint64_t ask(struct gws__rank_merging *merging, uint32_t row, uint32_t label, uint64_t count)
{
    struct gws__pair *query = &merging->query[label % recent_pairs];
    if (query->vertex == label) return count;
    if (query->vertex == GWS_NO_VERTEX) *query = (struct gws__pair){label, row};
    merging->outbox.pair[count] = (struct gws__pair){label, (uint32_t)(merging->graph->first + row)};
    return count + 1;
}

/* Adds the queries of fragments from `at` on, as many as fit. Returns the next fragment. */
static uint64_t ask_fragments(struct gws__rank_merging *merging, uint64_t at)
{
    const struct gws_rank_graph *graph = merging->graph;
    const uint64_t max = merging->outbox.capacity / gws_transport_ranks(graph->transport);
    uint64_t count = 0;
    for (; at < merging->fragments && count < max; at++) {
        const uint32_t row = merging->fragment[at], label = merging->label[row];
        if (label == graph->first + row) continue;
        if (gws__rank_owns(graph, label))
            lower_label(merging, row, merging->label[merging->root[label - graph->first]]);
        else
            count = ask(merging, row, label, count);
    }
    atomic_store_explicit(&merging->outbox.count, count, memory_order_relaxed);
    return at;
}

static void share_answers(struct gws__rank_merging *merging)
{
    for (uint64_t i = 0; i < merging->fragments; i++) {
        const uint32_t row = merging->fragment[i], label = merging->label[row];
        const struct gws__pair *query = &merging->query[label % recent_pairs];
        if (query->vertex == label) lower_label(merging, row, merging->label[query->value]);
    }
}

static void shorten(struct gws__rank_merging *merging)
{
    uint64_t at = 0, more;
    memset(merging->query, 0xff, sizeof merging->query); /* no vertex */
    do {
        at = ask_fragments(merging, at);
        more = at < merging->fragments;
        merging->answers = 0;
        gws__outbox_send(&merging->outbox, take_queries, merging, &more, 1);
        atomic_store_explicit(&merging->outbox.count, merging->answers, memory_order_relaxed);
        gws__outbox_send(&merging->outbox, take_answers, merging, NULL, 0);
        atomic_store_explicit(&merging->outbox.count, 0, memory_order_relaxed);
    } while (more > 0);
    share_answers(merging);
}

/* ---- all ---- */

/* Sends messages that wait, until there are none and each label is the label of its own vertex. */
static gws_status unite_all(struct gws__rank_merging *merging, struct gws_rank_components_result *result)
{
    uint64_t sum[sums];
    for (;;) {
        struct gws__outbox *outbox = &merging->outbox;
        const uint64_t count = merging->waiting < outbox->capacity ? merging->waiting : outbox->capacity;
        sum[of_open] = merging->waiting + merging->lowered;
        merging->waiting -= count;
        merging->lowered = 0;
        if (count > 0) memcpy(outbox->pair, merging->wait + merging->waiting, count * sizeof *outbox->pair);
        atomic_store_explicit(&outbox->count, count, memory_order_relaxed);
        gws_status status = send_messages(merging, sum, result);
        if (status != GWS_OK || sum[of_open] == 0) return status;
        shorten(merging);
    }
}

/* Sets merging->largest to a label that many vertices have. */
static void find_largest(struct gws__rank_merging *merging)
{
    uint64_t largest = 0;
    for (uint64_t row = 0; row < merging->graph->rows; row++) {
        const uint64_t size = (uint64_t)merging->rows[row] << 32 | merging->label[row];
        if (merging->rows[row] > 0 && size > largest) largest = size;
    }
    gws_transport_max(merging->graph->transport, &largest, 1);
    merging->largest = (uint32_t)largest;
}

gws_status gws__rank_merge_labels(struct gws__rank_merging *merging, struct gws_rank_components_result *result)
{
    memset(merging->recent, 0xff, sizeof merging->recent); /* no vertex */
    merging->lowered = 1;                                  /* unite_all() makes at least one round */
    gws_status status = tell_arcs(merging, false, result);
    if (status == GWS_OK) status = unite_all(merging, result);
    if (status != GWS_OK) return status;
    find_largest(merging);
    status = tell_arcs(merging, true, result);
    return status == GWS_OK ? unite_all(merging, result) : status;
}

/* SPDX-License-Identifier: MIT */
/* Checks a search of a parted graph by the rules of Graph500 (see bfs_check.c). A rank checks its own vertices. What
 * they claim about another rank's vertex goes to its owner as a pair: the vertex, and the depth that it has at most (of
 * an arc) or exactly (of a tree edge). The check shares no code with the search but the sending of pairs. */
#include <inttypes.h>

#include "../../lib/parallel.h"
#include "../engine/rank_outbox.h"
#include "../rank_bfs.h"

enum fault { FAULT_HALF = 1, FAULT_ROOT, FAULT_RANGE, FAULT_TREE_EDGE, FAULT_TREE_DEPTH, FAULT_ARC };

static const char *const fault_text[] = {
    [FAULT_HALF] = "has a depth without a parent or a parent without a depth",
    [FAULT_ROOT] = "is at depth 0 or its own parent, but is not the source, or is the source and is not",
    [FAULT_RANGE] = "has an invalid depth or parent",
    [FAULT_TREE_EDGE] = "is not a neighbour of its parent",
    [FAULT_TREE_DEPTH] = "is the parent of a vertex that is not one level deeper",
    [FAULT_ARC] = "is unreached or too deep for an arc that leads to it",
};

struct check {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph, *reverse;
    const struct gws_rank_bfs_result *result;
    struct gws__outbox outbox;
    bool exact;     /* the pairs are of tree edges */
    uint64_t first; /* the smallest faulty vertex and its fault: vertex << 8 | fault */
    uint64_t reached, reached_arcs;
};

static void record(struct check *check, uint64_t vertex, enum fault fault)
{
    const uint64_t mine = vertex << 8 | fault;
    if (mine < check->first) check->first = mine;
}

static bool has_arc(const struct gws_rank_graph *graph, uint64_t row, uint32_t to)
{
    uint64_t low = graph->offset[row], high = graph->offset[row + 1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (graph->target[middle] == to) return true;
        if (graph->target[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Checks what this rank knows alone. */
static void check_row(struct check *check, uint64_t row)
{
    const struct gws_rank_bfs_result *result = check->result;
    const uint64_t vertex = check->graph->first + row;
    const uint32_t depth = result->depth[row], parent = result->parent[row];
    const bool is_source = vertex == result->source;
    if ((depth == GWS_NO_VERTEX) != (parent == GWS_NO_VERTEX)) record(check, vertex, FAULT_HALF);
    if ((depth == 0) != is_source || (parent == vertex) != is_source) record(check, vertex, FAULT_ROOT);
    if (depth == GWS_NO_VERTEX || parent == GWS_NO_VERTEX) return;
    if (parent >= check->graph->vertices || depth >= result->levels) record(check, vertex, FAULT_RANGE);
    if (!is_source && !has_arc(check->reverse, row, parent)) record(check, vertex, FAULT_TREE_EDGE);
    check->reached++;
    check->reached_arcs += check->graph->offset[row + 1] - check->graph->offset[row];
}

static void check_pair(struct check *check, struct gws__pair pair)
{
    const uint32_t depth = check->result->depth[pair.vertex - check->graph->first];
    if (check->exact ? depth != pair.value : depth > pair.value)
        record(check, pair.vertex, check->exact ? FAULT_TREE_DEPTH : FAULT_ARC);
}

static void take_pairs(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) check_pair(context, pair[i]);
}

static void add(struct check *check, struct gws__pair pair)
{
    if (pair.vertex >= check->graph->vertices) return; /* recorded as out of range */
    if (pair.vertex - check->graph->first < check->graph->rows)
        check_pair(check, pair);
    else
        gws__outbox_add(&check->outbox, 0, pair);
}

/* Adds the pairs of rows from `row` on, as many as fit. Returns the next row. */
static uint64_t add_rows(struct check *check, uint64_t row)
{
    const struct gws_rank_graph *graph = check->graph;
    for (uint64_t arcs = 0; row < graph->rows; row++) {
        const uint32_t depth = check->result->depth[row];
        const uint64_t begin = graph->offset[row], end = graph->offset[row + 1];
        arcs += check->exact ? 1 : end - begin;
        if (arcs > check->outbox.capacity) break;
        if (depth == GWS_NO_VERTEX) continue;
        if (check->exact && depth > 0) add(check, (struct gws__pair){check->result->parent[row], depth - 1});
        for (uint64_t arc = begin; !check->exact && arc < end; arc++)
            add(check, (struct gws__pair){graph->target[arc], depth + 1});
    }
    gws__outbox_flush(&check->outbox, check->outbox.worker);
    return row;
}

/* Sends and checks all pairs of one kind. The outbox may drop a pair after one of the same vertex with a smaller value.
 * A bound is then implied. A tree edge's pair is then of a child that is too deep for its parent, which their arc's
 * pair also tells the child's owner. */
static gws_status check_pairs(struct check *check, bool exact)
{
    uint64_t row = 0, sum[2];
    gws_status status = GWS_OK;
    check->exact = exact;
    gws__outbox_reset(&check->outbox); /* an exact depth may be larger than an upper bound */
    do {
        row = add_rows(check, row);
        if (gws_cancelled(check->runtime)) status = GWS_CANCELLED;
        sum[0] = row < check->graph->rows;
        sum[1] = status != GWS_OK;
        gws__outbox_send(&check->outbox, take_pairs, check, sum, 2);
        atomic_store_explicit(&check->outbox.count, 0, memory_order_relaxed);
    } while (sum[0] > 0 && sum[1] == 0);
    return gws_transport_agree(check->graph->transport, status);
}

static gws_status judge(struct check *check, struct gws_diagnostic *where)
{
    const struct gws_rank_bfs_result *result = check->result;
    uint64_t inverse = ~check->first, reached[] = {check->reached, check->reached_arcs};
    gws_transport_max(check->graph->transport, &inverse, 1);
    gws_transport_sum(check->graph->transport, reached, 2);
    if (inverse > 0)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex %" PRIu64 " %s", ~inverse >> 8,
                                  fault_text[~inverse & 255]);
    if (reached[0] == result->reached && reached[1] == result->reached_arcs) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "%" PRIu64 " vertices and %" PRIu64 " arcs are reached, the result says %" PRIu64
                              " and %" PRIu64,
                              reached[0], reached[1], result->reached, result->reached_arcs);
}

static gws_status rank_bfs_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                 const struct gws_rank_bfs_result *result, struct gws_diagnostic *where)
{
    struct check check = {.runtime = runtime, .graph = graph, .result = result, .first = UINT64_MAX};
    check.reverse = graph->directed ? graph->reverse : graph;
    if (!check.reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    gws_status status = gws__outbox_open(runtime, graph, gws__outbox_capacity(graph), &check.outbox);
    status = gws__ranks_agree(graph->transport, status, where);
    if (status == GWS_OK) {
        for (uint64_t row = 0; row < graph->rows; row++) check_row(&check, row);
        status = check_pairs(&check, true);
        if (status == GWS_OK) status = check_pairs(&check, false);
        status = status == GWS_OK ? judge(&check, where) : gws_diagnostic_status(where, status);
    }
    gws__outbox_close(&check.outbox);
    return status;
}

gws_status gws_rank_bfs_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                              const struct gws_rank_bfs_result *result, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where, rank_bfs_check(runtime, graph, result, where));
}

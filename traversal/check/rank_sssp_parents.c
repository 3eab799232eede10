/* SPDX-License-Identifier: MIT */
/* Queries about parents, and their answers. */
#include "rank_sssp_check.h"

static bool has_tree_arc(const struct gws__sssp_check *check, uint64_t row, struct gws__path query)
{
    const struct gws_rank_graph *graph = check->graph;
    uint64_t low = graph->offset[row], high = graph->offset[row + 1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (graph->target[middle] < query.parent)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < graph->offset[row + 1] && graph->target[low] == query.parent; low++)
        if (length_over(check, row, low) == query.length) return true;
    return false;
}

/* A query: the parent, in `vertex`; its child, in `parent`; and the child's distance. */
static bool answer(struct gws__sssp_check *check, struct gws__path query)
{
    const uint64_t row = query.vertex - check->graph->first;
    if (check->state[row] == SSSP_UNREACHED || (!check->again && !has_tree_arc(check, row, query))) {
        record(check, query.parent, SSSP_FAULT_TREE_ARC);
        return true;
    }
    return length_to(check, row) < query.length || check->state[row] == SSSP_ANSWERED;
}

/* The answers lie in outbox.path, which is free while its sorted copy is sent. A rank asks at most capacity / ranks
 * queries at a time, so all answers fit. */
static void take_queries(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct gws__sssp_check *check = context;
    const struct gws__path *path = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++)
        if (answer(check, path[i]))
            check->outbox.path[check->answers++] = (struct gws__path){path[i].parent, path[i].parent, 0};
}

static void take_answers(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__sssp_check *check = context;
    const struct gws__path *path = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) check->state[path[i].vertex - check->graph->first] = SSSP_ANSWERED;
}

/* Adds the queries of rows from `row` on, as many as fit. Returns the next row. */
static uint64_t add_queries(struct gws__sssp_check *check, uint64_t row)
{
    const struct gws_rank_graph *graph = check->graph;
    const uint64_t max = check->outbox.capacity / gws_transport_ranks(graph->transport);
    uint64_t count = 0;
    for (; row < graph->rows && count < max; row++) {
        if (check->state[row] != SSSP_ASKS) continue;
        const struct gws__path query = {check->result->parent[row], (uint32_t)(graph->first + row),
                                        length_to(check, row)};
        if (query.vertex - graph->first >= graph->rows)
            check->outbox.path[count++] = query;
        else if (answer(check, query))
            check->state[row] = SSSP_ANSWERED;
    }
    atomic_store_explicit(&check->outbox.count, count, memory_order_relaxed);
    return row;
}

/* Lets all vertices without an answer ask. Returns the number of those that get none, on all ranks. */
static gws_status ask_parents(struct gws__sssp_check *check, uint64_t *left)
{
    uint64_t row = 0, sum[2];
    do {
        row = add_queries(check, row);
        sum[0] = row < check->graph->rows;
        sum[1] = gws_cancelled(check->runtime);
        check->answers = 0;
        gws__outbox_send(&check->outbox, take_queries, check, sum, 2);
        atomic_store_explicit(&check->outbox.count, check->answers, memory_order_relaxed);
        gws__outbox_send(&check->outbox, take_answers, check, NULL, 0);
        atomic_store_explicit(&check->outbox.count, 0, memory_order_relaxed);
    } while (sum[0] > 0 && sum[1] == 0);
    check->again = true;
    *left = 0;
    for (row = 0; row < check->graph->rows; row++) *left += check->state[row] == SSSP_ASKS;
    gws_transport_sum(check->graph->transport, left, 1);
    return sum[1] > 0 ? GWS_CANCELLED : GWS_OK;
}

gws_status gws__rank_sssp_check_parents(struct gws__sssp_check *check)
{
    gws_status status = GWS_OK;
    uint64_t left = UINT64_MAX, before = 0;
    while (status == GWS_OK && left > 0 && left != before) {
        before = left;
        status = ask_parents(check, &left);
    }
    for (uint64_t row = 0; status == GWS_OK && row < check->graph->rows; row++)
        if (check->state[row] == SSSP_ASKS) record(check, check->graph->first + row, SSSP_FAULT_CYCLE);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Checks shortest paths in a parted graph by the rules of sssp_check.c. A rank checks its own vertices. For each arc it
 * sends the largest legal distance to the target's owner. For each vertex it asks the parent's owner: the parent must
 * have an arc of the right length, and the answer is whether the parents lead to the source. They do if the parent is
 * nearer, or its own parents do. The vertices without an answer ask again, until none gets one: they are on a cycle.
 * The check shares no code with the search but the sending of paths. */
#include "rank_sssp_check.h"

#include <inttypes.h>

static const char *const fault_text[] = {
    [SSSP_FAULT_HALF] = "has a distance without a parent or a parent without a distance",
    [SSSP_FAULT_ROOT] = "is its own parent, but is not the source, or is the source and is not, or not at distance 0",
    [SSSP_FAULT_RANGE] = "has an invalid distance or parent",
    [SSSP_FAULT_TREE_ARC] = "has no arc from its parent of the length of their distances' difference",
    [SSSP_FAULT_ARC] = "is unreached or too far for an arc that leads to it",
    [SSSP_FAULT_WEIGHT] = "has an arc of a negative or infinite weight",
    [SSSP_FAULT_CYCLE] = "is on a cycle of parents, or below one",
};

/* ---- rows ---- */

static void check_weights(struct gws__sssp_check *check, uint64_t row)
{
    const struct gws_rank_graph *graph = check->graph;
    for (uint64_t arc = graph->offset[row]; arc < graph->offset[row + 1]; arc++) {
        const double weight = weight_of(graph, arc);
        if (!(weight >= 0 && weight < (double)INFINITY)) record(check, graph->first + row, SSSP_FAULT_WEIGHT);
    }
}

/* Checks what this rank knows alone. */
static void check_row(struct gws__sssp_check *check, uint64_t row)
{
    const struct gws_rank_graph *graph = check->graph;
    const uint64_t vertex = graph->first + row;
    const uint32_t parent = check->result->parent[row];
    const bool is_source = vertex == check->result->source, reached = is_reached(check, row);
    check->state[row] = SSSP_UNREACHED;
    if (reached != (parent != GWS_NO_VERTEX)) record(check, vertex, SSSP_FAULT_HALF);
    if ((parent == vertex) != is_source) record(check, vertex, SSSP_FAULT_ROOT);
    if (!reached) return;
    check->state[row] = SSSP_ANSWERED;
    check->reached++;
    check->reached_arcs += graph->offset[row + 1] - graph->offset[row];
    if (!is_distance(check, row)) {
        record(check, vertex, SSSP_FAULT_RANGE);
        check->state[row] = SSSP_UNREACHED; /* no rule can use it */
        return;
    }
    check_weights(check, row);
    const double distance =
        check->result->distance ? (double)check->result->distance[row] : check->result->real_distance[row];
    if (distance > check->max) check->max = distance;
    if (is_source && distance > 0) record(check, vertex, SSSP_FAULT_ROOT);
    if (is_source || parent == GWS_NO_VERTEX) return;
    if (parent >= graph->vertices) record(check, vertex, SSSP_FAULT_RANGE);
    if (parent < graph->vertices) check->state[row] = SSSP_ASKS;
}

/* ---- arcs ---- */

static void check_bound(struct gws__sssp_check *check, struct gws__path path)
{
    const uint64_t row = path.vertex - check->graph->first;
    if (!is_reached(check, row) || (is_distance(check, row) && length_to(check, row) > path.length))
        record(check, path.vertex, SSSP_FAULT_ARC);
}

static void take_bounds(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct gws__path *path = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) check_bound(context, path[i]);
}

/* Adds the bounds of rows from `row` on, as many as fit. Returns the next row. */
static uint64_t add_bounds(struct gws__sssp_check *check, uint64_t row)
{
    const struct gws_rank_graph *graph = check->graph;
    for (uint64_t arcs = 0; row < graph->rows; row++) {
        const uint64_t begin = graph->offset[row], end = graph->offset[row + 1];
        arcs += end - begin;
        if (arcs > check->outbox.capacity) break;
        for (uint64_t arc = begin; check->state[row] != SSSP_UNREACHED && arc < end; arc++) {
            const struct gws__path path = {graph->target[arc], 0, length_over(check, row, arc)};
            if (path.vertex - graph->first < graph->rows)
                check_bound(check, path);
            else
                gws__outbox_add_path(&check->outbox, 0, path);
        }
    }
    gws__outbox_flush(&check->outbox, check->outbox.worker);
    return row;
}

static gws_status check_arcs(struct gws__sssp_check *check)
{
    uint64_t row = 0, sum[2];
    do {
        row = add_bounds(check, row);
        sum[0] = row < check->graph->rows;
        sum[1] = gws_cancelled(check->runtime);
        gws__outbox_send(&check->outbox, take_bounds, check, sum, 2);
        atomic_store_explicit(&check->outbox.count, 0, memory_order_relaxed);
    } while (sum[0] > 0 && sum[1] == 0);
    return sum[1] > 0 ? GWS_CANCELLED : GWS_OK;
}

/* ---- the call ---- */

static gws_status judge(const struct gws__sssp_check *check, struct gws_diagnostic *where)
{
    const struct gws_rank_sssp_result *result = check->result;
    struct gws_transport *transport = check->graph->transport;
    uint64_t inverse = ~check->first, reached[] = {check->reached, check->reached_arcs}, max = bits_of(check->max);
    gws_transport_max(transport, &inverse, 1);
    gws_transport_sum(transport, reached, 2);
    gws_transport_max(transport, &max, 1);
    if (inverse > 0)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex %" PRIu64 " %s", ~inverse >> 8,
                                  fault_text[~inverse & 255]);
    if (reached[0] != result->reached || reached[1] != result->reached_arcs)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "%" PRIu64 " vertices and %" PRIu64 " arcs are reached, the result says %" PRIu64
                                  " and %" PRIu64,
                                  reached[0], reached[1], result->reached, result->reached_arcs);
    if (max != bits_of(result->max_distance))
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                  "the largest distance is not the one that the result says");
    return GWS_OK;
}

static gws_status rank_sssp_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                  const struct gws_rank_sssp_result *result, struct gws_diagnostic *where)
{
    struct gws__sssp_check check = {.runtime = runtime, .graph = graph, .result = result, .first = UINT64_MAX};
    const bool is_filled =
        result->parent && (graph->real_weight ? (const void *)result->real_distance : (const void *)result->distance);
    gws_status status = is_filled ? GWS_OK
                                  : gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                                       "a result without distances or parents cannot be checked");
    if (status == GWS_OK) {
        check.state = gws_allocate(runtime, graph->rows, 1);
        status = gws__outbox_open_paths(runtime, graph, gws__outbox_capacity(graph), &check.outbox);
        if (!check.state) status = GWS_NO_MEMORY;
    }
    status = gws__ranks_agree(graph->transport, status, where);
    if (status == GWS_OK) {
        for (uint64_t row = 0; row < graph->rows; row++) check_row(&check, row);
        status = check_arcs(&check);
        if (status == GWS_OK) status = gws__rank_sssp_check_parents(&check);
        status = status == GWS_OK ? judge(&check, where) : gws_diagnostic_status(where, status);
    }
    gws__outbox_close(&check.outbox);
    gws_release(runtime, check.state, graph->rows, 1);
    return status;
}

gws_status gws_rank_sssp_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                               const struct gws_rank_sssp_result *result, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where, rank_sssp_check(runtime, graph, result, where));
}

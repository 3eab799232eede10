/* SPDX-License-Identifier: MIT */
/* Checks weak components of a parted graph by a search from all vertices that are named after themselves, along all
 * arcs. A rank searches its own vertices as far as it can. For each arc to another rank's vertex it sends the component
 * that the vertex must have. Each component has one name if all arcs agree, and has a vertex of this name if the search
 * reaches all vertices. The check shares no code with the algorithm but the sending of pairs. */
#include <inttypes.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../engine/rank_outbox.h"
#include "../rank_components.h"

enum fault { FAULT_RANGE = 1, FAULT_ARC, FAULT_NAME };

static const char *const fault_text[] = {
    [FAULT_RANGE] = "has a component that is not a vertex up to it",
    [FAULT_ARC] = "is not in the component of a neighbour",
    [FAULT_NAME] = "is in a component that does not have the vertex of its name",
};

struct components_check {
    struct gws_runtime *runtime;
    const struct gws_rank_graph *graph;
    const uint32_t *component;
    struct gws__outbox outbox;
    uint32_t *queue;     /* rows that the search has reached, each once */
    unsigned char *done; /* of each row: it is in the queue */
    uint32_t *size;      /* of each row's vertex: the vertices of the component of this name */
    uint64_t head, tail; /* of the queue */
    uint64_t first;      /* the smallest faulty vertex and its fault: vertex << 8 | fault */
};

static void record(struct components_check *check, uint64_t vertex, enum fault fault)
{
    const uint64_t mine = vertex << 8 | fault;
    if (mine < check->first) check->first = mine;
}

/* ---- the search ---- */

static void reach(struct components_check *check, uint64_t row, uint32_t component)
{
    if (check->component[row] != component) record(check, check->graph->first + row, FAULT_ARC);
    if (check->done[row]) return;
    check->done[row] = 1;
    check->queue[check->tail++] = (uint32_t)row;
}

static void begin(struct components_check *check)
{
    const struct gws_rank_graph *graph = check->graph;
    memset(check->done, 0, graph->rows);
    memset(check->size, 0, graph->rows * sizeof *check->size);
    for (uint64_t row = 0; row < graph->rows; row++) {
        const uint64_t vertex = graph->first + row;
        if (check->component[row] > vertex) record(check, vertex, FAULT_RANGE);
        if (check->component[row] == vertex) reach(check, row, (uint32_t)vertex);
    }
}

static uint64_t degree_of(const struct gws_rank_graph *rows, uint64_t row)
{
    return rows ? rows->offset[row + 1] - rows->offset[row] : 0;
}

static void search_arcs(struct components_check *check, const struct gws_rank_graph *rows, uint64_t row)
{
    const struct gws_rank_graph *graph = check->graph;
    for (uint64_t arc = rows->offset[row]; arc < rows->offset[row + 1]; arc++) {
        const uint32_t to = rows->target[arc];
        if (to - graph->first < graph->rows)
            reach(check, to - graph->first, check->component[row]);
        else
            gws__outbox_add_pair(&check->outbox, 0, (struct gws__pair){to, check->component[row]});
    }
}

/* Searches until the queue is empty, or the outbox might be full. */
static void search(struct components_check *check)
{
    const struct gws_rank_graph *graph = check->graph;
    uint64_t arcs = 0;
    for (; check->head < check->tail; check->head++) {
        const uint32_t row = check->queue[check->head];
        arcs += degree_of(graph, row) + degree_of(graph->reverse, row);
        if (arcs > check->outbox.capacity) break;
        search_arcs(check, graph, row);
        if (graph->reverse) search_arcs(check, graph->reverse, row);
    }
    gws__outbox_flush(&check->outbox, check->outbox.worker);
}

static void take_components(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct components_check *check = context;
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) reach(check, pair[i].vertex - check->graph->first, pair[i].value);
}

static gws_status search_all(struct components_check *check)
{
    uint64_t sum[2];
    do {
        search(check);
        sum[0] = check->head < check->tail || atomic_load_explicit(&check->outbox.count, memory_order_relaxed) > 0;
        sum[1] = gws_cancelled(check->runtime);
        gws__outbox_send(&check->outbox, take_components, check, sum, 2);
        atomic_store_explicit(&check->outbox.count, 0, memory_order_relaxed);
    } while (sum[0] > 0 && sum[1] == 0);
    for (uint64_t row = 0; row < check->graph->rows; row++)
        if (!check->done[row]) record(check, check->graph->first + row, FAULT_NAME);
    return sum[1] > 0 ? GWS_CANCELLED : GWS_OK;
}

/* ---- sizes ---- */

static void take_sizes(void *context, uint32_t rank, const void *data, uint64_t items)
{
    const struct components_check *check = context;
    const struct gws__pair *pair = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) check->size[pair[i].vertex - check->graph->first] += pair[i].value;
}

/* Sends the lengths of runs of equal components to the owners of their names, as many as fit at a time. */
static void send_sizes(struct components_check *check)
{
    const struct gws_rank_graph *graph = check->graph;
    uint64_t row = 0, more;
    do {
        uint64_t count = 0;
        while (row < graph->rows && count < check->outbox.capacity) {
            const uint32_t name = check->component[row];
            struct gws__pair pair = {name, 0};
            for (; row < graph->rows && check->component[row] == name; row++) pair.value++;
            check->outbox.pair[count++] = pair;
        }
        more = row < graph->rows;
        atomic_store_explicit(&check->outbox.count, count, memory_order_relaxed);
        gws__outbox_send(&check->outbox, take_sizes, check, &more, 1);
        atomic_store_explicit(&check->outbox.count, 0, memory_order_relaxed);
    } while (more > 0);
}

/* ---- the call ---- */

static gws_status judge(struct components_check *check, const struct gws_rank_components_result *result,
                        struct gws_diagnostic *where)
{
    const struct gws_rank_graph *graph = check->graph;
    uint64_t inverse = ~check->first, components = 0, largest = 0;
    gws_transport_max(graph->transport, &inverse, 1);
    if (inverse > 0)
        return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex %" PRIu64 " %s", ~inverse >> 8,
                                  fault_text[~inverse & 255]);
    send_sizes(check);
    for (uint64_t row = 0; row < graph->rows; row++) {
        components += check->size[row] > 0;
        if (check->size[row] > largest) largest = check->size[row];
    }
    gws_transport_sum(graph->transport, &components, 1);
    gws_transport_max(graph->transport, &largest, 1);
    if (components == result->components && largest == result->largest) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "there are %" PRIu64 " components, the largest of %" PRIu64 " vertices", components,
                              largest);
}

static gws_status open_check(struct components_check *check)
{
    const struct gws_rank_graph *graph = check->graph;
    uint64_t capacity = gws__outbox_capacity(graph);
    if (graph->reverse) capacity += gws__outbox_capacity(graph->reverse);
    check->queue = gws_allocate(check->runtime, graph->rows, sizeof *check->queue);
    check->done = gws_allocate(check->runtime, graph->rows, 1);
    check->size = gws_allocate(check->runtime, graph->rows, sizeof *check->size);
    gws_status status = gws__outbox_open(check->runtime, graph, capacity, &check->outbox);
    return check->queue && check->done && check->size ? status : GWS_NO_MEMORY;
}

static void close_check(struct components_check *check)
{
    const uint64_t rows = check->graph->rows;
    gws__outbox_close(&check->outbox);
    gws_release(check->runtime, check->queue, rows, sizeof *check->queue);
    gws_release(check->runtime, check->done, rows, 1);
    gws_release(check->runtime, check->size, rows, sizeof *check->size);
}

static gws_status rank_components_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                        const struct gws_rank_components_result *result, struct gws_diagnostic *where)
{
    struct components_check check = {
        .runtime = runtime, .graph = graph, .component = result->component, .first = UINT64_MAX};
    if (graph->directed && !graph->reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    gws_status status =
        result->component && result->rows == graph->rows
            ? GWS_OK
            : gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the result is empty, or of another graph");
    if (status == GWS_OK) status = open_check(&check);
    status = gws__ranks_agree(graph->transport, status, where);
    if (status == GWS_OK) {
        begin(&check);
        status = search_all(&check);
        status = status == GWS_OK ? judge(&check, result, where) : gws_diagnostic_status(where, status);
    }
    close_check(&check);
    return status;
}

gws_status gws_rank_components_check(struct gws_runtime *runtime, const struct gws_rank_graph *graph,
                                     const struct gws_rank_components_result *result, struct gws_diagnostic *where)
{
    return GWS__RANKS_CALL(runtime, graph->transport, where, rank_components_check(runtime, graph, result, where));
}

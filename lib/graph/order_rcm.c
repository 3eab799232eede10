/* SPDX-License-Identifier: MIT */
/* Reverse Cuthill-McKee order (Cuthill, McKee, "Reducing the bandwidth of sparse symmetric matrices", ACM 1969; George,
 * Liu, "Computer Solution of Large Sparse Positive Definite Systems", 1981, 4.3).
 *
 * A sweep is a breadth-first search that appends the new neighbours of a vertex in ascending order of degree. The
 * first sweep of a component starts at the component's first vertex. The next sweep starts at the vertex of lowest
 * degree in the last level, which is farther from the centre, until the number of levels no longer grows (George, Liu,
 * "An implementation of a pseudoperipheral node finder", ACM TOMS 5(3), 1979). The reverse of the last sweep numbers
 * the component. Components follow each other in the order of their first vertices.
 *
 * A sweep counts arcs in both directions, so a directed graph also needs its reverse. mark[v] is the last sweep that
 * reached v: 0 for none, otherwise 1 .. max_sweeps of v's component. Sweeps of other components never see v. */
#include <string.h>

#include "../parallel.h"
#include "build.h"
#include "order.h"

enum { max_sweeps = 8, report_every = 1 << 16 };

struct rcm {
    struct gws_runtime *runtime;
    const struct gws_graph *side[2]; /* the graph, and its reverse or NULL */
    uint32_t *queue;                 /* vertices in the order of the search, which is the result */
    uint8_t *mark;
    uint64_t tail; /* vertices in the queue */
};

static uint64_t degree_of(const struct rcm *rcm, uint32_t vertex)
{
    return gws_graph_degree(rcm->side[0], vertex) + (rcm->side[1] ? gws_graph_degree(rcm->side[1], vertex) : 0);
}

/* Returns whether a follows b in the order of degrees; ties by vertex. */
static bool is_behind(const struct rcm *rcm, uint32_t a, uint32_t b)
{
    uint64_t degree_a = degree_of(rcm, a), degree_b = degree_of(rcm, b);
    return degree_a != degree_b ? degree_a > degree_b : a > b;
}

/* ---- sorting by degree: insertion for a few vertices, otherwise heap sort, whose time has a bound ---- */

static void insert(const struct rcm *rcm, uint32_t *list, uint64_t count)
{
    for (uint64_t i = 1; i < count; ++i) {
        uint32_t vertex = list[i];
        uint64_t to = i;
        for (; to > 0 && is_behind(rcm, list[to - 1], vertex); --to) list[to] = list[to - 1];
        list[to] = vertex;
    }
}

static void sift_down(const struct rcm *rcm, uint32_t *heap, uint64_t at, uint64_t count)
{
    uint32_t vertex = heap[at];
    for (uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_behind(rcm, heap[child + 1], heap[child])) ++child;
        if (!is_behind(rcm, heap[child], vertex)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = vertex;
}

static void sort_by_degree(const struct rcm *rcm, uint32_t *list, uint64_t count)
{
    enum { few = 24 };
    if (count <= few) {
        insert(rcm, list, count);
        return;
    }
    for (uint64_t at = count / 2; at-- > 0;) sift_down(rcm, list, at, count);
    for (uint64_t left = count; left > 1; --left) {
        uint32_t last = list[0];
        list[0] = list[left - 1];
        list[left - 1] = last;
        sift_down(rcm, list, 0, left - 1);
    }
}

/* ---- sweeps ---- */

static void append_row(struct rcm *rcm, const struct gws_graph *graph, uint32_t vertex, uint8_t sweep)
{
    for (uint64_t i = graph->offset[vertex]; i < graph->offset[vertex + (uint64_t)1]; ++i) {
        uint32_t next = graph->target[i];
        if (rcm->mark[next] == sweep) continue;
        rcm->mark[next] = sweep;
        rcm->queue[rcm->tail++] = next;
    }
}

static void append_neighbours(struct rcm *rcm, uint32_t vertex, uint8_t sweep)
{
    uint64_t first = rcm->tail;
    append_row(rcm, rcm->side[0], vertex, sweep);
    if (rcm->side[1]) append_row(rcm, rcm->side[1], vertex, sweep);
    sort_by_degree(rcm, rcm->queue + first, rcm->tail - first);
}

/* Polls the cancel hook from time to time. `at` counts the vertices that a sweep has read. */
static bool interrupted(const struct rcm *rcm, uint64_t at)
{
    if (at % report_every != 0) return false;
    gws_report_progress(rcm->runtime, "ordering", at, rcm->side[0]->vertices);
    return gws_cancelled(rcm->runtime);
}

struct sweep {
    uint64_t levels;
    uint64_t last; /* position in the queue of the last level's first vertex */
};

/* Searches from `start` and fills the queue from position `first`. Returns false if the call is cancelled. */
static bool search(struct rcm *rcm, uint64_t first, uint32_t start, uint8_t number, struct sweep *sweep)
{
    *sweep = (struct sweep){0};
    rcm->queue[first] = start;
    rcm->mark[start] = number;
    rcm->tail = first + 1;
    for (uint64_t at = first; at < rcm->tail; ++sweep->levels) {
        sweep->last = at;
        for (uint64_t end = rcm->tail; at < end; ++at) {
            append_neighbours(rcm, rcm->queue[at], number);
            if (interrupted(rcm, at)) return false;
        }
    }
    return true;
}

/* Returns the vertex of lowest degree in the last level of a sweep. */
static uint32_t far_end(const struct rcm *rcm, const struct sweep *sweep)
{
    uint32_t end = rcm->queue[sweep->last];
    for (uint64_t i = sweep->last + 1; i < rcm->tail; ++i)
        if (is_behind(rcm, end, rcm->queue[i])) end = rcm->queue[i];
    return end;
}

/* Puts the component of `start` into the queue. Returns false if the call is cancelled. */
static bool order_component(struct rcm *rcm, uint32_t start)
{
    struct sweep sweep;
    uint64_t first = rcm->tail, levels = 0;
    for (int number = 1; number <= max_sweeps; ++number) {
        if (!search(rcm, first, start, (uint8_t)number, &sweep)) return false;
        if (sweep.levels <= levels || sweep.levels == 1) break;
        levels = sweep.levels;
        start = far_end(rcm, &sweep);
    }
    for (uint64_t low = first, high = rcm->tail - 1; low < high; ++low, --high) {
        uint32_t swap = rcm->queue[low];
        rcm->queue[low] = rcm->queue[high];
        rcm->queue[high] = swap;
    }
    return true;
}

static gws_status order_all(struct rcm *rcm, uint32_t *new_of_old)
{
    const uint64_t vertices = rcm->side[0]->vertices;
    memset(rcm->mark, 0, vertices * sizeof *rcm->mark);
    for (uint64_t vertex = 0; vertex < vertices; ++vertex)
        if (rcm->mark[vertex] == 0 && !order_component(rcm, (uint32_t)vertex)) return GWS_CANCELLED;
    for (uint64_t i = 0; i < vertices; ++i) {
        if (gws_cancelled_at(rcm->runtime, i)) return GWS_CANCELLED;
        new_of_old[rcm->queue[i]] = (uint32_t)i;
    }
    return GWS_OK;
}

/* Makes a reverse without weights. */
static gws_status make_reverse(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_graph **reverse)
{
    struct gws__edge_source source = gws__edge_source_of_graph(graph);
    source.reversed = true;
    source.weight_kind = GWS__WEIGHT_NONE;
    return gws__graph_build(runtime, &source, NULL, reverse);
}

gws_status gws__order_rcm(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *new_of_old)
{
    const uint64_t vertices = graph->vertices;
    struct rcm rcm = {.runtime = runtime, .side = {graph, graph->reverse}};
    struct gws_graph *reverse = NULL;
    gws_status status = GWS_OK;
    if (graph->directed && !graph->reverse) status = make_reverse(runtime, graph, &reverse);
    if (reverse) rcm.side[1] = reverse;
    rcm.queue = gws_allocate(runtime, vertices, sizeof *rcm.queue);
    rcm.mark = gws_allocate(runtime, vertices, sizeof *rcm.mark);
    if (status == GWS_OK) status = rcm.queue && rcm.mark ? order_all(&rcm, new_of_old) : GWS_NO_MEMORY;
    gws_release(runtime, rcm.queue, vertices, sizeof *rcm.queue);
    gws_release(runtime, rcm.mark, vertices, sizeof *rcm.mark);
    gws_graph_destroy(reverse);
    return status;
}

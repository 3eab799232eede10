/* SPDX-License-Identifier: MIT */
/* Parents of vertices that are as far from the source as all neighbours on their shortest paths: over level arcs, whose
 * weight is 0, or so small that the sum rounds to the same distance. A breadth-first search over level arcs starts from
 * all vertices that have a parent. A vertex that it finds takes the smallest vertex of the level before. The calling
 * thread alone: such arcs are few. */
#include <string.h>

#include "sssp_state.h"

struct level_search {
    struct gws__rank_sssp *self;
    uint64_t *done;        /* a bit for each row: its parent is final */
    uint32_t *list, *next; /* rows of the frontier; rows that the level finds */
    uint64_t count, found;
    uint64_t at; /* the first entry of the frontier that is not yet expanded */
};

static bool is_done(const struct level_search *level, uint64_t row)
{
    return level->done[row / 64] >> row % 64 & 1;
}

static void finish_row(struct level_search *level, uint64_t row)
{
    level->done[row / 64] |= UINT64_C(1) << row % 64;
}

/* Offers a parent at the same distance to a row. */
static void offer(struct level_search *level, uint32_t row, struct gws__path path)
{
    uint32_t *parent = &level->self->search.parent[row];
    if (is_done(level, row) || gws__rank_sssp_distance(level->self, row) != path.length) return;
    if (*parent == GWS_NO_VERTEX) level->next[level->found++] = row;
    if (path.parent < *parent) *parent = path.parent;
}

static void take_paths(void *context, uint32_t rank, const void *data, uint64_t items)
{
    struct level_search *level = context;
    const struct gws__path *path = data;
    (void)rank;
    for (uint64_t i = 0; i < items; i++) offer(level, (uint32_t)(path[i].vertex - level->self->search.first), path[i]);
}

static void expand(struct level_search *level, uint32_t row)
{
    struct gws__rank_sssp *self = level->self;
    const struct gws_graph *graph = self->search.graph;
    const uint64_t distance = gws__rank_sssp_distance(self, row);
    for (uint64_t arc = graph->offset[row]; arc < graph->offset[row + UINT64_C(1)]; arc++) {
        if (!self->loops->is_level(&self->search, distance, arc)) continue;
        const uint64_t to = graph->target[arc] - self->search.first;
        const struct gws__path path = {graph->target[arc], (uint32_t)(self->search.first + row), distance};
        if (to < graph->vertices)
            offer(level, (uint32_t)to, path);
        else
            gws__outbox_add_path(self->outbox, 0, path);
    }
}

/* Expands as many rows as the outbox has space for. */
static void expand_step(struct level_search *level)
{
    const struct gws_graph *graph = level->self->search.graph;
    uint64_t arcs = 0;
    for (; level->at < level->count; level->at++) {
        const uint32_t row = level->list[level->at];
        arcs += graph->offset[row + UINT64_C(1)] - graph->offset[row];
        if (arcs > level->self->outbox->capacity) break;
        expand(level, row);
    }
    gws__outbox_flush(level->self->outbox, level->self->outbox->worker);
}

/* Runs a level of all ranks. */
static gws_status run_level(struct level_search *level)
{
    struct gws__outbox *outbox = level->self->outbox;
    uint64_t sum[2];
    level->at = 0;
    do {
        expand_step(level);
        sum[0] = level->at < level->count;
        sum[1] = gws_cancelled(level->self->search.runtime);
        gws__outbox_send(outbox, take_paths, level, sum, 2);
        atomic_store_explicit(&outbox->count, 0, memory_order_relaxed);
    } while (sum[0] > 0 && sum[1] == 0);
    if (sum[1] > 0) return GWS_CANCELLED;
    for (uint64_t i = 0; i < level->found; i++) finish_row(level, level->next[i]);
    uint32_t *list = level->list;
    level->list = level->next;
    level->next = list;
    level->count = level->found;
    level->found = 0;
    return GWS_OK;
}

static void begin(struct level_search *level)
{
    const struct sssp *search = &level->self->search;
    for (uint64_t row = 0; row < search->graph->vertices; row++) {
        if (search->parent[row] == GWS_NO_VERTEX) continue;
        finish_row(level, row);
        level->list[level->count++] = (uint32_t)row;
    }
}

static uint64_t count_orphans(const struct gws__rank_sssp *self)
{
    uint64_t orphans = 0;
    for (uint64_t row = 0; row < self->search.graph->vertices; row++)
        orphans +=
            self->search.parent[row] == GWS_NO_VERTEX && gws__rank_sssp_distance(self, row) != self->loops->no_path;
    gws_transport_sum(self->graph->transport, &orphans, 1);
    return orphans;
}

gws_status gws__rank_sssp_level(struct gws__rank_sssp *self, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = self->search.runtime;
    const uint64_t rows = self->search.graph->vertices, words = rows / 64 + 1;
    struct level_search level = {.self = self};
    if (count_orphans(self) == 0) return GWS_OK;
    level.done = gws_allocate(runtime, words, sizeof *level.done);
    uint32_t *list = level.list = gws_allocate(runtime, rows, sizeof *list);
    uint32_t *next = level.next = gws_allocate(runtime, rows, sizeof *next);
    /* A path of the search says nothing about these. */
    gws_status status = gws__rank_sssp_open_outbox(runtime, self->graph, self->outbox);
    if (!level.done || !list || !next) status = GWS_NO_MEMORY;
    status = gws__ranks_agree(self->graph->transport, status, where);
    if (status == GWS_OK) {
        memset(level.done, 0, words * sizeof *level.done);
        begin(&level);
        for (uint64_t more = 1; more > 0 && status == GWS_OK;) {
            status = run_level(&level);
            more = level.count;
            if (status == GWS_OK) gws_transport_sum(self->graph->transport, &more, 1);
        }
        (void)gws_diagnostic_status(where, status);
    }
    gws_release(runtime, level.done, words, sizeof *level.done);
    gws_release(runtime, list, rows, sizeof *list);
    gws_release(runtime, next, rows, sizeof *next);
    return status;
}

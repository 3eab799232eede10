/* SPDX-License-Identifier: MIT */
/* Runs the part of a search that a device handed off (handoff.h) and hands the search back. The calling thread runs
 * that part alone, because a frontier large enough for several threads belongs to the device. */
#include "handoff.h"

#include <math.h>
#include <string.h>

/* ---- memory ---- */

gws_status gws__bfs_handoff_open(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 struct gws__bfs_handoff *handoff)
{
    *handoff = (struct gws__bfs_handoff){.runtime = runtime, .graph = graph};
    gws__handoff_open(&handoff->base, graph);
    handoff->found = gws_allocate(runtime, graph->vertices, sizeof *handoff->found);
    handoff->ran = gws_allocate(runtime, graph->vertices, sizeof *handoff->ran);
    for (int i = 0; i < 2; i++) handoff->front[i] = gws_allocate(runtime, 1, sizeof *handoff->front[i]);
    return handoff->found && handoff->ran && handoff->front[0] && handoff->front[1] ? GWS_OK : GWS_NO_MEMORY;
}

void gws__bfs_handoff_close(struct gws__bfs_handoff *handoff)
{
    if (!handoff->runtime) return;
    gws_release(handoff->runtime, handoff->found, handoff->graph->vertices, sizeof *handoff->found);
    gws_release(handoff->runtime, handoff->ran, handoff->graph->vertices, sizeof *handoff->ran);
    for (int i = 0; i < 2; i++) gws_release(handoff->runtime, handoff->front[i], 1, sizeof *handoff->front[i]);
    *handoff = (struct gws__bfs_handoff){.runtime = NULL};
}

/* ---- levels ---- */

static void clear_front(struct gws__bfs_frontier *front)
{
    front->size = 0;
    front->arcs = 0;
}

static void add_row(const struct gws_graph *graph, struct gws__bfs_frontier *front, uint32_t vertex, uint32_t parent)
{
    uint64_t begin = graph->offset[vertex], end = graph->offset[vertex + (uint64_t)1];
    __builtin_prefetch(graph->target + begin);
    front->row[front->size++] = (struct gws__bfs_row){begin, end, vertex, parent};
    front->arcs += end - begin;
}

/* Runs a level from the frontier in front[0] and leaves the next frontier in front[1]. The loop first lists the found
 * vertices and then reads their row bounds, so the cache misses overlap. */
static void expand(void *context)
{
    struct gws__bfs_handoff *handoff = context;
    const struct gws_graph *graph = handoff->graph;
    struct gws__bfs_frontier *from = handoff->front[0], *into = handoff->front[1];
    uint32_t found = 0;
    for (uint32_t i = 0; i < from->size; i++)
        for (uint64_t arc = from->row[i].begin; arc < from->row[i].end; arc++) {
            uint32_t vertex = graph->target[arc];
            uint64_t *word = &handoff->visited[vertex / 64], bit = (uint64_t)1 << vertex % 64;
            if (*word & bit) continue;
            *word |= bit;
            __builtin_prefetch(&graph->offset[vertex]);
            into->row[found].vertex = vertex;
            into->row[found++].parent = from->row[i].vertex;
        }
    clear_front(into);
    for (uint32_t i = 0; i < found; i++) add_row(graph, into, into->row[i].vertex, into->row[i].parent);
}

static void run_level(struct gws__bfs_handoff *handoff)
{
    struct gws__bfs_frontier *front = handoff->front[0], *next = handoff->front[1];
    struct gws__handoff_point *at = &handoff->at;
    handoff->ran[handoff->levels++] = (struct gws__bfs_ran){at->level++, front->size};
    at->unseen -= front->arcs < at->unseen ? front->arcs : at->unseen;
    expand(handoff);
    struct gws__bfs_found *found = handoff->found + handoff->finds;
    for (uint32_t i = 0; i < next->size; i++)
        found[i] = (struct gws__bfs_found){next->row[i].vertex, next->row[i].parent, at->level};
    handoff->finds += next->size;
    at->reached += next->size;
    handoff->front[0] = next;
    handoff->front[1] = front;
}

/* ---- exchange with the device ---- */

static void fetch_frontier(struct gws__bfs_handoff *handoff)
{
    const struct gws__handoff_state *state = handoff->state;
    handoff->at = state->at;
    clear_front(handoff->front[0]);
    for (uint32_t i = 0; i < state->entries; i++)
        if (handoff->list[i][0] != GWS_NO_VERTEX)
            add_row(handoff->graph, handoff->front[0], handoff->list[i][0], GWS_NO_VERTEX);
}

/* Publishes the frontier in front[0]. The CPU must have found the vertices of this frontier. A frontier that came from
 * the device has no parents on the host. A device that claims such a frontier would overwrite its own parents. */
static void publish_frontier(struct gws__bfs_handoff *handoff)
{
    const struct gws__bfs_frontier *front = handoff->front[0];
    for (uint32_t i = 0; i < front->size; i++) {
        uint32_t vertex = front->row[i].vertex;
        handoff->list[i][0] = vertex;
        handoff->list[i][1] = front->row[i].parent;
        if (handoff->claims) handoff->visited[vertex / 64] &= ~((uint64_t)1 << vertex % 64);
    }
    handoff->at.size = front->size;
    handoff->at.arcs = front->arcs;
    handoff->rule.from = handoff->at;
    handoff->rule.resumes = 1;
    gws__handoff_set_rule(&handoff->base, GWS__HANDOFF_DEVICE, handoff->counts_arcs, &handoff->rule);
}

void gws__bfs_handoff_begin(struct gws__bfs_handoff *handoff)
{
    handoff->rule = (struct gws__handoff_rule){.resumes = 0};
    handoff->base.handoffs = 0;
    handoff->finds = handoff->levels = 0;
    handoff->at = (struct gws__handoff_point){.level = 0};
    gws__handoff_set_rule(&handoff->base, GWS__HANDOFF_DEVICE, handoff->counts_arcs, &handoff->rule);
}

/* Runs at least one level, so the CPU has found the vertices of a published frontier. A later frontier that exceeds
 * the capacity goes back to the device. */
bool gws__bfs_handoff_run(struct gws__bfs_handoff *handoff)
{
    double began = gws_clock_ms();
    struct gws_handoff_model *model = &handoff->base.model;
    struct gws__handoff_rule rule;
    uint64_t finds = handoff->finds;
    uint32_t levels = 0;
    float lost = 0;
    gws__handoff_set_rule(&handoff->base, GWS__HANDOFF_HOST, true, &rule);
    fetch_frontier(handoff);
    gws__handoff_count(&handoff->base);
    for (; handoff->front[0]->size > 0; levels++) {
        const struct gws__bfs_frontier *front = handoff->front[0];
        bool due = handoff_due(&rule, &lost, levels, front->size, (uint32_t)front->arcs);
        if ((due || front->arcs > GWS_HANDOFF_CAPACITY) && levels > 0) break;
        run_level(handoff);
    }
    bool goes_on = handoff->front[0]->size > 0;
    if (goes_on) {
        publish_frontier(handoff);
        gws__handoff_count(&handoff->base);
    }
    model->host_levels += levels;
    model->host_vertices += handoff->finds - finds;
    model->host_ms += gws_clock_ms() - began;
    return goes_on;
}

/* ---- the result ---- */

/* Returns the sum of the losses of a search's small levels. Large levels always run on the device. */
static double levels_lost(const struct gws__handoff *base, const struct gws_bfs_result *result)
{
    double lost = 0;
    for (uint32_t i = 0; i < result->levels; i++) {
        double size = (double)result->level[i].size;
        if (size * base->mean <= GWS_HANDOFF_CAPACITY) lost += fmax(0, gws__handoff_loss(base, size));
    }
    return lost;
}

void gws__bfs_handoff_commit(struct gws__bfs_handoff *handoff, struct gws_bfs_result *result)
{
    for (uint64_t i = 0; i < handoff->finds; i++) {
        struct gws__bfs_found found = handoff->found[i];
        result->depth[found.vertex] = found.depth;
        result->parent[found.vertex] = found.parent;
    }
    for (uint64_t i = 0; i < handoff->levels; i++)
        result->level[handoff->ran[i].level] = (struct gws_bfs_level){.size = handoff->ran[i].size, .workers = 1};
    gws__handoff_back_off(&handoff->base, levels_lost(&handoff->base, result));
}

/* ---- calibration ---- */

/* Publishes the frontier of a trial, whose vertices are the only visited ones. */
static uint64_t publish_trial(void *context, const uint32_t *vertex, uint32_t count)
{
    struct gws__bfs_handoff *handoff = context;
    clear_front(handoff->front[0]);
    memset(handoff->visited, 0, (handoff->graph->vertices + 63) / 64 * 8);
    for (uint32_t i = 0; i < count; i++) {
        handoff->visited[vertex[i] / 64] |= (uint64_t)1 << vertex[i] % 64;
        add_row(handoff->graph, handoff->front[0], vertex[i], vertex[i]);
    }
    handoff->at = (struct gws__handoff_point){.level = 1, .reached = count};
    publish_frontier(handoff);
    return handoff->front[0]->arcs;
}

gws_status gws__bfs_handoff_calibrate(struct gws__bfs_handoff *handoff,
                                      gws_status (*launch)(void *device, struct gws_diagnostic *where), void *device,
                                      struct gws_diagnostic *where)
{
    const struct gws__handoff_trial trial = {.context = handoff,
                                             .device = device,
                                             .graph = handoff->graph,
                                             .state = handoff->state,
                                             .publish = publish_trial,
                                             .run = expand,
                                             .launch = launch};
    return gws__handoff_calibrate(&handoff->base, &trial, where);
}

/* SPDX-License-Identifier: MIT */
/* Running the part of a search that a device passed on, and passing it back (handoff.h): by the thread that called,
 * since frontiers that more threads could share are the device's. */
#include <math.h>
#include <string.h>

#include "handoff.h"

enum { most_rest = 1023 };

/* ---- memory ---- */

gws_status gws__bfs_hand_open(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws__bfs_hand *hand)
{
    *hand = (struct gws__bfs_hand){
        .runtime = runtime, .graph = graph, .most_here = UINT32_MAX, .most_there = UINT32_MAX, .pays = true};
    hand->model.pass_ns = INFINITY;
    hand->found = gws_allocate(runtime, graph->vertices, sizeof *hand->found);
    hand->ran = gws_allocate(runtime, graph->vertices, sizeof *hand->ran);
    for (int i = 0; i < 2; i++) hand->front[i] = gws_allocate(runtime, 1, sizeof *hand->front[i]);
    return hand->found && hand->ran && hand->front[0] && hand->front[1] ? GWS_OK : GWS_NO_MEMORY;
}

void gws__bfs_hand_close(struct gws__bfs_hand *hand)
{
    if (!hand->runtime) return;
    gws_release(hand->runtime, hand->found, hand->graph->vertices, sizeof *hand->found);
    gws_release(hand->runtime, hand->ran, hand->graph->vertices, sizeof *hand->ran);
    for (int i = 0; i < 2; i++) gws_release(hand->runtime, hand->front[i], 1, sizeof *hand->front[i]);
    *hand = (struct gws__bfs_hand){.runtime = NULL};
}

/* ---- levels ---- */

void gws__bfs_hand_add(const struct gws_graph *graph, struct gws__bfs_front *front, uint32_t vertex, uint32_t parent)
{
    uint64_t begin = graph->offset[vertex], end = graph->offset[vertex + (uint64_t)1];
    __builtin_prefetch(graph->target + begin);
    front->row[front->size++] = (struct gws__bfs_row){begin, end, vertex, parent};
    front->arcs += end - begin;
}

/* Finds are first listed and then looked up, so that their rows are on the way together. */
void gws__bfs_hand_level_run(struct gws__bfs_hand *hand)
{
    const struct gws_graph *graph = hand->graph;
    struct gws__bfs_front *from = hand->front[0], *into = hand->front[1];
    uint32_t found = 0;
    for (uint32_t i = 0; i < from->size; i++)
        for (uint64_t arc = from->row[i].begin; arc < from->row[i].end; arc++) {
            uint32_t vertex = graph->target[arc];
            uint64_t *word = &hand->visited[vertex / 64], bit = (uint64_t)1 << vertex % 64;
            if (*word & bit) continue;
            *word |= bit;
            __builtin_prefetch(&graph->offset[vertex]);
            into->row[found].vertex = vertex;
            into->row[found++].parent = from->row[i].vertex;
        }
    into->size = 0;
    into->arcs = 0;
    for (uint32_t i = 0; i < found; i++) gws__bfs_hand_add(graph, into, into->row[i].vertex, into->row[i].parent);
}

static void keep_finds(struct gws__bfs_hand *hand, const struct gws__bfs_front *front)
{
    struct gws__bfs_found *found = hand->found + hand->model.host_vertices;
    for (uint32_t i = 0; i < front->size; i++)
        found[i] = (struct gws__bfs_found){front->row[i].vertex, front->row[i].parent, hand->level};
    hand->model.host_vertices += front->size;
    hand->reached += front->size;
}

static void run_level(struct gws__bfs_hand *hand)
{
    struct gws__bfs_front *front = hand->front[0];
    hand->ran[hand->model.host_levels++] = (struct gws__bfs_hand_level){hand->level++, front->size};
    uint64_t unseen = hand->rule.unseen;
    hand->rule.unseen = unseen - (front->arcs < unseen ? front->arcs : unseen);
    gws__bfs_hand_level_run(hand);
    hand->front[0] = hand->front[1];
    hand->front[1] = front;
    keep_finds(hand, hand->front[0]);
}

/* What the level costs here more than there. What has no room here is not run here. */
static bool is_due(const struct gws__bfs_hand *hand, double *lost, uint32_t levels)
{
    const struct gws__bfs_front *front = hand->front[0];
    const struct gws_bfs_device_model *model = &hand->model;
    double loss = model->host_level_ns - model->device_level_ns +
                  (model->host_step_ns - model->device_step_ns) * (double)(front->size + front->arcs);
    *lost = fmax(0, *lost + loss);
    return *lost > model->pass_ns || levels >= hand->most_here || front->arcs > GWS_HAND_ROOM;
}

/* ---- from one to the other ---- */

static void take_over(struct gws__bfs_hand *hand)
{
    const struct gws__hand_state *state = hand->state;
    struct gws__bfs_front *front = hand->front[0];
    front->size = 0;
    front->arcs = 0;
    for (uint32_t i = 0; i < state->entries; i++)
        if (hand->list[i][0] != GWS_NO_VERTEX) gws__bfs_hand_add(hand->graph, front, hand->list[i][0], GWS_NO_VERTEX);
    hand->level = state->level;
    hand->reached = state->reached;
    hand->rule.bottom_up = state->bottom_up;
    hand->rule.unseen = state->unseen;
}

/* What a level of so many vertices, each with the mean number of arcs, costs the device more than this side. */
static double mean_loss(const struct gws__bfs_hand *hand, double vertices, double mean)
{
    const struct gws_bfs_device_model *model = &hand->model;
    double steps = vertices * (1 + mean);
    return model->device_level_ns - model->host_level_ns + (model->device_step_ns - model->host_step_ns) * steps;
}

/* The device gains at least three times a small level's loss on a level that is wider than four times the even one. */
static unsigned wide_level(const struct gws__bfs_hand *hand, double mean)
{
    double loss = mean_loss(hand, 0, mean), gain = loss - mean_loss(hand, 1, mean);
    bool passed_anyway = hand->timed || hand->most_there != UINT32_MAX;
    if (passed_anyway || gain <= 0 || loss / gain > UINT32_MAX / 8) return UINT32_MAX;
    return loss > 0 ? (unsigned)(4 * loss / gain) : 0;
}

/* What the small levels of a search lost together; others are the device's anyway. */
static double levels_lost(const struct gws__bfs_hand *hand, const struct gws_bfs_result *result)
{
    double lost = 0, mean = (double)hand->graph->arcs / (double)hand->graph->vertices;
    for (uint32_t i = 0; i < result->levels; i++) {
        double size = (double)result->level[i].size;
        if (size * mean <= GWS_HAND_ROOM) lost += fmax(0, mean_loss(hand, size, mean));
    }
    return lost;
}

/* Passing a search on can pay in the next one, too, if all small levels of this one together lost more than it costs.
 * But that is reckoned with the mean number of arcs, and looking out for it costs something, 8 % of a search of
 * kron:20: after each search that looked out in vain twice as many are kept. */
void gws__bfs_hand_learn(struct gws__bfs_hand *hand, const struct gws_bfs_result *result)
{
    bool passed_anyway = hand->most_here != UINT32_MAX || hand->most_there != UINT32_MAX;
    if (hand->model.passes > 0) {
        hand->rest = hand->rested = 0;
    } else if (hand->pays) {
        hand->rest = hand->rest < most_rest ? 2 * hand->rest + 1 : most_rest;
        hand->rested = 0;
    } else {
        hand->rested++;
    }
    hand->pays = (levels_lost(hand, result) > hand->model.pass_ns && hand->rested >= hand->rest) || passed_anyway;
}

/* The device's losses, in the words of its rule. Where it does not count arcs, a vertex has as many as in the mean. */
static void set_losses(struct gws__bfs_hand *hand)
{
    const struct gws_bfs_device_model *model = &hand->model;
    double step = model->device_step_ns - model->host_step_ns;
    double mean = (double)hand->graph->arcs / (double)hand->graph->vertices;
    hand->rule.level_loss = (float)(model->device_level_ns - model->host_level_ns);
    hand->rule.vertex_loss = (float)(hand->counts_arcs ? step : step * (1 + mean));
    hand->rule.arc_loss = (float)(hand->counts_arcs ? step : 0);
    hand->rule.limit = (float)model->pass_ns;
    hand->rule.wide = wide_level(hand, mean);
    hand->rule.most = hand->most_there;
    hand->rule.timed = hand->timed;
}

/* A frontier that came from the device and goes back at once has no parents here: it has them there, and they are
 * written once more where it finds the frontier itself. So such a one is never left (gws__bfs_hand_run()). */
void gws__bfs_hand_leave(struct gws__bfs_hand *hand)
{
    const struct gws__bfs_front *front = hand->front[0];
    for (uint32_t i = 0; i < front->size; i++) {
        uint32_t vertex = front->row[i].vertex;
        hand->list[i][0] = vertex;
        hand->list[i][1] = front->row[i].parent;
        if (hand->claims) hand->visited[vertex / 64] &= ~((uint64_t)1 << vertex % 64);
    }
    hand->rule.resumes = 1;
    hand->rule.level = hand->level;
    hand->rule.size = front->size;
    hand->rule.reached = (unsigned)hand->reached;
    hand->rule.arcs = front->arcs;
    set_losses(hand);
}

void gws__bfs_hand_begin(struct gws__bfs_hand *hand)
{
    hand->rule = (struct gws__hand_rule){.resumes = 0};
    hand->model.passes = hand->model.host_levels = hand->model.host_vertices = 0;
    hand->model.host_ms = 0;
    hand->level = 0;
    hand->reached = 0;
    set_losses(hand);
}

/* At least one level runs here, so that the frontier that is left was found here. */
bool gws__bfs_hand_run(struct gws__bfs_hand *hand)
{
    double began = gws_clock_ms(), lost = 0;
    take_over(hand);
    hand->model.passes++;
    for (uint32_t levels = 0; hand->front[0]->size > 0; levels++) {
        if (is_due(hand, &lost, levels) && levels > 0) break;
        run_level(hand);
    }
    bool goes_on = hand->front[0]->size > 0;
    if (goes_on) {
        gws__bfs_hand_leave(hand);
        hand->model.passes++;
    }
    hand->model.host_ms += gws_clock_ms() - began;
    return goes_on;
}

/* ---- the result ---- */

void gws__bfs_hand_put(const struct gws__bfs_hand *hand, struct gws_bfs_result *result)
{
    for (uint64_t i = 0; i < hand->model.host_vertices; i++) {
        struct gws__bfs_found found = hand->found[i];
        result->depth[found.vertex] = found.depth;
        result->parent[found.vertex] = found.parent;
    }
    for (uint64_t i = 0; i < hand->model.host_levels; i++) {
        struct gws_bfs_level *level = &result->level[hand->ran[i].level];
        *level = (struct gws_bfs_level){.size = hand->ran[i].size, .workers = 1};
    }
}

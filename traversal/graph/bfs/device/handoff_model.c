/* SPDX-License-Identifier: MIT */
/* What a small level costs the device and what it costs this thread (handoff.h): each runs levels from random vertices
 * of the graph, a few small and a few larger ones, cold as in a search; through the medians goes a line. */
#include <stdlib.h>
#include <string.h>

#include "../../../../lib/random.h"
#include "handoff.h"

enum { repeats = 9, small_front = 1, large_front = 256, most_tries = 1 << 16, most_degree = 256, most_arcs = 4096 };

/* One level's work and time, ns. */
struct sample {
    double work, host, device, pass;
};

/* How the device is launched, and over which frontier. */
struct launching {
    gws__bfs_hand_launch *launch;
    void *context;
    uint32_t size;
    uint64_t seed;
};

/* Random vertices with arcs, no more than the device takes for few; they alone are visited. */
static void choose(struct gws__bfs_hand *hand, uint32_t size, uint64_t seed)
{
    const struct gws_graph *graph = hand->graph;
    struct gws__bfs_front *front = hand->front[0];
    front->size = 0;
    front->arcs = 0;
    memset(hand->visited, 0, (graph->vertices + 63) / 64 * 8);
    for (uint32_t i = 0; i < most_tries && front->size < size; i++) {
        uint32_t vertex = gws_random_below(gws_random_at(seed, i), (uint32_t)graph->vertices);
        uint64_t degree = gws_graph_degree(graph, vertex), bit = (uint64_t)1 << vertex % 64;
        if (degree == 0 || degree > most_degree || (hand->visited[vertex / 64] & bit)) continue;
        if (front->arcs + degree > most_arcs) break;
        hand->visited[vertex / 64] |= bit;
        gws__bfs_hand_add(graph, front, vertex, vertex);
    }
}

/* A launch over such a frontier, of at most `most` levels. */
static gws_status time_launch(struct gws__bfs_hand *hand, uint32_t most, const struct launching *launching, double *ns,
                              struct gws_where *where)
{
    const uint32_t before = hand->most_there;
    choose(hand, launching->size, launching->seed);
    hand->level = 1;
    hand->reached = hand->front[0]->size;
    hand->most_there = most;
    gws__bfs_hand_leave(hand);
    hand->most_there = before;
    double began = gws_clock_ms();
    gws_status status = launching->launch(launching->context, where);
    *ns = (gws_clock_ms() - began) * 1e6;
    return status;
}

/* What the device took for its level: by its clock, which is set by what the kernel took by another one; without clocks
 * by what a launch takes longer that runs the level than one that does not. */
static gws_status device_time(struct gws__bfs_hand *hand, const struct launching *launching, double took, double *ns,
                              struct gws_where *where)
{
    const struct gws__hand_state *state = hand->state;
    double ticks = (double)(state->ticks[3] - state->ticks[0]), without = 0;
    if (ticks > 0) {
        *ns = (double)(state->ticks[2] - state->ticks[1]) * ((double)(state->ns[1] - state->ns[0]) / ticks);
        return GWS_OK;
    }
    gws_status status = time_launch(hand, 0, launching, &without, where);
    *ns = took > without ? took - without : 0;
    return status;
}

/* The same level at both sides. */
static gws_status measure(struct gws__bfs_hand *hand, const struct launching *launching, struct sample *sample,
                          struct gws_where *where)
{
    double took;
    gws_status status = time_launch(hand, UINT32_MAX, launching, &took, where);
    sample->work = (double)(hand->front[0]->size + hand->front[0]->arcs);
    if (status == GWS_OK) status = device_time(hand, launching, took, &sample->device, where);
    if (status != GWS_OK) return status;
    sample->pass = took - sample->device;
    choose(hand, launching->size, launching->seed + repeats); /* others: not in the cache yet */
    double began = gws_clock_ms();
    gws__bfs_hand_level_run(hand);
    sample->host = (gws_clock_ms() - began) * 1e6;
    return GWS_OK;
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(const struct sample *sample, size_t member)
{
    double value[repeats];
    for (int i = 0; i < repeats; i++) memcpy(&value[i], (const char *)&sample[i] + member, sizeof *value);
    qsort(value, repeats, sizeof *value, by_value);
    return value[repeats / 2];
}

/* The line through a small and a large level's medians; it does not fall, and begins at nothing at least. */
static void draw(double *level, double *step, struct sample sample[2][repeats], size_t member)
{
    double work[2], time[2];
    for (int i = 0; i < 2; i++) {
        work[i] = median(sample[i], offsetof(struct sample, work));
        time[i] = median(sample[i], member);
    }
    *step = work[1] > work[0] && time[1] > time[0] ? (time[1] - time[0]) / (work[1] - work[0]) : 0;
    *level = time[0] > *step * work[0] ? time[0] - *step * work[0] : 0;
}

gws_status gws__bfs_hand_fit(struct gws__bfs_hand *hand, gws__bfs_hand_launch *launch, void *context,
                             struct gws_where *where)
{
    struct gws_bfs_device_model *model = &hand->model;
    struct sample sample[2][repeats] = {{{0}}};
    gws_status status = GWS_OK;
    choose(hand, 1, 0);
    if (hand->front[0]->size == 0) return GWS_OK; /* no arcs, no levels */
    hand->timed = true;
    for (int i = 0; i < 2 * repeats && status == GWS_OK; i++) {
        const struct launching launching = {launch, context, i % 2 == 0 ? small_front : large_front,
                                            (uint64_t)i * 2 * repeats};
        status = measure(hand, &launching, &sample[i % 2][i / 2], where);
    }
    hand->timed = false;
    if (status != GWS_OK) return status;
    draw(&model->host_level_ns, &model->host_step_ns, sample, offsetof(struct sample, host));
    draw(&model->device_level_ns, &model->device_step_ns, sample, offsetof(struct sample, device));
    model->pass_ns = median(sample[0], offsetof(struct sample, pass));
    return GWS_OK;
}

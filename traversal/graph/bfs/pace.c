/* SPDX-License-Identifier: MIT */
/* Alone or shared: whether a frontier of a few thousand arcs is worth more than one worker depends on how the graph
 * lies in memory, on the machine, and on who else is using it; so it is measured. A way is kept for a stretch of
 * levels, since the first ones after a change pay for moving the data to other caches, and those do not count. Then the
 * way that cost less for frontiers of this size is taken; now and then the other is tried again. */
#include "state.h"

enum {
    surely_alone = 256,
    probably_alone = 2048,
    surely_shared = 16384,
    stretch = 128,
    uncounted = 16,
    try_again = 32
};

static bool is_open(uint64_t arcs)
{
    return arcs > surely_alone && arcs <= surely_shared;
}

static double *cost_of(struct gws__bfs_pace *pace, uint64_t arcs)
{
    uint32_t bits = 64 - (uint32_t)__builtin_clzll(arcs | 1);
    return pace->cost[bits < bfs_classes ? bits : bfs_classes - 1];
}

/* At the end of a stretch: the cheaper way; now and then, and while one is not known, the other. */
static bool choose(struct gws__bfs_pace *pace, const double cost[2])
{
    if (cost[0] == 0 || cost[1] == 0) return !pace->shared;
    bool shared = cost[1] < cost[0];
    return pace->choices % try_again == 0 ? !shared : shared;
}

bool gws__bfs_goes_alone(struct gws__bfs *bfs)
{
    struct gws__bfs_pace *pace = &bfs->scratch->pace;
    if (bfs->size > bfs_alone || bfs->degrees > bfs_alone) return false;
    if (bfs->lone || bfs->degrees <= surely_alone) return true;
    if (!is_open(bfs->degrees)) return false;
    if (pace->choices == 0) pace->shared = bfs->degrees > probably_alone;
    if (pace->levels >= stretch) {
        pace->shared = choose(pace, cost_of(pace, bfs->degrees));
        pace->choices++;
        pace->levels = 0;
    }
    return !pace->shared;
}

void gws__bfs_learn(struct gws__bfs *bfs, uint64_t arcs, bool shared, double ms)
{
    struct gws__bfs_pace *pace = &bfs->scratch->pace;
    if (!is_open(arcs) || shared != pace->shared || pace->levels++ < uncounted) return;
    double *cost = &cost_of(pace, arcs)[shared], now = ms * 1e6 / (double)arcs;
    *cost = *cost == 0 ? now : *cost + (now - *cost) / 8;
}

/* SPDX-License-Identifier: MIT */
/* By windows or level by level: on a mesh either may be twice as fast, by how large the machine's caches are, how it
 * translates addresses, how many workers there are and who else is using them. So searches of one graph into one result
 * are timed: the first goes the way that mostly wins, the second the other, and from then on the cheaper is taken and
 * the other tried again now and then. */
#include "state.h"

enum { try_again = 32, telling = 1 << 16 /* vertices reached, for a search to say something */ };

bool gws__bfs_goes_by_windows(struct gws__bfs *bfs)
{
    if (!gws__bfs_suits_windows(bfs)) return false;
    struct gws__bfs_ways *ways = &bfs->scratch->ways;
    if (ways->graph != bfs->graph) *ways = (struct gws__bfs_ways){.graph = bfs->graph};
    if (ways->cost[0] == 0 && ways->cost[1] == 0) return !bfs->lone;
    if (ways->cost[0] == 0 || ways->cost[1] == 0) return ways->cost[1] == 0;
    bool windows = ways->cost[1] < ways->cost[0];
    return ways->searches % try_again == 0 ? !windows : windows;
}

void gws__bfs_learn_way(struct gws__bfs *bfs, bool by_windows)
{
    struct gws__bfs_ways *ways = &bfs->scratch->ways;
    if (ways->graph != bfs->graph || bfs->result->reached < telling) return;
    double *cost = &ways->cost[by_windows], now = bfs->result->ms * 1e6 / (double)bfs->result->reached;
    *cost = *cost == 0 ? now : *cost + (now - *cost) / 2;
    ways->searches++;
}

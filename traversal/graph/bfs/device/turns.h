/* SPDX-License-Identifier: MIT */
/* Whose turn a search is, where a device and all threads can each run it whole: nobody knows beforehand how deep it
 * will be, nor who else is using the machine. So searches of one graph are timed, as those by windows are
 * (../bfs.c): the first is the device's, the second the threads', and from then on the cheaper side has it and the
 * other tries again now and then. */
#ifndef GWS_TRAVERSAL_BFS_TURNS_H
#define GWS_TRAVERSAL_BFS_TURNS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    gws__turn_again = 32,
    gws__turn_telling = 1 << 16 /* vertices reached, for a search to say something */
};

struct gws__bfs_turns {
    uint32_t searches;
    double cost[2]; /* of the device and the threads: ns for each vertex reached; 0: not known */
};

/* Is the next search the threads'? */
static inline bool gws__bfs_turns_threads(const struct gws__bfs_turns *turns)
{
    if (turns->cost[0] == 0 || turns->cost[1] == 0) return turns->cost[0] > 0;
    bool threads = turns->cost[1] < turns->cost[0];
    return turns->searches % gws__turn_again == 0 ? !threads : threads;
}

static inline void gws__bfs_turns_learn(struct gws__bfs_turns *turns, bool threads, double ms, uint64_t reached)
{
    if (reached < gws__turn_telling) return;
    double *cost = &turns->cost[threads], now = ms * 1e6 / (double)reached;
    *cost = *cost == 0 ? now : *cost + (now - *cost) / 2;
    turns->searches++;
}

#endif

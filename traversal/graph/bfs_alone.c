/* SPDX-License-Identifier: MIT */
/* Top-down levels that one worker runs faster than several: those of road networks, whose frontiers hold a few hundred
 * vertices for a thousand levels and more. Nothing is atomic, no other worker is woken, and on short rows no branch
 * depends on the data. */
#include "bfs_state.h"

bool gws__bfs_fits_alone(const struct gws__bfs *bfs)
{
    return bfs->size <= bfs_alone && bfs->degrees <= bfs_alone;
}

static uint32_t gather_all(struct gws__bfs *bfs, struct gws__bfs_claim *arc)
{
    uint32_t arcs = 0;
    for (uint64_t i = 0; i < bfs->size; i++)
        gws__bfs_gather(bfs->graph, bfs->queue[bfs->begin + i], &bfs->entry[i], arc, &arcs);
    return arcs;
}

/* Keeps the arcs that lead to unvisited vertices, in place, and marks those. Plain accesses: this worker is alone. */
static uint32_t claim_alone(uint64_t *visited, struct gws__bfs_claim *arc, uint32_t arcs)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < arcs; i++) {
        struct gws__bfs_claim one = arc[i];
        uint64_t word = visited[one.vertex >> 6], bit = (uint64_t)1 << (one.vertex & 63);
        arc[kept] = one;
        kept += (word & bit) == 0;
        visited[one.vertex >> 6] = word | bit;
    }
    return kept;
}

gws_status gws__bfs_top_down_alone(struct gws__bfs *bfs)
{
    struct gws__bfs_worker *me = &bfs->scratch->worker[0];
    uint64_t tasks = 0;
    double began = gws_clock_ms(), level_began = began;
    if (!bfs->has_entries) gws__bfs_fetch_entries(bfs);
    while (bfs->size && gws__bfs_fits_alone(bfs)) {
        if (gws__bfs_level_room(bfs) != GWS_OK) return GWS_NO_MEMORY;
        struct gws_bfs_level *level = gws__bfs_level_begin(bfs, false);
        tasks += bfs->size;
        uint32_t found = claim_alone((uint64_t *)bfs->visited, me->arc, gather_all(bfs, me->arc));
        bfs->degrees = gws__bfs_settle(bfs, me->arc, found, bfs->end);
        me->made += found;
        gws__bfs_advance(bfs, bfs->end + found);
        bfs->size = found;
        bfs->level++;
        if (!bfs->options.time_levels) continue;
        double now = gws_clock_ms();
        level->ms = now - level_began;
        level_began = now;
    }
    gws_parallel_note(bfs->runtime, 0, tasks, 0, gws_clock_ms() - began);
    return GWS_OK;
}

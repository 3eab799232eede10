/* SPDX-License-Identifier: MIT */
/* Top-down levels that one worker runs faster than several: those of road networks, whose frontiers hold a few hundred
 * vertices for a thousand levels and more. Nothing is atomic, no other worker is woken, and on short rows no branch
 * depends on the data. */
#include "state.h"

/* The claims of a level, and the bitmap they are made in. */
struct claims {
    uint64_t *visited;
    struct gws__bfs_claim *claim;
    uint32_t count;
};

/* Claims vertex for parent if it is unvisited and counts. Plain accesses: this worker is alone. */
static inline void claim(struct claims *claims, uint32_t vertex, uint32_t parent, bool counts)
{
    uint64_t word = claims->visited[vertex >> 6], bit = (uint64_t)counts << (vertex & 63);
    claims->claim[claims->count] = (struct gws__bfs_claim){vertex, parent};
    claims->count += (~word & bit) != 0;
    claims->visited[vertex >> 6] = word | bit;
}

static uint32_t expand_all(const struct gws__bfs *bfs)
{
    struct claims claims = {(uint64_t *)bfs->visited, bfs->scratch->alone, 0};
    for (uint64_t i = 0; i < bfs->size; i++) {
        const struct gws__bfs_entry *entry = &bfs->entry[i];
        uint32_t parent = bfs->queue[bfs->begin + i];
        if (entry->degree <= bfs_strip) {
            for (uint32_t j = 0; j < bfs_strip; j++) claim(&claims, entry->target[j], parent, j < entry->degree);
            continue;
        }
        const uint32_t *target = bfs->graph->target + entry->begin;
        for (uint64_t j = 0; j < entry->degree; j++) claim(&claims, target[j], parent, true);
    }
    return claims.count;
}

gws_status gws__bfs_top_down_alone(struct gws__bfs *bfs)
{
    uint64_t tasks = 0;
    double began = gws_clock_ms(), level_began = began;
    if (!bfs->has_entries) gws__bfs_fetch_entries(bfs);
    do {
        if (gws__bfs_level_room(bfs) != GWS_OK) return GWS_NO_MEMORY;
        struct gws_bfs_level *level = gws__bfs_level_begin(bfs, false);
        uint64_t arcs = bfs->degrees;
        tasks += bfs->size;
        uint32_t found = expand_all(bfs);
        bfs->degrees = gws__bfs_settle(bfs, bfs->scratch->alone, found, bfs->end);
        bfs->scratch->worker[0].made += found;
        gws__bfs_advance(bfs, bfs->end + found);
        bfs->size = found;
        bfs->level++;
        double now = gws_clock_ms();
        gws__bfs_learn(bfs, arcs, false, now - level_began);
        if (bfs->options.time_levels) level->ms = now - level_began;
        level_began = now;
    } while (bfs->size && gws__bfs_goes_alone(bfs));
    gws_parallel_note(bfs->runtime, 0, tasks, 0, level_began - began);
    return GWS_OK;
}

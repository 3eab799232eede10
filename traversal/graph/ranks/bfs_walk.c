/* SPDX-License-Identifier: MIT */
/* Small levels of ranks that run on one host. An exchange for each of a thousand levels takes longer than the level,
 * and the vertices of a level lie mostly on one rank. So rank 0 walks: it runs a series of levels alone through the
 * rows, depths and parents of all ranks, which it has mapped, while the other ranks wait. Rank 0 measures whether walks
 * or levels of all ranks are faster, by the arcs of a level.
 *
 * No access is atomic, because all ranks meet before a walk and after it. */
#include <string.h>

#include "../../../lib/hetero/rank_graph.h"
#include "bfs_walk.h"

enum {
    many_levels = 16,    /* a search of so many levels may have many more */
    series_levels = 64,  /* levels between two decisions */
    min_levels = 8,      /* levels whose time counts */
    surely_walked = 512, /* arcs of a level that costs less than an exchange */
    arrays = 3           /* that rank 0 maps of each rank */
};

/* ---- opening ---- */

void gws__rank_bfs_begin_walks(struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_walk *walk = &search->memory->walk;
    uint64_t max[] = {search->memory->max_degree, walk->impossible, !walk->deep, walk->id, ~walk->id};
    gws_transport_max(search->graph->transport, max, 5);
    search->max_degree = max[0];
    search->walks = search->walks && !max[1];
    walk->deep = !max[2];
    if (max[3] != ~max[4]) walk->id = 0; /* some rank passes another result than in the last search */
}

static void unmap(struct gws__rank_bfs_memory *memory)
{
    struct gws__rank_bfs_walk *walk = &memory->walk;
    if (walk->is_mapped) gws__pages_unmap(walk->mapped, memory->ranks * (uint64_t)arrays);
    walk->is_mapped = false;
}

void gws__rank_bfs_close_walks(struct gws__rank_bfs_memory *memory)
{
    struct gws__rank_bfs_walk *walk = &memory->walk;
    unmap(memory);
    gws__pages_restore(&walk->pages);
    gws_release(memory->runtime, walk->mapped, memory->ranks * (uint64_t)arrays, sizeof *walk->mapped);
    gws_release(memory->runtime, walk->part, memory->ranks, sizeof *walk->part);
    gws_release(memory->runtime, walk->entry, gws__rank_walk_max, sizeof *walk->entry);
    gws_release(memory->runtime, walk->claim, gws__rank_walk_claims, sizeof *walk->claim);
}

/* Moves this rank's arrays to where rank 0 can map them. */
static bool move_arrays(const struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    struct gws__pages *pages = &memory->walk.pages;
    if (!gws__rank_graph_move_rows(search->graph)) return false;
    if (pages->opened) return pages->complete;
    return gws__pages_are_whole(memory->shared.count, memory->shared_bytes) &&
           gws__pages_move(pages, gws_runtime_allocator(search->runtime), memory->shared.count, memory->shared_bytes);
}

static bool allocate(struct gws__rank_bfs_memory *memory)
{
    struct gws__rank_bfs_walk *walk = &memory->walk;
    if (!walk->mapped)
        walk->mapped = gws_allocate(memory->runtime, memory->ranks * (uint64_t)arrays, sizeof *walk->mapped);
    if (!walk->part) walk->part = gws_allocate(memory->runtime, memory->ranks, sizeof *walk->part);
    if (!walk->entry) walk->entry = gws_allocate(memory->runtime, gws__rank_walk_max, sizeof *walk->entry);
    if (!walk->claim) walk->claim = gws_allocate(memory->runtime, gws__rank_walk_claims, sizeof *walk->claim);
    return walk->mapped && walk->part && walk->entry && walk->claim;
}

static void find_parts(struct gws__rank_bfs_memory *memory)
{
    const struct gws_rank_graph *graph = memory->graph;
    for (uint32_t r = 0; r < memory->ranks; r++) {
        const struct gws__mapped_pages *mapped = &memory->walk.mapped[r * arrays];
        struct gws__rank_walk_part *part = &memory->walk.part[r];
        gws__rank_bfs_lay_out(graph, r, mapped[2].memory, &part->shared);
        part->offset = mapped[0].memory;
        part->target = mapped[1].memory;
        part->depth = (uint32_t *)part->shared.depth;
        part->parent = (uint32_t *)part->shared.parent;
        part->first = r * graph->block;
        part->end = part->target + (part->target ? part->offset[gws__rank_bfs_rows(graph, r)] : 0);
    }
}

static bool open_walks(struct gws__rank_bfs *search)
{
    static _Atomic uint64_t opened;
    struct gws__rank_bfs_memory *memory = search->memory;
    struct gws__rank_bfs_walk *walk = &memory->walk;
    struct gws_transport *transport = search->graph->transport;
    const bool leads = gws_transport_rank(transport) == 0;
    unmap(memory);
    bool ready = memory->ranks <= gws__rank_walk_ranks && move_arrays(search) && (!leads || allocate(memory));
    ready = gws__ranks_all(transport, ready);
    const struct gws__pages pages[arrays] = {search->graph->shared->offset, search->graph->shared->target, walk->pages};
    ready = ready && gws__pages_map(transport, pages, arrays, walk->mapped);
    walk->is_mapped = ready && leads;
    walk->impossible = !ready;
    if (!ready) return false;
    if (leads) find_parts(memory);
    /* relaxed: the numbers only differ. */
    walk->id = leads ? atomic_fetch_add_explicit(&opened, 1, memory_order_relaxed) + 1 : 0;
    gws_transport_max(transport, &walk->id, 1);
    return true;
}

/* ---- a walk ---- */

/* Takes over the frontier and the reached vertices of all ranks. */
static void enter(struct gws__rank_walk *walk)
{
    const struct gws__rank_bfs_memory *memory = walk->search->memory;
    for (uint32_t r = 0; r < memory->ranks; r++) {
        const struct gws__rank_walk_part *part = &walk->part[r];
        const uint64_t word = part->first / 64, *known = (const uint64_t *)part->shared.known;
        const uint32_t *list = part->shared.list[*part->shared.which];
        if (r > 0 && memory->gathered[r] > 0)
            memcpy(walk->known + word, known + word, memory->gathered[r] * sizeof *known);
        for (uint64_t i = 0; i < *part->shared.count; i++)
            walk->claim[walk->claims++] = (struct gws__pair){(uint32_t)(part->first + list[i]), part->parent[list[i]]};
    }
    memcpy(walk->reached, walk->known, memory->words * sizeof *walk->known);
    gws__rank_walk_commit(walk); /* writes depths and parents that are there */
}

/* Gives the frontier, and if there is one, the reached vertices, to the ranks. */
static void publish(const struct gws__rank_walk *walk)
{
    const struct gws__rank_bfs_memory *memory = walk->search->memory;
    for (uint32_t r = 0; r < memory->ranks; r++) {
        const struct gws__rank_bfs_shared *shared = &walk->part[r].shared;
        *shared->count = *shared->arcs = 0;
        if (r > 0 && walk->count > 0)
            memcpy((uint64_t *)shared->known, walk->known, memory->words * sizeof *walk->known);
    }
    for (uint64_t i = 0; i < walk->count; i++) {
        const struct gws__rank_walk_entry *entry = &walk->entry[i];
        const struct gws__rank_walk_part *part = gws__rank_walk_part_of(walk, entry->vertex);
        const struct gws__rank_bfs_shared *shared = &part->shared;
        shared->list[0][(*shared->count)++] = (uint32_t)(entry->vertex - part->first);
        *shared->arcs += entry->degree;
    }
}

/* ---- series ---- */

static const struct gws__autotune_rule rule = {.alternatives = 2, .hold = 2, .warm_up = 1, .retry = 32, .weight = 0.25};

/* Decides whether the next series is a walk, and begins to measure it. Of rank 0. */
static bool choose(struct gws__rank_bfs *search, uint64_t arcs)
{
    search->work = arcs > surely_walked ? arcs : 0;
    search->began_ms = gws_clock_ms();
    return search->work == 0 || gws__autotune_choose(&search->memory->walk.tune, &rule, arcs, 1) == 1;
}

/* Ends the measurement of a series that ran so many levels, and arcs. */
static void measure(const struct gws__rank_bfs *search, uint32_t alternative, uint32_t levels, uint64_t arcs)
{
    if (search->work == 0 || levels < min_levels || arcs == 0) return;
    gws__autotune_add(&search->memory->walk.tune, &rule, alternative, search->work,
                      (gws_clock_ms() - search->began_ms) * 1e6 * (double)search->work / (double)arcs);
}

static bool is_small(uint64_t size, uint64_t arcs)
{
    return size > 0 && size <= gws__rank_walk_max && arcs <= gws__rank_walk_max;
}

/* Returns whether the level is rank 0's to run. reached_arcs: of the levels before the walk. */
static bool goes_on(const struct gws__rank_walk *walk, uint64_t reached_arcs)
{
    const struct gws__rank_bfs *search = walk->search;
    const uint64_t unexplored = walk->graph->arcs - reached_arcs - walk->passed;
    return is_small(walk->count, walk->arcs) &&
           !(search->may_pull && gws__rank_bfs_leads_to_pull(search, walk->count, walk->arcs, unexplored));
}

/* Walks until rank 0 chooses levels of all ranks, or they are to run the next level. Sets the search's level, work and
 * bounds. Returns the arcs of the levels. */
static uint64_t run_walk(struct gws__rank_bfs *search, uint64_t reached_arcs)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    struct gws__rank_walk walk = {.search = search, .graph = search->graph, .part = memory->walk.part};
    walk.inverse = gws__rank_walk_inverse(search->graph);
    walk.known = (uint64_t *)memory->shared.known;
    walk.reached = memory->front;
    walk.entry = memory->walk.entry;
    walk.claim = memory->walk.claim;
    bool chosen = true;
    enter(&walk);
    while (chosen && goes_on(&walk, reached_arcs) && !gws_cancelled(search->runtime)) {
        const uint64_t passed = walk.passed;
        const uint32_t first = search->level;
        do gws__rank_walk_level(&walk);
        while (search->level - first < series_levels && goes_on(&walk, reached_arcs));
        measure(search, 1, search->level - first, walk.passed - passed);
        chosen = choose(search, walk.arcs);
    }
    publish(&walk);
    if (walk.total > 0) search->levels = search->level;
    search->reached += walk.total;
    search->reached_arcs += walk.passed;
    search->max_size = walk.count;
    search->max_arcs = walk.arcs;
    if (chosen) search->work = 0; /* not rank 0's choice */
    return walk.passed;
}

/* Takes over the frontier from rank 0. */
static gws_status end_walk(struct gws__rank_bfs *search)
{
    const struct gws__rank_bfs_shared *shared = &search->memory->shared;
    const bool leads = gws_transport_rank(search->graph->transport) == 0;
    if (gws_cancelled(search->runtime)) search->status = GWS_CANCELLED;
    uint64_t sum[] = {leads ? search->level : 0, leads ? search->max_size : 0, leads ? search->max_arcs : 0,
                      search->status != GWS_OK};
    gws_transport_sum(search->graph->transport, sum, 4);
    if (sum[3] > 0) return gws_transport_agree(search->graph->transport, search->status);
    search->level = (uint32_t)sum[0];
    search->max_size = sum[1];
    search->max_arcs = sum[2];
    search->count = *shared->count;
    search->arcs = *shared->arcs;
    search->frontier = shared->list[0];
    search->output = shared->list[1];
    return GWS_OK;
}

static bool is_due(const struct gws__rank_bfs *search)
{
    return !search->pulling && search->level >= search->until && is_small(search->max_size, search->max_arcs) &&
           (search->memory->walk.deep || search->level >= many_levels);
}

gws_status gws__rank_bfs_walk(struct gws__rank_bfs *search)
{
    struct gws__rank_bfs_memory *memory = search->memory;
    struct gws_transport *transport = search->graph->transport;
    const bool leads = gws_transport_rank(transport) == 0;
    if (!is_due(search)) return GWS_OK;
    memory->walk.deep = true;
    if (memory->walk.id == 0) search->walks = open_walks(search);
    if (!search->walks) return GWS_OK;
    *memory->shared.count = search->count;
    *memory->shared.which = search->frontier == memory->shared.list[1];
    uint64_t sum[] = {search->arcs, search->reached_arcs};
    gws_transport_sum(transport, sum, 2);
    if (leads && search->level == search->until) measure(search, 0, series_levels, sum[1] - search->passed);
    uint64_t walks = leads && choose(search, sum[0]);
    gws_transport_max(transport, &walks, 1);
    search->passed = sum[1];
    const uint32_t first = search->level;
    if (walks && leads) search->passed += run_walk(search, sum[1]);
    const gws_status status = walks ? end_walk(search) : GWS_OK;
    search->walked += search->level - first;
    search->until = search->level + series_levels;
    return status;
}

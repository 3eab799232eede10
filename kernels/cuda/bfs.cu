/* SPDX-License-Identifier: MIT */
/* Breadth-first search of any graph, one launch for the whole traversal: every block stays from the first level to the last,
 * and each picks the same way of running the next level from the same numbers, so the host is not asked.
 *
 * A level is run bottom-up when its frontier times alpha is more than what is unvisited, or, for the first time, when its
 * arcs times beta are more than those not seen yet; otherwise top-down, and by one block alone, the others waiting in the
 * barrier, while it is small. Sources are searched one after the other.
 *
 * Memory beside the CSR: 20 bytes and 5 bits a vertex (likely, depth, parent, queue, level_size; alone, visited twice,
 * level_how), 16 bytes for each heavy arcs, 16 bytes a block and what is fixed. */
#include "bfs_ends.cuh"
#include "bfs_levels.cuh"
#include "bfs_prepare.cuh"

/* As the library gives it: traversal/graph/bfs/device/cuda.c. */
static constexpr u32 shared_bytes = 98432;
static constexpr u32 bfs_group = 1024; /* threads in a block, at most */

struct block_memory {
    alone_state alone;
    share_notes notes;
    u32 found;
    u32 pocket[bfs_group / 32][pocket_size]; /* for as many warps as there are */
};

static_assert(sizeof(block_memory) <= shared_bytes && sizeof(counters) <= 256 && sizeof(share_notes) == 48, "");

/* Is the level to be run from the unvisited vertices? */
inside bool goes_up(search *s, const wishes *w, u32 ups)
{
    u32 open = w->candidates > s->reached ? w->candidates - s->reached : 0;
    if (open == 0 || (w->h && w->h->rule->timed)) return false;
    return (u64)s->size * w->alpha > open || (ups == 0 && s->arcs * w->beta > s->unseen);
}

inside void run_levels(search *s, block_memory *mine, const wishes *w, summary *told)
{
    pocket its = {mine->pocket[warp_id()], 0};
    u32 ups = 0, alone = 0;
    bool queued = true, tried = false; /* tried: this frontier was too much for one block */
    bool written = false, handed = false; /* written: depth and parent of what is not reached */
    if (w->h && w->h->rule->resumes) {
        ups = w->h->rule->bottom_up;
        written = true; /* by who passed it on */
    }
    while (s->size > 0 && !handed) {
        if (goes_up(s, w, ups)) {
            s->arcs_wanted = 0;
            level_up(s, &its, w, &mine->found, !written);
            ups++;
            written = true;
            queued = tried = false;
            continue;
        }
        if (!queued) bitmap_to_queue(s, &its);
        queued = true;
        s->unseen -= min(s->arcs, s->unseen);
        if (w->alone && !tried && s->size <= alone_room) {
            alone += levels_alone(s, &mine->alone, w->h);
            tried = true;
            handed = w->h && fresh(&s->count->handed);
        } else {
            level_down(s, &its, w);
            tried = false;
        }
    }
    if (!written) write_unreached(s);
    if (handed) hand_over(s, w->h, ups);
    if (blockIdx.x == 0 && threadIdx.x == 0) *told = {s->level, s->reached, ups, alone};
}

/* sources: searches of them; result i (depth, parent, level_size) lies stride words after result i - 1 (level_how: two
 * words for 32 of those). visited: two
 * bitmaps, one after the other. busy: NULL, or two words a block and 64 more. stats: a struct share_notes a block. flags: 1 steal, 2 small levels by one block. */
#define BFS_PARAMETERS                                                                                                 \
    u64 vertices, const u64 *out_offset, const u32 *out_target, const u64 *in_offset, const u32 *in_target,            \
        const u32 *likely, const u32 *alone, u32 *visited, u32 *depth, u32 *parent, u32 *queue, void *segments,        \
        u32 *level_size, u32 *level_how, void *count, u32 *cursors, u64 *busy, void *stats, const u32 *sources, u32 searches,        \
        u64 stride, void *told, u32 heavy, u32 alpha, u32 beta, u32 flags

inside void run_searches(BFS_PARAMETERS, const hand *h)
{
    extern __shared__ u64 shared[];
    block_memory *mine = (block_memory *)shared;
    counters *c = (counters *)count;
    search s = {vertices, {out_offset, out_target}, {in_offset, in_target}, likely, alone};
    wishes w = {alpha, beta, c->candidates, (flags & 1) != 0, (flags & 2) != 0, busy, h};
    u64 start = ticks();
    if (threadIdx.x == 0) {
        mine->found = 0;
        mine->notes = {0, 0, 0, 0, 0, 0};
        if (h && h->rule->resumes) mine->notes = ((share_notes *)stats)[blockIdx.x];
    }
    s.notes = &mine->notes;
    if (busy && threadIdx.x == 0) busy[2 * blockIdx.x] = 0;
    s.visited = visited;
    s.next = visited + (vertices + 31) / 32;
    s.queue = queue;
    s.segments = (segment *)segments;
    s.count = c;
    s.cursors = cursors;
    s.heavy = heavy;
    barrier_open(&s.all, &c->arrived);
    for (u32 i = 0; i < searches; i++) {
        s.depth = depth + i * stride;
        s.parent = parent + i * stride;
        s.level_size = level_size + i * stride;
        s.level_how = level_how + i * ((stride + 31) / 32 * 2);
        if (h && h->rule->resumes)
            resume(&s, &w, sources[i]);
        else
            begin(&s, &w, sources[i]);
        run_levels(&s, mine, &w, (summary *)told + i);
        barrier_wait(&s.all); /* the bitmaps are read no more */
    }
    if (busy && threadIdx.x == 0) busy[2 * blockIdx.x + 1] = clock64() - start;
    if (threadIdx.x == 0) ((share_notes *)stats)[blockIdx.x] = mine->notes;
}

extern "C" __global__ void __launch_bounds__(bfs_group, 1) bfs_search(BFS_PARAMETERS)
{
    run_searches(vertices, out_offset, out_target, in_offset, in_target, likely, alone, visited, depth, parent, queue,
                 segments, level_size, level_how, count, cursors, busy, stats, sources, searches, stride, told, heavy, alpha, beta, flags,
                 nullptr);
}

/* One search, which may be passed on to the host and comes back by another launch. state, list (GWS_HAND_ROOM entries) and
 * at_host (a bit a vertex) are in memory of both; the host clears state before. */
extern "C" __global__ void __launch_bounds__(bfs_group, 1)
    bfs_search_handed(BFS_PARAMETERS, const __grid_constant__ gws__hand_rule rule, void *state, void *list, u32 *at_host)
{
    hand h = {&rule, (gws__hand_state *)state, (uint2 *)list, at_host};
    if (grid_thread() == 0) hand_clock(&h, 0);
    run_searches(vertices, out_offset, out_target, in_offset, in_target, likely, alone, visited, depth, parent, queue,
                 segments, level_size, level_how, count, cursors, busy, stats, sources, searches, stride, told, heavy, alpha, beta, flags,
                 &h);
    if (grid_thread() == 0) hand_clock(&h, 3);
}

/* SPDX-License-Identifier: MIT */
/* The state of a breadth-first search by the whole grid, and what its steps share.
 *
 * There are two bitmaps: top-down claims bits in visited; bottom-up reads visited, which stands still, and writes
 * next, and the two change places. Since a level is run whole, a visited neighbour of an unvisited vertex is in the frontier:
 * visited serves as frontier, too. A vertex without any arcs counts as visited from the start (alone), so that
 * nobody looks at it.
 *
 * queue holds the vertices found top-down, level after level: each vertex enters it once, so one as long as the graph
 * has vertices cannot overflow. Depth and parent of what is not reached are written by the first bottom-up level,
 * or at the end: there is no pass before the search.
 *
 * Rows of heavy arcs or more are cut into segments of that many, which the whole grid shares after the level's others: at
 * most arcs / heavy whole ones and as many last ones. */
#ifndef GWS_KERNELS_CUDA_BFS_WORDS_CUH
#define GWS_KERNELS_CUDA_BFS_WORDS_CUH

#include "grid.cuh"
#include "hand.cuh"

static constexpr u32 none = 0xffffffffu;
static constexpr u32 pocket_size = 512; /* vertices that a warp keeps before it writes them out */

struct segment {
    u32 vertex, number;
};

/* In global memory; zero before the first launch. */
struct counters {
    u64 arrived;  /* the barrier's */
    u32 found[4]; /* vertices found in step % 4 */
    u32 segments[4];
    u64 arcs[4]; /* of found vertices' rows, of some of them: see arcs_wanted */
    u64 alone_arcs;
    u32 level, base, size, reached; /* what a block that ran levels alone hands back */
    u32 handed;                     /* ... and that the search is to go on at the host */
    u32 candidates;                 /* vertices that something leads to: bfs_prepare() counts them */
};

/* What the search tells: in global memory. */
struct summary {
    u32 levels, reached, bottom_up, alone; /* alone: levels that one block ran */
};

struct csr {
    const u64 *offset;
    const u32 *target;
};

struct search {
    u64 vertices;
    csr out, in;
    const u32 *likely; /* of each vertex the neighbour most likely to be reached early; none: it has none */
    const u32 *alone;
    u32 *visited, *next;
    u32 *depth, *parent, *queue;
    segment *segments;
    u32 *level_size;
    u32 *level_how; /* how it was run, two bits a level */
    counters *count;
    u32 *cursors; /* two a block */
    share_notes *notes;
    u32 heavy, source;
    u32 level, base, size, reached; /* the frontier is queue[base] .. queue[base + size - 1] */
    u32 tail;                       /* what is found goes to queue[tail] onwards */
    u64 arcs, unseen; /* the frontier's, as far as counted; those of rows that no level started from */
    u32 arcs_wanted; /* the arcs of about so many vertices of the next frontier are to be counted, those found first */
    u32 step;
    barrier all;
};

/* How a search is to be run. */
struct wishes {
    u32 alpha, beta; /* 0 both: never bottom-up */
    u32 candidates; /* vertices that something leads to */
    bool steal, alone;
    u64 *busy; /* two a block: clock ticks in steps and in all; then when level % 64 began; NULL: not wanted */
    const hand *h; /* NULL: the search stays here */
};

enum how { run_down, run_up, run_by_one_block };

/* A warp's pocket: count is the same in all lanes. */
struct pocket {
    u32 *vertex;
    u32 count;
};

inside u32 counter_slot(u32 step)
{
    return step % 4;
}

/* One thread notes the level that is about to run. */
inside void note_how(const search *s, how way)
{
    u32 place = s->level % 16 * 2, *word = &s->level_how[s->level / 16];
    u32 before = place == 0 ? 0 : *word & ((1u << place) - 1);
    s->level_size[s->level] = s->size;
    *word = before | (u32)way << place;
}

/* ---- found vertices ---- */

/* Adds the arcs of what is in the pocket to the step's. */
inside void pocket_arcs(const pocket *mine, const search *s)
{
    u32 arcs = 0;
    for (u32 i = lane_id(); i < mine->count; i += 32) {
        u32 vertex = mine->vertex[i];
        u64 degree = s->out.offset[vertex + (u64)1] - s->out.offset[vertex];
        arcs += (u32)min(degree, 1ull << 22); /* so a pocket's sum fits */
    }
    arcs = warp_sum(arcs);
    if (lane_id() == 0) atomicAdd(&s->count->arcs[counter_slot(s->step)], (u64)arcs);
}

inside void pocket_empty(pocket *mine, const search *s)
{
    if (mine->count == 0) return;
    __syncwarp();
    u32 place = 0;
    if (lane_id() == 0) place = atomicAdd(&s->count->found[counter_slot(s->step)], mine->count);
    place = __shfl_sync(~0u, place, 0);
    if (place < s->arcs_wanted) pocket_arcs(mine, s);
    place += s->tail;
    for (u32 i = lane_id(); i < mine->count; i += 32) s->queue[place + i] = mine->vertex[i];
    mine->count = 0;
    __syncwarp();
}

/* Puts the vertices of the lanes that say so into the pocket. Whole warps only. */
inside void pocket_put(pocket *mine, bool mark, u32 vertex)
{
    u32 marks = __ballot_sync(~0u, mark);
    if (mark) mine->vertex[mine->count + __popc(marks & lanes_below())] = vertex;
    mine->count += __popc(marks);
}

inside void settle(const search *s, u32 vertex, u32 parent)
{
    s->depth[vertex] = s->level + 1;
    s->parent[vertex] = parent;
}

/* One thread puts a heavy row's segments down. */
inside void cut(const search *s, u32 vertex, u64 degree)
{
    u32 pieces = (u32)((degree + s->heavy - 1) / s->heavy);
    u32 place = atomicAdd(&s->count->segments[counter_slot(s->step)], pieces);
    for (u32 i = 0; i < pieces; i++) s->segments[place + i] = {vertex, i};
}

inside range segment_arcs(const search *s, const csr *rows, segment piece)
{
    u64 begin = rows->offset[piece.vertex] + (u64)piece.number * s->heavy;
    return {begin, min(begin + s->heavy, rows->offset[piece.vertex + (u64)1])};
}

/* Adds a warp's count of found vertices to the block's, in shared memory. */
inside void tell_found(u32 *block_found, u32 found)
{
    found = warp_sum(found);
    if (lane_id() == 0 && found > 0) atomicAdd(block_found, found);
}

/* Ends a step: all blocks see what it wrote. The counters of the step after the next are cleared. */
inside void step_end(search *s)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        s->count->found[counter_slot(s->step + 2)] = 0;
        s->count->segments[counter_slot(s->step + 2)] = 0;
        s->count->arcs[counter_slot(s->step + 2)] = 0;
    }
    share_prepare(s->cursors, s->step);
    barrier_wait(&s->all);
    s->step++;
}

#endif

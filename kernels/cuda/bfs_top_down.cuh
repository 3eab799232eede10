/* SPDX-License-Identifier: MIT */
/* A level from the frontier outwards: heavy rows are cut into segments for the whole grid, long ones are read by a warp,
 * and of short ones a warp reads 32 at a time, their arcs side by side (after Merrill, Garland, Grimshaw, PPoPP'12). */
#ifndef GWS_KERNELS_CUDA_BFS_TOP_DOWN_CUH
#define GWS_KERNELS_CUDA_BFS_TOP_DOWN_CUH

#include "bfs_words.cuh"

static constexpr u32 batch = 4; /* arcs that a lane has under way at once */
static constexpr u32 long_row = 64;

/* Claims up to batch targets a lane (none: nothing) for their parents. A stale word only costs an atomic more. */
inside void claim(const search *s, pocket *mine, const u32 *target, const u32 *parent)
{
    u32 *visited = s->visited;
    u32 word[batch], before[batch];
    bool won[batch];
#pragma unroll
    for (u32 i = 0; i < batch; i++) word[i] = target[i] == none ? none : __ldca(&visited[target[i] / 32]);
#pragma unroll
    for (u32 i = 0; i < batch; i++) {
        u32 bit = 1u << target[i] % 32;
        before[i] = none;
        if (!(word[i] & bit)) before[i] = atomicOr(&visited[target[i] / 32], bit);
    }
#pragma unroll
    for (u32 i = 0; i < batch; i++) {
        won[i] = !(before[i] >> target[i] % 32 & 1);
        if (won[i]) settle(s, target[i], parent[i]);
        pocket_put(mine, won[i], target[i]);
    }
    if (mine->count > pocket_size - 32 * batch) pocket_empty(mine, s);
}

/* The warp reads one row, or a part of it. */
inside void expand_row(const search *s, pocket *mine, u32 vertex, range arcs)
{
    for (u64 at = arcs.begin; at < arcs.end; at += 32 * batch) {
        u32 target[batch], parent[batch];
#pragma unroll
        for (u32 i = 0; i < batch; i++) {
            u64 arc = at + 32 * i + lane_id();
            target[i] = arc < arcs.end ? __ldg(&s->out.target[arc]) : none;
            parent[i] = vertex;
        }
        claim(s, mine, target, parent);
    }
}

/* The lane whose arcs hold number at, of 32 lanes' arcs in a row; before: how many come before each lane's. */
inside u32 lane_of(u32 before, u32 at)
{
    u32 lane = 0;
#pragma unroll
    for (u32 step = 16; step > 0; step /= 2) lane += __shfl_sync(~0u, before, lane + step) <= at ? step : 0;
    return lane;
}

/* Every lane has a row of degree arcs, shorter than long_row; together they are read as one. */
inside void expand_short(const search *s, pocket *mine, u32 vertex, u64 begin, u32 degree)
{
    u32 upto = degree;
#pragma unroll
    for (u32 step = 1; step < 32; step *= 2) {
        u32 other = __shfl_up_sync(~0u, upto, step);
        upto += lane_id() >= step ? other : 0;
    }
    u32 before = upto - degree, total = __shfl_sync(~0u, upto, 31);
    for (u32 at = 0; at < total; at += 32 * batch) {
        u32 target[batch], parent[batch];
#pragma unroll
        for (u32 i = 0; i < batch; i++) {
            u32 number = at + 32 * i + lane_id(), lane = lane_of(before, number);
            u64 arc = __shfl_sync(~0u, begin, lane) + number - __shfl_sync(~0u, before, lane);
            parent[i] = __shfl_sync(~0u, vertex, lane);
            target[i] = number < total ? __ldg(&s->out.target[arc]) : none;
        }
        claim(s, mine, target, parent);
    }
}

/* Up to 32 vertices of the frontier, one a lane. */
inside void expand(const search *s, pocket *mine, range at)
{
    bool mine_too = at.begin + lane_id() < at.end;
    u32 vertex = mine_too ? s->queue[s->base + at.begin + lane_id()] : none;
    u64 begin = mine_too ? s->out.offset[vertex] : 0, end = mine_too ? s->out.offset[vertex + (u64)1] : 0;
    if (end - begin >= s->heavy) {
        cut(s, vertex, end - begin);
        end = begin;
    }
    for (u32 rows = __ballot_sync(~0u, end - begin >= long_row); rows; rows &= rows - 1) {
        u32 lane = __ffs(rows) - 1;
        range arcs = {__shfl_sync(~0u, begin, lane), __shfl_sync(~0u, end, lane)};
        expand_row(s, mine, __shfl_sync(~0u, vertex, lane), arcs);
    }
    expand_short(s, mine, vertex, begin, end - begin < long_row ? (u32)(end - begin) : 0);
}

/* The level's frontier; heavy rows are left to top_down_segments(). */
inside void top_down(const search *s, pocket *mine, bool steal)
{
    share work = share_open(s->cursors, s->notes, s->step, s->size, 32, 1, steal);
    for (range at = {0, 0}; share_take(&work, &at);) expand(s, mine, at);
    pocket_empty(mine, s);
}

inside void top_down_segments(const search *s, pocket *mine, u32 segments, bool steal)
{
    share work = share_open(s->cursors, s->notes, s->step, segments, 4, 0, steal);
    for (range at = {0, 0}; share_take(&work, &at);)
        for (u64 i = at.begin; i < at.end; i++) {
            segment piece = s->segments[i];
            expand_row(s, mine, piece.vertex, segment_arcs(s, &s->out, piece));
        }
    pocket_empty(mine, s);
}

#endif

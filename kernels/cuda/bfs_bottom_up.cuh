/* SPDX-License-Identifier: MIT */
/* A level from the other side (Beamer, Asanovic, Patterson, SC'12): every unvisited vertex looks for a neighbour in the
 * frontier. A warp reads a word of the bitmap, 32 vertices. First each asks for its likely neighbour, the one of highest
 * degree, which is nearly always right on a skewed graph and reads memory in order; those that have to read their row are
 * put into the warp's pocket and run 32 at once. Long rows are left to the whole warp, heavy ones to the whole grid. */
#ifndef GWS_KERNELS_CUDA_BFS_BOTTOM_UP_CUH
#define GWS_KERNELS_CUDA_BFS_BOTTOM_UP_CUH

#include "bfs_words.cuh"

static constexpr u32 words_at_once = 4;
static constexpr u32 lane_reads = 32; /* arcs that a lane reads alone */

inside bool is_visited(const search *s, u32 vertex)
{
    return s->visited[vertex / 32] >> vertex % 32 & 1;
}

inside void find(const search *s, u32 vertex, u32 parent)
{
    atomicOr(&s->next[vertex / 32], 1u << vertex % 32);
    settle(s, vertex, parent);
}

/* The lane looks through its row, at most lane_reads arcs of it; returns the parent, or none. */
inside u32 look_alone(const search *s, u64 begin, u64 end)
{
    u32 parent = none;
    end = min(end, begin + lane_reads);
    for (; begin < end && parent == none; begin += 4) {
        u32 other[4];
        bool hit[4];
#pragma unroll
        for (u32 i = 0; i < 4; i++) other[i] = begin + i < end ? __ldg(&s->in.target[begin + i]) : none;
#pragma unroll
        for (u32 i = 0; i < 4; i++) hit[i] = other[i] != none && is_visited(s, other[i]);
#pragma unroll
        for (u32 i = 4; i-- > 0;) parent = hit[i] ? other[i] : parent;
    }
    return parent;
}

/* The warp looks through the arcs; returns the parent in all lanes, or none. */
inside u32 look_together(const search *s, range arcs)
{
    for (u64 at = arcs.begin; at < arcs.end; at += 32) {
        u32 other = at + lane_id() < arcs.end ? __ldg(&s->in.target[at + lane_id()]) : none;
        u32 hits = __ballot_sync(~0u, other != none && is_visited(s, other));
        if (hits) return __shfl_sync(~0u, other, __ffs(hits) - 1);
    }
    return none;
}

/* Takes up to 32 vertices out of the pocket and looks through their rows; returns how many the lane found. */
inside u32 look_through(const search *s, pocket *mine)
{
    u32 count = min(mine->count, 32u), found = 0;
    __syncwarp();
    bool has = lane_id() < count;
    u32 vertex = has ? mine->vertex[mine->count - count + lane_id()] : none;
    u64 begin = has ? s->in.offset[vertex] : 0, end = has ? s->in.offset[vertex + (u64)1] : 0;
    __syncwarp();
    mine->count -= count;
    if (end - begin >= s->heavy) {
        cut(s, vertex, end - begin);
        end = begin;
    }
    u32 parent = look_alone(s, begin, end);
    for (u32 rest = __ballot_sync(~0u, parent == none && end - begin > lane_reads); rest; rest &= rest - 1) {
        u32 lane = __ffs(rest) - 1;
        range arcs = {__shfl_sync(~0u, begin, lane) + lane_reads, __shfl_sync(~0u, end, lane)};
        u32 other = look_together(s, arcs);
        if (lane_id() == lane) parent = other;
    }
    if (parent != none) {
        find(s, vertex, parent);
        found = 1;
    }
    return found;
}

/* What the lane does with its vertex of a word. fresh: of the word's unvisited vertices, nothing is written yet. */
inside u32 ask_likely(const search *s, pocket *mine, u32 word_at, u32 word, bool unwritten, u32 alone)
{
    u32 vertex = word_at * 32 + lane_id();
    bool open = !(word >> lane_id() & 1) && vertex < s->vertices;
    u32 likely = open ? __ldg(&s->likely[vertex]) : none;
    bool hit = likely != none && is_visited(s, likely);
    if (hit) {
        settle(s, vertex, likely);
    } else if (unwritten && vertex < s->vertices && (open || (alone >> lane_id() & 1)) && vertex != s->source) {
        s->depth[vertex] = none;
        s->parent[vertex] = none;
    }
    pocket_put(mine, likely != none && !hit, vertex);
    return __ballot_sync(~0u, hit);
}

/* 32 words, one a lane (count of them): those that are not full are gone through, words_at_once of them together. */
inside u32 bottom_up_words(const search *s, pocket *mine, range at, bool unwritten)
{
    u64 place = at.begin + lane_id();
    u32 word = place < at.end ? s->visited[place] : none;
    u32 alone = unwritten && place < at.end ? __ldg(&s->alone[place]) : 0, found = 0;
    if (place < at.end) s->next[place] = word;
    __syncwarp(); /* the copy is there before bits are added to it */
    for (u32 open = __ballot_sync(~0u, word != none || alone); open;) {
        u32 hits[words_at_once], lane[words_at_once];
#pragma unroll
        for (u32 i = 0; i < words_at_once; i++, open &= open - 1) lane[i] = open ? __ffs(open) - 1 : 32;
#pragma unroll
        for (u32 i = 0; i < words_at_once; i++) {
            u32 its = __shfl_sync(~0u, word, lane[i] % 32), its_alone = __shfl_sync(~0u, alone, lane[i] % 32);
            hits[i] = lane[i] < 32 ? ask_likely(s, mine, (u32)at.begin + lane[i], its, unwritten, its_alone) : 0;
        }
#pragma unroll
        for (u32 i = 0; i < words_at_once; i++)
            if (lane_id() == lane[i] && hits[i]) {
                s->next[place] = word | hits[i];
                found += __popc(hits[i]);
            }
        __syncwarp();
        while (mine->count >= pocket_size - 32 * words_at_once) found += look_through(s, mine);
    }
    return found;
}

inside void bottom_up(const search *s, pocket *mine, bool unwritten, bool steal, u32 *block_found)
{
    share work = share_open(s->cursors, s->notes, s->step, (s->vertices + 31) / 32, 32, 32, steal);
    u32 found = 0;
    for (range at = {0, 0}; share_take(&work, &at);) found += bottom_up_words(s, mine, at, unwritten);
    while (mine->count > 0) found += look_through(s, mine);
    tell_found(block_found, found);
}

/* The heavy rows' segments. Who sets a vertex's bit first is its finder. */
inside void bottom_up_segments(const search *s, u32 segments, bool steal, u32 *block_found)
{
    share work = share_open(s->cursors, s->notes, s->step, segments, 4, 0, steal);
    u32 *next = s->next, found = 0;
    for (range at = {0, 0}; share_take(&work, &at);)
        for (u64 i = at.begin; i < at.end; i++) {
            segment piece = s->segments[i];
            u32 bit = 1u << piece.vertex % 32;
            if (fresh(&next[piece.vertex / 32]) & bit) continue;
            u32 parent = look_together(s, segment_arcs(s, &s->in, piece));
            if (parent == none || lane_id() != 0 || (atomicOr(&next[piece.vertex / 32], bit) & bit)) continue;
            settle(s, piece.vertex, parent);
            found++;
        }
    tell_found(block_found, found);
}

#endif

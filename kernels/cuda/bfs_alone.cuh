/* SPDX-License-Identifier: MIT */
/* Small frontiers, level after level by one block without the others: the frontier lies in shared memory, with the bounds
 * of its rows, fetched while a vertex is being claimed. So a level is a chain of two accesses to global memory, the target
 * and then the claim beside the bounds, and one barrier of the block.
 *
 * The queue is written as always: the others take over wherever this ends. */
#ifndef GWS_KERNELS_CUDA_BFS_ALONE_CUH
#define GWS_KERNELS_CUDA_BFS_ALONE_CUH

#include "bfs_words.cuh"

static constexpr u32 alone_room = 1024;      /* vertices of a frontier */
static constexpr u32 alone_arcs = 8192;      /* of all its rows together */
static constexpr u32 alone_row = 512;        /* of its longest row */

struct alone_frontier {
    u64 begin[alone_room];
    u32 vertex[alone_room], degree[alone_room];
    u64 arcs;
    u32 size, longest;
};

/* In shared memory. */
struct alone_state {
    alone_frontier of[2];
};

inside void alone_put(alone_frontier *into, u32 place, u32 vertex, u64 begin, u64 end)
{
    u32 degree = (u32)min(end - begin, (u64)none);
    atomicAdd(&into->arcs, end - begin);
    atomicMax(&into->longest, degree);
    if (place >= alone_room) return;
    into->begin[place] = begin;
    into->vertex[place] = vertex;
    into->degree[place] = degree;
}

inside void alone_clear(alone_frontier *which)
{
    if (threadIdx.x == 0) which->arcs = which->size = which->longest = 0;
}

inside bool alone_fits(const alone_frontier *from)
{
    return from->size > 0 && from->size <= alone_room && from->arcs <= alone_arcs && from->longest <= alone_row;
}

inside void alone_load(const search *s, alone_frontier *into)
{
    alone_clear(into);
    __syncthreads();
    for (u32 i = threadIdx.x; i < s->size; i += blockDim.x) {
        u32 vertex = fresh(&s->queue[s->base + i]);
        alone_put(into, i, vertex, s->out.offset[vertex], s->out.offset[vertex + (u64)1]);
    }
    if (threadIdx.x == 0) into->size = s->size;
    __syncthreads();
}

/* How many lanes share a row: a power of two near the mean degree, more where one row is far longer. */
inside u32 alone_team(const alone_frontier *from)
{
    u32 wanted = max((u32)from->arcs / from->size, from->longest / 8), team = 1;
    while (team < wanted && team < 32) team *= 2;
    return team;
}

inside void alone_visit(const search *s, alone_frontier *into, u32 target, u32 parent)
{
    u64 begin = s->out.offset[target], end = s->out.offset[target + (u64)1]; /* beside the claim, not after it */
    u32 bit = 1u << target % 32;
    if (atomicOr(&s->visited[target / 32], bit) & bit) return;
    u32 place = atomicAdd(&into->size, 1);
    settle(s, target, parent);
    s->queue[s->tail + place] = target;
    alone_put(into, place, target, begin, end);
}

inside void alone_level(const search *s, const alone_frontier *from, alone_frontier *into)
{
    u32 team = alone_team(from);
    for (u32 i = threadIdx.x / team; i < from->size; i += blockDim.x / team)
        for (u32 arc = threadIdx.x % team; arc < from->degree[i]; arc += team)
            alone_visit(s, into, __ldg(&s->out.target[from->begin[i] + arc]), from->vertex[i]);
}

/* Run by one block; returns how many levels it ran. The search then stands at the first frontier that does not fit, or
 * that the host should run (h; NULL: none). */
inside u32 run_alone(search *s, alone_state *state, const hand *h)
{
    u32 from = 0, levels = 0;
    float lost = 0;
    bool due = false;
    alone_load(s, &state->of[from]);
    while (alone_fits(&state->of[from])) {
        if (h) due = hand_due(h, &lost, levels, state->of[from].size, (u32)state->of[from].arcs);
        if (due || (h && h->rule->timed && levels > 0)) break;
        if (h && threadIdx.x == 0) hand_clock(h, 1);
        alone_clear(&state->of[1 - from]);
        if (threadIdx.x == 0) {
            note_how(s, run_by_one_block);
            s->notes->given += s->size;
            s->notes->ran += s->size;
        }
        __syncthreads();
        alone_level(s, &state->of[from], &state->of[1 - from]);
        __syncthreads();
        if (h && threadIdx.x == 0) hand_clock(h, 2);
        from = 1 - from;
        s->base = s->tail;
        s->size = state->of[from].size;
        s->tail += s->size;
        s->reached += s->size;
        s->level++;
        levels++;
    }
    if (threadIdx.x == 0) s->count->alone_arcs = state->of[from].arcs;
    if (h && threadIdx.x == 0) s->count->handed = due || (h->rule->timed && levels > 0);
    return levels;
}

#endif

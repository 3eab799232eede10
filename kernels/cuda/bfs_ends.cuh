/* SPDX-License-Identifier: MIT */
/* Both ends of a search: it begins at its source, or where the host stopped; and it leaves what was not reached as such, or
 * leaves the host what that needs to go on. */
#ifndef GWS_KERNELS_CUDA_BFS_ENDS_CUH
#define GWS_KERNELS_CUDA_BFS_ENDS_CUH

#include "bfs_words.cuh"

inside u64 grid_thread()
{
    return (u64)blockIdx.x * blockDim.x + threadIdx.x;
}

inside u64 grid_threads()
{
    return (u64)gridDim.x * blockDim.x;
}

/* ---- the beginning ---- */

inside void begin_counting(search *s)
{
    if (threadIdx.x == 0) s->cursors[blockIdx.x] = s->cursors[gridDim.x + blockIdx.x] = 0;
    if (blockIdx.x == 0 && threadIdx.x < 4) {
        s->count->found[threadIdx.x] = s->count->segments[threadIdx.x] = 0;
        s->count->arcs[threadIdx.x] = 0;
    }
    if (threadIdx.x == 0) s->notes->dry = 0;
    s->base = s->step = 0;
}

/* Nothing is visited but the source and what nothing leads to. */
inside void begin(search *s, const wishes *w, u32 source)
{
    u64 words = (s->vertices + 31) / 32;
    for (u64 i = grid_thread(); i < words; i += grid_threads())
        s->visited[i] = s->alone[i] | (i == source / 32 ? 1u << source % 32 : 0);
    begin_counting(s);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        s->depth[source] = 0;
        s->parent[source] = s->queue[0] = source;
    }
    s->source = source;
    s->arcs_wanted = w->beta > 0 ? w->candidates / 32 + 1 : 0;
    s->arcs = s->out.offset[source + (u64)1] - s->out.offset[source];
    s->unseen = s->out.offset[s->vertices];
    s->level = 0;
    s->size = s->reached = s->tail = 1;
    barrier_wait(&s->all);
}

/* Goes on where the host stopped. Depth and parent of what it found it has. */
inside void resume(search *s, const wishes *w, u32 source)
{
    const gws__hand_rule *rule = w->h->rule;
    u64 words = (s->vertices + 31) / 32;
    for (u64 i = grid_thread(); i < words; i += grid_threads()) s->visited[i] = w->h->visited[i];
    for (u64 i = grid_thread(); i < rule->size; i += grid_threads()) s->queue[i] = w->h->list[i].x;
    begin_counting(s);
    s->source = source;
    s->arcs_wanted = w->beta > 0 && rule->bottom_up == 0 ? w->candidates / 32 + 1 : 0;
    s->arcs = rule->arcs;
    s->unseen = rule->unseen;
    s->level = rule->level;
    s->size = s->tail = rule->size;
    s->reached = rule->reached;
    barrier_wait(&s->all);
}

/* ---- the end ---- */

/* Depth and parent of what was not reached. */
inside void write_unreached(const search *s)
{
    for (u64 v = grid_thread(); v < s->vertices; v += grid_threads()) {
        bool visited = s->visited[v / 32] >> v % 32 & 1 && !(s->alone[v / 32] >> v % 32 & 1);
        if (visited || v == s->source) continue;
        s->depth[v] = none;
        s->parent[v] = none;
    }
}

/* Not inlined: the levels need the registers. */
static __device__ __noinline__ void copy_words(u32 *to, const u32 *from, u64 words)
{
    for (u64 i = grid_thread(); i < words; i += grid_threads()) to[i] = fresh(&from[i]);
}

static __device__ __noinline__ void copy_frontier(uint2 *to, const u32 *from, u64 count)
{
    for (u64 i = grid_thread(); i < count; i += grid_threads()) to[i] = make_uint2(fresh(&from[i]), none);
}

/* Leaves the host what it needs to go on. All blocks have met since the last vertex was claimed. */
inside void hand_over(const search *s, const hand *h, u32 ups)
{
    copy_words(h->visited, s->visited, (s->vertices + 31) / 32);
    copy_frontier(h->list, s->queue + s->base, s->size);
    if (grid_thread() != 0) return;
    h->state->level = s->level;
    h->state->size = h->state->entries = s->size;
    h->state->reached = s->reached;
    h->state->bottom_up = ups;
    h->state->arcs = s->arcs;
    h->state->unseen = s->unseen;
    h->state->handed = 1;
}

#endif

/* SPDX-License-Identifier: MIT */
/* A level the one way or the other, from what it needs to the next frontier's numbers, which all blocks know when it is over;
 * and the frontier turned from a bitmap into a queue. */
#ifndef GWS_KERNELS_CUDA_BFS_LEVELS_CUH
#define GWS_KERNELS_CUDA_BFS_LEVELS_CUH

#include "bfs_alone.cuh"
#include "bfs_bottom_up.cuh"
#include "bfs_top_down.cuh"

inside void note_level(const search *s, const wishes *w, bool up)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    if (w->busy) w->busy[2 * gridDim.x + s->level % 64] = clock64();
    note_how(s, up ? run_up : run_down);
}

inside u64 ticks()
{
    return threadIdx.x == 0 ? clock64() : 0;
}

/* Adds the time since start to the block's busy time, once all its warps are here. */
inside void note_busy(const wishes *w, u64 start)
{
    if (!w->busy) return;
    __syncthreads();
    if (threadIdx.x == 0) w->busy[2 * blockIdx.x] += clock64() - start;
}

inside u32 found_in(const search *s, u32 step)
{
    return fresh(&s->count->found[counter_slot(step)]);
}

inside u32 segments_in(const search *s, u32 step)
{
    return fresh(&s->count->segments[counter_slot(step)]);
}

inside u64 arcs_in(const search *s, u32 step)
{
    return __ldcg(&s->count->arcs[counter_slot(step)]);
}

/* Adds what the block's warps found to the step's count. */
inside void bring_found(const search *s, u32 *block_found)
{
    __syncthreads();
    if (threadIdx.x != 0) return;
    if (*block_found > 0) atomicAdd(&s->count->found[counter_slot(s->step)], *block_found);
    *block_found = 0;
}

inside void next_level(search *s, u32 found)
{
    s->base += s->size;
    s->size = found;
    s->reached += found;
    s->level++;
}

inside void level_down(search *s, pocket *mine, const wishes *w)
{
    note_level(s, w, false);
    u64 start = ticks();
    top_down(s, mine, w->steal);
    note_busy(w, start);
    step_end(s);
    u32 found = found_in(s, s->step - 1), segments = segments_in(s, s->step - 1);
    s->arcs = arcs_in(s, s->step - 1);
    s->tail += found;
    if (segments > 0) {
        start = ticks();
        top_down_segments(s, mine, segments, w->steal);
        note_busy(w, start);
        step_end(s);
        u32 more = found_in(s, s->step - 1);
        s->arcs += arcs_in(s, s->step - 1);
        s->tail += more;
        found += more;
    }
    next_level(s, found);
}

inside void level_up(search *s, pocket *mine, const wishes *w, u32 *block_found, bool unwritten)
{
    note_level(s, w, true);
    u64 start = ticks();
    bottom_up(s, mine, unwritten, w->steal, block_found);
    note_busy(w, start);
    bring_found(s, block_found);
    step_end(s);
    u32 found = found_in(s, s->step - 1), segments = segments_in(s, s->step - 1);
    if (segments > 0) {
        start = ticks();
        bottom_up_segments(s, segments, w->steal, block_found);
        note_busy(w, start);
        bring_found(s, block_found);
        step_end(s);
        found += found_in(s, s->step - 1);
    }
    u32 *before = s->visited;
    s->visited = s->next;
    s->next = before;
    next_level(s, found);
}

/* After a level bottom-up the frontier is what one bitmap has more than the other; it becomes a queue. */
inside void bitmap_to_queue(search *s, pocket *mine)
{
    s->base = s->tail;
    share work = share_open(s->cursors, s->notes, s->step, (s->vertices + 31) / 32, 32, 0, false);
    for (range at = {0, 0}; share_take(&work, &at);) {
        u64 place = at.begin + lane_id();
        u32 word = place < at.end ? s->visited[place] & ~s->next[place] : 0;
        while (__any_sync(~0u, word)) {
            pocket_put(mine, word, (u32)place * 32 + (word ? __ffs(word) - 1 : 0));
            word &= word - 1;
            if (mine->count > pocket_size - 32) pocket_empty(mine, s);
        }
    }
    pocket_empty(mine, s);
    step_end(s);
    s->tail += s->size;
}

/* Block 0 runs small levels; all then know where it stopped. Returns how many it ran. */
inside u32 levels_alone(search *s, alone_state *state, const hand *h)
{
    u32 level = s->level;
    counters *c = s->count;
    if (blockIdx.x == 0) {
        run_alone(s, state, h);
        if (threadIdx.x == 0) {
            c->level = s->level;
            c->base = s->base;
            c->size = s->size;
            c->reached = s->reached;
        }
    }
    step_end(s);
    s->level = fresh(&c->level);
    s->base = fresh(&c->base);
    s->size = fresh(&c->size);
    s->reached = fresh(&c->reached);
    s->tail = s->base + s->size;
    s->arcs = __ldcg(&c->alone_arcs);
    return s->level - level;
}

#endif

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
#include "bfs_alone.cuh"
#include "bfs_bottom_up.cuh"
#include "bfs_prepare.cuh"
#include "bfs_top_down.cuh"

/* As the library gives it: traversal/graph/device/bfs_cuda.c. */
static constexpr u32 shared_bytes = 98432;
static constexpr u32 bfs_group = 1024; /* threads in a block, at most */

struct block_memory {
    alone_state alone;
    share_notes notes;
    u32 found;
    u32 pocket[bfs_group / 32][pocket_size]; /* for as many warps as there are */
};

static_assert(sizeof(block_memory) <= shared_bytes && sizeof(counters) <= 256 && sizeof(share_notes) == 48, "");

struct wishes {
    u32 alpha, beta; /* 0 both: never bottom-up */
    u32 candidates; /* vertices that something leads to */
    bool steal, alone;
    u64 *busy; /* two a block: clock ticks in steps and in all; then when level % 64 began; NULL: not wanted */
    const hand *h; /* NULL: the search stays here */
};

inside u64 grid_thread()
{
    return (u64)blockIdx.x * blockDim.x + threadIdx.x;
}

inside u64 grid_threads()
{
    return (u64)gridDim.x * blockDim.x;
}

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

/* SPDX-License-Identifier: MIT */
/* Breadth-first search of meshes; mesh_words.cuh says how. Each cluster runs a search of its own, so many sources are
 * searched side by side. */
#ifndef GWS_KERNELS_CUDA_BFS_MESH_CUH
#define GWS_KERNELS_CUDA_BFS_MESH_CUH

#include "mesh_carry.cuh"
#include "mesh_visit.cuh"

/* The level's rows that are in shared memory, four threads each; longest: the most that a block found. Returns how many
 * vertices they are of, summed up over the threads. */
template <u32 blocks, bool near, u32 how> inside u32 run_front(const mesh *m, u32 longest)
{
    u32 now = m->level % 2, rank = cluster_rank<blocks>(), ran = 0;
    const finds *of = m->count->of[now];
    u32 end = min((longest + blocks - 1) / blocks * blocks, m->room);
    for (u32 i = threadIdx.x / 4; i < end; i += blockDim.x / 4) {
        u32 at = now * m->room + i, word = ((const u32 *)m->front)[at * 4 + threadIdx.x % 4];
        u32 vertex = m->front_vertex[at];
        u32 number = i / blocks * blocks + rank; /* its finder's number of it */
        if (number >= of[i % blocks].rows) continue;
        if (word < more) visit<blocks, near, how>(m, word, vertex & ~more);
        ran += threadIdx.x % 4 == 0 && !(vertex & more);
    }
    return ran;
}

/* Those that did not fit there. */
template <u32 blocks, bool near, u32 how> inside void run_list(const mesh *m, u32 begin, u32 end)
{
    u32 thread = cluster_rank<blocks>() * blockDim.x + threadIdx.x;
    __threadfence(); /* pairs with that of tell() */
    for (u32 i = begin + thread / 4; i < end; i += blocks * blockDim.x / 4) {
        uint2 entry = __ldcg(&m->list[i]);
        u32 word = __ldg((const u32 *)row_at<how>(m, entry.y) + threadIdx.x % 4);
        if (word < more) visit<blocks, near, how>(m, word, entry.x);
    }
}

/* Tells the cluster's block that the thread stands for what this one found, and how many bytes it was sent. */
template <u32 blocks> inside void tell(const mesh *m, finds mine)
{
    u32 next = (m->level + 1) % 2, to = threadIdx.x, dealt = min(mine.rows, m->room);
    /* the list is in global memory: pairs with the fence of who reads it */
    if (mine.rows > m->room) __threadfence();
    u32 bell = remote(&m->count->bell[next], to);
    send(remote(&m->count->of[next][cluster_rank<blocks>()], to), mine.rows, mine.further, bell);
    bell_ring(bell, (dealt + blocks - 1 - to) / blocks * row_bytes + (u32)sizeof(finds));
}

/* Tells all blocks what this one found, and waits for theirs. */
template <u32 blocks> inside void level_end(mesh *m)
{
    __syncthreads();
    tally *count = m->count;
    u32 next = (m->level + 1) % 2;
    if (threadIdx.x < blocks) {
        finds mine = count->mine;
        __syncwarp((1u << blocks) - 1);
        if (threadIdx.x == 0) count->mine = {0, 0};
        __syncwarp((1u << blocks) - 1); /* the first of these threads that rings lets the block begin to count again */
        if (blocks == 1) count->of[next][0] = mine;
        else tell<blocks>(m, mine);
    }
    if (blocks == 1) __syncthreads();
    else bell_wait(&count->bell[next], m->rung >> next & 1);
    m->rung ^= 1u << next;
    m->level++;
}

/* One thread finds the source; or where the host stopped, all find its frontier, whose bits are not set yet. */
template <u32 blocks, bool near, u32 how> inside void begin(mesh *m, u32 source, const handoff *h, bool resumes)
{
    u32 rank = cluster_rank<blocks>();
    if (resumes) {
        cluster_barrier<blocks>(); /* a block has memory once it runs */
        move_visited<blocks, near, false>(m, h->visited);
    } else {
        clear_visited<blocks, near>(m);
    }
    if (threadIdx.x < most_blocks) m->count->of[0][threadIdx.x] = {0, 0};
    if (threadIdx.x == 0) m->count->mine = {0, 0};
    if (rank == 0 && threadIdx.x == 0) *m->list_end = 0;
    m->level = resumes ? h->rule->from.level - 1 : none; /* the frontier is found in the level before */
    m->listed = 0;
    if (!near) __threadfence();
    cluster_barrier<blocks>();
    if (!resumes && rank == 0 && threadIdx.x == 0) visit<blocks, near, how & ~rows_ahead>(m, source, source);
    for (u32 i = rank * blockDim.x + threadIdx.x; resumes && i < h->rule->from.size; i += blocks * blockDim.x)
        visit<blocks, near, how & ~rows_ahead>(m, h->list[i].x, h->list[i].y);
    level_end<blocks>(m);
}

/* Publishes what the host needs to go on. */
template <u32 blocks, bool near> inside void publish_frontier(const mesh *m, const handoff *h)
{
    u32 now = m->level % 2, rank = cluster_rank<blocks>();
    const finds *of = m->count->of[now];
    for (u32 i = threadIdx.x; i < m->room; i += blockDim.x) {
        u32 number = i / blocks * blocks + rank, place = number; /* its finder's number of it */
        if (number >= of[i % blocks].rows) continue;
        for (u32 block = 0; block < i % blocks; block++) place += of[block].rows;
        u32 vertex = m->front_vertex[now * m->room + i];
        h->list[place] = make_uint2(vertex & more ? none : vertex, none);
    }
    move_visited<blocks, near, true>(m, h->visited);
}

/* Depth and parent of what was not reached. */
template <u32 blocks, bool near> inside void write_unreached(const mesh *m)
{
    u32 words = (u32)((m->vertices + 31) / 32);
    for (u32 i = cluster_rank<blocks>() + threadIdx.x * blocks; i < words; i += blocks * blockDim.x) {
        u32 open = ~(near ? m->visited[i / blocks] : __ldcg(&m->visited[i]));
        for (; open; open &= open - 1) {
            u64 vertex = (u64)i * 32 + __ffs(open) - 1;
            if (vertex >= m->vertices) break;
            settle(m, (u32)vertex, none, none);
        }
    }
}

inside void note_handoff(gws__handoff_state *state, u32 level, u32 size, u32 rows, u32 reached)
{
    state->at.level = level;
    state->at.size = size;
    state->at.reached = reached;
    state->entries = rows;
    state->handed = 1;
}

/* What all blocks found for the level that begins; each warp adds it up for itself. */
struct level_sum {
    u32 rows, size, longest, listed; /* rows; vertices; the most rows of one block; rows on the list */
};

template <u32 blocks> inside level_sum sum_up(const mesh *m)
{
    u32 lane = threadIdx.x % 32;
    finds its = {0, 0};
    if (lane < blocks) its = m->count->of[m->level % 2][lane];
    level_sum sum = {warp_sum(its.rows), warp_sum(its.rows - its.further), warp_max(its.rows), 0};
    if (sum.longest > m->room) sum.listed = warp_sum(its.rows > m->room ? its.rows - m->room : 0);
    return sum;
}

/* Is the search handed off before the level that begins? */
inside bool is_due(const mesh *m, const handoff *h, level_sum now, u32 levels, float *lost)
{
    if (!h) return false;
    if (now.size > h->rule->wide) { /* most levels: nothing to reckon */
        *lost = 0;
        return false;
    }
    if (now.listed > 0 || now.rows > GWS_HANDOFF_CAPACITY / 4) return false;
    return handoff_due(h->rule, lost, levels, now.size, 0);
}

/* Returns how many vertices of its own frontier the thread ran. */
template <u32 blocks, bool near, u32 how>
inside u32 run_search(mesh *m, u32 source, u32 *level_size, mesh_summary *told, const handoff *h)
{
    bool speaks = cluster_rank<blocks>() == 0 && threadIdx.x == 0, resumes = h && h->rule->resumes;
    mesh_summary all = {0, 0, 0, 0};
    u32 ran = 0, levels = 0;
    float lost = 0;
    if (resumes) all.reached = h->rule->from.reached - h->rule->from.size;
    begin<blocks, near, how>(m, source, h, resumes);
    for (level_sum now = sum_up<blocks>(m); now.rows > 0; now = sum_up<blocks>(m)) {
        if (is_due(m, h, now, levels, &lost)) {
            publish_frontier<blocks, near>(m, h);
            if (speaks) note_handoff(h->state, m->level, now.size, now.rows, all.reached + now.size);
            break;
        }
        levels++;
        if (h && speaks) handoff_clock(h, 1);
        if (speaks) level_size[m->level] = now.size;
        all = {m->level + 1, all.reached + now.size, max(all.widest, now.size), all.listed + now.listed};
        ran += run_front<blocks, near, how>(m, now.longest);
        if (now.listed > 0) run_list<blocks, near, how>(m, m->listed, m->listed + now.listed);
        m->listed += now.listed;
        level_end<blocks>(m);
        if (h && speaks) handoff_clock(h, 2);
    }
    if (!resumes) write_unreached<blocks, near>(m);
    if (speaks) *told = all;
    cluster_barrier<blocks>(); /* the bitmap is read no more, and nobody leaves while others write to its memory */
    return ran;
}

/* row: the vertices' rows, then the further ones: rows in all. list: rows entries of two words a cluster. visited: NULL if it
 * fits into shared memory, otherwise (vertices + 31) / 32 words a cluster. list_end: a word a cluster. Result i lies
 * stride words after result i - 1. stats: of each block a word, cleared before: the vertices that it ran from its part of
 * the frontier, without those from the list. host_row, kept: see struct mesh. */
#define MESH_PARAMETERS                                                                                                \
    u64 vertices, u64 rows, const void *row, u32 *depth, u32 *parent, u32 *level_size, void *list, u32 *list_end,      \
        u32 *visited, const u32 *sources, u32 searches, u64 stride, void *told, u64 *stats, u32 room
#define MESH_ARGUMENTS                                                                                                 \
    vertices, rows, row, depth, parent, level_size, list, list_end, visited, sources, searches, stride, told, stats, room

template <u32 blocks, bool near, u32 how>
inside void run_searches(MESH_PARAMETERS, const void *host_row, u32 kept, const handoff *h, page_words pages = {})
{
    extern __shared__ uint4 shared[];
    u32 cluster = blockIdx.x / blocks, clusters = gridDim.x / blocks - (how & rows_paged ? pages.carriers : 0);
    mesh m = {vertices, rows, (const uint4 *)row};
    m.host_row = (const uint4 *)host_row;
    m.kept = kept;
    m.room = room;
    m.front = shared;
    m.front_vertex = (u32 *)(shared + 2 * room);
    m.count = (tally *)(m.front_vertex + 2 * room);
    m.pages = pages;
    if (how & rows_paged && pages.carriers > 0) {
        u32 number = carrier_number<blocks>(&pages);
        if (number != none) return carry<blocks>(&m, number, (u32 *)shared);
        cluster = 0;
    }
    u32 block = how & rows_paged ? cluster * blocks + cluster_rank<blocks>() : blockIdx.x;
    m.called = (u32 *)(m.count + 1);
    u32 *behind = m.called + (how & rows_paged ? 2 : 0);
    if (how & rows_paged && threadIdx.x < 2) m.called[threadIdx.x] = 0; /* the search begins with a barrier */
    m.visited = near ? behind : visited + cluster * ((vertices + 31) / 32);
    m.list = (uint2 *)list + cluster * rows;
    m.list_end = list_end + cluster;
    m.rung = 0;
    if (blocks > 1 && threadIdx.x < 2) bell_open(&m.count->bell[threadIdx.x], blocks);
    for (u32 i = cluster; i < searches; i += clusters) {
        m.depth = depth + i * stride;
        m.parent = parent + i * stride;
        u32 ran = run_search<blocks, near, how>(&m, sources[i], level_size + i * stride, (mesh_summary *)told + i, h);
        ran = warp_sum(ran);
        if (threadIdx.x % 32 == 0) atomicAdd(&stats[block], (u64)ran);
    }
    if (how & rows_paged && threadIdx.x == 0) {
        if (block == 0) write_eight(pages.done, 1);
        atomicAdd(pages.done + 2, (u64)m.called[1]);
    }
}

/* The same for one that may be handed off, timed. */
template <u32 blocks, bool near, u32 how> inside void run_handoff(MESH_PARAMETERS, const handoff *h)
{
    bool first = blockIdx.x == 0 && threadIdx.x == 0;
    if (first) handoff_clock(h, 0);
    run_searches<blocks, near, how>(MESH_ARGUMENTS, nullptr, 0, h);
    if (first) handoff_clock(h, 3);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Breadth-first search of meshes. mesh_words.cuh describes the method. Each cluster runs its own search. A launch thus
 * searches from many sources at the same time. */
#ifndef GWS_KERNELS_CUDA_BFS_MESH_CUH
#define GWS_KERNELS_CUDA_BFS_MESH_CUH

#include "mesh_prefetch.cuh"
#include "mesh_visit.cuh"

/* Processes the level's rows in shared memory, with four threads per row. longest: the maximum number of rows that a
 * block found. Returns the number of vertices whose first row the calling thread processed. */
template <u32 blocks, bool local_bitmap, u32 access> inside u32 run_frontier(const mesh *m, u32 longest)
{
    u32 now = m->level % 2, rank = cluster_rank<blocks>(), ran = 0;
    const found_rows *of = m->count->of[now];
    u32 end = min((longest + blocks - 1) / blocks * blocks, m->capacity);
    for (u32 i = threadIdx.x / 4; i < end; i += blockDim.x / 4) {
        u32 at = now * m->capacity + i, word = ((const u32 *)m->frontier)[at * 4 + threadIdx.x % 4];
        u32 vertex = m->frontier_vertex[at];
        u32 number = i / blocks * blocks + rank; /* the row's number in the block that found it */
        if (number >= of[i % blocks].rows) continue;
        if (word < top_bit) visit<blocks, local_bitmap, access>(m, word, vertex & ~top_bit);
        ran += threadIdx.x % 4 == 0 && !(vertex & top_bit);
    }
    return ran;
}

/* Processes the level's rows on the list. */
template <u32 blocks, bool local_bitmap, u32 access> inside void run_list(const mesh *m, u32 begin, u32 end)
{
    u32 thread = cluster_rank<blocks>() * blockDim.x + threadIdx.x;
    __threadfence(); /* pairs with the fence of publish_counts() */
    for (u32 i = begin + thread / 4; i < end; i += blocks * blockDim.x / 4) {
        uint2 entry = __ldcg(&m->list[i]);
        u32 word = __ldg((const u32 *)row_at<access>(m, entry.y) + threadIdx.x % 4);
        if (word < top_bit) visit<blocks, local_bitmap, access>(m, word, entry.x);
    }
}

/* Each thread publishes this block's counts to the block with the thread's number, and announces to that block the
 * number of bytes sent to it. */
template <u32 blocks> inside void publish_counts(const mesh *m, found_rows mine)
{
    u32 next = (m->level + 1) % 2, to = threadIdx.x, sent = min(mine.rows, m->capacity);
    /* publishes the list in global memory; pairs with the fence of run_list() */
    if (mine.rows > m->capacity) __threadfence();
    u32 mbarrier = remote(&m->count->mbarrier[next], to);
    send(remote(&m->count->of[next][cluster_rank<blocks>()], to), mine.rows, mine.further, mbarrier);
    mbarrier_arrive(mbarrier, (sent + blocks - 1 - to) / blocks * row_bytes + (u32)sizeof(found_rows));
}

/* Publishes this block's counts to all blocks, and waits for the counts of all blocks. */
template <u32 blocks> inside void level_end(mesh *m)
{
    __syncthreads();
    level_counts *count = m->count;
    u32 next = (m->level + 1) % 2;
    if (threadIdx.x < blocks) {
        found_rows mine = count->mine;
        __syncwarp((1u << blocks) - 1);
        if (threadIdx.x == 0) count->mine = {0, 0};
        __syncwarp((1u << blocks) - 1); /* thread 0 has reset the counts: once one of these threads arrives, the block
                                         * may count again */
        if (blocks == 1)
            count->of[next][0] = mine;
        else
            publish_counts<blocks>(m, mine);
    }
    if (blocks == 1)
        __syncthreads();
    else
        mbarrier_wait(&count->mbarrier[next], m->phase >> next & 1);
    m->phase ^= 1u << next;
    m->level++;
}

/* Starts the search: one thread visits the source. If the search resumes, all threads visit the vertices of the host's
 * frontier instead. The bits of these vertices are not set yet. */
template <u32 blocks, bool local_bitmap, u32 access>
inside void begin(mesh *m, u32 source, const mesh_handoff *h, bool resumes)
{
    u32 rank = cluster_rank<blocks>();
    if (resumes) {
        cluster_barrier<blocks>(); /* a block may access another block's shared memory only once that block runs */
        move_visited<blocks, local_bitmap, false>(m, h->visited);
    } else {
        clear_visited<blocks, local_bitmap>(m);
    }
    if (threadIdx.x < max_blocks) m->count->of[0][threadIdx.x] = {0, 0};
    if (threadIdx.x == 0) m->count->mine = {0, 0};
    if (rank == 0 && threadIdx.x == 0) *m->list_end = 0;
    m->level = resumes ? h->rule->from.level - 1 : none; /* the visits belong to the level before the frontier's */
    m->listed = 0;
    if (!local_bitmap) __threadfence();
    cluster_barrier<blocks>();
    if (!resumes && rank == 0 && threadIdx.x == 0) visit<blocks, local_bitmap, access & ~rows_ahead>(m, source, source);
    for (u32 i = rank * blockDim.x + threadIdx.x; resumes && i < h->rule->from.size; i += blocks * blockDim.x)
        visit<blocks, local_bitmap, access & ~rows_ahead>(m, h->list[i].x, h->list[i].y);
    level_end<blocks>(m);
}

/* Publishes the frontier and the bitmap for the host. */
template <u32 blocks, bool local_bitmap> inside void publish_frontier(const mesh *m, const mesh_handoff *h)
{
    u32 now = m->level % 2, rank = cluster_rank<blocks>();
    const found_rows *of = m->count->of[now];
    for (u32 i = threadIdx.x; i < m->capacity; i += blockDim.x) {
        u32 number = i / blocks * blocks + rank, place = number; /* the row's number in the block that found it */
        if (number >= of[i % blocks].rows) continue;
        for (u32 block = 0; block < i % blocks; block++) place += of[block].rows;
        u32 vertex = m->frontier_vertex[now * m->capacity + i];
        h->list[place] = make_uint2(vertex & top_bit ? none : vertex, none);
    }
    move_visited<blocks, local_bitmap, true>(m, h->visited);
}

/* Writes depth and parent of the unreached vertices. */
template <u32 blocks, bool local_bitmap> inside void write_unreached(const mesh *m)
{
    u32 words = (u32)((m->vertices + 31) / 32);
    for (u32 i = cluster_rank<blocks>() + threadIdx.x * blocks; i < words; i += blocks * blockDim.x) {
        u32 open = ~(local_bitmap ? m->visited[i / blocks] : __ldcg(&m->visited[i]));
        for (; open; open &= open - 1) {
            u64 vertex = (u64)i * 32 + __ffs(open) - 1;
            if (vertex >= m->vertices) break;
            write_result(m, (u32)vertex, none, none);
        }
    }
}

inside void record_handoff(gws__handoff_state *state, u32 level, u32 size, u32 rows, u32 reached)
{
    state->at.level = level;
    state->at.size = size;
    state->at.reached = reached;
    state->entries = rows;
    state->handed_off = 1;
}

/* The sums over all blocks for the level that begins. Each warp computes the sums for itself. */
struct level_sum {
    u32 rows, size, longest, listed; /* rows; vertices; maximum rows of one block; rows on the list */
};

template <u32 blocks> inside level_sum sum_up(const mesh *m)
{
    u32 lane = threadIdx.x % 32;
    found_rows its = {0, 0};
    if (lane < blocks) its = m->count->of[m->level % 2][lane];
    level_sum sum = {warp_sum(its.rows), warp_sum(its.rows - its.further), warp_max(its.rows), 0};
    if (sum.longest > m->capacity) sum.listed = warp_sum(its.rows > m->capacity ? its.rows - m->capacity : 0);
    return sum;
}

/* Returns whether a handoff is due before the level that begins. */
inside bool is_due(const mesh *m, const mesh_handoff *h, level_sum now, u32 levels, float *lost)
{
    if (!h) return false;
    if (now.size > h->rule->wide) { /* most levels are wide and do not need the cost model */
        *lost = 0;
        return false;
    }
    if (now.listed > 0 || now.rows > GWS_HANDOFF_CAPACITY / 4) return false;
    return handoff_due(h->rule, lost, levels, now.size, 0);
}

/* Runs a search. Returns the number of vertices of the block's frontier that the thread processed. */
template <u32 blocks, bool local_bitmap, u32 access>
inside u32 run_search(mesh *m, u32 source, u32 *level_size, mesh_summary *summary, gws__trace_log *trace,
                      const mesh_handoff *h)
{
    bool leads = cluster_rank<blocks>() == 0 && threadIdx.x == 0, resumes = h && h->rule->resumes;
    mesh_summary all = {0, 0, 0, 0};
    u32 ran = 0, levels = 0;
    float lost = 0;
    if (resumes) all.reached = h->rule->from.reached - h->rule->from.size;
    begin<blocks, local_bitmap, access>(m, source, h, resumes);
    for (level_sum now = sum_up<blocks>(m); now.rows > 0; now = sum_up<blocks>(m)) {
        if (is_due(m, h, now, levels, &lost)) {
            publish_frontier<blocks, local_bitmap>(m, h);
            if (leads) record_handoff(h->state, m->level, now.size, now.rows, all.reached + now.size);
            break;
        }
        levels++;
        if (h && leads) handoff_clock(h, 1);
        if (leads) level_size[m->level] = now.size;
        if (leads) trace_event(trace, GWS_TRACE_PUSH, 0, m->level, now.size);
        all = {m->level + 1, all.reached + now.size, max(all.widest, now.size), all.listed + now.listed};
        ran += run_frontier<blocks, local_bitmap, access>(m, now.longest);
        if (now.listed > 0) run_list<blocks, local_bitmap, access>(m, m->listed, m->listed + now.listed);
        m->listed += now.listed;
        level_end<blocks>(m);
        if (h && leads) handoff_clock(h, 2);
    }
    if (!resumes) write_unreached<blocks, local_bitmap>(m);
    if (leads) *summary = all;
    if (leads) trace_event(trace, GWS_TRACE_END, 0, GWS_TRACE_NS, 0);
    cluster_barrier<blocks>(); /* all blocks have read the bitmap, and no block exits while other blocks write to its
                                  memory */
    return ran;
}

/* row: the first rows of the vertices, followed by the further rows, `rows` rows in total. list: `rows` entries of two
 * words for each cluster. visited: NULL if the bitmap fits into shared memory, otherwise (vertices + 31) / 32 words for
 * each cluster. list_end: a word for each cluster. Result i lies stride words after result i - 1. stats: a word for
 * each block, which the host clears before the launch. The word becomes the number of vertices that the block processed
 * from its part of the frontier, without vertices from the list. host_row, device_rows: see struct mesh. */
#define MESH_PARAMETERS                                                                                                \
    u64 vertices, u64 rows, const void *row, u32 *depth, u32 *parent, u32 *level_size, void *list, u32 *list_end,      \
        u32 *visited, const u32 *sources, u32 searches, u64 stride, void *summary, u64 *stats, gws__trace_log *trace,  \
        u32 capacity
#define MESH_ARGUMENTS                                                                                                 \
    vertices, rows, row, depth, parent, level_size, list, list_end, visited, sources, searches, stride, summary,       \
        stats, trace, capacity

template <u32 blocks, bool local_bitmap, u32 access>
inside void run_searches(MESH_PARAMETERS, const void *host_row, u32 device_rows, const mesh_handoff *h,
                         row_cache cache = {})
{
    extern __shared__ uint4 shared[];
    u32 cluster = blockIdx.x / blocks,
        clusters = gridDim.x / blocks - (access & rows_paged ? cache.prefetch_clusters : 0);
    mesh m = {vertices, rows, (const uint4 *)row};
    m.host_row = (const uint4 *)host_row;
    m.device_rows = device_rows;
    m.capacity = capacity;
    m.frontier = shared;
    m.frontier_vertex = (u32 *)(shared + 2 * capacity);
    m.count = (level_counts *)(m.frontier_vertex + 2 * capacity);
    m.cache = cache;
    if (access & rows_paged && cache.prefetch_clusters > 0) {
        u32 number = prefetch_cluster_number<blocks>(&cache);
        if (number != none) return prefetch_pages<blocks>(&m, number, (u32 *)shared);
        cluster = 0;
    }
    u32 block = access & rows_paged ? cluster * blocks + cluster_rank<blocks>() : blockIdx.x;
    m.requests = (u32 *)(m.count + 1);
    u32 *behind = m.requests + (access & rows_paged ? 2 : 0);
    if (access & rows_paged && threadIdx.x < 2) m.requests[threadIdx.x] = 0; /* the search begins with a barrier */
    m.visited = local_bitmap ? behind : visited + cluster * ((vertices + 31) / 32);
    m.list = (uint2 *)list + cluster * rows;
    m.list_end = list_end + cluster;
    m.phase = 0;
    if (blocks > 1 && threadIdx.x < 2) mbarrier_init(&m.count->mbarrier[threadIdx.x], blocks);
    for (u32 i = cluster; i < searches; i += clusters) {
        m.depth = depth + i * stride;
        m.parent = parent + i * stride;
        u32 ran = run_search<blocks, local_bitmap, access>(&m, sources[i], level_size + i * stride,
                                                           (mesh_summary *)summary + i, trace, h);
        ran = warp_sum(ran);
        if (threadIdx.x % 32 == 0) atomicAdd(&stats[block], (u64)ran);
    }
    if (access & rows_paged && threadIdx.x == 0) {
        if (block == 0) write_eight(cache.done, 1);
        atomicAdd(cache.done + 2, (u64)m.requests[1]);
    }
}

/* Runs and times a search with handoff. */
template <u32 blocks, bool local_bitmap, u32 access> inside void run_handoff(MESH_PARAMETERS, const mesh_handoff *h)
{
    bool first = blockIdx.x == 0 && threadIdx.x == 0;
    if (first) handoff_clock(h, 0);
    run_searches<blocks, local_bitmap, access>(MESH_ARGUMENTS, nullptr, 0, h);
    if (first) handoff_clock(h, 3);
}

/* Defines the kernels of a program with the program's own macro MESH_KERNEL(name, blocks, local_bitmap, access). Its
 * parameters are the access of kernels of one block and the access of kernels of several blocks. Kernels of several
 * blocks need clusters. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define MESH_CLUSTER_KERNELS(access)                                                                                   \
    MESH_KERNEL(bfs_mesh_8, 8, true, access)                                                                           \
    MESH_KERNEL(bfs_mesh_16, 16, true, access)                                                                         \
    MESH_KERNEL(bfs_mesh_global_16, 16, false, access)
#else
#define MESH_CLUSTER_KERNELS(access)
#endif
#define MESH_KERNELS(alone, together)                                                                                  \
    MESH_KERNEL(bfs_mesh_1, 1, true, alone)                                                                            \
    MESH_KERNEL(bfs_mesh_global_1, 1, false, alone)                                                                    \
    MESH_CLUSTER_KERNELS(together)

#endif

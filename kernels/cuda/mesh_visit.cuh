/* SPDX-License-Identifier: MIT */
/* The visit of a vertex of a mesh (mesh_words.cuh). A thread claims the vertex, reads its row, and distributes the row
 * to the frontier. This file also has the bitmap of visited vertices, for shared and for global memory. */
#ifndef GWS_KERNELS_CUDA_MESH_VISIT_CUH
#define GWS_KERNELS_CUDA_MESH_VISIT_CUH

#include "mesh_row_cache.cuh"

/* ---- the bitmap of visited vertices. local_bitmap: the cluster's memory has the bitmap, word i in block i % blocks.
 * ---- */

template <u32 blocks, bool local_bitmap> inside void clear_visited(mesh *m)
{
    u32 rank = cluster_rank<blocks>(), words = (u32)((m->vertices + 31) / 32);
    u32 part = local_bitmap ? (words + blocks - 1) / blocks : words,
        step = local_bitmap ? blockDim.x : blocks * blockDim.x;
    for (u32 i = local_bitmap ? threadIdx.x : rank * blockDim.x + threadIdx.x; i < part; i += step) m->visited[i] = 0;
}

/* Reads a word of the bitmap. */
template <u32 blocks, bool local_bitmap> inside u32 get_word(const mesh *m, u32 word)
{
    if (!local_bitmap) return __ldcg(&m->visited[word]);
    if (blocks == 1) return m->visited[word];
    return remote_load(remote(&m->visited[word / blocks], word % blocks));
}

template <u32 blocks, bool local_bitmap> inside void set_word(const mesh *m, u32 word, u32 value)
{
    if (!local_bitmap || blocks == 1)
        m->visited[word] = value;
    else
        remote_store(remote(&m->visited[word / blocks], word % blocks), value);
}

/* Copies the bitmap over the bus in ascending order, four words per thread. The host's bitmap consists of whole words
 * of 64 bits. */
template <u32 blocks, bool local_bitmap, bool out> inside void move_visited(const mesh *m, u32 *at_host)
{
    u32 words = (u32)((m->vertices + 31) / 32), step = blocks * blockDim.x * 4;
    for (u32 i = (cluster_rank<blocks>() * blockDim.x + threadIdx.x) * 4; i < words; i += step) {
        if (i + 4 > words) {
            for (u32 word = i; word < words; word++)
                if (out)
                    at_host[word] = get_word<blocks, local_bitmap>(m, word);
                else
                    set_word<blocks, local_bitmap>(m, word, at_host[word]);
            continue;
        }
        uint4 *four = (uint4 *)(at_host + i);
        if (out) {
            *four = make_uint4(get_word<blocks, local_bitmap>(m, i), get_word<blocks, local_bitmap>(m, i + 1),
                               get_word<blocks, local_bitmap>(m, i + 2), get_word<blocks, local_bitmap>(m, i + 3));
        } else {
            uint4 value = *four;
            set_word<blocks, local_bitmap>(m, i, value.x);
            set_word<blocks, local_bitmap>(m, i + 1, value.y);
            set_word<blocks, local_bitmap>(m, i + 2, value.z);
            set_word<blocks, local_bitmap>(m, i + 3, value.w);
        }
    }
}

/* Claims a vertex. Returns true to the thread that succeeds. before: the word of the bitmap before the claim. */
template <u32 blocks, bool local_bitmap> inside bool claim(const mesh *m, u32 vertex, u32 *before)
{
    u32 word = vertex / 32, bit = 1u << vertex % 32;
    u32 *at = &m->visited[local_bitmap ? word / blocks : word];
    *before = local_bitmap && blocks == 1 ? *(volatile u32 *)at : 0;
    if (local_bitmap && blocks == 1 && *before & bit) return false;
    *before = local_bitmap && blocks > 1 ? remote_or(remote(at, word % blocks), bit) : atomicOr(at, bit);
    return !(*before & bit);
}

/* ---- a vertex ---- */

inside void write_result(const mesh *m, u32 vertex, u32 parent, u32 depth)
{
    m->depth[vertex] = depth;
    m->parent[vertex] = parent;
}

/* Returns the next number for a row that this block found. One atomic addition serves all active lanes. */
inside u32 next_number(u32 *count)
{
    u32 lanes = __activemask(), lane = threadIdx.x % 32, place = 0, first = __ffs(lanes) - 1;
    if (lane == first) place = atomicAdd(count, __popc(lanes));
    return __shfl_sync(lanes, place, first) + __popc(lanes & ((1u << lane) - 1));
}

/* Distributes a row. number: the row's number within the block. vertex: the row's vertex, with top_bit if the row is
 * not the vertex's first. The function leaves out the arc back to the parent, which saves a claim. With rows_ahead, it
 * prefetches the targets' rows into the L2 cache. A thread later reads a target's row together with the claim. The read
 * is wasted if the claim fails. */
template <u32 blocks, u32 access>
inside void distribute(const mesh *m, u32 number, u32 vertex, u32 back, u32 at, uint4 row)
{
    u32 place = number / blocks * blocks + cluster_rank<blocks>();
    if (place >= m->capacity) {
        m->list[atomicAdd(m->list_end, 1)] = make_uint2(vertex & ~top_bit, at);
        return;
    }
    place += (m->level + 1) % 2 * m->capacity;
    row = {row.x == back ? none : row.x, row.y == back ? none : row.y, row.z == back ? none : row.z,
           row.w == back ? none : row.w};
    if (blocks == 1) {
        m->frontier[place] = row;
        m->frontier_vertex[place] = vertex;
    } else {
        u32 mbarrier = remote(&m->count->mbarrier[(m->level + 1) % 2], number % blocks);
        send(remote(&m->frontier[place], number % blocks), row, mbarrier);
        send(remote(&m->frontier_vertex[place], number % blocks), vertex, mbarrier);
    }
    if (access & rows_ahead)
        for (u32 word : {row.x, row.y, row.z, row.w})
            if (word < top_bit) fetch_row(row_at<access>(m, word));
}

inside bool continues(u32 word)
{
    return word != none && word & top_bit;
}

/* Returns a row from the cache. On a miss, reads the row from the host and requests its page. */
template <u32 blocks> inside uint4 paged_row(const mesh *m, u32 number, const row_request *request, bool touched)
{
    uint4 row;
    bool missed = !receive_row(request, &row);
    if (missed) {
        row = __ldg(m->host_row + (number - m->device_rows));
        atomicAdd(m->requests + 1, 1);
    }
    if ((missed || touched) && m->cache.prefetch_clusters > 0)
        request_prefetch(m, m->requests, cluster_rank<blocks>(), number / page_rows | (missed ? top_bit : 0));
    return row;
}

/* Visits a vertex. With rows_ahead and rows_paged, the read of a device row overlaps with the claim of its vertex. */
template <u32 blocks, bool local_bitmap, u32 access> inside void visit(const mesh *m, u32 vertex, u32 parent)
{
    row_request request;
    uint4 row;
    u32 before;
    if (access & rows_paged) request = request_row(m, vertex);
    if (access & rows_ahead) row = read_row(row_at<access>(m, vertex));
    if (!claim<blocks, local_bitmap>(m, vertex, &before)) return;
    if (access & rows_paged)
        row = paged_row<blocks>(m, vertex, &request, before == 0);
    else if (!(access & rows_ahead))
        row = __ldg(row_at<access>(m, vertex));
    u32 number = next_number(&m->count->mine.rows);
    write_result(m, vertex, parent, m->level + 1);
    distribute<blocks, access>(m, number, vertex, parent, vertex, row);
    while (continues(row.w)) {
        u32 at = (u32)m->vertices + (row.w & ~top_bit);
        if (access & rows_paged) request = request_row(m, at);
        row = access & rows_paged ? paged_row<blocks>(m, at, &request, false) : __ldg(row_at<access>(m, at));
        atomicAdd(&m->count->mine.further, 1);
        number = atomicAdd(&m->count->mine.rows, 1);
        distribute<blocks, access>(m, number, vertex | top_bit, parent, at, row);
    }
}

#endif

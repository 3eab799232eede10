/* SPDX-License-Identifier: MIT */
/* What a search of a mesh (mesh_words.cuh) does with a vertex: claims it, reads its row, and deals that out; and the
 * bitmap of visited vertices, wherever it lies. */
#ifndef GWS_KERNELS_CUDA_MESH_VISIT_CUH
#define GWS_KERNELS_CUDA_MESH_VISIT_CUH

#include "mesh_pages.cuh"

/* ---- the bitmap of visited vertices: near is in the memory of the cluster, word i in block i % blocks ---- */

template <u32 blocks, bool near> inside void clear_visited(mesh *m)
{
    u32 rank = cluster_rank<blocks>(), words = (u32)((m->vertices + 31) / 32);
    u32 part = near ? (words + blocks - 1) / blocks : words, step = near ? blockDim.x : blocks * blockDim.x;
    for (u32 i = near ? threadIdx.x : rank * blockDim.x + threadIdx.x; i < part; i += step) m->visited[i] = 0;
}

/* Word number word of the bitmap, wherever it lies. */
template <u32 blocks, bool near> inside u32 get_word(const mesh *m, u32 word)
{
    if (!near) return __ldcg(&m->visited[word]);
    if (blocks == 1) return m->visited[word];
    return remote_load(remote(&m->visited[word / blocks], word % blocks));
}

template <u32 blocks, bool near> inside void set_word(const mesh *m, u32 word, u32 value)
{
    if (!near || blocks == 1) m->visited[word] = value;
    else remote_store(remote(&m->visited[word / blocks], word % blocks), value);
}

/* The bitmap crosses the bus in order, four words a thread: as many of 64 bits as it has at the host. */
template <u32 blocks, bool near, bool out> inside void move_visited(const mesh *m, u32 *at_host)
{
    u32 words = (u32)((m->vertices + 31) / 32), step = blocks * blockDim.x * 4;
    for (u32 i = (cluster_rank<blocks>() * blockDim.x + threadIdx.x) * 4; i < words; i += step) {
        if (i + 4 > words) {
            for (u32 word = i; word < words; word++)
                if (out) at_host[word] = get_word<blocks, near>(m, word);
                else set_word<blocks, near>(m, word, at_host[word]);
            continue;
        }
        uint4 *four = (uint4 *)(at_host + i);
        if (out) {
            *four = make_uint4(get_word<blocks, near>(m, i), get_word<blocks, near>(m, i + 1),
                               get_word<blocks, near>(m, i + 2), get_word<blocks, near>(m, i + 3));
        } else {
            uint4 value = *four;
            set_word<blocks, near>(m, i, value.x);
            set_word<blocks, near>(m, i + 1, value.y);
            set_word<blocks, near>(m, i + 2, value.z);
            set_word<blocks, near>(m, i + 3, value.w);
        }
    }
}

/* Claims a vertex; true for the one who did. before: what the word of the bitmap was. */
template <u32 blocks, bool near> inside bool claim(const mesh *m, u32 vertex, u32 *before)
{
    u32 word = vertex / 32, bit = 1u << vertex % 32;
    u32 *at = &m->visited[near ? word / blocks : word];
    *before = near && blocks == 1 ? *(volatile u32 *)at : 0;
    if (near && blocks == 1 && *before & bit) return false;
    *before = near && blocks > 1 ? remote_or(remote(at, word % blocks), bit) : atomicOr(at, bit);
    return !(*before & bit);
}

/* ---- a vertex ---- */

inside void settle(const mesh *m, u32 vertex, u32 parent, u32 depth)
{
    m->depth[vertex] = depth;
    m->parent[vertex] = parent;
}

/* A place among the rows that this block found, one add for all lanes that are here. */
inside u32 next_place(u32 *count)
{
    u32 lanes = __activemask(), lane = threadIdx.x % 32, place = 0, first = __ffs(lanes) - 1;
    if (lane == first) place = atomicAdd(count, __popc(lanes));
    return __shfl_sync(lanes, place, first) + __popc(lanes & ((1u << lane) - 1));
}

/* Deals a row out: number number of this block's; vertex: whose it is, and more | if not its first. The way back to the
 * parent is left out, which saves a claim. Ahead, the rows that come next are fetched into the second cache, and read
 * beside the claim, for nothing where that fails. */
template <u32 blocks, u32 how> inside void deal(const mesh *m, u32 number, u32 vertex, u32 back, u32 at, uint4 row)
{
    u32 place = number / blocks * blocks + cluster_rank<blocks>();
    if (place >= m->room) {
        m->list[atomicAdd(m->list_end, 1)] = make_uint2(vertex & ~more, at);
        return;
    }
    place += (m->level + 1) % 2 * m->room;
    row = {row.x == back ? none : row.x, row.y == back ? none : row.y, row.z == back ? none : row.z,
           row.w == back ? none : row.w};
    if (blocks == 1) {
        m->front[place] = row;
        m->front_vertex[place] = vertex;
    } else {
        u32 bell = remote(&m->count->bell[(m->level + 1) % 2], number % blocks);
        send(remote(&m->front[place], number % blocks), row, bell);
        send(remote(&m->front_vertex[place], number % blocks), vertex, bell);
    }
    if (how & rows_ahead)
        for (u32 word : {row.x, row.y, row.z, row.w})
            if (word < more) fetch_row(row_at<how>(m, word));
}

inside bool goes_on(u32 word)
{
    return word != none && word & more;
}

/* A row where rows come in pages; calls for it where it is missed. */
template <u32 blocks> inside uint4 paged_row(const mesh *m, u32 number, const asked_row *asked, bool touched)
{
    uint4 row;
    bool missed = !got_row(asked, &row);
    if (missed) {
        row = __ldg(m->host_row + (number - m->kept));
        atomicAdd(m->called + 1, 1);
    }
    if ((missed || touched) && m->pages.carriers > 0)
        call(m, m->called, cluster_rank<blocks>(), number / page_rows | (missed ? more : 0));
    return row;
}

/* Ahead and in pages, whatever is on the device of the vertex's row is on its way while the claim is. */
template <u32 blocks, bool near, u32 how> inside void visit(const mesh *m, u32 vertex, u32 parent)
{
    asked_row asked;
    uint4 row;
    u32 before;
    if (how & rows_paged) asked = ask_row(m, vertex);
    if (how & rows_ahead) row = read_row(row_at<how>(m, vertex));
    if (!claim<blocks, near>(m, vertex, &before)) return;
    if (how & rows_paged) row = paged_row<blocks>(m, vertex, &asked, before == 0);
    else if (!(how & rows_ahead)) row = __ldg(row_at<how>(m, vertex));
    u32 number = next_place(&m->count->mine.rows);
    settle(m, vertex, parent, m->level + 1);
    deal<blocks, how>(m, number, vertex, parent, vertex, row);
    while (goes_on(row.w)) {
        u32 at = (u32)m->vertices + (row.w & ~more);
        if (how & rows_paged) asked = ask_row(m, at);
        row = how & rows_paged ? paged_row<blocks>(m, at, &asked, false) : __ldg(row_at<how>(m, at));
        atomicAdd(&m->count->mine.further, 1);
        number = atomicAdd(&m->count->mine.rows, 1);
        deal<blocks, how>(m, number, vertex | more, parent, at, row);
    }
}

#endif

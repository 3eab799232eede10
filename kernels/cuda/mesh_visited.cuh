/* SPDX-License-Identifier: MIT */
/* The bitmap of visited vertices of a mesh, wherever it lies (mesh_words.cuh): near is in the memory of the cluster, word i in
 * block i % blocks. */
#ifndef GWS_KERNELS_CUDA_MESH_VISITED_CUH
#define GWS_KERNELS_CUDA_MESH_VISITED_CUH

#include "mesh_words.cuh"

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

#endif

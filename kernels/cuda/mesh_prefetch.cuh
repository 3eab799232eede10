/* SPDX-License-Identifier: MIT */
/* Prefetch clusters transfer pages of rows over the bus (mesh_row_cache.cuh) while another cluster searches. A warp
 * serves one ring of requests. It reads the rows of the requested page and transfers the pages that these rows lead to,
 * unless another warp has transferred them. The warp then reads the rows of these pages, and so on up to the prefetch
 * distance. The first cluster that runs is the searching cluster. The searching cluster never waits for a prefetch
 * cluster. Prefetch clusters only wait for a search that has begun, so any number of clusters may be resident. */
#ifndef GWS_KERNELS_CUDA_MESH_PREFETCH_CUH
#define GWS_KERNELS_CUDA_MESH_PREFETCH_CUH

#include "mesh_row_cache.cuh"

static constexpr u32 list_capacity = 64, at_once = 3;

/* Packs an entry of a warp's list: a page, the remaining distance beyond the page, and top_bit if the warp has to
 * transfer the page. */
inside u32 entry_of(u32 page, u32 distance, bool brought)
{
    return page | distance << 26 | (brought ? top_bit : 0); /* there are fewer than 2^26 pages */
}

inside u32 page_of(u32 entry)
{
    return entry & ((1u << 26) - 1);
}

inside u32 distance_of(u32 entry)
{
    return (entry & ~top_bit) >> 26;
}

/* Waits for the request with this number, or a later request. Returns false if the search has ended without one. */
inside bool await_request(const row_cache *cache, u32 ring, u32 number, u32 *page)
{
    const u64 *at = &cache->ring[ring * ring_capacity + number % ring_capacity];
    for (;;) {
        u64 said = read_eight(at), done = read_eight(cache->done);
        u32 its = __shfl_sync(~0u, (u32)(said >> 32), 0);
        *page = __shfl_sync(~0u, (u32)said, 0);
        if (its > number) return true;
        if (__shfl_sync(~0u, (u32)done, 0)) return false;
    }
}

/* The row of a page that this lane is reading. */
struct page_row {
    row_request request;
    u32 number, next_line;
    bool comes; /* the lane reads the row from the host */
};

inside uint4 host_row_of(const mesh *m, u32 number)
{
    return number < m->rows ? __ldcg(m->host_row + (number - m->device_rows)) : make_uint4(none, none, none, none);
}

inside u32 choose_line(const mesh *m, u32 number)
{
    u32 lane = threadIdx.x % 32, which = (number - m->device_rows) % m->cache.slots / page_rows;
    if (lane > 0) return 0;
    atomicAdd(m->cache.done + 3, (u64)1);
    return atomicXor(&m->cache.next_line[which], 1u);
}

inside page_row request_page(const mesh *m, u32 entry)
{
    page_row row;
    row.number = page_of(entry) * page_rows + threadIdx.x % 32;
    row.comes = entry & top_bit && row.number >= m->device_rows;
    row.next_line = 0;
    if (row.comes) row.next_line = choose_line(m, row.number);
    if (row.comes)
        row.request = {{host_row_of(m, row.number), {}}, none};
    else if (row.number < m->rows)
        row.request = request_row(m, row.number);
    else
        row.request = {{make_uint4(none, none, none, none), {}}, none};
    return row;
}

/* Stores the page in the cache. If the cache lacks a page that should be there, the warp transfers the page now. */
inside uint4 receive_page(const mesh *m, page_row *row)
{
    uint4 is;
    bool got = receive_row(&row->request, &is);
    if (!row->comes && __any_sync(~0u, !got)) {
        row->comes = true;
        row->next_line = choose_line(m, row->number);
        is = host_row_of(m, row->number);
    }
    u32 line = __shfl_sync(~0u, row->next_line, 0) & 1;
    if (row->comes && row->number < m->rows) {
        cache_slot slot = slot_of(&m->cache, row->number - m->device_rows);
        write_sixteen(slot.at + line, tagged(is, slot.tag));
    }
    return is;
}

/* Returns the page that a word of a row leads to, or none. */
inside u32 page_of_word(const mesh *m, u32 word)
{
    u32 number = word == none ? none : word < top_bit ? word : (u32)m->vertices + (word & ~top_bit);
    return number == none ? none : number / page_rows;
}

/* Appends to the list those neighbouring pages that no warp has requested up to this distance. */
inside u32 list_neighbours(const mesh *m, u32 entry, uint4 row, u32 *list, u32 end)
{
    u32 distance = distance_of(entry), lane = threadIdx.x % 32;
    u32 page[4] = {page_of_word(m, row.x), page_of_word(m, row.y), page_of_word(m, row.z), page_of_word(m, row.w)},
        before[4];
    for (u32 i = 0; i < 4; i++) {
        u32 same = __match_any_sync(~0u, page[i]);
        if (page[i] == page_of(entry) || lane != (u32)__ffs(same) - 1) page[i] = none;
    }
    for (u32 i = 0; i < 4; i++) {
        before[i] = distance;
        if (page[i] != none) before[i] = atomicMax(&m->cache.requested[page[i]], distance);
    }
    for (u32 i = 0; i < 4; i++) {
        u32 wins = __ballot_sync(~0u, before[i] < distance), at = end + __popc(wins & ((1u << lane) - 1));
        if (before[i] < distance && at < list_capacity) list[at] = entry_of(page[i], distance - 1, before[i] == 0);
        end += __popc(wins);
    }
    __syncwarp();
    return min(end, list_capacity);
}

/* Processes the list, several pages at a time. */
inside void prefetch_list(const mesh *m, u32 *list, u32 end)
{
    page_row row[at_once];
    for (u32 head = 0, here; head < end; head += here) {
        here = min(end - head, at_once);
#pragma unroll
        for (u32 i = 0; i < at_once; i++)
            if (i < here) row[i] = request_page(m, list[head + i]);
#pragma unroll
        for (u32 i = 0; i < at_once; i++) {
            if (i >= here) continue;
            u32 entry = list[head + i];
            uint4 is = receive_page(m, &row[i]);
            if (distance_of(entry) > 0) end = list_neighbours(m, entry, is, list, end);
        }
    }
}

/* Serves a request for a page that a thread touched or missed. Reads a missed page again, and transfers the page if the
 * cache lacks it. */
inside void serve_request(const mesh *m, u32 request, u32 *list)
{
    u32 page = request & ~top_bit, distance = m->cache.distance, lane = threadIdx.x % 32, before = 0;
    if (lane == 0) before = atomicMax(&m->cache.requested[page], distance + 1);
    before = __shfl_sync(~0u, before, 0);
    if (before > distance && !(request & top_bit)) return;
    if (lane == 0) list[0] = entry_of(page, before > distance ? 0 : distance, before == 0);
    __syncwarp();
    prefetch_list(m, list, 1);
    __syncwarp(); /* all lanes have read the list, which the next request may overwrite */
}

/* Returns the number of a cluster among the prefetch clusters, or none for the searching cluster. All blocks of the
 * cluster call this function. */
template <u32 blocks> inside u32 prefetch_cluster_number(const row_cache *cache)
{
    u64 *searcher = cache->done + 1;
    u32 cluster = blockIdx.x / blocks;
    if (cluster_rank<blocks>() == 0 && threadIdx.x == 0) atomicCAS(searcher, (u64)0, (u64)cluster + 1);
    cluster_barrier<blocks>(); /* the cluster's blocks then read this value or an earlier one, because the word changes
                                * only once */
    u32 first = (u32)read_eight(searcher) - 1;
    return cluster == first ? none : cluster - (cluster > first);
}

template <u32 blocks> inside void prefetch_pages(const mesh *m, u32 number, u32 *lists)
{
    u32 warps = blockDim.x / 32, step = m->cache.prefetch_clusters * warps, page;
    u32 warp = (number * blocks + cluster_rank<blocks>()) * warps + threadIdx.x / 32;
    for (u32 i = warp / blocks; await_request(&m->cache, warp % blocks, i, &page); i += step)
        serve_request(m, page, lists + threadIdx.x / 32 * list_capacity);
}

#endif

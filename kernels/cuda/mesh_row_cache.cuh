/* SPDX-License-Identifier: MIT */
/* A cache on the device for rows of a mesh that are in the host's memory. Prefetch clusters fill the cache ahead of the
 * search (mesh_words.cuh, mesh_prefetch.cuh).
 *
 * A page is 32 consecutive rows and corresponds to a word of the bitmap of visited vertices. The thread that finds this
 * word zero when it claims a vertex is the first to touch the page. That thread requests a prefetch of the neighbouring
 * pages. The cache is two-way set associative, with a set of two lines for every eight host rows. Row n, counted from
 * the first host row, may lie in either line of set n % slots.
 *
 * The row itself holds the tag. The top bits of its first three words are n / slots. Targets do not use these bits (no
 * target is then 0x7fffffff). So a thread reads a row while it claims the vertex, without a directory. Threads read and
 * write rows as 16 bytes at once, with relaxed order. So a warp reuses a slot without waiting or invalidation, and rows
 * remain cached for the next search. A thread that finds another row in the slot reads its own row from the host and
 * requests the page again. */
#ifndef GWS_KERNELS_CUDA_MESH_ROW_CACHE_CUH
#define GWS_KERNELS_CUDA_MESH_ROW_CACHE_CUH

#include "mesh_words.cuh"

static constexpr u32 page_rows = MESH_PAGE_ROWS, set_lines = MESH_CACHE_LINES, ring_capacity = MESH_RING_CAPACITY;

/* The set of a row, and its tag. */
struct cache_slot {
    uint4 *at; /* the first line of the set */
    u32 tag;
};

inside cache_slot slot_of(const row_cache *cache, u32 number)
{
    u32 tag = 0;
    for (u32 eighths = 4; eighths > 0; eighths /= 2) {
        bool beyond = number >= eighths * cache->slots;
        number -= beyond ? eighths * cache->slots : 0;
        tag += beyond ? eighths : 0;
    }
    return {cache->slot + (u64)number * set_lines, tag};
}

inside uint4 tagged(uint4 row, u32 tag)
{
    return make_uint4((row.x & ~top_bit) | tag << 31, (row.y & ~top_bit) | tag >> 1 << 31,
                      (row.z & ~top_bit) | tag >> 2 << 31, row.w);
}

inside u32 untagged(u32 word)
{
    return (word | top_bit) == none ? none : word & ~top_bit;
}

/* Returns whether `found` is the row with this tag. If so, stores the row without the tag. A line of all ones has never
 * been written. */
inside bool is_row(uint4 found, u32 tag, uint4 *row)
{
    u32 its = found.x >> 31 | found.y >> 31 << 1 | found.z >> 31 << 2;
    if (its != tag || (found.x & found.y & found.z & found.w) == none) return false;
    *row = make_uint4(untagged(found.x), untagged(found.y), untagged(found.z), found.w);
    return true;
}

/* A requested row, from the cache or the device's rows. */
struct row_request {
    uint4 line[set_lines];
    u32 tag; /* none: the row is in the device's rows */
};

inside row_request request_row(const mesh *m, u32 number)
{
    if (number < m->device_rows) return {{read_row(m->row + number), {}}, none};
    cache_slot slot = slot_of(&m->cache, number - m->device_rows);
    return {{read_sixteen(slot.at), read_sixteen(slot.at + 1)}, slot.tag};
}

inside bool receive_row(const row_request *request, uint4 *row)
{
    if (request->tag == none) *row = request->line[0];
    return request->tag == none || is_row(request->line[0], request->tag, row) ||
           is_row(request->line[1], request->tag, row);
}

/* Requests a prefetch of a page through the block's own ring. requests: the number of the block's requests so far. */
inside void request_prefetch(const mesh *m, u32 *requests, u32 rank, u32 page)
{
    u32 number = atomicAdd(requests, 1);
    write_eight(&m->cache.ring[rank * ring_capacity + number % ring_capacity], (u64)(number + 1) << 32 | page);
}

#endif

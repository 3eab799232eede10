/* SPDX-License-Identifier: MIT */
/* Carriers: clusters that bring pages of rows over the bus (mesh_pages.cuh), while another one searches. A warp serves one
 * ring of calls: it looks at the rows of the page, brings those pages that they lead to and nobody has brought, looks at these,
 * and so on, some hops far. The first cluster that runs is the one that searches: it never waits for a carrier, and carriers wait
 * for a search that has begun, so it does not matter how many clusters there is room for at a time. */
#ifndef GWS_KERNELS_CUDA_MESH_CARRY_CUH
#define GWS_KERNELS_CUDA_MESH_CARRY_CUH

#include "mesh_pages.cuh"

static constexpr u32 list_room = 64, together = 3;

/* An entry of a warp's list: a page, how many hops go on from it, and more | if it has to be brought. */
inside u32 entry_of(u32 page, u32 hops, bool brought)
{
    return page | hops << 26 | (brought ? more : 0); /* there are less than 2^26 pages */
}

inside u32 page_of(u32 entry)
{
    return entry & ((1u << 26) - 1);
}

inside u32 hops_of(u32 entry)
{
    return (entry & ~more) >> 26;
}

/* The call with that number, or a later one; false: there are no more. */
inside bool await_call(const page_words *pages, u32 ring, u32 number, u32 *page)
{
    const u64 *at = &pages->ring[ring * ring_room + number % ring_room];
    for (;;) {
        u64 said = read_eight(at), done = read_eight(pages->done);
        u32 its = __shfl_sync(~0u, (u32)(said >> 32), 0);
        *page = __shfl_sync(~0u, (u32)said, 0);
        if (its > number) return true;
        if (__shfl_sync(~0u, (u32)done, 0)) return false;
    }
}

/* A page's row of this lane, on its way. */
struct carried {
    asked_row asked;
    u32 number, turn;
    bool comes; /* from the host */
};

inside uint4 host_row_of(const mesh *m, u32 number)
{
    return number < m->rows ? __ldcg(m->host_row + (number - m->kept)) : make_uint4(none, none, none, none);
}

inside u32 take_turn(const mesh *m, u32 number)
{
    u32 lane = threadIdx.x % 32, which = (number - m->kept) % m->pages.places / page_rows;
    if (lane > 0) return 0;
    atomicAdd(m->pages.done + 3, (u64)1);
    return atomicXor(&m->pages.turn[which], 1u);
}

inside carried ask_page(const mesh *m, u32 entry)
{
    carried row;
    row.number = page_of(entry) * page_rows + threadIdx.x % 32;
    row.comes = entry & more && row.number >= m->kept;
    row.turn = 0;
    if (row.comes) row.turn = take_turn(m, row.number);
    if (row.comes) row.asked = {{host_row_of(m, row.number), {}}, none};
    else if (row.number < m->rows) row.asked = ask_row(m, row.number);
    else row.asked = {{make_uint4(none, none, none, none), {}}, none};
    return row;
}

/* Puts it where it is looked for; one that should have been there and is not, is brought after all. */
inside uint4 get_page(const mesh *m, carried *row)
{
    uint4 is;
    bool got = got_row(&row->asked, &is);
    if (!row->comes && __any_sync(~0u, !got)) {
        row->comes = true;
        row->turn = take_turn(m, row->number);
        is = host_row_of(m, row->number);
    }
    u32 way = __shfl_sync(~0u, row->turn, 0) & 1;
    if (row->comes && row->number < m->rows) {
        row_place place = place_of(&m->pages, row->number - m->kept);
        write_sixteen(place.at + way, marked(is, place.tag));
    }
    return is;
}

/* Where a word of a row leads to: a page, or none. */
inside u32 leads_to(const mesh *m, u32 word)
{
    u32 number = word == none ? none : word < more ? word : (u32)m->vertices + (word & ~more);
    return number == none ? none : number / page_rows;
}

/* Puts those pages around one on the list that were not asked for as far as that. */
inside u32 look_around(const mesh *m, u32 entry, uint4 row, u32 *list, u32 end)
{
    u32 hops = hops_of(entry), lane = threadIdx.x % 32;
    u32 page[4] = {leads_to(m, row.x), leads_to(m, row.y), leads_to(m, row.z), leads_to(m, row.w)}, before[4];
    for (u32 i = 0; i < 4; i++) {
        u32 same = __match_any_sync(~0u, page[i]);
        if (page[i] == page_of(entry) || lane != (u32)__ffs(same) - 1) page[i] = none;
    }
    for (u32 i = 0; i < 4; i++) {
        before[i] = hops;
        if (page[i] != none) before[i] = atomicMax(&m->pages.asked[page[i]], hops);
    }
    for (u32 i = 0; i < 4; i++) {
        u32 wins = __ballot_sync(~0u, before[i] < hops), at = end + __popc(wins & ((1u << lane) - 1));
        if (before[i] < hops && at < list_room) list[at] = entry_of(page[i], hops - 1, before[i] == 0);
        end += __popc(wins);
    }
    __syncwarp();
    return min(end, list_room);
}

/* Those of the list, some at a time. */
inside void run_list_of_pages(const mesh *m, u32 *list, u32 end)
{
    carried row[together];
    for (u32 head = 0, here; head < end; head += here) {
        here = min(end - head, together);
#pragma unroll
        for (u32 i = 0; i < together; i++)
            if (i < here) row[i] = ask_page(m, list[head + i]);
#pragma unroll
        for (u32 i = 0; i < together; i++) {
            if (i >= here) continue;
            u32 entry = list[head + i];
            uint4 is = get_page(m, &row[i]);
            if (hops_of(entry) > 0) end = look_around(m, entry, is, list, end);
        }
    }
}

/* A page was touched, or missed: then it is looked at again, and brought where it is not there. */
inside void answer(const mesh *m, u32 called, u32 *list)
{
    u32 page = called & ~more, hops = m->pages.hops, lane = threadIdx.x % 32, before = 0;
    if (lane == 0) before = atomicMax(&m->pages.asked[page], hops + 1);
    before = __shfl_sync(~0u, before, 0);
    if (before > hops && !(called & more)) return;
    if (lane == 0) list[0] = entry_of(page, before > hops ? 0 : hops, before == 0);
    __syncwarp();
    run_list_of_pages(m, list, 1);
    __syncwarp(); /* the list is written again */
}

/* The number of a cluster among the carriers; none: it searches. All its blocks ask. */
template <u32 blocks> inside u32 carrier_number(const page_words *pages)
{
    u64 *searcher = pages->done + 1;
    u32 cluster = blockIdx.x / blocks;
    if (cluster_rank<blocks>() == 0 && threadIdx.x == 0) atomicCAS(searcher, (u64)0, (u64)cluster + 1);
    cluster_barrier<blocks>(); /* its blocks read that, or what was there: it is set only once */
    u32 first = (u32)read_eight(searcher) - 1;
    return cluster == first ? none : cluster - (cluster > first);
}

template <u32 blocks> inside void carry(const mesh *m, u32 number, u32 *lists)
{
    u32 warps = blockDim.x / 32, step = m->pages.carriers * warps, page;
    u32 warp = (number * blocks + cluster_rank<blocks>()) * warps + threadIdx.x / 32;
    for (u32 i = warp / blocks; await_call(&m->pages, warp % blocks, i, &page); i += step)
        answer(m, page, lists + threadIdx.x / 32 * list_room);
}

#endif

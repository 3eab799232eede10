/* SPDX-License-Identifier: MIT */
/* Rows of a mesh that lie with the host and come to the device before a search needs them (mesh_words.cuh, mesh_carry.cuh).
 *
 * 32 rows that follow each other are a page, so a word of the bitmap of visited vertices is one as well: who finds it 0 as he
 * claims a vertex is the first to touch the page, and calls for what is around it. The device has two places beside each other
 * for every eight rows at the host: row n, counted from the first one there, lies in one of number n % places, or in none.
 *
 * Whose row is in a place, the row says: the top bits of its first three words, of which a target needs none (no target is
 * then 0x7fffffff), are n / places. So a row is read beside its vertex's claim, without a word that says where it is. It is
 * read and written as 16 bytes at once: nothing has to be waited for or taken back before a place is used again, all orders are
 * relaxed, and rows stay for the next search. Who finds another row reads from the host, and has the page brought again. */
#ifndef GWS_KERNELS_CUDA_MESH_PAGES_CUH
#define GWS_KERNELS_CUDA_MESH_PAGES_CUH

#include "mesh_words.cuh"

static constexpr u32 page_rows = 32, ways = 2, ring_room = 1024;

/* Where a row is, if it is there. */
struct row_place {
    uint4 *at; /* the first way */
    u32 tag;
};

inside row_place place_of(const page_words *pages, u32 number)
{
    u32 tag = 0;
    for (u32 eighths = 4; eighths > 0; eighths /= 2) {
        bool beyond = number >= eighths * pages->places;
        number -= beyond ? eighths * pages->places : 0;
        tag += beyond ? eighths : 0;
    }
    return {pages->place + (u64)number * ways, tag};
}

inside uint4 marked(uint4 row, u32 tag)
{
    return make_uint4((row.x & ~more) | tag << 31, (row.y & ~more) | tag >> 1 << 31, (row.z & ~more) | tag >> 2 << 31, row.w);
}

inside u32 unmarked(u32 word)
{
    return (word | more) == none ? none : word & ~more;
}

/* Whether found is the row with that tag, which it then is, unmarked. All ones was never written. */
inside bool is_row(uint4 found, u32 tag, uint4 *row)
{
    u32 its = found.x >> 31 | found.y >> 31 << 1 | found.z >> 31 << 2;
    if (its != tag || (found.x & found.y & found.z & found.w) == none) return false;
    *row = make_uint4(unmarked(found.x), unmarked(found.y), unmarked(found.z), found.w);
    return true;
}

/* A row that was asked for, wherever it is on the device. */
struct asked_row {
    uint4 way[ways];
    u32 tag; /* none: it is always there */
};

inside asked_row ask_row(const mesh *m, u32 number)
{
    if (number < m->kept) return {{read_row(m->row + number), {}}, none};
    row_place place = place_of(&m->pages, number - m->kept);
    return {{read_sixteen(place.at), read_sixteen(place.at + 1)}, place.tag};
}

inside bool got_row(const asked_row *asked, uint4 *row)
{
    if (asked->tag == none) *row = asked->way[0];
    return asked->tag == none || is_row(asked->way[0], asked->tag, row) || is_row(asked->way[1], asked->tag, row);
}

/* Tells the carriers of a page, by the block's own ring; called: how often it has. */
inside void call(const mesh *m, u32 *called, u32 rank, u32 page)
{
    u32 number = atomicAdd(called, 1);
    write_eight(&m->pages.ring[rank * ring_room + number % ring_room], (u64)(number + 1) << 32 | page);
}

#endif

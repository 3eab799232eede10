/* SPDX-License-Identifier: MIT */
/* The state of kernels/graph/triangles.cl, and what its parts share. */
#ifndef TRIANGLES_BITS
#define TRIANGLES_BITS (1u << 16) /* bits of a group's bitmap, a power of two; see struct triangles_group */
#endif
#define TRIANGLES_BITMAP (TRIANGLES_BITS / 32 > TRIANGLES_KEYS ? TRIANGLES_BITS / 32 : TRIANGLES_KEYS) /* words */
#ifndef TRIANGLES_FILTER
#define TRIANGLES_FILTER 4096u /* bits of a warp's part of the bitmap, a power of two */
#endif
#define TRIANGLES_SHORT 31u /* if no row is longer, warps merge the unchanged rows */

/* The local memory of a group. bits is a bitmap of ranks, or a bitmap for each warp. It is zero between its uses. At
 * first it has a counter for each key. */
struct triangles_group {
    u32 bits[TRIANGLES_BITMAP];
    u32 part[GWS_GROUP_SIZE / WARP]; /* sums of warps */
    u32 unit[2];                     /* the next unit, in turns */
    u32 neighbours;
    u64 place;
    struct distributor_stats stats;
};

struct triangles {
    global_mem const u64 *offset;
    global_mem const u32 *target;
    global_mem u32 *rank, *order; /* the rank of each vertex, and the vertex of each rank */
    global_mem u64 *row;          /* position and length of each vertex's directed row; see row_word() */
    global_mem u32 *out;          /* the directed rows */
    global_mem u64 *unit;         /* the units: chunks of arcs of heavy vertices */
    global_mem u32 *words;
    global_mem u64 *count, *sums;
    local_mem struct triangles_group *group;
    u32 vertices, counts; /* counts: 1 if the kernel fills count[] */
    u32 first, items;     /* number of this item among all items, and the number of items */
    struct grid_barrier all;
    global_mem u32 *stop; /* see stop_requested() */
};

/* A group returns the exclusive prefix sum of its items' values, and sets *total. Another barrier must follow before
 * the next call. */
device_inline u32 group_prefix(local_mem struct triangles_group *group, u32 value, u32 *total)
{
    u32 sum = warp_prefix(value), before = 0;
    if (lane_id() == WARP - 1) group->part[warp_id()] = sum;
    group_barrier();
    *total = 0;
    for (u32 i = 0; i < warp_count(); i++) {
        if (i == warp_id()) before = *total;
        *total += group->part[i];
    }
    return before + sum - value;
}

/* ---- the graph ---- */

device_inline u64 degree_of(const struct triangles *s, u64 v)
{
    return s->offset[v + 1] - s->offset[v];
}

device_inline bool is_neighbour(const struct triangles *s, u32 vertex, u64 begin, u64 arc)
{
    u32 to = s->target[arc];
    return to != vertex && (arc == begin || s->target[arc - 1] != to);
}

/* Returns the number of wedges of a vertex. */
device_inline u64 pairs(u64 neighbours)
{
    return neighbours > 0 ? neighbours * (neighbours - 1) / 2 : 0;
}

/* ---- directed rows, which triangles_rows.cl makes ---- */

/* A row is a list of entries. An entry has 16 consecutive ranks: in its upper half their common number, rank / 16, in
 * its lower half a bit for each rank that is a target. Such entries only suffice for ranks below TRIANGLES_PACKED. A
 * row with a higher rank is plain, which means that an entry is a rank. In the rows that groups make, entries ascend,
 * and no two of them have the same upper half. */
#ifndef TRIANGLES_PACKED
#define TRIANGLES_PACKED (1u << 20)
#endif

/* A row's word: the first place in out, whether the entries ascend, whether they are plain, and their number in 22
 * bits. A row has less than twice the square root of the number of edges. */
#define ROW_ASCENDS (1u << 23)
#define ROW_PLAIN (1u << 22)

device_inline u64 row_word(u64 begin, u32 length, u32 flags)
{
    return begin << 24 | flags | length;
}

device_inline u64 row_begin(u64 word)
{
    return word >> 24;
}

device_inline u32 row_length(u64 word)
{
    return (u32)word & (ROW_PLAIN - 1);
}

/* The word of a bitmap that has the bits of an entry. */
device_inline u32 entry_word(bool plain, u32 entry)
{
    return plain ? entry / 32 : entry >> 17;
}

device_inline u32 entry_bits(bool plain, u32 entry)
{
    return plain ? 1u << entry % 32 : (entry & 0xffff) << (entry >> 12 & 16);
}

device_inline u32 entry_of(bool plain, u32 target)
{
    return plain ? target : target / 16 << 16 | 1u << target % 16;
}

/* ---- units ---- */

/* A group's cursor in the list of units. */
struct unit_cursor {
    global_mem u32 *taken;
    u32 unit, next, turn; /* next: in item 0 */
};

/* Item 0 acquires the next unit ahead, so that the group does not wait for it. */
device_inline void acquire_ahead(struct unit_cursor *at)
{
    if (item_id() == 0) at->next = group_count() + word_add(at->taken, 1u);
}

/* A group moves to its next unit. No item is more than a barrier ahead, so two words suffice. */
device_inline void next_unit(const struct triangles *s, struct unit_cursor *at)
{
    at->turn ^= 1;
    if (item_id() == 0) s->group->unit[at->turn] = at->next;
    group_barrier();
    at->unit = s->group->unit[at->turn];
}

/* The first unit is the group's number. If the call is cancelled, it is beyond all units. */
device_inline struct unit_cursor first_unit(const struct triangles *s, global_mem u32 *taken)
{
    struct unit_cursor at;
    at.taken = taken;
    at.next = item_id() == 0 && stop_requested(s->stop) ? ~0u : group_id();
    at.turn = 0;
    next_unit(s, &at);
    return at;
}

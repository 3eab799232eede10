/* SPDX-License-Identifier: MIT */
/* What sssp.cl and sssp_parents.cl need on a graph parted among devices (engine/rounds_parted.cl), with distances in
 * the exchange buffer. A device's distance of a vertex of another part is the lowest one that the device has found. The
 * owner of a vertex that is sent to it reads the sender's distance. So a distance that falls after the vertex was sent
 * in a round is not lost. The pass of parents begins with copies of all distances from the owners. */
#define SSSP_PARTED 1

device_inline global_mem sssp_distance *sssp_of(const op_engine *s, u32 part)
{
    return (global_mem sssp_distance *)(((const struct parted *)s)->peers.all->exchange[part] + PARTED_POSTS);
}

device_inline bool sssp_owns(const op_engine *s, u32 vertex)
{
    return parted_owns((const struct parted *)s, vertex);
}

/* Returns the distance at the vertex's owner. */
device_inline sssp_distance sssp_at_owner(const op_engine *s, u32 vertex)
{
    const struct parted *p = (const struct parted *)s;
    u32 part = 0;
    while (vertex >= p->all->first[part + 1]) part++;
    return sssp_fresh(sssp_of(s, part) + vertex);
}

/* A warp sends the lanes' vertices of other parts, with their parents, each at most once in a round, as an inbox has a
 * word for each vertex. Returns whether the lane's vertex is one. */
device_inline bool sssp_sends(const op_engine *s, u32 parent, u32 to)
{
    const struct parted *p = (const struct parted *)s;
    bool other = parent != NONE && !sssp_owns(s, to);
    bool first = other && !(word_or(&s->next[to / 32], 1u << to % 32) >> to % 32 & 1);
    if (warp_ballot(first)) (void)send_others(p->all, first, parent, to);
    return other;
}

/* SPDX-License-Identifier: MIT */
/* Triangles of a graph of short rows, for kernels/graph/triangles.cl. An item merges the unchanged rows of a vertex and
 * of its neighbours. It finds each triangle once, at the largest vertex. */

/* Returns the number of common neighbours below v of v and another vertex, whose neighbours below v are
 * target[at .. end - 1]. The rows may have parallel arcs. */
device_inline u32 merge_rows(const struct triangles *s, u64 at, u64 end, u32 v)
{
    u64 other = s->offset[v], other_end = s->offset[(u64)v + 1];
    u32 found = 0, last = v;
    while (at < end && other < other_end) {
        u32 a = s->target[at], b = s->target[other];
        if (b >= v) break;
        if (a == b && a != last) {
            found++;
            last = a;
            if (s->counts) word_sum(&s->count[a], (u64)1);
        }
        at += a <= b ? 1 : 0;
        other += b <= a ? 1 : 0;
    }
    if (s->counts && found > 0) word_sum(&s->count[v], (u64)found);
    return found;
}

/* Returns the number of triangles in which u is the largest vertex. */
device_inline u32 merge_vertex(const struct triangles *s, u32 u, u64 *wedges)
{
    u64 begin = s->offset[u], end = s->offset[(u64)u + 1];
    u32 found = 0, neighbours = 0, last = u;
    for (u64 arc = begin; arc < end; arc++) {
        u32 v = s->target[arc];
        if (v == u || v == last) continue;
        last = v;
        neighbours++;
        if (v < u && arc > begin) found += merge_rows(s, begin, arc, v);
    }
    *wedges += pairs(neighbours);
    if (s->counts && found > 0) word_sum(&s->count[u], (u64)found);
    return found;
}

device_inline void merge_all(const struct triangles *s)
{
    u64 found = 0, wedges = 0;
    if (warp_stops(s->stop)) return;
    for (u64 u = s->first; u < s->vertices; u += s->items) found += merge_vertex(s, (u32)u, &wedges);
    add_sum(&s->sums[TRIANGLES_WEDGES], wedges);
    add_sum(&s->sums[TRIANGLES_FOUND], found);
}

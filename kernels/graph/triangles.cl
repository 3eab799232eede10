/* SPDX-License-Identifier: MIT */
/* Triangles in one persistent kernel. If all rows are short, items merge them (triangles_merge.cl). Otherwise the
 * kernel renumbers the vertices by descending degree and directs every edge to the end of lower rank
 * (triangles_rows.cl). For each vertex v, a bitmap in local memory marks the row of v. For each arc (u, v) a warp or
 * a part of it looks up the ranks below v in the row of u. So the kernel looks up each pair of targets of a vertex
 * once. The other order, rows of v in bitmaps of u, takes several times as many lookups, since hubs have many incoming
 * arcs.
 *
 * A group shares the bitmap of a heavy vertex. A unit of work is a chunk of its arcs, so long rows are divided. The
 * rows of heavy vertices are sorted, so a warp stops at the first rank beyond v. Each warp counts the triangles of
 * light vertices with a bitmap of its own. A bitmap of less than v bits is a filter, and a binary search in the
 * unchanged row of v confirms what passes. The kernel skips loops and parallel arcs. */

device_inline void next_step(struct triangles *s)
{
    grid_barrier_wait(&s->all, &s->group->stats.idle);
}

/* ---- heavy vertices, by groups ---- */

device_inline u64 count_unit(const struct triangles *s, u32 vertex, u32 chunk)
{
    struct marked_row marked = marked_row_of(s, vertex, s->group->bits, TRIANGLES_BITS);
    u64 begin = marked.arcs + (u64)chunk * TRIANGLES_CHUNK, end = min_u64(begin + TRIANGLES_CHUNK, marked.arcs_end);
    mark_row(s, &marked, item_id(), group_size());
    group_barrier();
    u64 found = count_arcs(s, &marked, begin, end, warp_id(), warp_count());
    group_barrier();
    clear_row(&marked, item_id(), group_size());
    return found;
}

device_inline u64 count_heavy(const struct triangles *s)
{
    u64 found = 0;
    u32 units = s->words[TRIANGLES_UNITS];
    struct unit_cursor at = first_unit(s, s->words + TRIANGLES_TAKEN);
    while (at.unit < units) {
        u64 unit = s->unit[at.unit];
        acquire_ahead(&at);
        if (item_id() == 0 && stop_requested(s->stop)) at.next = ~0u;
        if (row_length(s->row[unit >> 32]) > 0) found += count_unit(s, (u32)(unit >> 32), (u32)unit);
        next_unit(s, &at);
    }
    return found;
}

/* ---- light vertices, by warps ---- */

device_inline u64 count_vertex(const struct triangles *s, u32 vertex)
{
    local_mem u32 *bits = s->group->bits + warp_id() * (TRIANGLES_FILTER / 32);
    struct marked_row marked = marked_row_of(s, vertex, bits, TRIANGLES_FILTER);
    mark_row(s, &marked, lane_id(), WARP);
    warp_barrier();
    u64 found = count_arcs(s, &marked, marked.arcs, marked.arcs_end, 0, 1);
    warp_barrier(); /* all items have read the bitmap */
    clear_row(&marked, lane_id(), WARP);
    warp_barrier();
    return found;
}

/* A warp counts the triangles of the light ones of vertices begin .. end - 1. */
device_inline u64 count_range(const struct triangles *s, u64 begin, u64 end)
{
    u64 found = 0;
    for (u64 base = begin; base < end; base += WARP) {
        u64 v = base + lane_id(), degree = v < end ? degree_of(s, v) : 0;
        u32 length = degree > 0 && degree < TRIANGLES_HEAVY ? row_length(s->row[v]) : 0;
        for (u32 left = warp_ballot(length > 0 && length < degree); left; left &= left - 1)
            found += count_vertex(s, (u32)(base + first_bit(left)));
    }
    return found;
}

device_inline u64 count_light(const struct triangles *s, global_mem u32 *cursors)
{
    const u64 size = 32; /* vertices of a unit */
    u64 found = 0;
    u32 units = (u32)((s->vertices + size - 1) / size);
    struct distributor work = distributor_open(cursors, &s->group->stats, 0, units, 16, 0, SCHEDULE_STEAL);
    struct unit_range at = {0, 0};
    while (!warp_stops(s->stop) && distributor_next(&work, &at))
        found += count_range(s, at.begin * size, min_u64(at.end * size, s->vertices));
    return found;
}

/* rank, order, row: an entry for each vertex. out: a word for each edge. unit: an entry for each unit, of which there
 * are at most arcs / TRIANGLES_HEAVY + arcs / TRIANGLES_CHUNK. words: TRIANGLES_WORDS words, zero. count: an entry for
 * each vertex, zero, if counts is not 0. sums: TRIANGLES_SUMS words, zero. cursors: two words for each group, zero.
 * arrived: see grid_barrier_open(). stop: see stop_requested(). */
kernel_entry_small graph_triangles(global_mem const u64 *offset, global_mem const u32 *target, global_mem u32 *rank,
                                   global_mem u32 *order, global_mem u64 *row, global_mem u32 *out,
                                   global_mem u64 *unit, global_mem u32 *words, global_mem u64 *count,
                                   global_mem u64 *sums, global_mem u32 *cursors, global_mem u64 *arrived,
                                   global_mem u32 *stop, u32 vertices, u32 counts)
{
    local_array(struct triangles_group, group, 1);
    struct triangles s;
    s.offset = offset, s.target = target;
    s.rank = rank, s.order = order, s.row = row, s.out = out, s.unit = unit;
    s.words = words, s.count = count, s.sums = sums;
    s.group = group, s.stop = stop;
    s.vertices = vertices, s.counts = counts;
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    for (u32 i = item_id(); i < TRIANGLES_BITMAP; i += group_size()) group->bits[i] = 0;
    if (item_id() == 0) group->stats.exhausted = 0, group->stats.given = group->stats.idle = 0;
    group_barrier();
    count_keys(&s);
    next_step(&s);
    if (place_keys(&s) == 0) {
        merge_all(&s);
        return;
    }
    set_ranks(&s);
    next_step(&s);
    u64 wedges = sort_rows(&s);
    add_sum(&sums[TRIANGLES_WEDGES], wedges + make_other_rows(&s));
    next_step(&s);
    u64 found = count_heavy(&s);
    add_sum(&sums[TRIANGLES_FOUND], found + count_light(&s, cursors));
}

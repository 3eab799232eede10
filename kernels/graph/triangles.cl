/* SPDX-License-Identifier: MIT */
/* Triangles in one persistent kernel. The kernel directs every edge to the end that follows by degree, then by number.
 * Rows keep the ascending order that they have in the graph. For each arc (u, v) a warp looks up the targets of v in
 * the row of u. A filter of u's targets in local memory rejects most targets. A binary search decides the others. If v
 * has many more targets than u, the warp looks up the targets of u in the row of v instead. A unit of work is a range
 * of arcs, which divides long rows (Hu, Liu, Huang, "TriCore", SC 2018). The kernel skips loops and parallel arcs. */
#ifndef TRIANGLES_UNIT
#define TRIANGLES_UNIT 64u /* arcs of a unit of work */
#endif
#define FILTER_WORDS 256u
#define FILTER_BITS (32u * FILTER_WORDS)
#define MUCH_LONGER 8u /* length ratio above which the warp searches the longer row */

struct triangles {
    global_mem const u64 *offset;
    global_mem const u32 *target;
    global_mem u64 *out_offset; /* offsets of the directed rows; at first the lengths of these rows */
    global_mem u32 *out;
    global_mem u32 *degree;
    global_mem u64 *part; /* one sum per warp */
    global_mem u64 *count, *sums;
    local_mem u32 *filter; /* the filter of this warp */
    local_mem struct distributor_stats *stats;
    u32 vertices, counts; /* counts: 1 if the kernel fills count[] */
    u32 first, items;     /* number of this item among all items, and the number of items */
    struct grid_barrier all;
    global_mem u32 *stop; /* see stop_requested() */
};

device_inline void next_step(struct triangles *s)
{
    grid_barrier_wait(&s->all, &s->stats->idle);
}

device_inline u64 warp_sum_long(u64 value)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) value += warp_shuffle_long(value, lane_id() ^ step);
    return value;
}

device_inline void add_sum(global_mem u64 *sum, u64 value)
{
    value = warp_sum_long(value);
    if (lane_id() == 0 && value > 0) word_sum(sum, value);
}

/* ---- the directed rows ---- */

device_inline bool is_neighbour(const struct triangles *s, u32 vertex, u64 begin, u64 arc)
{
    u32 to = s->target[arc];
    return to != vertex && (arc == begin || s->target[arc - 1] != to);
}

device_inline bool follows(const struct triangles *s, u32 from, u32 to)
{
    u32 a = s->degree[from], b = s->degree[to];
    return a < b || (a == b && from < to);
}

device_inline void find_degrees(const struct triangles *s)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) s->degree[v] = (u32)(s->offset[v + 1] - s->offset[v]);
}

/* One item counts the targets of a vertex, or writes them if fill is true. Returns the number of wedges. */
device_inline u64 direct_row(const struct triangles *s, bool fill, u32 vertex, u64 begin, u64 end)
{
    u64 at = fill ? s->out_offset[vertex] : 0, neighbours = 0;
    for (u64 arc = begin; arc < end; arc++) {
        if (!is_neighbour(s, vertex, begin, arc)) continue;
        neighbours++;
        if (!follows(s, vertex, s->target[arc])) continue;
        if (fill) s->out[at] = s->target[arc];
        at++;
    }
    if (!fill) s->out_offset[vertex] = at;
    return neighbours > 0 ? neighbours * (neighbours - 1) / 2 : 0;
}

/* Does the work of direct_row() by a warp. The first item returns the wedges. */
device_inline u64 direct_long_row(const struct triangles *s, bool fill, u32 vertex, u64 begin, u64 end)
{
    u64 at = fill ? s->out_offset[vertex] : 0, neighbours = 0;
    for (u64 from = begin; from < end; from += WARP) {
        u64 arc = from + lane_id();
        bool counts = arc < end && is_neighbour(s, vertex, begin, arc);
        bool goes = counts && follows(s, vertex, s->target[arc]);
        u32 marks = warp_ballot(goes);
        if (fill && goes) s->out[at + bit_count(marks & lanes_below())] = s->target[arc];
        at += bit_count(marks);
        neighbours += bit_count(warp_ballot(counts));
    }
    if (!fill && lane_id() == 0) s->out_offset[vertex] = at;
    return lane_id() == 0 ? neighbours * (neighbours - 1) / 2 : 0;
}

/* Directs the rows of all vertices. All items of a warp make the same number of passes. */
device_inline u64 direct_rows(const struct triangles *s, bool fill)
{
    u64 wedges = 0;
    for (u64 base = s->first - lane_id(); base < s->vertices; base += s->items) {
        u64 v = base + lane_id(), begin = 0, end = 0;
        if (v < s->vertices) {
            begin = s->offset[v];
            end = s->offset[v + 1];
        }
        bool is_long = end - begin > 2 * WARP;
        for (u32 longs = warp_ballot(is_long); longs; longs &= longs - 1) {
            u32 lane = first_bit(longs);
            wedges += direct_long_row(s, fill, warp_shuffle((u32)v, lane), warp_shuffle_long(begin, lane),
                                      warp_shuffle_long(end, lane));
        }
        if (!is_long && v < s->vertices) wedges += direct_row(s, fill, (u32)v, begin, end);
    }
    return wedges;
}

/* ---- the prefix sum: each warp has a range of vertices ---- */

device_inline u64 warp_number(void)
{
    return (u64)group_id() * warp_count() + warp_id();
}

device_inline u64 range_begin(const struct triangles *s, u64 warp)
{
    u64 warps = (u64)group_count() * warp_count();
    return min_u64((s->vertices + warps - 1) / warps * warp, s->vertices);
}

device_inline void sum_range(const struct triangles *s)
{
    u64 warp = warp_number(), sum = 0;
    for (u64 v = range_begin(s, warp) + lane_id(); v < range_begin(s, warp + 1); v += WARP) sum += s->out_offset[v];
    sum = warp_sum_long(sum);
    if (lane_id() == 0) s->part[warp] = sum;
}

device_inline void place_range(const struct triangles *s)
{
    u64 warp = warp_number(), before = 0;
    for (u64 i = lane_id(); i < warp; i += WARP) before += s->part[i];
    before = warp_sum_long(before);
    for (u64 base = range_begin(s, warp); base < range_begin(s, warp + 1); base += WARP) {
        u64 v = base + lane_id();
        bool valid = v < range_begin(s, warp + 1);
        u64 length = valid ? s->out_offset[v] : 0, sum = length;
        for (u32 step = 1; step < WARP; step *= 2) {
            u64 other = warp_shuffle_long(sum, lane_id() >= step ? lane_id() - step : 0);
            sum += lane_id() >= step ? other : 0;
        }
        if (valid) s->out_offset[v] = before + sum - length;
        before += warp_shuffle_long(sum, WARP - 1);
    }
    if (warp + 1 == (u64)group_count() * warp_count() && lane_id() == 0) s->out_offset[s->vertices] = before;
}

/* ---- the triangles ---- */

device_inline bool contains(const struct triangles *s, u64 begin, u64 end, u32 wanted)
{
    u64 low = begin, high = end;
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (s->out[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && s->out[low] == wanted;
}

/* A warp counts the targets in begin .. end - 1 that are in the other row too. Each item returns the count of its own
 * targets. filtered: false if the warp must look up all targets. */
device_inline u32 count_common(const struct triangles *s, bool filtered, u64 begin, u64 end, u64 other, u64 other_end)
{
    u32 found = 0;
    for (u64 at = begin + lane_id(); at < end; at += WARP) {
        u32 w = s->out[at], slot = w % FILTER_BITS;
        if (filtered && !(s->filter[slot / 32] >> slot % 32 & 1)) continue;
        if (!contains(s, other, other_end, w)) continue;
        found++;
        if (s->counts) word_sum(&s->count[w], (u64)1);
    }
    return found;
}

/* A warp marks the row's targets in the filter, or clears the filter. */
device_inline void filter_row(const struct triangles *s, bool mark, u64 begin, u64 end)
{
    for (u64 at = begin + lane_id(); at < end; at += WARP) {
        u32 slot = s->out[at] % FILTER_BITS;
        if (mark)
            (void)local_or(&s->filter[slot / 32], 1u << slot % 32);
        else
            s->filter[slot / 32] = 0;
    }
    warp_barrier();
}

/* A warp counts the triangles of arcs begin .. end - 1 of u, whose row is row .. row_end - 1. */
device_inline u64 count_arcs(const struct triangles *s, u32 u, u64 row, u64 row_end, u64 begin, u64 end)
{
    u64 total = 0;
    filter_row(s, true, row, row_end);
    for (u64 arc = begin; arc < end; arc++) {
        u32 v = s->out[arc];
        u64 other = s->out_offset[v], other_end = s->out_offset[(u64)v + 1];
        bool much_longer = other_end - other > MUCH_LONGER * (row_end - row);
        u32 found = much_longer ? count_common(s, false, row, row_end, other, other_end)
                                : count_common(s, true, other, other_end, row, row_end);
        total += found;
        if (s->counts) add_sum(&s->count[v], found);
    }
    if (s->counts) add_sum(&s->count[u], total);
    warp_barrier(); /* all items have read the filter */
    filter_row(s, false, row, row_end);
    return total;
}

/* Returns the vertex whose row contains the arc. */
device_inline u32 row_of(const struct triangles *s, u64 arc)
{
    u64 low = 0, high = s->vertices;
    while (high - low > 1) {
        u64 middle = (low + high) / 2;
        if (s->out_offset[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    return (u32)low;
}

device_inline u64 count_unit(const struct triangles *s, u64 begin, u64 end)
{
    u64 total = 0;
    u32 u = row_of(s, begin);
    while (begin < end) {
        u64 row = s->out_offset[u], row_end = s->out_offset[(u64)u + 1];
        if (row_end <= begin) { /* an empty row; many empty rows may follow */
            u = row_of(s, begin);
            continue;
        }
        u64 stop = min_u64(row_end, end);
        if (row_end - row > 1) total += count_arcs(s, u, row, row_end, begin, stop);
        begin = stop;
        u++;
    }
    return total;
}

device_inline u64 count_units(const struct triangles *s, global_mem u32 *cursors)
{
    u64 arcs = s->out_offset[s->vertices], total = 0;
    u32 units = (u32)((arcs + TRIANGLES_UNIT - 1) / TRIANGLES_UNIT);
    struct distributor work = distributor_open(cursors, s->stats, 0, units, 16, 0, SCHEDULE_STEAL);
    struct unit_range at = {0, 0};
    while (!warp_stops(s->stop) && distributor_next(&work, &at))
        for (u64 unit = at.begin; unit < at.end; unit++)
            total += count_unit(s, unit * TRIANGLES_UNIT, min_u64((unit + 1) * TRIANGLES_UNIT, arcs));
    return total;
}

/* out_offset: a word of 64 bits for each vertex, and one word more. out: a word for each edge. degree: a word for each
 * vertex. part: a word of 64 bits for each warp of all groups. count: an entry for each vertex, zero, if counts is not
 * 0. sums: TRIANGLES_SUMS words, zero. cursors: two words for each group, zero. arrived: see grid_barrier_open().
 * stop: see stop_requested(). */
kernel_entry graph_triangles(global_mem const u64 *offset, global_mem const u32 *target, global_mem u64 *out_offset,
                             global_mem u32 *out, global_mem u32 *degree, global_mem u64 *part, global_mem u64 *count,
                             global_mem u64 *sums, global_mem u32 *cursors, global_mem u64 *arrived, global_mem u32 *stop,
                             u32 vertices, u32 counts)
{
    local_array(u32, filter, FILTER_WORDS * (GWS_GROUP_SIZE / WARP));
    local_array(struct distributor_stats, stats, 1);
    struct triangles s;
    s.offset = offset, s.target = target;
    s.out_offset = out_offset, s.out = out, s.degree = degree, s.part = part;
    s.count = count, s.sums = sums;
    s.filter = filter + warp_id() * FILTER_WORDS;
    s.stats = stats, s.stop = stop;
    s.vertices = vertices, s.counts = counts;
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    for (u32 i = lane_id(); i < FILTER_WORDS; i += WARP) s.filter[i] = 0;
    if (item_id() == 0) stats->exhausted = 0, stats->given = stats->idle = 0;
    find_degrees(&s);
    next_step(&s);
    add_sum(&sums[TRIANGLES_WEDGES], direct_rows(&s, false));
    next_step(&s);
    sum_range(&s);
    next_step(&s);
    place_range(&s);
    next_step(&s);
    (void)direct_rows(&s, true);
    next_step(&s);
    add_sum(&sums[TRIANGLES_FOUND], count_units(&s, cursors));
}

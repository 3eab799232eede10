/* SPDX-License-Identifier: MIT */
/* Copies the rows of incoming arcs with vertices numbered by descending out-degree, in one persistent kernel. The place
 * of a vertex is its new number. Places come from a counting sort. A bucket has one degree below 64, and at most a 32nd
 * of larger degrees above. Vertices of one bucket have any order. Rows keep the order of their arcs.
 *
 * A group counts and places a range of vertices, and then sums up a range of places. */
#define NONE 0xffffffffu

struct order {
    global_mem const u64 *offset, *in_offset;
    global_mem const u32 *source;
    global_mem u32 *number, *vertex, *degree, *counts, *heavy, *heavies;
    global_mem u64 *row, *sums;
    u32 vertices, begin, end; /* begin, end: the range of this group */
    u32 first, items;         /* number of this item among all items, and the number of items */
};

device_inline u64 length_of(global_mem const u64 *offset, u32 v)
{
    return offset[(u64)v + 1] - offset[v];
}

/* Larger degrees have smaller buckets. */
device_inline u32 bucket_of(const struct order *s, u32 v)
{
    u64 degree = min_u64(length_of(s->offset, v), NONE);
    u32 shift = 0;
    while (degree >> shift >= 64) shift++;
    return ORDER_BUCKETS - 1 - (shift * 32 + (u32)(degree >> shift));
}

device_inline void count_degrees(const struct order *s, local_mem u32 *count)
{
    for (u32 b = item_id(); b < ORDER_BUCKETS; b += group_size()) count[b] = 0;
    group_barrier();
    for (u32 v = s->begin + item_id(); v < s->end; v += group_size()) (void)local_add(&count[bucket_of(s, v)], 1u);
    group_barrier();
    for (u32 b = item_id(); b < ORDER_BUCKETS; b += group_size()) s->counts[group_id() * ORDER_BUCKETS + b] = count[b];
}

/* Finds the places of the group's first vertex of each bucket. next, total: ORDER_BUCKETS words each. */
device_inline void find_places(const struct order *s, local_mem u32 *next, local_mem u32 *total)
{
    for (u32 b = item_id(); b < ORDER_BUCKETS; b += group_size()) {
        u32 before = 0, all = 0;
        for (u32 g = 0; g < group_count(); g++) {
            u32 count = word_fresh(&s->counts[g * ORDER_BUCKETS + b]);
            before += g < group_id() ? count : 0;
            all += count;
        }
        next[b] = before;
        total[b] = all;
    }
    group_barrier();
    u32 place = 0;
    for (u32 b = 0; item_id() == 0 && b < ORDER_BUCKETS; b++) {
        next[b] += place;
        place += total[b];
    }
    group_barrier();
}

device_inline void place_vertices(const struct order *s, local_mem u32 *next)
{
    for (u32 v = s->begin + item_id(); v < s->end; v += group_size()) {
        u32 place = local_add(&next[bucket_of(s, v)], 1u);
        s->number[v] = place;
        s->vertex[place] = v;
        s->degree[place] = (u32)length_of(s->offset, v);
    }
}

/* ---- the bounds of rows ---- */

/* The places of an item are consecutive. */
device_inline u32 first_of_item(const struct order *s, u32 item)
{
    u32 each = (s->end - s->begin + group_size() - 1) / group_size();
    return s->begin + min_u32(item * each, s->end - s->begin);
}

/* Writes each item's sum of the lengths of earlier items, and the group's sum to s->sums. */
device_inline void sum_lengths(const struct order *s, local_mem u64 *before)
{
    u64 sum = 0;
    for (u32 p = first_of_item(s, item_id()); p < first_of_item(s, item_id() + 1); p++)
        sum += length_of(s->in_offset, s->vertex[p]);
    before[item_id()] = sum;
    group_barrier();
    u64 all = 0;
    for (u32 i = 0; item_id() == 0 && i < group_size(); i++) {
        u64 more = before[i];
        before[i] = all;
        all += more;
    }
    if (item_id() == 0) s->sums[group_id()] = all;
    group_barrier();
}

device_inline void write_bounds(const struct order *s, local_mem const u64 *before)
{
    u64 at = before[item_id()];
    for (u32 g = 0; g < group_id(); g++) at += long_fresh(&s->sums[g]);
    for (u32 p = first_of_item(s, item_id()); p < first_of_item(s, item_id() + 1); p++) {
        s->row[p] = at;
        at += length_of(s->in_offset, s->vertex[p]);
        if (p + 1 == s->vertices) s->row[s->vertices] = at;
    }
}

/* ---- rows ---- */

/* Copies the row at a place by `items` items, of which this one is number `item`. */
device_inline void copy_row(const struct order *s, global_mem u32 *place, u32 p, u32 item, u32 items)
{
    u64 from = s->in_offset[s->vertex[p]], to = s->row[p], arcs = s->row[(u64)p + 1] - to;
    for (u64 i = item; i < arcs; i += items) place[to + i] = s->number[s->source[from + i]];
}

/* Copies the rows that are not heavy, and lists the others. All items of a warp make the same number of passes. */
device_inline void copy_rows(const struct order *s, global_mem u32 *place)
{
    for (u64 base = s->first - lane_id(); base < s->vertices; base += s->items) {
        u64 p = base + lane_id(), arcs = p < s->vertices ? s->row[p + 1] - s->row[p] : 0;
        if (arcs >= ORDER_HEAVY) s->heavy[word_add(s->heavies, 1)] = (u32)p;
        bool is_long = arcs > 8 && arcs < ORDER_HEAVY;
        for (u32 longs = warp_ballot(is_long); longs; longs &= longs - 1)
            copy_row(s, place, (u32)base + first_bit(longs), lane_id(), WARP);
        if (arcs > 0 && arcs <= 8) copy_row(s, place, (u32)p, 0, 1);
    }
}

/* offset: the outgoing arcs. in_offset, source: the incoming arcs. number: `vertices` words. vertex: the vertex at each
 * place. degree: the out-degree at each place. row: `vertices` + 1 bounds. place: for each incoming arc the place where
 * it begins. counts: ORDER_BUCKETS words for each group. sums: 64 bits for each group. heavy: a word for each heavy
 * row. heavies: a zero word. arrived: see grid_barrier_open(). */
kernel_entry graph_order(global_mem const u64 *offset, global_mem const u64 *in_offset, global_mem const u32 *source,
                         global_mem u32 *number, global_mem u32 *vertex, global_mem u32 *degree, global_mem u64 *row,
                         global_mem u32 *place, global_mem u32 *counts, global_mem u64 *sums, global_mem u32 *heavy,
                         global_mem u32 *heavies, global_mem u64 *arrived, u32 vertices)
{
    local_array(u32, next, ORDER_BUCKETS);
    local_array(u32, total, ORDER_BUCKETS);
    local_array(u64, before, GWS_GROUP_SIZE);
    local_array(u64, idle, 1);
    struct order s;
    struct grid_barrier all;
    u64 each = ((u64)vertices + group_count() - 1) / group_count();
    s.offset = offset;
    s.in_offset = in_offset;
    s.source = source;
    s.number = number;
    s.vertex = vertex;
    s.degree = degree;
    s.row = row;
    s.counts = counts;
    s.sums = sums;
    s.heavy = heavy;
    s.heavies = heavies;
    s.vertices = vertices;
    s.begin = (u32)min_u64(group_id() * each, vertices);
    s.end = (u32)min_u64(s.begin + each, vertices);
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    grid_barrier_open(&all, (global_mem atom64 *)arrived);
    if (item_id() == 0) idle[0] = 0;
    count_degrees(&s, next);
    grid_barrier_wait(&all, idle);
    find_places(&s, next, total);
    place_vertices(&s, next);
    grid_barrier_wait(&all, idle);
    sum_lengths(&s, before);
    grid_barrier_wait(&all, idle);
    write_bounds(&s, before);
    grid_barrier_wait(&all, idle);
    copy_rows(&s, place);
    grid_barrier_wait(&all, idle);
    u32 rows = word_fresh(heavies);
    for (u32 i = 0; i < rows; i++) copy_row(&s, place, heavy[i], s.first, s.items);
}

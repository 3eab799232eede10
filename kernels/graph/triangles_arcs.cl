/* SPDX-License-Identifier: MIT */
/* Triangles of a marked vertex v, for kernels/graph/triangles.cl: for each arc (u, v) the targets that u and v have in
 * common. */
#define TRIANGLES_TEAM (WARP < 16u ? WARP : 16u) /* lanes that read a row together in count_any() */

/* The marked row of vertex v. */
struct marked_row {
    local_mem u32 *bits;
    u32 mask; /* number of words in the bitmap, less one */
    u32 vertex, rank;
    u64 arcs, arcs_end; /* the arcs of the vertex in the graph */
    bool exact;         /* each rank below v has a bit of its own */
};

/* Returns whether the graph has an arc from the marked vertex to the vertex of that rank. */
device_inline bool is_adjacent(const struct triangles *s, const struct marked_row *marked, u32 rank)
{
    u32 wanted = s->order[rank];
    u64 low = marked->arcs, high = marked->arcs_end;
    while (low < high) {
        u64 middle = (low + high) / 2;
        if (s->target[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < marked->arcs_end && s->target[low] == wanted;
}

/* Items mark the vertex's row in the bitmap. */
device_inline void mark_row(const struct triangles *s, const struct marked_row *marked, u32 item, u32 items)
{
    u64 row = s->row[marked->vertex], begin = row_begin(row);
    u32 length = row_length(row);
    bool plain = (row & ROW_PLAIN) != 0;
    for (u32 i = item; i < length; i += items) {
        u32 entry = s->out[begin + i];
        (void)local_or(&marked->bits[entry_word(plain, entry) & marked->mask], entry_bits(plain, entry));
    }
}

device_inline void clear_row(const struct marked_row *marked, u32 item, u32 items)
{
    u32 words = min_u32(marked->rank / 32, marked->mask) + 1;
    for (u32 i = item; i < words; i += items) marked->bits[i] = 0;
}

device_inline struct marked_row marked_row_of(const struct triangles *s, u32 vertex, local_mem u32 *bits, u32 size)
{
    struct marked_row marked;
    marked.bits = bits;
    marked.mask = size / 32 - 1;
    marked.vertex = vertex;
    marked.rank = s->rank[vertex];
    marked.arcs = s->offset[vertex];
    marked.arcs_end = s->offset[(u64)vertex + 1];
    marked.exact = marked.rank <= size;
    return marked;
}

/* ---- rows of 16 ranks a word, and exact bitmaps ---- */

/* A lane's two entries of a row. An entry beyond the row is 0. */
struct entries {
    u32 first, second;
};

device_inline struct entries read_entries(const struct triangles *s, u64 row, u32 at)
{
    global_mem const u32 *out = s->out + row_begin(row) + at;
    struct entries read;
    read.first = at < row_length(row) ? out[0] : 0;
    read.second = at + WARP < row_length(row) ? out[WARP] : 0;
    return read;
}

/* Returns the bits of marked targets of an entry. limit: the upper half of the first entry beyond v. */
device_inline u32 hits_of(const struct marked_row *marked, u32 entry, u32 limit)
{
    bool below = entry >> 16 < limit;
    return below ? marked->bits[entry >> 17] >> (entry >> 12 & 16) & entry & 0xffff : 0;
}

/* A warp looks up the entries of `rows` rows, which are not plain, in an exact bitmap. Lane i has the word of row i.
 * Returns the number of marked targets that the lane has found. The warp reads its next row before it looks up the
 * entries of this one. */
device_inline u32 count_packed(const struct triangles *s, const struct marked_row *marked, u64 row, u32 rows)
{
    u32 limit = (marked->rank + 15) / 16, found = 0;
    u64 its = warp_shuffle_long(row, 0);
    struct entries now = read_entries(s, its, lane_id());
    for (u32 number = 1; number <= rows; number++) {
        u64 next = number < rows ? warp_shuffle_long(row, number) : 0;
        struct entries ahead = read_entries(s, next, lane_id());
        u32 at = lane_id();
        bool more = true;
        while (more) {
            found += bit_count(hits_of(marked, now.first, limit) | hits_of(marked, now.second, limit) << 16);
            bool beyond = warp_ballot(now.second >> 16 >= limit) && (its & ROW_ASCENDS);
            at += 2 * WARP;
            more = !beyond && warp_ballot(at < row_length(its));
            if (more) now = read_entries(s, its, at);
        }
        its = next;
        now = ahead;
    }
    return found;
}

/* ---- all rows and bitmaps ---- */

/* An item confirms marked ranks and counts them. */
device_inline u32 confirm(const struct triangles *s, const struct marked_row *marked, u32 word, u32 bits)
{
    u32 found = 0;
    for (; bits; bits &= bits - 1) {
        u32 rank = 32 * word + first_bit(bits);
        if (rank >= marked->rank || !(marked->exact || is_adjacent(s, marked, rank))) continue;
        found++;
        if (s->counts) word_sum(&s->count[s->order[rank]], (u64)1);
    }
    return found;
}

device_inline void count_for(const struct triangles *s, u32 u, u32 found)
{
    for (u32 step = TRIANGLES_TEAM / 2; step > 0; step /= 2) found += warp_shuffle(found, lane_id() ^ step);
    if (lane_id() % TRIANGLES_TEAM == 0 && found > 0) word_sum(&s->count[u], (u64)found);
}

/* Does the work of count_packed() for all rows and bitmaps, and counts the triangles of each vertex. A team of lanes
 * reads a row. Lane i has u of row i. */
device_inline u32 count_any(const struct triangles *s, const struct marked_row *marked, u64 row, u32 u, u32 rows)
{
    u32 total = 0;
    for (u32 first = 0; first < rows; first += WARP / TRIANGLES_TEAM) {
        u32 number = first + lane_id() / TRIANGLES_TEAM;
        u64 its = warp_shuffle_long(row, number % WARP);
        if (number >= rows) its = 0;
        u64 begin = row_begin(its);
        bool plain = (its & ROW_PLAIN) != 0;
        u32 found = 0;
        for (u32 at = lane_id() % TRIANGLES_TEAM; at < row_length(its); at += TRIANGLES_TEAM) {
            u32 entry = s->out[begin + at], word = entry_word(plain, entry);
            found += confirm(s, marked, word, marked->bits[word & marked->mask] & entry_bits(plain, entry));
        }
        if (s->counts) count_for(s, warp_shuffle(u, number % WARP), found);
        total += found;
    }
    return total;
}

/* ---- arcs to the marked vertex ---- */

/* Returns the position of the set bit that follows `before` others. */
device_inline u32 nth_bit(u32 bits, u32 before)
{
    u32 at = 0;
    for (u32 step = WARP / 2; step > 0; step /= 2) {
        u32 below = bit_count(bits >> at & ((1u << step) - 1));
        if (before >= below) before -= below, at += step;
    }
    return at;
}

/* A warp counts the triangles of at most WARP arcs of the marked vertex. Returns the lane's part. */
device_inline u32 count_batch(const struct triangles *s, const struct marked_row *marked, u64 begin, u64 end)
{
    u64 arc = begin + lane_id(), row = 0;
    u32 u = 0;
    if (arc < end && is_neighbour(s, marked->vertex, marked->arcs, arc)) {
        u = s->target[arc];
        row = s->rank[u] > marked->rank ? s->row[u] : 0;
    }
    if (row_length(row) == 1 && !(row & ROW_ASCENDS)) row = 0; /* the only target is v */
    u32 marks = warp_ballot(row_length(row) > 0), rows = bit_count(marks);
    bool packed = !s->counts && marked->exact && warp_ballot((row & ROW_PLAIN) != 0) == 0;
    u32 from = nth_bit(marks, lane_id()); /* the first lanes get the rows */
    row = warp_shuffle_long(row, from);
    if (packed) return count_packed(s, marked, row, rows);
    return count_any(s, marked, row, warp_shuffle(u, from), rows);
}

/* A warp counts the triangles of arcs begin .. end - 1 of the marked vertex that are its own among `warps` warps. */
device_inline u64 count_arcs(const struct triangles *s, const struct marked_row *marked, u64 begin, u64 end, u32 warp,
                             u32 warps)
{
    u64 found = 0, even = (end - begin + warps - 1) / warps;
    u32 batch = (u32)min_u64(even, WARP);
    for (u64 from = begin + warp * batch; from < end; from += warps * batch)
        found += count_batch(s, marked, from, min_u64(from + batch, end));
    if (s->counts) add_sum(&s->count[marked->vertex], found);
    return found;
}

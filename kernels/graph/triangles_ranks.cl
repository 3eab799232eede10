/* SPDX-License-Identifier: MIT */
/* The ranks of kernels/graph/triangles.cl, which number the vertices by descending degree: a counting sort by keys. */

/* Returns a key that falls when the degree rises. Degrees below 32 have keys of their own, higher degrees share keys
 * with degrees that are at most a sixteenth higher. */
device_inline u32 key_of(u64 degree)
{
    u32 shift = 0;
    degree = min_u64(degree, ~0u);
    while (degree >> shift > TRIANGLES_SHORT) shift++;
    return TRIANGLES_KEYS - 1 - (16 * shift + (u32)(degree >> shift));
}

device_inline u64 group_begin(const struct triangles *s, u32 group)
{
    return (u64)s->vertices * group / group_count();
}

/* Each group counts the keys of its range of vertices, and reserves places among the vertices of each key. */
device_inline void count_keys(const struct triangles *s)
{
    u64 end = group_begin(s, group_id() + 1);
    for (u64 v = group_begin(s, group_id()) + item_id(); v < end; v += group_size())
        (void)local_add(&s->group->bits[key_of(degree_of(s, v))], 1u);
    group_barrier();
    for (u32 key = item_id(); key < TRIANGLES_KEYS; key += group_size()) {
        u32 count = s->group->bits[key];
        if (count > 0) s->group->bits[key] = word_add(&s->words[TRIANGLES_KEY + key], count);
    }
}

/* Turns places among the vertices of a key into ranks. Returns the number of vertices of more than TRIANGLES_SHORT
 * arcs. */
device_inline u32 place_keys(const struct triangles *s)
{
    global_mem const u32 *count = s->words + TRIANGLES_KEY;
    u32 per = (TRIANGLES_KEYS + group_size() - 1) / group_size(), sum = 0, total;
    u32 begin = min_u32(item_id() * per, TRIANGLES_KEYS), end = min_u32(begin + per, TRIANGLES_KEYS);
    for (u32 key = begin; key < end; key++) sum += count[key];
    u32 place = group_prefix(s->group, sum, &total);
    for (u32 key = begin; key < end; key++) {
        s->group->bits[key] += place;
        if (key == key_of(TRIANGLES_SHORT)) s->group->neighbours = place;
        place += count[key];
    }
    group_barrier();
    return s->group->neighbours;
}

/* A warp appends the units of its items' vertices to the list. */
device_inline void append_units(const struct triangles *s, u64 vertex, u64 degree)
{
    u32 chunks = degree < TRIANGLES_HEAVY ? 0 : (u32)((degree + TRIANGLES_CHUNK - 1) / TRIANGLES_CHUNK);
    u32 sum = warp_prefix(chunks), total = warp_shuffle(sum, WARP - 1), at = 0;
    if (total == 0) return;
    if (lane_id() == 0) at = word_add(&s->words[TRIANGLES_UNITS], total);
    at = warp_shuffle(at, 0) + sum - chunks;
    for (u32 chunk = 0; chunk < chunks; chunk++) s->unit[at + chunk] = vertex << 32 | chunk;
}

device_inline void set_ranks(const struct triangles *s)
{
    u64 end = group_begin(s, group_id() + 1);
    for (u64 base = group_begin(s, group_id()) + warp_id() * WARP; base < end; base += group_size()) {
        u64 v = base + lane_id(), degree = v < end ? degree_of(s, v) : 0;
        if (v < end) {
            u32 rank = local_add(&s->group->bits[key_of(degree)], 1u);
            s->rank[v] = rank;
            s->order[rank] = (u32)v;
        }
        append_units(s, v, degree);
    }
    group_barrier();
    for (u32 key = item_id(); key < TRIANGLES_KEYS; key += group_size()) s->group->bits[key] = 0;
    if (item_id() == 0) s->group->neighbours = 0;
}

/* SPDX-License-Identifier: MIT */
/* The rows of a level of betweenness centrality, and the long rows' pieces. Include it after betweenness_state.cl, which
 * explains the computation. */

/* ---- rows ---- */

/* A part of a row: every stride-th arc from begin on. */
struct bc_arcs {
    u64 begin, end;
    u32 stride;
};

/* A warp claims the vertices of its lanes' strips that have no depth yet. A stale depth only costs one more claim. */
device_inline void bc_claim(const struct betweenness *s, const u32 *to, const u32 *depth)
{
    u32 marks[BC_STRIP], total = 0, place = 0;
    bool won[BC_STRIP];
    unrolled for (u32 i = 0; i < BC_STRIP; i++) won[i] =
        depth[i] == NONE && word_cas(&s->depth[to[i]], NONE, s->level + 1) == NONE;
    unrolled for (u32 i = 0; i < BC_STRIP; i++)
    {
        marks[i] = warp_ballot(won[i]);
        total += bit_count(marks[i]);
    }
    if (total == 0) return;
    if (lane_id() == 0) place = word_add(&s->count[BC_FOUND + s->step % 3], total);
    place = s->end + warp_shuffle(place, 0);
    unrolled for (u32 i = 0; i < BC_STRIP; i++)
    {
        if (won[i]) s->queue[place + bit_count(marks[i] & lanes_below())] = to[i];
        place += bit_count(marks[i]);
    }
}

/* A warp scans arcs, which differ in each lane and lie in the row of the lane's vertex. The loads of a strip do not wait
 * for each other. */
device_inline struct bc_sum bc_scan(const struct betweenness *s, u32 flags, u32 vertex, struct bc_arcs arcs)
{
    struct bc_sum sum = bc_zero(s, vertex);
    double sigma = bc_sigma(s, vertex);
    global_mem const u32 *target = flags & BC_SUM && !s->backward ? s->in.target : s->out.target;
    u32 want = !(flags & BC_SUM) ? BC_NO_DEPTH : s->backward ? s->level + 1 : s->level - 1;
    for (u64 arc = arcs.begin; warp_ballot(arc < arcs.end); arc += BC_STRIP * arcs.stride) {
        u32 to[BC_STRIP], depth[BC_STRIP];
        struct bc_sum term[BC_STRIP];
        unrolled for (u32 i = 0; i < BC_STRIP; i++)
        {
            u64 at = arc + i * arcs.stride;
            to[i] = at < arcs.end ? target[at] : NONE;
        }
        unrolled for (u32 i = 0; i < BC_STRIP; i++) depth[i] =
            to[i] != NONE ? word_stale(&s->depth[to[i]]) : BC_NOWHERE;
        unrolled for (u32 i = 0; i < BC_STRIP; i++) if (depth[i] == want) term[i] = bc_term(s, to[i]);
        if (flags & BC_CLAIM) bc_claim(s, to, depth);
        unrolled for (u32 i = 0; i < BC_STRIP; i++)
        {
            if (depth[i] != want) continue;
            if (s->scaled && s->backward) term[i].value *= bc_power(term[i].scale - sum.scale);
            sum = bc_add(sum, term[i], s->backward);
            if (s->arc && s->backward) s->arc[arc + i * arcs.stride] += sigma * term[i].value;
        }
    }
    return sum;
}

device_inline void bc_finish(const struct betweenness *s, u32 vertex, struct bc_sum sum)
{
    if (s->backward) {
        double sigma = s->value[vertex], dependency = sigma * sum.value;
        s->centrality[vertex] += dependency;
        s->value[vertex] = (1 + dependency) / sigma;
        return;
    }
    if (s->scaled && sum.value >= 1 / BC_POWER) {
        sum.value *= BC_POWER;
        sum.scale++;
    }
    s->value[vertex] = sum.value;
    if (s->scaled) s->scale[vertex] = sum.scale;
    if (sum.value > BC_MAX_PATHS || sum.scale > NONE / 2) word_store(&s->count[BC_OVERFLOW], 1);
}

/* Divides a long row into pieces. */
device_inline void bc_divide(const struct betweenness *s, u32 flags, u32 vertex, u64 arcs)
{
    u32 slot = s->step % 3, pieces = (u32)((arcs + BC_PIECE - 1) / BC_PIECE);
    u32 first = word_add(&s->count[BC_PIECES + slot], pieces);
    for (u32 i = 0; i < pieces; i++) {
        s->piece[2 * ((u64)first + i)] = vertex;
        s->piece[2 * ((u64)first + i) + 1] = i | flags << BC_FLAGS;
    }
    if (!(flags & BC_SUM)) return;
    u64 row = word_add(&s->count[BC_ROWS + slot], 1);
    s->row[2 * row] = vertex;
    s->row[2 * row + 1] = first;
}

/* The rows of a warp's vertices, one per lane. */
struct bc_row {
    u32 vertex;
    u64 begin, end;
};

/* A warp scans the rows of the marked lanes. `lanes` lanes share a row. */
device_inline void bc_share_rows(const struct betweenness *s, u32 flags, u32 marks, u32 lanes, struct bc_row row)
{
    while (marks) {
        u32 mine = marks;
        for (u32 i = lanes; i <= lane_id(); i += lanes) mine &= mine - 1;
        u32 lane = mine ? first_bit(mine) : 0, vertex = warp_shuffle(row.vertex, lane);
        struct bc_arcs arcs;
        arcs.begin = warp_shuffle_long(row.begin, lane) + lane_id() % lanes;
        arcs.end = warp_shuffle_long(row.end, lane);
        arcs.end = mine ? arcs.end : 0;
        arcs.stride = lanes;
        struct bc_sum sum = bc_scan(s, flags, vertex, arcs);
        if (flags & BC_SUM) sum = bc_warp_sum(sum, lanes, s->backward);
        if (flags & BC_SUM && mine && lane_id() % lanes == 0) bc_finish(s, vertex, sum);
        for (u32 i = 0; i < WARP; i += lanes) marks &= marks - 1;
    }
}

/* A warp scans the rows of vertices queue[begin] to queue[end - 1], at most WARP. */
device_inline void bc_scan_batch(const struct betweenness *s, u32 flags, u64 begin, u64 end)
{
    const struct bc_rows rows = flags & BC_SUM && !s->backward ? s->in : s->out;
    bool has = begin + lane_id() < end;
    struct bc_row row;
    row.vertex = s->queue[has ? begin + lane_id() : begin];
    row.begin = has ? rows.offset[row.vertex] : 0, row.end = has ? rows.offset[(u64)row.vertex + 1] : 0;
    u64 length = row.end - row.begin, max_own = WARP == 1 ? BC_HEAVY - 1 : BC_SHORT;
    bool divided = length >= BC_HEAVY, own = has && length <= max_own;
    if (divided) bc_divide(s, flags, row.vertex, length);
    struct bc_arcs arcs;
    arcs.begin = row.begin, arcs.end = own ? row.end : row.begin, arcs.stride = 1;
    struct bc_sum sum = bc_scan(s, flags, row.vertex, arcs);
    if (flags & BC_SUM && own) bc_finish(s, row.vertex, sum);
    if (WARP == 1) return;
    bool middle = has && !own && length <= BC_MIDDLE;
    bc_share_rows(s, flags, warp_ballot(middle), BC_LANES, row);
    bc_share_rows(s, flags, warp_ballot(has && length > BC_MIDDLE && !divided), WARP, row);
}

device_inline void bc_scan_range(const struct betweenness *s, u32 flags, u64 begin, u64 end)
{
    bool both = flags == (BC_SUM | BC_CLAIM) && s->in.offset != s->out.offset;
    for (u64 at = begin; at < end; at += WARP) {
        bc_scan_batch(s, both ? BC_SUM : flags, at, min_u64(at + WARP, end));
        if (both) bc_scan_batch(s, BC_CLAIM, at, min_u64(at + WARP, end));
    }
}

/* Scans the rows of the level. A warp's first vertices are fixed. It takes more of them by a cursor. */
device_inline void bc_scan_rows(const struct betweenness *s, u32 flags)
{
    global_mem u32 *taken = &s->count[BC_TAKEN + s->step % 3];
    u32 size = s->end - s->begin;
    u32 per = min_u32((u32)(((u64)size + (u64)s->warps * s->spread - 1) / ((u64)s->warps * s->spread)), BC_BATCH);
    u64 at = (u64)s->warp * per, first = (u64)s->warps * per;
    while (at < size) {
        bc_scan_range(s, flags, s->begin + at, s->begin + min_u64(at + per, size));
        if (first >= size) return;
        u32 next = lane_id() == 0 ? word_add(taken, per) : 0;
        at = first + warp_shuffle(next, 0);
    }
}

/* ---- the long rows of a level ---- */

device_inline void bc_scan_pieces(const struct betweenness *s, u32 pieces)
{
    for (u64 p = s->warp; p < pieces; p += s->warps) {
        u32 vertex = s->piece[2 * p], word = s->piece[2 * p + 1], flags = word >> BC_FLAGS;
        global_mem const u64 *offset = flags & BC_SUM && !s->backward ? s->in.offset : s->out.offset;
        u64 begin = offset[vertex] + (u64)(word & ((1u << BC_FLAGS) - 1)) * BC_PIECE;
        u64 end = min_u64(begin + BC_PIECE, offset[(u64)vertex + 1]);
        struct bc_arcs arcs;
        arcs.begin = begin + lane_id(), arcs.end = end, arcs.stride = WARP;
        struct bc_sum sum = bc_warp_sum(bc_scan(s, flags, vertex, arcs), WARP, s->backward);
        if (lane_id() != 0) continue;
        s->partial[p] = sum.value;
        s->part_scale[p] = sum.scale;
    }
}

device_inline void bc_add_pieces(const struct betweenness *s, u32 long_rows)
{
    global_mem const u64 *offset = s->backward ? s->out.offset : s->in.offset;
    for (u64 r = s->warp; r < long_rows; r += s->warps) {
        u32 vertex = s->row[2 * r];
        u64 first = s->row[2 * r + 1];
        u64 end = first + (offset[(u64)vertex + 1] - offset[vertex] + BC_PIECE - 1) / BC_PIECE;
        struct bc_sum sum = bc_zero(s, vertex);
        for (u64 p = first + lane_id(); p < end; p += WARP) {
            struct bc_sum part;
            part.value = s->partial[p];
            part.scale = s->part_scale[p];
            sum = bc_add(sum, part, s->backward);
        }
        sum = bc_warp_sum(sum, WARP, s->backward);
        if (lane_id() == 0) bc_finish(s, vertex, sum);
    }
}

/* SPDX-License-Identifier: MIT */
/* The dependencies of one source for betweenness centrality (Brandes 2001), in one persistent kernel: state, rows and
 * sums.
 *
 * The outward pass does two things with each row. It claims the vertices without a depth for the next level. It also
 * adds up the values of the neighbours in the previous level. The sum is sigma, the number of shortest paths. The
 * inward pass adds up the values of the neighbours in the next level. value[v] is sigma(v), and then (1 + delta(v)) /
 * sigma(v). So both passes compute the same sum over a row, and only claims are atomic. traversal/graph/betweenness/
 * has the same method for threads and explains value and scale.
 *
 * A warp takes WARP vertices of the level. A lane handles a short row, and the whole warp handles a longer row. Rows of
 * at least BC_HEAVY arcs become pieces, which all warps share in a second step. A third step adds up the sums of the
 * pieces. One group runs a series of narrow levels while the other groups wait. */
#define NONE 0xffffffffu
#define BC_SHORT 16u /* max arcs of a row that a lane handles */
#define BC_SUM 1u    /* flags of a pass over a row */
#define BC_CLAIM 2u
#define BC_FLAGS 30u /* first bit of the flags in a piece's number */

#if defined __OPENCL_C_VERSION__ && !defined cl_khr_fp64
#error this device has no numbers of double precision
#endif
#define BC_POWER 0x1p-512 /* one step of scale */
#define BC_MAX_PATHS 0x1p1000

struct bc_sum {
    double value;
    u32 scale;
};

struct bc_rows {
    global_mem const u64 *offset;
    global_mem const u32 *target;
};

struct betweenness {
    struct bc_rows out, in;
    global_mem u32 *depth, *queue, *first; /* first: position of each level in queue */
    global_mem double *value, *centrality, *partial;
    global_mem u32 *scale, *part_scale;
    global_mem u32 *row, *piece; /* two words each. row: vertex, first piece; piece: vertex, the piece's number */
    global_mem u32 *count;       /* BC_COUNTS words */
    u32 vertices, narrow;
    bool scaled, backward, alone; /* alone: no other group runs the level */
    u32 warp, warps;              /* number of this warp in the level, and number of warps */
    u32 step, level, begin, end;  /* the level is queue[begin] .. queue[end - 1] */
    struct grid_barrier all;
    local_mem u64 *idle;
    global_mem u32 *stop; /* see stop_requested() */
    bool stopped;         /* the host has cancelled the run */
};

device_inline void bc_barrier(struct betweenness *s)
{
    if (s->alone)
        group_barrier();
    else
        grid_barrier_wait(&s->all, s->idle);
}

/* ---- sums ---- */

/* Returns 2^(-512 * steps), or 0 for powers too small to change a sum of doubles. */
device_inline double bc_power(u32 steps)
{
    return steps == 0 ? 1.0 : steps == 1 ? BC_POWER : 0.0;
}

device_inline struct bc_sum bc_add(struct bc_sum a, struct bc_sum b, bool backward)
{
    if (backward || a.scale == b.scale)
        a.value += b.value;
    else if (a.scale > b.scale)
        a.value += b.value * bc_power(a.scale - b.scale);
    else {
        a.value = b.value + a.value * bc_power(b.scale - a.scale);
        a.scale = b.scale;
    }
    return a;
}

/* Returns the sum over a warp to all items of the warp. */
device_inline struct bc_sum bc_warp_sum(struct bc_sum sum, bool backward)
{
    for (u32 step = WARP / 2; step > 0; step /= 2) {
        union {
            double value;
            u64 bits;
        } other;
        struct bc_sum its;
        other.value = sum.value;
        other.bits = warp_shuffle_long(other.bits, lane_id() ^ step);
        its.value = other.value;
        its.scale = warp_shuffle(sum.scale, lane_id() ^ step);
        sum = bc_add(sum, its, backward);
    }
    return sum;
}

/* Returns the sum of no arcs. A backward sum is relative to the vertex's scale, which is at most the scale of its
 * successors. */
device_inline struct bc_sum bc_zero(const struct betweenness *s, u32 vertex)
{
    struct bc_sum sum;
    sum.value = 0;
    sum.scale = s->scaled && s->backward ? s->scale[vertex] : 0;
    return sum;
}

device_inline struct bc_sum bc_term(const struct betweenness *s, struct bc_sum sum, u32 from)
{
    struct bc_sum term;
    term.value = s->value[from];
    term.scale = s->scaled ? s->scale[from] : 0;
    if (s->scaled && s->backward) term.value *= bc_power(term.scale - sum.scale);
    return bc_add(sum, term, s->backward);
}

/* ---- rows ---- */

device_inline void bc_claim(const struct betweenness *s, u32 to)
{
    if (word_cas(&s->depth[to], NONE, s->level + 1) != NONE) return;
    s->queue[s->end + word_add(&s->count[BC_FOUND + s->step % 3], 1)] = to;
}

/* Scans every `stride`-th arc, starting at begin. A stale depth only costs one more claim. */
device_inline struct bc_sum bc_scan(const struct betweenness *s, u32 flags, u32 vertex, u64 begin, u64 end, u32 stride)
{
    global_mem const u32 *target = flags & BC_SUM && !s->backward ? s->in.target : s->out.target;
    u32 want = s->backward ? s->level + 1 : s->level - 1;
    struct bc_sum sum = bc_zero(s, vertex);
    for (u64 arc = begin; arc < end; arc += stride) {
        u32 to = target[arc], depth = word_stale(&s->depth[to]);
        if (flags & BC_SUM && depth == want) sum = bc_term(s, sum, to);
        if (flags & BC_CLAIM && depth == NONE) bc_claim(s, to);
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

/* Scans the rows of the level. All lanes of a warp call this function. */
device_inline void bc_scan_rows(const struct betweenness *s, u32 flags)
{
    const struct bc_rows rows = flags & BC_SUM && !s->backward ? s->in : s->out;
    for (u64 i = s->begin + (u64)s->warp * WARP; i < s->end; i += (u64)s->warps * WARP) {
        bool has = i + lane_id() < s->end;
        u32 vertex = has ? s->queue[i + lane_id()] : 0;
        u64 begin = has ? rows.offset[vertex] : 0, end = has ? rows.offset[(u64)vertex + 1] : 0;
        bool divided = end - begin >= BC_HEAVY, own = WARP == 1 || end - begin <= BC_SHORT;
        if (divided) bc_divide(s, flags, vertex, end - begin);
        if (has && !divided && own) {
            struct bc_sum sum = bc_scan(s, flags, vertex, begin, end, 1);
            if (flags & BC_SUM) bc_finish(s, vertex, sum);
        }
        for (u32 rest = warp_ballot(has && !divided && !own); rest; rest &= rest - 1) {
            u32 lane = first_bit(rest), its = warp_shuffle(vertex, lane);
            u64 from = warp_shuffle_long(begin, lane), until = warp_shuffle_long(end, lane);
            struct bc_sum sum = bc_scan(s, flags, its, from + lane_id(), until, WARP);
            if (!(flags & BC_SUM)) continue;
            sum = bc_warp_sum(sum, s->backward);
            if (lane_id() == 0) bc_finish(s, its, sum);
        }
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
        struct bc_sum sum = bc_warp_sum(bc_scan(s, flags, vertex, begin + lane_id(), end, WARP), s->backward);
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
        sum = bc_warp_sum(sum, s->backward);
        if (lane_id() == 0) bc_finish(s, vertex, sum);
    }
}

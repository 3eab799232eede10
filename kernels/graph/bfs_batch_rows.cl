/* SPDX-License-Identifier: MIT */
/* Breadth-first searches from up to 64 or 256 sources at once, one bit for each source (MS-BFS: Then et al., "The More
 * the Merrier", PVLDB 8 (4), 2014), in one persistent kernel: state, rows and counts. traversal/engine/batch.h has the
 * same method for threads.
 *
 * State encoding. A vertex has `words` words in each of two arrays: seen (bits of the searches that have reached it up
 * to the current depth) and before (up to the depth before). Both differ at the frontier and nowhere else. A level adds
 * bits to `before`, which becomes the next `seen`. A level may pass on all bits of a neighbour in place of those of the
 * frontier, because all neighbours have the older bits already. A level pulls or pushes. Pull reads the row of each
 * vertex until no further search can reach the vertex. Push reads the rows of a list of the frontier and adds bits by
 * atomic operations. It lists each vertex that it touches once. With one word, the item whose operation adds the first
 * new bit lists the vertex; with several words, the item that sets the stamp in `mark`. A second step counts the listed
 * vertices.
 *
 * A warp takes WARP rows. A lane handles a short row, and the whole warp handles a longer row. Rows of at least
 * BATCH_PIECE arcs have pieces, which all warps share. Pull adds the bits of pieces by atomic operations. */
#define BATCH_SHORT 32u /* max arcs of a row that a lane handles */
#define BATCH_STRIP 4u  /* arcs that pull reads between two tests for searches that can still reach the vertex */

#if defined __OPENCL_C_VERSION__ && !defined cl_khr_fp64
#error this device has no numbers of double precision
#endif

struct batch_bits {
    u64 word[BATCH_WORDS];
};

struct batch_rows {
    global_mem const u64 *offset;
    global_mem const u32 *target;
    global_mem u32 *piece; /* two words each: vertex, number of the piece in the row */
    u32 pieces;
};

/* What one lane has counted at a depth. count[k] belongs to source k * WARP + lane_id(). */
struct batch_tally {
    u64 arcs;
    u32 size;
    u32 count[BATCH_SOURCES / WARP];
};

struct batch {
    struct batch_rows out, in;
    global_mem u64 *seen, *before;
    global_mem u32 *mark, *list, *touched, *count;
    global_mem u32 *distance; /* for each source, `vertices` entries of `width` bytes */
    u32 width, base;          /* width 0: no distances. base: the row of the batch's first source */
    global_mem u64 *arcs;  /* for each slot: arcs of the frontier */
    struct batch_bits all; /* the bits of all sources */
    u32 vertices, sources, depth;
    bool listed;     /* list holds the frontier */
    u32 warp, warps; /* number of this warp among all warps, and number of warps */
    struct grid_barrier grid;
    local_mem u64 *sums; /* of the group: idle ticks, arcs, size */
    local_mem u32 *found;
    global_mem u32 *stop; /* see stop_requested() */
};

device_inline void batch_barrier(struct batch *s)
{
    grid_barrier_wait(&s->grid, s->sums);
}

device_inline global_mem u32 *batch_slot(const struct batch *s, u32 depth)
{
    return s->count + BATCH_SLOT + depth % BATCH_SLOTS * BATCH_SLOT_WORDS;
}

/* ---- bits ---- */

device_inline struct batch_bits batch_load(global_mem const u64 *array, u64 vertex, bool has, const u32 words)
{
    struct batch_bits bits;
    for (u32 w = 0; w < words; w++) bits.word[w] = has ? array[vertex * words + w] : 0;
    return bits;
}

/* Returns the bits of the vertex in `level` that are not yet in `base`. Items may add bits to both arrays meanwhile. */
device_inline struct batch_bits batch_new(global_mem u64 *level, global_mem u64 *base, u64 vertex, bool has,
                                          const u32 words)
{
    struct batch_bits bits;
    for (u32 w = 0; w < words; w++)
        bits.word[w] = has ? long_fresh(&level[vertex * words + w]) & ~long_fresh(&base[vertex * words + w]) : 0;
    return bits;
}

device_inline bool batch_any(struct batch_bits bits, const u32 words)
{
    u64 any = 0;
    for (u32 w = 0; w < words; w++) any |= bits.word[w];
    return any != 0;
}

/* ---- counts ---- */

/* Counts the bits of one word of 32 bits in each lane. All lanes of a warp call this function. */
#if WARP == 1
device_inline void batch_count_part(struct batch_tally *tally, u32 part, u32 bits)
{
    for (; bits; bits &= bits - 1) tally->count[32 * part + first_bit(bits)]++;
}
#else
/* Transposes a square of 32 by 32 bits (Warren, "Hacker's Delight", 7-3). Lane i then has bit i of all lanes. */
device_inline void batch_count_part(struct batch_tally *tally, u32 part, u32 bits)
{
    u32 mask = 0x0000ffffu;
    if (!warp_ballot(bits != 0)) return;
    for (u32 step = 16; step > 0; step /= 2, mask ^= mask << step) {
        u32 other = warp_shuffle(bits, lane_id() ^ step);
        bits = lane_id() & step ? (bits & ~mask) | (other >> step & mask) : (bits & mask) | (other & mask) << step;
    }
    tally->count[part] += bit_count(bits);
}
#endif

/* Stores the depth as the distance of a source of the batch to a vertex. */
device_inline void batch_store_distance(const struct batch *s, u32 source, u64 vertex)
{
    u64 at = ((u64)s->base + source) * s->vertices + vertex;
    if (s->width == 1)
        ((global_mem unsigned char *)s->distance)[at] = (unsigned char)s->depth;
    else if (s->width == 2)
        ((global_mem unsigned short *)s->distance)[at] = (unsigned short)s->depth;
    else
        s->distance[at] = s->depth;
}

device_inline void batch_store_distances(const struct batch *s, u64 vertex, struct batch_bits bits, const u32 words)
{
    for (u32 part = 0; part < 2 * words; part++)
        for (u32 rest = (u32)(bits.word[part / 2] >> (part % 2 * 32)); rest; rest &= rest - 1)
            batch_store_distance(s, 32 * part + first_bit(rest), vertex);
}

/* Counts the new bits of a vertex in each lane. All lanes of a warp call this function. A lane without a
 * vertex has no bits. */
device_inline void batch_reach(const struct batch *s, struct batch_tally *tally, u64 vertex, struct batch_bits bits,
                               const u32 words)
{
    bool any = batch_any(bits, words);
    if (any) {
        tally->size++;
        tally->arcs += s->out.offset[vertex + 1] - s->out.offset[vertex];
        if (s->width > 0) batch_store_distances(s, vertex, bits, words);
    }
    if (!warp_ballot(any)) return;
    for (u32 part = 0; part < 2 * words; part++)
        batch_count_part(tally, part, (u32)(bits.word[part / 2] >> (part % 2 * 32)));
}

/* ---- pull ---- */

/* Returns the bits that are new to the vertex in every `stride`-th arc, starting at begin. */
device_inline struct batch_bits batch_pull_row(const struct batch *s, u64 vertex, u64 begin, u64 end, u32 stride,
                                               const u32 words)
{
    struct batch_bits found, missing;
    u64 more = 0, arc = begin;
    for (u32 w = 0; w < words; w++) {
        found.word[w] = 0;
        missing.word[w] = s->all.word[w] & ~s->seen[vertex * words + w];
        more |= missing.word[w];
    }
    while (more && arc < end) {
        u64 until = min_u64(arc + BATCH_STRIP * stride, end);
        for (; arc < until; arc += stride) {
            global_mem const u64 *seen = s->seen + (u64)s->in.target[arc] * words;
            for (u32 w = 0; w < words; w++) found.word[w] |= seen[w];
        }
        more = 0;
        for (u32 w = 0; w < words; w++) more |= missing.word[w] & ~found.word[w];
    }
    for (u32 w = 0; w < words; w++) found.word[w] &= missing.word[w];
    return found;
}

/* Returns the union of the bits of all lanes to all lanes. */
device_inline struct batch_bits batch_warp_or(struct batch_bits bits, const u32 words)
{
    for (u32 w = 0; w < words; w++)
        for (u32 step = WARP / 2; step > 0; step /= 2)
            bits.word[w] |= warp_shuffle_long(bits.word[w], lane_id() ^ step);
    return bits;
}

/* Pulls the rows of all vertices except long rows. */
device_inline void batch_pull_rows(const struct batch *s, struct batch_tally *tally, const u32 words)
{
    for (u64 base = (u64)s->warp * WARP; base < s->vertices; base += (u64)s->warps * WARP) {
        u64 vertex = base + lane_id();
        bool has = vertex < s->vertices;
        u64 begin = has ? s->in.offset[vertex] : 0, end = has ? s->in.offset[vertex + 1] : 0;
        bool divided = end - begin >= BATCH_PIECE, own = WARP == 1 || end - begin <= BATCH_SHORT;
        struct batch_bits found = batch_load(s->seen, 0, false, words);
        if (has && own && !divided) found = batch_pull_row(s, vertex, begin, end, 1, words);
        for (u32 rest = warp_ballot(has && !own && !divided); rest; rest &= rest - 1) {
            u32 lane = first_bit(rest);
            u64 from = warp_shuffle_long(begin, lane), until = warp_shuffle_long(end, lane);
            struct batch_bits all = batch_warp_or(
                batch_pull_row(s, warp_shuffle_long(vertex, lane), from + lane_id(), until, WARP, words), words);
            if (lane_id() == lane) found = all;
        }
        for (u32 w = 0; has && !divided && w < words; w++)
            s->before[vertex * words + w] = s->seen[vertex * words + w] | found.word[w];
        batch_reach(s, tally, vertex, found, words);
    }
}

device_inline void batch_pull_pieces(const struct batch *s, const u32 words)
{
    for (u64 p = s->warp; p < s->in.pieces; p += s->warps) {
        u64 vertex = s->in.piece[2 * p], begin = s->in.offset[vertex] + (u64)s->in.piece[2 * p + 1] * BATCH_PIECE;
        u64 end = min_u64(begin + BATCH_PIECE, s->in.offset[vertex + 1]);
        struct batch_bits found = batch_warp_or(batch_pull_row(s, vertex, begin + lane_id(), end, WARP, words), words);
        bool first = s->in.piece[2 * p + 1] == 0;
        for (u32 w = 0; lane_id() == 0 && w < words; w++) {
            u64 bits = found.word[w] | (first ? s->seen[vertex * words + w] : 0);
            if (bits) (void)long_or(&s->before[vertex * words + w], bits);
        }
    }
}

/* Reaches the vertices of long rows, once all pieces have run. */
device_inline void batch_finish_pieces(const struct batch *s, struct batch_tally *tally, const u32 words)
{
    for (u64 base = (u64)s->warp * WARP; base < s->in.pieces; base += (u64)s->warps * WARP) {
        u64 p = base + lane_id();
        bool has = p < s->in.pieces && s->in.piece[2 * p + 1] == 0;
        u64 vertex = has ? s->in.piece[2 * p] : 0;
        batch_reach(s, tally, vertex, batch_new(s->before, s->seen, vertex, has, words), words);
    }
}

/* ---- push ---- */

/* A warp lists the touched vertex of each marked lane, unless another warp has listed it. */
device_inline void batch_touch(const struct batch *s, u32 to, bool mark, const u32 words)
{
    bool lists = mark && (words == 1 || word_max(&s->mark[to], s->depth + 1) <= s->depth);
    u32 place = warp_reserve(&batch_slot(s, s->depth)[BATCH_TOUCHED], lists);
    if (lists) s->touched[place] = to;
}

/* A warp pushes along every `stride`-th arc of each lane's row, starting at begin. */
device_inline void batch_push_row(const struct batch *s, u64 vertex, u64 begin, u64 end, u32 stride, const u32 words)
{
    struct batch_bits front = batch_load(s->seen, vertex, begin < end, words);
    for (u64 arc = begin; warp_ballot(arc < end); arc += stride) {
        u64 to = arc < end ? s->out.target[arc] : 0;
        bool first = false;
        for (u32 w = 0; arc < end && w < words; w++) {
            u64 seen = s->seen[to * words + w], bits = front.word[w] & ~seen;
            if (!(bits & ~long_fresh(&s->before[to * words + w]))) continue;
            if ((long_or(&s->before[to * words + w], bits) & ~seen) == 0) first = true;
        }
        batch_touch(s, (u32)to, first, words);
    }
}

/* Pushes the rows of the listed frontier except long rows. */
device_inline void batch_push_rows(const struct batch *s, u32 size, const u32 words)
{
    for (u64 base = (u64)s->warp * WARP; base < size; base += (u64)s->warps * WARP) {
        bool has = base + lane_id() < size;
        u64 vertex = has ? s->list[base + lane_id()] : 0;
        u64 begin = has ? s->out.offset[vertex] : 0, end = has ? s->out.offset[vertex + 1] : 0;
        bool divided = end - begin >= BATCH_PIECE, own = WARP == 1 || end - begin <= BATCH_SHORT;
        batch_push_row(s, vertex, begin, own && !divided ? end : begin, 1, words);
        for (u32 rest = warp_ballot(has && !own && !divided); rest; rest &= rest - 1) {
            u32 lane = first_bit(rest);
            u64 from = warp_shuffle_long(begin, lane), until = warp_shuffle_long(end, lane);
            batch_push_row(s, warp_shuffle_long(vertex, lane), from + lane_id(), until, WARP, words);
        }
    }
}

device_inline void batch_push_pieces(const struct batch *s, const u32 words)
{
    for (u64 p = s->warp; p < s->out.pieces; p += s->warps) {
        u64 vertex = s->out.piece[2 * p], begin = s->out.offset[vertex] + (u64)s->out.piece[2 * p + 1] * BATCH_PIECE;
        if (!batch_any(batch_new(s->seen, s->before, vertex, true, words), words)) continue;
        batch_push_row(s, vertex, begin + lane_id(), min_u64(begin + BATCH_PIECE, s->out.offset[vertex + 1]), WARP,
                       words);
    }
}

/* Reaches the vertices that push has touched. Completes the bits of the old frontier, of which `before` lacks some. */
device_inline void batch_reach_touched(const struct batch *s, struct batch_tally *tally, u32 size, const u32 words)
{
    u32 touched = word_fresh(&batch_slot(s, s->depth)[BATCH_TOUCHED]);
    for (u64 base = (u64)s->warp * WARP; base < touched; base += (u64)s->warps * WARP) {
        bool has = base + lane_id() < touched;
        u64 vertex = has ? s->touched[base + lane_id()] : 0;
        batch_reach(s, tally, vertex, batch_new(s->before, s->seen, vertex, has, words), words);
    }
    for (u64 i = (u64)s->warp * WARP + lane_id(); i < size; i += (u64)s->warps * WARP)
        for (u64 at = (u64)s->list[i] * words; at < ((u64)s->list[i] + 1) * words; at++)
            (void)long_or(&s->before[at], s->seen[at]);
}

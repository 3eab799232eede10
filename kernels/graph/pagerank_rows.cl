/* SPDX-License-Identifier: MIT */
/* The steps of PageRank in a persistent kernel, by pull (pagerank.cl, pagerank_parted.cl).
 * traversal/graph/pagerank/state.h explains shares, which are the same here. With an index (order.cl), rows and shares
 * are those of places, and only the ranks are those of vertices.
 *
 * A device may own a part of the vertices. Then the pointers to the arrays of the part lie before these, so that
 * vertices have their numbers in the whole graph. Each device has all shares, and writes those of its part to the
 * others.
 *
 * The first step lists the vertices by the length of their rows. One lane sums up a short row, a team of
 * PAGERANK_TEAM lanes a middle one, and a warp a long one. In a sparse graph nearly all rows are short, so short and
 * middle rows are not listed, and one lane sums up each of them. Heavy rows consist of pieces, and a warp sums up each
 * piece. Lanes add in double. All other sums are integers, multiples of 2^-60, so the order of additions does not
 * change them. Ranks do not depend on the number of groups.
 *
 * The sums have three generations. The previous iteration filled the first one. This iteration fills the second one and
 * clears the third one for the next iteration. */
#define NONE 0xffffffffu
#define PAGERANK_TEAM (WARP < 8u ? WARP : 8u)

/* In local memory: the arrays of shares on the other devices. */
struct pagerank_copies {
    global_mem SHARE *shares[PAGERANK_DEVICES];
    u32 count;
};

struct pagerank {
    global_mem const u64 *in_offset, *offset;
    global_mem const u32 *source;
    global_mem const u32 *vertex, *degree; /* the vertex and the out-degree at each place; 0: vertices are places */
    global_mem const u32 *restarts;        /* each vertex's number of entries in the list of sources, if `personal` */
    global_mem SHARE *now, *next;
    global_mem SHARE *both;                   /* the array that contains now and next, as copies->shares do */
    local_mem struct pagerank_copies *copies; /* null: one device */
    global_mem u32 *listed;    /* the vertices with short rows from the start, with middle rows from the end */
    global_mem u32 *long_row;  /* the vertices with long rows */
    global_mem u32 *heavy;     /* for each heavy row: the vertex, and its first piece */
    global_mem u32 *piece;     /* the heavy row of each piece */
    global_mem u64 *heavy_sum; /* sum of each heavy row; 0 between iterations */
    global_mem u64 *sums;
    double damping, restart; /* restart: the rank that each entry of the list gets */
    u32 begin, vertices;     /* the first vertex of the part, and the number of its vertices */
    u32 personal;
    bool dense;       /* the first step lists short and middle rows */
    u32 first, items; /* number of this item among all items, and the number of items */
};

/* The sums that one item computes in an iteration. */
struct pagerank_tally {
    u64 error, given, total;
};

device_inline u64 to_fixed(double value)
{
    return (u64)(value * 1152921504606846976.0);
}

device_inline double from_fixed(u64 value)
{
    return (double)value / 1152921504606846976.0;
}

/* Returns the sum over `lanes` neighbouring lanes to all of them. lanes is a power of two. */
device_inline u64 lanes_sum(u64 value, u32 lanes)
{
    for (u32 step = lanes / 2; step > 0; step /= 2) value += warp_shuffle_long(value, lane_id() ^ step);
    return value;
}

device_inline double degree_of(const struct pagerank *s, u64 v)
{
    return s->degree ? (double)s->degree[v] : (double)(s->offset[v + 1] - s->offset[v]);
}

device_inline double restarts_of(const struct pagerank *s, u64 v)
{
    return s->personal ? s->restarts[s->vertex ? s->vertex[v] : v] * s->restart : s->restart;
}

/* A pass reads four arcs, and then the four shares. The reads do not wait for each other. */
device_inline u64 sum_arcs(const struct pagerank *s, u64 begin, u64 end, u32 stride)
{
    double sum = 0;
    for (u64 arc = begin; arc < end; arc += 4 * (u64)stride) {
        u32 from[4];
        SHARE share[4];
        unrolled for (u32 i = 0; i < 4; i++) from[i] = arc + i * stride < end ? s->source[arc + i * stride] : NONE;
        unrolled for (u32 i = 0; i < 4; i++) share[i] = from[i] != NONE ? s->now[from[i]] : 0;
        sum += ((double)share[0] + (double)share[1]) + ((double)share[2] + (double)share[3]);
    }
    return to_fixed(sum);
}

device_inline void write_share(const struct pagerank *s, global_mem SHARE *shares, u64 v, double rank,
                               struct pagerank_tally *tally)
{
    double degree = degree_of(s, v), parts = degree > 0 ? degree : 1;
    SHARE share = (SHARE)(rank / parts);
    shares[v] = share;
    /* No row reads the share of a vertex without outgoing arcs. */
    for (u32 i = 0; s->copies && degree > 0 && i < s->copies->count; i++)
        s->copies->shares[i][(u64)(shares - s->both) + v] = share;
    tally->given += to_fixed((double)share * degree);
    tally->total += to_fixed((double)share * parts);
}

device_inline double rank_of(const struct pagerank *s, u64 v)
{
    double degree = degree_of(s, v);
    return (double)s->now[v] * (degree > 0 ? degree : 1);
}

device_inline void finish_vertex(const struct pagerank *s, u64 v, u64 sum, struct pagerank_tally *tally)
{
    double old = rank_of(s, v), rank = s->damping * from_fixed(sum) + restarts_of(s, v);
    tally->error += to_fixed(rank > old ? rank - old : old - rank);
    write_share(s, s->next, v, rank, tally);
}

/* ---- steps ---- */

device_inline void divide_row(const struct pagerank *s, u32 v, u64 arcs, global_mem u32 *count)
{
    u32 pieces = (u32)((arcs + PAGERANK_PIECE - 1) / PAGERANK_PIECE);
    u32 row = word_add(&count[PAGERANK_HEAVY], 1), at = word_add(&count[PAGERANK_PIECES], pieces);
    s->heavy[2 * (u64)row] = v;
    s->heavy[2 * (u64)row + 1] = at;
    s->heavy_sum[row] = 0;
    for (u32 i = 0; i < pieces; i++) s->piece[at + i] = row;
}

/* Lists a row. All lanes of a warp call the function; a lane without a row passes NONE. */
device_inline void list_row(const struct pagerank *s, u32 v, u64 arcs, global_mem u32 *count)
{
    bool is_short = s->dense && v != NONE && arcs <= PAGERANK_SHORT;
    bool is_middle = s->dense && arcs > PAGERANK_SHORT && arcs <= PAGERANK_MIDDLE;
    bool is_long = arcs > PAGERANK_MIDDLE && arcs < PAGERANK_PIECE;
    u32 place = warp_reserve(&count[PAGERANK_SHORTS], is_short);
    if (is_short) s->listed[place] = v;
    place = warp_reserve(&count[PAGERANK_MIDDLES], is_middle);
    if (is_middle) s->listed[s->vertices - 1 - place] = v;
    place = warp_reserve(&count[PAGERANK_LONGS], is_long);
    if (is_long) s->long_row[place] = v;
    if (arcs >= PAGERANK_PIECE) divide_row(s, v, arcs, count);
}

/* Writes the first shares and lists the rows. All lanes of a warp make the same number of passes. */
device_inline void begin_ranks(const struct pagerank *s, global_mem u32 *count, struct pagerank_tally *tally)
{
    for (u64 base = s->first - lane_id(); base < s->vertices; base += s->items) {
        u64 v = s->begin + base + lane_id(), arcs = 0;
        bool mine = base + lane_id() < s->vertices;
        if (mine) arcs = s->in_offset[v + 1] - s->in_offset[v];
        if (mine) write_share(s, s->now, v, restarts_of(s, v), tally);
        list_row(s, mine ? (u32)v : NONE, arcs, count);
    }
}

/* Pulls the rows of `rows` vertices by teams of `width` lanes. list: 0: the first vertices of the part, of which only
 * those with short and middle rows count. All lanes of a warp make the same number of passes. */
device_inline void pull_rows(const struct pagerank *s, global_mem const u32 *list, u32 rows, u32 width,
                             struct pagerank_tally *tally)
{
    u32 teams = WARP / width, lane = lane_id() % width;
    u64 step = (u64)(s->items / WARP) * teams;
    for (u64 base = (u64)(s->first / WARP) * teams; base < rows; base += step) {
        u64 i = base + lane_id() / width, begin = 0, end = 0;
        u32 v = i >= rows ? NONE : list ? list[i] : s->begin + (u32)i;
        if (v != NONE) {
            begin = s->in_offset[v];
            end = s->in_offset[(u64)v + 1];
        }
        if (!list && end - begin > PAGERANK_MIDDLE) v = NONE, end = begin;
        u64 sum = lanes_sum(sum_arcs(s, begin + lane, end, width), width);
        if (v != NONE && lane == 0) finish_vertex(s, v, sum, tally);
    }
}

device_inline void pull_pieces(const struct pagerank *s, u32 pieces)
{
    for (u32 i = s->first / WARP; i < pieces; i += s->items / WARP) {
        u32 row = s->piece[i], vertex = s->heavy[2 * (u64)row];
        u64 begin = s->in_offset[vertex] + (u64)(i - s->heavy[2 * (u64)row + 1]) * PAGERANK_PIECE;
        u64 end = min_u64(begin + PAGERANK_PIECE, s->in_offset[(u64)vertex + 1]);
        u64 sum = lanes_sum(sum_arcs(s, begin + lane_id(), end, WARP), WARP);
        if (lane_id() == 0) word_sum(&s->heavy_sum[row], sum);
    }
}

device_inline void finish_heavy(const struct pagerank *s, u32 rows, struct pagerank_tally *tally)
{
    for (u32 row = s->first; row < rows; row += s->items) {
        finish_vertex(s, s->heavy[2 * (u64)row], s->heavy_sum[row], tally);
        s->heavy_sum[row] = 0;
    }
}

device_inline void clear_tally(struct pagerank_tally *tally)
{
    tally->error = tally->given = tally->total = 0;
}

/* The lengths of the lists that the first step makes. */
struct pagerank_lists {
    u32 rows, pieces, shorts, middles, longs; /* rows: heavy ones */
};

/* Reads them after the barrier that ends the first step. */
device_inline struct pagerank_lists read_lists(global_mem u32 *count)
{
    struct pagerank_lists l;
    l.rows = word_fresh(&count[PAGERANK_HEAVY]), l.pieces = word_fresh(&count[PAGERANK_PIECES]);
    l.shorts = word_fresh(&count[PAGERANK_SHORTS]), l.middles = word_fresh(&count[PAGERANK_MIDDLES]);
    l.longs = word_fresh(&count[PAGERANK_LONGS]);
    return l;
}

/* Pulls all rows in an iteration. The tally gets the item's sums. */
device_inline void pull_all(const struct pagerank *s, const struct pagerank_lists *l, struct grid_barrier *all,
                            local_mem u64 *idle, struct pagerank_tally *tally)
{
    clear_tally(tally);
    pull_pieces(s, l->pieces);
    pull_rows(s, s->long_row, l->longs, WARP, tally);
    pull_rows(s, s->listed + (s->vertices - l->middles), l->middles, PAGERANK_TEAM, tally);
    pull_rows(s, s->dense ? s->listed : 0, s->dense ? l->shorts : s->vertices, 1, tally);
    if (l->pieces == 0) return;
    grid_barrier_wait(all, idle);
    finish_heavy(s, l->rows, tally);
}

/* Adds the sums of a group to the sums of the generation. The sums of the group are 0 before and after. */
device_inline void add_tally(const struct pagerank *s, u32 generation, const struct pagerank_tally *tally,
                             local_mem u64 *group)
{
    u64 error = lanes_sum(tally->error, WARP), given = lanes_sum(tally->given, WARP);
    u64 total = lanes_sum(tally->total, WARP);
    if (lane_id() == 0) {
        local_sum(&group[PAGERANK_ERROR], error);
        local_sum(&group[PAGERANK_GIVEN], given);
        local_sum(&group[PAGERANK_TOTAL], total);
    }
    group_barrier();
    if (item_id() > 0) return;
    for (u32 i = 0; i <= PAGERANK_TOTAL; i++) {
        if (group[i] > 0) word_sum(&s->sums[generation * PAGERANK_SUMS + i], group[i]);
        group[i] = 0;
    }
}

device_inline void clear_generation(const struct pagerank *s, u32 generation)
{
    for (u32 i = s->first; i < PAGERANK_SUMS; i += s->items) s->sums[generation * PAGERANK_SUMS + i] = 0;
}

device_inline void write_ranks(const struct pagerank *s, global_mem double *rank, u64 total)
{
    double scale = 1.0 / from_fixed(total);
    for (u64 i = s->first; i < s->vertices; i += s->items) {
        u64 v = s->begin + i;
        rank[s->vertex ? s->vertex[v] : v] = rank_of(s, v) * scale;
    }
}

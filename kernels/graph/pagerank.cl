/* SPDX-License-Identifier: MIT */
/* PageRank in one persistent kernel: all iterations, by pull. traversal/graph/pagerank/state.h explains shares, which
 * are the same here.
 *
 * A team of `width` lanes of a warp sums up the row of a vertex. The whole warp sums up the longer rows among those of
 * its teams. Heavy rows consist of pieces, and a warp sums up each piece. Lanes add in double. All other sums are
 * integers, multiples of 2^-60, so the order of additions does not change them. Ranks do not depend on the number of
 * groups.
 *
 * The sums have three generations. The previous iteration filled the first one. This iteration fills the second one and
 * clears the third one for the next iteration. */
#define PAGERANK_LONG 16u /* max arcs for each lane of a team; the warp sums up longer rows */

struct pagerank {
    global_mem const u64 *in_offset, *offset;
    global_mem const u32 *source;
    global_mem const u32 *restarts; /* each vertex's number of entries in the list of sources, if `personal` */
    global_mem SHARE *now, *next;
    global_mem u32 *heavy;     /* for each heavy row: the vertex, and its first piece */
    global_mem u32 *piece;     /* the heavy row of each piece */
    global_mem u64 *heavy_sum; /* sum of each heavy row; 0 between iterations */
    global_mem u64 *sums;
    double damping, restart; /* restart: the rank that each entry of the list gets */
    u32 vertices, width, personal;
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
    return (double)(s->offset[v + 1] - s->offset[v]);
}

device_inline double restarts_of(const struct pagerank *s, u64 v)
{
    return s->personal ? s->restarts[v] * s->restart : s->restart;
}

device_inline u64 sum_arcs(const struct pagerank *s, u64 begin, u64 end, u32 stride)
{
    double sum = 0;
    for (u64 arc = begin; arc < end; arc += stride) sum += (double)s->now[s->source[arc]];
    return to_fixed(sum);
}

device_inline void write_share(const struct pagerank *s, global_mem SHARE *shares, u64 v, double rank,
                               struct pagerank_tally *tally)
{
    double degree = degree_of(s, v), parts = degree > 0 ? degree : 1;
    SHARE share = (SHARE)(rank / parts);
    shares[v] = share;
    tally->given += to_fixed((double)share * degree);
    tally->total += to_fixed((double)share * parts);
}

device_inline void finish_vertex(const struct pagerank *s, u64 v, u64 sum, struct pagerank_tally *tally)
{
    double degree = degree_of(s, v), old = (double)s->now[v] * (degree > 0 ? degree : 1);
    double rank = s->damping * from_fixed(sum) + restarts_of(s, v);
    tally->error += to_fixed(rank > old ? rank - old : old - rank);
    write_share(s, s->next, v, rank, tally);
}

/* ---- steps ---- */

/* Writes the first shares, and divides heavy rows. */
device_inline void begin_ranks(const struct pagerank *s, global_mem u32 *count, struct pagerank_tally *tally)
{
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        u64 arcs = s->in_offset[v + 1] - s->in_offset[v];
        write_share(s, s->now, v, restarts_of(s, v), tally);
        if (arcs < PAGERANK_PIECE) continue;
        u32 pieces = (u32)((arcs + PAGERANK_PIECE - 1) / PAGERANK_PIECE);
        u32 row = word_add(&count[PAGERANK_HEAVY], 1), at = word_add(&count[PAGERANK_PIECES], pieces);
        s->heavy[2 * (u64)row] = (u32)v;
        s->heavy[2 * (u64)row + 1] = at;
        s->heavy_sum[row] = 0;
        for (u32 i = 0; i < pieces; i++) s->piece[at + i] = row;
    }
}

/* Pulls the rows of all vertices. All lanes of a warp make the same number of passes. */
device_inline void pull_rows(const struct pagerank *s, struct pagerank_tally *tally)
{
    u32 teams = WARP / s->width, lane = lane_id() % s->width;
    u64 step = (u64)(s->items / WARP) * teams;
    for (u64 base = (u64)(s->first / WARP) * teams; base < s->vertices; base += step) {
        u64 v = base + lane_id() / s->width, begin = 0, end = 0;
        if (v < s->vertices) {
            begin = s->in_offset[v];
            end = s->in_offset[v + 1];
        }
        bool is_heavy = end - begin >= PAGERANK_PIECE;
        bool is_long = !is_heavy && s->width < WARP && end - begin > (u64)PAGERANK_LONG * s->width;
        u64 sum = is_heavy || is_long ? 0 : sum_arcs(s, begin + lane, end, s->width);
        sum = lanes_sum(sum, s->width);
        for (u32 longs = warp_ballot(is_long && lane == 0); longs; longs &= longs - 1) {
            u32 leader = first_bit(longs);
            u64 from = warp_shuffle_long(begin, leader), to = warp_shuffle_long(end, leader);
            u64 whole = lanes_sum(sum_arcs(s, from + lane_id(), to, WARP), WARP);
            sum = lane_id() == leader ? whole : sum;
        }
        if (v < s->vertices && lane == 0 && !is_heavy) finish_vertex(s, v, sum, tally);
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

device_inline void clear_tally(struct pagerank_tally *tally)
{
    tally->error = tally->given = tally->total = 0;
}

device_inline void write_ranks(const struct pagerank *s, global_mem double *rank, u64 total)
{
    double scale = 1.0 / from_fixed(total);
    for (u64 v = s->first; v < s->vertices; v += s->items) {
        double degree = degree_of(s, v);
        rank[v] = (double)s->now[v] * (degree > 0 ? degree : 1) * scale;
    }
}

/* in_offset, source: the rows of the incoming arcs. offset: the offsets of the outgoing arcs. restarts: a word for each
 * vertex if personal is 1. shares, more_shares: a value for each vertex. heavy: 2 words for each heavy row. heavy_sum:
 * 64 bits for each heavy row. piece: a word for each piece. rank: the result. count and sums (PAGERANK_GENERATIONS
 * times PAGERANK_SUMS) are zero. arrived: see grid_barrier_open(). stop: see stop_requested(). entries: length of the list of sources, or the
 * number of vertices. The kernel ends when the error is below `bound`, in units of 2^-60, or after `max` iterations. It
 * runs at least one iteration and writes their number to count. */
kernel_entry graph_pagerank(global_mem const u64 *in_offset, global_mem const u32 *source, global_mem const u64 *offset,
                            global_mem const u32 *restarts, global_mem SHARE *shares, global_mem SHARE *more_shares,
                            global_mem u32 *heavy, global_mem u64 *heavy_sum, global_mem u32 *piece,
                            global_mem double *rank, global_mem u32 *count, global_mem u64 *sums,
                            global_mem u64 *arrived, global_mem u32 *stop, double damping, double entries, u64 bound, u32 vertices,
                            u32 personal, u32 width, u32 max)
{
    local_array(u64, idle, 1);
    local_array(u64, group, PAGERANK_SUMS);
    struct pagerank s;
    struct pagerank_tally tally;
    struct grid_barrier all;
    s.in_offset = in_offset;
    s.source = source;
    s.offset = offset;
    s.restarts = restarts;
    s.now = shares;
    s.next = more_shares;
    s.heavy = heavy;
    s.heavy_sum = heavy_sum;
    s.piece = piece;
    s.sums = sums;
    s.damping = damping;
    s.restart = 1.0 / entries;
    s.vertices = vertices;
    s.personal = personal;
    s.width = width;
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    grid_barrier_open(&all, (global_mem atom64 *)arrived);
    for (u32 i = item_id(); i < PAGERANK_SUMS; i += group_size()) group[i] = 0;
    if (item_id() == 0) idle[0] = 0;
    group_barrier();
    clear_tally(&tally);
    begin_ranks(&s, count, &tally);
    add_tally(&s, 0, &tally, group);
    grid_barrier_wait(&all, idle);
    u32 rows = word_fresh(&count[PAGERANK_HEAVY]), pieces = word_fresh(&count[PAGERANK_PIECES]), iteration = 0;
    bool more = true;
    while (more) {
        u32 last = iteration % PAGERANK_GENERATIONS, mine = (iteration + 1) % PAGERANK_GENERATIONS;
        s.restart = (1.0 - damping * from_fixed(sums[last * PAGERANK_SUMS + PAGERANK_GIVEN])) / entries;
        global_mem u32 *stops = &count[PAGERANK_STOP + iteration % 2];
        if (s.first == 0 && stop) word_store(stops, stop_requested(stop) ? 1 : 0);
        clear_generation(&s, (iteration + 2) % PAGERANK_GENERATIONS);
        clear_tally(&tally);
        pull_pieces(&s, pieces);
        pull_rows(&s, &tally);
        if (pieces > 0) {
            grid_barrier_wait(&all, idle);
            finish_heavy(&s, rows, &tally);
        }
        add_tally(&s, mine, &tally, group);
        grid_barrier_wait(&all, idle);
        iteration++;
        more = sums[mine * PAGERANK_SUMS + PAGERANK_ERROR] >= bound && iteration < max && !(stop && word_fresh(stops));
        global_mem SHARE *now = s.now;
        s.now = s.next;
        s.next = now;
    }
    write_ranks(&s, rank, sums[iteration % PAGERANK_GENERATIONS * PAGERANK_SUMS + PAGERANK_TOTAL]);
    if (s.first == 0) count[PAGERANK_ITERATIONS] = iteration;
}

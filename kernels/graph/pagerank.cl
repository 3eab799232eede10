/* SPDX-License-Identifier: MIT */
/* PageRank on one device: one persistent kernel runs all iterations (pagerank_rows.cl). */

/* in_offset, source: the rows of the incoming arcs. offset: the offsets of the outgoing arcs, or with an index degree
 * and vertex: words for each place. restarts: a word for each vertex if personal is 1. shares, more_shares: a value for
 * each vertex. listed: a word for each vertex. long_row: a word for each long row. heavy: 2 words for each heavy row.
 * heavy_sum: 64 bits for each heavy row. piece: a word for each piece. rank: the result, which may be `shares` without
 * an index. count and sums (PAGERANK_GENERATIONS times PAGERANK_SUMS) are zero. arrived: see grid_barrier_open(). stop:
 * see stop_requested(). entries: length of the list of sources, or the number of vertices. The kernel ends when the
 * error is below `bound`, in units of 2^-60, or after `max` iterations. It runs at least one iteration and writes their
 * number to count. */
kernel_entry graph_pagerank(global_mem const u64 *in_offset, global_mem const u32 *source, global_mem const u64 *offset,
                            global_mem const u32 *degree, global_mem const u32 *vertex, global_mem const u32 *restarts,
                            global_mem SHARE *shares, global_mem SHARE *more_shares, global_mem u32 *listed,
                            global_mem u32 *long_row, global_mem u32 *heavy, global_mem u64 *heavy_sum,
                            global_mem u32 *piece, global_mem double *rank, global_mem u32 *count, global_mem u64 *sums,
                            global_mem u64 *arrived, global_mem u32 *stop, double damping, double entries, u64 bound,
                            u32 vertices, u32 personal, u32 max)
{
    local_array(u64, idle, 1);
    local_array(u64, group, PAGERANK_SUMS);
    struct pagerank s;
    struct pagerank_tally tally;
    struct grid_barrier all;
    s.in_offset = in_offset;
    s.source = source;
    s.degree = degree;
    s.vertex = vertex;
    s.offset = offset;
    s.restarts = restarts;
    s.now = shares;
    s.next = more_shares;
    s.listed = listed;
    s.long_row = long_row;
    s.heavy = heavy;
    s.heavy_sum = heavy_sum;
    s.piece = piece;
    s.sums = sums;
    s.damping = damping;
    s.restart = 1.0 / entries;
    s.both = shares;
    s.copies = 0;
    s.begin = 0;
    s.vertices = vertices;
    s.personal = personal;
    s.dense = in_offset[vertices] > PAGERANK_DENSE * (u64)vertices;
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
    struct pagerank_lists lists = read_lists(count);
    u32 iteration = 0;
    bool more = true;
    while (more) {
        u32 last = iteration % PAGERANK_GENERATIONS, mine = (iteration + 1) % PAGERANK_GENERATIONS;
        s.restart = (1.0 - damping * from_fixed(sums[last * PAGERANK_SUMS + PAGERANK_GIVEN])) / entries;
        global_mem u32 *stops = &count[PAGERANK_STOP + iteration % 2];
        if (s.first == 0 && stop) word_store(stops, stop_requested(stop) ? 1 : 0);
        clear_generation(&s, (iteration + 2) % PAGERANK_GENERATIONS);
        pull_all(&s, &lists, &all, idle, &tally);
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

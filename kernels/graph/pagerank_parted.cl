/* SPDX-License-Identifier: MIT */
/* PageRank of a graph that is parted among devices. One persistent kernel on each device runs all iterations
 * (pagerank_rows.cl). A device pulls the rows of its part from the shares of all vertices, which it has in its own
 * memory, and writes each new share to its own array and to those of the other devices. So an iteration ends with one
 * barrier of all groups of all devices (engine/peers.cl), at which the devices post their sums. Sums are integers, so
 * the ranks are those of one device, bit by bit.
 *
 * There are two arrays of shares. A device that begins an iteration writes to the array that the others have read in
 * the iteration before. They have all passed the barrier between the two. */

/* A warp of the group that arrives last posts the device's sums to all devices. */
device_inline void post_sums(const struct peers *p, global_mem const u64 *sums, global_mem const u32 *stops)
{
    u32 stop = word_fresh(stops);
    for (u32 i = lane_id(); i < p->all->parts * POST_WORDS; i += WARP) {
        u32 which = i % POST_WORDS;
        u64 word = which == POST_STOP ? stop : p->all->epoch;
        if (which < POST_STOP) word = long_fresh(&sums[which / 2]) >> which % 2 * 32 & NONE;
        peers_post(p, i / POST_WORDS, which, word);
    }
}

/* Ends a step by a barrier of all groups of all devices. */
device_inline void devices_wait(struct peers *p, struct grid_barrier *all, global_mem const u64 *sums,
                                global_mem const u32 *stops, local_mem u64 *idle)
{
    group_barrier();
    if (warp_id() == 0) {
        u64 arrival = clock_ticks();
        if (peers_arrive(all)) post_sums(p, sums, stops);
        peers_await(p);
        if (lane_id() == 0) *idle += clock_ticks() - arrival;
    }
    group_barrier();
}

/* Returns a sum over the last posts of all devices. */
device_inline u64 posted_sum(const struct peers *p, u32 which)
{
    u64 sum = 0;
    for (u32 q = 0; q < p->all->parts; q++) {
        local_mem const u64 *post = p->all->post + q * POST_WORDS + 2 * which;
        sum += post[0] | post[1] << 32;
    }
    return sum;
}

device_inline bool stop_posted(const struct peers *p)
{
    u64 stops = 0;
    for (u32 q = 0; q < p->all->parts; q++) stops |= p->all->post[q * POST_WORDS + POST_STOP];
    return stops != 0;
}

/* Makes the pointers for numbers of the whole graph. */
device_inline void open_part(struct pagerank *s, local_mem struct pagerank_copies *copies, const struct peers *p,
                             struct parted_bounds at)
{
    s->begin = at.first[at.part];
    s->vertices = at.first[at.part + 1] - s->begin;
    s->in_offset -= s->begin;
    s->restarts -= s->personal ? s->begin : 0;
    s->degree -= s->degree ? s->begin : 0;
    s->offset = s->in_offset; /* of an undirected graph; otherwise there are degrees */
    s->vertex = 0;
    s->both = s->now = (global_mem SHARE *)(p->all->exchange[at.part] + PARTED_POSTS);
    s->next = s->both + PAGERANK_STRIDE((u64)at.first[at.parts]);
    s->copies = copies;
    /* Each device begins with the part after its own, so that the devices do not all write to the memory of one. */
    for (u32 after = item_id() + 1; after < at.parts; after += group_size()) {
        u32 q = (at.part + after) % at.parts;
        copies->shares[after - 1] = (global_mem SHARE *)(p->all->exchange[q] + PARTED_POSTS);
    }
    if (item_id() == 0) copies->count = at.parts - 1;
}

/* in_offset, source: the incoming arcs of the part's vertices, with bounds from 0 on and numbers of the whole graph.
 * degree: the out-degrees of the part's vertices; null: their in-degrees. restarts, listed, rank: as in pagerank.cl, of
 * the part; long_row, heavy, heavy_sum, piece: likewise. stats: PAGERANK_STATS words for each group. dense: 1 if the
 * whole graph is dense. All other arguments are those of pagerank.cl, the same for all parts. */
kernel_entry graph_pagerank_parted(global_mem const u64 *in_offset, global_mem const u32 *source,
                                   global_mem const u32 *degree, global_mem const u32 *restarts, global_mem u32 *listed,
                                   global_mem u32 *long_row, global_mem u32 *heavy, global_mem u64 *heavy_sum,
                                   global_mem u32 *piece, global_mem double *rank, global_mem u32 *count,
                                   global_mem u64 *sums, global_mem u64 *stats, global_mem u64 *arrived,
                                   global_mem u32 *stop, PEERS_PARAMETERS, struct parted_bounds bounds, double damping,
                                   double entries, u64 bound, u32 personal, u32 dense, u32 max)
{
    local_array(struct peers_memory, memory, 1);
    local_array(struct pagerank_copies, copies, 1);
    local_array(u64, idle, 1);
    local_array(u64, group, PAGERANK_SUMS);
    struct pagerank s;
    struct pagerank_tally tally;
    struct grid_barrier all;
    struct peers peers;
    u64 began = clock_ticks();
    if (item_id() == 0) {
        peers_exchange(memory, PEERS_ARGUMENTS);
        idle[0] = 0;
    }
    for (u32 i = item_id(); i < PAGERANK_SUMS; i += group_size()) group[i] = 0;
    peers_open(&peers, memory, bounds.part, bounds.parts, stop);
    s.in_offset = in_offset, s.source = source, s.degree = degree, s.restarts = restarts;
    s.listed = listed, s.long_row = long_row, s.heavy = heavy, s.heavy_sum = heavy_sum, s.piece = piece, s.sums = sums;
    s.damping = damping, s.restart = 1.0 / entries, s.personal = personal, s.dense = dense != 0;
    s.first = group_id() * group_size() + item_id();
    s.items = group_count() * group_size();
    open_part(&s, copies, &peers, bounds);
    grid_barrier_open(&all, (global_mem atom64 *)arrived);
    group_barrier();
    clear_tally(&tally);
    begin_ranks(&s, count, &tally);
    add_tally(&s, 0, &tally, group);
    devices_wait(&peers, &all, sums, &count[PAGERANK_STOP], idle);
    if (memory->abandoned) return;
    struct pagerank_lists lists = read_lists(count);
    u32 iteration = 0;
    bool more = true;
    while (more) {
        u32 mine = (iteration + 1) % PAGERANK_GENERATIONS;
        s.restart = (1.0 - damping * from_fixed(posted_sum(&peers, PAGERANK_GIVEN))) / entries;
        global_mem u32 *stops = &count[PAGERANK_STOP + iteration % 2];
        if (s.first == 0 && stop && (iteration + 1) % PAGERANK_LOOK == 0)
            word_store(stops, stop_requested(stop) ? 1 : 0);
        clear_generation(&s, (iteration + 2) % PAGERANK_GENERATIONS);
        pull_all(&s, &lists, &all, idle, &tally);
        add_tally(&s, mine, &tally, group);
        devices_wait(&peers, &all, sums + mine * PAGERANK_SUMS, stops, idle);
        iteration++;
        more = posted_sum(&peers, PAGERANK_ERROR) >= bound && iteration < max && !stop_posted(&peers);
        global_mem SHARE *now = s.now;
        s.now = s.next;
        s.next = now;
    }
    write_ranks(&s, rank - s.begin, posted_sum(&peers, PAGERANK_TOTAL));
    if (s.first == 0) count[PAGERANK_ITERATIONS] = iteration;
    if (item_id() > 0) return;
    stats[group_id() * PAGERANK_STATS + PAGERANK_IDLE] = idle[0];
    stats[group_id() * PAGERANK_STATS + PAGERANK_TIME] = clock_ticks() - began;
}

/* SPDX-License-Identifier: MIT */
/* The levels of a batch of searches, the sums over depths for closeness, and the kernel. Include it after
 * bfs_batch_rows.cl, which explains the searches.
 *
 * Group 0 adds up the sums of each source, depth after depth. The sums thus do not depend on the number of groups. */

/* ---- the begin ---- */

/* Lists the pieces of the rows that item `first` of `items` reads. */
device_inline void batch_divide_rows(const struct batch *s, const struct batch_rows *rows, global_mem u32 *pieces)
{
    u64 items = (u64)group_count() * group_size(), first = (u64)group_id() * group_size() + item_id();
    for (u64 v = first; v < s->vertices; v += items) {
        u64 arcs = rows->offset[v + 1] - rows->offset[v];
        if (arcs < BATCH_PIECE) continue;
        u32 count = (u32)((arcs + BATCH_PIECE - 1) / BATCH_PIECE);
        u64 at = word_add(pieces, count);
        for (u32 i = 0; i < count; i++) {
            rows->piece[2 * (at + i)] = (u32)v;
            rows->piece[2 * (at + i) + 1] = i;
        }
    }
}

device_inline void batch_clear(const struct batch *s, const u32 words)
{
    u64 items = (u64)group_count() * group_size(), first = (u64)group_id() * group_size() + item_id();
    for (u64 v = first; words > 1 && v < s->vertices; v += items) s->mark[v] = 0;
    for (u64 i = first; i < (u64)s->vertices * words; i += items) s->seen[i] = s->before[i] = 0;
}

/* Starts the searches at depth 0. A source may occur several times. */
device_inline void batch_start(const struct batch *s, global_mem const u32 *source, u32 first, const u32 words)
{
    u32 items = group_count() * group_size();
    for (u32 i = group_id() * group_size() + item_id(); i < s->sources; i += items) {
        u64 vertex = source ? source[first + i] : first + i;
        u64 others = long_or(&s->seen[vertex * words + i / 64], (u64)1 << i % 64);
        if (s->width > 0) batch_store_distance(s, i, vertex);
        if (words > 1 ? word_max(&s->mark[vertex], 1) == 1 : others != 0) continue;
        s->list[word_add(&batch_slot(s, 0)[BATCH_SIZE], 1)] = (u32)vertex;
        word_sum(&s->arcs[0], s->out.offset[vertex + 1] - s->out.offset[vertex]);
    }
}
/* ---- levels ---- */

/* Clears the counts of the next depth. No group uses this slot, which belonged to the depth two depths before.
 * Publishes whether the host cancels the run. */
device_inline void batch_clear_next(const struct batch *s)
{
    global_mem u32 *slot = batch_slot(s, s->depth + 1);
    if (group_id() != 0) return;
    for (u32 i = item_id(); i < BATCH_SLOT_WORDS; i += group_size()) slot[i] = 0;
    if (item_id() != 0) return;
    s->arcs[(s->depth + 1) % BATCH_SLOTS] = 0;
    if (s->stop) word_store(&batch_slot(s, s->depth)[BATCH_STOP], stop_requested(s->stop) ? 1 : 0);
}

device_inline void batch_clear_tally(struct batch_tally *tally, const u32 words)
{
    tally->arcs = tally->size = 0;
    for (u32 k = 0; k < 64 * words / WARP; k++) tally->count[k] = 0;
}

/* Adds the counts of all items to those of the depth. The counts of the group are zero before and after. */
device_inline void batch_add_tally(const struct batch *s, const struct batch_tally *tally, const u32 words)
{
    global_mem u32 *slot = batch_slot(s, s->depth);
    if (tally->size > 0) {
        local_sum(&s->sums[1], tally->arcs);
        local_sum(&s->sums[2], (u64)tally->size);
    }
    for (u32 k = 0; k < 64 * words / WARP; k++)
        if (tally->count[k] > 0) (void)local_add(&s->found[k * WARP + lane_id()], tally->count[k]);
    group_barrier();
    for (u32 i = item_id(); i < 64 * words; i += group_size()) {
        if (s->found[i] > 0) (void)word_add(&slot[BATCH_FOUND + i], s->found[i]);
        s->found[i] = 0;
    }
    if (item_id() != 0) return;
    if (s->sums[2] > 0) {
        word_sum(&s->arcs[s->depth % BATCH_SLOTS], s->sums[1]);
        (void)word_add(&slot[BATCH_SIZE], (u32)s->sums[2]);
    }
    s->sums[1] = s->sums[2] = 0;
}

device_inline void batch_pull(struct batch *s, struct batch_tally *tally, const u32 words)
{
    batch_pull_pieces(s, words);
    batch_pull_rows(s, tally, words);
    if (s->in.pieces > 0) {
        batch_barrier(s);
        batch_finish_pieces(s, tally, words);
    }
    s->listed = false;
}

/* Lists the frontier from its bits. */
device_inline void batch_list_front(const struct batch *s, const u32 words)
{
    for (u64 base = (u64)s->warp * WARP; base < s->vertices; base += (u64)s->warps * WARP) {
        u64 vertex = base + lane_id();
        bool has = vertex < s->vertices;
        bool in = batch_any(batch_new(s->seen, s->before, has ? vertex : 0, has, words), words);
        u32 at = warp_reserve(&batch_slot(s, s->depth)[BATCH_LISTED], in);
        if (in) s->list[at] = (u32)vertex;
    }
}

device_inline void batch_push(struct batch *s, struct batch_tally *tally, u32 size, const u32 words)
{
    global_mem u32 *list = s->list;
    if (!s->listed) {
        batch_list_front(s, words);
        batch_barrier(s);
    }
    batch_push_rows(s, size, words);
    batch_push_pieces(s, words);
    batch_barrier(s);
    batch_reach_touched(s, tally, size, words);
    s->list = s->touched;
    s->touched = list;
    s->listed = true;
}

/* Moves all searches to the next depth. size: number of vertices of the frontier. limit: see the kernel. */
device_inline void batch_advance(struct batch *s, u32 size, u64 limit, const u32 words)
{
    struct batch_tally tally;
    bool pushes = size + long_fresh(&s->arcs[s->depth % BATCH_SLOTS]) <= limit;
    global_mem u64 *seen = s->seen;
    s->depth++;
    batch_clear_next(s);
    batch_clear_tally(&tally, words);
    if (pushes)
        batch_push(s, &tally, size, words);
    else
        batch_pull(s, &tally, words);
    batch_add_tally(s, &tally, words);
    batch_barrier(s);
    s->seen = s->before;
    s->before = seen;
}

/* ---- sums ---- */

/* The sums of the batch's sources. Item i of group 0 has sources i, i + group_size(), ... */
struct batch_sums {
    global_mem u32 *reached, *eccentricity;
    global_mem u64 *total;
    global_mem double *harmonic;
    global_mem u64 *pairs; /* for each depth: number of vertices, added up over all sources. A null pointer: none */
};

device_inline void batch_begin_sums(const struct batch *s, const struct batch_sums *sums)
{
    for (u32 i = item_id(); group_id() == 0 && i < s->sources; i += group_size()) {
        sums->reached[i] = 1;
        sums->eccentricity[i] = 0;
        sums->total[i] = 0;
        sums->harmonic[i] = 0;
        if (sums->pairs) word_sum(&sums->pairs[0], (u64)1);
    }
}

device_inline void batch_add_depth(const struct batch *s, const struct batch_sums *sums)
{
    global_mem u32 *found = batch_slot(s, s->depth) + BATCH_FOUND;
    for (u32 i = item_id(); group_id() == 0 && i < s->sources; i += group_size()) {
        u32 count = word_fresh(&found[i]);
        if (count == 0) continue;
        sums->reached[i] += count;
        sums->eccentricity[i] = s->depth;
        sums->total[i] += (u64)s->depth * count;
        sums->harmonic[i] += (double)count / s->depth;
        if (sums->pairs) word_sum(&sums->pairs[s->depth], (u64)count);
    }
}

/* ---- the kernel ---- */

device_inline void batch_run(struct batch *s, const struct batch_sums *sums, global_mem const u32 *source, u32 first,
                             u64 limit, u32 max_depth, const u32 words)
{
    batch_begin_sums(s, sums);
    batch_clear(s, words);
    batch_divide_rows(s, &s->out, &s->count[BATCH_OUT_PIECES]);
    batch_divide_rows(s, &s->in, &s->count[BATCH_IN_PIECES]);
    batch_barrier(s);
    s->out.pieces = word_fresh(&s->count[BATCH_OUT_PIECES]);
    s->in.pieces = word_fresh(&s->count[BATCH_IN_PIECES]);
    batch_start(s, source, first, words);
    batch_barrier(s);
    u32 size = word_fresh(&batch_slot(s, 0)[BATCH_SIZE]);
    while (size > 0 && s->depth < max_depth) {
        batch_advance(s, size, limit, words);
        batch_add_depth(s, sums);
        global_mem u32 *slot = batch_slot(s, s->depth);
        size = word_fresh(&slot[BATCH_STOP]) ? 0 : word_fresh(&slot[BATCH_SIZE]);
    }
    if (group_id() != 0) return;
    if (item_id() != 0) return;
    s->count[BATCH_LEVELS] = size > 0 ? s->depth + 1 : s->depth;
    s->count[BATCH_UNFINISHED] = size > 0 ? 1 : 0;
}

/* offset, target: the rows of the searched graph. in_offset, in_target: the rows of its reverse. source: all sources if
 * given is 1; otherwise every vertex is a source, and source is not read. seen, before: `words` words for each vertex.
 * mark: a word for each vertex if words is not 1. list, touched: a word for each vertex. piece, in_piece: two words for
 * each piece. reached, eccentricity, total, harmonic: the results, an entry for each source. pairs: max_depth + 1
 * entries, zero before the launch, or a null pointer. distance: a row of `vertices` entries of `width` bytes for each
 * source, all bits set before the launch; width 0: not written. count: BATCH_COUNTS words, and arcs: BATCH_SLOTS words,
 * zero before each launch. arrived: see grid_barrier_open(). stop: see stop_requested(). limit: max vertices and arcs
 * of a frontier that pushes. first, sources: the sources of this batch, at most 64 * words. words: 1 or BATCH_WORDS.
 * max_depth: the searches end at this depth. */
kernel_entry graph_bfs_batch(global_mem const u64 *offset, global_mem const u32 *target,
                             global_mem const u64 *in_offset, global_mem const u32 *in_target,
                             global_mem const u32 *source, global_mem u64 *seen, global_mem u64 *before,
                             global_mem u32 *mark, global_mem u32 *list, global_mem u32 *touched,
                             global_mem u32 *piece, global_mem u32 *in_piece, global_mem u32 *reached,
                             global_mem u32 *eccentricity, global_mem u64 *total, global_mem double *harmonic,
                             global_mem u64 *pairs, global_mem u32 *distance, global_mem u32 *count,
                             global_mem u64 *arcs, global_mem u64 *arrived, global_mem u32 *stop, u64 limit,
                             u32 vertices, u32 given, u32 first, u32 sources, u32 words, u32 width, u32 max_depth)
{
    local_array(u64, group_sums, 3 + BATCH_SOURCES / 2);
    local_mem u32 *found = (local_mem u32 *)(group_sums + 3);
    struct batch s;
    struct batch_sums sums;
    s.out.offset = offset, s.out.target = target, s.out.piece = piece;
    s.in.offset = in_offset, s.in.target = in_target, s.in.piece = in_piece;
    s.seen = seen, s.before = before, s.mark = mark, s.list = list, s.touched = touched;
    s.distance = distance, s.width = width, s.base = first;
    s.count = count, s.arcs = arcs, s.vertices = vertices, s.sources = sources;
    s.stop = stop;
    s.depth = 0;
    s.listed = true;
    s.warp = group_id() * warp_count() + warp_id();
    s.warps = group_count() * warp_count();
    s.sums = group_sums, s.found = found;
    for (u32 w = 0; w < BATCH_WORDS; w++)
        s.all.word[w] = sources >= 64 * w + 64 ? ~(u64)0 : sources > 64 * w ? ((u64)1 << (sources - 64 * w)) - 1 : 0;
    sums.reached = reached + first, sums.eccentricity = eccentricity + first;
    sums.total = total + first, sums.harmonic = harmonic + first, sums.pairs = pairs;
    for (u32 i = item_id(); i < BATCH_SOURCES; i += group_size()) found[i] = 0;
    for (u32 i = item_id(); i < 3; i += group_size()) group_sums[i] = 0;
    grid_barrier_open(&s.grid, (global_mem atom64 *)arrived);
    if (words == 1)
        batch_run(&s, &sums, given ? source : 0, first, limit, max_depth, 1);
    else
        batch_run(&s, &sums, given ? source : 0, first, limit, max_depth, BATCH_WORDS);
}

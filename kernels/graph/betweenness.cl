/* SPDX-License-Identifier: MIT */
/* The levels of one source for betweenness centrality, and the kernel. Include it after betweenness_rows.cl, which
 * explains the computation. */

/* ---- levels ---- */

/* Clears the counts of the next step. No group uses these slots, which belonged to the step two steps before. Publishes
 * whether the host cancels the run. */
device_inline void bc_clear_next(const struct betweenness *s)
{
    u32 next = (s->step + 1) % 3;
    if (item_id() != 0 || group_id() != 0) return;
    if (s->stop) word_store(&s->count[BC_STOP + s->step % 3], stop_requested(s->stop) ? 1 : 0);
    word_store(&s->count[BC_FOUND + next], 0);
    word_store(&s->count[BC_PIECES + next], 0);
    word_store(&s->count[BC_ROWS + next], 0);
    if (!s->backward) s->first[s->level] = s->begin;
}

/* Runs the rows of a level. Returns the number of pieces that remain. */
device_inline u32 bc_run_level(struct betweenness *s)
{
    bc_clear_next(s);
    if (s->backward) {
        bc_scan_rows(s, BC_SUM);
    } else if (s->level == 0) {
        bc_scan_rows(s, BC_CLAIM);
    } else if (s->in.offset == s->out.offset) {
        bc_scan_rows(s, BC_SUM | BC_CLAIM);
    } else {
        bc_scan_rows(s, BC_SUM);
        bc_scan_rows(s, BC_CLAIM);
    }
    bc_barrier(s);
    return word_fresh(&s->count[BC_PIECES + s->step % 3]);
}

device_inline void bc_run_pieces(struct betweenness *s, u32 pieces)
{
    bc_scan_pieces(s, pieces);
    bc_barrier(s);
    bc_add_pieces(s, word_fresh(&s->count[BC_ROWS + s->step % 3]));
    bc_barrier(s);
}

/* Finishes the vertices of the last level, which have no successors. */
device_inline void bc_run_last(struct betweenness *s)
{
    u64 items = (u64)group_count() * group_size();
    bc_clear_next(s);
    for (u64 i = s->begin + (u64)group_id() * group_size() + item_id(); i < s->end; i += items)
        bc_finish(s, s->queue[i], bc_zero(s, s->queue[i]));
    bc_barrier(s);
}

/* Moves to the next level. In the backward pass, level 0, whose only vertex is the source, counts as empty. After the
 * host has cancelled the run, every level counts as empty. */
device_inline void bc_next_level(struct betweenness *s)
{
    u32 found = word_fresh(&s->count[BC_FOUND + s->step % 3]);
    s->stopped = s->stop && word_fresh(&s->count[BC_STOP + s->step % 3]) != 0;
    s->step++;
    if (s->stopped || !s->backward) {
        s->level++;
        s->begin = s->end;
        s->end += s->stopped ? 0 : found;
        return;
    }
    s->level--;
    s->begin = s->first[s->level];
    s->end = s->level > 0 ? s->first[s->level + 1] : s->begin;
}

/* Group 0 runs narrow levels until a level is wide or has long rows. All groups then read the position that group 0
 * reached. Returns the number of pieces that remain. The first barrier ends the reads of counts that group 0 clears. */
device_inline u32 bc_run_narrow(struct betweenness *s)
{
    u32 pieces = 0, warp = s->warp, warps = s->warps;
    global_mem u32 *at = s->count + BC_AT;
    bc_barrier(s);
    if (group_id() == 0) {
        s->alone = true;
        s->warp = warp_id();
        s->warps = warp_count();
        while (s->begin < s->end && s->end - s->begin <= s->narrow && pieces == 0) {
            pieces = bc_run_level(s);
            if (pieces == 0) bc_next_level(s);
        }
        s->alone = false;
        s->warp = warp;
        s->warps = warps;
        const u32 position[6] = {s->step, s->level, s->begin, s->end, pieces, s->stopped ? 1u : 0u};
        for (u32 i = item_id(); i < 6; i += group_size()) at[i] = position[i];
    }
    bc_barrier(s);
    s->step = word_fresh(&at[0]);
    s->level = word_fresh(&at[1]);
    s->begin = word_fresh(&at[2]);
    s->end = word_fresh(&at[3]);
    s->stopped = word_fresh(&at[5]) != 0;
    return word_fresh(&at[4]);
}

/* Runs levels until a level is empty. */
device_inline void bc_run_levels(struct betweenness *s)
{
    while (s->begin < s->end) {
        bool narrow = s->end - s->begin <= s->narrow;
        u32 pieces = narrow ? bc_run_narrow(s) : bc_run_level(s);
        if (pieces > 0) bc_run_pieces(s, pieces);
        if (pieces > 0 || !narrow) bc_next_level(s);
    }
}

/* ---- the kernel ---- */

device_inline void bc_begin(struct betweenness *s, u32 root)
{
    u64 items = (u64)group_count() * group_size(), first = (u64)group_id() * group_size() + item_id();
    for (u64 v = first; v < s->vertices; v += items) s->depth[v] = v == root ? 0 : NONE;
    if (first == 0) {
        for (u32 i = 0; i < BC_COUNTS; i++) s->count[i] = 0;
        s->queue[0] = root;
        s->value[root] = 1;
        s->scale[s->scaled ? root : 0] = 0;
    }
    s->begin = s->level = s->step = 0;
    s->end = 1;
    s->backward = s->alone = s->stopped = false;
    bc_barrier(s);
}

/* depth, queue: a word for each vertex. first: one word more. value, centrality: a double for each vertex. The kernel
 * adds to centrality. scale: a word for each vertex, or one word if not scaled. row: two words for each long row.
 * piece: two words for each piece. partial, part_scale: one entry for each piece. narrow: max vertices of a level that
 * one group runs. count: BC_COUNTS words. arrived: see grid_barrier_open(). stop: see stop_requested(). */
kernel_entry graph_betweenness(global_mem const u64 *offset, global_mem const u32 *target,
                               global_mem const u64 *in_offset, global_mem const u32 *source, global_mem u32 *depth,
                               global_mem u32 *queue, global_mem u32 *first, global_mem double *value,
                               global_mem double *centrality, global_mem u32 *scale, global_mem u32 *row,
                               global_mem u32 *piece, global_mem double *partial, global_mem u32 *part_scale,
                               global_mem u32 *count, global_mem u64 *arrived, global_mem u32 *stop,
                               u32 vertices, u32 root, u32 scaled, u32 narrow)
{
    local_array(u64, idle, 1);
    struct betweenness s;
    s.out.offset = offset, s.out.target = target, s.in.offset = in_offset, s.in.target = source;
    s.depth = depth, s.queue = queue, s.first = first, s.value = value, s.centrality = centrality, s.scale = scale;
    s.row = row, s.piece = piece, s.partial = partial, s.part_scale = part_scale, s.count = count, s.stop = stop;
    s.vertices = vertices, s.scaled = scaled != 0, s.narrow = narrow, s.idle = idle;
    s.warp = group_id() * warp_count() + warp_id();
    s.warps = group_count() * warp_count();
    if (item_id() == 0) idle[0] = 0;
    s.alone = false;
    grid_barrier_open(&s.all, (global_mem atom64 *)arrived);
    bc_begin(&s, root);
    bc_run_levels(&s);
    if (item_id() == 0 && group_id() == 0) {
        count[BC_LEVELS] = s.level;
        count[BC_REACHED] = s.end;
        first[s.level] = s.end;
    }
    bc_barrier(&s);
    if (s.level == 1 || s.stopped || word_fresh(&count[BC_OVERFLOW])) return; /* all items take the same branch */
    s.backward = true;
    s.level--;
    s.begin = first[s.level];
    bc_run_last(&s);
    bc_next_level(&s);
    bc_run_levels(&s);
}

/* SPDX-License-Identifier: MIT */
/* The levels of a source for betweenness centrality, and the kernel. Include it after betweenness_state.cl and
 * betweenness_rows.cl; the former explains the computation. */

/* ---- levels ---- */

/* One item records where the level begins in queue. A level of at least BC_BLOCK vertices is the only one of its size
 * that ends in its block of BC_BLOCK places, so the block has one word for the begin. Narrower levels set a bit. */
device_inline void bc_record_begin(const struct betweenness *s)
{
    global_mem u32 *block = s->first + 2 * ((s->end - 1) / BC_BLOCK);
    (void)word_or(&s->first[2 * (s->begin / BC_BLOCK)], 1u << (BC_BLOCK - 1 - s->begin % BC_BLOCK));
    if (s->end - s->begin >= BC_BLOCK) word_store(&block[1], s->begin);
}

/* Returns where the level that ends at `end` begins: at the last bit before `end` in its block or the previous one.
 * Without such a bit the level is wide. The bits of a block are in reverse order, so that the last one is the lowest. */
device_inline u32 bc_find_begin(const struct betweenness *s, u32 end)
{
    u32 last = end - 1, base = last - last % BC_BLOCK;
    global_mem const u32 *block = s->first + 2 * (base / BC_BLOCK);
    u32 bits = block[0] >> (BC_BLOCK - 1 - last % BC_BLOCK), wide = block[1];
    u32 previous = base > 0 ? s->first[2 * (base / BC_BLOCK - 1)] : 0;
    return bits ? last - first_bit(bits) : previous ? base - 1 - first_bit(previous) : wide;
}

/* Clears the counts of the next step. No group uses these slots, which belonged to the step two steps before. Publishes
 * whether the host cancels the run. */
device_inline void bc_clear_next(const struct betweenness *s)
{
    u32 next = (s->step + 1) % 3;
    if (item_id() != 0 || s->rank != 0) return;
    if (s->stop) word_store(&s->count[BC_STOP + s->step % 3], stop_requested(s->stop) ? 1 : 0);
    word_store(&s->count[BC_FOUND + next], 0);
    word_store(&s->count[BC_PIECES + next], 0);
    word_store(&s->count[BC_ROWS + next], 0);
    word_store(&s->count[BC_TAKEN + next], 0);
    if (!s->backward) bc_record_begin(s);
}

/* Runs the rows of a level. Returns the number of pieces that remain. */
device_inline u32 bc_run_level(struct betweenness *s)
{
    bc_clear_next(s);
    bc_scan_rows(s, s->backward ? BC_SUM : s->level == 0 ? BC_CLAIM : BC_SUM | BC_CLAIM);
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
    u64 items = (u64)s->members * group_size();
    bc_clear_next(s);
    for (u64 i = s->begin + (u64)s->rank * group_size() + item_id(); i < s->end; i += items)
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
    s->end = s->begin;
    if (s->level > 0) s->begin = bc_find_begin(s, s->end);
}

/* Group 0 runs narrow levels until a level is wide or has long rows. All groups then read the position that group 0
 * reached. Returns the number of pieces that remain. The first barrier ends the reads of counts that group 0 clears. */
device_inline u32 bc_run_narrow(struct betweenness *s)
{
    u32 pieces = 0, warp = s->warp, warps = s->warps;
    global_mem u32 *at = s->count + BC_AT;
    bc_barrier(s);
    if (s->rank == 0) {
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
        bool narrow = !s->alone && s->end - s->begin <= s->narrow;
        u32 pieces = narrow ? bc_run_narrow(s) : bc_run_level(s);
        if (pieces > 0) bc_run_pieces(s, pieces);
        if (pieces > 0 || !narrow) bc_next_level(s);
    }
}

/* ---- the kernels ---- */

/* The first barrier ends the reads of counts of the team's last source. */
device_inline void bc_begin(struct betweenness *s, u32 root)
{
    u64 items = (u64)s->members * group_size(), first = (u64)s->rank * group_size() + item_id();
    bc_barrier(s);
    for (u64 v = first; v < s->vertices; v += items) s->depth[v] = v == root ? 0 : NONE;
    for (u64 word = first; word < BC_FIRST_WORDS(s->vertices); word += items) s->first[word] = 0;
    if (first == 0) {
        for (u32 i = 0; i < BC_COUNTS; i++) s->count[i] = 0;
        s->queue[0] = root;
        s->value[root] = 1;
        s->scale[s->scaled ? root : 0] = 0;
    }
    s->begin = s->level = s->step = 0;
    s->end = 1;
    s->backward = s->stopped = false;
    bc_barrier(s);
}

/* Adds to the arcs of the source, whose level has no backward pass. The source has one shortest path. */
device_inline void bc_add_source_arcs(struct betweenness *s, u32 root)
{
    u64 items = (u64)s->members * group_size(), end = s->out.offset[(u64)root + 1];
    for (u64 arc = s->out.offset[root] + (u64)s->rank * group_size() + item_id(); arc < end; arc += items) {
        u32 to = s->out.target[arc];
        if (s->depth[to] == 1) s->arc[arc] += s->value[to] * bc_power(s->scaled ? s->scale[to] : 0);
    }
}

/* Runs both passes from a source. report: two words. */
device_inline void bc_run_source(struct betweenness *s, u32 root, global_mem u32 *report)
{
    bc_begin(s, root);
    bc_run_levels(s);
    bool overflow = word_fresh(&s->count[BC_OVERFLOW]) != 0;
    if (item_id() == 0 && s->rank == 0) {
        report[0] = overflow ? 0 : s->level;
        report[1] = s->end;
    }
    bc_barrier(s);
    if (s->level == 1 || s->stopped || overflow) return; /* all items take the same branch */
    s->backward = true;
    s->level--;
    s->begin = bc_find_begin(s, s->end);
    bc_run_last(s);
    bc_next_level(s);
    bc_run_levels(s);
    if (s->arc && !s->stopped) bc_add_source_arcs(s, root);
}

/* Adds the dependencies of the sources root[0] .. root[roots - 1] to the centralities. Each of `teams` teams runs every
 * teams-th source. If the groups do not divide into teams evenly, the last ones have no work. report: for each source
 * the number of levels, or 0 if sigma has overflowed and nothing was added, and the number of reached vertices.
 *
 * centrality, of the first team, has a double for each vertex. others has the centralities of the other teams. arc and
 * other_arcs have the same for each of `arcs` arcs, or arcs is 0. Each team has its part of the following arrays.
 * depth, queue: a word for each vertex. first: two words for each BC_BLOCK vertices. value: a double for each vertex.
 * scale: a word for each vertex, or one word if not scaled. row: two words for each of `rows` long rows. piece: two words
 * for each of `pieces` pieces. partial, part_scale: one entry for each piece.
 * count: BC_COUNTS words. arrived: BC_ARRIVED long words, the first one a multiple of the number of groups in a team.
 *
 * narrow: max vertices of a level that one group runs. stop: see stop_requested(). */
kernel_entry graph_betweenness(global_mem const u64 *offset, global_mem const u32 *target,
                               global_mem const u64 *in_offset, global_mem const u32 *source,
                               global_mem double *centrality, global_mem const u32 *root, global_mem u32 *report,
                               global_mem u32 *depth, global_mem u32 *queue, global_mem u32 *first,
                               global_mem double *value, global_mem double *others, global_mem double *arc,
                               global_mem double *other_arcs, global_mem u32 *scale,
                               global_mem u32 *row, global_mem u32 *piece, global_mem double *partial, global_mem u32 *part_scale,
                               global_mem u32 *count, global_mem u64 *arrived, global_mem u32 *stop, u32 vertices,
                               u32 roots, u32 teams, u32 scaled, u32 narrow, u32 spread, u32 rows, u32 pieces,
                               u64 arcs)
{
    struct betweenness s;
    u32 members = group_count() / teams;
    u64 team = group_id() / members, at = team * vertices;
    if (team >= teams) return;
    s.out.offset = offset, s.out.target = target, s.in.offset = in_offset, s.in.target = source;
    s.depth = depth + at, s.queue = queue + at, s.first = first + team * BC_FIRST_WORDS(vertices), s.value = value + at;
    s.centrality = team == 0 ? centrality : others + (at - vertices);
    s.arc = arcs == 0 ? 0 : team == 0 ? arc : other_arcs + (team - 1) * arcs;
    s.scale = scale + (scaled ? at : team);
    s.row = row + 2 * team * rows, s.piece = piece + 2 * team * pieces;
    s.partial = partial + team * pieces, s.part_scale = part_scale + team * pieces;
    s.count = count + team * BC_COUNTS, s.arrived = (global_mem atom64 *)arrived + team * BC_ARRIVED, s.stop = stop;
    s.vertices = vertices, s.scaled = scaled != 0, s.narrow = narrow, s.spread = spread;
    s.rank = group_id() % members, s.members = members, s.alone = members == 1;
    s.warp = s.rank * warp_count() + warp_id();
    s.warps = members * warp_count();
    u64 now = item_id() == 0 ? atom_load(s.arrived, order_relaxed) : 0;
    s.awaited = now - now % members;
    s.stopped = false;
    for (u64 i = team; i < roots && !s.stopped; i += teams) bc_run_source(&s, root[i], report + 2 * i);
}

/* Adds the `count` sums of each of the other teams to those of the first one. */
kernel_entry graph_betweenness_add(global_mem double *sums, global_mem const double *others, u64 count, u32 teams)
{
    u64 items = (u64)group_count() * group_size();
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < count; v += items) {
        double sum = sums[v];
        for (u64 team = 1; team < teams; team++) sum += others[(team - 1) * count + v];
        sums[v] = sum;
    }
}

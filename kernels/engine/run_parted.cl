/* SPDX-License-Identifier: MIT */
/* The driver of a search of a parted graph: one persistent kernel on each device, from the first level to the last. All
 * groups of all devices decide from the same sums how the next level runs (run.cl has the driver for one device). */

/* ---- a search ---- */

device_inline void parted_begin(struct parted *p, global_mem const u32 *isolated, u64 arcs)
{
    struct device_engine *s = &p->engine;
    u64 items = (u64)group_count() * group_size(), own = ((u64)s->vertices + 31) / 32;
    bool has_root = p->root - p->first < s->vertices;
    for (u64 i = (u64)group_id() * group_size() + item_id(); i < p->words; i += items) {
        u64 at = i - p->first / 32;
        u32 root = i == p->root / 32 ? 1u << p->root % 32 : 0;
        p->bitmap[0][i] = at < own ? isolated[at] | root : 0;
        if (at >= own) p->bitmap[1][i] = 0; /* pull writes the part's own words */
    }
    begin_counting(s);
    set_view(p, false);
    if (item_id() == 0 && group_id() == 0) {
        for (u32 q = 0; q < PARTED_MAX; q++) s->count[COUNT_SENT + q] = 0;
        s->count[COUNT_STOP] = 0;
        if (has_root) {
            s->data[0][p->root] = 0;
            s->data[1][p->root] = s->list[0] = p->root;
            s->sums[SUM_ARCS] = degree_of(s, p->root);
        }
    }
    s->unexplored = arcs;
    s->level = p->pull_levels = 0;
    s->size = s->tail = p->own_reached = has_root ? 1 : 0;
    p->size = p->reached = 1;
    parted_step_end(p, false);
    s->arcs = p->all->posted[POST_ARCS];
}

device_inline void parted_next_level(struct parted *p, u32 own, u32 found)
{
    struct device_engine *s = &p->engine;
    s->begin += s->size;
    s->size = own;
    p->own_reached += own;
    p->size = found;
    p->reached += found;
    s->level++;
}

/* The levels' records lie on the devices in turn. */
device_inline void parted_record(const struct parted *p, u64 how)
{
    const struct device_engine *s = &p->engine;
    if (item_id() != 0 || group_id() != 0) return;
    if (s->level % p->all->peers.parts == p->all->peers.part) s->record[s->level / p->all->peers.parts] = p->size | how;
    trace_event(s->trace, how & RECORD_BOTTOM_UP ? GWS_TRACE_PULL : GWS_TRACE_PUSH, group_id(), s->level, s->size);
}

device_inline void parted_push_level(struct parted *p, struct warp_buffer *mine)
{
    struct device_engine *s = &p->engine;
    u32 own = 0, found = 0;
    parted_record(p, RECORD_ALL_GROUPS);
    s->arcs = 0;
    advance(s, mine, false);
    parted_steps(p, mine, &own, &found);
    parted_next_level(p, own, found);
}

device_inline void parted_pull_level(struct parted *p, struct warp_buffer *mine)
{
    struct device_engine *s = &p->engine;
    u32 own = 0, found = 0;
    parted_record(p, RECORD_BOTTOM_UP | RECORD_ALL_GROUPS);
    s->arcs_wanted = 0;
    s->arcs = 0;
    pull(s, mine, p->pull_levels++ == 0);
    add_found(s);
    parted_step_end(p, false);
    bool splits = any_posted(p, POST_SPLITS);
    add_step(p, false, &own, &found);
    if (splits) {
        pull_segments(s, counted(s, COUNT_SEGMENTS));
        add_found(s);
        parted_step_end(p, false);
        add_step(p, false, &own, &found);
    }
    global_mem u32 *before = p->bitmap[0];
    p->bitmap[0] = p->bitmap[1];
    p->bitmap[1] = before;
    p->which ^= 1;
    parted_next_level(p, own, found);
}

/* After pull, the part's frontier becomes a list. */
device_inline void parted_compact(struct parted *p, struct warp_buffer *mine)
{
    struct device_engine *s = &p->engine;
    u32 first = p->first / 32, end = first + (s->vertices + 31) / 32, warps = warp_count() * group_count();
    for (u32 at = first + (warp_id() * group_count() + group_id()) * WARP; at < end; at += warps * WARP) {
        u32 place = at + lane_id(), word = place < end ? s->visited[place] & ~s->next[place] : 0;
        while (warp_ballot(word != 0)) {
            buffer_append(mine, word != 0, place * 32 + (word ? first_bit(word) : 0));
            word &= word - 1;
            if (mine->count > BUFFER - WARP) buffer_flush(mine, s);
        }
    }
    buffer_flush(mine, s);
    s->begin = s->tail;
    step_end(s);
    s->tail += s->size;
}

/* Returns whether the level pulls. */
device_inline bool parted_pulls(const struct parted *p, const struct direction_rule *rule, u32 candidates, bool pulling)
{
    struct direction_view at;
    at.push_cost = at.pull_cost = 0;
    at.size = p->size;
    at.arcs = p->engine.arcs;
    at.unexplored = p->engine.unexplored;
    at.candidates = candidates > p->reached ? candidates - p->reached : 0;
    at.pulling = pulling;
    at.pulled = p->pull_levels > 0;
    return direction_pulls(rule, &at);
}

device_inline void parted_levels(struct parted *p, const struct direction_rule *rule, u32 candidates)
{
    struct device_engine *s = &p->engine;
    struct warp_buffer mine;
    bool listed = true;
    mine.vertex = s->my->use.buffer[warp_id()];
    mine.count = 0;
    while (p->size > 0 && !p->all->stops) {
        bool pulling = parted_pulls(p, rule, candidates, !listed);
        if (pulling || !listed) gather(p);
        if (pulling) {
            set_view(p, true);
            grid_barrier_wait(&s->all, &s->my->stats.idle);
            parted_pull_level(p, &mine);
        } else {
            set_view(p, false);
            if (!listed) parted_compact(p, &mine);
            s->unexplored -= min_u64(s->arcs, s->unexplored);
            parted_push_level(p, &mine);
        }
        listed = !pulling;
    }
}

/* Writes depth and parent of unreached vertices, if no level of pull has. */
device_inline void parted_write_unreached(struct parted *p, global_mem const u32 *isolated)
{
    struct device_engine *s = &p->engine;
    u64 items = (u64)group_count() * group_size();
    if (p->pull_levels > 0) return;
    set_view(p, true);
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < s->vertices; v += items) {
        bool reached = !op_wants(s, (u32)v) && !(isolated[v / 32] >> v % 32 & 1);
        if (!reached && v + p->first != p->root) op_unreached(s, (u32)v);
    }
}

/* ---- the kernel ---- */

/* Writes the group's statistics in the order of queue/queue_words.h, with PARTED_GATHERED. */
device_inline void parted_report(const struct parted *p, global_mem u64 *stats, global_mem u32 *result)
{
    const struct device_engine *s = &p->engine;
    local_mem const struct distributor_stats *own = &s->my->stats;
    trace_launch(s, GWS_TRACE_END);
    group_barrier();
    if (item_id() != 0) return;
    u64 ticks = clock_ticks() - own->began;
    const u64 did[8] = {own->given,  own->ran,    p->all->gathered,  own->stolen,
                        own->steals, own->failed, ticks - own->idle, ticks};
    for (u32 i = 0; i < 8; i++) stats[(u64)group_id() * 8 + i] = did[i];
    if (group_id() != 0) return;
    result[PARTED_LEVELS] = s->level;
    result[PARTED_REACHED] = p->reached;
    result[PARTED_OWN] = p->own_reached;
}

/* offset, in_offset: bounds of the rows of the part, from 0 on. target, source, hub: vertices of the whole graph. hub,
 * isolated, candidates: the index "hubs" (index.cl), candidates of all parts, or, without the index (hub_mask 0), the
 * part's first vertex, zeros and the number of all vertices. control, sums, queue, stats, segments, result: as in
 * run.cl, with the words of parted_words.h. record: a word for each level that is the part's turn. arcs: of the whole
 * graph. stop: the host's word (peers.cl), or null. */
kernel_entry engine_run_parted(global_mem const u64 *offset, global_mem const u32 *target,
                               global_mem const u64 *in_offset, global_mem const u32 *source, global_mem u32 *depth,
                               global_mem u32 *parent, global_mem u32 *list, global_mem u32 *control,
                               global_mem u64 *sums, global_mem u32 *queue, global_mem u64 *stats,
                               global_mem struct gws__trace_log *trace, global_mem const u32 *hub,
                               global_mem const u32 *isolated, global_mem u32 *segments, global_mem u64 *record,
                               global_mem u32 *result, global_mem u32 *stop, PEERS_PARAMETERS,
                               struct parted_bounds bounds, u64 arcs, u32 heavy, u32 alpha, u32 beta, u32 candidates,
                               u32 hub_mask, u32 root)
{
    local_array(struct group_memory, memory, 1);
    local_array(struct parted_memory, all, 1);
    struct parted p;
    struct device_engine *s = &p.engine;
    struct direction_rule rule = {DIRECTION_PERSISTENT};
    rule.size = alpha;
    rule.arcs = beta;
    if (item_id() == 0) peers_exchange(&all->peers, PEERS_ARGUMENTS);
    p.offset = offset, p.data[0] = depth, p.data[1] = parent, p.root = root;
    s->in_offset = in_offset, s->target = target, s->source = source, s->hub = hub, s->isolated = isolated;
    s->list = list, s->count = control, s->segments = segments, s->cursors = queue, s->record = record;
    s->trace = trace, s->heavy = heavy, s->schedule = SCHEDULE_STEAL, s->hub_mask = hub_mask;
    s->arcs_wanted = beta > 0 ? candidates / 32 / bounds.parts + 1 : 0;
    parted_open(&p, all, bounds, 2 * (((u64)bounds.first[bounds.parts] + 63) / 64), control, stop);
    s->vertices = p.own;
    s->word[0] = root - p.first; /* pull compares the root with numbers within the part */
    p.bitmap[0] = bitmap_of(&p, bounds.part, 0);
    p.bitmap[1] = bitmap_of(&p, bounds.part, 1);
    open_group(s, memory, sums);
    trace_launch(s, GWS_TRACE_BEGIN);
    parted_begin(&p, isolated, arcs);
    if (all->peers.abandoned) return;
    parted_levels(&p, &rule, candidates);
    parted_write_unreached(&p, isolated);
    parted_report(&p, stats, result);
}

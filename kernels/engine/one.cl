/* SPDX-License-Identifier: MIT */
/* Breadth-first search by the device alone, one kernel for the whole traversal: every group stays from the first level
 * to the last, and each picks the same way of running the next level from the same numbers, so the host is not asked.
 *
 * A level is run bottom-up when its frontier times alpha is more than what is unvisited, or, for the first time, when
 * its arcs times beta are more than those not seen yet; otherwise top-down, and by one group alone, the others waiting
 * in the barrier, while it is small. */

struct wishes {
    u32 alpha, beta; /* 0 both: never bottom-up */
    u32 candidates;  /* vertices that something leads to */
};

/* Nothing is visited but the root and what nothing leads to or from. */
device_inline void begin_search(struct search *s, const struct wishes *w)
{
    u64 words = ((u64)s->vertices + 31) / 32, items = (u64)group_count() * group_size();
    for (u64 i = (u64)group_id() * group_size() + item_id(); i < words; i += items)
        s->visited[i] = s->isolated[i] | (i == s->root / 32 ? 1u << s->root % 32 : 0);
    if (item_id() == 0) s->cursors[group_id()] = s->cursors[group_count() + group_id()] = 0;
    if (item_id() == 0 && group_id() == 0) {
        for (u32 slot = 0; slot < 4; slot++) {
            s->count[COUNT_FOUND + slot] = s->count[COUNT_SEGMENTS + slot] = 0;
            s->sums[SUM_ARCS + slot] = 0;
        }
        s->depth[s->root] = 0;
        s->parent[s->root] = s->list[0] = s->root;
    }
    s->arcs_wanted = w->beta > 0 ? w->candidates / 32 + 1 : 0;
    s->arcs = degree_of(s, s->root);
    s->unseen = s->offset[s->vertices];
    s->level = s->begin = s->step = 0;
    s->size = s->reached = s->tail = 1;
    barrier_wait(&s->all);
}

device_inline void next_level(struct search *s, u32 found)
{
    s->begin += s->size;
    s->size = found;
    s->reached += found;
    s->level++;
}

device_inline void level_down(struct search *s, struct pocket *mine)
{
    if (item_id() == 0 && group_id() == 0) note_level(s, RECORD_CUT);
    top_down(s, mine);
    step_end(s);
    u32 found = counted(s, COUNT_FOUND), segments = counted(s, COUNT_SEGMENTS), more = 0;
    s->arcs = counted_arcs(s);
    s->tail += found;
    if (segments > 0) {
        top_down_segments(s, mine, segments);
        step_end(s);
        more = counted(s, COUNT_FOUND);
        s->arcs += counted_arcs(s);
        s->tail += more;
    }
    next_level(s, found + more);
}

device_inline void level_up(struct search *s, struct pocket *mine, bool unwritten)
{
    if (item_id() == 0 && group_id() == 0) note_level(s, RECORD_BOTTOM | RECORD_CUT);
    bottom_up(s, mine, unwritten);
    bring_found(s);
    step_end(s);
    u32 found = counted(s, COUNT_FOUND), segments = counted(s, COUNT_SEGMENTS);
    if (segments > 0) {
        bottom_up_segments(s, segments);
        bring_found(s);
        step_end(s);
        found += counted(s, COUNT_FOUND);
    }
    global_mem u32 *before = s->visited;
    s->visited = s->next;
    s->next = before;
    next_level(s, found);
}

/* After a level bottom-up the frontier is what one bitmap has more than the other; a warp puts its part into the list.
 */
device_inline void list_words(const struct search *s, struct pocket *mine, struct range at)
{
    u32 place = at.begin + lane_id();
    u32 word = place < at.end ? s->visited[place] & ~s->next[place] : 0;
    while (warp_ballot(word != 0)) {
        pocket_put(mine, word != 0, place * 32 + (word ? first_bit(word) : 0));
        word &= word - 1;
        if (mine->count > POCKET - WARP) pocket_empty(mine, s);
    }
}

device_inline void bitmap_to_list(struct search *s, struct pocket *mine)
{
    u32 words = (s->vertices + 31) / 32;
    s->begin = s->tail;
    struct share work = share_open(s->cursors, &s->my->notes, s->step, words, AT_ONCE, 0, DEAL_STATIC);
    struct range at = {0, 0};
    while (share_take(&work, &at))
        for (struct range part = at; part.begin < at.end; part.begin += WARP) list_words(s, mine, part);
    pocket_empty(mine, s);
    step_end(s);
    s->tail += s->size;
}

/* Group 0 runs small levels; all then know where it stopped. */
device_inline void levels_alone(struct search *s)
{
    if (group_id() == 0) {
        u32 arcs;
        run_small(s, &arcs);
        if (item_id() == 0) {
            s->count[COUNT_LEVEL] = s->level;
            s->count[COUNT_BEGIN] = s->begin;
            s->count[COUNT_SIZE] = s->size;
            s->count[COUNT_REACHED] = s->reached;
            s->sums[SUM_SMALL_ARCS] = arcs;
        }
    }
    step_end(s);
    s->level = word_fresh(&s->count[COUNT_LEVEL]);
    s->begin = word_fresh(&s->count[COUNT_BEGIN]);
    s->size = word_fresh(&s->count[COUNT_SIZE]);
    s->reached = word_fresh(&s->count[COUNT_REACHED]);
    s->arcs = word_fresh(&s->sums[SUM_SMALL_ARCS]);
    s->tail = s->begin + s->size;
}

/* Depth and parent of what was not reached. */
device_inline void write_unreached(const struct search *s)
{
    u64 items = (u64)group_count() * group_size();
    for (u64 v = (u64)group_id() * group_size() + item_id(); v < s->vertices; v += items) {
        bool reached = s->visited[v / 32] >> v % 32 & 1 && !(s->isolated[v / 32] >> v % 32 & 1);
        if (reached || v == s->root) continue;
        s->depth[v] = NONE;
        s->parent[v] = NONE;
    }
}

/* Is the level to be run from the unvisited vertices? */
device_inline bool goes_up(const struct search *s, const struct wishes *w, u32 ups)
{
    u32 open = w->candidates > s->reached ? w->candidates - s->reached : 0;
    if (open == 0) return false;
    return (u64)s->size * w->alpha > open || (ups == 0 && s->arcs * w->beta > s->unseen);
}

/* A level, or several that one group runs. tried: this frontier was too much for one group. */
device_inline bool run_down(struct search *s, struct pocket *mine, bool tried)
{
    s->unseen -= lesser(s->arcs, s->unseen);
    if (!tried && s->size <= SMALL_ROOM) {
        levels_alone(s);
        return true;
    }
    level_down(s, mine);
    return false;
}

device_inline void run_levels(struct search *s, const struct wishes *w)
{
    struct pocket mine;
    u32 ups = 0;
    bool listed = true, tried = false;
    mine.vertex = s->my->use.pocket[warp_id()];
    mine.count = 0;
    while (s->size > 0) {
        if (goes_up(s, w, ups)) {
            s->arcs_wanted = 0;
            level_up(s, &mine, ups++ == 0);
            listed = tried = false;
            continue;
        }
        if (!listed) bitmap_to_list(s, &mine);
        listed = true;
        tried = run_down(s, &mine, tried);
    }
    if (ups == 0) write_unreached(s);
}

/* What the group did, in take.cl's words; the first one tells what was found. */
device_inline void tell(const struct search *s, global_mem u64 *stats)
{
    local_mem const struct share_notes *notes = &s->my->notes;
    group_barrier(); /* all warps have noted what they took */
    if (item_id() != 0) return;
    global_mem u64 *mine = stats + (u64)group_id() * 8;
    mine[0] = notes->ran;
    mine[1] = 0; /* stolen from the CPU */
    mine[2] = notes->stolen;
    mine[3] = notes->steals;
    mine[4] = notes->failed;
    mine[5] = notes->given;
    if (group_id() != 0) return;
    s->count[COUNT_TOLD_LEVELS] = s->level;
    s->count[COUNT_TOLD_REACHED] = s->reached;
}

/* queue: two cursors a group, as plain words. next: a second bitmap. record: a word for each vertex. */
kernel_entry bfs_one(global_mem const u64 *offset, global_mem const u32 *target, global_mem const u64 *in_offset,
                     global_mem const u32 *source, global_mem u32 *depth, global_mem u32 *parent,
                     global_mem u32 *visited, global_mem u32 *list, global_mem u32 *control, global_mem u64 *sums,
                     global_mem u32 *queue, global_mem u64 *stats, global_mem const u32 *likely,
                     global_mem const u32 *isolated, global_mem u32 *next, global_mem u32 *segments,
                     global_mem u64 *record, u32 vertices, u32 root, u32 heavy, u32 alpha, u32 beta, u32 deal)
{
    local_array(struct group_memory, memory, 1);
    struct search s;
    struct wishes w;
    s.offset = offset, s.in_offset = in_offset, s.target = target, s.source = source;
    s.likely = likely, s.isolated = isolated, s.depth = depth, s.parent = parent;
    s.visited = visited, s.next = next, s.list = list, s.count = control, s.segments = segments;
    s.cursors = queue, s.record = record, s.sums = sums, s.my = memory;
    s.vertices = vertices, s.heavy = heavy, s.root = root, s.deal = deal;
    w.alpha = alpha, w.beta = beta, w.candidates = control[COUNT_CANDIDATES];
    if (item_id() == 0) {
        s.my->found = s.my->notes.dry = 0;
        s.my->notes.ran = s.my->notes.stolen = s.my->notes.steals = s.my->notes.failed = s.my->notes.given = 0;
    }
    barrier_open(&s.all, (global_mem atom64 *)&sums[SUM_ARRIVED]);
    begin_search(&s, &w);
    run_levels(&s, &w);
    tell(&s, stats);
}

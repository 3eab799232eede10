/* SPDX-License-Identifier: MIT */
/* One group runs small frontiers, level after level. The frontier and the bounds of its rows lie in local memory. An
 * item fetches the bounds of a vertex while it claims the vertex. A level is thus a chain of two accesses to global
 * memory (the target, then the claim together with the bounds) and two barriers of the group.
 *
 * The group writes the list as in other levels, so the other groups can continue from any level. */
#define SERIAL_ARCS 8192u      /* max arcs of all rows of the frontier together */
#define SERIAL_ROW 512u        /* max arcs of the longest row */
#define COUNTED_ROW (1u << 18) /* a longer row counts as this many arcs: the sum of degrees fits a word */

device_inline void serial_append(local_mem struct serial_frontier *into, u32 place, u32 vertex, u64 begin, u64 end)
{
    u32 degree = (u32)min_u64(end - begin, COUNTED_ROW);
    (void)local_add(&into->arcs, degree);
    if (degree > SERIAL_ROW) (void)local_max(&into->longest, degree);
    if (place >= SERIAL_CAPACITY) return;
    into->begin[place] = begin;
    into->vertex[place] = vertex;
    into->degree[place] = degree;
}

device_inline void serial_clear(local_mem struct serial_frontier *which)
{
    if (item_id() == 0) which->arcs = which->size = which->longest = 0;
}

device_inline bool serial_fits(local_mem const struct serial_frontier *from)
{
    return from->size > 0 && from->size <= SERIAL_CAPACITY && from->arcs <= SERIAL_ARCS && from->longest <= SERIAL_ROW;
}

device_inline void serial_load(const struct device_engine *s, local_mem struct serial_frontier *into)
{
    serial_clear(into);
    group_barrier();
    for (u32 i = item_id(); i < s->size; i += group_size()) {
        u32 vertex = s->list[s->begin + i];
        serial_append(into, i, vertex, s->offset[vertex], s->offset[(u64)vertex + 1]);
    }
    if (item_id() == 0) into->size = s->size;
    group_barrier();
}

/* Returns the number of items that share a row: a power of two near the mean degree. */
device_inline u32 serial_team(local_mem const struct serial_frontier *from)
{
    u32 wanted = from->arcs / from->size, team = 1;
    while (team < wanted && team < WARP) team *= 2;
    return team;
}

device_inline void serial_visit(const struct device_engine *s, local_mem struct serial_frontier *into, u32 target,
                                u32 parent)
{
    u64 begin = s->offset[target], end = s->offset[(u64)target + 1]; /* these loads overlap with the claim */
    if (!op_commit(s, parent, target, op_claim(s, parent, target, 0))) return;
    u32 place = local_add(&into->size, 1u);
    s->list[s->tail + place] = target;
    serial_append(into, place, target, begin, end);
}

device_inline void serial_level(const struct device_engine *s, local_mem const struct serial_frontier *from,
                                local_mem struct serial_frontier *into)
{
    u32 team = serial_team(from);
    for (u32 i = item_id() / team; i < from->size; i += group_size() / team)
        for (u32 arc = item_id() % team; arc < from->degree[i]; arc += team)
            serial_visit(s, into, s->target[from->begin[i] + arc], from->vertex[i]);
}

/* One group runs levels until the frontier is too large or a handoff is due. *arcs becomes the number of arcs of that
 * frontier. Returns whether a handoff is due. h: 0 without handoff. */
device_inline bool serial_levels(struct device_engine *s, u32 *arcs, const struct engine_handoff *h)
{
    local_mem struct group_memory *my = s->my;
    u32 from = 0, levels = 0;
    float lost = 0;
    bool due = false;
    serial_load(s, &my->use.serial[from]);
    while (serial_fits(&my->use.serial[from])) {
        if (h) due = handoff_due(h->rule, &lost, levels, my->use.serial[from].size, my->use.serial[from].arcs);
        if (due) break;
        if (h && item_id() == 0) handoff_clock(h, 1);
        levels++;
        serial_clear(&my->use.serial[1 - from]);
        if (item_id() == 0) {
            record_level(s, 0);
            my->stats.given += s->size;
            my->stats.ran += s->size;
        }
        group_barrier();
        serial_level(s, &my->use.serial[from], &my->use.serial[1 - from]);
        group_barrier();
        if (h && item_id() == 0) handoff_clock(h, 2);
        from = 1 - from;
        s->begin = s->tail;
        s->size = my->use.serial[from].size;
        s->tail += s->size;
        s->reached += s->size;
        s->level++;
    }
    *arcs = my->use.serial[from].arcs;
    return due;
}

/* SPDX-License-Identifier: MIT */
/* The engine's state, and what its steps share.
 *
 * There are two bitmaps: push claims bits in visited; pull reads visited, which stands still, and writes next, and the
 * two change places. Since a level is run whole, a visited neighbour of an unvisited vertex is in the frontier: visited
 * serves as frontier, too. A vertex without any arcs counts as visited from the start (isolated), so no step looks at
 * it.
 *
 * list holds the vertices that push found, level after level: each vertex enters it once, so one as long as the graph
 * has vertices cannot overflow. The first level of pull, or the end, writes the depth and parent of what is not
 * reached: there is no pass before the search.
 *
 * Rows of heavy arcs or more are cut into segments of that many, which all groups share after the level's other rows:
 * at most arcs / heavy whole ones and as many last ones.
 *
 * Words that several groups write during a step are written by word_or() and word_add() alone; the barrier at its end
 * publishes them, so these are relaxed. */
#define BUFFER 256u /* vertices that a warp keeps before it flushes them */
#define BATCH 128u  /* of those, how many may come at once */

/* Words of control, 32 bits each, and of sums, 64 bits. SLOTS: of step % 4. */
#define COUNT_FOUND 0u
#define COUNT_SEGMENTS 4u
#define COUNT_LEAST 8u  /* the least priority beyond the bucket */
#define COUNT_LEVEL 32u /* where the group that ran levels serially stopped */
#define COUNT_BEGIN 33u
#define COUNT_SIZE 34u
#define COUNT_REACHED 35u
#define COUNT_HANDOFF 37u       /* the traversal is to go on at the host */
#define COUNT_PULLS 38u         /* rounds of pull */
#define COUNT_REPORT_LEVELS 40u /* the rounds in all */
#define SUM_ARRIVED 0u          /* the barrier's */
#define SUM_SERIAL_ARCS 1u      /* of the frontier where that group stopped */
#define SUM_COUNTED 8u          /* vertices that count at the end */
#define SUM_ARCS 4u             /* SLOTS: of found vertices' rows, of some of them: see arcs_wanted */

/* A level's record, as in bfs_alone.cl. */
#define RECORD_PULL ((u64)1 << 32)
#define RECORD_CUT ((u64)1 << 33)

/* A group's own. Buffers are empty when a group runs levels serially, and serial frontiers stay within such levels. */
#define SERIAL_CAPACITY 1024u /* vertices of a small frontier */

struct serial_frontier {
    u64 begin[SERIAL_CAPACITY];
    u32 vertex[SERIAL_CAPACITY], degree[SERIAL_CAPACITY];
    u32 arcs, size, longest;
};

struct group_memory {
    union {
        u32 buffer[GWS_GROUP_SIZE / WARP][BUFFER];
        struct serial_frontier serial[2];
    } use;
    struct distributor_stats stats;
    u32 found;
};

struct engine {
    global_mem const u64 *offset, *in_offset;
    global_mem const u32 *target, *source;
    global_mem const u32 *weight; /* of each arc */
    global_mem const u32 *hub; /* of each vertex the neighbour of highest degree; NONE: it has none; one 0 where there
                                * is no such index: hub_mask, else all ones, is then 0 */
    global_mem const u32 *isolated; /* a bitmap */
    global_mem u32 *data[4];        /* the operator's arrays, and scalars: */
    u32 word[4];
    global_mem u32
        *far; /* of an operator with buckets: a bitmap of the vertices of later ones, and where this one ends */
    u32 threshold;
    global_mem u32 *visited, *next, *list, *count;
    global_mem u32 *segments; /* two words each: the vertex, and which piece of its row */
    global_mem u32 *cursors;  /* two a group */
    global_mem u64 *record, *sums;
    local_mem struct group_memory *my;
    u32 vertices, heavy, schedule, hub_mask;
    u32 level, begin, size, reached; /* the frontier is list[begin] .. list[begin + size - 1] */
    u32 tail;                        /* what is found goes to list[tail] onwards */
    u64 arcs, unexplored;            /* the frontier's, as far as counted; those of rows that no level started from */
    u32 arcs_wanted; /* the arcs of about so many vertices of the next frontier are to be counted, the first found */
    u32 step;
    struct grid_barrier all;
    global_mem struct gws__trace_log *trace; /* a null pointer: nothing is traced */
};

/* A part of a row. */
struct arcs {
    u64 begin, end;
};

/* Vertices that a warp found and has not flushed: count is the same in all lanes. */
struct warp_buffer {
    local_mem u32 *vertex;
    u32 count;
};

device_inline u64 degree_of(const struct engine *s, u32 vertex)
{
    return s->offset[(u64)vertex + 1] - s->offset[vertex];
}

/* One item records the level that is about to run. */
device_inline void record_level(const struct engine *s, u64 how)
{
    s->record[s->level] = s->size | how;
    trace_event(s->trace, how & RECORD_PULL ? GWS_TRACE_PULL : GWS_TRACE_PUSH, group_id(), s->level, s->size);
}

/* One item logs that the launch begins or ends, and that a round begins. */
device_inline void trace_launch(const struct engine *s, u32 kind)
{
    if (item_id() == 0 && group_id() == 0) trace_event(s->trace, kind, 0, TRACE_CLOCK, 0);
}

device_inline void trace_round(const struct engine *s, u32 kind)
{
    if (item_id() == 0 && group_id() == 0) trace_event(s->trace, kind, 0, s->level, s->size);
}

/* ---- found vertices ---- */

/* A warp adds the arcs of what is in its buffer to the step's; a buffer's sum is made to fit. */
device_inline void buffer_arcs(const struct warp_buffer *mine, const struct engine *s)
{
    u32 arcs = 0;
    for (u32 i = lane_id(); i < mine->count; i += WARP) arcs += (u32)lesser(degree_of(s, mine->vertex[i]), 1u << 22);
    arcs = warp_sum(arcs);
    if (lane_id() == 0) word_sum(&s->sums[SUM_ARCS + s->step % 4], (u64)arcs);
}

/* A warp appends its buffer to the list. */
device_inline void buffer_flush(struct warp_buffer *mine, const struct engine *s)
{
    if (mine->count == 0) return;
    warp_barrier();
    u32 place = 0;
    if (lane_id() == 0) place = word_add(&s->count[COUNT_FOUND + s->step % 4], mine->count);
    place = warp_shuffle(place, 0);
    if (place < s->arcs_wanted) buffer_arcs(mine, s);
    place += s->tail;
    for (u32 i = lane_id(); i < mine->count; i += WARP) s->list[place + i] = mine->vertex[i];
    mine->count = 0;
    warp_barrier();
}

/* Puts the vertices of a warp's items that say so into the buffer. */
device_inline void buffer_put(struct warp_buffer *mine, bool mark, u32 vertex)
{
    u32 marks = warp_ballot(mark);
    if (mark) mine->vertex[mine->count + bit_count(marks & lanes_below())] = vertex;
    mine->count += bit_count(marks);
}

/* ---- heavy rows ---- */

/* One item appends a heavy row's segments. */
device_inline void cut_row(const struct engine *s, u32 vertex, u64 degree)
{
    u32 pieces = (u32)((degree + s->heavy - 1) / s->heavy);
    u32 place = word_add(&s->count[COUNT_SEGMENTS + s->step % 4], pieces);
    for (u32 i = 0; i < pieces; i++) {
        s->segments[2 * ((u64)place + i)] = vertex;
        s->segments[2 * ((u64)place + i) + 1] = i;
    }
}

/* The arcs of segment number at, with the row's bounds in offset. */
device_inline struct arcs segment_arcs(const struct engine *s, global_mem const u64 *offset, u64 at)
{
    u32 vertex = s->segments[2 * at];
    struct arcs arcs;
    arcs.begin = offset[vertex] + (u64)s->segments[2 * at + 1] * s->heavy;
    arcs.end = lesser(arcs.begin + s->heavy, offset[(u64)vertex + 1]);
    return arcs;
}

/* ---- steps ---- */

/* Once a launch: the group's own memory, and the barrier. */
device_inline void open_group(struct engine *s, local_mem struct group_memory *memory, global_mem u64 *sums)
{
    s->my = memory;
    s->sums = sums;
    if (item_id() == 0) {
        local_mem struct distributor_stats *own = &memory->stats;
        memory->found = own->exhausted = 0;
        own->ran = own->stolen = own->steals = own->failed = own->given = own->idle = 0;
        own->began = clock_ticks();
    }
    grid_barrier_open(&s->all, (global_mem atom64 *)&sums[SUM_ARRIVED]);
}

/* The group's cursors, and by one group the counters of all. */
device_inline void begin_counting(struct engine *s)
{
    s->begin = s->step = 0;
    if (item_id() != 0) return;
    s->cursors[group_id()] = s->cursors[group_count() + group_id()] = 0;
    for (u32 slot = 0; slot < 4 && group_id() == 0; slot++) {
        s->count[COUNT_FOUND + slot] = s->count[COUNT_SEGMENTS + slot] = 0;
        s->sums[SUM_ARCS + slot] = 0;
    }
}

/* A warp adds its count of found vertices to the group's. */
device_inline void count_found(const struct engine *s, u32 found)
{
    found = warp_sum(found);
    if (lane_id() == 0 && found > 0) (void)local_add(&s->my->found, found);
}

/* The group adds its warps' counts to the step's. */
device_inline void add_found(const struct engine *s)
{
    group_barrier();
    if (item_id() != 0) return;
    if (s->my->found > 0) (void)word_add(&s->count[COUNT_FOUND + s->step % 4], s->my->found);
    s->my->found = 0;
}

/* Ends a step: all groups see what it wrote. The counters of the step after the next are cleared. */
device_inline void step_end(struct engine *s)
{
    if (item_id() == 0 && group_id() == 0) {
        u32 slot = (s->step + 2) % 4;
        s->count[COUNT_FOUND + slot] = s->count[COUNT_SEGMENTS + slot] = 0;
        s->sums[SUM_ARCS + slot] = 0;
    }
    distributor_clear(s->cursors, s->step);
    grid_barrier_wait(&s->all, &s->my->stats.idle);
    s->step++;
}

/* What the last step counted. */
device_inline u32 counted(const struct engine *s, u32 what)
{
    return word_fresh(&s->count[what + (s->step - 1) % 4]);
}

device_inline u64 counted_arcs(const struct engine *s)
{
    return word_fresh(&s->sums[SUM_ARCS + (s->step - 1) % 4]);
}

/* ---- handoff of whole levels (hetero/handoff_words.h): a kernel without passes a null pointer, and none of this is in
 * it ---- */

struct handoff {
    local_mem const struct gws__handoff_rule *rule; /* in local memory: nothing of it stays in registers */
    global_mem struct gws__handoff_state *state;
    global_mem u32 *list;   /* of a search: the frontier */
    global_mem u32 *bitmap; /* of a search: the visited vertices; of a run whose vertices re-enter: the frontier */
};

/* One item notes the time where it is asked for: number which of the ticks, and at the ends the other clock. */
device_inline void handoff_clock(const struct handoff *h, u32 which)
{
    if (!h->rule->timed) return;
    h->state->ticks[which] = clock_ticks();
    if (which % 3 == 0) h->state->ns[which / 3] = clock_ns();
}

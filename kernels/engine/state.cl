/* SPDX-License-Identifier: MIT */
/* The engine's state, and functions that its steps share.
 *
 * There are two bitmaps. Push claims bits in visited. Pull reads visited, which does not change during the level, and
 * writes next. The engine then swaps the two. A level is complete before the next one begins, so a visited neighbour of
 * an unvisited vertex is in the frontier. Therefore visited also serves as the frontier's bitmap. A vertex without arcs
 * counts as visited from the start (isolated), so no step reads it.
 *
 * list holds the vertices that push found, level after level. Each vertex enters the list once, so a list with capacity
 * for all vertices cannot overflow. The first level of pull, or the end of the search, writes depth and parent of
 * unreached vertices, so no pass before the search is needed.
 *
 * The kernel splits a row of at least heavy arcs into segments of at most heavy arcs. All groups share the segments
 * after the level's other rows. There are at most arcs / heavy full segments and as many shorter ones.
 *
 * Some words have several writers during a step. All of them use word_or() or word_add(). These operations are relaxed
 * because the barrier at the step's end publishes the words. */
#define STRIP 4u    /* arcs that an item processes at once */
#define BUFFER 256u /* capacity of a warp's buffer, in vertices */
#define BATCH 128u  /* the maximum number of vertices appended at once */

/* A group's local memory. Warp buffers are empty while a group runs levels serially, and serial frontiers exist only
 * within such levels. */
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

struct device_engine {
    global_mem const u64 *offset, *in_offset;
    global_mem const u32 *target, *source;
    global_mem const u32 *weight; /* the weight of each arc */
    global_mem const u32 *hub; /* each vertex's neighbour of highest degree, NONE without neighbours. Without the index:
                                * a single 0, and hub_mask is 0 instead of all ones */
    global_mem const u32 *isolated; /* a bitmap */
    global_mem u32 *data[4];        /* the operator's arrays, and its scalars (word) */
    u32 word[4];
    global_mem u32 *far; /* with buckets: a bitmap of the vertices of later buckets, from priority threshold on */
    u32 threshold;
    global_mem u32 *visited, *next, *list, *count;
    global_mem u32 *segments; /* two words per segment: the vertex, and the segment's number in the row */
    global_mem u32 *cursors;  /* two per group */
    global_mem u64 *record, *sums;
    local_mem struct group_memory *my;
    u32 vertices, heavy, schedule, hub_mask;
    u32 level, begin, size, reached; /* the frontier is list[begin] .. list[begin + size - 1] */
    u32 tail;                        /* groups append found vertices at list[tail] */
    u64 arcs, unexplored;            /* the counted arcs of the frontier; the arcs of rows that no level has expanded */
    u32 arcs_wanted; /* the engine counts the arcs of about this many vertices of the next frontier, the first ones
                      * found */
    u32 step;
    u32 own_rounds; /* rounds: how many rounds a warp may run on its own in this step (push.cl); 0: no small frontier */
    global_mem u32 *stop; /* rounds: see stop_requested() */
    struct grid_barrier all;
    global_mem struct gws__trace_log *trace; /* a null pointer: no trace */
};

typedef struct device_engine op_engine; /* for the operators in kernels/operator/ */

/* A part of a row. */
struct arc_range {
    u64 begin, end;
};

/* The vertices that a warp has found since the last flush; count is the same in all lanes. */
struct warp_buffer {
    local_mem u32 *vertex;
    u32 count;
    u32 first; /* re-entering vertices: the warp has processed those before this place itself */
};

device_inline u64 degree_of(const struct device_engine *s, u32 vertex)
{
    return s->offset[(u64)vertex + 1] - s->offset[vertex];
}

/* One item records the level that is about to run. */
device_inline void record_level(const struct device_engine *s, u64 how)
{
    s->record[s->level] = s->size | how;
    trace_event(s->trace, how & RECORD_BOTTOM_UP ? GWS_TRACE_PULL : GWS_TRACE_PUSH, group_id(), s->level, s->size);
}

/* One item logs the begin or the end of the launch. */
device_inline void trace_launch(const struct device_engine *s, u32 kind)
{
    if (item_id() == 0 && group_id() == 0) trace_event(s->trace, kind, 0, TRACE_CLOCK, 0);
}

device_inline void trace_round(const struct device_engine *s, u32 kind)
{
    if (item_id() == 0 && group_id() == 0) trace_event(s->trace, kind, 0, s->level, s->size);
}

/* ---- found vertices ---- */

/* A warp adds the arcs of its buffered vertices to the step's sum. A cap on each degree makes the buffer's sum fit a
 * word. */
device_inline void buffer_arcs(const struct warp_buffer *mine, const struct device_engine *s)
{
    u32 arcs = 0;
    for (u32 i = lane_id(); i < mine->count; i += WARP) arcs += (u32)min_u64(degree_of(s, mine->vertex[i]), 1u << 22);
    arcs = warp_sum(arcs);
    if (lane_id() == 0) word_sum(&s->sums[SUM_ARCS + s->step % 4], (u64)arcs);
}

/* A warp appends its buffer to the list. */
device_inline void buffer_flush(struct warp_buffer *mine, const struct device_engine *s)
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

/* A warp appends the vertex of each item whose mark is true to the buffer. */
device_inline void buffer_append(struct warp_buffer *mine, bool mark, u32 vertex)
{
    u32 marks = warp_ballot(mark);
    if (mark) mine->vertex[mine->count + bit_count(marks & lanes_below())] = vertex;
    mine->count += bit_count(marks);
}

/* ---- heavy rows ---- */

/* One item appends a heavy row's segments. */
device_inline void split_row(const struct device_engine *s, u32 vertex, u64 degree)
{
    u32 pieces = (u32)((degree + s->heavy - 1) / s->heavy);
    u32 place = word_add(&s->count[COUNT_SEGMENTS + s->step % 4], pieces);
    for (u32 i = 0; i < pieces; i++) {
        s->segments[2 * ((u64)place + i)] = vertex;
        s->segments[2 * ((u64)place + i) + 1] = i;
    }
}

/* Returns the arcs of segment number `at`. offset has the bounds of the rows. */
device_inline struct arc_range segment_arcs(const struct device_engine *s, global_mem const u64 *offset, u64 at)
{
    u32 vertex = s->segments[2 * at];
    struct arc_range arcs;
    arcs.begin = offset[vertex] + (u64)s->segments[2 * at + 1] * s->heavy;
    arcs.end = min_u64(arcs.begin + s->heavy, offset[(u64)vertex + 1]);
    return arcs;
}

/* ---- steps ---- */

/* Initialises the group's local memory and the barrier, once per launch. */
device_inline void open_group(struct device_engine *s, local_mem struct group_memory *memory, global_mem u64 *sums)
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

/* Clears the group's cursors. Group 0 also clears the shared counters. */
device_inline void begin_counting(struct device_engine *s)
{
    s->begin = s->step = 0;
    if (item_id() != 0) return;
    s->cursors[group_id()] = s->cursors[group_count() + group_id()] = 0;
    for (u32 slot = 0; slot < 4 && group_id() == 0; slot++) {
        s->count[COUNT_FOUND + slot] = s->count[COUNT_SEGMENTS + slot] = 0;
        s->sums[SUM_ARCS + slot] = 0;
    }
}

/* A warp adds its number of found vertices to the group's number. */
device_inline void count_found(const struct device_engine *s, u32 found)
{
    found = warp_sum(found);
    if (lane_id() == 0 && found > 0) (void)local_add(&s->my->found, found);
}

/* The group adds the number of its found vertices to the step's number. */
device_inline void add_found(const struct device_engine *s)
{
    group_barrier();
    if (item_id() != 0) return;
    if (s->my->found > 0) (void)word_add(&s->count[COUNT_FOUND + s->step % 4], s->my->found);
    s->my->found = 0;
}

/* Ends a step by a barrier. After the barrier all groups see the step's writes. Clears the counters of the step after
 * the next. */
device_inline void step_end(struct device_engine *s)
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

/* Returns a counter of the last step. */
device_inline u32 counted(const struct device_engine *s, u32 what)
{
    return word_fresh(&s->count[what + (s->step - 1) % 4]);
}

device_inline u64 counted_arcs(const struct device_engine *s)
{
    return long_fresh(&s->sums[SUM_ARCS + (s->step - 1) % 4]);
}

/* ---- handoff of whole levels (hetero/handoff_words.h). A kernel without handoff passes a null pointer, and the
 * compiler removes this code. ---- */

struct engine_handoff {
    local_mem const struct gws__handoff_rule *rule; /* in local memory to save registers */
    global_mem struct gws__handoff_state *state;
    global_mem u32 *list;   /* the frontier of a search */
    global_mem u32 *bitmap; /* the visited vertices of a search, or the frontier of a run whose vertices re-enter */
};

/* One item records ticks[which] if the rule asks for timing. At the launch's begin (0) and end (3) it also records
 * nanoseconds. */
device_inline void handoff_clock(const struct engine_handoff *h, u32 which)
{
    if (!h->rule->timed) return;
    h->state->ticks[which] = clock_ticks();
    if (which % 3 == 0) h->state->ns[which / 3] = clock_ns();
}

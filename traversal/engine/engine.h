/* SPDX-License-Identifier: MIT */
/* The frontier engine on CPU threads. It advances a frontier over the arcs of a graph, level by level.
 *
 * An algorithm is an operator (kernels/operator/NAME.cl). The algorithm's source includes the operator before
 * advance_body.h, so the compiler inlines the operator into the loops. struct gws__loops lists these loops. The rest
 * of the engine does not depend on the operator. That part chooses direction and workers (levels.c), converts
 * frontiers (frontier.c) and owns the memory (memory.c).
 *
 * State encoding. `visited` is a bitmap of the finished vertices. A frontier is a range of `queue` (queue[begin .. end
 * - 1]), or the bitmap `front`. The output frontier of a level is the range after its input (Abdelmageed, section 3.4).
 * Each vertex enters the queue at most once, so a queue of `vertices` entries cannot overflow. `entry` holds the rows
 * of small frontiers. */
#ifndef GWS_TRAVERSAL_ENGINE_ENGINE_H
#define GWS_TRAVERSAL_ENGINE_ENGINE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>

#include "../../lib/graph.h"
#include "../../lib/hetero/autotune.h"
#include "../../lib/parallel.h"
#include "../bfs.h"

enum {
    engine_line = 128,      /* bytes of two cache lines, since CPUs fetch lines in pairs */
    engine_batch = 2048,    /* arcs that a worker reads, and vertices that it claims, before it commits them */
    engine_margin = 16,     /* entries after the batch, since a strip may extend past the batch */
    engine_strip = 4,       /* arcs that a frontier entry carries */
    engine_heavy = 4096,    /* frontiers of at most this many vertices may be scheduled by arcs */
    engine_entries = 32768, /* frontiers of at most this many vertices are stored as entries */
    engine_narrow = 32768,  /* max arcs of a frontier that one worker or a team runs */
    engine_looks = 128,     /* vertices between pull's prefetch of a row and its read */
    engine_data = 4,
};

enum gws__direction { GWS__EITHER = GWS_BFS_AUTO, GWS__PUSH = GWS_BFS_TOP_DOWN, GWS__PULL = GWS_BFS_BOTTOM_UP };

/* A reached vertex and its parent, or the head and the tail of an arc. */
struct gws__claim {
    uint32_t vertex, parent;
};

/* A vertex of a small frontier, with the bounds of its row and the row's first arcs. On a road network these are all
 * arcs of the row. The worker that reaches the vertex reads them. The level that expands the vertex then makes no
 * random access except to the bitmap. Frontiers of a mesh touch a page in each array for every vertex, so entries halve
 * the TLB misses. */
struct gws__entry {
    uint64_t begin;
    uint64_t degree;
    uint32_t target[engine_strip]; /* beyond degree: any vertex */
};

/* A vertex that pull reads soon, with its row. */
struct gws__pull_row {
    uint64_t begin, end;
    uint32_t vertex;
};

/* The state of one worker. */
struct gws__engine_worker {
    alignas(128) uint32_t level; /* the last level that the worker joined, to which the following fields belong */
    uint64_t found;              /* vertices that the worker reached in this level */
    uint64_t degrees;            /* the sum of the degrees of these vertices */
    uint64_t late;               /* degrees of the vertices that the worker committed late */
    uint64_t tasks, made;        /* counts not yet added to the statistics */
    uint32_t flushes;            /* flushes of claim[] in this level */
    struct gws_range flushed;    /* range of the next frontier that the last flush wrote */
    uint32_t claims;             /* entries of claim[] */
    uint32_t requested, looked;  /* rows that pull has prefetched, and rows that it has read */
    struct gws__pull_row look[engine_looks];
    struct gws__claim claim[engine_batch + engine_margin]; /* reached vertices, not yet committed */
    struct gws__claim arc[engine_batch + engine_margin];   /* arcs to read: head and tail */
};

/* The arrays of a run. Later runs reuse them. */
struct gws__engine_memory {
    struct gws_allocator allocator;
    uint64_t vertices;
    uint32_t workers;
    uint64_t words;          /* words of each bitmap */
    uint64_t level_capacity; /* capacity of level[], in entries */
    struct gws_bfs_level *level;
    uint32_t *queue;     /* vertices entries */
    uint64_t *bitmap;    /* 3 * words: visited, front, next */
    void *worker_memory; /* the allocation of worker[] */
    struct gws__engine_worker *worker;
    struct gws__entry *entry; /* two frontiers of engine_entries */
    struct gws_range *part;   /* workers entries */
    const struct gws_graph *graph;
    struct gws__autotune team;     /* the number of workers for a narrow frontier of `graph` */
    uint64_t before[engine_heavy]; /* arcs of the frontier's earlier vertices */
    struct gws__claim serial[engine_narrow + engine_margin]; /* claims of a level that one worker runs */
    char above[engine_line];
    _Atomic uint64_t tail; /* end of the queue, to which a worker adds to reserve entries */
    char below[engine_line];
};

struct engine {
    /* The operator's fields. They have the same names on devices. */
    uint32_t *visited;
    uint32_t *data[engine_data]; /* an entry for each vertex */
    const uint32_t *weight;
    uint32_t word[engine_data];
    uint32_t level; /* level of the frontier */
    /* The run's fields. */
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    const struct gws_graph *in; /* the graph whose rows pull reads, the reverse; NULL: none */
    const struct gws__loops *loops;
    const uint32_t *likely; /* the neighbour that pull reads first; NULL without an index */
    struct gws__engine_memory *memory;
    enum gws__direction direction;
    bool time_levels;
    bool exact;  /* every level sums its degrees and writes all data, so no level is wide */
    bool serial; /* true if there is only one worker */
    uint32_t *queue;
    uint64_t *front, *next;
    uint64_t words;
    uint64_t reached, reached_arcs; /* vertices and arcs of the levels that have begun */
    uint64_t unexplored;            /* arcs of the unreached vertices */
    uint32_t levels;                /* entries of memory->level */
    /* The frontier. */
    uint64_t size, degrees;
    uint64_t begin, end;                   /* range of the queue, if the queue holds the frontier */
    struct gws__entry *entry, *next_entry; /* entries of queue[begin ..] and of queue[end ..] */
    struct gws_range *part;                /* parts of the frontier, by the worker that reached them */
    bool has_parts;                        /* part[] covers the frontier */
    bool has_entries;                      /* entry[] is filled for the frontier */
    bool in_bitmap;                        /* the frontier is in front, not in the queue */
    bool late;   /* with in_bitmap: the next level must call op_commit_late() and sum the frontier's degrees */
    bool wide;   /* this push level makes a frontier with `late` */
    bool filled; /* the engine has called op_unreached() for all unreached vertices */
};

typedef struct engine op_engine; /* the name that the operators in kernels/operator/ use */

/* The loops of an operator, which advance_body.h and serial_body.h define. */
struct gws__loops {
    gws_body *by_entries, *by_queue, *by_arcs; /* push: tasks are vertices of the frontier, or its arcs */
    gws_body *by_words;                        /* push: tasks are words of the frontier's bitmap */
    gws_body *finish;                          /* ends a push level */
    gws_body *pull, *pull_finish;              /* tasks are words of the bitmap */
    gws_body *enqueue;                         /* moves the vertices of a bitmap's words to the queue */
    uint32_t (*serial)(
        struct engine *engine); /* runs a push level on the caller alone, and returns the number of vertices found */
};

/* gws__engine_prepare() prepares memory for runs on graph by the runtime's workers, and reuses *memory if it is large
 * enough. gws__engine_free() accepts NULL. */
gws_status gws__engine_prepare(struct gws_runtime *runtime, const struct gws_graph *graph,
                               struct gws__engine_memory **memory);
void gws__engine_free(struct gws__engine_memory *memory);

/* gws__engine_bind() connects an engine with memory. The caller must have set the engine's runtime, graph, in, loops
 * and operator's fields. gws__engine_start() makes the frontier {source}. The caller must have cleared visited. */
void gws__engine_bind(struct engine *engine, struct gws__engine_memory *memory);
void gws__engine_start(struct engine *engine, uint32_t source);

/* Advances until the frontier is empty. Errors: GWS_NO_MEMORY (the list of levels could not grow). */
gws_status gws__engine_run(struct engine *engine);

/* The steps of gws__engine_run(). gws__engine_run_narrow() runs some levels of a queue on one worker or a team, if the
 * frontier is small enough (gws__engine_is_narrow()). gws__engine_run_shared() runs one level on all workers. */
bool gws__engine_goes_pull(const struct engine *engine);
bool gws__engine_is_narrow(const struct engine *engine);
gws_status gws__engine_run_narrow(struct engine *engine);
gws_status gws__engine_run_shared(struct engine *engine, bool goes_pull);

/* Adds the workers' counts to the runtime's statistics. */
void gws__engine_finish(struct engine *engine);

/* Makes sure that memory->level, which has `levels` entries, has capacity for `more` further entries. */
gws_status gws__engine_reserve_levels(struct gws__engine_memory *memory, uint32_t levels, uint32_t more);

/* Appends the frontier, which is about to run, to the list of levels, whose capacity must suffice. */
struct gws_bfs_level *gws__engine_level_begin(struct engine *engine, bool pull);

/* Counts the frontier, which is about to run, without appending it to the list. */
static inline void gws__engine_level_count(struct engine *engine)
{
    engine->levels++;
    engine->unexplored -= engine->degrees;
    engine->reached += engine->size;
    engine->reached_arcs += engine->degrees;
}

/* Clears one of the engine's bitmaps on all workers. */
void gws__engine_clear(const struct engine *engine, uint64_t *bitmap);

/* gws__engine_front_to_bitmap() converts the frontier from the queue to front, and gws__engine_front_to_queue() from
 * front to the queue. gws__engine_fetch_entries() fills entry[] for the frontier. */
void gws__engine_front_to_bitmap(struct engine *engine);
void gws__engine_front_to_queue(struct engine *engine);
void gws__engine_fetch_entries(struct engine *engine);

/* Begin and end a wide push level. The claims of such a level are the bits that the level adds to visited. */
void gws__engine_wide_begin(struct engine *engine);
void gws__engine_wide_end(struct engine *engine);

/* Makes queue[end .. tail - 1] the frontier. */
void gws__engine_next_queue(struct engine *engine, uint64_t tail);

/* Fills likely[], `vertices` entries, with the neighbour of highest degree in each vertex's row of in, or with
 * GWS_NO_VERTEX if that row is empty. Errors: GWS_CANCELLED. */
gws_status gws__engine_likely(struct gws_runtime *runtime, const struct gws_graph *graph, const struct gws_graph *in,
                              uint32_t *likely);

/* Returns the worker's state. Clears the state if this is the worker's first chunk of the level. */
static inline struct gws__engine_worker *gws__engine_worker_state(const struct engine *engine, uint32_t worker)
{
    struct gws__engine_worker *me = &engine->memory->worker[worker];
    if (me->level == engine->level) return me;
    me->level = engine->level;
    me->found = me->degrees = me->late = me->flushes = 0;
    me->flushed = (struct gws_range){0, 0};
    return me;
}

/* Runs a loop over words or vertices that does not count as work of a level. */
static inline void gws__engine_uncounted(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body,
                                         void *context)
{
    struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = context, .uncounted = true};
    gws_parallel_run(runtime, &loop);
}

/* Releases memory, which may be NULL. */
static inline void gws__engine_release(const struct gws_allocator *allocator, void *memory, uint64_t bytes)
{
    if (memory) allocator->release(allocator->context, memory, (size_t)bytes);
}

/* Returns the first address in memory that begins a pair of cache lines. memory needs engine_line extra bytes. */
static inline void *gws__engine_align(void *memory)
{
    return (char *)memory + (engine_line - (uintptr_t)memory % engine_line);
}

/* Prefetches a line for writing. Compilers emit the instruction for newer targets only, although every x86-64 CPU
 * accepts that instruction. */
static inline void gws__prefetch_write(const volatile void *address)
{
#if defined(__x86_64__)
    __asm__ __volatile__("prefetchw %0" : : "m"(*(const volatile char *)address));
#else
    __builtin_prefetch((const void *)address, 1);
#endif
}

/* Returns the entry of a vertex without the targets. */
static inline struct gws__entry gws__entry_bounds(const struct gws_graph *graph, uint32_t vertex)
{
    uint64_t begin = graph->offset[vertex];
    return (struct gws__entry){.begin = begin, .degree = graph->offset[vertex + (uint64_t)1] - begin};
}

/* Copies the first targets of an entry. The last arcs of the graph need a bounds check. */
static inline void gws__entry_targets(const struct gws_graph *graph, struct gws__entry *entry)
{
    const uint32_t *target = graph->target + entry->begin;
    if (entry->begin + engine_strip <= graph->arcs)
        for (uint32_t i = 0; i < engine_strip; i++) entry->target[i] = target[i];
    else
        for (uint64_t i = 0; i < engine_strip; i++) entry->target[i] = i < entry->degree ? target[i] : 0;
}

#endif

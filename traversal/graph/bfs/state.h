/* SPDX-License-Identifier: MIT */
/* What the parts of a breadth-first search share.
 *
 * State encoding. `visited` is a bitmap of the vertices that need no more looking at; it alone is cleared at the start
 * of a search. depth and parent of a vertex mean something once its bit is set, and for every vertex once `filled`.
 * A frontier is a stretch of `queue` (top-down: queue[begin .. end - 1]) or a bitmap (bottom-up: `front`). Every vertex
 * enters the queue at most once in a search, so the output frontier of a level is simply the stretch behind its input
 * (Abdelmageed, section 3.4), the queue holds `vertices` entries, and nothing can overflow. */
#ifndef GWS_TRAVERSAL_BFS_STATE_H
#define GWS_TRAVERSAL_BFS_STATE_H

#include <stdalign.h>
#include <stdatomic.h>

#include "../../../lib/parallel.h"
#include "../../bfs.h"

enum {
    bfs_line = 128,      /* bytes; two cache lines, since they are fetched in pairs */
    bfs_room = 2048,     /* arcs that a worker looks at, and vertices it claims, before it settles them */
    bfs_alone = 32768,   /* a frontier of at most so many vertices and arcs may be run by the caller alone */
    bfs_spare = 16,      /* behind the room: a strip may reach past it */
    bfs_strip = 4,       /* arcs that a frontier entry carries */
    bfs_heavy = 4096,    /* of at most so many vertices, the frontier may be shared out by arcs */
    bfs_entries = 32768, /* a frontier of at most so many vertices is kept as entries */
    bfs_classes = 16,    /* of frontiers, by the logarithm of their arcs */
};

/* A vertex that was reached, and from where. */
struct gws__bfs_claim {
    uint32_t vertex, parent;
};

/* A vertex of a small frontier with its row, and the row's first arcs, which on a road network are all of them. They
 * are read once, when the vertex is reached; the level that expands it then touches no memory at random but the bitmap.
 * Frontiers of a mesh touch a page in each array for every vertex, so this halves their misses in the TLB. */
struct gws__bfs_entry {
    uint64_t begin;
    uint64_t degree;
    uint32_t target[bfs_strip]; /* beyond degree: some vertex or other */
};

/* One worker's own. */
struct gws__bfs_worker {
    alignas(128) uint32_t level;                       /* that it took part in last; what follows is of that level */
    uint64_t found;                                    /* vertices it reached in this level */
    uint64_t degrees;                                  /* the sum of their degrees */
    uint64_t made;                                     /* vertices it reached in this search */
    uint32_t flushes;                                  /* in this level */
    struct gws_range flushed;                          /* where in the next frontier the last one went */
    uint32_t claims;                                   /* waiting in claim[] */
    struct gws__bfs_claim claim[bfs_room + bfs_spare]; /* reached, not yet in depth, parent and queue */
    struct gws__bfs_claim arc[bfs_room + bfs_spare];   /* arcs to look at: head and tail */
};

struct gws__bfs_windows;

/* What levels cost lately when run alone and when shared; see bfs_pace.c. */
struct gws__bfs_pace {
    double cost[bfs_classes][2]; /* ns an arc, by class of frontier, alone and shared; 0: not known */
    bool shared;                 /* the way that is in use */
    uint32_t levels;             /* run that way since the last choice */
    uint32_t choices;
};

/* Kept between searches, in gws_bfs_result. */
/* What searches of one graph cost, level by level and by windows (bfs_ways.c). */
struct gws__bfs_ways {
    const struct gws_graph *graph;
    uint32_t searches;
    double cost[2]; /* ns for each vertex reached; 0: not known */
};

struct gws__bfs_scratch {
    struct gws_allocator allocator;
    uint32_t workers;
    uint64_t words;      /* of each bitmap */
    uint64_t level_room; /* entries of result->level */
    uint32_t *queue;     /* vertices entries */
    uint64_t *bitmap;    /* 3 * words: visited, front, next */
    void *desks;         /* what was allocated for worker[] */
    struct gws__bfs_worker *worker;
    struct gws__bfs_entry *entry;     /* two frontiers of bfs_entries */
    struct gws_range *part;           /* workers entries */
    struct gws__bfs_windows *windows; /* NULL until a graph suits a search by windows */
    struct gws__bfs_pace pace;
    struct gws__bfs_ways ways;
    struct gws__bfs_claim alone[bfs_alone + bfs_spare]; /* arcs, when the caller runs a level alone */
    uint64_t before[bfs_heavy]; /* arcs of the frontier's earlier vertices, when it is shared out by arcs */
};

struct gws__bfs {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    const struct gws_graph *in; /* whose rows bottom-up reads: the reverse; NULL when there is none */
    struct gws_bfs_result *result;
    struct gws__bfs_scratch *scratch;
    struct gws_bfs_options options;
    uint32_t *depth, *parent, *queue;
    _Atomic uint64_t *visited;
    uint64_t *front, *next;
    uint64_t words;
    /* The frontier: vertices at depth `level`. */
    uint32_t level;
    uint64_t size, degrees;
    uint64_t begin, end;                       /* in the queue, when it is there */
    struct gws__bfs_entry *entry, *next_entry; /* of queue[begin ..] and of queue[end ..] */
    struct gws_range *part;                    /* of the frontier, by who reached it; workers entries */
    bool has_parts;                            /* part[] covers the frontier */
    bool lone;                                 /* there is one worker only */
    bool has_entries;                          /* entry[] is filled for the frontier */
    bool in_bitmap;                            /* the frontier is in front, not in the queue */
    bool filled;                               /* unreached vertices hold GWS_NO_VERTEX in depth and parent */
    uint64_t unexplored;                       /* arcs that leave vertices not reached yet */
    alignas(128) _Atomic uint64_t tail;        /* of the queue; workers reserve by adding to it */
};

/* Runs the current frontier as one level and makes its successors the frontier. _alone runs levels until the frontier
 * outgrows one worker or is empty; it answers GWS_NO_MEMORY if the list of levels cannot grow. */
void gws__bfs_top_down(struct gws__bfs *bfs);
void gws__bfs_bottom_up(struct gws__bfs *bfs);
gws_status gws__bfs_top_down_alone(struct gws__bfs *bfs);

/* The whole search by windows of levels, and whether the graph suits that; see bfs_windows.c. Its memory, its start,
 * and the levels, sizes and sums of the result afterwards. */
bool gws__bfs_suits_windows(const struct gws__bfs *bfs);
gws_status gws__bfs_by_windows(struct gws__bfs *bfs);
gws_status gws__bfs_windows_prepare(struct gws__bfs *bfs);
gws_status gws__bfs_windows_count(struct gws__bfs *bfs);
void gws__bfs_windows_free(struct gws__bfs_windows *windows);

/* Whether the caller should run the frontier alone; and learning what a level of so many arcs cost, run that way. */
bool gws__bfs_goes_alone(struct gws__bfs *bfs);
void gws__bfs_learn(struct gws__bfs *bfs, uint64_t arcs, bool shared, double ms);

/* Gives count claimed vertices their depth and parent and puts them at queue[to ..], with their entries where the next
 * frontier still has room for such. Returns the sum of their degrees. */
uint64_t gws__bfs_settle(struct gws__bfs *bfs, const struct gws__bfs_claim *claim, uint32_t count, uint64_t to);

/* Fills entry[] for the current frontier, of at most bfs_entries vertices, from the queue. */
void gws__bfs_fetch_entries(struct gws__bfs *bfs);

/* The worker's own desk, cleared if this is its first chunk of the level. */
static inline struct gws__bfs_worker *gws__bfs_desk(const struct gws__bfs *bfs, uint32_t worker)
{
    struct gws__bfs_worker *me = &bfs->scratch->worker[worker];
    if (me->level == bfs->level) return me;
    me->level = bfs->level;
    me->found = me->degrees = me->flushes = 0;
    me->flushed = (struct gws_range){0, 0};
    return me;
}

/* Makes queue[end .. tail - 1] the frontier. */
void gws__bfs_advance(struct gws__bfs *bfs, uint64_t tail);

/* Room for one more entry of result->level. */
gws_status gws__bfs_level_room(struct gws__bfs *bfs);

/* The parts of a search, for those who put them together in another way (bfs_bridge.c): its arrays from result, which
 * is prepared; in which direction the frontier should run; running it as a level that the workers share; its frontier
 * as the bitmap front; and at the end, GWS_NO_VERTEX for those that were not reached. */
void gws__bfs_bind(struct gws__bfs *bfs, struct gws_bfs_result *result);
bool gws__bfs_goes_bottom_up(const struct gws__bfs *bfs);
gws_status gws__bfs_run_shared(struct gws__bfs *bfs, bool bottom_up);
void gws__bfs_front_to_bitmap(struct gws__bfs *bfs);
void gws__bfs_finish(struct gws__bfs *bfs);

/* Enters the current frontier, which is about to run, into the list of levels. There must be room. */
struct gws_bfs_level *gws__bfs_level_begin(struct gws__bfs *bfs, bool bottom_up);

/* Arrays for a search of graph by so many workers, kept where they fit; freed by gws_bfs_result_clear(). */
gws_status gws__bfs_prepare(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws_bfs_result *result);

/* A loop over words or vertices that is not part of a level's work. */
static inline void gws__bfs_aside_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body,
                                      void *context)
{
    struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = context, .aside = true};
    gws_parallel_run(runtime, &loop);
}

static inline void gws__bfs_aside(struct gws__bfs *bfs, uint64_t count, uint32_t grain, gws_body *body)
{
    gws__bfs_aside_for(bfs->runtime, count, grain, body, bfs);
}

/* The first place in memory that begins a pair of cache lines; memory needs bfs_line bytes more for it. */
static inline void *gws__bfs_align(void *memory)
{
    return (char *)memory + (bfs_line - (uintptr_t)memory % bfs_line);
}

/* Asks for a line that will be written, so that it comes without another core's right to it. Compilers emit the
 * instruction for newer targets only, though every x86-64 CPU takes it. */
static inline void gws__bfs_prefetch_write(const volatile void *address)
{
#if defined(__x86_64__)
    __asm__ __volatile__("prefetchw %0" : : "m"(*(const volatile char *)address));
#else
    __builtin_prefetch((const void *)address, 1);
#endif
}

/* The entry of vertex but for its targets. */
static inline struct gws__bfs_entry gws__bfs_bounds(const struct gws_graph *graph, uint32_t vertex)
{
    uint64_t begin = graph->offset[vertex];
    return (struct gws__bfs_entry){.begin = begin, .degree = graph->offset[vertex + (uint64_t)1] - begin};
}

/* Its first targets; the graph's very last arcs are copied with care. */
static inline void gws__bfs_first_targets(const struct gws_graph *graph, struct gws__bfs_entry *entry)
{
    const uint32_t *target = graph->target + entry->begin;
    if (entry->begin + bfs_strip <= graph->arcs)
        for (uint32_t i = 0; i < bfs_strip; i++) entry->target[i] = target[i];
    else
        for (uint64_t i = 0; i < bfs_strip; i++) entry->target[i] = i < entry->degree ? target[i] : 0;
}

/* Which way this search goes, and what it cost. */
bool gws__bfs_goes_by_windows(struct gws__bfs *bfs);
void gws__bfs_learn_way(struct gws__bfs *bfs, bool by_windows);

#endif

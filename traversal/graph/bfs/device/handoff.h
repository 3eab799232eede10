/* SPDX-License-Identifier: MIT */
/* The host's side of a search that is passed between a device and one CPU thread, whole levels at a time
 * (kernels/hetero/hand_words.h says when): the graph lies in both memories, and the thread runs the small levels, of
 * which the device could not run one faster than its latencies allow.
 *
 * State encoding. visited, list and state are memory of both sides, or copied between them, used by who runs the
 * search: between two launches, this one. The thread's finds stay here, in found[], until the result is put together;
 * the device knows them by their bits. level_size has the sizes of the levels that ran here, and 0 for the device's.
 *
 * What a level costs a side is taken to be a straight line over its work, which is a step for each vertex and each arc;
 * both lines are drawn through two measured points when a search is opened (handoff_model.c). */
#ifndef GWS_TRAVERSAL_BFS_HAND_H
#define GWS_TRAVERSAL_BFS_HAND_H

#include "state.h"

typedef uint32_t u32;
typedef uint64_t u64;

#include "../../../../kernels/hetero/hand_words.h"

struct gws__bfs_found {
    uint32_t vertex, parent, depth;
};

/* A vertex of the frontier and its row. */
struct gws__bfs_row {
    uint64_t begin, end;
    uint32_t vertex, parent;
};

struct gws__bfs_front {
    struct gws__bfs_row row[GWS_HAND_ROOM];
    uint32_t size;
    uint64_t arcs;
};

struct gws__bfs_hand_level {
    uint32_t level, size;
};

struct gws__bfs_hand {
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    struct gws__hand_state *state;
    uint32_t (*list)[2];
    uint64_t *visited;                 /* whole words of 64 bits */
    struct gws_bfs_device_model model; /* counts of passes and the like are of the search under way */
    bool counts_arcs;                  /* the device knows the arcs of a small frontier */
    bool claims;                       /* it sets the bits of the frontier that it takes over itself */
    bool timed;                        /* the device times one level */
    bool pays;                         /* passing the next search on may pay */
    uint32_t rest, rested;          /* searches to be kept after one that looked out for it in vain, and those so far */
    uint32_t most_here, most_there; /* small levels until a search is passed on, whatever they cost */
    /* Of the search under way. */
    struct gws__hand_rule rule;      /* with which the device goes on */
    struct gws__bfs_found *found;    /* model.host_vertices of them, room for all */
    struct gws__bfs_hand_level *ran; /* model.host_levels of them, room for as many as there are vertices */
    struct gws__bfs_front *front[2];
    uint32_t level; /* where it stands, as are the next two */
    uint64_t reached;
};

/* Memory; state, list and visited are the caller's to give. What was opened halfway, close() frees too. The model is
 * that nothing is ever passed on. Errors: GWS_NO_MEMORY. */
gws_status gws__bfs_hand_open(struct gws_runtime *runtime, const struct gws_graph *graph, struct gws__bfs_hand *hand);
void gws__bfs_hand_close(struct gws__bfs_hand *hand);

/* A search begins, with the device. */
void gws__bfs_hand_begin(struct gws__bfs_hand *hand);

/* What the device passed on, goes on here. True: and then with the device, by hand->rule; false: the search is done. */
bool gws__bfs_hand_run(struct gws__bfs_hand *hand);

/* Sees from a search, and whether it looked out for it, whether passing the next one on may pay: hand->pays. */
void gws__bfs_hand_learn(struct gws__bfs_hand *hand, const struct gws_bfs_result *result);

/* Puts what was found here into the result, which has all that the device found. */
void gws__bfs_hand_put(const struct gws__bfs_hand *hand, struct gws_bfs_result *result);

/* ---- handoff_model.c ---- */

/* Has the device go on by hand->rule, and waits for it. */
typedef gws_status gws__bfs_hand_launch(void *context, struct gws_where *where);

/* Draws both sides' lines, and measures what passing a search on costs. Errors: launch's. */
gws_status gws__bfs_hand_fit(struct gws__bfs_hand *hand, gws__bfs_hand_launch *launch, void *context,
                             struct gws_where *where);

/* ---- handoff_strategy.c ---- */

enum { gws__bfs_handoff_arguments = 4 };

/* What a search has beside its kernel's. */
struct gws__bfs_handoff {
    bool looks; /* the launch under way may end before the search does */
    struct gws_device_argument argument[gws__bfs_handoff_arguments]; /* of such a launch: rule, state, list, visited */
    struct gws_device_buffer *buffer[gws__bfs_handoff_arguments];    /* but for the rule */
    bool in_place;                                                   /* in memory of both */
    struct gws__bfs_hand hand;
    struct gws_bfs_device_model sum; /* what happened since the statistics were reset */
};

/* The launch is not a search's first. */
static inline bool gws__bfs_handoff_resumes(const struct gws_bfs_device *search)
{
    return search->handoff && search->handoff->looks && search->handoff->hand.rule.resumes;
}

/* The functions of the way. */
gws_status gws__bfs_handoff_open(struct gws_bfs_device *search, struct gws_where *where);
void gws__bfs_handoff_close(struct gws_bfs_device *search);
gws_status gws__bfs_handoff_run(struct gws_bfs_device *search, struct gws_where *where);
gws_status gws__bfs_handoff_fetch(struct gws_bfs_device *search, struct gws_where *where);

/* ---- among its own files ---- */

/* The frontier in front[0] as one level: its finds are then in front[1], with the bits set and nothing else done. */
void gws__bfs_hand_level_run(struct gws__bfs_hand *hand);

/* Puts the vertex and its row into a frontier. */
void gws__bfs_hand_add(const struct gws_graph *graph, struct gws__bfs_front *front, uint32_t vertex, uint32_t parent);

/* Leaves the device the frontier in front[0], and the rule with which it goes on. */
void gws__bfs_hand_leave(struct gws__bfs_hand *hand);

#endif

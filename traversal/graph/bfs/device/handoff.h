/* SPDX-License-Identifier: MIT */
/* A search that a device and one CPU thread hand off to each other, whole levels at a time (lib/hetero/handoff.h): the
 * graph lies in both memories, and the thread runs the small levels, of which the device could not run one faster than
 * its latencies allow. What is here is what crosses, and the thread's levels.
 *
 * State encoding. visited, list and state are used by the side that runs the search. The thread's finds stay in found[]
 * until they are committed to the result; the device knows them by their bits. ran[] has the sizes of the levels that
 * ran here. */
#ifndef GWS_TRAVERSAL_BFS_HANDOFF_H
#define GWS_TRAVERSAL_BFS_HANDOFF_H

#include "../../../../lib/hetero/handoff.h"
#include "state.h"

struct gws__bfs_found {
    uint32_t vertex, parent, depth;
};

/* A vertex of the frontier and its row. */
struct gws__bfs_row {
    uint64_t begin, end;
    uint32_t vertex, parent;
};

struct gws__bfs_frontier {
    struct gws__bfs_row row[GWS_HANDOFF_CAPACITY];
    uint32_t size;
    uint64_t arcs;
};

struct gws__bfs_ran {
    uint32_t level, size;
};

enum { gws__bfs_handoff_mirrors = 3, gws__bfs_handoff_arguments = 4 };

struct gws__bfs_handoff {
    struct gws__handoff base;
    struct gws_runtime *runtime;
    const struct gws_graph *graph;
    struct gws__handoff_state *state;
    uint32_t (*list)[2];
    uint64_t *visited; /* whole words of 64 bits */
    bool counts_arcs;  /* the device knows the arcs of a small frontier */
    bool claims;       /* it sets the bits of the frontier that it takes over itself */
    /* Of the search under way. */
    struct gws__handoff_point at;  /* where it stands */
    struct gws__handoff_rule rule; /* with which the device goes on */
    struct gws__bfs_found *found;  /* `finds` of them, memory for as many as there are vertices */
    struct gws__bfs_ran *ran;      /* `levels` of them, likewise */
    uint64_t finds, levels;
    struct gws__bfs_frontier *front[2];
    bool enabled; /* the launch under way may end before the search does */
    /* With a device: what state, list and visited lie in, and a launch's arguments: the rule, and these. */
    struct gws__mirror mirror[gws__bfs_handoff_mirrors];
    struct gws_device_argument argument[gws__bfs_handoff_arguments];
};

/* The launch is not a search's first. */
static inline bool gws__bfs_handoff_resumes(const struct gws_bfs_device *search)
{
    return search->handoff && search->handoff->enabled && search->handoff->rule.resumes;
}

/* Memory; state, list and visited are the caller's to set. What was opened halfway, close() frees too. Errors:
 * GWS_NO_MEMORY. */
gws_status gws__bfs_handoff_open(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 struct gws__bfs_handoff *handoff);
void gws__bfs_handoff_close(struct gws__bfs_handoff *handoff);

/* A search begins, with the device. */
void gws__bfs_handoff_begin(struct gws__bfs_handoff *handoff);

/* What the device handed off goes on here. True: and then with the device, by handoff->rule; false: the search is
 * done. */
bool gws__bfs_handoff_run(struct gws__bfs_handoff *handoff);

/* Commits what was found here to the result, which has all that the device found, and sees from it whether looking out
 * for a handoff may pay in the next search. */
void gws__bfs_handoff_commit(struct gws__bfs_handoff *handoff, struct gws_bfs_result *result);

/* launch: has the device go on by handoff->rule, and waits. Errors: launch's. */
gws_status gws__bfs_handoff_calibrate(struct gws__bfs_handoff *handoff,
                                      gws_status (*launch)(void *device, struct gws_where *where), void *device,
                                      struct gws_where *where);

#endif

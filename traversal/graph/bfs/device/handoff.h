/* SPDX-License-Identifier: MIT */
/* A search with handoff of whole levels between a device and one CPU thread (lib/hetero/handoff.h). The graph lies in
 * both memories. The thread runs the small levels, whose time on the device is mostly latency. This header declares the
 * exchanged state and the thread's part.
 *
 * State encoding. The side that runs the search uses visited, list and state. The vertices that the thread finds stay
 * in found[] until gws__bfs_handoff_commit(). The device skips them, because their bits in visited are set. ran[] has
 * the sizes of the levels that ran on the thread. */
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
    uint64_t *visited; /* padded to whole 64-bit words */
    bool counts_arcs;  /* the device reports the arcs of a small frontier */
    bool claims;       /* the device sets the bits of the frontier that it takes over */
    /* State of the current search. */
    struct gws__handoff_point at;  /* the current level and counts */
    struct gws__handoff_rule rule; /* the device continues by this rule */
    struct gws__bfs_found *found;  /* `finds` entries; capacity: the graph's vertices */
    struct gws__bfs_ran *ran;      /* `levels` entries; same capacity */
    uint64_t finds, levels;
    struct gws__bfs_frontier *front[2];
    bool enabled; /* the current launch may hand off the search */
    /* With a device, the memory of state, list and visited, and the arguments of a launch. The arguments are the rule,
     * state, list and visited. */
    struct gws__mirror mirror[gws__bfs_handoff_mirrors];
    struct gws_device_argument argument[gws__bfs_handoff_arguments];
};

/* Returns true if the launch continues a search. */
static inline bool gws__bfs_handoff_resumes(const struct gws_bfs_device *search)
{
    return search->handoff && search->handoff->enabled && search->handoff->rule.resumes;
}

/* Allocates memory. The caller sets state, list and visited. After a failure, the caller must call
 * gws__bfs_handoff_close(). Errors: GWS_NO_MEMORY. */
gws_status gws__bfs_handoff_open(struct gws_runtime *runtime, const struct gws_graph *graph,
                                 struct gws__bfs_handoff *handoff);
void gws__bfs_handoff_close(struct gws__bfs_handoff *handoff);

/* Resets the state for a search that begins on the device. */
void gws__bfs_handoff_begin(struct gws__bfs_handoff *handoff);

/* Runs levels on the CPU after a handoff by the device. Returns true if the device continues by handoff->rule, and
 * false if the search is done. */
bool gws__bfs_handoff_run(struct gws__bfs_handoff *handoff);

/* Adds the vertices that the CPU found to the result, which already holds the device's vertices. Then decides from the
 * result whether the next search enables handoff. */
void gws__bfs_handoff_commit(struct gws__bfs_handoff *handoff, struct gws_bfs_result *result);

/* Calibrates the cost model. launch() runs the device by handoff->rule and waits. Errors: those of launch(). */
gws_status gws__bfs_handoff_calibrate(struct gws__bfs_handoff *handoff,
                                      gws_status (*launch)(void *device, struct gws_diagnostic *where), void *device,
                                      struct gws_diagnostic *where);

#endif

/* SPDX-License-Identifier: MIT */
/* The state of a search for strong components. */
#ifndef GWS_TRAVERSAL_COMPONENTS_STRONG_H
#define GWS_TRAVERSAL_COMPONENTS_STRONG_H

#include <stdatomic.h>
#include <stdbool.h>

#include "../../../lib/graph.h"
#include "../../../lib/parallel.h"

struct gws__strong {
    struct gws_runtime *runtime;
    const struct gws_graph *graph, *reverse;
    _Atomic uint32_t
        *component;           /* a member of the vertex's component; GWS_NO_VERTEX: the component is not known (open) */
    _Atomic uint32_t *colour; /* colours of open vertices */
    _Atomic uint32_t *stamp;  /* the last step of colouring in which a vertex entered the queue */
    uint32_t *queue[2];       /* the frontier, and the next one: `vertices` entries each */
    uint32_t *active;         /* the open vertices, after gws__strong_compact() */
    uint64_t actives;
    uint32_t step;
    gws_status status;     /* GWS_CANCELLED: some loop is incomplete, and no loop runs any more */
    _Atomic uint64_t tail; /* length of the list that a loop fills */
    _Atomic uint64_t best; /* the pivot: its capped product of degrees in the high bits, then the vertex */
};

enum { gws__strong_grain = 256 }; /* max vertices of a list for each further worker */

static inline uint32_t gws__strong_load(_Atomic uint32_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static inline uint64_t gws__strong_load64(_Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static inline uint32_t gws__strong_component(const struct gws__strong *strong, uint32_t vertex)
{
    return atomic_load_explicit(&strong->component[vertex], memory_order_relaxed);
}

static inline void gws__strong_loop(struct gws__strong *strong, uint64_t count, uint32_t grain, gws_body *body)
{
    if (strong->status == GWS_OK) strong->status = gws_parallel_try_for(strong->runtime, count, grain, body, strong);
}

/* ---- strong_search.c ---- */

enum gws__strong_phase {
    GWS__STRONG_FORWARD,  /* propagates the colour to open vertices without one, along arcs */
    GWS__STRONG_BACKWARD, /* closes open vertices of the same colour, against arcs; their component is the colour */
    GWS__STRONG_COLOUR    /* raises the colours of open vertices, along arcs */
};

/* Runs a search from the `size` vertices in queue[0] until it finds no more vertices. Returns false if it gave up: in a
 * long chain of components, the colour of a vertex may rise once for each component before it. */
bool gws__strong_search(struct gws__strong *strong, enum gws__strong_phase phase, uint64_t size);

/* Removes closed vertices from the list of open vertices. */
void gws__strong_compact(struct gws__strong *strong);

/* Closes the open vertices that have their own number as colour, and lists them in queue[0]. Returns their number. */
uint64_t gws__strong_roots(struct gws__strong *strong);

/* ---- strong_finish.c ---- */

/* Finds the components of the open vertices on the calling thread alone. GWS_NO_MEMORY: the search takes 8 bytes per
 * open vertex. */
gws_status gws__strong_finish(struct gws__strong *strong);

/* ---- strong.c ---- */

/* Finds the strong components of a directed graph with its reverse. component: `vertices` entries; on success, an entry
 * is the smallest vertex of the vertex's component. */
gws_status gws__strong_components(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *component,
                                  uint64_t *components);

#endif

/* SPDX-License-Identifier: MIT */
/* Connected components: weak components of any graph, strong components of directed graphs. */
#ifndef GWS_COMPONENTS_H
#define GWS_COMPONENTS_H

#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_components_options {
    bool strong; /* vertices of a component reach each other along arcs, without effect on an undirected graph */
};

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the call reuses its array if it
 * fits. */
struct gws_components_result {
    uint64_t vertices;
    uint32_t *component;            /* vertices entries: the smallest vertex of the vertex's component */
    uint64_t components;            /* the number of components */
    uint64_t largest;               /* number of vertices of the largest component */
    double ms;                      /* time of the call; on a device: time of the kernel */
    double fetch_ms;                /* on a device: time of the copy to the host */
    struct gws_allocator allocator; /* private */
};

/* Finds the components on the runtime's threads, weak components if options is NULL.
 *
 * Weak components come from gws_graph_components(). Strong components come from trimming, a forward and a backward
 * search for the giant component, and colouring for the others (Slota, Rajamanickam, Madduri, IPDPS 2014). Once few
 * vertices are left, one worker finds their components (Tarjan 1972).
 *
 * Errors: GWS_NEEDS_REVERSE (strong components of a directed graph without its reverse, gws_graph_add_reverse()),
 * GWS_NO_MEMORY. Errors leave result unchanged or empty. Memory: 4 bytes per vertex for the result, and 4 more if no
 * component has a majority. Strong components take 20 bytes per vertex more, and 8 bytes for each vertex of the last
 * step. Time: O(arcs) for weak components, and O(arcs) for each round of colouring for strong components. */
GWS_API gws_status gws_components(struct gws_runtime *runtime, const struct gws_graph *graph,
                                  const struct gws_components_options *options, struct gws_components_result *result);

/* Finds weak components on a device. Opening uploads the graph and builds the program. Each run finds the components
 * again. Errors, with a message in *where (may be NULL): GWS_UNSUPPORTED (the rows lie on the host, or groups of this
 * device cannot wait for each other), GWS_TOO_LARGE (2^31 vertices or more), GWS_NO_MEMORY (8 bytes and a bit per
 * vertex on the device), GWS_DEVICE. Time of a run: some passes over the vertices. Undirected graphs with hubs read one
 * or two arcs of most rows, other dense undirected graphs two, and all other graphs read all arcs. */
struct gws_components_device;
GWS_API gws_status gws_components_device_open(struct gws_device_graph *on_device,
                                              struct gws_components_device **components, struct gws_diagnostic *where);

/* Finds strong components on a device: trimming, a forward and a backward search, and rounds of random colours
 * (kernels/graph/strong.cl). An undirected graph takes the weak form. Errors: as above, GWS_NEEDS_REVERSE (a directed
 * graph without its reverse, gws_graph_add_reverse()), GWS_UNSUPPORTED (the options of the device graph exclude the
 * index "reverse"), and GWS_NO_MEMORY (24 bytes per vertex and the index). Time of a run: O(log(vertices)) rounds on
 * average, each a launch in which a search takes as many steps as its longest shortest path. */
GWS_API gws_status gws_components_device_open_strong(struct gws_device_graph *on_device,
                                                     struct gws_components_device **components,
                                                     struct gws_diagnostic *where);

GWS_API void gws_components_device_close(struct gws_components_device *components); /* accepts NULL */

/* Sets all fields of result except .component and .fetch_ms. Errors: GWS_DEVICE, GWS_NO_MEMORY, and GWS_CANCELLED for
 * strong components, between two rounds. After an error the buffer has no result, but the next run starts afresh. */
GWS_API gws_status gws_components_device_run(struct gws_components_device *components,
                                             struct gws_components_result *result, struct gws_diagnostic *where);

/* Returns the components of the last run, a 32-bit word per vertex. The object owns the buffer. */
GWS_API struct gws_device_buffer *gws_components_device_buffer(const struct gws_components_device *components);

/* Copies the components of the last run to result->component, an array that result owns, and sets .fetch_ms. */
GWS_API gws_status gws_components_device_fetch(struct gws_components_device *components,
                                               struct gws_components_result *result, struct gws_diagnostic *where);

/* Frees the array of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_components_result_clear(struct gws_components_result *result);

/* Checks a result by other algorithms, on the calling thread. Union-find checks weak components, and two depth-first
 * searches check strong components (Kosaraju; Sharir 1981). Errors: GWS_WRONG_RESULT (where->message names the first
 * faulty vertex), GWS_NEEDS_REVERSE, GWS_INVALID (a result without components, or of another graph), GWS_NO_MEMORY (8
 * bytes per vertex, 24 for strong components). */
GWS_API gws_status gws_components_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                        const struct gws_components_options *options,
                                        const struct gws_components_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif

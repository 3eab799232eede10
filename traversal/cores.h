/* SPDX-License-Identifier: MIT */
/* Coreness. The k-core of a graph is its largest subgraph in which every vertex has at least k neighbours. The
 * coreness of a vertex is the largest k whose k-core contains the vertex. All functions treat the graph as simple and
 * undirected. They skip loops and parallel arcs, and ignore the direction of arcs. */
#ifndef GWS_CORES_H
#define GWS_CORES_H

#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A result. {0} is a valid empty result. A caller may pass a filled result again, and the call reuses its array for a
 * graph with as many vertices. gws_cores_result_clear() frees the array. */
struct gws_cores_result {
    uint64_t vertices;
    uint32_t *core;    /* vertices entries: the coreness of each vertex; 0 for vertices without neighbours */
    uint32_t max_core; /* the degeneracy of the graph, which is the largest coreness */
    uint32_t rounds;   /* number of different corenesses above 0, or on a device of rounds of removal */
    double prepare_ms; /* time to symmetrise a directed graph */
    double ms;         /* time of the call without prepare_ms; on a device: time of the kernel */
    double fetch_ms;   /* on a device: time of the copy to the host */
    struct gws_allocator allocator; /* private */
};

/* Computes the coreness of every vertex. Errors: GWS_NO_MEMORY, GWS_CANCELLED, which leave the result unchanged or
 * empty.
 *
 * For k = 1, 2, ... the workers remove the vertices that have k neighbours left. Each removal lowers the degrees of
 * the neighbours. The worker that lowers a degree to k removes the neighbour (Kabir, Madduri, "Parallel k-core
 * decomposition on multicore platforms", IPDPSW 2017), mostly in the same round (Liu, Dong, Gu, Sun, "Parallel k-core
 * decomposition: theory and practice", SIGMOD 2025). Each worker counts for itself what a hub loses. The workers are
 * one team of at most 64 for the whole call, so the policy has no effect. Time: O(arcs), a pass over the remaining
 * vertices for each coreness, one atomic operation for each edge that does not lead to a hub, and a barrier for each
 * round. A runtime with one worker removes batches of vertices from a stack, without atomic operations. Memory besides
 * the result: at most 15 bytes per vertex and 16 KiB per worker, or 8 bytes per vertex with one worker. The function
 * first symmetrises a directed graph. The copy takes at most twice the memory of the graph's CSR. */
GWS_API gws_status gws_cores(struct gws_runtime *runtime, const struct gws_graph *graph,
                             struct gws_cores_result *result);

/* Computes corenesses on a device, by rounds of the frontier engine. Opening builds the program and uploads the graph,
 * or in place of a directed graph a symmetric copy, which the host makes. Each run computes the corenesses again.
 * Errors, with a message in *where (may be NULL): GWS_UNSUPPORTED (the rows lie on the host; groups of this device
 * cannot wait for each other), GWS_TOO_LARGE (2^31 vertices or more), GWS_NO_MEMORY (12 bytes and 3 bits per vertex and
 * 1 byte per 32 arcs on the device), GWS_DEVICE. Time of a run: that of a run on threads, and some grid barriers for
 * each round. */
struct gws_cores_device;
GWS_API gws_status gws_cores_device_open(struct gws_device_graph *on_device, struct gws_cores_device **cores,
                                         struct gws_diagnostic *where);
GWS_API void gws_cores_device_close(struct gws_cores_device *cores); /* accepts NULL */

/* Sets all fields of result except .core and .fetch_ms. The kernel sees in every round whether the call is cancelled,
 * if the device shares memory with the host. Errors leave result unchanged. */
GWS_API gws_status gws_cores_device_run(struct gws_cores_device *cores, struct gws_cores_result *result,
                                        struct gws_diagnostic *where);

/* Returns the corenesses of the last run, a 32-bit word per vertex. The object owns the buffer. */
GWS_API struct gws_device_buffer *gws_cores_device_buffer(const struct gws_cores_device *cores);

/* Copies the corenesses of the last run to result->core, an array that result owns, and sets .fetch_ms. */
GWS_API gws_status gws_cores_device_fetch(struct gws_cores_device *cores, struct gws_cores_result *result,
                                          struct gws_diagnostic *where);

/* Frees the array of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_cores_result_clear(struct gws_cores_result *result);

/* Checks a result by separate code. A vertex of coreness k must have at least k neighbours of coreness k or higher, so
 * no coreness is too large. A serial removal in the order of degrees (Batagelj, Zaversnik, 2003) must not find a
 * larger coreness. where->message (may be NULL) describes the first fault. Errors: GWS_WRONG_RESULT, GWS_INVALID (a
 * result without core), GWS_NO_MEMORY. The check runs serially in O(arcs). Memory: 16 bytes per vertex, and the
 * symmetrised graph if the graph is directed. */
GWS_API gws_status gws_cores_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   const struct gws_cores_result *result, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* A graph that lives on a device: uploaded once, when the first algorithm wants its rows, and shared by all algorithms
 * and searches on that device.
 *
 * What an algorithm would like to have beside the rows is an index: arrays derived from the graph for speed. An index
 * is built on demand, once, by the first algorithm that wants it. Its time and its bytes are told, and it can be left
 * out: every algorithm works without any.
 *
 * A device graph refers to the runtime, the device and the graph; all three must outlive it, the graph unchanged. It
 * must itself outlive every search that was opened on it. It serves one thread at a time. */
#ifndef GWS_DEVICE_GRAPH_H
#define GWS_DEVICE_GRAPH_H

#include "../lib/device.h"
#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_device_graph;

enum gws_device_index {
    GWS_INDEX_REVERSE, /* the rows of arcs towards each vertex, which pull reads. Of a directed graph that has its
                        * reverse (gws_graph_add_reverse()); an undirected graph is its own, and needs no index */
    GWS_INDEX_HUBS,    /* each vertex's neighbour of highest degree, which pull asks first, and a bitmap of the vertices
                        * without any arc, which nobody looks at. 4 bytes and a bit a vertex */
    GWS_INDEX_MESH,    /* rows of a fixed width of four targets, which need no bounds: 16 bytes a row. Of meshes: graphs
                        * of 1.5 to 4 arcs a vertex whose rows of more than four arcs add at most a sixteenth */
    GWS_INDEXES
};

/* Indexes as a set: GWS_INDEX_SET(GWS_INDEX_HUBS) | GWS_INDEX_SET(GWS_INDEX_MESH). */
#define GWS_INDEX_SET(index) (1u << (index))
#define GWS_INDEX_ALL (GWS_INDEX_SET(GWS_INDEXES) - 1)

/* Where the rows lie. */
enum gws_placement {
    GWS_PLACE_AUTO,   /* on the device, if they fit into .memory with 32 bytes a vertex for a search; otherwise with the
                       * host, where the device can read the host's memory */
    GWS_PLACE_DEVICE, /* on the device */
    GWS_PLACE_HOST /* with the host: nothing is uploaded, there are no indexes, and each search says how it reads them
                    */
};

struct gws_device_graph_options {
    uint32_t without; /* the set of indexes that must not be built */
    enum gws_placement placement;
    uint64_t memory; /* bytes that the graph and a search may take on the device; 0: what the device has */
};

/* Opens a graph on a device; nothing is uploaded yet. options may be NULL. Errors, with a message in *where (may be
 * NULL, here and below): GWS_INVALID (an option out of range), GWS_NO_MEMORY. */
GWS_API gws_status gws_device_graph_open(struct gws_runtime *runtime, struct gws_device *device,
                                         const struct gws_graph *graph, const struct gws_device_graph_options *options,
                                         struct gws_device_graph **on_device, struct gws_where *where);

/* Uploads the rows, unless they are there. Algorithms do it when they want rows: a search of a mesh by the index "mesh"
 * does without. Errors: GWS_UNSUPPORTED (placement), GWS_TOO_LARGE (an array over the device's largest buffer),
 * GWS_NO_MEMORY, GWS_DEVICE. Memory on the device: 8 bytes a vertex, 4 an arc. Time: that of the bus. */
GWS_API gws_status gws_device_graph_upload(struct gws_device_graph *on_device, struct gws_where *where);

/* Frees it with its indexes; NULL is allowed. Searches on it go first. */
GWS_API void gws_device_graph_close(struct gws_device_graph *on_device);

struct gws_device_graph_info {
    struct gws_runtime *runtime;
    struct gws_device *device;
    const struct gws_graph *graph;
    enum gws_placement placement; /* never AUTO */
    bool chosen;                  /* the placement: AUTO was asked for */
    uint64_t memory;              /* that it may take; what the device has, if none was asked for */
    bool limited;                 /* memory was asked for */
    uint64_t bytes;               /* of what is on the device of the rows so far, without indexes */
    double upload_ms;             /* that these took */
};

/* It changes with the device graph. */
GWS_API const struct gws_device_graph_info *gws_device_graph_describe(const struct gws_device_graph *on_device);

/* ---- indexes ---- */

/* Whether there is this index or could be: the options and the graph allow it. A mesh is found out by a look at all
 * degrees, once. */
GWS_API bool gws_device_graph_may(struct gws_device_graph *on_device, enum gws_device_index index);

/* Builds an index, unless it is there. Errors: GWS_UNSUPPORTED (gws_device_graph_may() is false), GWS_TOO_LARGE,
 * GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_graph_prepare(struct gws_device_graph *on_device, enum gws_device_index index,
                                            struct gws_where *where);

struct gws_device_index_info {
    const char *name;  /* "reverse", "hubs", "mesh" */
    const char *about; /* a sentence */
    double prepare_ms; /* building it; translating a program for that is not in it */
    uint64_t bytes;    /* on the device */
};

/* Fills info; false, and nothing done, if the index is not built. */
GWS_API bool gws_device_graph_index(const struct gws_device_graph *on_device, enum gws_device_index index,
                                    struct gws_device_index_info *info);

/* ---- arrays ---- */

enum gws_device_graph_array {
    GWS_ARRAY_OFFSET,    /* u64, vertices + 1: as in struct gws_graph */
    GWS_ARRAY_TARGET,    /* u32, arcs */
    GWS_ARRAY_IN_OFFSET, /* the same of the rows of arcs towards a vertex: the index "reverse", or of an undirected */
    GWS_ARRAY_SOURCE,    /* graph the two above */
    GWS_ARRAY_HUB,       /* u32, vertices: the neighbour of highest degree that has an arc towards the vertex, of equal
                          * ones the first; GWS_NO_VERTEX: there is none */
    GWS_ARRAY_ISOLATED,  /* u32, a bitmap of the vertices without arcs from or to them */
    GWS_ARRAY_MESH,      /* u32, four a row: row v < vertices has the first targets of vertex v, filled up with
                          * GWS_NO_VERTEX. The last word of a row that goes on is 2^31 and the number of the row that
                          * has the rest, counted from the first row behind the vertices' */
    GWS_ARRAYS
};

/* An array's buffer, which stays the device graph's and is only read; NULL if it is not there. Any number of kernels
 * may read it. */
GWS_API struct gws_device_buffer *gws_device_graph_buffer(const struct gws_device_graph *on_device,
                                                          enum gws_device_graph_array array);

/* How many vertices have an arc towards them: counted with the index "hubs", otherwise all vertices. */
GWS_API uint64_t gws_device_graph_candidates(const struct gws_device_graph *on_device);

#ifdef __cplusplus
}
#endif
#endif

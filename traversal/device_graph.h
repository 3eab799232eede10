/* SPDX-License-Identifier: MIT */
/* A graph on a device. The first algorithm that needs the rows of the graph uploads them. All algorithms and searches
 * on that device share the uploaded rows.
 *
 * An index is a set of arrays derived from the graph for speed. The first algorithm that uses an index builds the
 * index, once. The device graph reports the build time and the size of each index. The caller may exclude any index,
 * because every algorithm works without indexes.
 *
 * A device graph refers to the runtime, the device and the graph. All three must outlive the device graph. The graph
 * must not change. The device graph must outlive every search opened on it. Only one thread at a time may use the
 * device graph. */
#ifndef GWS_DEVICE_GRAPH_H
#define GWS_DEVICE_GRAPH_H

#include "../lib/device.h"
#include "../lib/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_device_graph;

enum gws_device_index {
    GWS_INDEX_REVERSE, /* incoming arcs of each vertex as rows, which pull reads. Requires a directed graph with its
                        * reverse (gws_graph_add_reverse()). An undirected graph needs none
                        */
    GWS_INDEX_HUBS,    /* for each vertex the neighbour of highest degree, which pull tries first, and a bitmap of
                        * the vertices without arcs, which pull skips. 4 bytes and 1 bit per vertex */
    GWS_INDEX_MESH, /* rows with a fixed width of four targets, which need no bounds and take 16 bytes each. For meshes,
                       which are graphs with 1.5 to 4 arcs per vertex in which rows of more than four arcs add at most a
                       sixteenth */
    GWS_INDEXES
};

/* A set of indexes: GWS_INDEX_SET(GWS_INDEX_HUBS) | GWS_INDEX_SET(GWS_INDEX_MESH). */
#define GWS_INDEX_SET(index) (1u << (index))
#define GWS_INDEX_ALL (GWS_INDEX_SET(GWS_INDEXES) - 1)

/* The memory that holds the rows. */
enum gws_placement {
    GWS_PLACE_AUTO, /* on the device if the rows and 32 bytes per vertex for a search fit into .memory, otherwise on the
                       host if the device can read the host's memory */
    GWS_PLACE_DEVICE, /* on the device */
    GWS_PLACE_HOST    /* on the host, where the device graph uploads nothing and has no indexes, and each search defines
                         how it reads the rows */
};

struct gws_device_graph_options {
    uint32_t without; /* set of indexes that no algorithm may build */
    enum gws_placement placement;
    uint64_t memory; /* bytes that the graph and a search may take on the device; 0: the device's memory */
};

/* Opens a graph on a device without uploading anything. options may be NULL. Errors, with a message in *where (may be
 * NULL, here and below): GWS_INVALID (an option out of range), GWS_NO_MEMORY. */
GWS_API gws_status gws_device_graph_open(struct gws_runtime *runtime, struct gws_device *device,
                                         const struct gws_graph *graph, const struct gws_device_graph_options *options,
                                         struct gws_device_graph **on_device, struct gws_diagnostic *where);

/* Uploads the rows unless they are on the device. An algorithm that needs the rows calls this function. A search of a
 * mesh by the index "mesh" does not. Errors: GWS_UNSUPPORTED (placement), GWS_TOO_LARGE (an array exceeds the device's
 * largest buffer), GWS_NO_MEMORY, GWS_DEVICE. Memory on the device: 8 bytes per vertex and 4 bytes per arc. Time: the
 * transfer over the bus. */
GWS_API gws_status gws_device_graph_upload(struct gws_device_graph *on_device, struct gws_diagnostic *where);

/* Frees the device graph and its indexes. Accepts NULL. Close searches on it first. */
GWS_API void gws_device_graph_close(struct gws_device_graph *on_device);

struct gws_device_graph_info {
    struct gws_runtime *runtime;
    struct gws_device *device;
    const struct gws_graph *graph;
    enum gws_placement placement; /* never AUTO */
    bool chosen;                  /* the caller's placement was AUTO */
    uint64_t memory;  /* bytes that the graph and a search may take: the caller's limit, or the device's memory */
    bool limited;     /* the caller set a memory limit */
    uint64_t bytes;   /* size of the rows uploaded so far, without indexes */
    double upload_ms; /* time of these uploads */
};

/* Returns the properties of the device graph. The content of the struct changes when the device graph changes. */
GWS_API const struct gws_device_graph_info *gws_device_graph_describe(const struct gws_device_graph *on_device);

/* ---- indexes ---- */

/* Returns true if the index exists or the options and the graph allow building it. The first query for the mesh index
 * scans all degrees once. */
GWS_API bool gws_device_graph_may(struct gws_device_graph *on_device, enum gws_device_index index);

/* Builds an index unless it exists. Errors: GWS_UNSUPPORTED (gws_device_graph_may() is false), GWS_TOO_LARGE,
 * GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_device_graph_prepare(struct gws_device_graph *on_device, enum gws_device_index index,
                                            struct gws_diagnostic *where);

struct gws_device_index_info {
    const char *name;  /* "reverse", "hubs", "mesh" */
    const char *about; /* a one-sentence description */
    double prepare_ms; /* build time without program compilation */
    uint64_t bytes;    /* memory on the device */
};

/* Fills info. Returns false and leaves info unchanged if the index is not built. */
GWS_API bool gws_device_graph_index(const struct gws_device_graph *on_device, enum gws_device_index index,
                                    struct gws_device_index_info *info);

/* ---- arrays ---- */

enum gws_device_graph_array {
    GWS_ARRAY_OFFSET,    /* u64, vertices + 1: as in struct gws_graph */
    GWS_ARRAY_TARGET,    /* u32, arcs */
    GWS_ARRAY_IN_OFFSET, /* offsets and targets of the incoming arcs' rows, which are the index "reverse", or for an */
    GWS_ARRAY_SOURCE,    /* undirected graph the two arrays above */
    GWS_ARRAY_HUB, /* u32, vertices: the source of highest degree (the first if several are equal) among the arcs to the
                      vertex; GWS_NO_VERTEX: no such arc */
    GWS_ARRAY_ISOLATED, /* u32, a bitmap of the vertices without incoming and outgoing arcs */
    GWS_ARRAY_MESH,     /* u32, four words per row: row v < vertices has the first targets of vertex v, padded with
                         * GWS_NO_VERTEX. If a row continues, its last word is 2^31 plus the number of the row with
                         * the next targets, counted from the first row after the vertices' rows */
    GWS_ARRAYS
};

/* Returns the buffer of an array, or NULL if the array does not exist. The device graph owns the buffer. Kernels only
 * read the buffer, and any number of kernels may read it at once. */
GWS_API struct gws_device_buffer *gws_device_graph_buffer(const struct gws_device_graph *on_device,
                                                          enum gws_device_graph_array array);

/* Returns the number of vertices with an incoming arc if the index "hubs" is built, otherwise the number of all
 * vertices. */
GWS_API uint64_t gws_device_graph_candidates(const struct gws_device_graph *on_device);

#ifdef __cplusplus
}
#endif
#endif

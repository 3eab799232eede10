/* SPDX-License-Identifier: MIT */
/* Breadth-first searches from up to 256 sources at once on a device: for each source the number of vertices in reach,
 * their distances and the sum of these; for all sources together the number of pairs at each distance. A run is one
 * persistent kernel. gws_bfs_batch() in bfs.h is the form for threads. */
#ifndef GWS_BFS_BATCH_DEVICE_H
#define GWS_BFS_BATCH_DEVICE_H

#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GWS_BFS_BATCH_SOURCES = 256 }; /* max sources of a run */

struct gws_bfs_batch_device_options {
    uint32_t sources;      /* max sources of a run, up to GWS_BFS_BATCH_SOURCES; 0: as many */
    uint32_t max_distance; /* the searches end at this distance; 0: no limit */
    bool distances;        /* runs store the distance of each source to each vertex */
};

/* A result. {0} is a valid empty result. A run sets the first fields and the last but one. A fetch sets the others. */
struct gws_bfs_batch_device_result {
    uint64_t vertices;
    uint32_t sources;   /* number of sources of the run */
    uint32_t levels;    /* the largest finite distance plus 1; 0 without sources */
    uint32_t width;     /* bytes of a stored distance: 1, 2 or 4; 0: no distances */
    uint32_t *reached;  /* for each source: number of vertices at a finite distance, including the source itself */
    uint32_t *farthest; /* for each source: the largest finite distance */
    uint64_t *total;    /* for each source: the sum of the finite distances */
    uint64_t *pairs;    /* `levels` entries: number of pairs of a source and a vertex at each distance */
    void *distance;     /* for each source a row of `vertices` entries of `width` bytes. All bits of an entry are set if
                         * the vertex is not reached. NULL: no distances */
    double ms;          /* time of the run */
    double fetch_ms;    /* time of the copy to the host */
    struct gws__bfs_batch_scratch *scratch; /* private */
};

struct gws_bfs_batch_device;

/* Uploads the graph, and the rows of a directed graph's reverse (GWS_INDEX_REVERSE), and builds the program. options
 * may be NULL.
 *
 * The searches are those of gws_bfs_batch(), with one bit for each source: 256 bits for a vertex if options allow more
 * than 64 sources and the device has the memory, otherwise 64 bits. A run of more than 64 sources then is several
 * launches. A level of a batch pushes if its frontier has few arcs, and pulls otherwise.
 *
 * Errors, with a message in *where (may be NULL, here and below): GWS_INVALID (options->sources), GWS_NEEDS_REVERSE (a
 * directed graph without reverse), GWS_UNSUPPORTED (the rows lie on the host, groups of this device cannot wait for
 * each other, or the device graph was opened without GWS_INDEX_REVERSE), GWS_TOO_LARGE (2^31 vertices or more),
 * GWS_DEVICE (also a device without numbers of double precision), GWS_NO_MEMORY. Memory on the device: 24 bytes per
 * vertex for 64 sources at once and 76 for 256, which read the arcs once instead of four times, and 1 byte per 64 arcs.
 * Runs add 8 bytes for each distance from 0 up to the smaller of 65,534 and the number of vertices, or to the number of
 * vertices if a distance is larger. Distances take 1, 2 or 4 bytes for each source and vertex (see
 * gws_bfs_batch_device_run()). */
GWS_API gws_status gws_bfs_batch_device_open(struct gws_device_graph *on_device,
                                             const struct gws_bfs_batch_device_options *options,
                                             struct gws_bfs_batch_device **batch, struct gws_diagnostic *where);
GWS_API void gws_bfs_batch_device_close(struct gws_bfs_batch_device *batch); /* accepts NULL */

/* Searches from `count` sources, along outgoing arcs. A source may occur several times. Sets .vertices, .sources,
 * .levels, .width and .ms of result. Stored distances have 1 byte at first. If a distance exceeds 254, the run starts
 * again with 2 bytes, beyond 65,534 with 4 bytes, and later runs stay with them. A launch ends early once the call is
 * cancelled. Errors: GWS_OUT_OF_RANGE (a source), GWS_INVALID (more sources than the options allow), GWS_CANCELLED,
 * GWS_TOO_LARGE and GWS_NO_MEMORY (the distances), GWS_DEVICE. */
GWS_API gws_status gws_bfs_batch_device_run(struct gws_bfs_batch_device *batch, const uint32_t *source, uint32_t count,
                                            struct gws_bfs_batch_device_result *result, struct gws_diagnostic *where);

/* The arrays of a result on the device, with the format that the result has on the host. */
enum gws_bfs_batch_array {
    GWS_BFS_BATCH_REACHED,
    GWS_BFS_BATCH_FARTHEST,
    GWS_BFS_BATCH_TOTAL,
    GWS_BFS_BATCH_PAIRS,
    GWS_BFS_BATCH_DISTANCES,
    GWS_BFS_BATCH_ARRAYS
};

/* Returns an array of the last run, or NULL if there is none. The object owns the buffer until its next run. A run
 * first overwrites all arrays, so a run that fails leaves no values of an earlier run. */
GWS_API struct gws_device_buffer *gws_bfs_batch_device_buffer(const struct gws_bfs_batch_device *batch,
                                                              enum gws_bfs_batch_array array);

/* Copies the arrays of the last run to result, whose memory it reuses if it fits, and sets all fields except .ms.
 * Errors, which leave result unchanged, empty or with undefined arrays: GWS_INVALID (the last run has failed),
 * GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_bfs_batch_device_fetch(struct gws_bfs_batch_device *batch,
                                              struct gws_bfs_batch_device_result *result, struct gws_diagnostic *where);

/* Frees the arrays of a result and sets the result to {0}. Accepts NULL. */
GWS_API void gws_bfs_batch_device_result_clear(struct gws_bfs_batch_device_result *result);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* Searches from up to 64 or 256 sources at once on a device: the buffers and the launches of
 * kernels/graph/bfs_batch.cl. batch.h is the same method on threads. */
#ifndef GWS_TRAVERSAL_ENGINE_BATCH_DEVICE_H
#define GWS_TRAVERSAL_ENGINE_BATCH_DEVICE_H

#include "device_kernel.h"

/* The buffers, in the order of the kernel's parameters. Results have an entry for each source of all launches. */
enum gws__batch_buffer {
    BATCH_SOURCE_LIST, /* u32 */
    BATCH_SEEN,
    BATCH_BEFORE,
    BATCH_MARK,
    BATCH_LIST,
    BATCH_TOUCHED_LIST,
    BATCH_PIECES,
    BATCH_PIECES_IN,
    BATCH_REACHED,      /* u32 */
    BATCH_ECCENTRICITY, /* u32 */
    BATCH_TOTAL,        /* u64 */
    BATCH_HARMONIC,     /* double */
    BATCH_PAIRS,        /* u64 for each depth, of the last launch; NULL: not wanted */
    BATCH_DISTANCE,     /* a row for each source of the last launch; NULL: not wanted */
    BATCH_COUNT,        /* BATCH_COUNTS words (kernels/graph/bfs_batch_words.h) */
    BATCH_ARCS,
    BATCH_ARRIVED,
    BATCH_BUFFERS
};

struct gws__batch_device {
    struct gws__device_kernel kernel;
    struct gws_device_buffer *buffer[BATCH_BUFFERS];
    uint32_t words; /* for each vertex: 1, or BATCH_WORDS */
};

/* Builds the program and the index "reverse" of a directed graph. The caller closes the batch, also after an error.
 * Errors: those of gws__device_kernel_open() and gws_device_graph_prepare(). */
gws_status gws__batch_device_open(struct gws__batch_device *batch, struct gws_device_graph *on_device,
                                  struct gws_diagnostic *where);

/* Chooses .words and makes the buffers for this many sources, except BATCH_PAIRS and BATCH_DISTANCE. listed: the
 * sources are a list. */
gws_status gws__batch_device_reserve(struct gws__batch_device *batch, uint64_t sources, bool listed,
                                     struct gws_diagnostic *where);

void gws__batch_device_close(struct gws__batch_device *batch);

struct gws__batch_launch {
    bool outgoing;           /* distances from the sources; false: distances to them */
    bool listed;             /* the sources are those in BATCH_SOURCE_LIST; false: the vertices `first` and following */
    uint32_t first, sources; /* at most 64 * words */
    uint32_t width;          /* bytes of a distance in BATCH_DISTANCE; 0: none */
    uint32_t max_depth;      /* the searches end at this depth; UINT32_MAX: no limit */
};

/* Searches from these sources, and waits for the end. */
gws_status gws__batch_device_launch(struct gws__batch_device *batch, const struct gws__batch_launch *what,
                                    struct gws_diagnostic *where);

#endif

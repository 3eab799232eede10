/* SPDX-License-Identifier: MIT */
/* Level containers: the index range of one loop, cut for its workers. A container is filled by one thread before the
 * loop's workers are called, only shrinks while they run, and is empty when all are done.
 *
 * Concurrency contract of every container here: fill() is exclusive; pop(.., w, ..) is called by worker w only; steal()
 * by anyone. A range is handed out exactly once. Only indexes are handed over, never the data behind them: that was
 * published when the workers were called (lib/pool/threads.c, release of `call`), so no operation here orders memory.
 */
#ifndef GWS_QUEUE_CONTAINER_H
#define GWS_QUEUE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../range.h"

enum gws_grab {
    GWS_GRAB_TOOK,   /* *out is the caller's */
    GWS_GRAB_EMPTY,  /* nothing there, and nothing will come in this loop */
    GWS_GRAB_LOST,   /* another worker was quicker; trying again may succeed */
    GWS_GRAB_ABORTED /* somebody else is at it, and the thief gave up rather than wait */
};

/* How a loop is cut. */
struct gws_cut {
    uint64_t count; /* at most chunk * (2^32 - 1) */
    uint32_t chunk;
    uint32_t workers;             /* who will come: 0 .. workers - 1 */
    uint32_t parts;               /* entries of part, at least workers; 0: equal parts */
    const struct gws_range *part; /* part[w] is worker w's to begin with; those of workers who do not come are stolen */
};

struct gws_container {
    /* True if a range given to a worker can be run by that worker only, so that each must come; false if the others
     * will find what a late worker leaves. */
    bool owner_only;
    /* Of the state, and of it for each worker that there can be; the state is aligned to 128 bytes. */
    size_t bytes, worker_bytes;
    /* Cuts 0 .. count - 1. Returns how many workers a thief has to look at, at least cut->workers. */
    uint32_t (*fill)(void *state, const struct gws_cut *cut);
    /* GWS_GRAB_LOST where there may be more in a moment. */
    enum gws_grab (*pop)(void *state, uint32_t worker, struct gws_range *out);
    /* NULL: nothing can be stolen. */
    enum gws_grab (*steal)(void *state, uint32_t victim, struct gws_range *out);
};

extern const struct gws_container gws__container_static;
extern const struct gws_container gws__container_cursor;
extern const struct gws_container gws__container_chunked;
extern const struct gws_container gws__container_central;

#endif

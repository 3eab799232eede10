/* SPDX-License-Identifier: MIT */
/* Work queues of loops: the index range of one loop, divided among its workers. One thread fills a queue before it
 * calls the loop's workers. The queue only shrinks while the workers run, and it is empty when all workers have
 * finished.
 *
 * Concurrency contract of every work queue: fill() is exclusive. Only worker w calls pop(.., w, ..). Any thread may
 * call steal(). Exactly one thread acquires each range. A queue passes on indexes, not the data that they refer to. The
 * call of the workers has published the data (lib/pool/threads.c, release of `call`). So no operation here orders
 * memory. */
#ifndef GWS_QUEUE_WORK_QUEUE_H
#define GWS_QUEUE_WORK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../range.h"

enum gws_acquire {
    GWS_ACQUIRED,       /* the caller owns the range *out */
    GWS_ACQUIRE_EMPTY,  /* the queue is empty and stays empty in this loop */
    GWS_ACQUIRE_LOST,   /* another worker was faster; a retry may succeed */
    GWS_ACQUIRE_ABORTED /* another worker holds the lock, and the thief gave up */
};

/* How a loop is divided. */
struct gws_loop_partition {
    uint64_t count; /* at most chunk * (2^32 - 1) */
    uint32_t chunk;
    uint32_t workers;             /* workers called: 0 .. workers - 1 */
    uint32_t parts;               /* entries of part, at least workers; 0: equal parts */
    const struct gws_range *part; /* part[w] is worker w's first share; thieves take the parts of absent workers */
};

struct gws_work_queue {
    /* Only the owner of a part can run it, so every called worker must join the loop. If this is false, other workers
     * can take the part of a late worker. */
    bool owner_only;
    /* The state has `bytes` bytes, and worker_bytes bytes for each possible worker. It is aligned to 128 bytes. */
    size_t bytes, worker_bytes;
    /* Divides 0 .. count - 1. Returns the number of possible victims, at least partition->workers. */
    uint32_t (*fill)(void *state, const struct gws_loop_partition *partition);
    /* Returns GWS_ACQUIRE_LOST if more work may appear soon. */
    enum gws_acquire (*pop)(void *state, uint32_t worker, struct gws_range *out);
    /* NULL: the queue does not support stealing. */
    enum gws_acquire (*steal)(void *state, uint32_t victim, struct gws_range *out);
};

extern const struct gws_work_queue gws__work_queue_static;
extern const struct gws_work_queue gws__work_queue_cursor;
extern const struct gws_work_queue gws__work_queue_chunked;
extern const struct gws_work_queue gws__work_queue_central;

#endif

/* SPDX-License-Identifier: MIT */
/* What the workers of a simulation did over virtual time: slices for --trace, curves for --plot. */
#ifndef TOOLS_GSIM_TIMELINE_H
#define TOOLS_GSIM_TIMELINE_H

#include "../../graphws.h"

enum { TIMELINE_MAX_TRACED = 1000, TIMELINE_SPANS = 512 };

/* A worker's track. The slices are those that it has begun; a steal ends when the worker is busy again. */
struct timeline_worker {
    uint64_t slices, lost, end_ns; /* end_ns: of the last slice */
    uint64_t stolen;               /* since the last busy slice */
    uint32_t victim;
};

struct timeline {
    struct gws_sim_observer observer; /* for the options of a simulation */
    struct gws_runtime *runtime;
    uint32_t workers;
    /* --trace */
    struct timeline_worker *worker; /* NULL: no trace */
    struct gws_slice *slice;        /* by worker: capacity */
    uint64_t capacity;
    /* --plot: integrals over equal spans of time, in workers and tasks times nanoseconds. */
    uint64_t span_ns;
    double busy[TIMELINE_SPANS], queued[TIMELINE_SPANS];
};

/* Prepares for one simulation. traced: also for timeline_write(). Returns false if memory is short. Call
 * timeline_close() in any case. */
bool timeline_open(struct timeline *timeline, struct gws_runtime *runtime, uint32_t workers, bool traced);
void timeline_close(struct timeline *timeline);

/* Writes the trace of a simulation that ended at that time. Returns -1, or the exit status. */
int timeline_write(struct timeline *timeline, uint64_t end_ns, const char *policy, const char *path);

#endif

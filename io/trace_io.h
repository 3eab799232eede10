/* SPDX-License-Identifier: MIT */
/* Writes traces of workers. */
#ifndef GWS_TRACE_IO_H
#define GWS_TRACE_IO_H

#include "../lib/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the slices of all tracks (lib/trace.h) to path as Chrome trace events (JSON, for Perfetto and
 * chrome://tracing). A final .gz in path compresses the file. "-" is standard output. Each worker and each device is a
 * named thread. A worker's slices have the names busy, idle and steal. A device's slices have these as their category
 * ("cat"), and names that say more where it is known: "push 7" or "pull 7" for a level, "steal from 3" for a victim. A
 * slice has its tasks, victim, group, level and direction in "args" if they are known. An instant event "slices lost"
 * marks the point where a track's capacity (gws_options.trace) ended, and otherData has the total number of lost
 * slices. A slice takes about 110 bytes, and 60 more with a level. The call writes the whole file or none
 * (output_io.h). The function copies the slices first, because its own parallel loops add slices. Errors: GWS_SYSTEM,
 * GWS_NO_MEMORY. */
GWS_API gws_status gws_trace_write(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where);

/* A track of a trace that the runtime has not recorded. */
struct gws_track {
    const struct gws_slice *slice; /* in order of time */
    uint64_t count, lost;          /* lost: slices that did not fit */
    const char *name;              /* the device's name; NULL: the track of a worker, which has the track's number */
};

/* Writes tracks, such as those of a simulation, as gws_trace_write() does. policy: its name. */
GWS_API gws_status gws_trace_write_tracks(struct gws_runtime *runtime, const struct gws_track *track, uint32_t tracks,
                                          const char *policy, const char *path, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif

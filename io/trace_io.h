/* SPDX-License-Identifier: MIT */
/* What a runtime's workers did when, to a file. */
#ifndef GWS_TRACE_IO_H
#define GWS_TRACE_IO_H

#include "../lib/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the slices of all tracks (lib/trace.h) to path as Chrome trace events (JSON; Perfetto and chrome://tracing
 * open it), compressed if path ends in .gz; "-" is standard output. Each worker and each device is a thread with its
 * name; its slices are called busy, idle and steal, with their tasks, victim, level and direction where there were any;
 * an instant called "slices lost" stands where a track's room (gws_options.trace) ended, and otherData says how many
 * were lost altogether. About 110 bytes a slice, and 40 more of a level. The file is whole or not there at all
 * (output_io.h). The slices are copied first, as writing runs loops of its own. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_trace_write(struct gws_runtime *runtime, const char *path, struct gws_where *where);

#ifdef __cplusplus
}
#endif
#endif

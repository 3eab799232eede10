/* SPDX-License-Identifier: MIT */
/* Writing a trace of a runtime's workers. */
#ifndef GWS_TRACE_IO_H
#define GWS_TRACE_IO_H

#include "../lib/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the slices of all tracks (lib/trace.h) to path as Chrome trace events (JSON; Perfetto and chrome://tracing
 * open it), compressed if path ends in .gz; "-" is standard output. Each worker and each device is a named thread.
 * Slices are called busy, idle and steal; they have tasks, victim, level and direction if known. An instant event
 * "slices lost" marks the point where a track's capacity (gws_options.trace) ended, and otherData has the total number
 * of lost slices. A slice takes about 110 bytes, and 40 more with a level. The file is written whole or not at all
 * (output_io.h). Writing runs loops of its own, so the slices are copied first. Errors: GWS_SYSTEM, GWS_NO_MEMORY. */
GWS_API gws_status gws_trace_write(struct gws_runtime *runtime, const char *path, struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif

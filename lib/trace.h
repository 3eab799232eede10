/* SPDX-License-Identifier: MIT */
/* A trace of the workers, threads and devices alike. It consists of slices of time on tracks. Track w is worker w of
 * the runtime. The tracks of devices follow. Tracing records nothing and costs no time unless gws_options.trace is
 * set. */
#ifndef GWS_TRACE_H
#define GWS_TRACE_H

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GWS_TRACE_NONE UINT32_MAX

enum gws_slice_kind { GWS_SLICE_BUSY, GWS_SLICE_IDLE, GWS_SLICE_STEAL };
enum gws_slice_direction { GWS_SLICE_NO_DIRECTION, GWS_SLICE_PUSH, GWS_SLICE_PULL };

struct gws_slice {
    uint64_t begin_ns, end_ns; /* since the runtime was opened */
    uint32_t tasks;  /* busy: tasks run, or a device's launches, or the frontier of its level; steal: tasks stolen */
    uint32_t level;  /* level of the search or tree, from 0; GWS_TRACE_NONE: no level */
    uint32_t victim; /* steal: the victim (on a device a work-group, or a thread, which has a number after the groups);
                      * otherwise GWS_TRACE_NONE */
    uint32_t group;  /* steal or idle on a device: the work-group or the worker (a warp); otherwise GWS_TRACE_NONE */
    uint16_t kind, direction; /* an enum gws_slice_kind, an enum gws_slice_direction */
};

/* Returns the slices of a track since the last reset of the statistics, in order of time. *lost receives the number of
 * slices that did not fit. The array is valid until the next loop, call for tasks, gws_trace_add(), reset or close. */
GWS_API const struct gws_slice *gws_runtime_trace(const struct gws_runtime *runtime, uint32_t track, uint64_t *slices,
                                                  uint64_t *lost);

/* gws_trace_tracks() returns the number of tracks: workers, then devices. gws_trace_name() returns the name of a
 * device's track, or NULL for a worker's track. */
GWS_API uint32_t gws_trace_tracks(const struct gws_runtime *runtime);
GWS_API const char *gws_trace_name(const struct gws_runtime *runtime, uint32_t track);

/* Sets the level (or GWS_TRACE_NONE) and the direction of later slices. Only the thread that the runtime serves may
 * call the function, between loops. Cost: one store. */
GWS_API void gws_trace_level(struct gws_runtime *runtime, uint32_t level, enum gws_slice_direction direction);

/* Returns the device track of that name (the first 31 bytes count), and adds it if there is none. The result is
 * GWS_TRACE_NONE if tracing is off, if there are 16 tracks already, or if memory is short. Only the thread that the
 * runtime serves may call the function. lib/device.h adds a track for each open device. A wait on the default stream
 * adds a slice for the launches that it waited for. */
GWS_API uint32_t gws_trace_track(struct gws_runtime *runtime, const char *name);

/* Adds a slice to a device's track (GWS_TRACE_NONE: no effect), such as a level that a kernel has timed. Times must be
 * in order. One thread at a time may call the function. gws_trace_now() returns the nanoseconds since the runtime was
 * opened. */
GWS_API void gws_trace_add(struct gws_runtime *runtime, uint32_t track, const struct gws_slice *slice);
GWS_API void gws_trace_lose(struct gws_runtime *runtime, uint32_t track, uint64_t slices); /* counts slices as lost */
GWS_API uint64_t gws_trace_now(const struct gws_runtime *runtime);

/* Adds a busy slice with the current level and direction. */
GWS_API void gws_trace_busy(struct gws_runtime *runtime, uint32_t track, uint64_t begin_ns, uint64_t end_ns,
                            uint32_t tasks);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* What the workers did when, threads and devices alike: slices of time on tracks. Track w is worker w of the runtime;
 * devices have tracks behind those. Nothing is kept, and nothing costs time, unless gws_options.trace asks for it. */
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
    uint32_t tasks;            /* busy: run in it (of a device: launches); steal: taken */
    uint32_t level;            /* of the search or tree, from 0; GWS_TRACE_NONE: of none */
    uint32_t victim;           /* steal: the worker who had them; otherwise GWS_TRACE_NONE */
    uint16_t kind, direction;  /* an enum gws_slice_kind, an enum gws_slice_direction */
};

/* The slices that the track kept since the statistics were reset, in order of time, and in *lost how many more there
 * would have been. Valid until the next loop, call for tasks, gws_trace_add(), reset or close. */
GWS_API const struct gws_slice *gws_runtime_trace(const struct gws_runtime *runtime, uint32_t track, uint64_t *slices,
                                                  uint64_t *lost);

/* How many tracks there are: the workers', then devices'. The name of one of a device, NULL of a worker's. */
GWS_API uint32_t gws_trace_tracks(const struct gws_runtime *runtime);
GWS_API const char *gws_trace_name(const struct gws_runtime *runtime, uint32_t track);

/* Says of what level (or GWS_TRACE_NONE) the slices from now on are, and in what direction it runs. For the thread that
 * the runtime serves, between loops; it costs a store. */
GWS_API void gws_trace_level(struct gws_runtime *runtime, uint32_t level, enum gws_slice_direction direction);

/* A track for a device, or the one of that name (of which 31 bytes count). GWS_TRACE_NONE: nothing is traced, there are
 * 16 already, or memory is short. For the thread that the runtime serves. lib/device.h makes one for each device that
 * is opened, and adds a slice for each stretch of launches that is waited for on its own stream. */
GWS_API uint32_t gws_trace_track(struct gws_runtime *runtime, const char *name);

/* Adds a slice to a device's track (GWS_TRACE_NONE: does nothing), such as a level that a kernel has timed; times are
 * in order. By one thread at a time. gws_trace_now(): nanoseconds since the runtime was opened. */
GWS_API void gws_trace_add(struct gws_runtime *runtime, uint32_t track, const struct gws_slice *slice);
GWS_API uint64_t gws_trace_now(const struct gws_runtime *runtime);

/* The same with the level and direction of now. */
GWS_API void gws_trace_busy(struct gws_runtime *runtime, uint32_t track, uint64_t begin_ns, uint64_t end_ns,
                            uint32_t tasks);

#ifdef __cplusplus
}
#endif
#endif

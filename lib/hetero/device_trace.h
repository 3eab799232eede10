/* SPDX-License-Identifier: MIT */
/* Events of a device's work-groups in the runtime's trace (kernels/hetero/trace_words.h). The events are the levels
 * that the groups run, the tasks that they steal, and the spans in which a worker has no tasks. They go to the tracks
 * "ADDRESS levels", "ADDRESS steals" and "ADDRESS idle". One thread at a time uses a log. A log takes 1.5 MB on the
 * device. The host reads the log after each launch. A runtime without a trace has no such cost. */
#ifndef GWS_LIB_HETERO_DEVICE_TRACE_H
#define GWS_LIB_HETERO_DEVICE_TRACE_H

#include "../device.h"

struct gws__device_trace {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_buffer *log; /* NULL: the runtime has no trace */
    uint64_t began_ns;
    uint64_t none; /* 0: a kernel's argument if the runtime has no trace */
};

/* Opens a log if the runtime traces. The caller frees the log with gws__device_trace_close(), which accepts {0}.
 * Errors: those of gws_device_buffer_new(). */
gws_status gws__device_trace_open(struct gws__device_trace *trace, struct gws_runtime *runtime,
                                  struct gws_device *device, struct gws_diagnostic *where);
void gws__device_trace_close(struct gws__device_trace *trace);

/* Makes the tracks of steals and idle spans, if the runtime traces. Later another thread than the runtime's may call
 * gws__device_trace_end(), if the kernel logs no levels. */
void gws__device_trace_tracks(const struct gws__device_trace *trace);

/* Returns the kernel's argument: the log, or a null pointer. */
struct gws_device_argument gws__device_trace_argument(const struct gws__device_trace *trace);

/* gws__device_trace_begin() clears the log before a launch. gws__device_trace_end() adds the log's events to the
 * runtime's trace after the launch has ended. It adds no events of a device without a clock. Errors: GWS_DEVICE,
 * GWS_NO_MEMORY. */
gws_status gws__device_trace_begin(struct gws__device_trace *trace, struct gws_diagnostic *where);
gws_status gws__device_trace_end(struct gws__device_trace *trace, struct gws_diagnostic *where);

#endif

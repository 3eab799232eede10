/* SPDX-License-Identifier: MIT */
/* What a device's work-groups do inside a kernel, in the runtime's trace: the levels that they run and the tasks that
 * they steal (kernels/hetero/trace_words.h). Levels go to the track "ADDRESS levels", steals to "ADDRESS steals". One
 * thread at a time uses a log. Costs nothing where nothing is traced; otherwise 1.5 MB on the device, and a read after
 * each launch. */
#ifndef GWS_LIB_HETERO_DEVICE_TRACE_H
#define GWS_LIB_HETERO_DEVICE_TRACE_H

#include "../device.h"

struct gws__device_trace {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_buffer *log; /* NULL: nothing is traced */
    uint64_t began_ns;
    uint64_t none; /* 0: a kernel's argument where nothing is traced */
};

/* Opens a log if the runtime traces. The caller frees it with gws__device_trace_close(), which accepts {0}. Errors:
 * those of gws_device_buffer_new(). */
gws_status gws__device_trace_open(struct gws__device_trace *trace, struct gws_runtime *runtime,
                                  struct gws_device *device, struct gws_diagnostic *where);
void gws__device_trace_close(struct gws__device_trace *trace);

/* The kernel's argument: the log, or a null pointer. */
struct gws_device_argument gws__device_trace_argument(const struct gws__device_trace *trace);

/* begin() clears the log before a launch. end() adds the log's events to the runtime's trace; the launch has ended. A
 * device without a clock adds none. Errors: GWS_DEVICE, GWS_NO_MEMORY. */
gws_status gws__device_trace_begin(struct gws__device_trace *trace, struct gws_diagnostic *where);
gws_status gws__device_trace_end(struct gws__device_trace *trace, struct gws_diagnostic *where);

#endif

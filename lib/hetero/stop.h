/* SPDX-License-Identifier: MIT */
/* A word that asks a running kernel to end, because the call is cancelled (gws_options.cancel). The kernel reads the
 * word once in each of its rounds (stop_requested() in kernels/engine/grid.cl). Host and kernel share the word if the
 * device shares memory with the host. Otherwise there is no word, and the kernel runs to its end. */
#ifndef GWS_LIB_HETERO_STOP_H
#define GWS_LIB_HETERO_STOP_H

#include <stdatomic.h>

#include "../device.h"

struct gws__stop {
    struct gws_device_buffer *buffer; /* NULL: there is no word */
    _Atomic uint32_t *word;
    const void *none; /* NULL */
};

/* runtime: there is a word if the runtime has a cancel hook; NULL: in any case. The caller closes the word, also after
 * an error. */
gws_status gws__stop_open(struct gws__stop *stop, struct gws_runtime *runtime, struct gws_device *device,
                          struct gws_diagnostic *where);
void gws__stop_close(struct gws__stop *stop);

/* Returns the argument of the kernel: the word, or a null pointer. */
struct gws_device_argument gws__stop_argument(const struct gws__stop *stop);

/* Waits like gws_device_wait(), but asks the hook meanwhile, and sets the word once the call is cancelled. Errors:
 * GWS_CANCELLED (the kernel has ended, perhaps early, and its output means nothing), GWS_DEVICE. */
gws_status gws__stop_wait(struct gws__stop *stop, struct gws_device *device, struct gws_diagnostic *where);

#endif

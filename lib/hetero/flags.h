/* SPDX-License-Identifier: MIT */
/* The host's side of the protocol of done flags (kernels/hetero/flags.cl): a kernel that stays alive from level to
 * level, in memory where atomics of both sides hold. One thread of the host's calls. Nothing waits without an end: for
 * as long as the device's limit, and until the kernel has failed. */
#ifndef GWS_LIB_HETERO_FLAGS_H
#define GWS_LIB_HETERO_FLAGS_H

#include <stdatomic.h>

#include "../device.h"

struct gws__flags {
    struct gws_device *device;
    uint32_t groups;                                              /* of the kernel */
    gws_status (*launch)(void *context, struct gws_where *where); /* of the kernel */
    bool (*idle)(void *context, uint32_t group); /* nothing is left for the group, so that it need not begin */
    void *context;
    struct gws_device_buffer *buffer; /* what the kernel gets */
    _Atomic uint32_t *flag;           /* its words: one line for each group */
    bool running;                     /* the kernel has been started and not ended */
};

/* Memory for flags, whose other fields are set; the caller frees .buffer. Errors: as gws_device_shared_new(). */
gws_status gws__flags_open(struct gws__flags *flags, struct gws_where *where);

/* Begins a level on all groups, with a launch if no kernel runs; and waits until all are done with it, or need not
 * begin. Errors: those of launch(); GWS_DEVICE. */
gws_status gws__flags_start(struct gws__flags *flags, struct gws_where *where);
gws_status gws__flags_wait(struct gws__flags *flags, struct gws_where *where);

/* Ends the kernel, if it runs. Errors: GWS_DEVICE. */
gws_status gws__flags_end(struct gws__flags *flags, struct gws_where *where);

#endif

/* SPDX-License-Identifier: MIT */
/* The host's side of the protocol of done flags (kernels/hetero/flags.h). The kernel persists across levels. Host and
 * device use atomics on the flags. One host thread makes the calls. Every wait ends after the device's limit, or when
 * the kernel fails. */
#ifndef GWS_LIB_HETERO_FLAGS_H
#define GWS_LIB_HETERO_FLAGS_H

#include <stdatomic.h>

#include "../device.h"

struct gws__flags {
    struct gws_device *device;
    uint32_t groups;                                                   /* number of groups of the kernel */
    gws_status (*launch)(void *context, struct gws_diagnostic *where); /* launches the kernel */
    bool (*idle)(void *context, uint32_t group); /* true if the group has no work and need not begin */
    void *context;
    struct gws_device_buffer *buffer; /* the kernel's argument */
    _Atomic uint32_t *flag;           /* one flag for each group, in a cache line of its own */
    bool running;                     /* the kernel runs */
};

/* Allocates the flags. The caller has set the other fields and frees .buffer later. Returns the errors of
 * gws_device_shared_new(). */
gws_status gws__flags_open(struct gws__flags *flags, struct gws_diagnostic *where);

/* gws__flags_start() begins a level on all groups, and launches the kernel if it is not running. gws__flags_wait()
 * waits until each group is done or need not begin. Errors: those of launch(), GWS_DEVICE. */
gws_status gws__flags_start(struct gws__flags *flags, struct gws_diagnostic *where);
gws_status gws__flags_wait(struct gws__flags *flags, struct gws_diagnostic *where);

/* Ends the kernel if it runs. Errors: GWS_DEVICE. */
gws_status gws__flags_end(struct gws__flags *flags, struct gws_diagnostic *where);

#endif

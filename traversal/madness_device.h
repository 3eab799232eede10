/* SPDX-License-Identifier: MIT */
/* MADNESS trees built on a device (madness.h has the rules; kernels/madness/madness.cl how the groups work). A task is
 * a box, and a group of work-items computes it; tasks wait on the device, and the groups stay there until all are done.
 *
 * The tree has the boxes that gws_madness_build() finds, by the same sums in another order: coefficients differ in
 * their last bits, and a box whose difference is at the tolerance, to rounding, may come out either way, as between the
 * kernels of gws_madness_kernel_at(). Statistics count such boxes: where .near is 0, the two trees have the same
 * leaves. gws_madness_check() judges both alike. */
#ifndef GWS_MADNESS_DEVICE_H
#define GWS_MADNESS_DEVICE_H

#include "../lib/device.h"
#include "../lib/hetero.h"
#include "madness.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_madness_device; /* a builder on a device; it keeps its memory there from one tree to the next */

/* {0} is all chosen. */
struct gws_madness_device_options {
    bool cpu; /* the runtime's workers take part, and hand boxes that nobody has begun to the device, a batch at a time
               */
    uint32_t groups;     /* at most as many as are resident together; 0: as many */
    uint32_t group_size; /* work-items in each, at most 512, on CPUs 8; 0: chosen by the order */
    uint64_t room;       /* families that the device holds at once, and boxes, as far as it can: when they are full,
                          * families are brought to the host, and the device goes on; 0: chosen, at most 4 GiB of
                          * coefficients */
};

/* Readies the device for trees of that order. runtime and device must outlive the builder; options may be NULL. Errors,
 * with a message in *where (may be NULL, here and below): GWS_INVALID (an option or the order out of range),
 * GWS_UNSUPPORTED (the device has no double precision, or not enough local memory), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_madness_device_open(struct gws_runtime *runtime, struct gws_device *device, uint32_t order,
                                           const struct gws_madness_device_options *options,
                                           struct gws_madness_device **builder, struct gws_where *where);

/* Frees it; NULL is allowed. Trees stay. */
GWS_API void gws_madness_device_close(struct gws_madness_device *builder);

/* Overwrites what the last build left on the device with what no tree has: for who verifies the next build, so that one
 * that wrote nothing cannot pass for right. Errors: GWS_DEVICE, GWS_NO_MEMORY. */
GWS_API gws_status gws_madness_device_poison(struct gws_madness_device *builder, struct gws_where *where);

/* Builds the tree on the device (boxes of order 10: about 0.1 us each on an H200, 13 on a core) and brings it to the
 * host, which takes many times as long, where it is like any other; .kernel is the device's kind.
 * problem.values has to be gws_madness_gaussian or gws_madness_potential, with .context its bodies, and .kernel NULL.
 * Errors, *tree as it was: those of gws_madness_build(); GWS_INVALID (another order than the builder's),
 * GWS_UNSUPPORTED (another function), GWS_TOO_LARGE (2^31 boxes at once), GWS_DEVICE (the device
 * failed and is lost). */
GWS_API gws_status gws_madness_device_build(struct gws_madness_device *builder,
                                            const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                            struct gws_where *where);

/* What the last build took. */
struct gws_madness_device_stats {
    double upload_ms;     /* the problem to the device */
    double ms;            /* in the kernels, with starting them and waiting for them */
    double fetch_ms;      /* families to the host */
    uint64_t near;        /* boxes whose difference is at the tolerance, to rounding */
    uint64_t looks;       /* how often a group looked for a box that was not there yet */
    uint64_t least, most; /* boxes that a group has computed or divided, at least and at most */
    uint64_t launches;
    struct gws_side_stats cpu, device; /* tasks: boxes */
    uint32_t groups, group_size;
};
GWS_API void gws_madness_device_stats(const struct gws_madness_device *builder, struct gws_madness_device_stats *stats);

#ifdef __cplusplus
}
#endif
#endif

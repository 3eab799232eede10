/* SPDX-License-Identifier: MIT */
/* MADNESS trees on a device. madness.h has the rules, and kernels/madness/madness.cl describes the groups. A task is a
 * box, and a group of work-items computes the box. Tasks wait in device memory, and the groups are persistent until
 * all tasks are done.
 *
 * The tree has the same boxes as the tree of gws_madness_build(). The device computes the same sums in a different
 * order. Coefficients differ in the last bits, as between the kernels of gws_madness_kernel_at(). A box whose
 * difference equals the tolerance, up to rounding, may be divided in one tree only. The statistics count such boxes.
 * If .near_tolerance is 0, the two trees have the same leaves. gws_madness_check() accepts both trees. */
#ifndef GWS_MADNESS_DEVICE_H
#define GWS_MADNESS_DEVICE_H

#include "../lib/device.h"
#include "../lib/hetero.h"
#include "../lib/rank_tasks.h"
#include "madness.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_madness_device; /* a builder on a device, which reuses its device memory for later trees */

/* {0} selects every default. */
struct gws_madness_device_options {
    bool cpu;            /* the runtime's workers take part, and hand off batches of unstarted boxes to the device */
    uint32_t groups;     /* at most the number of resident groups; 0: that number */
    uint32_t group_size; /* work-items per group, at most 512, on CPUs 8; 0: chosen by the order */
    /* Capacity for families in device memory and, if possible, for boxes. When the families reach the capacity, the
     * host fetches them and the device continues. 0: chosen, at most 4 GiB of coefficients. */
    uint64_t capacity;
};

/* Prepares the device for trees of the given order. runtime and device must outlive the builder. options may be NULL.
 * Errors, with a message in *where (may be NULL, here and below): GWS_INVALID (an option or the order out of range),
 * GWS_UNSUPPORTED (the device lacks double precision or local memory), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_madness_device_open(struct gws_runtime *runtime, struct gws_device *device, uint32_t order,
                                           const struct gws_madness_device_options *options,
                                           struct gws_madness_device **builder, struct gws_diagnostic *where);

/* Frees the builder, but not its trees. Accepts NULL. */
GWS_API void gws_madness_device_close(struct gws_madness_device *builder);

/* Overwrites the result of the last build on the device with a pattern that no tree contains. A caller that verifies
 * the next build calls this function, so stale data cannot pass verification. Errors: GWS_DEVICE, GWS_NO_MEMORY. */
GWS_API gws_status gws_madness_device_poison(struct gws_madness_device *builder, struct gws_diagnostic *where);

/* Builds the tree on the device (boxes of order 10 take about 0.1 us each on an H200, 13 us on a core) and copies it
 * to the host. The copy takes many times as long as the build. The tree is an ordinary tree, whose .kernel is the
 * device's kind. problem.values must be gws_madness_gaussian or gws_madness_potential, with an array of bodies as
 * .context; .kernel must be NULL. Errors leave *tree unchanged: the errors of gws_madness_build(), GWS_INVALID (the
 * order differs from the builder's), GWS_UNSUPPORTED (another function), GWS_TOO_LARGE (2^31 boxes at once),
 * GWS_DEVICE (the device failed and is lost). */
GWS_API gws_status gws_madness_device_build(struct gws_madness_device *builder,
                                            const struct gws_madness_problem *problem, struct gws_madness_tree **tree,
                                            struct gws_diagnostic *where);

/* Builds the tree with the devices of all ranks, each rank with a builder of its own, and with the workers if the
 * builder has them. Collective, with the results of gws_madness_build_on_ranks() (madness_ranks.h). A device runs
 * batches of boxes with all that they spawn, in launches of some milliseconds; what a launch leaves can be stolen by
 * every rank. ranks may be NULL: gws_madness_device_build(). Errors, on all ranks alike, with the message of the first
 * rank that failed: those of gws_madness_device_build() and gws_rank_tasks_run(). */
GWS_API gws_status gws_madness_device_build_on_ranks(struct gws_madness_device *builder, const struct gws_ranks *ranks,
                                                     const struct gws_madness_problem *problem,
                                                     struct gws_madness_tree **tree, struct gws_diagnostic *where);

/* Statistics of the last build: on several ranks those of this rank, but .near_tolerance of all. */
struct gws_madness_device_stats {
    double upload_ms;              /* copying the problem to the device */
    double ms;                     /* kernels, including launches and synchronisation */
    double fetch_ms;               /* copying the families to the host */
    uint64_t near_tolerance;       /* boxes whose difference equals the tolerance, up to rounding */
    uint64_t polls;                /* polls of groups for a task that was not yet available */
    uint64_t min_boxes, max_boxes; /* minimum and maximum number of boxes per group */
    uint64_t launches;
    struct gws_side_stats cpu, device; /* one task is one box */
    uint32_t groups, group_size;
};
GWS_API void gws_madness_device_stats(const struct gws_madness_device *builder, struct gws_madness_device_stats *stats);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* Octrees on a device, built alone or together with the runtime's workers. The tree equals the tree of
 * gws_octree_build(), entry by entry (octree.h). gws_octree_check() verifies the tree.
 *
 * GWS_OCTREE_SORT (CUDA) partitions the points, several levels at once, into buckets that fit a group's memory, then
 * divides each bucket in place. GWS_OCTREE_BY_TASK keeps tasks, each an octant with its points, in deques on the
 * device (Cederman, Tsigas, GPU Computing Gems Jade, 35.4.2). The runtime's policy selects the kind of deque. The
 * runtime's workers may take part with deques of their own, and all workers then steal from each other. */
#ifndef GWS_OCTREE_DEVICE_H
#define GWS_OCTREE_DEVICE_H

#include "../lib/device.h"
#include "../lib/hetero.h"
#include "octree.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_octree_device; /* a builder on a device, which reuses its device memory for later trees */

/* The workers that build the tree, and how host and device share the tasks. The names are the same as in enum
 * gws_bfs_form (bfs_device.h). */
enum gws_octree_form {
    GWS_OCTREE_FORM_AUTO,   /* the best form that the device and the host support */
    GWS_OCTREE_FORM_DEVICE, /* the device only, which is the choice without CPU workers */
    GWS_OCTREE_FORM_SHARED, /* shared deques, with one persistent kernel that runs until all points are in leaves.
                               Requires memory with atomics that are coherent between host and device
                               (gws_device_sharing()) */
    GWS_OCTREE_FORM_HANDOFF /* the CPU workers build the tree and hand off batches of unstarted octants to the device.
                               Works on any device. The time includes all copies */
};

/* Returns a form's name ("auto", "device", "shared", "handoff"), or NULL for any other value. */
GWS_API const char *gws_octree_form_name(enum gws_octree_form form);

/* {0} selects every default. */
struct gws_octree_device_options {
    struct gws_octree_options tree; /* the tree's options. builder: GWS_OCTREE_SORT, GWS_OCTREE_BY_TASK, or AUTO, the
                                     * fastest that the device supports */
    /* Only for building by task, rejected otherwise: */
    bool cpu; /* true: the runtime's workers take part, except under the policy static, which has no thieves */
    enum gws_octree_form form; /* the form; without cpu only AUTO or DEVICE */
    uint32_t groups;           /* work-groups on the device; 0: chosen */
    uint32_t group_size;       /* work-items per group, a power of two from 1 to 1024; 0: chosen */
    uint32_t chunk; /* maximum number of tasks per steal, at most half of the victim's tasks and at most 32 (policy
                       chunked only, rejected otherwise); 0: the runtime's, or chosen */
    uint32_t piece; /* points of a piece. Many groups divide an octant of more than two pieces, one piece each; 0:
                       chosen; UINT32_MAX: one group per octant, as in the paper */
};

/* Prepares the device to build such trees. runtime and device must outlive the builder. options may be NULL. Errors,
 * with a message in *where (may be NULL, here and below): GWS_INVALID (an option out of range, or for another builder),
 * GWS_UNSUPPORTED (the device does not support the builder, the policy or the leaf size), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_octree_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                          const struct gws_octree_device_options *options,
                                          struct gws_octree_device **builder, struct gws_diagnostic *where);

/* Frees the builder, but not its trees. Accepts NULL. */
GWS_API void gws_octree_device_close(struct gws_octree_device *builder);

/* Overwrites the result of the last build on the device with a pattern that no tree contains. A caller that verifies
 * the next build calls this function, so stale data cannot pass verification. The time of the build excludes this
 * call. Errors: GWS_DEVICE, GWS_NO_MEMORY. */
GWS_API gws_status gws_octree_device_poison(struct gws_octree_device *builder, struct gws_diagnostic *where);

/* Builds the tree of points like gws_octree_build() and copies it to the host. stats.ms of the tree is the time from
 * points in device memory to the finished tree in device memory. gws_octree_device_stats() reports the times of the
 * transfers. When CUDA sorts, sort_ms includes the box and the nodes, because the host synchronises with the device
 * only at the end. Errors leave *tree unchanged: the errors of gws_octree_build(), GWS_TOO_LARGE (more points than the
 * builder can number or the device can store), GWS_DEVICE (the device failed and is lost). */
GWS_API gws_status gws_octree_device_build(struct gws_octree_device *builder, const struct gws_points *points,
                                           struct gws_octree **tree, struct gws_diagnostic *where);

/* Statistics of the last build. */
struct gws_octree_device_stats {
    double upload_ms, ms, download_ms; /* copying the points to the device, building, copying the tree back */
    uint64_t memory;                   /* bytes allocated on the device */
    /* When building by task: */
    struct gws_side_stats cpu, device; /* one task is an octant, or a piece of an octant that several groups divide */
    uint64_t high_water; /* required queue capacity in tasks, which is the maximum of any deque times the number of
                            deques on the device, or under static the maximum of any round */
    uint64_t rounds;     /* static: kernels that had tasks */
    uint64_t launches, handed_off; /* handoff: batches, and octants in the batches, which are the device's steals */
};
GWS_API void gws_octree_device_stats(const struct gws_octree_device *builder, struct gws_octree_device_stats *stats);

/* Writes the options in use. Every field that was 0 or AUTO has the chosen value, if the strategy has that option. */
GWS_API void gws_octree_device_chosen(const struct gws_octree_device *builder,
                                      struct gws_octree_device_options *options);

#ifdef __cplusplus
}
#endif
#endif

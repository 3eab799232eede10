/* SPDX-License-Identifier: MIT */
/* Octrees built on a device, alone or together with the runtime's workers. The tree is the same as gws_octree_build()
 * makes, entry by entry (octree.h); gws_octree_check() judges it.
 *
 * By sorting, points are dealt out to buckets that fit a group's memory, all levels of the way there at once, and each
 * bucket is divided where it lies (CUDA). By task, a task is an octant with its points, kept in deques on the device
 * (Cederman, Tsigas, GPU Computing Gems Jade, 35.4.2); the runtime's policy says in which. There the runtime's workers
 * may take part, who then have deques, too: all steal from all. */
#ifndef GWS_OCTREE_DEVICE_H
#define GWS_OCTREE_DEVICE_H

#include "../lib/device.h"
#include "../lib/hetero.h"
#include "octree.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_octree_device; /* a builder on a device; it keeps its memory there from one tree to the next */

/* Who builds, and how two sides share the tasks; the names are those of enum gws_bfs_form (bfs_device.h). */
enum gws_octree_form {
    GWS_OCTREE_FORM_AUTO,   /* the best that device and machine allow */
    GWS_OCTREE_FORM_DEVICE, /* the device alone: what is chosen without CPU workers */
    GWS_OCTREE_FORM_SHARED, /* shared deques; one persistent kernel until all points have found their place. Needs
                             * memory where atomics of both sides hold: gws_device_sharing() */
    GWS_OCTREE_FORM_HANDOFF /* the CPU's workers build, and hand octants that nobody has begun to the device, a batch at
                             * a time. For any device; the time is that with all copies */
};

/* A form's name: "auto", "device", "shared", "handoff"; NULL for any other value. */
GWS_API const char *gws_octree_form_name(enum gws_octree_form form);

/* {0} is all chosen. */
struct gws_octree_device_options {
    struct gws_octree_options tree; /* what the tree is to be like. builder: GWS_OCTREE_SORT, GWS_OCTREE_BY_TASK, or
                                     * AUTO, the fastest that the device has */
    /* By task, and refused otherwise: */
    bool cpu;                  /* the runtime's workers take part; false: the device alone. Not with the policy static,
                                * whose tasks have no thieves */
    enum gws_octree_form form; /* how; without them AUTO or DEVICE only */
    uint32_t groups;           /* device's workers; 0: chosen */
    uint32_t group_size;       /* work-items in each, a power of two from 1 to 1024; 0: chosen */
    uint32_t chunk; /* tasks that a thief takes at once, at most half of what there is (policy chunked, refused
                     * with others); 0: the runtime's, or chosen; at most 32 */
    uint32_t piece; /* octants of more points than two pieces are divided by many groups, piece by piece; 0: chosen;
                     * UINT32_MAX: by one, as in the text */
};

/* Readies the device for building such trees; runtime and device must outlive the builder. options may be NULL. Errors,
 * with a message in *where (may be NULL, here and below): GWS_INVALID (an option out of range, or for another builder),
 * GWS_UNSUPPORTED (the device has no such builder, or not for this policy or leaf size), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_octree_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                          const struct gws_octree_device_options *options,
                                          struct gws_octree_device **builder, struct gws_where *where);

/* Frees it; NULL is allowed. Trees stay. */
GWS_API void gws_octree_device_close(struct gws_octree_device *builder);

/* Overwrites what the last build left on the device with what no tree has: for who verifies the next build, so that one
 * that wrote nothing cannot pass for right. Its time is no part of the build's. Errors: GWS_DEVICE, GWS_NO_MEMORY. */
GWS_API gws_status gws_octree_device_poison(struct gws_octree_device *builder, struct gws_where *where);

/* Builds the tree of points, as gws_octree_build() does, and brings it to the host. stats.ms of the tree is the time
 * from points that lie on the device to the finished tree there; bringing points and tree over is timed apart
 * (gws_octree_device_stats()). Sorted by CUDA, sort_ms has the box and the nodes, too: the device is asked at the end
 * only. Errors, *tree as it was: those of gws_octree_build(); GWS_TOO_LARGE (more points than the way can number, or
 * than the device has memory for), GWS_DEVICE (the device failed and is lost). */
GWS_API gws_status gws_octree_device_build(struct gws_octree_device *builder, const struct gws_points *points,
                                           struct gws_octree **tree, struct gws_where *where);

/* What the last build took. */
struct gws_octree_device_stats {
    double upload_ms, ms, download_ms; /* the points there, the tree made, the tree back */
    uint64_t memory;                   /* bytes held on the device */
    /* by task: */
    struct gws_side_stats cpu, device; /* tasks: octants, each pieces of one that several divided */
    uint64_t high_water;               /* tasks that there was to be room for: the most in one deque times the deques
                                        * of the device; static: the most in a round */
    uint64_t rounds;                   /* static: kernels that had tasks */
    uint64_t launches, handed;         /* handoff: batches, and octants in them; the device stole those */
};
GWS_API void gws_octree_device_stats(const struct gws_octree_device *builder, struct gws_octree_device_stats *stats);

/* What was chosen: every field of options that was 0 or AUTO has its value, as far as the way has it. */
GWS_API void gws_octree_device_chosen(const struct gws_octree_device *builder,
                                      struct gws_octree_device_options *options);

#ifdef __cplusplus
}
#endif
#endif

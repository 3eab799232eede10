/* SPDX-License-Identifier: MIT */
/* Batched queries of an octree in device memory. The queries are those of octree_query.h, with bitwise equal answers.
 * They require a CUDA device. */
#ifndef GWS_OCTREE_ON_DEVICE_H
#define GWS_OCTREE_ON_DEVICE_H

#include "../lib/device.h"
#include "octree_query.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_octree_on_device; /* a tree and its points in device memory */

/* Copies a tree, and its points in leaf order, to a device. runtime, device and tree must outlive the result. The
 * points need not. The tree takes 48 bytes per node on the device, and 16 per point (28 for doubles). Errors, with a
 * message in *where (may be NULL, here and below): GWS_UNSUPPORTED (not a CUDA device), GWS_INVALID (no points in leaf
 * order), GWS_TOO_LARGE, GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_octree_on_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                             const struct gws_octree *tree, struct gws_octree_on_device **on_device,
                                             struct gws_diagnostic *where);

/* Frees the tree on the device. Accepts NULL. */
GWS_API void gws_octree_on_device_close(struct gws_octree_on_device *on_device);

/* Work like gws_octree_in_boxes() and the other calls of octree_query.h. Additional error: GWS_DEVICE. The device
 * stores the queries and the answers of one batch. */
GWS_API gws_status gws_octree_on_device_in_boxes(struct gws_octree_on_device *on_device,
                                                 const struct gws_octree_box *box, uint64_t count,
                                                 struct gws_octree_hits *hits, struct gws_diagnostic *where);
GWS_API gws_status gws_octree_on_device_in_balls(struct gws_octree_on_device *on_device,
                                                 const struct gws_octree_ball *ball, uint64_t count,
                                                 struct gws_octree_hits *hits, struct gws_diagnostic *where);
GWS_API gws_status gws_octree_on_device_nearest(struct gws_octree_on_device *on_device, const double *position,
                                                uint64_t count, uint64_t k, struct gws_octree_hits *hits,
                                                struct gws_diagnostic *where);
GWS_API gws_status gws_octree_on_device_first_on_rays(struct gws_octree_on_device *on_device,
                                                      const struct gws_octree_ray *ray, uint64_t count,
                                                      struct gws_octree_hits *hits, struct gws_diagnostic *where);

/* Returns the time of the last batch in milliseconds, from queries in device memory to answers in device memory. */
GWS_API double gws_octree_on_device_ms(const struct gws_octree_on_device *on_device);

#ifdef __cplusplus
}
#endif
#endif

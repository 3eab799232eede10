/* SPDX-License-Identifier: MIT */
/* Questions to an octree that lies on a device, many at once: those of octree_query.h, with the same answers, to the
 * last bit. CUDA devices answer them. */
#ifndef GWS_OCTREE_ON_DEVICE_H
#define GWS_OCTREE_ON_DEVICE_H

#include "../lib/device.h"
#include "octree_query.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_octree_on_device; /* a tree and its points there */

/* Brings a tree, and its points in leaf order, to a device. runtime, device and tree must outlive what is made; the
 * points need not. Takes 48 bytes a node there, and 16 a point (28 for doubles). Errors, with a message in *where (may
 * be NULL, here and below): GWS_UNSUPPORTED (the device is none of CUDA's), GWS_INVALID (no points in leaf order),
 * GWS_TOO_LARGE, GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_octree_on_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                             const struct gws_octree *tree, struct gws_octree_on_device **there,
                                             struct gws_where *where);

/* Frees it; NULL is allowed. */
GWS_API void gws_octree_on_device_close(struct gws_octree_on_device *there);

/* As gws_octree_in_boxes() and the others. Errors beside theirs: GWS_DEVICE. Memory on the device: questions and
 * answers. */
GWS_API gws_status gws_octree_on_device_in_boxes(struct gws_octree_on_device *there, const struct gws_octree_box *box,
                                                 uint64_t count, struct gws_octree_hits *hits, struct gws_where *where);
GWS_API gws_status gws_octree_on_device_in_balls(struct gws_octree_on_device *there, const struct gws_octree_ball *ball,
                                                 uint64_t count, struct gws_octree_hits *hits, struct gws_where *where);
GWS_API gws_status gws_octree_on_device_nearest(struct gws_octree_on_device *there, const double *place, uint64_t count,
                                                uint64_t k, struct gws_octree_hits *hits, struct gws_where *where);
GWS_API gws_status gws_octree_on_device_first_on_rays(struct gws_octree_on_device *there,
                                                      const struct gws_octree_ray *ray, uint64_t count,
                                                      struct gws_octree_hits *hits, struct gws_where *where);

/* What the last batch took there, from questions that lie on the device to answers there: milliseconds. */
GWS_API double gws_octree_on_device_ms(const struct gws_octree_on_device *there);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* A stub of octrees on devices, since the fuzz targets have no devices. */
#include "../../../traversal/octree_on_device.h"

gws_status gws_octree_on_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                     const struct gws_octree *tree, struct gws_octree_on_device **there,
                                     struct gws_diagnostic *where)
{
    (void)runtime, (void)device, (void)tree, (void)there, (void)where;
    return GWS_UNSUPPORTED;
}

void gws_octree_on_device_close(struct gws_octree_on_device *there)
{
    (void)there;
}

gws_status gws_octree_on_device_in_boxes(struct gws_octree_on_device *there, const struct gws_octree_box *box,
                                         uint64_t count, struct gws_octree_hits *hits, struct gws_diagnostic *where)
{
    (void)there, (void)box, (void)count, (void)hits, (void)where;
    return GWS_UNSUPPORTED;
}

gws_status gws_octree_on_device_in_balls(struct gws_octree_on_device *there, const struct gws_octree_ball *ball,
                                         uint64_t count, struct gws_octree_hits *hits, struct gws_diagnostic *where)
{
    (void)there, (void)ball, (void)count, (void)hits, (void)where;
    return GWS_UNSUPPORTED;
}

gws_status gws_octree_on_device_nearest(struct gws_octree_on_device *there, const double *place, uint64_t count,
                                        uint64_t k, struct gws_octree_hits *hits, struct gws_diagnostic *where)
{
    (void)there, (void)place, (void)count, (void)k, (void)hits, (void)where;
    return GWS_UNSUPPORTED;
}

gws_status gws_octree_on_device_first_on_rays(struct gws_octree_on_device *there, const struct gws_octree_ray *ray,
                                              uint64_t count, struct gws_octree_hits *hits,
                                              struct gws_diagnostic *where)
{
    (void)there, (void)ray, (void)count, (void)hits, (void)where;
    return GWS_UNSUPPORTED;
}

double gws_octree_on_device_ms(const struct gws_octree_on_device *there)
{
    (void)there;
    return 0;
}

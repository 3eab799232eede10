/* SPDX-License-Identifier: MIT */
/* Stands in for lib/device/opencl in a build without it. */
#include "../kind.h"

static uint32_t list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t room)
{
    (void)runtime;
    (void)info;
    (void)room;
    return 0;
}

static gws_status open(struct gws_runtime *runtime, uint32_t index, const struct gws_device_info *info,
                       struct gws_device **device, struct gws_where *where)
{
    (void)runtime;
    (void)index;
    (void)info;
    (void)device;
    return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s", gws__device_opencl.off);
}

const struct gws_device_kind gws__device_opencl = {
    .name = "opencl",
    .about = "work-groups of an OpenCL device",
    .off = "this build of graphws has no OpenCL",
    .list = list,
    .open = open,
};

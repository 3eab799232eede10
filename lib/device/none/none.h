/* SPDX-License-Identifier: MIT */
/* What stands in for a kind that the build leaves out: it has no devices, and .off() says why. */
#ifndef GWS_DEVICE_NONE_H
#define GWS_DEVICE_NONE_H

#include "../kind.h"

static inline uint32_t gws__none_list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t room)
{
    (void)runtime;
    (void)info;
    (void)room;
    return 0;
}

static inline gws_status gws__none_open(struct gws_runtime *runtime, uint32_t index, const struct gws_device_info *info,
                                        struct gws_device **device, struct gws_where *where)
{
    (void)runtime;
    (void)index;
    (void)info;
    (void)device;
    return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "this build of graphws has no such devices");
}

#endif

/* SPDX-License-Identifier: MIT */
/* Stands in for lib/device/opencl in a build without it: a kind that has no devices, and says why. */
#include "../kind.h"

static const char *off(void)
{
    return "this build of graphws has no OpenCL";
}

const struct gws_device_kind gws__device_opencl = {
    .name = "opencl", .about = "work-groups of an OpenCL device", .off = off};

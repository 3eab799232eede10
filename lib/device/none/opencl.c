/* SPDX-License-Identifier: MIT */
/* Replaces lib/device/opencl in builds without OpenCL. The kind then has no devices. */
#include "../kind.h"

static const char *off(void)
{
    return "this build of graphws has no OpenCL";
}

const struct gws_device_kind gws__device_opencl = {
    .name = "opencl", .about = "work-groups of an OpenCL device", .off = off};

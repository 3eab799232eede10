/* SPDX-License-Identifier: MIT */
/* Stands in for lib/device/cuda in a build without it: a kind that has no devices, and says why. */
#include "../kind.h"

static const char *off(void)
{
    return "this build of graphws has no CUDA";
}

const struct gws_device_kind gws__device_cuda = {
    .name = "cuda", .about = "thread blocks of an NVIDIA device", .off = off};

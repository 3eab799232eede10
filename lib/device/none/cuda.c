/* SPDX-License-Identifier: MIT */
/* Replaces lib/device/cuda in builds without CUDA. The kind then has no devices. */
#include "../kind.h"

static const char *off(void)
{
    return "this build of graphws has no CUDA";
}

const struct gws_device_kind gws__device_cuda = {
    .name = "cuda", .about = "thread blocks of an NVIDIA device", .off = off};

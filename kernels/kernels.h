/* SPDX-License-Identifier: MIT */
/* The programs of this folder as the library carries them, embedded by the build (site_scons/kernels.py names their
 * texts). A program is shared, with its texts in OpenCL C (dialect first) and, in a build with CUDA, also translated;
 * or it is CUDA's alone (kernels/cuda/NAME.cu), without texts. */
#ifndef GWS_KERNELS_KERNELS_H
#define GWS_KERNELS_KERNELS_H

#include <stdint.h>

#include "../lib/device.h"

struct gws__kernel_program {
    const char *name;        /* "bfs_chunked" */
    const char *const *part; /* parts strings, read as one, as struct gws_device_source wants them; NULL: none */
    uint32_t parts;
    const void *image; /* a CUDA fatbin of image_bytes; NULL and 0 in a build without CUDA */
    uint64_t image_bytes;
};

/* What shared programs are built with for CUDA: no group may have more items. The OpenCL texts are built with
 * -DGWS_GROUP_SIZE=N, whichever is wanted. */
enum { gws__kernel_cuda_group_size = 1024 };

/* All of them; the last one's name is NULL. */
extern const struct gws__kernel_program gws__kernel_programs[];

/* The program of that name, static storage; NULL if there is none. */
const struct gws__kernel_program *gws__kernel_program_find(const char *name);

/* gws_device_program_build() of the program of that name; options are the texts', NULL: none. Errors: its own, and
 * GWS_UNSUPPORTED where this build has no such program. */
gws_status gws__kernel_program_build(struct gws_device *device, const char *name, const char *options,
                                     struct gws_device_program **program, struct gws_diagnostic *where);

#endif

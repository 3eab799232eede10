/* SPDX-License-Identifier: MIT */
/* The programs of this folder, embedded in the library by the build. A shared program consists of the portability
 * header and the OpenCL C sources that kernels/programs lists. A build with CUDA also has the program's image. A
 * program for CUDA alone (kernels/cuda/NAME.cu) has no sources. */
#ifndef GWS_KERNELS_KERNELS_H
#define GWS_KERNELS_KERNELS_H

#include <stdint.h>

#include "../lib/device.h"

struct gws__kernel_program {
    const char *name;        /* for example "bfs_chunked" */
    const char *const *part; /* the source in `parts` strings, as in struct gws_device_source; NULL: none */
    uint32_t parts;
    const void *image; /* a CUDA fatbin of image_bytes; NULL and 0 in a build without CUDA */
    uint64_t image_bytes;
};

/* The maximum group size of shared programs in CUDA images. The OpenCL compiler accepts -DGWS_GROUP_SIZE=N with any
 * N. */
enum { gws__kernel_cuda_group_size = 1024 };

/* The table of all programs. The name of the last entry is NULL. */
extern const struct gws__kernel_program gws__kernel_programs[];

/* Returns the program of that name, in static storage, or NULL if there is none. */
const struct gws__kernel_program *gws__kernel_program_find(const char *name);

/* Builds the program of that name by gws_device_program_build(). options: OpenCL build options; NULL: none. Returns the
 * errors of gws_device_program_build(), and GWS_UNSUPPORTED if this build has no such program. */
gws_status gws__kernel_program_build(struct gws_device *device, const char *name, const char *options,
                                     struct gws_device_program **program, struct gws_diagnostic *where);

#endif

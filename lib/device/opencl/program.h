/* SPDX-License-Identifier: MIT */
/* A program of an OpenCL device: all its kernels are made when it is built, so that a launch only looks for one. */
#ifndef GWS_DEVICE_OPENCL_PROGRAM_H
#define GWS_DEVICE_OPENCL_PROGRAM_H

#include "opencl.h"

struct gws__opencl_program {
    struct gws_device_program base;
    cl_program program;
    pthread_mutex_t lock; /* for its kernels' arguments */
    cl_kernel *kernel;    /* kernels entries; NULL until they are made */
    cl_uint kernels;
};

/* Makes the kernels of .program; name is for messages. */
gws_status gws__opencl_kernels_make(struct gws__opencl_program *program, const char *name, struct gws_where *where);
void gws__opencl_kernels_free(struct gws__opencl_program *program);

#endif

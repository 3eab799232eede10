/* SPDX-License-Identifier: MIT */
/* Launching a kernel. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "opencl.h"

enum { name_size = 256 };

static gws_status find(const struct gws_device_launch *launch, cl_kernel *kernel, struct gws_diagnostic *where)
{
    const struct gws__opencl_program *program = (const struct gws__opencl_program *)launch->program;
    for (cl_uint i = 0; i < program->kernels; i++) {
        char name[name_size];
        cl_int error = clGetKernelInfo(program->kernel[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        if (error != CL_SUCCESS && error != CL_INVALID_VALUE) /* the error for a name that is too long */
            return gws__opencl_fail(where, launch->kernel, "clGetKernelInfo", error);
        *kernel = program->kernel[i];
        if (error == CL_SUCCESS && strcmp(name, launch->kernel) == 0) return GWS_OK;
    }
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no kernel %s", launch->kernel);
}

/* Returns whether the error means that an argument does not match. */
static bool is_refusal(cl_int error)
{
    return error == CL_INVALID_ARG_VALUE || error == CL_INVALID_ARG_SIZE || error == CL_INVALID_ARG_INDEX ||
           error == CL_INVALID_MEM_OBJECT || error == CL_INVALID_VALUE;
}

static cl_int set_argument(cl_kernel kernel, uint32_t index, const struct gws_device_argument *argument)
{
    if (!argument->buffer) return clSetKernelArg(kernel, index, argument->bytes, argument->value);
    const struct gws__opencl_buffer *buffer = (const struct gws__opencl_buffer *)argument->buffer;
    if (!buffer->memory) return clSetKernelArgSVMPointer(kernel, index, buffer->base.host);
    return clSetKernelArg(kernel, index, sizeof(cl_mem), &buffer->memory);
}

static gws_status set_arguments(cl_kernel kernel, const struct gws_device_launch *launch, struct gws_diagnostic *where)
{
    cl_uint takes = 0;
    cl_int error = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof takes, &takes, NULL);
    if (error != CL_SUCCESS) return gws__opencl_fail(where, launch->kernel, "clGetKernelInfo", error);
    if (takes != launch->arguments)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the kernel takes %u arguments, not %" PRIu32,
                                  launch->kernel, takes, launch->arguments);
    for (uint32_t i = 0; i < launch->arguments; i++) {
        error = set_argument(kernel, i, &launch->argument[i]);
        if (error == CL_SUCCESS) continue;
        if (!is_refusal(error)) return gws__opencl_fail(where, launch->kernel, "clSetKernelArg", error);
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "%s: argument %" PRIu32 " does not match the kernel's parameter", launch->kernel, i);
    }
    return GWS_OK;
}

/* OpenCL guarantees no number of resident groups. On all tested devices (PoCL, NVIDIA) each unit runs at least one
 * group before any unit runs a second group, if a group fits at all. */
gws_status gws__opencl_resident(struct gws_device *base, const struct gws_device_launch *launch, uint64_t local_bytes,
                                uint64_t *groups, struct gws_diagnostic *where)
{
    cl_device_id device = gws__opencl_of(base)->id;
    cl_kernel kernel = NULL;
    gws_status status = find(launch, &kernel, where);
    if (status != GWS_OK) return status;
    size_t max = 0, written[3] = {0, 0, 0}; /* written: the group size that the kernel's source demands */
    cl_ulong local = 0;
    cl_int error = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof max, &max, NULL);
    if (error == CL_SUCCESS)
        error =
            clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof written, written, NULL);
    if (error == CL_SUCCESS)
        error = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    if (error != CL_SUCCESS) return gws__opencl_lose(base, where, "clGetKernelWorkGroupInfo", error);
    /* local may include arguments of an earlier launch, so the check does not add local_bytes to local */
    bool fits = (launch->group_size <= max || launch->group_size == written[0]) && local <= base->info.local_memory &&
                local_bytes <= base->info.local_memory;
    *groups = fits ? base->info.groups : 0;
    return GWS_OK;
}

/* Launches a kernel. Holds the lock from setting the arguments to the launch, because arguments are state of the kernel
 * object. If the driver refuses the launch, the device is unaffected. */
gws_status gws__opencl_run(struct gws_stream *base, const struct gws_device_launch *launch,
                           struct gws_diagnostic *where)
{
    cl_command_queue queue = gws__opencl_stream_of(base)->queue;
    struct gws__opencl_program *program = (struct gws__opencl_program *)launch->program;
    size_t items = launch->groups * launch->group_size, size = launch->group_size;
    cl_kernel kernel = NULL;
    cl_event event = NULL;
    char name[96];
    cl_int error = CL_SUCCESS;
    gws_status status = find(launch, &kernel, where);
    if (status != GWS_OK) return status;
    (void)pthread_mutex_lock(&program->lock);
    status = set_arguments(kernel, launch, where);
    if (status == GWS_OK) error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &size, 0, NULL, &event);
    (void)pthread_mutex_unlock(&program->lock);
    if (error != CL_SUCCESS) {
        snprintf(name, sizeof name, "%s: clEnqueueNDRangeKernel", launch->kernel);
        status = gws__opencl_fail(where, base->device->info.address, name, error);
        if (status == GWS_DEVICE) base->device->lost = true;
    }
    if (status == GWS_OK) status = gws__opencl_submitted(base, "clEnqueueNDRangeKernel", error, event, where);
    if (status == GWS_OK) (void)clFlush(queue); /* start the kernel now; a later wait detects a failure */
    return status;
}

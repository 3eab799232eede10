/* SPDX-License-Identifier: MIT */
/* Launching a kernel, and its occupancy. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cuda_kind.h"

enum { usual_cluster = 8, usual_local = 48 << 10, with_early = 900 };

/* A launch in CUDA's terms. The struct has pointers into itself. */
struct call {
    const struct gws__cuda_kernel *kernel;
    cudaLaunchConfig_t config;
    cudaLaunchAttribute attribute[3];
    void *argument[gws__cuda_arguments];
};

static const struct gws__cuda_kernel *find(const struct gws_device_launch *launch)
{
    const struct gws__cuda_program *program = (const struct gws__cuda_program *)launch->program;
    for (unsigned i = 0; i < program->kernels; i++)
        if (strcmp(program->kernel[i].name, launch->kernel) == 0) return &program->kernel[i];
    return NULL;
}

/* ---- shape ---- */

/* Sets the attributes that a kernel needs to exceed the limits that all devices share. */
static cudaError_t permit(const struct call *call, int device, uint32_t cluster)
{
    cudaError_t error = cudaSuccess;
    if (call->config.dynamicSmemBytes > usual_local)
        error = cudaKernelSetAttributeForDevice(call->kernel->handle, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                (int)call->config.dynamicSmemBytes, device);
    if (error == cudaSuccess && cluster > usual_cluster)
        error = cudaKernelSetAttributeForDevice(call->kernel->handle, cudaFuncAttributeNonPortableClusterSizeAllowed, 1,
                                                device);
    return error;
}

static cudaLaunchAttributeValue *add_attribute(struct call *call, cudaLaunchAttributeID id)
{
    cudaLaunchAttribute *attribute = &call->attribute[call->config.numAttrs++];
    call->config.attrs = call->attribute;
    attribute->id = id;
    return &attribute->val;
}

static void set_attributes(struct call *call, const struct gws_device_launch *launch, const struct gws_device *device)
{
    const struct gws_device_info *info = &device->info;
    if (launch->cluster > 0) {
        cudaLaunchAttributeValue *value = add_attribute(call, cudaLaunchAttributeClusterDimension);
        value->clusterDim.x = launch->cluster;
        value->clusterDim.y = value->clusterDim.z = 1;
    }
    /* The driver may run cooperative kernels of a device one after the other. */
    if (launch->resident && info->cooperative && device->shares <= 1)
        add_attribute(call, cudaLaunchAttributeCooperative)->cooperative = 1;
    if (launch->early && info->version >= with_early)
        add_attribute(call, cudaLaunchAttributeProgrammaticStreamSerialization)
            ->programmaticStreamSerializationAllowed = 1;
}

static gws_status shape(struct gws_device *device, const struct gws_device_launch *launch, uint64_t groups,
                        uint64_t local_bytes, struct call *call, struct gws_diagnostic *where)
{
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    call->kernel = find(launch);
    if (!call->kernel) return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "no kernel %s", launch->kernel);
    if (groups > INT_MAX || local_bytes > INT_MAX)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0,
                                  "%s: %" PRIu64 " groups, each with %" PRIu64 " bytes", launch->kernel, groups,
                                  local_bytes);
    call->config = (cudaLaunchConfig_t){.gridDim = {(unsigned)groups, 1, 1},
                                        .blockDim = {(unsigned)launch->group_size, 1, 1},
                                        .dynamicSmemBytes = local_bytes};
    set_attributes(call, launch, device);
    return GWS_OK;
}

/* ---- occupancy ---- */

gws_status gws__cuda_resident(struct gws_device *base, const struct gws_device_launch *launch, uint64_t local_bytes,
                              uint64_t *groups, struct gws_diagnostic *where)
{
    struct call call = {0};
    int fit = 0;
    gws_status status = shape(base, launch, launch->cluster ? launch->cluster : 1, local_bytes, &call, where);
    if (status != GWS_OK) return status;
    cudaError_t error = permit(&call, gws__cuda_of(base)->index, launch->cluster);
    if (error == cudaSuccess && launch->cluster)
        error = cudaOccupancyMaxActiveClusters(&fit, call.kernel->handle, &call.config);
    else if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, call.kernel->handle, (int)launch->group_size,
                                                              local_bytes);
    status = gws__cuda_check(base, where, "occupancy", error);
    if (status != GWS_OK && status != GWS_INVALID) return status;
    uint64_t count = status == GWS_OK && fit > 0 ? (uint64_t)fit : 0; /* if CUDA refused the shape, no group fits */
    *groups = count * (launch->cluster ? launch->cluster : base->info.units);
    return GWS_OK;
}

/* ---- launching ---- */

/* Sets one parameter to a buffer's address or a value. Returns false if the size does not match. */
static bool set_argument(struct call *call, uint32_t index, const struct gws_device_argument *argument)
{
    if (argument->buffer)
        call->argument[index] = &argument->buffer->native;
    else
        call->argument[index] =
            (void *)argument->value; /* CUDA does not change the value, but its type lacks a const */
    return call->kernel->bytes[index] == (argument->buffer ? sizeof(void *) : argument->bytes);
}

static gws_status set_arguments(struct call *call, const struct gws_device_launch *launch, struct gws_diagnostic *where)
{
    uint32_t takes = call->kernel->parameters, given = 0;
    for (uint32_t i = 0; i < launch->arguments; i++) given += launch->argument[i].buffer || launch->argument[i].value;
    if (given != takes)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "%s: the kernel takes %" PRIu32 " arguments, not %" PRIu32, launch->kernel, takes,
                                  given);
    for (uint32_t i = 0, index = 0; i < launch->arguments; i++) {
        if (!launch->argument[i].buffer && !launch->argument[i].value) continue;
        if (set_argument(call, index++, &launch->argument[i])) continue;
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "%s: argument %" PRIu32 " does not match the kernel's parameter", launch->kernel, i);
    }
    return GWS_OK;
}

gws_status gws__cuda_run(struct gws_stream *base, const struct gws_device_launch *launch, struct gws_diagnostic *where)
{
    struct gws_device *device = base->device;
    struct call call = {0};
    char name[96];
    gws_status status = shape(device, launch, launch->groups, gws__launch_local_bytes(launch), &call, where);
    if (status == GWS_OK) status = set_arguments(&call, launch, where);
    if (status != GWS_OK) return status;
    call.config.stream = gws__cuda_stream_of(base)->stream;
    cudaError_t error = permit(&call, gws__cuda_of(device)->index, launch->cluster);
    if (error == cudaSuccess) error = cudaLaunchKernelExC(&call.config, call.kernel->handle, call.argument);
    if (error == cudaSuccess) return GWS_OK;
    snprintf(name, sizeof name, "%s: cudaLaunchKernelExC", launch->kernel);
    status = gws__cuda_fail(where, device->info.address, name, error);
    if (status == GWS_DEVICE) device->lost = true;
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "device_kernel.h"

#include <stdio.h>

#include "../../kernels/kernels.h"
#include "../../lib/parallel.h"

/* Builds the program. Groups consist of whole warps. Devices without warps get groups of one item, because the
 * compilers of CPU devices take very long for barriers in such loops. */
static gws_status open_program(struct gws__device_kernel *kernel, const char *program, uint32_t size,
                               struct gws_diagnostic *where)
{
    const struct gws_device_info *info = gws_device_describe(kernel->device);
    char options[64];
    uint64_t max = info->max_group_size / 32 * 32;
    if (info->warp != 32 && info->type != GWS_DEVICE_CPU)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: no warps of 32 items", info->address);
    kernel->group_size = info->warp != 32 ? 1 : max < size ? (uint32_t)max : size;
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%u%s", kernel->group_size,
             info->warp == 32 ? " -DGWS_WARP=32" : "");
    return gws__kernel_program_build(kernel->device, program, options, &kernel->program, where);
}

/* Opens the parts that need no graph. */
static gws_status open_kernel(struct gws__device_kernel *made, const char *program, uint32_t size,
                              struct gws_diagnostic *where)
{
    gws_status status = gws__device_trace_open(&made->trace, made->runtime, made->device, where);
    if (status == GWS_OK) status = gws__stop_open(&made->stop, made->runtime, made->device, where);
    if (status == GWS_OK) status = open_program(made, program, size, where);
    if (status != GWS_OK) return status;
    const struct gws_device_launch launch = {
        .program = made->program, .kernel = made->kernel, .group_size = made->group_size, .resident = true};
    return gws_device_resident(made->device, &launch, &made->groups, where);
}

gws_status gws__device_kernel_open_alone(struct gws_runtime *runtime, struct gws_device *device, const char *program,
                                         const char *kernel, uint32_t size, struct gws__device_kernel *made,
                                         struct gws_diagnostic *where)
{
    *made = (struct gws__device_kernel){.runtime = runtime, .device = device, .kernel = kernel};
    return open_kernel(made, program, size, where);
}

gws_status gws__device_kernel_open(struct gws_device_graph *on_device, const char *program, const char *kernel,
                                   struct gws__device_kernel *made, struct gws_diagnostic *where)
{
    return gws__device_kernel_open_sized(on_device, program, kernel, gws__kernel_cuda_group_size, made, where);
}

gws_status gws__device_kernel_open_sized(struct gws_device_graph *on_device, const char *program, const char *kernel,
                                         uint32_t size, struct gws__device_kernel *made, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(on_device);
    *made = (struct gws__device_kernel){
        .runtime = info->runtime, .device = info->device, .on_device = on_device, .info = info, .kernel = kernel};
    if (info->graph->vertices >> 31) return gws_diagnostic_status(where, GWS_TOO_LARGE);
    gws_status status = gws_device_graph_upload(on_device, where);
    return status == GWS_OK ? open_kernel(made, program, size, where) : status;
}

void gws__device_kernel_close(struct gws__device_kernel *kernel)
{
    gws__device_trace_close(&kernel->trace);
    gws__stop_close(&kernel->stop);
    gws_device_program_free(kernel->program);
    kernel->program = NULL;
}

gws_status gws__device_kernel_start(const struct gws__device_kernel *kernel, const struct gws_device_argument *argument,
                                    uint32_t arguments, struct gws_diagnostic *where)
{
    const struct gws_device_launch launch = {.program = kernel->program,
                                             .kernel = kernel->kernel,
                                             .groups = kernel->groups,
                                             .group_size = kernel->group_size,
                                             .resident = true,
                                             .argument = argument,
                                             .arguments = arguments};
    return gws_device_run(kernel->device, &launch, where);
}

gws_status gws__device_kernel_run(struct gws__device_kernel *kernel, const struct gws_device_argument *argument,
                                  uint32_t arguments, struct gws_diagnostic *where)
{
    if (gws_cancelled(kernel->runtime)) return gws_diagnostic_status(where, GWS_CANCELLED);
    gws_status status = gws__device_trace_begin(&kernel->trace, where);
    if (status == GWS_OK) status = gws__device_kernel_start(kernel, argument, arguments, where);
    if (status == GWS_OK) status = gws__stop_wait(&kernel->stop, kernel->device, where);
    return status == GWS_OK ? gws__device_trace_end(&kernel->trace, where) : status;
}

gws_status gws__device_kernel_buffers(const struct gws__device_kernel *kernel, const uint64_t *bytes, uint32_t count,
                                      struct gws_device_buffer **buffer, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < count && status == GWS_OK; i++)
        status = gws_device_buffer_new(kernel->device, bytes[i], &buffer[i], where);
    return status;
}

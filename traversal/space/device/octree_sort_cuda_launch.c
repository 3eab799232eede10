/* SPDX-License-Identifier: MIT */
/* Building octrees by sorting on CUDA: memory there, and launches of the kernels of kernels/cuda/octree_sort.cu. */
#include <string.h>

#include "octree_sort_cuda.h"

gws_status gws__sorting_need(struct gws__sorting *sorting, enum gws__sorting_buffer which, uint64_t bytes)
{
    struct gws_device_buffer **buffer = &sorting->own->buffer[which];
    if (*buffer && gws_device_buffer_bytes(*buffer) >= bytes) return GWS_OK;
    gws_device_buffer_free(*buffer);
    *buffer = NULL;
    return gws_device_buffer_new(sorting->builder->device, bytes, buffer, sorting->where);
}

void gws__sorting_pass(struct gws__sorting_call *call, const struct gws__sorting *sorting,
                       enum gws__sorting_buffer which)
{
    call->argument[call->count++] = (struct gws_device_argument){.buffer = sorting->own->buffer[which]};
}

void gws__sorting_pass_value(struct gws__sorting_call *call, const void *value, uint64_t bytes)
{
    call->argument[call->count++] = (struct gws_device_argument){.value = value, .bytes = bytes};
}

/* Those that wait themselves for what they need. */
static bool begins_early(const char *kernel)
{
    static const char *const all[] = {"octree_settle_middle", "octree_settle_small",  "octree_settle_tiny",
                                      "octree_divide_large",  "octree_divide_middle", "octree_divide_small",
                                      "octree_count"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(kernel, all[i]) == 0) return true;
    return false;
}

gws_status gws__sorting_launch(struct gws__sorting *sorting, const char *kernel, uint64_t groups, uint64_t size,
                               const struct gws__sorting_call *call)
{
    struct gws_device_launch launch = {.program = sorting->own->program,
                                       .kernel = kernel,
                                       .groups = groups ? groups : 1,
                                       .group_size = size,
                                       .argument = call->argument,
                                       .arguments = call->count};
    launch.early = begins_early(kernel);
    launch.resident = strcmp(kernel, "octree_plan") == 0;
    return gws_device_run(sorting->builder->device, &launch, sorting->where);
}

gws_status gws__sorting_launch_over_points(struct gws__sorting *sorting, const char *kernels[2], uint64_t groups_a_unit,
                                           uint64_t size, struct gws__sorting_call *rest)
{
    struct gws__sorting_call call = {.count = 0};
    for (int a = 0; a < 3; a++) gws__sorting_pass(&call, sorting, (enum gws__sorting_buffer)(sorting_axis_x + a));
    memcpy(call.argument + call.count, rest->argument, rest->count * sizeof *rest->argument);
    call.count += rest->count;
    uint64_t units = gws_device_describe(sorting->builder->device)->units;
    uint64_t most = sorting->state->points->count / size + 1, groups = groups_a_unit * units;
    return gws__sorting_launch(sorting, kernels[sorting->state->points->is_double], groups < most ? groups : most, size,
                               &call);
}

gws_status gws__sorting_read(struct gws__sorting *sorting)
{
    return gws_device_read(sorting->own->buffer[sorting_now], 0, &sorting->now, sizeof sorting->now, sorting->where);
}

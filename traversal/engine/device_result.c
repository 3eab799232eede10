/* SPDX-License-Identifier: MIT */
/* Post-processing of results on the device by kernels/engine/index.cl, and functions that launch kernels over all
 * vertices. */
#define GWS_HOST_WORKER
#include "../../kernels/portability/host.h"

#include <stdio.h>

#include "../../kernels/kernels.h"
#include "device_graph.h"
#include "engine.h"

enum { gpu_group_size = 256, groups_a_unit = 16, worth_waking = 1 << 16 /* words */ };

/* Returns the number of items in a group. */
static uint32_t items_of(const struct gws_device_info *device)
{
    return device->type == GWS_DEVICE_CPU ? 1 : gpu_group_size;
}

gws_status gws__device_graph_program(struct gws_device_graph *on_device, struct gws_diagnostic *where)
{
    const struct gws_device_info *device = gws_device_describe(on_device->info.device);
    char options[64];
    snprintf(options, sizeof options, "-DGWS_GROUP_SIZE=%u%s", items_of(device),
             device->warp == 32 ? " -DGWS_WARP=32" : "");
    gws_status status = GWS_OK;
    if (!on_device->sum) status = gws_device_buffer_new(on_device->info.device, 8, &on_device->sum, where);
    if (status != GWS_OK || on_device->program) return status;
    return gws__kernel_program_build(on_device->info.device, "device_graph", options, &on_device->program, where);
}

gws_status gws__device_graph_launch(struct gws_device_graph *on_device, const char *kernel,
                                    const struct gws_device_argument *argument, uint32_t arguments,
                                    struct gws_diagnostic *where)
{
    const struct gws_device_info *device = gws_device_describe(on_device->info.device);
    const struct gws_device_launch launch = {.program = on_device->program,
                                             .kernel = kernel,
                                             .groups = (uint64_t)device->units * groups_a_unit,
                                             .group_size = items_of(device),
                                             .argument = argument,
                                             .arguments = arguments};
    return gws_device_run(on_device->info.device, &launch, where);
}

gws_status gws__device_graph_reached_arcs(struct gws_device_graph *on_device, struct gws_device_buffer *reached,
                                          uint64_t *arcs, struct gws_diagnostic *where)
{
    gws_status status = gws__device_graph_bounds(on_device, where);
    if (status == GWS_OK) status = gws__device_graph_program(on_device, where);
    if (status == GWS_OK) status = gws_device_fill(on_device->sum, 0, 0, 2, where);
    const struct gws_device_argument argument[] = {{.buffer = on_device->array[GWS_ARRAY_OFFSET]},
                                                   {.buffer = reached},
                                                   {.value = &on_device->info.graph->vertices, .bytes = 8},
                                                   {.buffer = on_device->sum}};
    if (status == GWS_OK) status = gws__device_graph_launch(on_device, "result_arcs", argument, 4, where);
    return status == GWS_OK ? gws_device_read(on_device->sum, 0, arcs, sizeof *arcs, where) : status;
}

gws_status gws__device_graph_narrow(struct gws_device_graph *on_device, struct gws_device_buffer *from,
                                    struct gws_device_buffer *to, uint64_t count, uint32_t bytes,
                                    struct gws_diagnostic *where)
{
    const struct gws_device_argument argument[] = {
        {.buffer = from}, {.buffer = to}, {.value = &count, .bytes = 8}, {.value = &bytes, .bytes = 4}};
    gws_status status = gws__device_graph_program(on_device, where);
    return status == GWS_OK ? gws__device_graph_launch(on_device, "result_narrow", argument, 4, where) : status;
}

/* ---- in the host's memory ---- */

#include "../../kernels/engine/index.cl"

struct narrowing {
    const uint32_t *from;
    uint32_t *to;
    uint64_t count;
    uint32_t bytes;
};

static void narrow_words(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct narrowing *all = context;
    (void)worker;
    for (uint64_t word = begin; word < end; word++)
        all->to[word] = narrow_word(all->from, all->count, word, all->bytes);
}

void gws__narrow(struct gws_runtime *runtime, const uint32_t *from, uint32_t *to, uint64_t count, uint32_t bytes)
{
    struct narrowing narrowing = {from, to, count, bytes};
    gws__engine_uncounted(runtime, (count * bytes + 3) / 4, worth_waking, narrow_words, &narrowing);
}

/* SPDX-License-Identifier: MIT */
/* Several emulated CUDA devices, which address each other's memory, for the kernels of parted graphs. */
#ifndef GWS_TESTS_TRAVERSAL_EMULATED_DEVICES_H
#define GWS_TESTS_TRAVERSAL_EMULATED_DEVICES_H

#include "../graph/bfs/device/emulated_cuda.h"

#include "../graph/bfs/device/emulated_parted.h"
#include "../graph/components/emulated_components.h"
#include "../graph/pagerank/emulated_ranks.h"
#include "../graph/sssp/emulated_sssp.h"

static uint32_t unlaunched; /* a device that launches no kernel which waits for others, plus one; 0: none */

static inline gws_status run(struct gws_stream *stream, const struct gws_device_launch *launch,
                             struct gws_diagnostic *where)
{
    (void)where;
    const uint32_t number = stream->device->number;
    const bool searches = strcmp(launch->kernel, "engine_run_parted") == 0;
    const bool ranks = strcmp(launch->kernel, "graph_pagerank_parted") == 0;
    const bool paths = strcmp(launch->kernel, "engine_rounds") == 0;
    if (searches || ranks || paths ? number + 1 == unlaunched : emulated_fails(emulated_of(stream->device)))
        return GWS_DEVICE;
    if (searches)
        emulated_parted_start(number, launch);
    else if (ranks)
        emulated_ranks_start(number, launch);
    else if (paths)
        emulated_sssp_start(number, launch);
    else if (!emulated_components_run(launch))
        emulated_parted_serial(launch);
    return GWS_OK;
}

static inline gws_status build(struct gws_device_program *program, const struct gws_device_source *source,
                               struct gws_diagnostic *where)
{
    emulated_sssp_build(source->name);
    return emulated_build(program, source, where);
}

static inline gws_status poll_groups(struct gws_stream *stream, bool *done, struct gws_diagnostic *where)
{
    (void)where;
    const uint32_t number = stream->device->number;
    *done = emulated_parted_ended(number) && emulated_ranks_ended(number) && emulated_sssp_ended(number);
    return GWS_OK;
}

static inline gws_status resident(struct gws_device *device, const struct gws_device_launch *launch,
                                  uint64_t local_bytes, uint64_t *fit, struct gws_diagnostic *where)
{
    (void)launch, (void)local_bytes, (void)where;
    *fit = (uint64_t)emulated_groups * (device->shares > 1 ? device->shares : 1);
    return GWS_OK;
}

static inline struct gws_device_sharing sharing(const struct gws_device *device, const struct gws_device *other)
{
    return (struct gws_device_sharing){.fine_grained = device->reaches >> other->number & 1};
}

static struct emulated emulated[max_emulated];
static struct gws_device_calls calls;

/* Opens emulated devices with some bytes of memory, which reach each other. */
static inline void open_emulated(struct gws_runtime *runtime, uint32_t count, uint64_t memory,
                                 struct gws_device **device)
{
    calls = emulated_calls;
    calls.run = run;
    calls.program_build = build;
    calls.poll = poll_groups;
    calls.resident = resident;
    calls.sharing = sharing;
    for (uint32_t d = 0; d < count; d++) {
        emulated_open(&emulated[d], runtime, memory);
        emulated[d].base.call = &calls;
        emulated[d].base.number = d;
        emulated[d].base.reaches = 255;
        snprintf(emulated[d].base.info.address, sizeof emulated[d].base.info.address, "cuda:%u", d);
        device[d] = &emulated[d].base;
    }
}

static inline void close_emulated(uint32_t count)
{
    for (uint32_t d = 0; d < count; d++) emulated_close(&emulated[d]);
}

#endif

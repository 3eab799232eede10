/* SPDX-License-Identifier: MIT */
/* Argument checks of programs and kernels for all kinds. The kind's functions do the rest. */
#include <inttypes.h>

#include "kind.h"

static void program_free(struct gws_device_program *program)
{
    struct gws_device *device = program->device;
    device->call->program_free(program);
    gws_release(device->runtime, program, device->call->program_bytes, 1);
}

gws_status gws_device_program_build(struct gws_device *device, const struct gws_device_source *source,
                                    struct gws_device_program **program, struct gws_diagnostic *where)
{
    gws_status status = gws__device_alive(device, where);
    if (status != GWS_OK) return status;
    double began = gws_clock_ms();
    struct gws_device_program *made =
        gws__device_object(device->runtime, device->call->program_bytes, source->name, where);
    if (!made) return GWS_NO_MEMORY;
    made->device = device;
    status = device->call->program_build(made, source, where);
    if (status == GWS_OK)
        *program = made;
    else
        program_free(made);
    (void)pthread_mutex_lock(&device->lock);
    device->translate_ms += gws_clock_ms() - began;
    (void)pthread_mutex_unlock(&device->lock);
    return status;
}

void gws_device_program_free(struct gws_device_program *program)
{
    if (!program) return;
    (void)gws__device_alive(program->device, NULL);
    program_free(program);
}

double gws_device_translate_ms(const struct gws_device *device)
{
    return device->translate_ms;
}

bool gws_device_program_cached(const struct gws_device_program *program)
{
    return program->cached;
}

/* Makes the checks that do not depend on the number of groups. */
static gws_status check_group(struct gws_device *device, const struct gws_device_launch *launch,
                              struct gws_diagnostic *where)
{
    const struct gws_device_info *info = &device->info;
    if (launch->program->device != device)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the program belongs to another device",
                                  launch->kernel);
    if (launch->group_size == 0 || launch->group_size > info->max_group_size)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "%s: groups of %" PRIu64 " work-items; the device allows 1 to %" PRIu64,
                                  launch->kernel, launch->group_size, info->max_group_size);
    if (launch->cluster > info->max_cluster)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "%s: clusters of %" PRIu32 " groups; the device allows at most %" PRIu32,
                                  launch->kernel, launch->cluster, info->max_cluster);
    return gws__device_alive(device, where);
}

static gws_status check_arguments(const struct gws_device *device, const struct gws_device_launch *launch,
                                  struct gws_diagnostic *where)
{
    for (uint32_t i = 0; i < launch->arguments; i++) {
        const struct gws_device_buffer *buffer = launch->argument[i].buffer;
        if (!buffer || (gws__device_addresses(device, buffer->device) && !buffer->pinned)) continue;
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: argument %" PRIu32 " is %s", launch->kernel, i,
                                  buffer->pinned ? "pinned memory, for copies only" : "a buffer of another device");
    }
    return GWS_OK;
}

static gws_status check_launch(struct gws_device *device, const struct gws_device_launch *launch,
                               struct gws_diagnostic *where)
{
    gws_status status = check_group(device, launch, where);
    if (status != GWS_OK) return status;
    if (launch->groups == 0 || (launch->cluster && launch->groups % launch->cluster))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: %" PRIu64 " groups in clusters of %" PRIu32,
                                  launch->kernel, launch->groups, launch->cluster);
    if (launch->groups > (uint64_t)PTRDIFF_MAX / launch->group_size)
        return gws_diagnostic_set(where, GWS_TOO_LARGE, NULL, 0, 0, "%s: %" PRIu64 " groups are too many",
                                  launch->kernel, launch->groups);
    return check_arguments(device, launch, where);
}

uint64_t gws__launch_local_bytes(const struct gws_device_launch *launch)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < launch->arguments; i++)
        if (!launch->argument[i].buffer && !launch->argument[i].value) bytes += launch->argument[i].bytes;
    return bytes;
}

gws_status gws_device_resident(struct gws_device *device, const struct gws_device_launch *launch, uint64_t *groups,
                               struct gws_diagnostic *where)
{
    gws_status status = check_group(device, launch, where);
    if (status == GWS_OK)
        status = device->call->resident(device, launch, gws__launch_local_bytes(launch), groups, where);
    if (status != GWS_OK) return status;
    if (device->shares > 1) *groups /= device->shares;
    if (*groups > 0) return GWS_OK;
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "%s: not even one group of %" PRIu64 " items fits",
                              launch->kernel, launch->group_size);
}

static gws_status check_resident(struct gws_device *device, const struct gws_device_launch *launch,
                                 struct gws_diagnostic *where)
{
    uint64_t groups = 0;
    gws_status status = gws_device_resident(device, launch, &groups, where);
    if (status != GWS_OK || launch->groups <= groups) return status;
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                              "%s: %" PRIu64 " groups that wait for each other; only %" PRIu64 " run concurrently",
                              launch->kernel, launch->groups, groups);
}

gws_status gws_stream_run(struct gws_stream *stream, const struct gws_device_launch *launch,
                          struct gws_diagnostic *where)
{
    struct gws_device *device = stream->device;
    gws_status status = check_launch(device, launch, where);
    if (status == GWS_OK && launch->resident) status = check_resident(device, launch, where);
    if (status == GWS_OK) gws__stream_launched(stream);
    return status == GWS_OK ? device->call->run(stream, launch, where) : status;
}

gws_status gws_device_run(struct gws_device *device, const struct gws_device_launch *launch,
                          struct gws_diagnostic *where)
{
    return gws_stream_run(device->own, launch, where);
}

/* SPDX-License-Identifier: MIT */
/* The kind `opencl`: listing, opening and closing. */
#include <string.h>

#include "opencl.h"

static uint32_t list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t room)
{
    cl_device_id id[gws__opencl_devices];
    uint32_t found = gws__opencl_find(runtime, id);
    for (uint32_t i = 0; i < found && i < room; i++) gws__opencl_describe(id[i], i, &info[i]);
    return found;
}

/* A lost device keeps its driver's objects: releasing them may wait for a kernel that never ends. */
static void close_device(struct gws_device *base)
{
    struct gws__opencl_device *device = gws__opencl_of(base);
    if (base->own) gws__opencl_stream_close(base->own);
    if (!base->lost && device->context) (void)clReleaseContext(device->context);
    gws_release(base->runtime, device, 1, sizeof *device);
}

static gws_status memory_left(struct gws_device *base, uint64_t *bytes, struct gws_where *where)
{
    (void)where;
    *bytes = base->info.memory;
    return GWS_OK;
}

/* Each device has a context of its own. */
static struct gws_device_sharing sharing(const struct gws_device *device, const struct gws_device *other)
{
    (void)device;
    (void)other;
    return (struct gws_device_sharing){.memory = false};
}

static const struct gws_device_calls calls = {
    .close = close_device,
    .sharing = sharing,
    .buffer_new = gws__opencl_buffer_new,
    .shared_new = gws__opencl_shared_new,
    .memory_left = memory_left,
    .pinned_new = gws__opencl_pinned_new,
    .buffer_free = gws__opencl_buffer_free,
    .stream_open = gws__opencl_stream_open,
    .stream_close = gws__opencl_stream_close,
    .after = gws__opencl_after,
    .write = gws__opencl_write,
    .read = gws__opencl_read,
    .fill = gws__opencl_fill,
    .copy = gws__opencl_copy,
    .event_new = gws__opencl_event_new,
    .event_poll = gws__opencl_event_poll,
    .program_build = gws__opencl_program_build,
    .program_free = gws__opencl_program_free,
    .resident = gws__opencl_resident,
    .run = gws__opencl_run,
    .poll = gws__opencl_poll,
};

static gws_status open_context(struct gws__opencl_device *device, struct gws_where *where)
{
    cl_int error;
    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    if (error != CL_SUCCESS) return gws__opencl_fail(where, device->base.info.address, "clCreateContext", error);
    device->base.native = device->context;
    return gws__opencl_stream_open(&device->base, &device->base.own, where);
}

/* PoCL keeps what it translates, for the size of group that runs. To give a translation away it makes another, for
 * groups of any size, which takes several times as long as the first. */
static bool keeps_programs(const struct gws_device_info *info)
{
    return strncmp(info->driver, "Portable Computing Language", strlen("Portable Computing Language")) == 0;
}

static gws_status open_device(struct gws_runtime *runtime, uint32_t index, const struct gws_device_info *info,
                              struct gws_device **opened, struct gws_where *where)
{
    cl_device_id id[gws__opencl_devices];
    if (index >= gws__opencl_find(runtime, id))
        return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: it has gone", info->address);
    struct gws__opencl_device *device = gws_allocate(runtime, 1, sizeof *device);
    if (!device) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", info->address);
    *device = (struct gws__opencl_device){.base = {.call = &calls,
                                                   .runtime = runtime,
                                                   .info = *info,
                                                   .keeps_programs = keeps_programs(info),
                                                   .stages = info->type == GWS_DEVICE_GPU && !info->unified},
                                          .id = id[index]};
    gws_status status = open_context(device, where);
    if (status != GWS_OK)
        close_device(&device->base);
    else
        *opened = &device->base;
    return status;
}

static const char *off(void)
{
    return NULL;
}

const struct gws_device_kind gws__device_opencl = {
    .name = "opencl",
    .about = "work-groups of an OpenCL device",
    .off = off,
    .list = list,
    .open = open_device,
};

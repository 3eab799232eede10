/* SPDX-License-Identifier: MIT */
/* The kind `cuda`: listing, opening and closing. */
#include <string.h>

#include "cuda_kind.h"

static uint32_t list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t room)
{
    uint32_t count = gws__cuda_count(runtime);
    for (uint32_t i = 0; i < count && i < room; i++) gws__cuda_describe((int)i, &info[i]);
    return count;
}

gws_status gws__cuda_use(struct gws__cuda_device *device, struct gws_where *where)
{
    cudaError_t error = cudaSetDevice(device->index);
    return error == cudaSuccess ? GWS_OK : gws__cuda_lose(device, where, "cudaSetDevice", error);
}

static void close_device(struct gws_device *base)
{
    struct gws__cuda_device *device = gws__cuda_of(base);
    if (base->own) gws__cuda_stream_close(base->own);
    gws_release(base->runtime, device, 1, sizeof *device);
}

static gws_status memory_left(struct gws_device *base, uint64_t *bytes, struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(base);
    size_t free_bytes = 0, all = 0;
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    cudaError_t error = cudaMemGetInfo(&free_bytes, &all);
    if (error != cudaSuccess) return gws__cuda_lose(device, where, "cudaMemGetInfo", error);
    *bytes = free_bytes;
    return GWS_OK;
}

static const struct gws_device_calls calls = {
    .close = close_device,
    .sharing = gws__cuda_sharing,
    .buffer_new = gws__cuda_buffer_new,
    .shared_new = gws__cuda_shared_new,
    .memory_left = memory_left,
    .pinned_new = gws__cuda_pinned_new,
    .buffer_free = gws__cuda_buffer_free,
    .stream_open = gws__cuda_stream_open,
    .stream_close = gws__cuda_stream_close,
    .after = gws__cuda_after,
    .write = gws__cuda_write,
    .read = gws__cuda_read,
    .fill = gws__cuda_fill,
    .copy = gws__cuda_copy,
    .event_new = gws__cuda_event_new,
    .event_poll = gws__cuda_event_poll,
    .program_build = gws__cuda_program_build,
    .program_free = gws__cuda_program_free,
    .resident = gws__cuda_resident,
    .run = gws__cuda_run,
    .poll = gws__cuda_poll,
};

static gws_status open_own(struct gws__cuda_device *device, struct gws_where *where)
{
    enum { since = 12000 }; /* of the function's present form */
    enum cudaDriverEntryPointQueryResult found;
    void *fill_words = NULL;
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuMemsetD32Async", &fill_words, since, cudaEnableDefault, &found);
    if (error != cudaSuccess || !fill_words)
        return gws__cuda_fail(where, device->base.info.address, "cudaGetDriverEntryPointByVersion(cuMemsetD32Async)",
                              error);
    memcpy(&device->fill_words, &fill_words,
           sizeof fill_words); /* C has no conversion to a function, POSIX promises it */
    return gws__cuda_stream_open(&device->base, &device->base.own, where);
}

static gws_status open_device(struct gws_runtime *runtime, uint32_t index, const struct gws_device_info *info,
                              struct gws_device **opened, struct gws_where *where)
{
    struct gws__cuda_device *device = gws_allocate(runtime, 1, sizeof *device);
    if (!device) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", info->address);
    *device = (struct gws__cuda_device){.base = {.call = &calls, .runtime = runtime, .info = *info, .stages = true},
                                        .index = (int)index};
    gws_status status = open_own(device, where);
    if (status != GWS_OK)
        close_device(&device->base);
    else
        *opened = &device->base;
    return status;
}

const struct gws_device_kind gws__device_cuda = {
    .name = "cuda",
    .about = "thread blocks of an NVIDIA device",
    .off = gws__cuda_off,
    .list = list,
    .open = open_device,
};

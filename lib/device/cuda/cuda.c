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

/* A lost device keeps its stream and its slot: a kernel that never ends may be in the one, a copy still use the other.
 */
static void close_device(struct gws_device *base)
{
    struct gws__cuda_device *device = gws__cuda_of(base);
    gws__cuda_stage_free(device);
    if (!base->lost && device->slot) (void)cudaFreeHost(device->slot);
    if (!base->lost && device->stream) (void)cudaStreamDestroy(device->stream);
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
    .buffer_free = gws__cuda_buffer_free,
    .write = gws__cuda_write,
    .read = gws__cuda_read,
    .fill = gws__cuda_fill,
    .program_build = gws__cuda_program_build,
    .program_free = gws__cuda_program_free,
    .resident = gws__cuda_resident,
    .run = gws__cuda_run,
    .wait = gws__cuda_wait,
    .poll = gws__cuda_poll,
};

static gws_status open_slot(struct gws__cuda_device *device, struct gws_where *where)
{
    void *slot = NULL;
    cudaError_t error = cudaHostAlloc(&slot, gws__cuda_slot_bytes, cudaHostAllocPortable);
    if (error != cudaSuccess) return gws__cuda_fail(where, device->base.info.address, "cudaHostAlloc", error);
    device->slot = slot;
    return GWS_OK;
}

static gws_status open_stream(struct gws__cuda_device *device, struct gws_where *where)
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
    error = cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess) return GWS_OK;
    device->stream = NULL;
    return gws__cuda_fail(where, device->base.info.address, "cudaStreamCreateWithFlags", error);
}

static gws_status open_device(struct gws_runtime *runtime, uint32_t index, const struct gws_device_info *info,
                              struct gws_device **opened, struct gws_where *where)
{
    struct gws__cuda_device *device = gws_allocate(runtime, 1, sizeof *device);
    if (!device) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", info->address);
    *device =
        (struct gws__cuda_device){.base = {.call = &calls, .runtime = runtime, .info = *info}, .index = (int)index};
    gws_status status = open_stream(device, where);
    if (status == GWS_OK) status = open_slot(device, where);
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

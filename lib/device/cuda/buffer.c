/* SPDX-License-Identifier: MIT */
/* Memory of an NVIDIA device, and pinned memory of the host that the device addresses. The driver never gets the
 * caller's memory: copies go through pinned memory of the device, whatever becomes of a wait. */
#include <string.h>

#include "cuda_kind.h"

static struct gws__cuda_buffer *buffer_of(struct gws_device_buffer *buffer)
{
    return (struct gws__cuda_buffer *)buffer;
}

/* ---- making and freeing ---- */

/* A buffer without memory yet; NULL, and *where says so, where there is none. */
static struct gws__cuda_buffer *empty_buffer(struct gws_device *base, uint64_t bytes, struct gws_where *where)
{
    struct gws__cuda_buffer *buffer = gws_allocate(base->runtime, 1, sizeof *buffer);
    if (buffer)
        *buffer = (struct gws__cuda_buffer){.base = {.device = base, .bytes = bytes}};
    else
        (void)gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", base->info.address);
    return buffer;
}

gws_status gws__cuda_buffer_new(struct gws_device *base, uint64_t bytes, struct gws_device_buffer **made,
                                struct gws_where *where)
{
    gws_status status = gws__cuda_use(gws__cuda_of(base), where);
    if (status != GWS_OK) return status;
    struct gws__cuda_buffer *buffer = empty_buffer(base, bytes, where);
    if (!buffer) return GWS_NO_MEMORY;
    cudaError_t error = cudaMalloc(&buffer->memory, bytes ? bytes : 1);
    if (error != cudaSuccess) {
        gws_release(base->runtime, buffer, 1, sizeof *buffer);
        return gws__cuda_lose(gws__cuda_of(base), where, "cudaMalloc", error);
    }
    buffer->base.native = buffer->memory;
    *made = &buffer->base;
    return GWS_OK;
}

/* Pinned memory at the host's address and the device's, which differ on few machines. */
static cudaError_t pin(struct gws__cuda_buffer *buffer, uint64_t bytes)
{
    cudaError_t error = cudaHostAlloc(&buffer->host, bytes ? bytes : 1, cudaHostAllocMapped | cudaHostAllocPortable);
    if (error != cudaSuccess) return error;
    error = cudaHostGetDevicePointer(&buffer->memory, buffer->host, 0);
    if (error != cudaSuccess) (void)cudaFreeHost(buffer->host);
    return error;
}

gws_status gws__cuda_shared_new(struct gws_device *base, uint64_t bytes, struct gws_device_buffer **made, void **host,
                                struct gws_where *where)
{
    gws_status status = gws__cuda_use(gws__cuda_of(base), where);
    if (status != GWS_OK) return status;
    struct gws__cuda_buffer *buffer = empty_buffer(base, bytes, where);
    if (!buffer) return GWS_NO_MEMORY;
    cudaError_t error = pin(buffer, bytes);
    if (error != cudaSuccess) {
        gws_release(base->runtime, buffer, 1, sizeof *buffer);
        return gws__cuda_lose(gws__cuda_of(base), where, "cudaHostAlloc", error);
    }
    buffer->base.native = buffer->memory;
    *made = &buffer->base;
    *host = buffer->host;
    return GWS_OK;
}

/* cudaFree and cudaFreeHost wait for the device, without a limit: so we do first, with ours. A lost device may still
 * write to the memory. */
void gws__cuda_buffer_free(struct gws_device_buffer *buffer)
{
    struct gws_device *device = buffer->device;
    struct gws__cuda_buffer *freed = buffer_of(buffer);
    if (!device->lost) (void)gws__cuda_wait(device, NULL);
    if (!device->lost) (void)(freed->host ? cudaFreeHost(freed->host) : cudaFree(freed->memory));
    gws_release(device->runtime, freed, 1, sizeof *freed);
}

/* ---- copies ---- */

/* By way of the device's slot, which nothing uses between two copies. */
static gws_status copy_part(struct gws__cuda_device *device, void *at, const void *from, void *to, uint64_t bytes,
                            struct gws_where *where)
{
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    if (from) memcpy(device->slot, from, bytes);
    cudaError_t error = from ? cudaMemcpyAsync(at, device->slot, bytes, cudaMemcpyHostToDevice, device->stream)
                             : cudaMemcpyAsync(device->slot, at, bytes, cudaMemcpyDeviceToHost, device->stream);
    if (error != cudaSuccess) return gws__cuda_lose(device, where, "cudaMemcpyAsync", error);
    status = gws__cuda_wait(&device->base, where);
    if (status == GWS_OK && to) memcpy(to, device->slot, bytes);
    return status;
}

/* Copies between the device's memory at `at` and the host's: from `from`, or to `to`; the other one is NULL. */
static gws_status copy(struct gws_device *base, char *at, const char *from, char *to, uint64_t bytes,
                       struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(base);
    gws_status status = GWS_OK;
    if (gws__cuda_stage_copy(device, at, from, to, bytes, &status, where)) return status;
    for (uint64_t done = 0, part; done < bytes && status == GWS_OK; done += part) {
        part = bytes - done < gws__cuda_slot_bytes ? bytes - done : gws__cuda_slot_bytes;
        status = copy_part(device, at + done, from ? from + done : NULL, to ? to + done : NULL, part, where);
    }
    return status;
}

gws_status gws__cuda_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                           struct gws_where *where)
{
    struct gws__cuda_buffer *target = buffer_of(buffer);
    if (!target->host) return copy(buffer->device, (char *)target->memory + offset, from, NULL, bytes, where);
    gws_status status = gws__cuda_wait(buffer->device, where);
    if (status == GWS_OK) memcpy((char *)target->host + offset, from, bytes);
    return status;
}

gws_status gws__cuda_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                          struct gws_where *where)
{
    const struct gws__cuda_buffer *source = buffer_of(buffer);
    if (!source->host) return copy(buffer->device, (char *)source->memory + offset, NULL, to, bytes, where);
    gws_status status = gws__cuda_wait(buffer->device, where);
    if (status == GWS_OK) memcpy(to, (const char *)source->host + offset, bytes);
    return status;
}

gws_status gws__cuda_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                          struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(buffer->device);
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    uintptr_t at = (uintptr_t)((char *)buffer_of(buffer)->memory + first * sizeof word);
    int error = device->fill_words(at, word, count, device->stream);
    if (error == 0) return GWS_OK;
    device->base.lost = true;
    return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: cuMemsetD32Async: error %d", device->base.info.address,
                         error);
}

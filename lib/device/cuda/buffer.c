/* SPDX-License-Identifier: MIT */
/* Memory of an NVIDIA device, and pinned memory of the host that the device addresses. The driver never gets the
 * caller's memory: copies go through pinned memory of the device, whatever becomes of a wait. */
#define _DEFAULT_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "cuda_kind.h"

enum { page = 2 << 20 };

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
static cudaError_t pin(struct gws__cuda_buffer *buffer, void **host)
{
    const uint64_t bytes = buffer->base.bytes ? buffer->base.bytes : 1;
    cudaError_t error = cudaHostAlloc(host, bytes, cudaHostAllocMapped | cudaHostAllocPortable);
    if (error != cudaSuccess) return error;
    error = cudaHostGetDevicePointer(&buffer->memory, *host, 0);
    if (error != cudaSuccess) (void)cudaFreeHost(*host);
    return error;
}

gws_status gws__cuda_shared_new(struct gws_device *base, uint64_t bytes, struct gws_device_buffer **made, void **host,
                                struct gws_where *where)
{
    void *memory = NULL;
    gws_status status = gws__cuda_use(gws__cuda_of(base), where);
    if (status != GWS_OK) return status;
    struct gws__cuda_buffer *buffer = empty_buffer(base, bytes, where);
    if (!buffer) return GWS_NO_MEMORY;
    cudaError_t error = pin(buffer, &memory);
    if (error != cudaSuccess) {
        gws_release(base->runtime, buffer, 1, sizeof *buffer);
        return gws__cuda_lose(gws__cuda_of(base), where, "cudaHostAlloc", error);
    }
    buffer->base.native = buffer->memory;
    *made = &buffer->base;
    *host = memory;
    return GWS_OK;
}

/* Fresh memory of whole huge pages, cleared by all workers where they may be called. A lost device keeps it for ever,
 * and children of fork() have none of it. What it is advised of is worth a try. */
static void *map(struct gws__cuda_buffer *buffer, bool by_workers)
{
    const uint64_t bytes = (buffer->base.bytes + page - 1) / page * page;
    void *memory = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    buffer->mapped = memory;
    buffer->mapped_bytes = bytes + page;
    (void)madvise(memory, bytes + page, MADV_HUGEPAGE);
    (void)madvise(memory, bytes + page, MADV_DONTFORK);
    char *first = buffer->mapped + (page - (uintptr_t)memory % page) % page;
    if (by_workers) gws__stage_touch(buffer->base.device->runtime, first, bytes);
    return first;
}

/* Pinning huge pages that are there already takes a tenth of what the driver's own memory takes. */
gws_status gws__cuda_pinned_new(struct gws_device *base, uint64_t bytes, bool by_workers,
                                struct gws_device_buffer **made, void **host, struct gws_where *where)
{
    if (bytes < page) return gws__cuda_shared_new(base, bytes, made, host, where);
    gws_status status = gws__cuda_use(gws__cuda_of(base), where);
    struct gws__cuda_buffer *buffer = status == GWS_OK ? empty_buffer(base, bytes, where) : NULL;
    if (!buffer) return status == GWS_OK ? GWS_NO_MEMORY : status;
    buffer->memory = map(buffer, by_workers);
    cudaError_t error =
        buffer->memory ? cudaHostRegister(buffer->memory, bytes, cudaHostRegisterPortable) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess) {
        *made = &buffer->base;
        *host = buffer->memory;
        return GWS_OK;
    }
    if (buffer->mapped) (void)munmap(buffer->mapped, buffer->mapped_bytes);
    gws_release(base->runtime, buffer, 1, sizeof *buffer);
    return gws__cuda_lose(gws__cuda_of(base), where, "cudaHostRegister", error);
}

/* All of these wait for the device, without a limit: so we do first, with ours. A lost device may still write to the
 * memory. */
void gws__cuda_buffer_free(struct gws_device_buffer *freed)
{
    struct gws_device *device = freed->device;
    struct gws__cuda_buffer *buffer = buffer_of(freed);
    gws__device_wait_for_all(device);
    if (!device->lost && !buffer->mapped)
        (void)(freed->host ? cudaFreeHost(freed->host) : cudaFree(buffer->memory));
    else if (!device->lost && cudaHostUnregister(buffer->memory) == cudaSuccess)
        (void)munmap(buffer->mapped, buffer->mapped_bytes);
    gws_release(device->runtime, buffer, 1, sizeof *buffer);
}

/* ---- copies ---- */

static gws_status slot_of(struct gws__cuda_stream *stream, struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(stream->base.device);
    void *slot = stream->slot;
    cudaError_t error = slot ? cudaSuccess : cudaHostAlloc(&slot, gws__cuda_slot_bytes, cudaHostAllocPortable);
    if (error != cudaSuccess) return gws__cuda_lose(device, where, "cudaHostAlloc", error);
    stream->slot = slot;
    return GWS_OK;
}

/* By way of the stream's slot, which nothing uses between two copies. */
static gws_status copy_part(struct gws__cuda_stream *stream, void *at, const void *from, void *to, uint64_t bytes,
                            struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(stream->base.device);
    gws_status status = gws__cuda_use(device, where);
    if (status == GWS_OK) status = slot_of(stream, where);
    if (status != GWS_OK) return status;
    if (from) memcpy(stream->slot, from, bytes);
    cudaError_t error = from ? cudaMemcpyAsync(at, stream->slot, bytes, cudaMemcpyHostToDevice, stream->stream)
                             : cudaMemcpyAsync(stream->slot, at, bytes, cudaMemcpyDeviceToHost, stream->stream);
    if (error != cudaSuccess) return gws__cuda_lose(device, where, "cudaMemcpyAsync", error);
    status = gws__stream_wait(&stream->base, where);
    if (status == GWS_OK && to) memcpy(to, stream->slot, bytes);
    return status;
}

/* Copies between the device's memory at `at` and the host's: from `from`, or to `to`; the other one is NULL. */
static gws_status copy(struct gws_stream *base, char *at, const char *from, char *to, uint64_t bytes,
                       struct gws_where *where)
{
    struct gws__cuda_stream *stream = gws__cuda_stream_of(base);
    gws_status status = GWS_OK;
    for (uint64_t done = 0, part; done < bytes && status == GWS_OK; done += part) {
        part = bytes - done < gws__cuda_slot_bytes ? bytes - done : gws__cuda_slot_bytes;
        status = copy_part(stream, at + done, from ? from + done : NULL, to ? to + done : NULL, part, where);
    }
    return status;
}

gws_status gws__cuda_write(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset, const void *from,
                           uint64_t bytes, struct gws_where *where)
{
    return copy(base, (char *)buffer_of(buffer)->memory + offset, from, NULL, bytes, where);
}

gws_status gws__cuda_read(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset, void *to,
                          uint64_t bytes, struct gws_where *where)
{
    return copy(base, (char *)buffer_of(buffer)->memory + offset, NULL, to, bytes, where);
}

gws_status gws__cuda_fill(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                          uint64_t count, struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(base->device);
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    uintptr_t at = (uintptr_t)((char *)buffer_of(buffer)->memory + first * sizeof word);
    int error = device->fill_words(at, word, count, gws__cuda_stream_of(base)->stream);
    if (error == 0) return GWS_OK;
    device->base.lost = true;
    return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: cuMemsetD32Async: error %d", device->base.info.address,
                         error);
}

gws_status gws__cuda_copy(struct gws_stream *base, struct gws_device_buffer *to, uint64_t to_offset,
                          struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes, struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(base->device);
    enum cudaMemcpyKind way = to->host     ? cudaMemcpyDeviceToHost
                              : from->host ? cudaMemcpyHostToDevice
                                           : cudaMemcpyDeviceToDevice;
    char *here = to->host ? to->host : buffer_of(to)->memory;
    char *there = from->host ? from->host : buffer_of(from)->memory;
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    cudaError_t error =
        cudaMemcpyAsync(here + to_offset, there + from_offset, bytes, way, gws__cuda_stream_of(base)->stream);
    return error == cudaSuccess ? GWS_OK : gws__cuda_lose(device, where, "cudaMemcpyAsync", error);
}

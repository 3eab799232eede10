/* SPDX-License-Identifier: MIT */
/* Memory of an NVIDIA device, and pinned host memory that the device addresses. The library never passes the caller's
 * memory to the driver. Copies go through pinned memory of the device. A failed wait thus cannot affect the caller's
 * memory. */
#define _DEFAULT_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "cuda_kind.h"

enum { page = 2 << 20 };

static struct gws__cuda_buffer *buffer_of(struct gws_device_buffer *buffer)
{
    return (struct gws__cuda_buffer *)buffer;
}

/* ---- allocation ---- */

gws_status gws__cuda_buffer_new(struct gws_device_buffer *base, struct gws_diagnostic *where)
{
    gws_status status = gws__cuda_use(base->device, where);
    if (status != GWS_OK) return status;
    return gws__cuda_check(base->device, where, "cudaMalloc",
                           cudaMalloc(&base->native, gws__device_buffer_capacity(base)));
}

/* Allocates pinned memory. On a few machines the host and device addresses of this memory differ. */
gws_status gws__cuda_shared_new(struct gws_device_buffer *base, struct gws_diagnostic *where)
{
    gws_status status = gws__cuda_use(base->device, where);
    if (status != GWS_OK) return status;
    cudaError_t error =
        cudaHostAlloc(&base->host, gws__device_buffer_capacity(base), cudaHostAllocMapped | cudaHostAllocPortable);
    if (error == cudaSuccess) {
        error = cudaHostGetDevicePointer(&base->native, base->host, 0);
        if (error != cudaSuccess) (void)cudaFreeHost(base->host);
    }
    return gws__cuda_check(base->device, where, "cudaHostAlloc", error);
}

/* Maps fresh memory of whole huge pages. All workers clear the memory if the caller may run loops. A lost device keeps
 * the memory until the process ends. Children of fork() do not inherit the memory. Both madvise() calls may fail. */
static void *map(struct gws__cuda_buffer *buffer)
{
    const uint64_t bytes = (buffer->base.bytes + page - 1) / page * page;
    void *memory = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    buffer->mapped = memory;
    buffer->mapped_bytes = bytes + page;
    (void)madvise(memory, bytes + page, MADV_HUGEPAGE);
    (void)madvise(memory, bytes + page, MADV_DONTFORK);
    char *first = buffer->mapped + (page - (uintptr_t)memory % page) % page;
    if (buffer->base.by_workers) gws__staging_touch(buffer->base.device->runtime, first, bytes);
    return first;
}

/* Allocates pinned memory. Pinning huge pages that already exist takes a tenth of the time of the driver's own
 * allocation. */
gws_status gws__cuda_pinned_new(struct gws_device_buffer *base, struct gws_diagnostic *where)
{
    if (base->bytes < page) return gws__cuda_shared_new(base, where);
    struct gws__cuda_buffer *buffer = buffer_of(base);
    gws_status status = gws__cuda_use(base->device, where);
    if (status != GWS_OK) return status;
    base->native = base->host = map(buffer);
    cudaError_t error =
        base->host ? cudaHostRegister(base->host, base->bytes, cudaHostRegisterPortable) : cudaErrorMemoryAllocation;
    if (error != cudaSuccess && buffer->mapped) (void)munmap(buffer->mapped, buffer->mapped_bytes);
    return gws__cuda_check(base->device, where, "cudaHostRegister", error);
}

/* ---- memory of other processes ---- */

_Static_assert(sizeof(cudaIpcMemHandle_t) == sizeof((struct gws__device_name *)0)->handle, "a handle fits");

/* A system without such handles is no failure of the device. */
static gws_status refuse(struct gws_device *device, const char *call, cudaError_t error, struct gws_diagnostic *where)
{
    if (error == cudaSuccess) return GWS_OK;
    (void)gws__cuda_fail(where, device->info.address, call, error);
    return GWS_UNSUPPORTED;
}

gws_status gws__cuda_buffer_name(struct gws_device_buffer *base, struct gws__device_name *name,
                                 struct gws_diagnostic *where)
{
    struct gws_device *device = base->device;
    cudaIpcMemHandle_t handle;
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    cudaError_t error = cudaDeviceGetPCIBusId(name->device, sizeof name->device, gws__cuda_of(device)->index);
    if (error == cudaSuccess) error = cudaIpcGetMemHandle(&handle, base->native);
    if (error == cudaSuccess) memcpy(name->handle, &handle, sizeof handle);
    return refuse(device, "cudaIpcGetMemHandle", error, where);
}

gws_status gws__cuda_buffer_map(struct gws_device_buffer *base, const struct gws__device_name *name,
                                struct gws_diagnostic *where)
{
    struct gws_device *device = base->device;
    cudaIpcMemHandle_t handle;
    int other = 0;
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    cudaError_t error = cudaDeviceGetByPCIBusId(&other, name->device);
    if (error == cudaSuccess && (uint32_t)other != device->number &&
        !gws__cuda_peer(device->number, (uint32_t)other).atomics)
        error = cudaErrorPeerAccessUnsupported;
    memcpy(&handle, name->handle, sizeof handle);
    if (error == cudaSuccess) error = cudaIpcOpenMemHandle(&base->native, handle, cudaIpcMemLazyEnablePeerAccess);
    return refuse(device, "cudaIpcOpenMemHandle", error, where);
}

/* Frees a buffer. The driver's calls here wait for the device without a limit. So the library waits first, within its
 * limit. A lost device may still write to the memory, so the library does not free it. */
void gws__cuda_buffer_free(struct gws_device_buffer *base)
{
    struct gws__cuda_buffer *buffer = buffer_of(base);
    gws__device_wait_for_all(base->device);
    if (base->device->lost) return;
    if (base->foreign)
        (void)cudaIpcCloseMemHandle(base->native);
    else if (!buffer->mapped)
        (void)(base->host ? cudaFreeHost(base->host) : cudaFree(base->native));
    else if (cudaHostUnregister(base->host) == cudaSuccess)
        (void)munmap(buffer->mapped, buffer->mapped_bytes);
}

/* ---- copies ---- */

static gws_status slot_of(struct gws__cuda_stream *stream, struct gws_diagnostic *where)
{
    void *slot = stream->slot;
    cudaError_t error = slot ? cudaSuccess : cudaHostAlloc(&slot, gws__cuda_slot_bytes, cudaHostAllocPortable);
    gws_status status = gws__cuda_check(stream->base.device, where, "cudaHostAlloc", error);
    if (status == GWS_OK) stream->slot = slot;
    return status;
}

/* Copies through the stream's slot, which is idle between two copies. */
gws_status gws__cuda_transfer(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset,
                              const void *from, void *to, uint64_t bytes, struct gws_diagnostic *where)
{
    struct gws__cuda_stream *stream = gws__cuda_stream_of(base);
    char *there = (char *)buffer->native + offset;
    gws_status status = gws__cuda_use(base->device, where);
    if (status == GWS_OK) status = slot_of(stream, where);
    if (status != GWS_OK) return status;
    if (from) memcpy(stream->slot, from, bytes);
    cudaError_t error = from ? cudaMemcpyAsync(there, stream->slot, bytes, cudaMemcpyHostToDevice, stream->stream)
                             : cudaMemcpyAsync(stream->slot, there, bytes, cudaMemcpyDeviceToHost, stream->stream);
    status = gws__cuda_check(base->device, where, "cudaMemcpyAsync", error);
    if (status == GWS_OK) status = gws__stream_wait(base, where);
    if (status == GWS_OK && to) memcpy(to, stream->slot, bytes);
    return status;
}

gws_status gws__cuda_fill(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                          uint64_t count, struct gws_diagnostic *where)
{
    struct gws_device *device = base->device;
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    uintptr_t at = (uintptr_t)((char *)buffer->native + first * sizeof word);
    int error = gws__cuda_of(device)->fill_words(at, word, count, gws__cuda_stream_of(base)->stream);
    if (error == 0) return GWS_OK;
    device->lost = true;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "%s: cuMemsetD32Async: error %d", device->info.address,
                              error);
}

gws_status gws__cuda_copy(struct gws_stream *base, struct gws_device_buffer *to, uint64_t to_offset,
                          struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                          struct gws_diagnostic *where)
{
    enum cudaMemcpyKind direction = to->host     ? cudaMemcpyDeviceToHost
                                    : from->host ? cudaMemcpyHostToDevice
                                                 : cudaMemcpyDeviceToDevice;
    char *here = to->host ? to->host : to->native, *there = from->host ? from->host : from->native;
    gws_status status = gws__cuda_use(base->device, where);
    if (status != GWS_OK) return status;
    return gws__cuda_check(
        base->device, where, "cudaMemcpyAsync",
        cudaMemcpyAsync(here + to_offset, there + from_offset, bytes, direction, gws__cuda_stream_of(base)->stream));
}

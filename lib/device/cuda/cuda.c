/* SPDX-License-Identifier: MIT */
/* The kind `cuda`, with its devices, the driver's errors, and streams. No stream synchronises with the legacy default
 * stream. */
#include <string.h>

#include "cuda_kind.h"

/* ---- errors ---- */

static gws_status status_of(cudaError_t error)
{
    switch (error) {
    case cudaErrorMemoryAllocation:
        return GWS_NO_MEMORY;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorCooperativeLaunchTooLarge:
    case cudaErrorInvalidClusterSize:
    case cudaErrorInvalidKernelImage:
    case cudaErrorSymbolNotFound:
        return GWS_INVALID;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
    case cudaErrorPeerAccessUnsupported:
        return GWS_UNSUPPORTED;
    default:
        return GWS_DEVICE;
    }
}

gws_status gws__cuda_fail(struct gws_diagnostic *where, const char *subject, const char *call, cudaError_t error)
{
    (void)cudaGetLastError(); /* otherwise the runtime returns the error again to the next caller */
    return gws_diagnostic_set(where, status_of(error), NULL, 0, 0, "%s: %s: %s (%s)", subject, call,
                              cudaGetErrorName(error), cudaGetErrorString(error));
}

gws_status gws__cuda_check(struct gws_device *device, struct gws_diagnostic *where, const char *call, cudaError_t error)
{
    if (error == cudaSuccess) return GWS_OK;
    gws_status status = gws__cuda_fail(where, device->info.address, call, error);
    if (status == GWS_DEVICE) device->lost = true;
    return status;
}

gws_status gws__cuda_use(struct gws_device *device, struct gws_diagnostic *where)
{
    return gws__cuda_check(device, where, "cudaSetDevice", cudaSetDevice(gws__cuda_of(device)->index));
}

/* ---- streams ---- */

static cudaStream_t stream_of(struct gws_stream *stream)
{
    return gws__cuda_stream_of(stream)->stream;
}

static gws_status stream_open(struct gws_stream *base, struct gws_diagnostic *where)
{
    struct gws__cuda_stream *stream = gws__cuda_stream_of(base);
    gws_status status = gws__cuda_use(base->device, where);
    if (status == GWS_OK)
        status = gws__cuda_check(base->device, where, "cudaStreamCreateWithFlags",
                                 cudaStreamCreateWithFlags(&stream->stream, cudaStreamNonBlocking));
    base->native = stream->stream;
    return status;
}

/* Closes a stream. cudaFreeHost() waits for the device without a limit. So the library waits first, within its limit.
 * The default stream closes last. A lost device keeps its streams and slots. A stream may contain a kernel that never
 * ends, and a copy may still use a slot. */
static void stream_close(struct gws_stream *base)
{
    char *slot = gws__cuda_stream_of(base)->slot;
    struct gws_device *device = base->device;
    if (slot && base != device->own) gws__device_wait_for_all(device);
    if (!device->lost && slot) (void)cudaFreeHost(slot);
    if (!device->lost) (void)cudaStreamDestroy(stream_of(base));
}

static gws_status event_new(struct gws_stream *base, void **event, struct gws_diagnostic *where)
{
    cudaEvent_t made = NULL;
    gws_status status = gws__cuda_use(base->device, where);
    if (status == GWS_OK)
        status = gws__cuda_check(base->device, where, "cudaEventCreateWithFlags",
                                 cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    if (status != GWS_OK) return status;
    status = gws__cuda_check(base->device, where, "cudaEventRecord", cudaEventRecord(made, stream_of(base)));
    if (status != GWS_OK) (void)cudaEventDestroy(made);
    *event = made;
    return status;
}

/* Polls an event. The arguments are valid, so any error is the failure of a command. */
static gws_status event_poll(struct gws_device *base, void *event, bool *done, struct gws_diagnostic *where)
{
    cudaError_t error = cudaEventQuery(event);
    *done = error == cudaSuccess;
    if (error == cudaErrorNotReady) return GWS_OK;
    if (error == cudaSuccess) error = cudaEventDestroy(event);
    if (error == cudaSuccess) return GWS_OK;
    (void)gws__cuda_fail(where, base->info.address, "a copy", error);
    return GWS_DEVICE;
}

static gws_status after(struct gws_stream *base, struct gws_stream *other, struct gws_diagnostic *where)
{
    void *event = NULL;
    gws_status status = event_new(other, &event, where);
    if (status != GWS_OK) return status;
    cudaError_t error = cudaStreamWaitEvent(stream_of(base), event, 0);
    (void)cudaEventDestroy(event); /* the driver keeps the event until the stream reaches it */
    return gws__cuda_check(base->device, where, "cudaStreamWaitEvent", error);
}

static gws_status poll(struct gws_stream *base, bool *done, struct gws_diagnostic *where)
{
    struct gws_device *device = base->device;
    const char *call = "cudaSetDevice";
    cudaError_t error = cudaSetDevice(gws__cuda_of(device)->index);
    if (error == cudaSuccess) {
        call = "a command";
        error = cudaStreamQuery(stream_of(base));
    }
    *done = error == cudaSuccess;
    if (*done || error == cudaErrorNotReady) return GWS_OK;
    /* The arguments are valid, so a command failed. Other commands may still run. */
    device->lost = true;
    (void)gws__cuda_fail(where, device->info.address, call, error);
    return GWS_DEVICE;
}

/* ---- devices ---- */

static uint32_t list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity)
{
    uint32_t count = gws__cuda_count(runtime);
    for (uint32_t i = 0; i < count && i < capacity; i++) gws__cuda_describe((int)i, &info[i]);
    return count;
}

static gws_status open_device(struct gws_device *base, uint32_t index, struct gws_diagnostic *where)
{
    enum { since = 12000 }; /* the CUDA version of this function's signature */
    struct gws__cuda_device *device = gws__cuda_of(base);
    enum cudaDriverEntryPointQueryResult found;
    void *fill_words = NULL;
    device->index = (int)index;
    base->wants_staging = true;
    gws_status status = gws__cuda_use(base, where);
    if (status != GWS_OK) return status;
    cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuMemsetD32Async", &fill_words, since, cudaEnableDefault, &found);
    if (error != cudaSuccess || !fill_words)
        return gws__cuda_fail(where, base->info.address, "cudaGetDriverEntryPointByVersion(cuMemsetD32Async)", error);
    memcpy(&device->fill_words, &fill_words,
           sizeof fill_words); /* POSIX, unlike C, defines this conversion to a function pointer */
    return GWS_OK;
}

static void close_device(struct gws_device *base)
{
    (void)base;
}

static gws_status memory_left(struct gws_device *base, uint64_t *bytes, struct gws_diagnostic *where)
{
    size_t free_bytes = 0, all = 0;
    gws_status status = gws__cuda_use(base, where);
    if (status == GWS_OK) status = gws__cuda_check(base, where, "cudaMemGetInfo", cudaMemGetInfo(&free_bytes, &all));
    if (status == GWS_OK) *bytes = free_bytes;
    return status;
}

/* The access lasts until the process ends, because all objects of a device share its primary context. */
static gws_status reach(struct gws_device *base, uint32_t other, struct gws_diagnostic *where)
{
    gws_status status = gws__cuda_use(base, where);
    if (status != GWS_OK || base->number == other) return status;
    cudaError_t error = cudaDeviceEnablePeerAccess((int)other, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
        (void)cudaGetLastError();
        return GWS_OK;
    }
    return gws__cuda_check(base, where, "cudaDeviceEnablePeerAccess", error);
}

static const struct gws_device_calls calls = {
    .device_bytes = sizeof(struct gws__cuda_device),
    .stream_bytes = sizeof(struct gws__cuda_stream),
    .buffer_bytes = sizeof(struct gws__cuda_buffer),
    .program_bytes = sizeof(struct gws__cuda_program),
    .part_bytes = gws__cuda_slot_bytes,
    .open = open_device,
    .close = close_device,
    .sharing = gws__cuda_sharing,
    .peer = gws__cuda_peer,
    .reach = reach,
    .memory_left = memory_left,
    .buffer_new = gws__cuda_buffer_new,
    .shared_new = gws__cuda_shared_new,
    .pinned_new = gws__cuda_pinned_new,
    .buffer_free = gws__cuda_buffer_free,
    .buffer_name = gws__cuda_buffer_name,
    .buffer_map = gws__cuda_buffer_map,
    .stream_open = stream_open,
    .stream_close = stream_close,
    .after = after,
    .transfer = gws__cuda_transfer,
    .fill = gws__cuda_fill,
    .copy = gws__cuda_copy,
    .event_new = event_new,
    .event_poll = event_poll,
    .program_build = gws__cuda_program_build,
    .program_free = gws__cuda_program_free,
    .resident = gws__cuda_resident,
    .run = gws__cuda_run,
    .poll = poll,
};

const struct gws_device_kind gws__device_cuda = {
    .name = "cuda",
    .about = "thread blocks of an NVIDIA device",
    .off = gws__cuda_off,
    .list = list,
    .call = &calls,
};

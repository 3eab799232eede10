/* SPDX-License-Identifier: MIT */
/* Streams of an NVIDIA device. None waits for the legacy default stream. */
#include "cuda_kind.h"

gws_status gws__cuda_stream_open(struct gws_device *base, struct gws_stream **opened, struct gws_where *where)
{
    gws_status status = gws__cuda_use(gws__cuda_of(base), where);
    if (status != GWS_OK) return status;
    struct gws__cuda_stream *stream = gws_allocate(base->runtime, 1, sizeof *stream);
    if (!stream) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", base->info.address);
    *stream = (struct gws__cuda_stream){.base = {.device = base}};
    cudaError_t error = cudaStreamCreateWithFlags(&stream->stream, cudaStreamNonBlocking);
    if (error != cudaSuccess) {
        gws_release(base->runtime, stream, 1, sizeof *stream);
        return gws__cuda_lose(gws__cuda_of(base), where, "cudaStreamCreateWithFlags", error);
    }
    stream->base.native = stream->stream;
    *opened = &stream->base;
    return GWS_OK;
}

/* cudaFreeHost waits for the device, without a limit, and so we do first, with ours; the device's own is the last of
 * all. A lost device keeps its streams and their slots: a kernel that never ends may be in the one, a copy still use
 * the other. */
void gws__cuda_stream_close(struct gws_stream *base)
{
    struct gws__cuda_stream *stream = gws__cuda_stream_of(base);
    struct gws_device *device = base->device;
    if (stream->slot && base != device->own) gws__device_wait_for_all(device);
    if (!device->lost && stream->slot) (void)cudaFreeHost(stream->slot);
    if (!device->lost) (void)cudaStreamDestroy(stream->stream);
    gws_release(device->runtime, stream, 1, sizeof *stream);
}

gws_status gws__cuda_event_new(struct gws_stream *base, void **event, struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(base->device);
    cudaEvent_t made;
    gws_status status = gws__cuda_use(device, where);
    if (status != GWS_OK) return status;
    cudaError_t error = cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    if (error != cudaSuccess) return gws__cuda_lose(device, where, "cudaEventCreateWithFlags", error);
    error = cudaEventRecord(made, gws__cuda_stream_of(base)->stream);
    *event = made;
    if (error == cudaSuccess) return GWS_OK;
    (void)cudaEventDestroy(made);
    return gws__cuda_lose(device, where, "cudaEventRecord", error);
}

/* An error is what a command said: nothing that was asked of us here can be wrong. */
gws_status gws__cuda_event_poll(struct gws_device *base, void *event, bool *done, struct gws_where *where)
{
    cudaError_t error = cudaEventQuery(event);
    *done = error == cudaSuccess;
    if (error == cudaErrorNotReady) return GWS_OK;
    if (error == cudaSuccess) error = cudaEventDestroy(event);
    if (error == cudaSuccess) return GWS_OK;
    (void)gws__cuda_fail(where, base->info.address, "a copy", error);
    return GWS_DEVICE;
}

gws_status gws__cuda_after(struct gws_stream *base, struct gws_stream *other, struct gws_where *where)
{
    void *event = NULL;
    gws_status status = gws__cuda_event_new(other, &event, where);
    if (status != GWS_OK) return status;
    cudaError_t error = cudaStreamWaitEvent(gws__cuda_stream_of(base)->stream, event, 0);
    (void)cudaEventDestroy(event); /* the driver keeps it until it has been reached */
    return error == cudaSuccess ? GWS_OK
                                : gws__cuda_lose(gws__cuda_of(base->device), where, "cudaStreamWaitEvent", error);
}

gws_status gws__cuda_poll(struct gws_stream *base, bool *done, struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(base->device);
    const char *call = "cudaSetDevice";
    cudaError_t error = cudaSetDevice(device->index);
    if (error == cudaSuccess) {
        call = "a command";
        error = cudaStreamQuery(gws__cuda_stream_of(base)->stream);
    }
    if (error == cudaSuccess || error == cudaErrorNotReady) {
        *done = error == cudaSuccess;
        return GWS_OK;
    }
    /* Whatever it is, what was asked of us cannot be wrong, and commands may run still. */
    device->base.lost = true;
    (void)gws__cuda_fail(where, device->base.info.address, call, error);
    return GWS_DEVICE;
}

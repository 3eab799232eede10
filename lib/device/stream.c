/* SPDX-License-Identifier: MIT */
/* Opening, closing and waiting for streams. Drivers' own waits have no limit, so the library polls a stream. The first
 * polls have no pauses, and later polls have pauses. With a GPU the first phase is long, because a pause takes longer
 * than a short kernel. With a CPU device polling would compete with the commands for the cores. */
#define _POSIX_C_SOURCE 200809L
#include <sched.h>
#include <time.h>

#include "kind.h"

/* ---- waiting ---- */

static void pause_after(const struct gws_device_info *info, double waited_ms)
{
    enum { short_ns = 20000, gpu_ns = 100000, long_ns = 500000 };
    static const double eager_ms = 0.1, eager_gpu_ms = 20, short_ms = 10;
    bool gpu = info->type == GWS_DEVICE_GPU;
    struct timespec time = {.tv_nsec = gpu ? gpu_ns : waited_ms < short_ms ? short_ns : long_ns};
    if (waited_ms < (gpu ? eager_gpu_ms : eager_ms))
        (void)sched_yield();
    else
        (void)nanosleep(&time, NULL);
}

/* relaxed: the word carries no other data. */
static bool has_ended(const struct gws_stream *stream)
{
    return stream->ended && atomic_load_explicit(stream->ended, memory_order_relaxed) != 0;
}

gws_status gws__stream_wait(struct gws_stream *stream, struct gws_diagnostic *where)
{
    struct gws_device *device = stream->device;
    const double began = gws_clock_ms();
    /* The loop reads the clock before it polls. A descheduled thread thus polls once more. */
    for (double waited = 0; waited <= device->limit_ms; pause_after(&device->info, waited)) {
        bool done = false;
        waited = gws_clock_ms() - began;
        gws_status status = device->call->poll(stream, &done, where);
        if (status != GWS_OK || done) return status;
        if (device->lost) return gws__device_alive(device, where); /* another thread lost the device */
        if (stream->stop && (gws_cancelled(device->runtime) || has_ended(stream)))
            atomic_store_explicit(stream->stop, 1, memory_order_relaxed);
    }
    device->lost = true;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "%s: no answer after %.0f ms", device->info.address,
                              device->limit_ms);
}

void gws__device_wait_for_all(struct gws_device *device)
{
    if (device->lost) return;
    (void)gws__stream_wait(device->own, NULL);
    (void)pthread_mutex_lock(&device->lock);
    for (struct gws_stream *stream = device->opened; stream && !device->lost; stream = stream->next)
        (void)gws__stream_wait(stream, NULL);
    (void)pthread_mutex_unlock(&device->lock);
}

gws_status gws_stream_wait(struct gws_stream *stream, struct gws_diagnostic *where)
{
    gws_status status = gws__device_alive(stream->device, where);
    if (status == GWS_OK) status = gws__stream_wait(stream, where);
    if (status == GWS_OK) gws__stream_done(stream);
    return status;
}

gws_status gws_stream_poll(struct gws_stream *stream, bool *done, struct gws_diagnostic *where)
{
    gws_status status = gws__device_alive(stream->device, where);
    if (status == GWS_OK) status = stream->device->call->poll(stream, done, where);
    if (status == GWS_OK && *done) gws__stream_done(stream);
    return status;
}

gws_status gws_device_wait(struct gws_device *device, struct gws_diagnostic *where)
{
    return gws_stream_wait(device->own, where);
}

gws_status gws_device_poll(struct gws_device *device, bool *done, struct gws_diagnostic *where)
{
    return gws_stream_poll(device->own, done, where);
}

/* ---- trace ---- */

bool gws__stream_is_traced(const struct gws_stream *stream)
{
    return stream->device->track != GWS_TRACE_NONE && stream == stream->device->own;
}

void gws__stream_launched(struct gws_stream *stream)
{
    struct gws_device *device = stream->device;
    if (!gws__stream_is_traced(stream)) return;
    if (device->launches++ > 0) return;
    device->since_ns = gws_trace_now(device->runtime);
    device->label = device->runtime->label;
}

/* Records the end of the stream's launches in the trace. Launches of several levels get no level. */
void gws__stream_done(struct gws_stream *stream)
{
    struct gws_device *device = stream->device;
    if (!gws__stream_is_traced(stream) || device->launches == 0) return;
    const uint64_t label = device->runtime->label;
    if (label != device->label) gws_trace_level(device->runtime, GWS_TRACE_NONE, GWS_SLICE_NO_DIRECTION);
    gws_trace_busy(device->runtime, device->track, device->since_ns, gws_trace_now(device->runtime), device->launches);
    device->runtime->label = label;
    device->launches = 0;
}

/* ---- opening and closing ---- */

gws_status gws__stream_new(struct gws_device *device, struct gws_stream **stream, struct gws_diagnostic *where)
{
    const uint64_t size = device->call->stream_bytes;
    struct gws_stream *made = gws__device_object(device->runtime, size, device->info.address, where);
    if (!made) return GWS_NO_MEMORY;
    made->device = device;
    gws_status status = device->call->stream_open(made, where);
    if (status == GWS_OK)
        *stream = made;
    else
        gws_release(device->runtime, made, size, 1);
    return status;
}

void gws__stream_free(struct gws_stream *stream)
{
    struct gws_device *device = stream->device;
    device->call->stream_close(stream);
    gws_release(device->runtime, stream, device->call->stream_bytes, 1);
}

gws_status gws_stream_open(struct gws_device *device, struct gws_stream **stream, struct gws_diagnostic *where)
{
    gws_status status = gws__device_alive(device, where);
    if (status == GWS_OK) status = gws__stream_new(device, stream, where);
    if (status != GWS_OK) return status;
    (void)pthread_mutex_lock(&device->lock);
    (*stream)->next = device->opened;
    device->opened = *stream;
    (void)pthread_mutex_unlock(&device->lock);
    return GWS_OK;
}

static void unlist(struct gws_stream *stream)
{
    struct gws_stream **at = &stream->device->opened;
    while (*at != stream) at = &(*at)->next;
    *at = stream->next;
}

void gws_stream_close(struct gws_stream *stream)
{
    if (!stream) return;
    struct gws_device *device = stream->device;
    (void)gws_stream_wait(stream, NULL);
    (void)pthread_mutex_lock(&device->lock);
    unlist(stream);
    (void)pthread_mutex_unlock(&device->lock);
    gws__stream_free(stream);
}

struct gws_stream *gws_device_stream(struct gws_device *device)
{
    return device->own;
}

void *gws_stream_native(const struct gws_stream *stream)
{
    return stream->native;
}

gws_status gws_stream_after(struct gws_stream *stream, struct gws_stream *other, struct gws_diagnostic *where)
{
    if (stream->device != other->device)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s: the other stream belongs to another device",
                                  stream->device->info.address);
    gws_status status = gws__device_alive(stream->device, where);
    return status != GWS_OK || stream == other ? status : stream->device->call->after(stream, other, where);
}

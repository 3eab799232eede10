/* SPDX-License-Identifier: MIT */
/* Streams of an OpenCL device: queues, and what is known of their last commands. */
#include "opencl.h"

/* ---- opening and closing ---- */

gws_status gws__opencl_stream_open(struct gws_device *base, struct gws_stream **opened, struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(base);
    cl_int error;
    struct gws__opencl_stream *stream = gws_allocate(base->runtime, 1, sizeof *stream);
    if (!stream) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", base->info.address);
    *stream = (struct gws__opencl_stream){.base = {.device = base}};
    stream->queue = clCreateCommandQueueWithProperties(device->context, device->id, NULL, &error);
    if (error != CL_SUCCESS) {
        gws_release(base->runtime, stream, 1, sizeof *stream);
        return gws__opencl_fail(where, base->info.address, "clCreateCommandQueueWithProperties", error);
    }
    (void)pthread_mutex_init(&stream->lock, NULL); /* never fails */
    stream->base.native = stream->queue;
    *opened = &stream->base;
    return GWS_OK;
}

/* A lost device keeps its queues: releasing one may wait for a kernel that never ends. */
void gws__opencl_stream_close(struct gws_stream *base)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    if (!base->device->lost) (void)clReleaseCommandQueue(stream->queue);
    (void)pthread_mutex_destroy(&stream->lock);
    gws_release(base->device->runtime, stream, 1, sizeof *stream);
}

/* ---- the last command ---- */

gws_status gws__opencl_given(struct gws__opencl_stream *stream, const char *call, cl_int error, cl_event event,
                             struct gws_where *where)
{
    if (error != CL_SUCCESS) return gws__opencl_lose(gws__opencl_of(stream->base.device), where, call, error);
    (void)pthread_mutex_lock(&stream->lock);
    if (stream->last) (void)clReleaseEvent(stream->last);
    stream->last = event;
    stream->flushed = false;
    (void)pthread_mutex_unlock(&stream->lock);
    return GWS_OK;
}

/* Whatever the error is, commands may run still: whoever gets this has lost the device. */
static gws_status fail(const struct gws__opencl_device *device, struct gws_where *where, const char *call, cl_int error)
{
    (void)gws__opencl_fail(where, device->base.info.address, call, error);
    return GWS_DEVICE;
}

/* Frees the event of a command that is seen to be done. Looking does not order memory, clWaitForEvents() does; it
 * returns at once here. */
gws_status gws__opencl_event_poll(struct gws_device *base, void *event, bool *done, struct gws_where *where)
{
    const struct gws__opencl_device *device = gws__opencl_of(base);
    cl_event last = event;
    cl_int state = CL_QUEUED;
    cl_int error = clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (error != CL_SUCCESS) return fail(device, where, "clGetEventInfo", error);
    if (state < 0) return fail(device, where, "a command", state);
    *done = state == CL_COMPLETE;
    if (!*done) return GWS_OK;
    error = clWaitForEvents(1, &last);
    if (error == CL_SUCCESS) error = clReleaseEvent(last);
    return error == CL_SUCCESS ? GWS_OK : fail(device, where, "clWaitForEvents", error);
}

gws_status gws__opencl_event_new(struct gws_stream *base, void **event, struct gws_where *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    (void)pthread_mutex_lock(&stream->lock);
    cl_int error = stream->last ? clRetainEvent(stream->last) : CL_SUCCESS;
    *event = stream->last;
    (void)pthread_mutex_unlock(&stream->lock);
    if (error == CL_SUCCESS && *event) error = clFlush(stream->queue);
    return error == CL_SUCCESS ? GWS_OK : fail(gws__opencl_of(base->device), where, "clRetainEvent", error);
}

/* Of a stream that has a last command, and is locked. */
static gws_status look_at_last(struct gws__opencl_stream *stream, bool *done, struct gws_where *where)
{
    struct gws_device *device = stream->base.device;
    cl_int error = stream->flushed ? CL_SUCCESS : clFlush(stream->queue);
    stream->flushed = true;
    if (error != CL_SUCCESS) return fail(gws__opencl_of(device), where, "clFlush", error);
    gws_status status = gws__opencl_event_poll(device, stream->last, done, where);
    if (status == GWS_OK && *done) stream->last = NULL;
    return status;
}

gws_status gws__opencl_poll(struct gws_stream *base, bool *done, struct gws_where *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    (void)pthread_mutex_lock(&stream->lock);
    *done = !stream->last;
    gws_status status = *done ? GWS_OK : look_at_last(stream, done, where);
    (void)pthread_mutex_unlock(&stream->lock);
    if (status != GWS_OK) base->device->lost = true; /* nothing it holds is touched again */
    return status;
}

/* The other queue's last command is sent off, or this one would wait for ever. */
gws_status gws__opencl_after(struct gws_stream *base, struct gws_stream *other, struct gws_where *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    void *before;
    cl_event barrier = NULL;
    gws_status status = gws__opencl_event_new(other, &before, where);
    if (status != GWS_OK || !before) return status;
    cl_event event = before;
    cl_int error = clEnqueueBarrierWithWaitList(stream->queue, 1, &event, &barrier);
    (void)clReleaseEvent(event);
    return gws__opencl_given(stream, "clEnqueueBarrierWithWaitList", error, barrier, where);
}

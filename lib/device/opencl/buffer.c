/* SPDX-License-Identifier: MIT */
/* Memory of an OpenCL device. The driver never gets the caller's memory: a copy maps a part of the buffer, which is
 * then the driver's memory, and the caller's thread copies between the two; large ones to and from a GPU across a bus
 * go by way of a stage. So whatever becomes of a wait, nothing of the caller's can be in use by the driver. */
#include <string.h>

#include "opencl.h"

static struct gws__opencl_buffer *buffer_of(struct gws_device_buffer *buffer)
{
    return (struct gws__opencl_buffer *)buffer;
}

static cl_mem memory_of(struct gws_device_buffer *buffer)
{
    return buffer_of(buffer)->memory;
}

/* ---- making and freeing ---- */

/* A buffer without memory yet; NULL, and *where says so, where there is none. */
static struct gws__opencl_buffer *empty_buffer(struct gws_device *base, uint64_t bytes, struct gws_where *where)
{
    struct gws__opencl_buffer *buffer = gws_allocate(base->runtime, 1, sizeof *buffer);
    if (buffer)
        *buffer = (struct gws__opencl_buffer){.base = {.device = base, .bytes = bytes}};
    else
        (void)gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", base->info.address);
    return buffer;
}

gws_status gws__opencl_buffer_new(struct gws_device *base, uint64_t bytes, struct gws_device_buffer **made,
                                  struct gws_where *where)
{
    struct gws__opencl_buffer *buffer = empty_buffer(base, bytes, where);
    if (!buffer) return GWS_NO_MEMORY;
    cl_int error;
    buffer->memory = clCreateBuffer(gws__opencl_of(base)->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &error);
    if (error != CL_SUCCESS) {
        gws_release(base->runtime, buffer, 1, sizeof *buffer);
        return gws__opencl_fail(where, base->info.address, "clCreateBuffer", error);
    }
    buffer->base.native = buffer->memory;
    *made = &buffer->base;
    return GWS_OK;
}

gws_status gws__opencl_shared_new(struct gws_device *base, uint64_t bytes, struct gws_device_buffer **made, void **host,
                                  struct gws_where *where)
{
    enum { alignment = 64 };
    struct gws__opencl_buffer *buffer = empty_buffer(base, bytes, where);
    if (!buffer) return GWS_NO_MEMORY;
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    if (base->info.svm == GWS_SVM_ATOMICS) flags |= CL_MEM_SVM_ATOMICS;
    buffer->shared = clSVMAlloc(gws__opencl_of(base)->context, flags, bytes ? bytes : 1, alignment);
    if (!buffer->shared) { /* clSVMAlloc gives no other reason, and its arguments are in order */
        gws_release(base->runtime, buffer, 1, sizeof *buffer);
        return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: clSVMAlloc gave no memory", base->info.address);
    }
    buffer->base.native = buffer->shared;
    *made = &buffer->base;
    *host = buffer->shared;
    return GWS_OK;
}

/* Memory that the driver has pinned and that stays mapped. By a stream of its own: others may be busy. */
static gws_status pin(struct gws__opencl_buffer *buffer, struct gws_where *where)
{
    struct gws_device *base = buffer->base.device;
    const uint64_t bytes = buffer->base.bytes ? buffer->base.bytes : 1;
    struct gws_stream *stream;
    cl_int error;
    cl_event event = NULL;
    buffer->memory =
        clCreateBuffer(gws__opencl_of(base)->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error);
    if (error != CL_SUCCESS) return gws__opencl_fail(where, base->info.address, "clCreateBuffer", error);
    gws_status status = gws__opencl_stream_open(base, &stream, where);
    if (status != GWS_OK) return status;
    buffer->base.host = clEnqueueMapBuffer(gws__opencl_stream_of(stream)->queue, buffer->memory, CL_FALSE,
                                           CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, &event, &error);
    if (error == CL_SUCCESS)
        status = gws__opencl_given(gws__opencl_stream_of(stream), "clEnqueueMapBuffer", error, event, where);
    else
        status = gws__opencl_fail(where, base->info.address, "clEnqueueMapBuffer", error);
    if (status == GWS_OK) status = gws__stream_wait(stream, where);
    gws__opencl_stream_close(stream);
    return status;
}

static void release(struct gws__opencl_buffer *buffer)
{
    struct gws_device *base = buffer->base.device;
    bool mapped = buffer->base.host && !buffer->shared;
    if (!base->lost && mapped)
        (void)clEnqueueUnmapMemObject(gws__opencl_stream_of(base->own)->queue, buffer->memory, buffer->base.host, 0,
                                      NULL, NULL);
    if (!base->lost && buffer->shared) clSVMFree(gws__opencl_of(base)->context, buffer->shared);
    if (!base->lost && buffer->memory) (void)clReleaseMemObject(buffer->memory);
    gws_release(base->runtime, buffer, 1, sizeof *buffer);
}

gws_status gws__opencl_pinned_new(struct gws_device *base, uint64_t bytes, bool by_workers,
                                  struct gws_device_buffer **made, void **host, struct gws_where *where)
{
    (void)by_workers;
    struct gws__opencl_buffer *buffer = empty_buffer(base, bytes, where);
    if (!buffer) return GWS_NO_MEMORY;
    gws_status status = pin(buffer, where);
    if (status != GWS_OK) {
        release(buffer);
        return status;
    }
    *made = &buffer->base;
    *host = buffer->base.host;
    return GWS_OK;
}

/* clReleaseMemObject waits for who uses the memory; clSVMFree does not, nor who uses pinned memory as the host's, and
 * so must we. A lost device may still write to either. */
void gws__opencl_buffer_free(struct gws_device_buffer *buffer)
{
    if (buffer->host) gws__device_wait_for_all(buffer->device);
    release(buffer_of(buffer));
}

/* ---- copies ---- */

enum { mapped_bytes = 64 << 20 }; /* at once: the driver of a GPU finds as much pinned memory for it */

/* Into *host: where that part of the buffer is mapped, when all commands so far are done. A device that is lost in the
 * meantime keeps it mapped. */
static gws_status map(struct gws__opencl_stream *stream, cl_mem memory, cl_map_flags flags, const uint64_t range[2],
                      void **host, struct gws_where *where)
{
    cl_event event = NULL;
    cl_int error;
    *host = clEnqueueMapBuffer(stream->queue, memory, CL_FALSE, flags, range[0], range[1], 0, NULL, &event, &error);
    gws_status status = gws__opencl_given(stream, "clEnqueueMapBuffer", error, event, where);
    return status == GWS_OK ? gws__stream_wait(&stream->base, where) : status;
}

/* Later commands come after it. */
static gws_status unmap(struct gws__opencl_stream *stream, cl_mem memory, void *host, struct gws_where *where)
{
    cl_event event = NULL;
    cl_int error = clEnqueueUnmapMemObject(stream->queue, memory, host, 0, NULL, &event);
    return gws__opencl_given(stream, "clEnqueueUnmapMemObject", error, event, where);
}

/* Copies a part (offset, bytes) from `from` to the buffer, or from the buffer to `to`; the other one is NULL. */
static gws_status copy_part(struct gws__opencl_stream *stream, cl_mem memory, const uint64_t range[2], const void *from,
                            void *to, struct gws_where *where)
{
    void *host;
    gws_status status = map(stream, memory, from ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ, range, &host, where);
    if (status != GWS_OK) return status;
    if (from)
        memcpy(host, from, range[1]);
    else if (to)
        memcpy(to, host, range[1]);
    return unmap(stream, memory, host, where);
}

static gws_status copy(struct gws_stream *base, cl_mem memory, uint64_t offset, const char *from, char *to,
                       uint64_t bytes, struct gws_where *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    gws_status status = GWS_OK;
    for (uint64_t at = 0; at < bytes && status == GWS_OK; at += mapped_bytes) {
        const uint64_t range[2] = {offset + at, bytes - at < mapped_bytes ? bytes - at : mapped_bytes};
        status = copy_part(stream, memory, range, from ? from + at : NULL, to ? to + at : NULL, where);
    }
    return status;
}

gws_status gws__opencl_write(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset,
                             const void *from, uint64_t bytes, struct gws_where *where)
{
    gws_status status = copy(base, memory_of(buffer), offset, from, NULL, bytes, where);
    return status == GWS_OK ? gws__stream_wait(base, where) : status;
}

gws_status gws__opencl_read(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset, void *to,
                            uint64_t bytes, struct gws_where *where)
{
    return copy(base, memory_of(buffer), offset, NULL, to, bytes, where);
}

gws_status gws__opencl_fill(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                            uint64_t count, struct gws_where *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    uint64_t offset = first * sizeof word, bytes = count * sizeof word;
    cl_event event = NULL;
    cl_int error;
    if (buffer_of(buffer)->shared)
        error = clEnqueueSVMMemFill(stream->queue, (char *)buffer_of(buffer)->shared + offset, &word, sizeof word,
                                    bytes, 0, NULL, &event);
    else
        error =
            clEnqueueFillBuffer(stream->queue, memory_of(buffer), &word, sizeof word, offset, bytes, 0, NULL, &event);
    return gws__opencl_given(stream, "filling", error, event, where);
}

gws_status gws__opencl_copy(struct gws_stream *base, struct gws_device_buffer *to, uint64_t to_offset,
                            struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                            struct gws_where *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    cl_event event = NULL;
    cl_int error;
    if (to->host)
        error = clEnqueueReadBuffer(stream->queue, memory_of(from), CL_FALSE, from_offset, bytes,
                                    (char *)to->host + to_offset, 0, NULL, &event);
    else if (from->host)
        error = clEnqueueWriteBuffer(stream->queue, memory_of(to), CL_FALSE, to_offset, bytes,
                                     (char *)from->host + from_offset, 0, NULL, &event);
    else
        error = clEnqueueCopyBuffer(stream->queue, memory_of(from), memory_of(to), from_offset, to_offset, bytes, 0,
                                    NULL, &event);
    gws_status status = gws__opencl_given(stream, "a copy", error, event, where);
    if (status == GWS_OK) (void)clFlush(stream->queue); /* so that it starts now: a wait sees whether this fails */
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Memory of an OpenCL device. The library never passes the caller's memory to the driver. A copy maps a part of the
 * buffer, and the caller's thread copies between this part and the caller's memory. Large copies to and from a GPU on a
 * bus use the staging buffers. So after a failed wait the driver cannot access the caller's memory. */
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

/* ---- allocation ---- */

static gws_status create(struct gws_device_buffer *base, cl_mem_flags flags, struct gws_diagnostic *where)
{
    cl_int error;
    cl_context context = gws__opencl_of(base->device)->context;
    base->native = buffer_of(base)->memory =
        clCreateBuffer(context, flags, gws__device_buffer_capacity(base), NULL, &error);
    return error == CL_SUCCESS ? GWS_OK : gws__opencl_fail(where, base->device->info.address, "clCreateBuffer", error);
}

gws_status gws__opencl_buffer_new(struct gws_device_buffer *base, struct gws_diagnostic *where)
{
    return create(base, CL_MEM_READ_WRITE, where);
}

gws_status gws__opencl_shared_new(struct gws_device_buffer *base, struct gws_diagnostic *where)
{
    enum { alignment = 64 };
    const struct gws_device_info *info = &base->device->info;
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    if (info->svm == GWS_SVM_ATOMICS) flags |= CL_MEM_SVM_ATOMICS;
    base->native = base->host =
        clSVMAlloc(gws__opencl_of(base->device)->context, flags, gws__device_buffer_capacity(base), alignment);
    if (base->host) return GWS_OK;
    /* The arguments are valid, so clSVMAlloc can fail only for lack of memory. */
    return gws_diagnostic_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: clSVMAlloc gave no memory", info->address);
}

/* Maps memory that the driver has pinned. The mapping lasts until the library frees the buffer. The function uses a
 * temporary stream, because other streams may be busy. */
static gws_status pin(struct gws_device_buffer *base, struct gws_diagnostic *where)
{
    struct gws_stream *stream;
    cl_int error;
    cl_event event = NULL;
    gws_status status = gws__stream_new(base->device, &stream, where);
    if (status != GWS_OK) return status;
    base->host =
        clEnqueueMapBuffer(gws__opencl_stream_of(stream)->queue, memory_of(base), CL_FALSE, CL_MAP_READ | CL_MAP_WRITE,
                           0, gws__device_buffer_capacity(base), 0, NULL, &event, &error);
    if (error == CL_SUCCESS)
        status = gws__opencl_submitted(stream, "clEnqueueMapBuffer", error, event, where);
    else
        status = gws__opencl_fail(where, base->device->info.address, "clEnqueueMapBuffer", error);
    if (status == GWS_OK) status = gws__stream_wait(stream, where);
    gws__stream_free(stream);
    return status;
}

/* Frees a buffer. clReleaseMemObject() waits for commands that use the memory. clSVMFree() does not wait, and the
 * driver does not know which commands use pinned memory as host memory. So the library waits in both cases. A lost
 * device may still write to both kinds of memory. */
void gws__opencl_buffer_free(struct gws_device_buffer *base)
{
    struct gws_device *device = base->device;
    cl_mem memory = memory_of(base);
    if (base->host) gws__device_wait_for_all(device);
    if (device->lost) return;
    if (!memory) clSVMFree(gws__opencl_of(device)->context, base->host);
    if (memory && base->host)
        (void)clEnqueueUnmapMemObject(gws__opencl_stream_of(device->own)->queue, memory, base->host, 0, NULL, NULL);
    if (memory) (void)clReleaseMemObject(memory);
}

gws_status gws__opencl_pinned_new(struct gws_device_buffer *base, struct gws_diagnostic *where)
{
    gws_status status = create(base, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, where);
    if (status != GWS_OK) return status;
    status = pin(base, where);
    if (status != GWS_OK) gws__opencl_buffer_free(base);
    return status;
}

/* ---- copies ---- */

/* Maps a part of the buffer after all previous commands, and copies between this part and the host's memory. Later
 * commands follow the unmapping. If the device is lost meanwhile, the part stays mapped. */
gws_status gws__opencl_transfer(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset,
                                const void *from, void *to, uint64_t bytes, struct gws_diagnostic *where)
{
    cl_command_queue queue = gws__opencl_stream_of(base)->queue;
    cl_map_flags flags = from ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ;
    cl_event event = NULL;
    cl_int error;
    void *host = clEnqueueMapBuffer(queue, memory_of(buffer), CL_FALSE, flags, offset, bytes, 0, NULL, &event, &error);
    gws_status status = gws__opencl_submitted(base, "clEnqueueMapBuffer", error, event, where);
    if (status == GWS_OK) status = gws__stream_wait(base, where);
    if (status != GWS_OK) return status;
    memcpy(from ? host : to, from ? from : host, bytes);
    event = NULL;
    error = clEnqueueUnmapMemObject(queue, memory_of(buffer), host, 0, NULL, &event);
    status = gws__opencl_submitted(base, "clEnqueueUnmapMemObject", error, event, where);
    return status == GWS_OK && from ? gws__stream_wait(base, where) : status;
}

gws_status gws__opencl_fill(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                            uint64_t count, struct gws_diagnostic *where)
{
    cl_command_queue queue = gws__opencl_stream_of(base)->queue;
    uint64_t offset = first * sizeof word, bytes = count * sizeof word;
    cl_event event = NULL;
    cl_int error;
    if (buffer->host)
        error = clEnqueueSVMMemFill(queue, (char *)buffer->host + offset, &word, sizeof word, bytes, 0, NULL, &event);
    else
        error = clEnqueueFillBuffer(queue, memory_of(buffer), &word, sizeof word, offset, bytes, 0, NULL, &event);
    return gws__opencl_submitted(base, "filling", error, event, where);
}

gws_status gws__opencl_copy(struct gws_stream *base, struct gws_device_buffer *to, uint64_t to_offset,
                            struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                            struct gws_diagnostic *where)
{
    cl_command_queue queue = gws__opencl_stream_of(base)->queue;
    cl_event event = NULL;
    cl_int error;
    if (to->host)
        error = clEnqueueReadBuffer(queue, memory_of(from), CL_FALSE, from_offset, bytes, (char *)to->host + to_offset,
                                    0, NULL, &event);
    else if (from->host)
        error = clEnqueueWriteBuffer(queue, memory_of(to), CL_FALSE, to_offset, bytes, (char *)from->host + from_offset,
                                     0, NULL, &event);
    else
        error =
            clEnqueueCopyBuffer(queue, memory_of(from), memory_of(to), from_offset, to_offset, bytes, 0, NULL, &event);
    gws_status status = gws__opencl_submitted(base, "a copy", error, event, where);
    if (status == GWS_OK) (void)clFlush(queue); /* start the copy now; a later wait detects a failure */
    return status;
}

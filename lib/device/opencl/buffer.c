/* SPDX-License-Identifier: MIT */
/* Memory of an OpenCL device. A copy begins once the queue has run dry, which the watchdog sees to, so that host memory
 * is never lent to a copy that waits behind a kernel that does not end. */
#include "opencl.h"

static cl_mem memory_of(const struct gws_device_buffer *buffer)
{
    return ((const struct gws__opencl_buffer *)buffer)->memory;
}

gws_status gws__opencl_buffer_new(struct gws_device *base, uint64_t bytes, struct gws_device_buffer **made,
                                  struct gws_where *where)
{
    const char *address = base->info.address;
    struct gws__opencl_buffer *buffer = gws_allocate(base->runtime, 1, sizeof *buffer);
    if (!buffer) return gws_where_set(where, GWS_NO_MEMORY, NULL, 0, 0, "%s: out of memory", address);
    cl_int error;
    cl_mem memory = clCreateBuffer(gws__opencl_of(base)->context, CL_MEM_READ_WRITE, bytes ? bytes : 1, NULL, &error);
    if (error != CL_SUCCESS) {
        gws_release(base->runtime, buffer, 1, sizeof *buffer);
        return gws__opencl_fail(where, address, "clCreateBuffer", error);
    }
    *buffer = (struct gws__opencl_buffer){.base = {.device = base, .bytes = bytes}, .memory = memory};
    *made = &buffer->base;
    return GWS_OK;
}

void gws__opencl_buffer_free(struct gws_device_buffer *buffer)
{
    if (!buffer->device->lost) (void)clReleaseMemObject(memory_of(buffer));
    gws_release(buffer->device->runtime, buffer, 1, sizeof(struct gws__opencl_buffer));
}

gws_status gws__opencl_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                             struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(buffer->device);
    gws_status status = gws__opencl_wait(buffer->device, where);
    if (status != GWS_OK) return status;
    cl_event event;
    cl_int error =
        clEnqueueWriteBuffer(device->queue, memory_of(buffer), CL_FALSE, offset, bytes, from, 0, NULL, &event);
    if (error != CL_SUCCESS) return gws__opencl_lose(device, where, "clEnqueueWriteBuffer", error);
    gws__opencl_note(device, event);
    return gws__opencl_wait(buffer->device, where);
}

gws_status gws__opencl_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                            struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(buffer->device);
    gws_status status = gws__opencl_wait(buffer->device, where);
    if (status != GWS_OK) return status;
    cl_event event;
    cl_int error = clEnqueueReadBuffer(device->queue, memory_of(buffer), CL_FALSE, offset, bytes, to, 0, NULL, &event);
    if (error != CL_SUCCESS) return gws__opencl_lose(device, where, "clEnqueueReadBuffer", error);
    gws__opencl_note(device, event);
    return gws__opencl_wait(buffer->device, where);
}

gws_status gws__opencl_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                            struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(buffer->device);
    cl_event event;
    cl_int error = clEnqueueFillBuffer(device->queue, memory_of(buffer), &word, sizeof word, first * sizeof word,
                                       count * sizeof word, 0, NULL, &event);
    if (error != CL_SUCCESS) return gws__opencl_lose(device, where, "clEnqueueFillBuffer", error);
    gws__opencl_note(device, event);
    return GWS_OK;
}

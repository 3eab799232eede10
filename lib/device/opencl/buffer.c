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

/* clReleaseMemObject waits for who uses the memory, clSVMFree does not, and so must we. A lost device may still write
 * to either. */
void gws__opencl_buffer_free(struct gws_device_buffer *buffer)
{
    struct gws_device *base = buffer->device;
    if (!base->lost && buffer_of(buffer)->shared) (void)gws__opencl_wait(base, NULL);
    if (!base->lost && buffer_of(buffer)->shared) clSVMFree(gws__opencl_of(base)->context, buffer_of(buffer)->shared);
    if (!base->lost && memory_of(buffer)) (void)clReleaseMemObject(memory_of(buffer));
    gws_release(base->runtime, buffer, 1, sizeof(struct gws__opencl_buffer));
}

/* ---- copies ---- */

enum { mapped_bytes = 64 << 20 }; /* at once: the driver of a GPU finds as much pinned memory for it */

/* Into *host: where that part of the buffer is mapped, when all commands so far are done. A device that is lost in the
 * meantime keeps it mapped. */
static gws_status map(struct gws_device_buffer *buffer, cl_map_flags flags, uint64_t offset, uint64_t bytes,
                      void **host, struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(buffer->device);
    cl_event event;
    cl_int error;
    *host =
        clEnqueueMapBuffer(device->queue, memory_of(buffer), CL_FALSE, flags, offset, bytes, 0, NULL, &event, &error);
    if (error != CL_SUCCESS) return gws__opencl_lose(device, where, "clEnqueueMapBuffer", error);
    gws__opencl_note(device, event);
    return gws__opencl_wait(buffer->device, where);
}

/* Later commands come after it. */
static gws_status unmap(struct gws_device_buffer *buffer, void *host, struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(buffer->device);
    cl_event event;
    cl_int error = clEnqueueUnmapMemObject(device->queue, memory_of(buffer), host, 0, NULL, &event);
    if (error != CL_SUCCESS) return gws__opencl_lose(device, where, "clEnqueueUnmapMemObject", error);
    gws__opencl_note(device, event);
    return GWS_OK;
}

/* Copies a part from `from` to the buffer, or from the buffer to `to`; the other one is NULL. */
static gws_status copy_part(struct gws_device_buffer *buffer, uint64_t offset, const void *from, void *to,
                            uint64_t bytes, struct gws_where *where)
{
    void *host;
    gws_status status = map(buffer, from ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ, offset, bytes, &host, where);
    if (status != GWS_OK) return status;
    if (from)
        memcpy(host, from, bytes);
    else if (to)
        memcpy(to, host, bytes);
    return unmap(buffer, host, where);
}

static gws_status copy(struct gws_device_buffer *buffer, uint64_t offset, const char *from, char *to, uint64_t bytes,
                       struct gws_where *where)
{
    gws_status staged;
    if (gws__opencl_stage_copy(gws__opencl_of(buffer->device), memory_of(buffer), offset, from, to, bytes, &staged,
                               where))
        return staged;
    for (uint64_t at = 0, part; at < bytes; at += part) {
        part = bytes - at < mapped_bytes ? bytes - at : mapped_bytes;
        gws_status status = copy_part(buffer, offset + at, from ? from + at : NULL, to ? to + at : NULL, part, where);
        if (status != GWS_OK) return status;
    }
    return GWS_OK;
}

gws_status gws__opencl_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                             struct gws_where *where)
{
    char *shared = buffer_of(buffer)->shared;
    gws_status status = shared ? GWS_OK : copy(buffer, offset, from, NULL, bytes, where);
    if (status == GWS_OK) status = gws__opencl_wait(buffer->device, where);
    if (status == GWS_OK && shared) memcpy(shared + offset, from, bytes);
    return status;
}

gws_status gws__opencl_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                            struct gws_where *where)
{
    const char *shared = buffer_of(buffer)->shared;
    if (!shared) return copy(buffer, offset, NULL, to, bytes, where);
    gws_status status = gws__opencl_wait(buffer->device, where);
    if (status == GWS_OK) memcpy(to, shared + offset, bytes);
    return status;
}

gws_status gws__opencl_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                            struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(buffer->device);
    uint64_t offset = first * sizeof word, bytes = count * sizeof word;
    cl_event event;
    cl_int error;
    if (buffer_of(buffer)->shared)
        error = clEnqueueSVMMemFill(device->queue, (char *)buffer_of(buffer)->shared + offset, &word, sizeof word,
                                    bytes, 0, NULL, &event);
    else
        error =
            clEnqueueFillBuffer(device->queue, memory_of(buffer), &word, sizeof word, offset, bytes, 0, NULL, &event);
    if (error != CL_SUCCESS) return gws__opencl_lose(device, where, "filling", error);
    gws__opencl_note(device, event);
    return GWS_OK;
}

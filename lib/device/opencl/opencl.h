/* SPDX-License-Identifier: MIT */
/* OpenCL 2.0 and later through the loader for installable drivers. The library only lists earlier devices, because
 * these have no C11 atomics. A device has one context, and a stream has one in-order queue. When the last command of a
 * queue is complete, all its commands are complete. Several threads may call the driver concurrently, except to set a
 * kernel's arguments. */
#ifndef GWS_DEVICE_OPENCL_H
#define GWS_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "../kind.h"

struct gws__opencl_device {
    struct gws_device base;
    cl_device_id id;
    cl_context context;
};

struct gws__opencl_stream {
    struct gws_stream base;
    cl_command_queue queue;
    pthread_mutex_t lock; /* protects the fields below: other threads poll a stream before they free memory */
    cl_event last;        /* event of the last command; NULL: all commands are complete */
    bool flushed;         /* the stream has flushed the last command */
};

struct gws__opencl_buffer {
    struct gws_device_buffer base;
    cl_mem memory; /* stays mapped until freed if pinned; NULL: the buffer is fine-grained SVM at .host */
};

/* Building a program creates all its kernels, so a launch only searches the array. */
struct gws__opencl_program {
    struct gws_device_program base;
    cl_program program;
    pthread_mutex_t lock; /* protects the kernels' arguments */
    cl_kernel *kernel;    /* `kernels` entries; NULL before the build creates the kernels */
    cl_uint kernels;
};

enum { gws__opencl_devices = 64, gws__opencl_platforms = 16 }; /* the maximum numbers */

static inline struct gws__opencl_device *gws__opencl_of(struct gws_device *device)
{
    return (struct gws__opencl_device *)device;
}

static inline struct gws__opencl_stream *gws__opencl_stream_of(struct gws_stream *stream)
{
    return (struct gws__opencl_stream *)stream;
}

/* Fills *where with "SUBJECT: CALL: CL_NAME" for an error of an OpenCL call. Returns the status for this error. */
gws_status gws__opencl_fail(struct gws_diagnostic *where, const char *subject, const char *call, cl_int error);

/* Acts like gws__opencl_fail(), and marks the device as lost unless memory was short or an argument was invalid. */
gws_status gws__opencl_lose(struct gws_device *device, struct gws_diagnostic *where, const char *call, cl_int error);

/* Finds all devices of all platforms. Fills id (gws__opencl_devices entries) and returns the number of devices. */
uint32_t gws__opencl_find(struct gws_runtime *runtime, cl_device_id *id);

void gws__opencl_describe(cl_device_id id, uint32_t index, struct gws_device_info *info);

gws_status gws__opencl_buffer_new(struct gws_device_buffer *base, struct gws_diagnostic *where);
gws_status gws__opencl_shared_new(struct gws_device_buffer *base, struct gws_diagnostic *where);
gws_status gws__opencl_pinned_new(struct gws_device_buffer *base, struct gws_diagnostic *where);
void gws__opencl_buffer_free(struct gws_device_buffer *base);
gws_status gws__opencl_transfer(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset,
                                const void *from, void *to, uint64_t bytes, struct gws_diagnostic *where);
gws_status gws__opencl_fill(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                            uint64_t count, struct gws_diagnostic *where);
gws_status gws__opencl_copy(struct gws_stream *base, struct gws_device_buffer *to, uint64_t to_offset,
                            struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                            struct gws_diagnostic *where);
gws_status gws__opencl_program_build(struct gws_device_program *base, const struct gws_device_source *source,
                                     struct gws_diagnostic *where);
void gws__opencl_program_free(struct gws_device_program *base);
gws_status gws__opencl_resident(struct gws_device *base, const struct gws_device_launch *launch, uint64_t local_bytes,
                                uint64_t *groups, struct gws_diagnostic *where);
gws_status gws__opencl_run(struct gws_stream *base, const struct gws_device_launch *launch,
                           struct gws_diagnostic *where);

/* The largest part that a transfer maps. The driver of a GPU allocates as much pinned memory for the mapping. */
enum { gws__opencl_mapped_bytes = 64 << 20 };

/* Records the result of a call that submits a command to the stream. The command's event becomes the stream's last
 * event. Messages name the call. */
gws_status gws__opencl_submitted(struct gws_stream *base, const char *call, cl_int error, cl_event event,
                                 struct gws_diagnostic *where);

#endif

/* SPDX-License-Identifier: MIT */
/* OpenCL 2.0 and later through the loader for installable drivers; what is before 2.0 has no atomics of C11, and is
 * listed only. One context for a device, and a queue for a stream, which runs commands in order, so that waiting for
 * the last one is waiting for all. The driver's functions may be called by several threads at once, but for those that
 * set a kernel's arguments. */
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
    pthread_mutex_t lock; /* for what follows: other threads poll a stream before they free memory */
    cl_event last;        /* of the last command; NULL: none since it was seen to be done */
    bool flushed;         /* it was sent off */
};

struct gws__opencl_buffer {
    struct gws_device_buffer base;
    cl_mem memory; /* mapped for ever where it is pinned; NULL: fine-grained virtual memory, for both at .host */
};

/* All its kernels are made when it is built, so that a launch only looks for one. */
struct gws__opencl_program {
    struct gws_device_program base;
    cl_program program;
    pthread_mutex_t lock; /* for its kernels' arguments */
    cl_kernel *kernel;    /* kernels entries; NULL until they are made */
    cl_uint kernels;
};

enum { gws__opencl_devices = 64, gws__opencl_platforms = 16 }; /* looked at, at most */

static inline struct gws__opencl_device *gws__opencl_of(struct gws_device *device)
{
    return (struct gws__opencl_device *)device;
}

static inline struct gws__opencl_stream *gws__opencl_stream_of(struct gws_stream *stream)
{
    return (struct gws__opencl_stream *)stream;
}

/* Fills *where with "SUBJECT: CALL: CL_NAME" for what an OpenCL call answered, and answers the status for it. */
gws_status gws__opencl_fail(struct gws_where *where, const char *subject, const char *call, cl_int error);

/* The same, where the device cannot be trusted after it, unless memory was short: it is lost. */
gws_status gws__opencl_lose(struct gws_device *device, struct gws_where *where, const char *call, cl_int error);

/* Every device of every platform into id (gws__opencl_devices entries); how many there are. */
uint32_t gws__opencl_find(struct gws_runtime *runtime, cl_device_id *id);

void gws__opencl_describe(cl_device_id id, uint32_t index, struct gws_device_info *info);

gws_status gws__opencl_buffer_new(struct gws_device_buffer *base, struct gws_where *where);
gws_status gws__opencl_shared_new(struct gws_device_buffer *base, struct gws_where *where);
gws_status gws__opencl_pinned_new(struct gws_device_buffer *base, struct gws_where *where);
void gws__opencl_buffer_free(struct gws_device_buffer *base);
gws_status gws__opencl_transfer(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t offset,
                                const void *from, void *to, uint64_t bytes, struct gws_where *where);
gws_status gws__opencl_fill(struct gws_stream *base, struct gws_device_buffer *buffer, uint64_t first, uint32_t word,
                            uint64_t count, struct gws_where *where);
gws_status gws__opencl_copy(struct gws_stream *base, struct gws_device_buffer *to, uint64_t to_offset,
                            struct gws_device_buffer *from, uint64_t from_offset, uint64_t bytes,
                            struct gws_where *where);
gws_status gws__opencl_program_build(struct gws_device_program *base, const struct gws_device_source *source,
                                     struct gws_where *where);
void gws__opencl_program_free(struct gws_device_program *base);
gws_status gws__opencl_resident(struct gws_device *base, const struct gws_device_launch *launch, uint64_t local_bytes,
                                uint64_t *groups, struct gws_where *where);
gws_status gws__opencl_run(struct gws_stream *base, const struct gws_device_launch *launch, struct gws_where *where);

/* The most bytes that a transfer maps at once: the driver of a GPU finds as much pinned memory for it. */
enum { gws__opencl_mapped_bytes = 64 << 20 };

/* Takes what giving a command to the stream answered, and its event as the last one's; call is for messages. */
gws_status gws__opencl_given(struct gws_stream *base, const char *call, cl_int error, cl_event event,
                             struct gws_where *where);

#endif

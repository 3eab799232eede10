/* SPDX-License-Identifier: MIT */
/* OpenCL 2.0 and later through the loader for installable drivers; what is before 2.0 has no atomics of C11, and is
 * listed only. One context and one queue for a device; the queue runs commands in order, so that waiting for the last
 * one is waiting for all. */
#ifndef GWS_DEVICE_OPENCL_H
#define GWS_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "../kind.h"
#include "../stage.h"

struct gws__opencl_device {
    struct gws_device base;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_event last;                   /* of the last kernel or fill; NULL: none since the last wait */
    struct gws__opencl_stage *stage; /* for large copies; NULL: they map what they copy */
    bool stages;                     /* one is to be made when it is first of use */
};

struct gws__opencl_buffer {
    struct gws_device_buffer base;
    cl_mem memory; /* NULL where it is shared */
    void *shared;  /* fine-grained virtual memory, at the same address for both; NULL where it is not shared */
};

enum { gws__opencl_devices = 64, gws__opencl_platforms = 16 }; /* looked at, at most */

static inline struct gws__opencl_device *gws__opencl_of(struct gws_device *device)
{
    return (struct gws__opencl_device *)device;
}

/* Fills *where with "SUBJECT: CALL: CL_NAME" for what an OpenCL call answered, and answers the status for it. */
gws_status gws__opencl_fail(struct gws_where *where, const char *subject, const char *call, cl_int error);

/* The same, where the device cannot be trusted after it, unless memory was short: it is lost. */
gws_status gws__opencl_lose(struct gws__opencl_device *device, struct gws_where *where, const char *call, cl_int error);

/* Every device of every platform into id (gws__opencl_devices entries); how many there are. */
uint32_t gws__opencl_find(struct gws_runtime *runtime, cl_device_id *id);

void gws__opencl_describe(cl_device_id id, uint32_t index, struct gws_device_info *info);

gws_status gws__opencl_buffer_new(struct gws_device *base, uint64_t bytes, struct gws_device_buffer **made,
                                  struct gws_where *where);
gws_status gws__opencl_shared_new(struct gws_device *base, uint64_t bytes, struct gws_device_buffer **made, void **host,
                                  struct gws_where *where);
void gws__opencl_buffer_free(struct gws_device_buffer *buffer);
gws_status gws__opencl_write(struct gws_device_buffer *buffer, uint64_t offset, const void *from, uint64_t bytes,
                             struct gws_where *where);
gws_status gws__opencl_read(struct gws_device_buffer *buffer, uint64_t offset, void *to, uint64_t bytes,
                            struct gws_where *where);
gws_status gws__opencl_fill(struct gws_device_buffer *buffer, uint64_t first, uint32_t word, uint64_t count,
                            struct gws_where *where);
gws_status gws__opencl_program_build(struct gws_device *base, const struct gws_device_source *source,
                                     struct gws_device_program **built, struct gws_where *where);
void gws__opencl_program_free(struct gws_device_program *base);
gws_status gws__opencl_resident(struct gws_device *base, const struct gws_device_launch *launch, uint64_t local_bytes,
                                uint64_t *groups, struct gws_where *where);
gws_status gws__opencl_run(struct gws_device *base, const struct gws_device_launch *launch, struct gws_where *where);
gws_status gws__opencl_wait(struct gws_device *base, struct gws_where *where);
gws_status gws__opencl_poll(struct gws_device *base, bool *done, struct gws_where *where);

/* Into *done: has the command ended, well? Only looks at the device: whoever calls says that it is lost after an error.
 */
gws_status gws__opencl_look(const struct gws__opencl_device *device, cl_event event, bool *done,
                            struct gws_where *where);

/* Copies between a buffer, from offset on, and the host's memory: from `from`, or to `to`, by all workers and a stage,
 * after all commands so far. False, with nothing done, where that is not worth it or there is no stage. */
bool gws__opencl_stage_copy(struct gws__opencl_device *device, cl_mem memory, uint64_t offset, const void *from,
                            void *to, uint64_t bytes, gws_status *status, struct gws_where *where);

/* Frees the stage, if there is one; nothing runs on the device, or it is lost. */
void gws__opencl_stage_free(struct gws__opencl_device *device);

/* Takes the event of a command that was just given as the last one. */
void gws__opencl_note(struct gws__opencl_device *device, cl_event event);

#endif

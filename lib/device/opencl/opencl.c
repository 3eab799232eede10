/* SPDX-License-Identifier: MIT */
/* The kind `opencl`, with its devices, the driver's errors, and streams. A stream is a queue and the event of its last
 * command. */
#include <string.h>

#include "opencl.h"

/* ---- errors ---- */

#define ERROR_LIST(X)                                                                                                  \
    X(DEVICE_NOT_FOUND)                                                                                                \
    X(DEVICE_NOT_AVAILABLE)                                                                                            \
    X(COMPILER_NOT_AVAILABLE)                                                                                          \
    X(MEM_OBJECT_ALLOCATION_FAILURE)                                                                                   \
    X(OUT_OF_RESOURCES)                                                                                                \
    X(OUT_OF_HOST_MEMORY)                                                                                              \
    X(MAP_FAILURE)                                                                                                     \
    X(BUILD_PROGRAM_FAILURE)                                                                                           \
    X(EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                                                       \
    X(INVALID_VALUE)                                                                                                   \
    X(INVALID_DEVICE)                                                                                                  \
    X(INVALID_CONTEXT)                                                                                                 \
    X(INVALID_COMMAND_QUEUE)                                                                                           \
    X(INVALID_MEM_OBJECT)                                                                                              \
    X(INVALID_BINARY)                                                                                                  \
    X(INVALID_BUILD_OPTIONS)                                                                                           \
    X(INVALID_PROGRAM)                                                                                                 \
    X(INVALID_PROGRAM_EXECUTABLE)                                                                                      \
    X(INVALID_KERNEL)                                                                                                  \
    X(INVALID_ARG_INDEX)                                                                                               \
    X(INVALID_ARG_VALUE)                                                                                               \
    X(INVALID_ARG_SIZE)                                                                                                \
    X(INVALID_KERNEL_ARGS)                                                                                             \
    X(INVALID_WORK_GROUP_SIZE)                                                                                         \
    X(INVALID_GLOBAL_WORK_SIZE)                                                                                        \
    X(INVALID_BUFFER_SIZE)

static const char *name_of(cl_int error)
{
    switch (error) {
#define ERROR_NAME(name)                                                                                               \
    case CL_##name:                                                                                                    \
        return "CL_" #name;
        ERROR_LIST(ERROR_NAME)
#undef ERROR_NAME
    default:
        return "OpenCL error";
    }
}

static gws_status status_of(cl_int error)
{
    switch (error) {
    case CL_OUT_OF_HOST_MEMORY:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        return GWS_NO_MEMORY;
    case CL_INVALID_ARG_INDEX:
    case CL_INVALID_ARG_VALUE:
    case CL_INVALID_ARG_SIZE:
    case CL_INVALID_KERNEL_ARGS:
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_BUILD_OPTIONS:
        return GWS_INVALID;
    default:
        return GWS_DEVICE;
    }
}

gws_status gws__opencl_fail(struct gws_diagnostic *where, const char *subject, const char *call, cl_int error)
{
    return gws_diagnostic_set(where, status_of(error), NULL, 0, 0, "%s: %s: %s (%d)", subject, call, name_of(error),
                              error);
}

gws_status gws__opencl_lose(struct gws_device *device, struct gws_diagnostic *where, const char *call, cl_int error)
{
    gws_status status = gws__opencl_fail(where, device->info.address, call, error);
    if (status == GWS_DEVICE) device->lost = true;
    return status;
}

/* ---- streams ---- */

static gws_status stream_open(struct gws_stream *base, struct gws_diagnostic *where)
{
    const struct gws__opencl_device *device = gws__opencl_of(base->device);
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    cl_int error;
    stream->queue = clCreateCommandQueueWithProperties(device->context, device->id, NULL, &error);
    if (error != CL_SUCCESS)
        return gws__opencl_fail(where, base->device->info.address, "clCreateCommandQueueWithProperties", error);
    (void)pthread_mutex_init(&stream->lock, NULL); /* never fails */
    base->native = stream->queue;
    return GWS_OK;
}

/* Closes a stream. A lost device keeps its queues, because releasing a queue may wait for a kernel that never ends. */
static void stream_close(struct gws_stream *base)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    if (!base->device->lost) (void)clReleaseCommandQueue(stream->queue);
    (void)pthread_mutex_destroy(&stream->lock);
}

gws_status gws__opencl_submitted(struct gws_stream *base, const char *call, cl_int error, cl_event event,
                                 struct gws_diagnostic *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    if (error != CL_SUCCESS) return gws__opencl_lose(base->device, where, call, error);
    (void)pthread_mutex_lock(&stream->lock);
    if (stream->last) (void)clReleaseEvent(stream->last);
    stream->last = event;
    stream->flushed = false;
    (void)pthread_mutex_unlock(&stream->lock);
    return GWS_OK;
}

/* Reports an error. Commands may still run after any error here, so the caller marks the device as lost. */
static gws_status fail(const struct gws_device *device, struct gws_diagnostic *where, const char *call, cl_int error)
{
    (void)gws__opencl_fail(where, device->info.address, call, error);
    return GWS_DEVICE;
}

/* Frees the event of a complete command. The query does not order memory, but clWaitForEvents() does. That call returns
 * at once, because the command is complete. */
static gws_status event_poll(struct gws_device *device, void *event, bool *done, struct gws_diagnostic *where)
{
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

static gws_status event_new(struct gws_stream *base, void **event, struct gws_diagnostic *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    (void)pthread_mutex_lock(&stream->lock);
    cl_int error = stream->last ? clRetainEvent(stream->last) : CL_SUCCESS;
    *event = stream->last;
    (void)pthread_mutex_unlock(&stream->lock);
    if (error == CL_SUCCESS && *event) error = clFlush(stream->queue);
    return error == CL_SUCCESS ? GWS_OK : fail(base->device, where, "clRetainEvent", error);
}

/* Polls the stream's last command, which must exist. The caller holds the lock. */
static gws_status poll_last(struct gws__opencl_stream *stream, bool *done, struct gws_diagnostic *where)
{
    struct gws_device *device = stream->base.device;
    cl_int error = stream->flushed ? CL_SUCCESS : clFlush(stream->queue);
    stream->flushed = true;
    if (error != CL_SUCCESS) return fail(device, where, "clFlush", error);
    gws_status status = event_poll(device, stream->last, done, where);
    if (status == GWS_OK && *done) stream->last = NULL;
    return status;
}

static gws_status poll(struct gws_stream *base, bool *done, struct gws_diagnostic *where)
{
    struct gws__opencl_stream *stream = gws__opencl_stream_of(base);
    (void)pthread_mutex_lock(&stream->lock);
    *done = !stream->last;
    gws_status status = *done ? GWS_OK : poll_last(stream, done, where);
    (void)pthread_mutex_unlock(&stream->lock);
    if (status != GWS_OK) base->device->lost = true; /* the library never uses the device's objects again */
    return status;
}

/* Flushes the queue of `other`. Without the flush, the queue of `stream` could wait for ever. */
static gws_status after(struct gws_stream *base, struct gws_stream *other, struct gws_diagnostic *where)
{
    void *before;
    cl_event barrier = NULL;
    gws_status status = event_new(other, &before, where);
    if (status != GWS_OK || !before) return status;
    cl_event event = before;
    cl_int error = clEnqueueBarrierWithWaitList(gws__opencl_stream_of(base)->queue, 1, &event, &barrier);
    (void)clReleaseEvent(event);
    return gws__opencl_submitted(base, "clEnqueueBarrierWithWaitList", error, barrier, where);
}

/* ---- devices ---- */

static uint32_t list(struct gws_runtime *runtime, struct gws_device_info *info, uint32_t capacity)
{
    cl_device_id id[gws__opencl_devices];
    uint32_t found = gws__opencl_find(runtime, id);
    for (uint32_t i = 0; i < found && i < capacity; i++) gws__opencl_describe(id[i], i, &info[i]);
    return found;
}

/* Returns whether the driver is PoCL, which caches compiled programs itself, for the group size of a launch. To export
 * a binary PoCL compiles the program again, for groups of any size. This takes several times as long. */
static bool caches_programs(const struct gws_device_info *info)
{
    return strncmp(info->driver, "Portable Computing Language", strlen("Portable Computing Language")) == 0;
}

static gws_status open_device(struct gws_device *base, uint32_t index, struct gws_diagnostic *where)
{
    struct gws__opencl_device *device = gws__opencl_of(base);
    cl_device_id id[gws__opencl_devices];
    cl_int error;
    if (index >= gws__opencl_find(base->runtime, id))
        return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "%s: the device is gone", base->info.address);
    device->id = id[index];
    base->caches_programs = caches_programs(&base->info);
    base->wants_staging = base->info.type == GWS_DEVICE_GPU && !base->info.unified;
    base->native = device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    return error == CL_SUCCESS ? GWS_OK : gws__opencl_fail(where, base->info.address, "clCreateContext", error);
}

/* Closes a device. A lost device keeps its driver's objects, because releasing them may wait for a kernel that never
 * ends. */
static void close_device(struct gws_device *base)
{
    cl_context context = gws__opencl_of(base)->context;
    if (!base->lost && context) (void)clReleaseContext(context);
}

static gws_status memory_left(struct gws_device *base, uint64_t *bytes, struct gws_diagnostic *where)
{
    (void)where;
    *bytes = base->info.memory;
    return GWS_OK;
}

/* Returns no sharing, because each device has its own context. */
static struct gws_device_sharing sharing(const struct gws_device *device, const struct gws_device *other)
{
    (void)device;
    (void)other;
    return (struct gws_device_sharing){.memory = false};
}

static struct gws_device_peer peer(uint32_t number, uint32_t other)
{
    (void)number;
    (void)other;
    return (struct gws_device_peer){.access = false};
}

static gws_status reach(struct gws_device *device, uint32_t other, struct gws_diagnostic *where)
{
    (void)device;
    (void)other;
    return gws_diagnostic_status(where, GWS_UNSUPPORTED); /* no caller: there are no peers */
}

static const struct gws_device_calls calls = {
    .device_bytes = sizeof(struct gws__opencl_device),
    .stream_bytes = sizeof(struct gws__opencl_stream),
    .buffer_bytes = sizeof(struct gws__opencl_buffer),
    .program_bytes = sizeof(struct gws__opencl_program),
    .part_bytes = gws__opencl_mapped_bytes,
    .open = open_device,
    .close = close_device,
    .sharing = sharing,
    .peer = peer,
    .reach = reach,
    .memory_left = memory_left,
    .buffer_new = gws__opencl_buffer_new,
    .shared_new = gws__opencl_shared_new,
    .pinned_new = gws__opencl_pinned_new,
    .buffer_free = gws__opencl_buffer_free,
    .buffer_name = gws__device_no_name,
    .buffer_map = gws__device_no_map,
    .stream_open = stream_open,
    .stream_close = stream_close,
    .after = after,
    .transfer = gws__opencl_transfer,
    .fill = gws__opencl_fill,
    .copy = gws__opencl_copy,
    .event_new = event_new,
    .event_poll = event_poll,
    .program_build = gws__opencl_program_build,
    .program_free = gws__opencl_program_free,
    .resident = gws__opencl_resident,
    .run = gws__opencl_run,
    .poll = poll,
};

static const char *off(void)
{
    return NULL;
}

const struct gws_device_kind gws__device_opencl = {
    .name = "opencl",
    .about = "work-groups of an OpenCL device",
    .off = off,
    .list = list,
    .call = &calls,
};

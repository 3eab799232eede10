/* SPDX-License-Identifier: MIT */
/* Waiting for the queue. OpenCL's own waits have no limit, so the last command's state is looked at again and again: at
 * once while it is likely to be short, then with pauses, for on a CPU device we would be in the way of what we wait
 * for. */
#define _POSIX_C_SOURCE 200809L
#include <sched.h>
#include <time.h>

#include "opencl.h"

enum {
    eager_looks = 512,      /* each lets others have the core first; on an idle one together about 100 us */
    eager_looks_gpu = 4096, /* a GPU works beside us, and its kernels are short: a pause would be longer than they */
    short_pause_ns = 20000,
    long_pause_ns = 500000,
    short_pauses = 192
};

static void pause_after(const struct gws_device *device, uint32_t looks)
{
    uint32_t eager = device->info.type == GWS_DEVICE_CPU ? eager_looks : eager_looks_gpu;
    struct timespec time = {.tv_nsec = looks < eager + short_pauses ? short_pause_ns : long_pause_ns};
    if (looks < eager)
        (void)sched_yield();
    else
        (void)nanosleep(&time, NULL);
}

void gws__opencl_note(struct gws__opencl_device *device, cl_event event)
{
    if (device->last) (void)clReleaseEvent(device->last);
    device->last = event;
}

/* Whatever the error is, commands may run still: whoever gets this has lost the device. */
static gws_status fail(const struct gws__opencl_device *device, struct gws_where *where, const char *call, cl_int error)
{
    (void)gws__opencl_fail(where, device->base.info.address, call, error);
    return GWS_DEVICE;
}

/* Looking does not order memory, clWaitForEvents() does; it returns at once here. */
gws_status gws__opencl_look(const struct gws__opencl_device *device, cl_event event, bool *done,
                            struct gws_where *where)
{
    cl_int state = CL_QUEUED;
    cl_int error = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (error != CL_SUCCESS) return fail(device, where, "clGetEventInfo", error);
    if (state < 0) return fail(device, where, "a command", state);
    *done = state == CL_COMPLETE;
    error = *done ? clWaitForEvents(1, &event) : CL_SUCCESS;
    return error == CL_SUCCESS ? GWS_OK : fail(device, where, "clWaitForEvents", error);
}

static gws_status await(const struct gws__opencl_device *device, cl_event event, struct gws_where *where)
{
    const struct gws_device *base = &device->base;
    double begin = gws_clock_ms();
    bool done = false;
    for (uint32_t looks = 0;; looks++) {
        gws_status status = gws__opencl_look(device, event, &done, where);
        if (status != GWS_OK || done) return status;
        if (gws_clock_ms() - begin > base->limit_ms)
            return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: no answer after %.0f ms", base->info.address,
                                 base->limit_ms);
        pause_after(base, looks);
    }
}

/* Sends off what was given so far. */
static gws_status flush(const struct gws__opencl_device *device, struct gws_where *where)
{
    cl_int error = clFlush(device->queue);
    return error == CL_SUCCESS ? GWS_OK : fail(device, where, "clFlush", error);
}

/* The last command is done, or will never be known to be. */
static gws_status end(struct gws__opencl_device *device, gws_status status)
{
    if (status == GWS_OK)
        gws__opencl_note(device, NULL);
    else
        device->base.lost = true; /* nothing it holds is touched again */
    return status;
}

gws_status gws__opencl_wait(struct gws_device *base, struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(base);
    if (!device->last) return GWS_OK;
    gws_status status = flush(device, where);
    if (status == GWS_OK) status = await(device, device->last, where);
    return end(device, status);
}

gws_status gws__opencl_poll(struct gws_device *base, bool *done, struct gws_where *where)
{
    struct gws__opencl_device *device = gws__opencl_of(base);
    *done = !device->last;
    if (*done) return GWS_OK;
    gws_status status = flush(device, where);
    if (status == GWS_OK) status = gws__opencl_look(device, device->last, done, where);
    return status == GWS_OK && !*done ? GWS_OK : end(device, status);
}

/* SPDX-License-Identifier: MIT */
/* Waiting for the stream. CUDA's own waits have no limit, so the stream is asked again and again: without pauses while
 * a search may be what we wait for, then with some. */
#define _POSIX_C_SOURCE 200809L
#include <sched.h>
#include <time.h>

#include "cuda_kind.h"

enum { eager_ms = 20, pause_ns = 100000 };

void gws__cuda_pause(double waited_ms)
{
    struct timespec time = {.tv_nsec = pause_ns};
    if (waited_ms < eager_ms)
        (void)sched_yield();
    else
        (void)nanosleep(&time, NULL);
}

gws_status gws__cuda_poll(struct gws_device *base, bool *done, struct gws_where *where)
{
    struct gws__cuda_device *device = gws__cuda_of(base);
    const char *call = "cudaSetDevice";
    cudaError_t error = cudaSetDevice(device->index);
    if (error == cudaSuccess) {
        call = "a command";
        error = cudaStreamQuery(device->stream);
    }
    if (error == cudaSuccess || error == cudaErrorNotReady) {
        *done = error == cudaSuccess;
        return GWS_OK;
    }
    /* Whatever it is, what was asked of us cannot be wrong, and commands may run still. */
    base->lost = true;
    (void)gws__cuda_fail(where, base->info.address, call, error);
    return GWS_DEVICE;
}

gws_status gws__cuda_wait(struct gws_device *base, struct gws_where *where)
{
    double begin = gws_clock_ms(), waited = 0;
    bool done = false;
    for (;;) {
        gws_status status = gws__cuda_poll(base, &done, where);
        if (status != GWS_OK || done) return status;
        waited = gws_clock_ms() - begin;
        if (waited > base->limit_ms) break;
        gws__cuda_pause(waited);
    }
    base->lost = true;
    return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "%s: no answer after %.0f ms", base->info.address,
                         base->limit_ms);
}

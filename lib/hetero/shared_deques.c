/* SPDX-License-Identifier: MIT */
/* Immediate tasks on deques that CPU workers and work-groups share (tasks.h; Abdelmageed's thesis, chapter 3). This is
 * the CPU's half of the run. The workers are iterations of a loop of the runtime. If the device fails, the device's
 * tasks are lost. The other workers would search for ever, so workers without tasks poll the device, one at a time. */
#include "../parallel.h"
#include "tasks.h"

static void run_worker(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__shared_deques *deques = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) deques->work(deques, deques->first + (uint32_t)i);
}

bool gws__shared_deques_stalled(struct gws__shared_deques *deques)
{
    bool over;
    /* acquire: pairs with the release below. A poller thus sees the previous poller's writes. */
    if (atomic_flag_test_and_set_explicit(&deques->polled, memory_order_acquire)) return false;
    uint64_t progress = deques->progress(deques);
    double now = gws_clock_ms();
    if (deques->until_ms == 0 || progress != deques->seen) deques->until_ms = now + gws_device_limit_ms(deques->device);
    deques->seen = progress;
    if (deques->status == GWS_OK) deques->status = gws_device_poll(deques->device, &over, deques->where);
    bool lost = deques->status != GWS_OK || now >= deques->until_ms;
    atomic_flag_clear_explicit(&deques->polled, memory_order_release);
    return lost;
}

gws_status gws__shared_deques_run(struct gws__shared_deques *deques, struct gws_diagnostic *where)
{
    struct gws_loop loop = {
        .count = deques->threads, .chunk = 1, .grain = 1, .body = run_worker, .context = deques, .uncounted = true};
    deques->where = where;
    deques->status = GWS_OK;
    deques->until_ms = 0;
    atomic_flag_clear_explicit(&deques->polled, memory_order_relaxed); /* the loop's start publishes it */
    gws_parallel_run(deques->runtime, &loop);
    gws_status status = gws_device_wait(deques->device, deques->status == GWS_OK ? where : NULL);
    return deques->status == GWS_OK ? status : deques->status;
}

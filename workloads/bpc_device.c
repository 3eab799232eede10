/* SPDX-License-Identifier: MIT */
/* Bouncing producer-consumer on a device (kernels/task/bpc.cl). */
#include "bpc.h"

#include "../kernels/task/bpc_words.h"
#include "../lib/parallel.h"
#include "load.h"

struct gws_bpc_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_tasks *tasks;
    double ticks_per_us; /* of the device's clock */
};

static gws_status run_with(struct gws_bpc_device *bpc, const uint32_t *parameter, struct gws_device_tasks_result *found,
                           struct gws_diagnostic *where)
{
    const uint32_t consumers = parameter[BPC_CONSUMERS], depth = parameter[BPC_DEPTH];
    const uint32_t root[BPC_LENGTH + 1] = {BPC_PRODUCER, depth, 0, depth > 0 ? consumers + 1 : 0};
    struct gws_device_task_roots roots = {.task = root, .count = depth > 0};
    uint64_t bytes = BPC_PARAMETERS * sizeof *parameter;
    gws_status status = gws_device_buffer_new(bpc->device, bytes, &roots.data, where);
    if (status == GWS_OK) status = gws_device_write(roots.data, 0, parameter, bytes, where);
    if (status == GWS_OK) status = gws_device_tasks_run(bpc->tasks, &roots, found, where);
    gws_device_buffer_free(roots.data);
    return status;
}

/* Measures the clock of a CPU device, which counts cycles, by one consumer. Other devices count nanoseconds. */
static gws_status measure_clock(struct gws_bpc_device *bpc, struct gws_diagnostic *where)
{
    const uint32_t ticks = 1 << 26, none[BPC_PARAMETERS] = {1, 1, 0, 0}, parameter[BPC_PARAMETERS] = {1, 1, ticks, 0};
    struct gws_device_tasks_result found = {.ms = 0};
    bpc->ticks_per_us = 1e3;
    if (gws_device_describe(bpc->device)->warp == 32) return GWS_OK;
    gws_status status = run_with(bpc, none, &found, where); /* the first launch may compile the kernel */
    if (status == GWS_OK) status = run_with(bpc, parameter, &found, where);
    if (status == GWS_OK && found.ms < 1)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "the device has no clock");
    bpc->ticks_per_us = ticks / (found.ms * 1e3);
    return status;
}

static gws_status bpc_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                  const struct gws_device_tasks_options *options, struct gws_bpc_device **bpc,
                                  struct gws_diagnostic *where)
{
    struct gws_device_source source;
    struct gws_device_tasks_options all = *options;
    struct gws_bpc_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_bpc_device){.runtime = runtime, .device = device};
    (void)gws_device_tasks_program("bpc", &source);
    all.length = BPC_LENGTH;
    gws_status status = gws_device_tasks_open(runtime, device, &source, &all, &made->tasks, where);
    if (status == GWS_OK) status = measure_clock(made, where);
    if (status == GWS_OK)
        *bpc = made;
    else
        gws_bpc_device_close(made);
    return status;
}

gws_status gws_bpc_device_open(struct gws_runtime *runtime, struct gws_device *device,
                               const struct gws_device_tasks_options *options, struct gws_bpc_device **bpc,
                               struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, bpc_device_open(runtime, device, options, bpc, where));
}

void gws_bpc_device_close(struct gws_bpc_device *bpc)
{
    if (!bpc) return;
    gws_device_tasks_close(bpc->tasks);
    gws_release(bpc->runtime, bpc, 1, sizeof *bpc);
}

static gws_status bpc_device_run(struct gws_bpc_device *bpc, const struct gws_bpc_options *options,
                                 struct gws_bpc_result *result, struct gws_device_tasks_result *stats,
                                 struct gws_diagnostic *where)
{
    const uint64_t ticks = (uint64_t)(options->work_us * bpc->ticks_per_us);
    const uint32_t parameter[BPC_PARAMETERS] = {(uint32_t)options->consumers, (uint32_t)options->depth, (uint32_t)ticks,
                                                (uint32_t)(ticks >> 32)};
    struct gws_device_tasks_result found = {.ms = 0};
    if (!gws__load_is_valid_time(options->work_us)) return GWS_INVALID;
    if (options->consumers >= UINT32_MAX || options->depth > UINT32_MAX) return GWS_TOO_LARGE;
    gws_status status = run_with(bpc, parameter, &found, where);
    const struct gws_bpc_result made = {.tasks = 1 + found.sum[BPC_PRODUCED] + found.sum[BPC_CONSUMED],
                                        .producers = 1 + found.sum[BPC_PRODUCED],
                                        .consumers = found.sum[BPC_CONSUMED],
                                        .bounces = found.sum[BPC_BOUNCES],
                                        .work_ms = (double)found.sum[BPC_CONSUMED] * options->work_us / 1e3};
    if (status == GWS_OK) status = gws_bpc_check(options, &made, where);
    if (status == GWS_OK) *result = made;
    if (status == GWS_OK && stats) *stats = found;
    return status;
}

gws_status gws_bpc_device_run(struct gws_bpc_device *bpc, const struct gws_bpc_options *options,
                              struct gws_bpc_result *result, struct gws_device_tasks_result *stats,
                              struct gws_diagnostic *where)
{
    return GWS_CALL(bpc->runtime, where, bpc_device_run(bpc, options, result, stats, where));
}

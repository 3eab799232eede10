/* SPDX-License-Identifier: MIT */
/* Bouncing producer-consumer on devices (kernels/task/bpc.cl), and on the CPU's workers beside them. */
#include "bpc.h"

#include "../kernels/task/bpc_words.h"
#include "../kernels/task/task_words.h"
#include "load.h"
#include "sides.h"

enum {
    task_words = (BPC_LENGTH + TASK_RANGE + 1) / 2 * 2,
    max_workers = 1 << 20 /* of a rank, on all sides */
};

struct gws_bpc_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_tasks *tasks;
    double ticks_per_us; /* of the device's clock */
};

struct bpc_sides {
    struct gws__sides sides;
    struct gws_bpc_device *const *bpc;
    const struct gws_bpc_options *options;
    struct gws__load_tally *tally; /* of the workers, if they are a side */
    uint32_t first;                /* number of this rank's worker 0 among all workers */
};

/* ---- the workers ---- */

/* A task on the CPU has the words of the device, and the range of the children that have not been created. */
static void create_producer(const struct bpc_sides *run, struct gws_task_worker *self, uint32_t worker,
                            const uint32_t *parent)
{
    const uint32_t children = (uint32_t)run->options->consumers + 1, to_come = parent[BPC_TO_COME] - 1;
    const uint32_t child[task_words] = {BPC_PRODUCER, to_come, run->first + worker, children};
    bool is_root = parent[BPC_TO_COME] == run->options->depth;
    run->tally[worker].makers++;
    run->tally[worker].migrated += !is_root && parent[BPC_WORKER] != run->first + worker;
    if (to_come > 0) gws_spawn(self, child);
}

static void run_tasks(void *context, struct gws_task_worker *self, uint32_t worker, const void *task, uint32_t count)
{
    const struct bpc_sides *run = context;
    const uint32_t consumers = (uint32_t)run->options->consumers;
    static const uint32_t consumer[task_words] = {BPC_CONSUMER, 0, 0, 1};
    const uint32_t *parent = task;
    for (; count > 0; count--, parent += task_words) {
        if (parent[BPC_KIND] == BPC_CONSUMER) {
            gws__load_spin(run->options->work_us);
            run->tally[worker].workers++;
            continue;
        }
        const uint32_t first = parent[BPC_LENGTH + TASK_RANGE_FIRST], end = parent[BPC_LENGTH + TASK_RANGE_END];
        if (end > consumers) create_producer(run, self, worker, parent); /* the oldest child goes to thieves */
        for (uint32_t i = first; i < end && i < consumers; i++) gws_spawn(self, consumer);
    }
}

/* ---- the devices ---- */

/* Makes the parameters on each device. */
static gws_status upload(struct bpc_sides *run, uint64_t ticks, struct gws_diagnostic *where)
{
    struct gws__sides *sides = &run->sides;
    uint32_t first = run->first + gws_runtime_workers(sides->runtime);
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < sides->devices && status == GWS_OK; i++) {
        struct gws_bpc_device *bpc = run->bpc[i];
        struct gws_device_task_side *side = &sides->side[i];
        uint64_t of_device = ticks ? ticks : (uint64_t)(run->options->work_us * bpc->ticks_per_us);
        const uint32_t word[BPC_PARAMETERS] = {(uint32_t)run->options->consumers, (uint32_t)run->options->depth,
                                               (uint32_t)of_device, (uint32_t)(of_device >> 32), first};
        side->tasks = bpc->tasks;
        status = gws_device_buffer_new(bpc->device, sizeof word, &side->data, where);
        if (status == GWS_OK) status = gws_device_write(side->data, 0, word, sizeof word, where);
        first += gws_device_tasks_workers(bpc->tasks);
    }
    return status;
}

/* Runs the benchmark. ticks: the time of a consumer on the only device, or 0: as in the options. */
static gws_status run_sides(struct bpc_sides *run, uint64_t ticks, struct gws_diagnostic *where)
{
    struct gws__sides *sides = &run->sides;
    const uint32_t consumers = (uint32_t)run->options->consumers, depth = (uint32_t)run->options->depth;
    const uint32_t root[BPC_LENGTH + 1] = {BPC_PRODUCER, depth, 0, depth > 0 ? consumers + 1 : 0};
    const struct gws_device_task_roots roots = {.task = root, .count = depth > 0};
    gws_status status = upload(run, ticks, where);
    if (sides->workers) sides->side[sides->devices] = (struct gws_device_task_side){.run = run_tasks, .context = run};
    status = gws__sides_run(sides, &roots, status, where);
    gws__sides_free_data(sides);
    return status;
}

/* Measures the clock of a CPU device, which counts cycles, by one consumer. Other devices count nanoseconds. */
static gws_status measure_clock(struct gws_bpc_device *bpc, struct gws_diagnostic *where)
{
    enum { ticks = 1 << 26 };
    const struct gws_bpc_options one = {.consumers = 1, .depth = 1};
    struct gws_device_task_side side = {.data = NULL};
    struct gws_device_task_side_result found = {.created = 0};
    struct bpc_sides alone = {
        .sides = {.runtime = bpc->runtime, .devices = 1, .side = &side, .found = &found}, .bpc = &bpc, .options = &one};
    bpc->ticks_per_us = 1e3;
    if (gws_device_describe(bpc->device)->warp == 32) return GWS_OK;
    gws_status status = run_sides(&alone, 1, where); /* the first launch may compile the kernel */
    if (status == GWS_OK) status = run_sides(&alone, ticks, where);
    if (status == GWS_OK && found.device.ms < 1)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "the device has no clock");
    bpc->ticks_per_us = ticks / (found.device.ms * 1e3);
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

static gws_status sum_up(const struct bpc_sides *run, struct gws_bpc_result *result, struct gws_diagnostic *where)
{
    const struct gws__sides *sides = &run->sides;
    struct gws__load_tally sum = {.makers = 0};
    if (sides->workers) sum = gws__load_sum(sides->runtime, run->tally);
    for (uint32_t i = 0; i < sides->devices; i++) {
        sum.makers += sides->found[i].device.sum[BPC_PRODUCED];
        sum.workers += sides->found[i].device.sum[BPC_CONSUMED];
        sum.migrated += sides->found[i].device.sum[BPC_BOUNCES];
    }
    uint64_t counts[] = {sum.makers, sum.workers, sum.migrated};
    gws_transport_sum(gws__sides_transport(sides), counts, 3);
    const struct gws_bpc_result made = {.tasks = 1 + counts[0] + counts[1],
                                        .producers = 1 + counts[0],
                                        .consumers = counts[1],
                                        .bounces = counts[2],
                                        .work_ms = (double)counts[1] * run->options->work_us / 1e3};
    gws_status status = gws_bpc_check(run->options, &made, where);
    if (status == GWS_OK) *result = made;
    return status;
}

static gws_status bpc_sides(struct bpc_sides *run, struct gws_bpc_result *result,
                            struct gws_device_task_side_result *found, struct gws_diagnostic *where)
{
    struct gws__sides *sides = &run->sides;
    if (!gws__load_is_valid_time(run->options->work_us)) return GWS_INVALID;
    if (run->options->consumers >= UINT32_MAX || run->options->depth > UINT32_MAX) return GWS_TOO_LARGE;
    if (sides->workers) run->tally = gws__load_tallies(sides->runtime);
    run->first = gws_transport_rank(gws__sides_transport(sides)) * max_workers;
    bool made = run->tally || !sides->workers;
    gws_status status = made ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
    status = gws__sides_agree(sides, status, where);
    if (status == GWS_OK) status = gws__sides_open(sides, where);
    if (status == GWS_OK) status = run_sides(run, 0, where);
    if (status == GWS_OK) status = sum_up(run, result, where);
    gws__load_release(sides->runtime, run->tally);
    return gws__sides_close(sides, status, found);
}

gws_status gws_bpc_sides(struct gws_runtime *runtime, struct gws_bpc_device *const *bpc, uint32_t count, bool workers,
                         const struct gws_bpc_options *options, struct gws_bpc_result *result,
                         struct gws_device_task_side_result *sides, struct gws_diagnostic *where)
{
    struct bpc_sides run = {
        .sides = {.runtime = runtime, .ranks = options->ranks, .devices = count, .workers = workers},
        .bpc = bpc,
        .options = options};
    return GWS_CALL(runtime, where, bpc_sides(&run, result, sides, where));
}

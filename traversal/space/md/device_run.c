/* SPDX-License-Identifier: MIT */
/* Molecular dynamics on a device: the launches of kernels/md/md_run.cl. */
#include <string.h>

#include "../../../kernels/engine/engine_words.h"
#include "../../../lib/parallel.h"
#include "device_state.h"

enum { values = 12, arguments = buffers + GWS_HOST_QUEUE_ARGUMENTS + values };
static const double launch_ms = 50;

/* ---- launches ---- */

gws_status gws__md_launch_prepare(struct gws_md_device *md, struct gws_diagnostic *where)
{
    static const uint32_t words[MD_CONTROL] = {
        [MD_BOUNDS] = UINT32_MAX, [MD_BOUNDS + 1] = UINT32_MAX, [MD_BOUNDS + 2] = UINT32_MAX};
    gws_status status = gws_device_write(md->buffer[control], 0, words, sizeof words, where);
    if (status == GWS_OK) status = gws_device_fill(md->buffer[sums], 0, 0, 2 * MD_SUMS * MD_MAX_STEPS, where);
    if (status == GWS_OK) status = gws_device_fill(md->buffer[cursors], 0, 0, 2 * md->kernel.groups, where);
    if (status == GWS_OK && md->queue) status = gws_host_queue_reset(md->queue, where);
    return status;
}

/* The tasks of a launch: for each step all tasks in order, and then the end of the step for each group. */
struct md_tasks {
    uint64_t tasks, groups, next, end;
};

static uint64_t next_tasks(void *context, uint32_t queue, uint64_t *task, uint64_t max)
{
    struct md_tasks *all = context;
    const uint64_t step = all->tasks + all->groups, count = all->end - all->next < max ? all->end - all->next : max;
    (void)queue;
    for (uint64_t i = 0; i < count; i++, all->next++)
        task[i] = all->next % step < all->tasks ? all->next % step : GWS_HOST_QUEUE_HALT;
    return count;
}

static gws_status start(struct gws_md_device *md, const struct gws_device_argument *argument,
                        struct gws_diagnostic *where)
{
    const struct gws_device_launch launch = {.program = md->kernel.program,
                                             .kernel = md->kernel.kernel,
                                             .groups = md->kernel.groups,
                                             .group_size = md->kernel.group_size,
                                             .resident = true,
                                             .argument = argument,
                                             .arguments = arguments};
    md->torn = true; /* until the last step has ended */
    md->stats.launches++;
    return gws_device_run(md->kernel.device, &launch, where);
}

void gws__md_launch_set(struct gws_md_device *md, uint32_t steps, bool begins)
{
    md->at.steps = steps, md->at.begins = begins;
    md->at.kick = begins ? 0 : 0.5F * (float)md->host->options.step;
}

gws_status gws__md_launch_begin(struct gws_md_device *md, struct gws_diagnostic *where)
{
    static const uint32_t schedules[] = {SCHEDULE_STEAL, SCHEDULE_CURSOR, SCHEDULE_STATIC, SCHEDULE_STEAL};
    static const void *const none = NULL;
    static const uint64_t no_capacity = 0;
    static const struct gws_device_argument no_queue[GWS_HOST_QUEUE_ARGUMENTS] = {
        {.value = &none, .bytes = sizeof none},
        {.value = &none, .bytes = sizeof none},
        {.value = &no_capacity, .bytes = 8}};
    const struct gws_md *host = md->host;
    const float step = (float)host->options.step;
    const uint32_t atoms = (uint32_t)host->atoms, reorders = host->options.order != GWS_MD_RANDOM;
    const uint32_t pattern = (uint32_t)host->options.pattern;
    struct gws_device_argument argument[arguments];
    for (uint32_t i = 0; i < buffers; i++) argument[i] = (struct gws_device_argument){.buffer = md->buffer[i]};
    const struct gws_device_argument value[values] = {{.value = &host->field, .bytes = sizeof host->field},
                                                      {.value = &step, .bytes = 4},
                                                      {.value = &md->at.kick, .bytes = 4},
                                                      {.value = &atoms, .bytes = 4},
                                                      {.value = &md->capacity, .bytes = 4},
                                                      {.value = &md->at.steps, .bytes = 4},
                                                      {.value = &md->at.begins, .bytes = 4},
                                                      {.value = &reorders, .bytes = 4},
                                                      {.value = &schedules[md->schedule], .bytes = 4},
                                                      {.value = &pattern, .bytes = 4},
                                                      {.value = &md->from, .bytes = 4},
                                                      {.value = &md->end, .bytes = 4}};
    memcpy(argument + buffers, no_queue, sizeof no_queue);
    if (md->queue) gws_host_queue_arguments(md->queue, argument + buffers);
    memcpy(argument + buffers + GWS_HOST_QUEUE_ARGUMENTS, value, sizeof value);
    return start(md, argument, where);
}

gws_status gws__md_launch_end(struct gws_md_device *md, struct gws_diagnostic *where)
{
    gws_status status = gws_device_wait(md->kernel.device, where);
    if (status == GWS_OK)
        status = gws_device_read(md->buffer[control], 0, md->at.control, sizeof md->at.control, where);
    if (status == GWS_OK)
        status = gws_device_read(md->buffer[sums], 0, md->at.sums, (uint64_t)8 * MD_SUMS * md->at.steps, where);
    return status;
}

/* A launch on one device. A cancelled call waits for the kernel's end, because a launch that ended early would leave
 * half of a step. */
static gws_status launch(struct gws_md_device *md, struct gws_diagnostic *where)
{
    struct md_tasks all = {.tasks = md->host->tasks, .groups = md->kernel.groups};
    all.end = md->at.steps * (all.tasks + all.groups);
    gws_status status = gws__md_launch_prepare(md, where);
    if (status == GWS_OK) status = gws__md_launch_begin(md, where);
    if (status == GWS_OK && md->queue) status = gws_host_queue_serve(&md->queue, 1, next_tasks, &all, false, where);
    return status == GWS_OK ? gws__md_launch_end(md, where) : status;
}

/* ---- energies ---- */

static double energy_of(uint64_t sum)
{
    return (double)(int64_t)sum / MD_ENERGY_SCALE;
}

gws_status gws__md_launch_take(struct gws_md_device *md, const struct gws__md_launch *at, struct gws_diagnostic *where)
{
    for (uint32_t i = 0; i < at->control[MD_STEPS]; i++) {
        const uint64_t *sum = &at->sums[(size_t)MD_SUMS * i];
        md->potential = energy_of(sum[MD_POTENTIAL]);
        md->kinetic = energy_of(sum[MD_KINETIC]);
        md->pairs = sum[MD_PAIRS];
        md->drift = fmax(md->drift, fabs(md->potential + md->kinetic - md->energy) / (double)md->host->atoms);
    }
    md->rebuilds += at->control[MD_REBUILDS];
    md->steps += at->control[MD_STEPS];
    if (!at->control[MD_BROKEN]) return GWS_OK;
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                              "step %llu: the energy is not finite; a time step of %g is too long",
                              (unsigned long long)md->steps, md->host->options.step);
}

gws_status gws__md_launch_lengthen(struct gws_md_device *md, struct gws_diagnostic *where)
{
    md->at.begins = 1;
    md->at.steps -= md->at.control[MD_STEPS];
    md->capacity = md->at.control[MD_LONGEST] + md->at.control[MD_LONGEST] / 4;
    return gws__md_device_make_lists(md, where);
}

/* Where a list is too short, a launch ends in the middle of a step. The next one has longer lists and begins with those
 * of that step. */
gws_status gws__md_device_launch(struct gws_md_device *md, uint32_t steps, bool begins, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    if (gws_cancelled(md->kernel.runtime)) return gws_diagnostic_status(where, GWS_CANCELLED);
    gws__md_launch_set(md, steps, begins);
    for (bool whole = false; status == GWS_OK && !whole;) {
        status = launch(md, where);
        if (status == GWS_OK) status = gws__md_launch_take(md, &md->at, where);
        whole = status == GWS_OK && md->at.control[MD_STEPS] == md->at.steps;
        if (status == GWS_OK && !whole) status = gws__md_launch_lengthen(md, where);
    }
    if (status != GWS_OK) return status;
    md->torn = false;
    md->stats.tasks += steps * md->host->tasks;
    return GWS_OK;
}

gws_status gws__md_device_whole(const struct gws_md_device *md, struct gws_diagnostic *where)
{
    return !md->torn ? GWS_OK
                     : gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                          "the simulation failed in the middle of a step, after %llu steps",
                                          (unsigned long long)md->steps);
}

/* ---- running ---- */

static gws_status clear_stats(struct gws_md_device *md, struct gws_diagnostic *where)
{
    md->stats.launches = md->stats.tasks = 0;
    return gws_device_fill(md->buffer[stats], 0, 0, 2 * MD_STATS, where);
}

/* Runs one launch's worth of steps. Returns their number in *ran. */
static gws_status run_batch(struct gws_md_device *md, uint64_t left, uint64_t *ran, struct gws_diagnostic *where)
{
    const bool several = md->devices > 1;
    uint32_t steps = several ? 1 : left < md->batch ? (uint32_t)left : md->batch;
    double began = gws_clock_ms();
    gws_status status = GWS_OK;
    if (md->host->atoms)
        status = several ? gws__md_devices_step(md, false, where) : gws__md_device_launch(md, steps, false, where);
    double ms = gws_clock_ms() - began;
    *ran = steps;
    if (ms < launch_ms / 2 && md->batch < MD_MAX_STEPS) md->batch *= 2;
    if (ms > launch_ms && md->batch > 1) md->batch /= 2;
    return status;
}

static gws_status read_stats(struct gws_md_device *md, struct gws_diagnostic *where)
{
    uint64_t sum[MD_STATS], launches = md->stats.launches, tasks = md->stats.tasks;
    gws_status status = gws_device_read(md->buffer[stats], 0, sum, sizeof sum, where);
    if (status != GWS_OK) return status;
    md->stats = (struct gws_md_device_stats){.groups = md->kernel.groups,
                                             .group_size = md->kernel.group_size,
                                             .tasks = tasks,
                                             .units = sum[MD_RAN],
                                             .stolen = sum[MD_STOLEN],
                                             .steals = sum[MD_STEALS],
                                             .idle = sum[MD_BUSY] ? (double)sum[MD_IDLE] / (double)sum[MD_BUSY] : 0,
                                             .launches = launches};
    return GWS_OK;
}

static gws_status count_neighbours(const struct gws_md_device *md, uint64_t *count, struct gws_diagnostic *where)
{
    uint64_t atoms = md->host->atoms;
    uint32_t *lengths = gws_allocate(md->kernel.runtime, atoms, sizeof *lengths);
    if (!lengths) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = GWS_OK;
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++) {
        const struct gws_md_device *part = md->all[d];
        const uint64_t from = (uint64_t)4 * part->from, bytes = (uint64_t)4 * part->end - from;
        if (bytes > 0) status = gws_device_read(part->buffer[length], from, lengths + part->from, bytes, where);
    }
    *count = 0;
    for (uint64_t i = 0; i < atoms && status == GWS_OK; i++) *count += lengths[i];
    gws_release(md->kernel.runtime, lengths, atoms, sizeof *lengths);
    return status;
}

static gws_status md_device_run(struct gws_md_device *md, uint64_t steps, struct gws_md_result *result,
                                struct gws_diagnostic *where)
{
    double began = gws_clock_ms();
    uint64_t rebuilds = md->rebuilds, ran = 0, neighbours = 0;
    gws_status status = gws__md_device_whole(md, where);
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++) status = clear_stats(md->all[d], where);
    for (uint64_t done = 0; done < steps && status == GWS_OK; done += ran) {
        status = run_batch(md, steps - done, &ran, where);
        if (status == GWS_OK) gws_report_progress(md->kernel.runtime, "moving atoms", done + ran, steps);
    }
    double ms = gws_clock_ms() - began;
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++) status = read_stats(md->all[d], where);
    if (status == GWS_OK) status = gws__md_device_download(md, where);
    if (status == GWS_OK) status = count_neighbours(md, &neighbours, where);
    if (status != GWS_OK) return status;
    *result = (struct gws_md_result){.atoms = md->host->atoms,
                                     .steps = steps,
                                     .tasks = steps * gws__md_busy_tasks(md->host),
                                     .rebuilds = md->rebuilds - rebuilds,
                                     .neighbours = neighbours,
                                     .pairs = md->pairs / 2,
                                     .potential = md->potential,
                                     .kinetic = md->kinetic,
                                     .energy = md->energy,
                                     .drift = md->drift,
                                     .ms = ms};
    gws__md_sum_momentum(md->host, result->momentum);
    return GWS_OK;
}

gws_status gws_md_device_run(struct gws_md_device *md, uint64_t steps, struct gws_md_result *result,
                             struct gws_diagnostic *where)
{
    return GWS_CALL(md->kernel.runtime, where, md_device_run(md, steps, result, where));
}

void gws_md_device_stats(const struct gws_md_device *md, uint32_t device, struct gws_md_device_stats *stats)
{
    *stats = md->all[device]->stats;
}

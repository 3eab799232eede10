/* SPDX-License-Identifier: MIT */
/* Molecular dynamics on a device: runs of many launches, their energies and statistics. */
#include "../../../lib/parallel.h"
#include "device_state.h"

static const double launch_ms = 50;

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
    if (!md->begun)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "two atoms are at the same place, or nearly so");
    return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                              "step %llu: the energy is not finite; a time step of %g is too long",
                              (unsigned long long)md->steps, md->host->options.step);
}

gws_status gws__md_launch_lengthen(struct gws_md_device *md, struct gws_diagnostic *where)
{
    md->at.begins = 1;
    md->at.steps -= md->at.control[MD_STEPS];
    if (md->at.control[MD_LONGEST] <= md->capacity) return GWS_OK;
    md->capacity = md->at.control[MD_LONGEST] + md->at.control[MD_LONGEST] / 4;
    return gws__md_device_make_lists(md, where);
}

/* The tasks of a launch on one device: for each step all tasks in order, and then the end of the step for each group.
 */
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

/* A launch of all devices, with its energies. */
static gws_status launch(struct gws_md_device *md, struct gws_diagnostic *where)
{
    struct md_tasks all = {.tasks = md->host->tasks, .groups = md->kernel.groups};
    struct gws__md_launch total = {.steps = md->at.steps};
    all.end = md->at.steps * (all.tasks + all.groups);
    gws_status status = gws__md_launch_all(md, next_tasks, &all, where);
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++) gws__md_launch_add(md->all[d], &total);
    return status == GWS_OK ? gws__md_launch_take(md, &total, where) : status;
}

/* Where a list is too short, a launch ends in the middle of a step. The next one has longer lists and begins with those
 * of that step. */
gws_status gws__md_device_launch(struct gws_md_device *md, uint32_t steps, bool begins, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    if (gws_cancelled(md->kernel.runtime)) return gws_diagnostic_status(where, GWS_CANCELLED);
    for (uint32_t d = 0; d < md->devices; d++) gws__md_launch_set(md->all[d], steps, begins);
    for (bool whole = false; status == GWS_OK && !whole;) {
        status = launch(md, where);
        whole = md->at.control[MD_STEPS] == md->at.steps;
        for (uint32_t d = 0; d < md->devices && status == GWS_OK && !whole; d++)
            status = gws__md_launch_lengthen(md->all[d], where);
    }
    if (status != GWS_OK) return status;
    md->torn = false;
    for (uint32_t d = 0; d < md->devices; d++) md->all[d]->stats.tasks += steps * gws__md_part_tasks(md, d);
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
    const bool apart = gws__md_is_apart(md), single = apart || md->schedule == GWS_MD_CHUNKS;
    uint32_t steps = single ? 1 : left < md->batch ? (uint32_t)left : md->batch;
    double began = gws_clock_ms();
    gws_status status = GWS_OK;
    if (md->host->atoms)
        status = apart ? gws__md_devices_step(md, false, where) : gws__md_device_launch(md, steps, false, where);
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
    const bool timed = sum[MD_BUSY] > 0 && md->schedule != GWS_MD_CHUNKS;
    md->stats = (struct gws_md_device_stats){.groups = md->kernel.groups,
                                             .group_size = md->kernel.group_size,
                                             .tasks = tasks,
                                             .units = sum[MD_RAN],
                                             .stolen = sum[MD_STOLEN],
                                             .steals = sum[MD_STEALS],
                                             .idle = timed ? (double)sum[MD_IDLE] / (double)sum[MD_BUSY] : 0,
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
    if (status == GWS_OK) status = gws__md_device_read(md, velocity, md->host->velocity, where);
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

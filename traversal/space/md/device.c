/* SPDX-License-Identifier: MIT */
/* Molecular dynamics on a device: opening, closing, and copying atoms. */
#include <string.h>

#include "../../../kernels/kernels.h"
#include "device_state.h"

/* steps_ahead: the queue of GWS_MD_CENTRAL holds the tasks of so many steps. With fewer, a device waits for the host in
 * each step, and a device that is this processor for the time slice of the host's thread. */
enum { first_steps = 8, first_capacity = 96, warp = 32, steps_ahead = 8 };

const char *gws_md_schedule_at(uint32_t i)
{
    static const char *const name[] = {"steal", "cursor", "static", "central"};
    return i < sizeof name / sizeof *name ? name[i] : NULL;
}

/* ---- memory ---- */

static uint64_t lanes_of(const struct gws_md_device *md)
{
    return md->kernel.group_size > 1 ? warp : 1;
}

gws_status gws__md_device_make_lists(struct gws_md_device *md, struct gws_diagnostic *where)
{
    uint64_t blocks = (md->host->atoms + lanes_of(md) - 1) / lanes_of(md);
    gws_device_buffer_free(md->buffer[list]);
    md->buffer[list] = NULL;
    return gws_device_buffer_new(md->kernel.device, blocks * lanes_of(md) * md->capacity * 4, &md->buffer[list], where);
}

static gws_status make_buffers(struct gws_md_device *md, struct gws_diagnostic *where)
{
    const uint64_t atoms = md->host->atoms, words = MD_WORDS * sizeof(float) * atoms;
    const uint64_t warps = md->kernel.groups * md->kernel.group_size / lanes_of(md);
    const uint64_t bytes[buffers] = {[position] = words,
                                     [velocity] = words,
                                     [force] = words,
                                     [built_at] = words,
                                     [sorted] = words,
                                     [id] = 4 * atoms,
                                     [next_id] = 4 * atoms,
                                     [cell] = 4 * atoms,
                                     [begin] = 8 * atoms + 260,
                                     [member] = 4 * atoms,
                                     [length] = 4 * atoms,
                                     [list] = 0,
                                     [part] = 8 * warps,
                                     [control] = 4 * MD_CONTROL,
                                     [sums] = 8 * MD_SUMS * MD_MAX_STEPS,
                                     [stats] = 8 * MD_STATS,
                                     [cursors] = 8 * md->kernel.groups,
                                     [arrived] = 8};
    gws_status status = gws__device_kernel_buffers(&md->kernel, bytes, buffers, md->buffer, where);
    if (status == GWS_OK) status = gws__md_device_make_lists(md, where);
    if (status == GWS_OK) status = gws_device_fill(md->buffer[stats], 0, 0, 2 * MD_STATS, where);
    return status == GWS_OK ? gws_device_fill(md->buffer[arrived], 0, 0, 2, where) : status;
}

/* ---- the atoms ---- */

static gws_status upload(struct gws_md_device *md, struct gws_diagnostic *where)
{
    const struct gws_md *host = md->host;
    const uint64_t words = MD_WORDS * sizeof(float) * host->atoms;
    gws_status status = gws_device_write(md->buffer[position], 0, host->position, words, where);
    if (status == GWS_OK) status = gws_device_write(md->buffer[velocity], 0, host->velocity, words, where);
    if (status == GWS_OK) status = gws_device_write(md->buffer[force], 0, host->force, words, where);
    if (status == GWS_OK) status = gws_device_write(md->buffer[id], 0, host->id, 4 * host->atoms, where);
    return status;
}

gws_status gws__md_device_download(struct gws_md_device *md, struct gws_diagnostic *where)
{
    const struct gws_md *host = md->host;
    const uint64_t words = MD_WORDS * sizeof(float) * host->atoms;
    gws_status status = gws_device_read(md->buffer[position], 0, host->position, words, where);
    if (status == GWS_OK) status = gws_device_read(md->buffer[velocity], 0, host->velocity, words, where);
    if (status == GWS_OK) status = gws_device_read(md->buffer[force], 0, host->force, words, where);
    if (status == GWS_OK) status = gws_device_read(md->buffer[id], 0, host->id, 4 * host->atoms, where);
    return status;
}

/* ---- opening ---- */

static uint64_t queue_capacity(const struct gws_md_device *md)
{
    return steps_ahead * (md->host->tasks + md->kernel.groups);
}

static gws_status first_forces(struct gws_md_device *md, struct gws_diagnostic *where)
{
    if (md->host->atoms == 0) return GWS_OK;
    gws_status status = upload(md, where);
    if (status == GWS_OK) status = gws__md_device_launch(md, 1, true, 0, where);
    if (status == GWS_INVALID)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "two atoms are at the same place, or nearly so");
    md->energy = md->potential + md->kinetic;
    md->drift = 0;
    md->steps = 0;
    return status;
}

static gws_status open_device(struct gws_runtime *runtime, struct gws_device *device, const struct gws_points *atoms,
                              const struct gws_md_options *options, struct gws_md_device *made,
                              struct gws_diagnostic *where)
{
    gws_status status = gws__md_make(runtime, atoms, options, &made->host, where);
    if (status == GWS_OK && made->host->options.order == GWS_MD_POPULATION)
        status = gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "a device has no order by population");
    const bool queued = made->schedule == GWS_MD_CENTRAL;
    const uint32_t size = queued ? GWS_MD_TASK : gws__kernel_cuda_group_size;
    if (status == GWS_OK)
        status = gws__device_kernel_open_alone(runtime, device, "md", "md_run", size, &made->kernel, where);
    if (status == GWS_OK) status = make_buffers(made, where);
    if (status == GWS_OK && queued)
        status = gws_host_queue_open(runtime, device, queue_capacity(made), &made->queue, where);
    return status == GWS_OK ? first_forces(made, where) : status;
}

static gws_status md_device_open(struct gws_runtime *runtime, struct gws_device *device, const struct gws_points *atoms,
                                 const struct gws_md_options *options, enum gws_md_schedule schedule,
                                 struct gws_md_device **md, struct gws_diagnostic *where)
{
    if (!gws_md_schedule_at((uint32_t)schedule))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "unknown schedule");
    struct gws_md_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_md_device){
        .kernel.runtime = runtime, .schedule = (uint32_t)schedule, .capacity = first_capacity, .batch = first_steps};
    gws_status status = open_device(runtime, device, atoms, options, made, where);
    if (status == GWS_OK)
        *md = made;
    else
        gws_md_device_close(made);
    return status;
}

gws_status gws_md_device_open(struct gws_runtime *runtime, struct gws_device *device, const struct gws_points *atoms,
                              const struct gws_md_options *options, enum gws_md_schedule schedule,
                              struct gws_md_device **md, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, md_device_open(runtime, device, atoms, options, schedule, md, where));
}

void gws_md_device_close(struct gws_md_device *md)
{
    if (!md) return;
    struct gws_runtime *runtime = md->kernel.runtime;
    for (uint32_t i = 0; i < buffers; i++) gws_device_buffer_free(md->buffer[i]);
    gws_host_queue_close(md->queue);
    gws__device_kernel_close(&md->kernel);
    gws_md_close(md->host);
    gws_release(runtime, md, 1, sizeof *md);
}

/* ---- atoms out ---- */

static gws_status md_device_fetch(struct gws_md_device *md, struct gws_points *atoms, struct gws_diagnostic *where)
{
    gws_status status = gws__md_device_whole(md, where);
    if (status == GWS_OK && md->host->atoms) status = gws__md_device_download(md, where);
    return status == GWS_OK ? gws_diagnostic_status(where, gws_md_fetch(md->host, atoms)) : status;
}

gws_status gws_md_device_fetch(struct gws_md_device *md, struct gws_points *atoms, struct gws_diagnostic *where)
{
    return GWS_CALL(md->kernel.runtime, where, md_device_fetch(md, atoms, where));
}

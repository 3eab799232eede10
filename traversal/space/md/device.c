/* SPDX-License-Identifier: MIT */
/* Molecular dynamics on a device: opening, closing, and copying atoms. */
#include <string.h>

#include "../../../kernels/kernels.h"
#include "device_state.h"

/* steps_ahead: the queue of GWS_MD_CENTRAL holds the tasks of so many steps. With fewer, a device waits for the host in
 * each step, and a device that is this processor for the time slice of the host's thread. tasks_a_group: slots of the
 * queue for each group if several devices share the tasks; a longer queue would leave nothing to balance. */
enum { first_steps = 8, first_capacity = 96, warp = 32, steps_ahead = 8, tasks_a_group = 4 };

const char *gws_md_schedule_at(uint32_t i)
{
    static const char *const name[] = {"steal", "cursor", "static", "central", "chunks"};
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

static gws_status make_buffers(struct gws_md_device *md, uint32_t devices, struct gws_diagnostic *where)
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
                                     [wanted] = devices > 1 ? 4 * atoms : 0,
                                     [part] = 8 * warps,
                                     [control] = 4 * MD_CONTROL,
                                     [sums] = 8 * MD_SUMS * MD_MAX_STEPS,
                                     [stats] = 8 * MD_STATS,
                                     [cursors] = 8 * md->kernel.groups,
                                     [arrived] = 8,
                                     [links] = 8 * (MD_LINK_ARRAYS + MD_LINK_WORDS * (uint64_t)devices),
                                     [meetings] = 8 * MD_MEET};
    gws_status status = gws__device_kernel_buffers(&md->kernel, bytes, buffers, md->buffer, where);
    if (status == GWS_OK) status = gws__md_device_make_lists(md, where);
    if (status == GWS_OK) status = gws_device_fill(md->buffer[stats], 0, 0, 2 * MD_STATS, where);
    if (status == GWS_OK) status = gws_device_fill(md->buffer[meetings], 0, 0, 2 * MD_MEET, where);
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

gws_status gws__md_device_read(struct gws_md_device *md, enum buffer array, void *to, struct gws_diagnostic *where)
{
    const uint64_t each = array == id ? sizeof(uint32_t) : MD_WORDS * sizeof(float);
    gws_status status = GWS_OK;
    for (uint32_t d = 0; d < (md->linked ? md->devices : 1) && status == GWS_OK; d++) {
        const uint64_t from = each * (md->linked ? (uint64_t)md->all[d]->from : 0);
        const uint64_t end = each * (md->linked ? md->all[d]->end : md->host->atoms);
        status = gws_device_read(md->all[d]->buffer[array], from, (char *)to + from, end - from, where);
    }
    return status;
}

static gws_status download(struct gws_md_device *md, struct gws_diagnostic *where)
{
    const struct gws_md *host = md->host;
    gws_status status = gws__md_device_read(md, id, host->id, where);
    if (status == GWS_OK) status = gws__md_device_read(md, position, host->position, where);
    if (status == GWS_OK) status = gws__md_device_read(md, velocity, host->velocity, where);
    return status == GWS_OK ? gws__md_device_read(md, force, host->force, where) : status;
}

/* ---- opening ---- */

static gws_status first_forces(struct gws_md_device *md, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    if (md->host->atoms == 0) return GWS_OK;
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++) status = upload(md->all[d], where);
    if (status == GWS_OK)
        status =
            gws__md_is_apart(md) ? gws__md_devices_step(md, true, where) : gws__md_device_launch(md, 1, true, where);
    md->energy = md->potential + md->kinetic;
    md->drift = 0;
    md->steps = 0;
    md->begun = status == GWS_OK;
    return status;
}

/* Opens the kernel and makes the memory of one of `devices` devices. */
static gws_status open_part(struct gws_md_device *part, struct gws_device *device, uint32_t devices,
                            struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = part->host->runtime;
    const bool queued = part->schedule == GWS_MD_CENTRAL;
    const uint32_t size = queued ? GWS_MD_TASK : gws__kernel_cuda_group_size;
    gws_status status = gws__device_kernel_open_alone(runtime, device, "md", "md_run", size, &part->kernel, where);
    if (status == GWS_OK) status = make_buffers(part, devices, where);
    if (status != GWS_OK || !queued) return status;
    const uint64_t groups = part->kernel.groups;
    const uint64_t slots = devices > 1 ? tasks_a_group * groups : steps_ahead * (part->host->tasks + groups);
    return gws_host_queue_open(runtime, device, slots, &part->queue, where);
}

static struct gws_md_device *new_part(struct gws_runtime *runtime, struct gws_md *host, enum gws_md_schedule schedule)
{
    struct gws_md_device *part = gws_allocate(runtime, 1, sizeof *part);
    if (part)
        *part = (struct gws_md_device){.kernel.runtime = runtime,
                                       .host = host,
                                       .schedule = (uint32_t)schedule,
                                       .capacity = first_capacity,
                                       .batch = first_steps};
    return part;
}

/* Opens part d of the object. made->devices counts the parts. */
static gws_status add_part(struct gws_md_device *made, struct gws_device *const *device, uint32_t devices,
                           struct gws_diagnostic *where)
{
    const uint32_t d = made->devices;
    const uint64_t tasks = made->host->tasks, atoms = made->host->atoms;
    const bool queued = made->schedule == GWS_MD_CENTRAL;
    struct gws_md_device *part =
        d == 0 ? made : new_part(made->kernel.runtime, made->host, (enum gws_md_schedule)made->schedule);
    if (!part) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    made->all[made->devices++] = part;
    uint64_t from = tasks * d / devices * GWS_MD_TASK, end = tasks * (d + 1) / devices * GWS_MD_TASK;
    part->from = queued ? 0 : (uint32_t)from;
    part->end = queued || end > atoms ? (uint32_t)atoms : (uint32_t)end;
    memset(made->computed_by + tasks * d / devices, (int)d, tasks * (d + 1) / devices - tasks * d / devices);
    return open_part(part, device[d], devices, where);
}

static gws_status open_parts(struct gws_runtime *runtime, struct gws_device *const *device, uint32_t devices,
                             struct gws_md_device *made, struct gws_diagnostic *where)
{
    if (made->host->options.order == GWS_MD_POPULATION)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "a device has no order by population");
    made->all = gws_allocate(runtime, devices, sizeof(struct gws_md_device *));
    made->computed_by = gws_allocate(runtime, made->host->tasks, 1);
    made->slots = devices;
    gws_status status = made->all && made->computed_by ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
    while (made->devices < devices && status == GWS_OK) status = add_part(made, device, devices, where);
    if (status == GWS_OK) status = gws__md_devices_connect(made, where);
    return status == GWS_OK ? first_forces(made, where) : status;
}

/* All devices must compute the same bits from the same atoms. */
static gws_status check_devices(struct gws_device *const *device, uint32_t devices, struct gws_diagnostic *where)
{
    if (devices == 0 || devices > GWS_MD_DEVICES)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%u devices: expected 1 to %d", devices,
                                  GWS_MD_DEVICES);
    const struct gws_device_info *first = gws_device_describe(device[0]);
    for (uint32_t d = 1; d < devices; d++) {
        const struct gws_device_info *info = gws_device_describe(device[d]);
        for (uint32_t e = 0; e < d; e++)
            if (gws_device_same(device[d], device[e]))
                return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "%s is given twice", info->address);
        if (strcmp(info->name, first->name) != 0 || info->api != first->api)
            return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                      "%s and %s: atoms move alike on devices of one model only", first->address,
                                      info->address);
    }
    return GWS_OK;
}

static gws_status md_devices_open(struct gws_runtime *runtime, const struct gws_md_devices *on,
                                  const struct gws_points *atoms, const struct gws_md_options *options,
                                  struct gws_md_device **md, struct gws_diagnostic *where)
{
    if (!gws_md_schedule_at((uint32_t)on->schedule))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "unknown schedule");
    gws_status status = check_devices(on->device, on->devices, where);
    if (status != GWS_OK) return status;
    struct gws_md_device *made = new_part(runtime, NULL, on->schedule);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    status = gws__md_make(runtime, atoms, options, &made->host, where);
    if (status == GWS_OK) status = open_parts(runtime, on->device, on->devices, made, where);
    if (status == GWS_OK)
        *md = made;
    else
        gws_md_device_close(made);
    return status;
}

gws_status gws_md_devices_open(struct gws_runtime *runtime, const struct gws_md_devices *on,
                               const struct gws_points *atoms, const struct gws_md_options *options,
                               struct gws_md_device **md, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, md_devices_open(runtime, on, atoms, options, md, where));
}

gws_status gws_md_device_open(struct gws_runtime *runtime, struct gws_device *device, const struct gws_points *atoms,
                              const struct gws_md_options *options, enum gws_md_schedule schedule,
                              struct gws_md_device **md, struct gws_diagnostic *where)
{
    const struct gws_md_devices on = {.device = &device, .devices = 1, .schedule = schedule};
    return gws_md_devices_open(runtime, &on, atoms, options, md, where);
}

static void close_part(struct gws_md_device *part)
{
    struct gws_runtime *runtime = part->kernel.runtime;
    for (uint32_t i = 0; i < buffers; i++) gws_device_buffer_free(part->buffer[i]);
    gws_host_queue_close(part->queue);
    gws__stop_close(&part->stop);
    gws__device_kernel_close(&part->kernel);
    gws_release(runtime, part, 1, sizeof *part);
}

void gws_md_device_close(struct gws_md_device *md)
{
    if (!md) return;
    for (uint32_t d = 1; d < md->devices; d++) close_part(md->all[d]);
    gws_release(md->kernel.runtime, md->all, md->slots, sizeof(struct gws_md_device *));
    if (md->host) gws_release(md->kernel.runtime, md->computed_by, md->host->tasks, 1);
    gws_md_close(md->host);
    close_part(md);
}

/* ---- atoms out ---- */

static gws_status md_device_fetch(struct gws_md_device *md, struct gws_points *atoms, struct gws_diagnostic *where)
{
    gws_status status = gws__md_device_whole(md, where);
    if (status == GWS_OK && md->host->atoms) status = download(md, where);
    return status == GWS_OK ? gws_diagnostic_status(where, gws_md_fetch(md->host, atoms)) : status;
}

gws_status gws_md_device_fetch(struct gws_md_device *md, struct gws_points *atoms, struct gws_diagnostic *where)
{
    return GWS_CALL(md->kernel.runtime, where, md_device_fetch(md, atoms, where));
}

/* SPDX-License-Identifier: MIT */
/* Molecular dynamics on several devices, step by step. Every device has all atoms. Each one moves them all and builds
 * the lists of its part, then computes the forces of its tasks, and at last gets the forces and velocities that the
 * others have computed, from their memory or through the host's. All devices compute with the same bits, so the atoms
 * stay the same everywhere. Under GWS_MD_CENTRAL the host gives out the tasks while the kernels run (Chen, Villa,
 * Krishnamoorthy, Gao, IPDPS 2010, section 4): each device gets the tasks of its part from the front, and a device
 * without any gets those of the largest rest, from the back. So the atoms of a device are few ranges, which are few
 * copies. */
#include "../../../lib/parallel.h"
#include "device_state.h"

/* ---- giving out tasks ---- */

struct shared_tasks {
    struct gws_md_device *md;
    uint64_t next[GWS_MD_DEVICES], end[GWS_MD_DEVICES]; /* the tasks of each part that nobody has */
    uint64_t ends[GWS_MD_DEVICES];                      /* GWS_HOST_QUEUE_HALT that its groups have yet to get */
};

static void open_tasks(struct shared_tasks *shared, struct gws_md_device *md)
{
    shared->md = md;
    for (uint32_t d = 0; d < md->devices; d++) {
        shared->next[d] = md->host->tasks * d / md->devices;
        shared->end[d] = md->host->tasks * (d + 1) / md->devices;
        shared->ends[d] = md->all[d]->kernel.groups;
        md->all[d]->stats.tasks = md->all[d]->tasks_before;
    }
}

static uint32_t largest_part(const struct shared_tasks *shared)
{
    uint32_t largest = 0;
    for (uint32_t d = 1; d < shared->md->devices; d++)
        if (shared->end[d] - shared->next[d] > shared->end[largest] - shared->next[largest]) largest = d;
    return largest;
}

static uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t next_tasks(void *context, uint32_t device, uint64_t *task, uint64_t max)
{
    struct shared_tasks *shared = context;
    const bool own = shared->next[device] < shared->end[device];
    const uint32_t from = own ? device : largest_part(shared);
    const uint64_t left = shared->end[from] - shared->next[from];
    uint64_t count = min_of(own ? left : (left + 1) / 2, max);
    if (left == 0) {
        count = min_of(shared->ends[device], max);
        for (uint64_t i = 0; i < count; i++) task[i] = GWS_HOST_QUEUE_HALT;
        shared->ends[device] -= count;
        return count;
    }
    const uint64_t first = own ? shared->next[from] : shared->end[from] - count;
    for (uint64_t i = 0; i < count; i++) {
        task[i] = first + i;
        shared->md->computed_by[first + i] = (uint8_t)device;
    }
    if (own)
        shared->next[from] += count;
    else
        shared->end[from] -= count;
    shared->md->all[device]->stats.tasks += count;
    return count;
}

/* ---- launches ---- */

static gws_status serve(struct gws_md_device *md, struct gws_diagnostic *where)
{
    struct gws_host_queue *queue[GWS_MD_DEVICES];
    struct shared_tasks shared;
    open_tasks(&shared, md);
    for (uint32_t d = 0; d < md->devices; d++) queue[d] = md->all[d]->queue;
    return gws_host_queue_serve(queue, md->devices, next_tasks, &shared, false, where);
}

static bool has_ended(const struct gws_md_device *part)
{
    return part->at.steps == 0;
}

/* Launches on all devices that have not ended the step, and waits for them, also after an error. No device gets
 * commands while the kernel of another one waits for tasks: PoCL's devices share their threads. */
static gws_status launch_all(struct gws_md_device *md, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    uint32_t begun = 0;
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++)
        if (!has_ended(md->all[d])) status = gws__md_launch_prepare(md->all[d], where);
    for (; begun < md->devices && status == GWS_OK; begun++)
        if (!has_ended(md->all[begun])) status = gws__md_launch_begin(md->all[begun], where);
    if (status == GWS_OK && md->queue) status = serve(md, where);
    for (uint32_t d = 0; d < begun; d++) {
        if (has_ended(md->all[d])) continue;
        if (status != GWS_OK && md->queue) gws_host_queue_stop(md->all[d]->queue);
        gws_status ended = gws__md_launch_end(md->all[d], status == GWS_OK ? where : NULL);
        if (status == GWS_OK) status = ended;
    }
    return status;
}

/* Adds what a device found in its launch to *total, and prepares another launch if its lists were too short. Under
 * GWS_MD_CENTRAL all devices have the same lists, so either all or none of them launch again. */
static gws_status add_launch(struct gws_md_device *part, bool first, struct gws__md_launch *total,
                             struct gws_diagnostic *where)
{
    const uint32_t *control = part->at.control;
    if (first) total->control[MD_REBUILDS] += control[MD_REBUILDS];
    total->control[MD_BROKEN] |= control[MD_BROKEN];
    if (control[MD_STEPS] == 0) return gws__md_launch_lengthen(part, where);
    for (uint32_t i = 0; i < MD_SUMS; i++) total->sums[i] += part->at.sums[i];
    part->at.steps = 0;
    return GWS_OK;
}

/* ---- exchanging atoms ---- */

/* Copies a range of an array from the device that computed it to another one, or to all others through the host. */
static gws_status send_array(struct gws_md_device *md, uint32_t owner, enum buffer array, float *host, uint64_t offset,
                             uint64_t bytes, struct gws_diagnostic *where)
{
    struct gws_device_buffer *from = md->all[owner]->buffer[array];
    gws_status status = md->peers ? GWS_OK : gws_device_read(from, offset, host, bytes, where);
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++) {
        struct gws_device_buffer *to = md->all[d]->buffer[array];
        if (d == owner) continue;
        status = md->peers ? gws_device_copy(to, offset, from, offset, bytes, where)
                           : gws_device_write(to, offset, host, bytes, where);
    }
    return status;
}

/* Copies the atoms of a range of tasks from the device that computed them to all others. */
static gws_status send_range(struct gws_md_device *md, uint64_t first, uint64_t end, struct gws_diagnostic *where)
{
    const uint32_t owner = md->computed_by[first];
    const uint64_t atom = first * GWS_MD_TASK, atoms = gws__md_end(md->host, end - 1) - atom;
    const uint64_t offset = atom * MD_WORDS * sizeof(float), bytes = atoms * MD_WORDS * sizeof(float);
    gws_status status = send_array(md, owner, force, md->host->force + atom * MD_WORDS, offset, bytes, where);
    if (status != GWS_OK) return status;
    return send_array(md, owner, velocity, md->host->velocity + atom * MD_WORDS, offset, bytes, where);
}

/* Waits for all copies, because the next step changes what they read. */
static gws_status exchange(struct gws_md_device *md, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint64_t first = 0, end = 0; first < md->host->tasks && status == GWS_OK; first = end) {
        for (end = first + 1; end < md->host->tasks && md->computed_by[end] == md->computed_by[first];) end++;
        status = send_range(md, first, end, where);
    }
    for (uint32_t d = 0; d < md->devices && md->peers; d++) {
        gws_status ended = gws_device_wait(md->all[d]->kernel.device, status == GWS_OK ? where : NULL);
        if (status == GWS_OK) status = ended;
    }
    return status;
}

/* ---- steps ---- */

static bool all_ended(const struct gws_md_device *md)
{
    bool all = true;
    for (uint32_t d = 0; d < md->devices; d++) all = all && has_ended(md->all[d]);
    return all;
}

gws_status gws__md_devices_step(struct gws_md_device *md, bool begins, struct gws_diagnostic *where)
{
    struct gws__md_launch total = {.steps = 1, .control = {[MD_STEPS] = 1}};
    gws_status status = GWS_OK;
    if (gws_cancelled(md->kernel.runtime)) return gws_diagnostic_status(where, GWS_CANCELLED);
    for (uint32_t d = 0; d < md->devices; d++) {
        gws__md_launch_set(md->all[d], 1, begins);
        md->all[d]->tasks_before = md->all[d]->stats.tasks;
        md->all[d]->stats.tasks += md->host->tasks * (d + 1) / md->devices - md->host->tasks * d / md->devices;
    }
    while (status == GWS_OK && !all_ended(md)) {
        status = launch_all(md, where);
        for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++)
            if (!has_ended(md->all[d])) status = add_launch(md->all[d], d == 0, &total, where);
    }
    if (status == GWS_OK) status = exchange(md, where);
    if (status == GWS_OK) status = gws__md_launch_take(md, &total, where);
    if (status == GWS_OK) md->torn = false;
    return status;
}

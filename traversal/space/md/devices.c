/* SPDX-License-Identifier: MIT */
/* Molecular dynamics on several devices that are not linked, step by step. Every device has all atoms. Each one moves
 * them all and builds the lists of its part, then computes the forces of its tasks, and at last gets the forces and
 * velocities that the others have computed, from their memory or through the host's. All devices compute with the same
 * bits, so the atoms stay the same everywhere. Under GWS_MD_CENTRAL the host gives out the tasks while the kernels run
 * (Chen, Villa, Krishnamoorthy, Gao, IPDPS 2010, section 4): each device gets the tasks of its part from the front, and
 * a device without any gets those of the largest rest, from the back. So the atoms of a device are few ranges, which
 * are few copies. */
#include "../../../lib/parallel.h"
#include "device_state.h"

/* ---- memory of each other ---- */

/* Finds out whether each device reaches the memory of all others. */
static gws_status connect_parts(struct gws_md_device *made, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    made->peers = made->devices > 1;
    for (uint32_t d = 0; d < made->devices * made->devices && made->peers && status == GWS_OK; d++) {
        struct gws_device *from = made->all[d / made->devices]->kernel.device;
        struct gws_device *to = made->all[d % made->devices]->kernel.device;
        if (from == to) continue;
        made->peers = gws_device_sharing(from, to).fine_grained;
        if (made->peers) status = gws_device_reach(from, to, where);
    }
    return status;
}

/* Gives the device's kernel the addresses of all devices' atoms. */
static gws_status link_part(const struct gws_md_device *made, uint32_t d, struct gws_diagnostic *where)
{
    static const enum buffer array[MD_LINK_WORDS] = {
        [MD_LINK_POSITION] = position, [MD_LINK_VELOCITY] = velocity, [MD_LINK_ID] = id, [MD_LINK_MEET] = meetings};
    uint64_t words[MD_LINK_ARRAYS + MD_LINK_WORDS * GWS_MD_DEVICES] = {
        [MD_LINK_DEVICES] = made->devices, [MD_LINK_OWN] = d};
    for (uint32_t i = 0; i < MD_LINK_WORDS * made->devices; i++)
        words[MD_LINK_ARRAYS + i] =
            (uintptr_t)gws_device_buffer_native(made->all[i / MD_LINK_WORDS]->buffer[array[i % MD_LINK_WORDS]]);
    return gws_device_write(made->all[d]->buffer[links], 0, words,
                            (MD_LINK_ARRAYS + MD_LINK_WORDS * made->devices) * sizeof *words, where);
}

/* Links devices that reach each other's memory, unless the host gives out tasks, so that the owner of an atom changes.
 * Kernels that wait for each other need a word that ends them. */
static gws_status link_parts(struct gws_md_device *made, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    made->linked = made->peers && made->schedule != GWS_MD_CENTRAL;
    for (uint32_t d = 0; d < made->devices && status == GWS_OK && made->linked; d++) {
        status = gws__stop_open(&made->all[d]->stop, NULL, made->all[d]->kernel.device, where);
        if (!made->all[d]->stop.word) made->linked = false;
    }
    for (uint32_t d = 0; d < made->devices && status == GWS_OK && made->linked; d++) status = link_part(made, d, where);
    for (uint32_t d = 1; d < made->devices; d++) made->all[d]->linked = made->linked;
    return status;
}

gws_status gws__md_devices_connect(struct gws_md_device *md, struct gws_diagnostic *where)
{
    gws_status status = connect_parts(md, where);
    return status == GWS_OK ? link_parts(md, where) : status;
}

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

/* ---- exchanging atoms ---- */

/* Copies a part of an array from the device that computed it to the device that is `after` it in the ring, or through
 * the host, which has the part after the first time. */
static gws_status send_array(struct gws_md_device *md, uint32_t owner, uint32_t after, enum buffer array, float *host,
                             uint64_t offset, uint64_t bytes, struct gws_diagnostic *where)
{
    struct gws_device_buffer *from = md->all[owner]->buffer[array];
    struct gws_device_buffer *to = md->all[(owner + after) % md->devices]->buffer[array];
    if (md->peers) return gws_device_copy(to, offset, from, offset, bytes, where);
    gws_status status = after > 1 ? GWS_OK : gws_device_read(from, offset, host, bytes, where);
    return status == GWS_OK ? gws_device_write(to, offset, host, bytes, where) : status;
}

/* Copies the atoms of a range of tasks likewise. */
static gws_status send_range(struct gws_md_device *md, uint64_t first, uint64_t end, uint32_t after,
                             struct gws_diagnostic *where)
{
    const uint32_t owner = md->computed_by[first];
    const uint64_t atom = first * GWS_MD_TASK, atoms = gws__md_end(md->host, end - 1) - atom;
    const uint64_t offset = atom * MD_WORDS * sizeof(float), bytes = atoms * MD_WORDS * sizeof(float);
    gws_status status = send_array(md, owner, after, force, md->host->force + atom * MD_WORDS, offset, bytes, where);
    if (status != GWS_OK) return status;
    return send_array(md, owner, after, velocity, md->host->velocity + atom * MD_WORDS, offset, bytes, where);
}

static gws_status send_ranges(struct gws_md_device *md, uint32_t after, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint64_t first = 0, end = 0; first < md->host->tasks && status == GWS_OK; first = end) {
        for (end = first + 1; end < md->host->tasks && md->computed_by[end] == md->computed_by[first];) end++;
        status = send_range(md, first, end, after, where);
    }
    return status;
}

/* First each device sends to the next one, then to the one after that, and so on: the devices do not all read the
 * memory of one. Waits for all copies, because the next step changes what they read. */
static gws_status exchange(struct gws_md_device *md, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (uint32_t after = 1; after < md->devices && status == GWS_OK; after++) status = send_ranges(md, after, where);
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
    for (uint32_t d = 0; d < md->devices; d++) all = all && md->all[d]->at.steps == 0;
    return all;
}

/* A launch of the devices that have not ended the step. A device whose lists were too short launches again. Under
 * GWS_MD_CENTRAL all devices have the same lists, so either all or none of them launch again. */
static gws_status launch(struct gws_md_device *md, struct gws__md_launch *total, struct gws_diagnostic *where)
{
    struct shared_tasks shared;
    if (md->queue) open_tasks(&shared, md);
    gws_status status = gws__md_launch_all(md, next_tasks, &shared, where);
    for (uint32_t d = 0; d < md->devices && status == GWS_OK; d++) {
        struct gws_md_device *part = md->all[d];
        if (part->at.steps == 0) continue;
        gws__md_launch_add(part, total);
        if (part->at.control[MD_STEPS] == 0)
            status = gws__md_launch_lengthen(part, where);
        else
            part->at.steps = 0;
    }
    return status;
}

gws_status gws__md_devices_step(struct gws_md_device *md, bool begins, struct gws_diagnostic *where)
{
    struct gws__md_launch total = {.steps = 1};
    gws_status status = GWS_OK;
    if (gws_cancelled(md->kernel.runtime)) return gws_diagnostic_status(where, GWS_CANCELLED);
    for (uint32_t d = 0; d < md->devices; d++) {
        gws__md_launch_set(md->all[d], 1, begins);
        md->all[d]->tasks_before = md->all[d]->stats.tasks;
        md->all[d]->stats.tasks += gws__md_part_tasks(md, d);
    }
    while (status == GWS_OK && !all_ended(md)) status = launch(md, &total, where);
    if (status == GWS_OK) status = exchange(md, where);
    if (status == GWS_OK) status = gws__md_launch_take(md, &total, where);
    if (status == GWS_OK) md->torn = false;
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "task_group.h"

#include "../parallel.h"

/* ---- the members ---- */

/* Returns whether both devices reach each other with atomics, and if so, the rank of the way from the first one. */
static bool share_atomics(const struct gws_device_tasks *one, const struct gws_device_tasks *other, uint32_t *rank)
{
    const struct gws_device_info *here = gws_device_describe(one->device), *there = gws_device_describe(other->device);
    const struct gws_device_peer to = gws_device_peer(here, there), from = gws_device_peer(there, here);
    *rank = to.rank;
    return !gws_device_same(one->device, other->device) && to.access && to.atomics && from.access && from.atomics;
}

bool gws__task_group_supports(struct gws_device_tasks *tasks)
{
    const struct gws_device_launch launch = {
        .program = tasks->program, .kernel = "task_run_peers", .group_size = tasks->group_size, .resident = true};
    uint64_t groups = 0;
    if (tasks->is_static || !tasks->stop.word) return false;
    if (gws_device_resident(tasks->device, &launch, &groups, NULL) != GWS_OK) return false;
    tasks->peer_groups = groups < tasks->groups ? (uint32_t)groups : tasks->groups;
    return true;
}

bool gws__task_group_admits(const struct gws__task_device *first, const struct gws__task_device *device)
{
    uint32_t count = 0, rank;
    for (; first; first = first->next, count++) {
        if (!share_atomics(first->from->tasks, device->from->tasks, &rank)) return false;
        if (!gws__task_group_supports(first->from->tasks) || !gws__task_group_supports(device->from->tasks))
            return false;
    }
    return count <= TASK_PEERS;
}

/* Lists the peers of a device by the rank of their links. Devices of equal rank follow in a ring, so that not all
 * devices begin with the same one. */
static uint32_t list_peers(struct gws__task_device *first, struct gws__task_device *device)
{
    uint32_t rank[TASK_PEERS], count = 0;
    for (struct gws__task_device *peer = device->next ? device->next : first; peer != device;
         peer = peer->next ? peer->next : first) {
        uint32_t own, at = count++;
        (void)share_atomics(device->from->tasks, peer->from->tasks, &own);
        for (; at > 0 && rank[at - 1] > own; at--) {
            rank[at] = rank[at - 1];
            device->peer[at] = device->peer[at - 1];
        }
        rank[at] = own;
        device->peer[at] = peer;
    }
    return count;
}

static uint64_t address_of(const struct gws_device_tasks *tasks, enum gws__task_buffer buffer)
{
    return (uintptr_t)gws_device_buffer_native(tasks->buffer[buffer]);
}

static gws_status write_peers(const struct gws__task_device *first, const struct gws__task_device *device,
                              struct gws_diagnostic *where)
{
    struct gws_device_tasks *tasks = device->from->tasks;
    uint64_t words[TASK_PEERS_WORDS] = {0};
    words[TASK_PEERS_OPEN] = address_of(first->from->tasks, gws__task_control) + TASK_OPEN * sizeof *words;
    words[TASK_PEERS_COUNT] = tasks->peers;
    for (uint32_t i = 0; i < tasks->peers; i++) {
        const struct gws_device_tasks *peer = device->peer[i]->from->tasks;
        uint64_t *row = words + TASK_PEERS_FIRST + i * TASK_PEER_STRIDE;
        row[TASK_PEER_DEQUES] = address_of(peer, gws__task_deques);
        row[TASK_PEER_CONTROL] = address_of(peer, gws__task_control);
        row[TASK_PEER_BLOCK] = address_of(peer, gws__task_block);
        row[TASK_PEER_WORKERS] = peer->workers / peer->groups * peer->peer_groups;
        row[TASK_PEER_PLACES] = peer->workers;
    }
    return gws_device_write(tasks->buffer[gws__task_peers], 0, words, sizeof words, where);
}

gws_status gws__task_group_connect(struct gws__task_device *first, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    for (struct gws__task_device *device = first; device && status == GWS_OK && first->next; device = device->next) {
        struct gws_device_tasks *tasks = device->from->tasks;
        tasks->peers = list_peers(first, device);
        for (uint32_t i = 0; i < tasks->peers && status == GWS_OK; i++)
            status = gws_device_reach(tasks->device, device->peer[i]->from->tasks->device, where);
        if (status == GWS_OK) status = write_peers(first, device, where);
    }
    return status;
}

/* ---- tasks ---- */

gws_status gws__task_group_add(struct gws__task_device *first, const uint32_t *task, uint64_t count, uint32_t stride)
{
    const uint64_t devices = first->from->tasks->peers + UINT64_C(1);
    uint64_t begin = 0, i = 1;
    gws_status status = GWS_OK;
    for (struct gws__task_device *device = first; device && status == GWS_OK; device = device->next, i++) {
        const uint64_t end = (count * i + devices - 1) / devices;
        status = gws__task_blocks_add(device->from->tasks, task + begin * stride, end - begin, stride);
        begin = end;
    }
    return status;
}

bool gws__task_group_left(const struct gws__task_device *first)
{
    bool left = false;
    for (; first && !left; first = first->next) left = gws__task_blocks_left(first->from->tasks);
    return left;
}

gws_status gws__task_group_give(struct gws__task_device *first, struct gws_diagnostic *where)
{
    uint64_t count = 0, workers = 0;
    gws_status status = GWS_OK;
    struct gws__task_device *device = first;
    do {
        count += gws__task_blocks_count(device->from->tasks);
        workers += device->from->tasks->workers;
    } while ((device = device->next));
    const bool gives = count > 1 && count >= workers;
    for (device = first; device && gives && status == GWS_OK; device = device->next)
        if (gws__task_blocks_count(device->from->tasks) > 1) status = gws__task_blocks_give(device->from->tasks, where);
    gws__task_pool_answered(&first->side, gives || count == 0, gws_clock_ms() - first->landed_ms);
    return status;
}

void gws__task_group_count(struct gws__task_device *first)
{
    for (struct gws__task_device *device = first; device; device = device->next) {
        const struct gws_device_tasks *tasks = device->from->tasks;
        for (uint32_t i = 0; i < tasks->peers; i++) {
            const uint64_t steals = tasks->control[TASK_ACROSS + i], stolen = tasks->control[TASK_ACROSS_TASKS + i];
            struct gws__task_side *peer = &device->peer[i]->side;
            device->side.from[peer->number] += stolen;
            device->side.taken += stolen;
            device->side.takes += steals;
            peer->given += stolen;
            peer->gives += steals;
        }
    }
}

/* ---- launches ---- */

/* Ends the kernels of all devices. relaxed: the words carry no other data. */
static void set_stops(struct gws__task_device *first, uint32_t word)
{
    for (struct gws__task_device *device = first; device; device = device->next)
        if (device->from->tasks->stop.word)
            atomic_store_explicit(device->from->tasks->stop.word, word, memory_order_relaxed);
}

/* Starts all kernels, and waits for those that it started. A kernel does not end before those of all its peers have
 * run, so a failure ends all of them. */
static gws_status start_and_wait(struct gws__task_device *first, struct gws_diagnostic *where)
{
    struct gws__task_device *device = first, *end;
    gws_status status = GWS_OK;
    for (; device && status == GWS_OK; device = device->next) {
        const struct gws_device_task_roots roots = {.data = device->from->data, .more = device->from->more};
        status = gws__device_tasks_start(device->from->tasks, &roots, where);
        if (status != GWS_OK) break;
    }
    end = device;
    if (status != GWS_OK) set_stops(first, TASK_STOP_NOW);
    for (device = first; device != end; device = device->next) {
        const gws_status ended = gws_device_wait(device->from->tasks->device, status == GWS_OK ? where : NULL);
        if (ended != GWS_OK) set_stops(first, TASK_STOP_NOW);
        if (status == GWS_OK) status = ended;
    }
    return status;
}

gws_status gws__task_group_launch(struct gws__task_device *first, bool *gives, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    struct gws__task_device *device = first;
    do {
        status = gws__device_tasks_prepare(device->from->tasks, where);
    } while (status == GWS_OK && (device = device->next));
    if (status != GWS_OK) return status;
    if (gws_cancelled(first->side.pool->runtime) || !gws__task_pool_launch(&first->side))
        return gws_diagnostic_status(where, GWS_CANCELLED);
    const double began = gws_clock_ms();
    status = start_and_wait(first, where);
    *gives = gws__task_pool_landed(&first->side);
    first->landed_ms = gws_clock_ms();
    const double ms = first->landed_ms - began;
    if (first->next) set_stops(first->next, 0); /* the pool has cleared the first one's word */
    if (status == GWS_OK && gws__task_pool_over(first->side.pool)) status = gws_diagnostic_status(where, GWS_CANCELLED);
    for (device = first; device && status == GWS_OK; device = device->next) {
        device->result.ms += ms;
        status = gws__device_tasks_finish(device->from->tasks, &device->result, where);
    }
    return status;
}

/* SPDX-License-Identifier: MIT */
/* The ranks prepare their devices, and launch, pause and end the kernels together: between two of these steps each
 * waits for all. So no kernel accesses memory of a device that is not prepared, or that its host already reads.
 *
 * A kernel does not end before those of all its peers have run. So a rank whose launch or kernel fails sets a word that
 * all ranks share. The others, which look at it while they wait, then end their kernels, too (lib/device/stream.c). */
#include "rank_devices.h"

#include <string.h>

#include "../device/kind.h"
#include "../parallel.h"
#include "../transport/transport.h"
#include "ranks.h"
#include "task_group.h"

/* The buffers that peers access. */
static const enum gws__task_buffer shared_buffer[] = {gws__task_deques, gws__task_control, gws__task_block};

enum { shared_buffers = sizeof shared_buffer / sizeof *shared_buffer };

/* What a rank tells the others about its device. */
struct member {
    uint64_t workers, places;
    struct gws__device_name name[shared_buffers];
};

enum { member_words = sizeof(struct member) / sizeof(uint64_t) };

struct gws__rank_group {
    struct gws_transport *transport;
    struct gws_device_tasks *tasks;
    uint32_t rank, ranks;
    struct member member[TASK_PEERS + 1];                             /* by rank */
    struct gws_device_buffer *mapped[TASK_PEERS + 1][shared_buffers]; /* by rank; NULL: not mapped */
    _Atomic uint64_t *failed;                                         /* the word that the ranks share */
};

/* ---- the memory of the others ---- */

/* Names the buffers of this rank's device. Returns false if its side cannot belong to a group. */
static bool describe(const struct gws__sides_call *call, const struct gws_ranks *ranks, struct member *own)
{
    struct gws_device_tasks *tasks = call->side->tasks;
    const struct gws_transport *transport = ranks->transport;
    const uint32_t others = transport->info.ranks - 1;
    if (call->count > 1 || !tasks || ranks->reach || others < 1 || others > TASK_PEERS) return false;
    if (transport->links.count[GWS__LINK_SHARED] != others || !gws__task_group_supports(tasks)) return false;
    own->workers = tasks->workers / tasks->groups * tasks->peer_groups;
    own->places = tasks->workers;
    for (int i = 0; i < shared_buffers; i++)
        if (gws__device_buffer_name(tasks->buffer[shared_buffer[i]], &own->name[i], NULL) != GWS_OK) return false;
    return true;
}

static gws_status map_buffers(struct gws__rank_group *group)
{
    gws_status status = GWS_OK;
    for (uint32_t r = 0; r < group->ranks && status == GWS_OK; r++)
        for (int i = 0; i < shared_buffers && status == GWS_OK && r != group->rank; i++)
            status =
                gws__device_buffer_map(group->tasks->device, &group->member[r].name[i], &group->mapped[r][i], NULL);
    return status;
}

/* Collective: when all ranks have unmapped the memory, the owners may free it. */
static void close_group(struct gws__rank_group *group)
{
    struct gws_transport *transport = group->transport;
    for (uint32_t r = 0; r < group->ranks; r++)
        for (int i = 0; i < shared_buffers; i++) gws_device_buffer_free(group->mapped[r][i]);
    group->tasks->group = NULL;
    transport->devices = NULL;
    gws_release(group->tasks->runtime, group, 1, sizeof *group);
    (void)gws_transport_agree(transport, GWS_OK);
}

void gws__rank_devices_close(struct gws_device_tasks *tasks)
{
    if (tasks->group) close_group(tasks->group);
}

/* Returns whether two ranks have the same device. Their kernels need not run at the same time. */
static bool any_shared(const struct gws__rank_group *group)
{
    for (uint32_t r = 0; r < group->ranks; r++)
        for (uint32_t other = 0; other < r; other++)
            if (strcmp(group->member[r].name->device, group->member[other].name->device) == 0) return true;
    return false;
}

/* Maps the memory of all devices. Returns whether that is possible on all ranks. */
static bool map_all(struct gws__rank_group *group)
{
    uint64_t words[TASK_PEERS + 1];
    for (uint32_t r = 0; r < group->ranks; r++) words[r] = member_words;
    gws_transport_allgather(group->transport, (uint64_t *)(void *)group->member, words);
    return !any_shared(group) && gws_transport_agree(group->transport, map_buffers(group)) == GWS_OK;
}

/* Makes the transport's group, in place of another one. Returns NULL if there can be none; the same on all ranks. */
static struct gws__rank_group *open_group(struct gws_transport *transport, struct gws_device_tasks *tasks,
                                          const struct member *own)
{
    if (transport->devices) close_group(transport->devices);
    struct gws__rank_group *made = gws_allocate(tasks->runtime, 1, sizeof *made);
    const gws_status status = gws_transport_agree(transport, made ? GWS_OK : GWS_NO_MEMORY);
    if (!made || status != GWS_OK) {
        gws_release(tasks->runtime, made, 1, sizeof *made);
        return NULL;
    }
    memset(made, 0, sizeof *made);
    made->transport = transport;
    made->tasks = tasks;
    made->rank = transport->info.rank;
    made->ranks = transport->info.ranks;
    made->member[made->rank] = *own;
    tasks->group = transport->devices = made;
    if (map_all(made)) return made;
    close_group(made);
    return NULL;
}

static uint64_t address_of(const struct gws__rank_group *group, uint32_t rank, int i)
{
    struct gws_device_buffer *buffer =
        rank == group->rank ? group->tasks->buffer[shared_buffer[i]] : group->mapped[rank][i];
    return (uintptr_t)gws_device_buffer_native(buffer);
}

/* Returns the rank of the peer with a number. The order differs by rank, so that not all begin with the same one. */
static uint32_t rank_of_peer(const struct gws__rank_group *group, uint32_t peer)
{
    return (group->rank + 1 + peer) % group->ranks;
}

static gws_status write_peers(struct gws__rank_group *group, struct gws_diagnostic *where)
{
    uint64_t words[TASK_PEERS_WORDS] = {0};
    group->tasks->peers = group->ranks - 1;
    words[TASK_PEERS_OPEN] = address_of(group, 0, 1) + TASK_OPEN * sizeof *words;
    words[TASK_PEERS_COUNT] = group->tasks->peers;
    for (uint32_t i = 0; i < group->tasks->peers; i++) {
        const uint32_t rank = rank_of_peer(group, i);
        uint64_t *row = words + TASK_PEERS_FIRST + i * TASK_PEER_STRIDE;
        row[TASK_PEER_DEQUES] = address_of(group, rank, 0);
        row[TASK_PEER_CONTROL] = address_of(group, rank, 1);
        row[TASK_PEER_BLOCK] = address_of(group, rank, 2);
        row[TASK_PEER_WORKERS] = group->member[rank].workers;
        row[TASK_PEER_PLACES] = group->member[rank].places;
    }
    return gws_device_write(group->tasks->buffer[gws__task_peers], 0, words, sizeof words, where);
}

/* ---- the run ---- */

static gws_status agree(const struct gws__rank_group *group, gws_status own, struct gws_diagnostic *where)
{
    return gws__ranks_agree(group->transport, own, where);
}

/* Starts this rank's kernel and waits until it has ended. */
static gws_status run_kernel(const struct gws__rank_group *group, const struct gws_device_task_side *side,
                             struct gws_diagnostic *where)
{
    struct gws_device_tasks *tasks = group->tasks;
    const struct gws_device_task_roots roots = {.data = side->data, .more = side->more};
    gws_status status = gws__device_tasks_start(tasks, &roots, where);
    if (status == GWS_OK) {
        tasks->device->own->ended = group->failed;
        status = gws__stop_wait(&tasks->stop, tasks->device, where);
        tasks->device->own->ended = NULL;
    }
    if (status != GWS_OK) atomic_store_explicit(group->failed, 1, memory_order_relaxed); /* has_ended() */
    /* A kernel that ended because another rank has failed is no failure of this one. */
    return status == GWS_CANCELLED && !gws_cancelled(tasks->runtime) ? GWS_OK : status;
}

/* One launch on all ranks. */
static gws_status launch(const struct gws__rank_group *group, const struct gws_device_task_side *side,
                         struct gws_device_tasks_result *result, struct gws_diagnostic *where)
{
    struct gws_device_tasks *tasks = group->tasks;
    gws_status status = gws__device_tasks_prepare(tasks, where);
    if (status == GWS_OK && gws_cancelled(tasks->runtime)) status = gws_diagnostic_status(where, GWS_CANCELLED);
    status = agree(group, status, where);
    if (status != GWS_OK) return status;
    const double began = gws_clock_ms();
    status = run_kernel(group, side, where);
    result->ms += gws_clock_ms() - began;
    status = agree(group, status, where);
    return status == GWS_OK ? gws__device_tasks_finish(tasks, result, where) : status;
}

/* Returns whether a task is left on any rank. */
static bool any_left(const struct gws__rank_group *group)
{
    uint64_t left = gws__task_blocks_left(group->tasks);
    gws_transport_max(group->transport, &left, 1);
    return left != 0;
}

static gws_status run_all(struct gws__rank_group *group, const struct gws__sides_call *call,
                          struct gws_device_tasks_result *result, struct gws_diagnostic *where)
{
    struct gws_device_tasks *tasks = group->tasks;
    const struct gws_device_task_roots *roots = call->roots;
    if (group->rank == 0) atomic_store_explicit(group->failed, 0, memory_order_relaxed); /* agreeing publishes it */
    gws_status status = write_peers(group, where);
    if (status == GWS_OK) status = gws__device_tasks_begin(tasks, result, where);
    if (status == GWS_OK) {
        status = gws__task_blocks_add(tasks, roots->task, roots->count, tasks->length + 1);
        if (status != GWS_OK) (void)gws_diagnostic_status(where, status);
    }
    while ((status = agree(group, status, where)) == GWS_OK && any_left(group))
        status = launch(group, call->side, result, where);
    if (status == GWS_OK) status = agree(group, gws__device_tasks_end(tasks, result, where), where);
    return status;
}

/* ---- statistics ---- */

static void count_steals(const struct gws__rank_group *group, struct gws_device_task_side_result *result,
                         struct gws_rank_stats *stats)
{
    const uint64_t *control = group->tasks->control;
    uint64_t from[2][TASK_PEERS + 1] = {{0}}; /* by rank: this rank's steals from it and their tasks, then of all */
    for (uint32_t i = 0; i < group->tasks->peers; i++) {
        const uint32_t rank = rank_of_peer(group, i);
        from[0][rank] = control[TASK_ACROSS + i];
        from[1][rank] = control[TASK_ACROSS_TASKS + i];
        result->takes += control[TASK_ACROSS + i];
        result->taken += control[TASK_ACROSS_TASKS + i];
    }
    gws_transport_sum(group->transport, *from, 2 * (TASK_PEERS + 1));
    result->gives = from[0][group->rank];
    result->given = from[1][group->rank];
    *stats = (struct gws_rank_stats){.requests = result->takes,
                                     .steals = result->takes,
                                     .stolen = result->taken,
                                     .given = result->given,
                                     .by_device = group->tasks->peers};
}

bool gws__rank_devices_run(const struct gws__sides_call *call, const struct gws_ranks *ranks, gws_status *status,
                           struct gws_diagnostic *where)
{
    struct gws_transport *transport = ranks->transport;
    struct gws_device_tasks *tasks = call->side->tasks;
    struct gws_device_tasks_result made;
    struct gws_rank_stats stats;
    struct member own;
    uint64_t unfit = !describe(call, ranks, &own),
             other = !tasks || !tasks->group || tasks->group->transport != transport;
    gws_transport_max(transport, &unfit, 1);
    uint64_t *failed = unfit == 0 ? gws_transport_scratch(transport, 1) : NULL;
    if (!failed || !tasks) return false; /* tasks: for static analysis */
    gws_transport_max(transport, &other, 1);
    struct gws__rank_group *group = other ? open_group(transport, tasks, &own) : tasks->group;
    if (!group) return false;
    group->failed = (_Atomic uint64_t *)(void *)failed;
    *status = run_all(group, call, &made, where);
    if (*status == GWS_OK) {
        *call->result =
            (struct gws_device_task_side_result){.created = made.created, .parents = made.parents, .device = made};
        count_steals(group, call->result, &stats);
        if (ranks->stats) *ranks->stats = stats;
    }
    tasks->peers = 0;
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Batches of tasks on several ranks. Worker 0 of each rank exchanges tasks with other ranks through its own queue
 * (rank_tasks.c). A rank is exhausted, and votes, if no worker has a task, the next batch has none, and the device is
 * idle. What a device leaves after a batch goes to the queue of the worker that merges it, and so to all ranks.
 *
 * Without CPU workers, worker 0 runs no task itself. It makes a batch of about half of its tasks, of all if they are
 * few, and keeps the others for thieves while it waits for the device. */
#define _POSIX_C_SOURCE 200809L
#include "batches.h"

#include <string.h>
#include <time.h>

static const double patience_ms = 0.05;

/* Tells an error of this rank to the job, and through it to the other ranks. One worker at a time is the agent. */
static void tell_failure(struct gws__batch_sharing *sharing, struct gws_task_worker *self)
{
    /* relaxed: the status is all that is exchanged. */
    if (sharing->status != GWS_OK)
        atomic_store_explicit(&self->job->failed, (uint32_t)sharing->status, memory_order_relaxed);
}

static void poll(void *context, struct gws_task_worker *self)
{
    struct gws__batch_sharing *sharing = context;
    if (atomic_load_explicit(&sharing->failed, memory_order_relaxed) && gws__batches_become_agent(sharing)) {
        tell_failure(sharing, self);
        gws__batches_resign(sharing);
    }
    sharing->peers->poll(sharing->peers->context, self);
}

/* ---- beside the CPU's workers ---- */

/* Returns the tasks of the next batch to the queue. The device gets none of the next ones, so each round makes
 * progress. */
static void take_back(struct gws__batch_sharing *sharing, struct gws_task_worker *self)
{
    const uint32_t count = sharing->count;
    sharing->count = 0;
    sharing->work = 0;
    atomic_store_explicit(&sharing->withheld, count, memory_order_relaxed);
    for (uint32_t i = 0; i < count; i++) gws_spawn(self, sharing->task + (uint64_t)i * sharing->words);
    self->made -= count; /* they are not new */
}

/* Polls the device. *idle: the device and the next batch have no tasks. Returns whether the queue has got some. */
static bool visit(struct gws__batch_sharing *sharing, struct gws_task_worker *self, bool exhausted, bool *idle)
{
    if (!gws__batches_become_agent(sharing)) return false;
    gws__batches_poll(sharing, self);
    if (exhausted && sharing->count > 0) take_back(sharing, self);
    tell_failure(sharing, self);
    *idle = !sharing->busy && sharing->count == 0;
    gws__batches_resign(sharing);
    return self->queue->length(self->state, self->worker) > 0;
}

static enum gws__peers_answer seek(void *context, struct gws_task_worker *self, bool exhausted)
{
    struct gws__batch_sharing *sharing = context;
    bool idle = false;
    if (visit(sharing, self, exhausted, &idle)) return GWS__PEERS_GAVE;
    return sharing->peers->seek(sharing->peers->context, self, exhausted && idle);
}

/* ---- without them ---- */

static void run_batch(struct gws__batch_sharing *sharing, struct gws_task_worker *self)
{
    static const struct timespec moment = {.tv_nsec = 20000};
    struct gws__spin spin = {0};
    gws__batches_launch(sharing);
    while (sharing->busy && sharing->status == GWS_OK) {
        gws__batches_poll(sharing, self);
        poll(sharing, self);
        if (sharing->busy && !gws__spin_on(&spin, patience_ms)) (void)nanosleep(&moment, NULL);
    }
    tell_failure(sharing, self);
}

/* Adds a task to the next batch. */
static void run_on_device(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                          uint32_t count)
{
    struct gws__batch_sharing *sharing = context;
    const struct gws__batches *batches = sharing->batches;
    (void)worker;
    (void)count;
    if (sharing->status != GWS_OK) return;
    if (sharing->count == 0) {
        const uint64_t half = self->queue->length(self->state, self->worker) / 2;
        sharing->size = half > batches->at_once ? half : batches->at_once;
        if (sharing->size > batches->tasks) sharing->size = batches->tasks;
    }
    memcpy(sharing->task + (uint64_t)sharing->count++ * sharing->words, task, sharing->words * sizeof *sharing->task);
    if (sharing->count >= sharing->size) run_batch(sharing, self);
}

static enum gws__peers_answer seek_for_device(void *context, struct gws_task_worker *self, bool exhausted)
{
    struct gws__batch_sharing *sharing = context;
    if (sharing->count > 0 && sharing->status == GWS_OK) run_batch(sharing, self);
    if (self->queue->length(self->state, self->worker) > 0) return GWS__PEERS_GAVE;
    return sharing->peers->seek(sharing->peers->context, self, exhausted);
}

/* ---- the run ---- */

static gws_status run_part(void *context, const struct gws__peers *peers)
{
    struct gws__batch_sharing *sharing = context;
    const struct gws__batches *batches = sharing->batches;
    const struct gws_ranks *ranks = batches->ranks;
    const struct gws__peers own = {.poll = poll,
                                   .seek = batches->device_only ? seek_for_device : seek,
                                   .context = sharing,
                                   .alone = batches->device_only,
                                   .otherwise = &gws__task_queue_chaselev};
    struct gws_tasks tasks = batches->cpu;
    if (sharing->status != GWS_OK) return sharing->status;
    tasks.batch = 1;
    tasks.run = batches->device_only ? run_on_device : gws__batches_run_task;
    tasks.context = sharing;
    if (!ranks->all_roots && gws_transport_rank(ranks->transport) > 0) tasks.roots = 0;
    sharing->peers = peers;
    gws_status status = gws__tasks_run_with(sharing->runtime, &tasks, &own);
    /* After an error, on any rank, the device may still run. */
    if (sharing->busy) (void)gws_device_wait(sharing->device, NULL);
    sharing->busy = false;
    return sharing->status != GWS_OK ? sharing->status : status;
}

gws_status gws__batches_run_on_ranks(struct gws__batch_sharing *sharing)
{
    return gws__rank_run(sharing->runtime, sharing->batches->ranks, sharing->batches->cpu.bytes, run_part, sharing);
}

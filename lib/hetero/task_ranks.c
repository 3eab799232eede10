/* SPDX-License-Identifier: MIT */
/* The sides of one rank (task_sides.c) in a run on several ranks (rank_tasks.c). The calling thread is worker 0 of one
 * run of the runtime's queues, which lasts as long as the run on all ranks: its hooks exchange tasks with other ranks,
 * and with the pool of the devices, which it visits. So a device gets tasks of other ranks through the pool, and its
 * own tasks go the same way. The rank is exhausted, and votes, if no worker and no device has tasks, nor the pool.
 *
 * If the CPU's workers are no side, worker 0 runs no task, but keeps some for other ranks: to run a task means to wait
 * until a device needs it. */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <time.h>

#include "rank_devices.h"
#include "rank_tasks.h"
#include "ranks.h"
#include "task_sides.h"

enum { few = 2 /* so many tasks worker 0 keeps for other ranks, at least */ };

/* Tells a failure of a device to the workers, and one of a worker or of another rank to the devices. relaxed: the
 * status is all that they exchange. */
static void exchange_failure(struct gws__cpu_side *cpu, struct gws__job *job)
{
    struct gws__task_pool *pool = cpu->side.pool;
    const gws_status failed = (gws_status)atomic_load_explicit(&job->failed, memory_order_relaxed);
    if (failed == GWS_OK && gws__task_pool_over(pool))
        atomic_store_explicit(&job->failed, gws__task_pool_status(pool), memory_order_relaxed);
    if (failed != GWS_OK && !gws__task_pool_over(pool)) gws__task_pool_end(pool, failed, NULL);
}

/* Moves tasks from the pool to worker 0's queue. Returns false if there are none. */
static bool visit(struct gws__cpu_side *cpu, struct gws_task_worker *self, bool *quiet)
{
    struct gws__task_pool *pool = cpu->side.pool;
    uint32_t *task = NULL;
    const uint64_t count = gws__task_pool_visit(pool, &cpu->side, &task, quiet);
    gws__rank_spawn(self, (const uint64_t *)(const void *)task, count);
    gws_release(pool->runtime, task, count, pool->entry * sizeof *task);
    return count > 0;
}

static void poll(void *context, struct gws_task_worker *self)
{
    struct gws__cpu_side *cpu = context;
    exchange_failure(cpu, self->job);
    cpu->ranks->poll(cpu->ranks->context, self);
}

static enum gws__peers_answer seek(void *context, struct gws_task_worker *self, bool exhausted)
{
    struct gws__cpu_side *cpu = context;
    struct gws__task_pool *pool = cpu->side.pool;
    struct gws__rank *rank = cpu->ranks->context;
    bool quiet = false;
    exchange_failure(cpu, self->job);
    if (exhausted && visit(cpu, self, &quiet)) return GWS__PEERS_GAVE;
    rank->sated = !cpu->from && !gws__task_pool_waits(pool);
    const enum gws__peers_answer answer = cpu->ranks->seek(rank, self, exhausted && quiet);
    if (answer == GWS__PEERS_GAVE) gws__task_pool_rest(pool, &cpu->side);
    if (answer == GWS__PEERS_OVER)
        gws__task_pool_end(pool, (gws_status)atomic_load_explicit(&self->job->failed, memory_order_relaxed), NULL);
    return answer;
}

/* ---- without the CPU's workers ---- */

void gws__cpu_side_keep(struct gws__cpu_side *cpu, struct gws_task_worker *self)
{
    struct gws__task_pool *pool = cpu->side.pool;
    static const struct timespec moment = {.tv_nsec = 50000};
    while (!gws__task_pool_over(pool) && !gws__task_pool_waits(pool)) {
        bool quiet;
        if (self->queue->length(self->state, self->worker) < few) (void)visit(cpu, self, &quiet);
        if (gws_cancelled(pool->runtime))
            atomic_store_explicit(&self->job->failed, GWS_CANCELLED, memory_order_relaxed);
        poll(cpu, self);
        exchange_failure(cpu, self->job); /* of another rank, too */
        (void)nanosleep(&moment, NULL);
    }
}

/* ---- the run ---- */

void gws__cpu_side_run_on_ranks(struct gws__cpu_side *cpu, const struct gws_tasks *tasks)
{
    const struct gws__peers peers = {
        .poll = poll, .seek = seek, .context = cpu, .alone = !cpu->from, .otherwise = &gws__task_queue_chaselev};
    const gws_status status = gws__tasks_run_with(cpu->side.pool->runtime, tasks, &peers);
    if (status != GWS_OK) gws__task_pool_end(cpu->side.pool, status, NULL);
}

/* ---- the call ---- */

static gws_status device_tasks_run_ranks(const struct gws_ranks *ranks, const struct gws__sides_call *given,
                                         struct gws_diagnostic *where)
{
    static const struct gws_device_task_roots none;
    struct gws_device_task_side_result result[GWS_DEVICE_TASK_SIDES];
    struct gws_rank_stats stats;
    struct gws_diagnostic message = {0};
    struct gws_ranks all = *ranks;
    struct gws__sides_call call = *given;
    /* Worker 0 may be a side of its own. */
    gws_status status = call.count < GWS_DEVICE_TASK_SIDES ? gws__task_sides_check(call.side, call.count) : GWS_INVALID;
    status = gws_transport_agree(ranks->transport, status);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    call.length = (call.side->tasks ? call.side : call.side + 1)->tasks->length;
    call.result = result;
    call.where = &message;
    if (!ranks->all_roots && gws_transport_rank(ranks->transport) > 0) call.roots = &none;
    status = ranks->transport->links.kind ? GWS_OK : gws_transport_choose_links(ranks->transport, NULL);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    if (gws__rank_devices_run(&call, ranks, &status, where)) {
        if (status == GWS_OK) *given->result = *result;
        return status;
    }
    all.stats = &stats;
    status = gws__rank_run(call.runtime, &all, (call.length + TASK_RANGE + 1) / 2 * 2 * (uint32_t)sizeof(uint32_t),
                           gws__task_sides_run, &call);
    if (status != GWS_OK) {
        gws__ranks_share_message(ranks->transport, status, &message);
        if (where) *where = message;
        return status;
    }
    for (uint32_t i = 0; i < call.count; i++) {
        given->result[i] = result[i];
        if (!call.side[i].tasks) given->result[i].parents += stats.given - stats.stolen;
    }
    if (ranks->stats) *ranks->stats = stats;
    return GWS_OK;
}

gws_status gws_device_tasks_run_ranks(struct gws_runtime *runtime, const struct gws_ranks *ranks,
                                      const struct gws_device_task_roots *roots,
                                      const struct gws_device_task_side *side, uint32_t count,
                                      struct gws_device_task_side_result *result, struct gws_diagnostic *where)
{
    const struct gws__sides_call call = {
        .runtime = runtime, .roots = roots, .side = side, .count = count, .result = result};
    if (!ranks || !ranks->transport) return gws_device_tasks_run_sides(runtime, roots, side, count, result, where);
    return GWS__RANKS_CALL(runtime, ranks->transport, where, device_tasks_run_ranks(ranks, &call, where));
}

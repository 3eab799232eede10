/* SPDX-License-Identifier: MIT */
/* What a simulated worker does with its own queue: it pops tasks, runs them and spawns others, as
 * lib/pool/tasks_work.c does. New tasks appear when their maker ends. */
#include "sim.h"

static uint64_t *running_of(const struct gws_sim *sim, uint32_t worker)
{
    return sim->running + (uint64_t)worker * sim->batch * sim->record;
}

/* Returns the queue of the tasks that a worker makes. */
static uint32_t queue_of(const struct gws_sim *sim, uint32_t worker)
{
    return sim->policy->queue == GWS__QUEUE_GLOBAL ? 0 : worker;
}

/* ---- running ---- */

static uint64_t cost_of(const struct gws_sim *sim, uint32_t worker, const uint64_t *record)
{
    double ns = sim->tasks->cost(sim->tasks->context, record + sim->maker);
    if (sim->policy->queue == GWS__QUEUE_GLOBAL) ns *= sim->options->machine.cost[GWS_SIM_shared];
    uint64_t ps = ns > 0 ? (uint64_t)(ns * 1e3 + 0.5) : 0;
    return sim->maker && record[0] != worker ? ps + sim->cost[GWS_SIM_migrate] : ps;
}

void gws__sim_note_start(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    if (of->started) return;
    of->started = true;
    sim->result.started++;
    sim->first_tasks += sim->wheel.now;
    sim->result.last_start_ms = (double)sim->wheel.now * 1e-9;
}

/* Moves count tasks from the queue to the worker's running ones, and adds the event of their end. */
static void run(struct gws_sim *sim, uint32_t worker, uint32_t count, bool oldest, uint64_t overhead)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    struct gws__sim_ring *ring = &sim->worker[queue_of(sim, worker)].queue;
    uint64_t *record = running_of(sim, worker), work = 0;
    for (uint32_t i = 0; i < count; i++, record += sim->record) {
        gws__sim_pop(sim, ring, oldest, record);
        work += cost_of(sim, worker, record);
    }
    if (sim->quantum) work = (work + sim->quantum - 1) / sim->quantum * sim->quantum;
    gws__sim_note_start(sim, worker);
    overhead += of->debt + sim->cost[GWS_SIM_pop];
    of->debt = 0;
    of->running = count;
    sim->work += work;
    gws__sim_busy(sim, worker, count, sim->wheel.now, sim->wheel.now + work + overhead);
    gws__sim_at(sim, worker, GWS__SIM_FINISH, sim->wheel.now + work + overhead);
}

/* The worker may access its own queue. overhead: time that it has spent. */
static void pop(struct gws_sim *sim, uint32_t worker, uint64_t overhead)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    const enum gws__queue queue = sim->policy->queue;
    uint32_t length = of->queue.length;
    if (queue == GWS__QUEUE_WORKPILE) {
        overhead += gws__sim_balance(sim, worker) + sim->cost[GWS_SIM_lock];
        length = of->queue.length;
    }
    uint32_t count = gws__decide_batch(length, sim->batch, sim->workers);
    if (queue == GWS__QUEUE_SPLIT && of->shared == length) {
        of->shared -= (of->shared + 1) / 2; /* the newer half of the shared part becomes private */
        overhead += sim->cost[GWS_SIM_lock];
    }
    if (queue == GWS__QUEUE_SPLIT && count > length - of->shared) count = length - of->shared;
    run(sim, worker, count, queue == GWS__QUEUE_WORKPILE, overhead);
    if (of->queue.length == 0) of->removed++; /* the owner competes with thieves for the last task */
    gws__sim_release(sim, worker);
    gws__sim_changed(sim, worker, length);
}

/* Returns whether the owner needs the lock for its next task. */
static bool needs_lock(const struct gws_sim *sim, const struct gws__sim_worker *of)
{
    if (sim->policy->queue == GWS__QUEUE_WORKPILE) return true;
    return sim->policy->queue == GWS__QUEUE_SPLIT && of->shared == of->queue.length;
}

void gws__sim_work(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    const uint64_t ready = sim->wheel.now + of->debt;
    if (sim->policy->queue == GWS__QUEUE_GLOBAL || of->queue.length == 0) {
        gws__sim_busy(sim, worker, 0, sim->wheel.now, ready);
        of->debt = 0;
        gws__sim_search(sim, worker, ready);
    } else if (!needs_lock(sim, of) || gws__sim_owner_lock(sim, worker)) {
        pop(sim, worker, 0);
    }
}

void gws__sim_run_stolen(struct gws_sim *sim, uint32_t worker)
{
    const uint32_t length = sim->worker[worker].queue.length;
    run(sim, worker, 1, !sim->options->newest, 0);
    gws__sim_release(sim, worker);
    gws__sim_changed(sim, worker, length);
}

void gws__sim_own(struct gws_sim *sim, uint32_t worker)
{
    if (sim->worker[worker].queue.length > 0)
        pop(sim, worker, 0);
    else
        gws__sim_search(sim, worker, sim->wheel.now);
    gws__sim_owner_unlock(sim, worker);
}

void gws__sim_pile(struct gws_sim *sim, uint32_t worker)
{
    const uint32_t length = sim->worker[0].queue.length;
    if (length == 0) {
        sim->worker[worker].state = GWS__SIM_OUT;
        gws__sim_search(sim, worker, sim->wheel.now);
        return;
    }
    run(sim, worker, gws__decide_batch(length, sim->batch, sim->workers), true, 0);
    gws__sim_changed(sim, 0, length);
}

void gws__sim_finish(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    const uint64_t *record = running_of(sim, worker);
    sim->self = worker;
    for (sim->ended = 0; sim->ended < of->running; sim->ended++, record += sim->record)
        sim->tasks->run(sim->tasks->context, sim, worker, record + sim->maker);
    sim->result.tasks += of->running;
    sim->outstanding -= of->running;
    gws__sim_work(sim, worker);
}

/* Lists the running tasks of a worker after the first `ended` ones. */
static uint32_t list_running(const struct gws_sim *sim, uint32_t worker, uint32_t ended, const void **task,
                             uint32_t max)
{
    const uint32_t left = sim->worker[worker].running - ended, count = left < max ? left : max;
    const uint64_t *record = running_of(sim, worker) + (uint64_t)ended * sim->record + sim->maker;
    for (uint32_t i = 0; i < count; i++) task[i] = record + (uint64_t)i * sim->record;
    return count;
}

uint32_t gws_sim_upcoming(const struct gws_sim *sim, const void **task, uint32_t max)
{
    enum { max_workers = 64 };
    uint32_t worker[max_workers], count = list_running(sim, sim->self, sim->ended, task, max);
    const uint32_t workers = gws__wheel_peek(&sim->wheel, worker, max_workers);
    for (uint32_t i = 0; i < workers; i++) {
        __builtin_prefetch(&sim->worker[worker[i]]);
        __builtin_prefetch(running_of(sim, worker[i]));
    }
    for (uint32_t i = 0; i < workers; i++) {
        if (sim->worker[worker[i]].state != GWS__SIM_FINISH) continue;
        gws__sim_prefetch(sim, &sim->worker[worker[i]].queue);
        count += list_running(sim, worker[i], 0, task + count, max - count);
    }
    return count;
}

/* ---- spawning ---- */

void gws_sim_spawn(struct gws_sim *sim, const void *task)
{
    const uint32_t queue = queue_of(sim, sim->self);
    struct gws__sim_worker *of = &sim->worker[queue];
    const uint32_t before = of->queue.length;
    if (!gws__sim_push(sim, &of->queue, sim->self, task)) return;
    sim->outstanding++;
    uint64_t time = sim->cost[GWS_SIM_push];
    if (sim->policy->queue == GWS__QUEUE_WORKPILE) time += sim->cost[GWS_SIM_lock];
    if (sim->policy->queue == GWS__QUEUE_GLOBAL) {
        const uint64_t now = sim->wheel.now + sim->worker[sim->self].debt;
        time = gws__sim_serve_pile(sim, sim->self, now + time) - now;
    }
    sim->worker[sim->self].debt += time;
    gws__sim_release(sim, queue);
    gws__sim_changed(sim, queue, before);
}

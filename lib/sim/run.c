/* SPDX-License-Identifier: MIT */
/* A call of gws_sim_run(): its memory, its loop of events and its result. */
#include <string.h>

#include "../base/memory.h"
#include "sim.h"

enum { max_bytes = 4096, max_batch = 256, events_between_asks = 1 << 16 };

/* ---- memory ---- */

static uint64_t words_of_bits(const struct gws_sim *sim)
{
    return ((uint64_t)sim->workers + 63) / 64;
}

static uint64_t running_words(const struct gws_sim *sim)
{
    return (uint64_t)sim->workers * sim->batch * sim->record;
}

static gws_status allocate(struct gws_sim *sim)
{
    const struct gws_allocator *allocator = &sim->runtime->allocator;
    sim->worker = gws__memory_zero(allocator, sim->workers, sizeof *sim->worker);
    sim->wheel.block = gws__memory_new(allocator, gws__wheel_blocks(sim->workers), sizeof *sim->wheel.block);
    sim->server = gws__memory_zero(allocator, sim->hosts, sizeof *sim->server);
    sim->stealable = gws__memory_zero(allocator, words_of_bits(sim), sizeof *sim->stealable);
    sim->stealable_words = gws__memory_zero(allocator, words_of_bits(sim) / 64 + 1, sizeof *sim->stealable_words);
    sim->hungry = gws__memory_zero(allocator, words_of_bits(sim), sizeof *sim->hungry);
    sim->idle = gws__memory_new(allocator, sim->workers, sizeof *sim->idle);
    sim->running = gws__memory_new(allocator, running_words(sim), sizeof *sim->running);
    const bool bits = sim->stealable && sim->stealable_words && sim->hungry;
    const bool all = sim->worker && sim->wheel.block && sim->server && bits && sim->idle && sim->running;
    return all ? GWS_OK : GWS_NO_MEMORY;
}

static void release(struct gws_sim *sim)
{
    const struct gws_allocator *allocator = &sim->runtime->allocator;
    for (uint32_t w = 0; sim->worker && w < sim->workers; w++) gws__sim_ring_clear(sim, &sim->worker[w].queue);
    gws__sim_blocks_clear(sim);
    gws__memory_free(allocator, sim->worker, sim->workers, sizeof *sim->worker);
    gws__memory_free(allocator, sim->wheel.block, gws__wheel_blocks(sim->workers), sizeof *sim->wheel.block);
    gws__memory_free(allocator, sim->server, sim->hosts, sizeof *sim->server);
    gws__memory_free(allocator, sim->stealable, words_of_bits(sim), sizeof *sim->stealable);
    gws__memory_free(allocator, sim->stealable_words, words_of_bits(sim) / 64 + 1, sizeof *sim->stealable_words);
    gws__memory_free(allocator, sim->idle, sim->workers, sizeof *sim->idle);
    gws__memory_free(allocator, sim->hungry, words_of_bits(sim), sizeof *sim->hungry);
    gws__memory_free(allocator, sim->running, running_words(sim), sizeof *sim->running);
}

/* ---- events ---- */

static void start(struct gws_sim *sim)
{
    const uint64_t stride = (sim->tasks->bytes + 7) / 8;
    gws__wheel_init(&sim->wheel, sim->wheel.block, gws__wheel_blocks(sim->workers));
    gws__sim_pool_open(sim);
    sim->share = 1.0 / sim->workers;
    for (uint32_t w = 0; w < sim->workers; w++) {
        struct gws__sim_worker *of = &sim->worker[w];
        of->random = gws_random_at(sim->options->seed, w);
        of->last = of->last_tried = w;
        of->holder = -1;
        of->threshold = 2;
    }
    for (uint64_t i = 0; i < sim->tasks->roots; i++)
        gws_sim_spawn(sim, (const uint64_t *)sim->tasks->root + i * stride);
    sim->worker[0].debt = 0;
    sim->pile_free = 0;
    for (uint32_t w = 0; w < sim->workers && sim->failed == GWS_OK; w++) gws__sim_work(sim, w);
}

static void handle(struct gws_sim *sim, uint32_t worker)
{
    static void (*const handler[])(struct gws_sim *, uint32_t) = {
        [GWS__SIM_FINISH] = gws__sim_finish, [GWS__SIM_PILE] = gws__sim_pile,       [GWS__SIM_PROBE] = gws__sim_probe,
        [GWS__SIM_LOOK] = gws__sim_look,     [GWS__SIM_REQUEST] = gws__sim_request, [GWS__SIM_ATOMIC] = gws__sim_atomic,
        [GWS__SIM_TURN] = gws__sim_turn,     [GWS__SIM_UNLOCK] = gws__sim_unlock,   [GWS__SIM_ARRIVE] = gws__sim_arrive,
        [GWS__SIM_OWNER] = gws__sim_own};
    if (sim->worker[worker].state == GWS__SIM_SCAN)
        gws__sim_scan(sim, worker, sim->wheel.now);
    else
        handler[sim->worker[worker].state](sim, worker);
}

/* Fetches a worker that has one of the next events, since the workers of a large machine are not in the cache. */
static void prefetch(const struct gws_sim *sim)
{
    enum { ahead = 3, line = 64 };
    if (sim->wheel.soons < ahead) return;
    const char *worker = (const char *)&sim->worker[sim->wheel.soon[sim->wheel.soons - ahead].worker];
    __builtin_prefetch(worker);
    __builtin_prefetch(worker + line);
}

static gws_status run_events(struct gws_sim *sim)
{
    start(sim);
    while (sim->outstanding > 0 && sim->failed == GWS_OK) {
        const bool hits = sim->pool_due != UINT64_MAX;
        const int32_t worker = gws__wheel_next(&sim->wheel, sim->pool_due);
        if (worker < 0 && !hits) return GWS_WRONG_RESULT; /* a task without a worker that would find it */
        if (++sim->result.events % events_between_asks == 0 && gws_cancelled(sim->runtime)) return GWS_CANCELLED;
        prefetch(sim);
        if (worker < 0)
            gws__sim_pool_hit(sim);
        else
            handle(sim, (uint32_t)worker);
    }
    return sim->failed;
}

static struct gws_sim_result result_of(struct gws_sim *sim)
{
    struct gws_sim_result result = sim->result;
    gws__sim_account(sim);
    gws__sim_pool_changes(sim);
    result.probes += gws__sim_pool_looks(sim);
    const uint64_t termination = gws__sim_termination(sim), end = sim->wheel.now;
    result.virtual_ms = (double)(end + termination) * 1e-9;
    result.termination_ms = (double)termination * 1e-9;
    result.busy_ms = (double)sim->busy * 1e-9;
    result.work_ms = (double)sim->work * 1e-9;
    if (result.started) result.first_task_ms = (double)sim->first_tasks * 1e-9 / result.started;
    if (end) result.queue_mean = sim->length / (double)end;
    if (end) result.queue_spread = sim->spread / (double)end;
    return result;
}

/* ---- the call ---- */

static gws_status refuse(struct gws_diagnostic *where, gws_status status, const char *text, const char *name)
{
    return gws_diagnostic_set(where, status, NULL, 0, 0, text, name ? name : "");
}

static gws_status choose(struct gws_sim *sim, struct gws_diagnostic *where)
{
    const struct gws_sim_options *options = sim->options;
    sim->policy = gws__policy_named(options->policy ? options->policy : "chaselev");
    if (!sim->policy) return refuse(where, GWS_INVALID, "unknown policy '%s'", options->policy);
    if (!gws__queue_is_for_tasks(sim->policy->queue))
        return refuse(where, GWS_UNSUPPORTED, "the policy %s runs tasks in rounds, which are not simulated",
                      sim->policy->name);
    sim->victim = options->victim ? gws__victim_named(options->victim) : sim->policy->victim;
    sim->amount = options->amount ? gws__amount_named(options->amount) : sim->policy->amount;
    if (options->victim && (!sim->victim || !sim->policy->victim))
        return refuse(where, GWS_INVALID, "the policy does not select victims by '%s'", options->victim);
    if (options->amount && (!sim->amount || !sim->policy->amount))
        return refuse(where, GWS_INVALID, "thieves of the policy do not take '%s'", options->amount);
    if (options->wait && !sim->policy->locks)
        return refuse(where, GWS_INVALID, "thieves of the policy %s do not lock", sim->policy->name);
    return options->ticket && !options->wait ? refuse(where, GWS_INVALID, "who has a ticket must wait%s", NULL)
                                             : GWS_OK;
}

static gws_status check(struct gws_sim *sim, struct gws_diagnostic *where)
{
    const struct gws_sim_tasks *tasks = sim->tasks;
    if (sim->workers < 1 || sim->workers > GWS_SIM_MAX_WORKERS)
        return refuse(where, GWS_INVALID, "a simulation has 1 to 1,048,576 workers%s", NULL);
    if (!tasks->cost || !tasks->run || tasks->bytes < 1 || tasks->bytes > max_bytes || tasks->batch > max_batch ||
        (!tasks->root && tasks->roots))
        return refuse(where, GWS_INVALID, "invalid tasks%s", NULL);
    if (!gws__sim_machine_open(sim)) return refuse(where, GWS_INVALID, "a cost or a size is out of bounds%s", NULL);
    return choose(sim, where);
}

static gws_status simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                           const struct gws_sim_tasks *tasks, struct gws_sim_result *result,
                           struct gws_diagnostic *where)
{
    struct gws_sim sim = {.runtime = runtime, .options = options, .tasks = tasks, .workers = options->workers};
    gws_status status = check(&sim, where);
    if (status != GWS_OK) return status;
    sim.maker = sim.cost[GWS_SIM_migrate] > 0;
    sim.record = (tasks->bytes + 7) / 8 + sim.maker;
    sim.batch = tasks->batch ? tasks->batch : 1;
    status = allocate(&sim);
    if (status == GWS_OK) status = run_events(&sim);
    if (status == GWS_OK) *result = result_of(&sim);
    release(&sim);
    return status;
}

gws_status gws_sim_run(struct gws_runtime *runtime, const struct gws_sim_options *options,
                       const struct gws_sim_tasks *tasks, struct gws_sim_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, simulate(runtime, options, tasks, result, where));
}

/* SPDX-License-Identifier: MIT */
/* What all simulations begin and end with: checks of the options, memory, the result. */
#include "../base/memory.h"
#include "sim.h"

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

void gws__sim_close(struct gws_sim *sim)
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

/* ---- options ---- */

static gws_status refuse(struct gws_diagnostic *where, gws_status status, const char *text, const char *name)
{
    return gws_diagnostic_set(where, status, NULL, 0, 0, text, name ? name : "");
}

static gws_status choose(struct gws_sim *sim, bool levels, struct gws_diagnostic *where)
{
    const struct gws_sim_options *options = sim->options;
    sim->policy = gws__policy_named(options->policy || levels ? options->policy : "chaselev");
    if (!sim->policy) return refuse(where, GWS_INVALID, "unknown policy '%s'", options->policy);
    if (gws__queue_is_for_tasks(sim->policy->queue) == levels)
        return refuse(where, GWS_UNSUPPORTED,
                      levels ? "the policy %s runs loops as tasks, which are not simulated"
                             : "the policy %s runs tasks in rounds, which are not simulated",
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

static gws_status check(struct gws_sim *sim, bool levels, struct gws_diagnostic *where)
{
    if (sim->workers < 1 || sim->workers > GWS_SIM_MAX_WORKERS)
        return refuse(where, GWS_INVALID, "a simulation has 1 to 1,048,576 workers%s", NULL);
    if (!gws__sim_machine_open(sim)) return refuse(where, GWS_INVALID, "a cost or a size is out of bounds%s", NULL);
    return choose(sim, levels, where);
}

gws_status gws__sim_open(struct gws_sim *sim, bool levels, struct gws_diagnostic *where)
{
    sim->workers = sim->options->workers;
    gws_status status = check(sim, levels, where);
    if (status != GWS_OK) return status;
    sim->maker = sim->cost[GWS_SIM_migrate] > 0;
    sim->record = sim->words + sim->maker;
    sim->slot_words = sim->record + sim->repeats;
    status = allocate(sim);
    if (status != GWS_OK) return status;
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
    return GWS_OK;
}

/* ---- result ---- */

struct gws_sim_result gws__sim_result(struct gws_sim *sim, uint64_t termination)
{
    struct gws_sim_result result = sim->result;
    gws__sim_account(sim);
    gws__sim_pool_changes(sim);
    result.probes += gws__sim_pool_looks(sim);
    const uint64_t end = sim->wheel.now;
    result.virtual_ms = (double)(end + termination) * 1e-9;
    result.termination_ms = (double)termination * 1e-9;
    result.busy_ms = (double)sim->busy * 1e-9;
    result.work_ms = (double)sim->work * 1e-9;
    if (result.started) result.first_task_ms = (double)sim->first_tasks * 1e-9 / result.started;
    if (end) result.queue_mean = sim->length / (double)end;
    if (end) result.queue_spread = sim->spread / (double)end;
    return result;
}

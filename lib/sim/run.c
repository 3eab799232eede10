/* SPDX-License-Identifier: MIT */
/* A call of gws_sim_run(): its loop of events. */
#include "sim.h"

enum { max_bytes = 4096, max_batch = 256, events_between_asks = 1 << 16 };

/* ---- events ---- */

static void start(struct gws_sim *sim)
{
    const uint64_t stride = (sim->tasks->bytes + 7) / 8;
    for (uint64_t i = 0; i < sim->tasks->roots; i++)
        gws_sim_spawn(sim, (const uint64_t *)sim->tasks->root + i * stride);
    sim->worker[0].debt = 0;
    sim->pile_free = sim->pile_others = 0;
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

/* ---- the call ---- */

static gws_status simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                           const struct gws_sim_tasks *tasks, struct gws_sim_result *result,
                           struct gws_diagnostic *where)
{
    struct gws_sim sim = {.runtime = runtime, .options = options, .tasks = tasks};
    if (!tasks->cost || !tasks->run || tasks->bytes < 1 || tasks->bytes > max_bytes || tasks->batch > max_batch ||
        (!tasks->root && tasks->roots) || !(tasks->quantum >= 0 && tasks->quantum <= 1e12))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "invalid tasks");
    sim.words = (tasks->bytes + 7) / 8;
    sim.batch = tasks->batch ? tasks->batch : 1;
    sim.repeats = tasks->repeats;
    sim.quantum = (uint64_t)(tasks->quantum * 1e3 + 0.5);
    gws_status status = gws__sim_open(&sim, false, where);
    if (status == GWS_OK) status = run_events(&sim);
    if (status == GWS_OK) *result = gws__sim_result(&sim, gws__sim_termination(&sim));
    gws__sim_close(&sim);
    return status;
}

gws_status gws_sim_run(struct gws_runtime *runtime, const struct gws_sim_options *options,
                       const struct gws_sim_tasks *tasks, struct gws_sim_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, simulate(runtime, options, tasks, result, where));
}

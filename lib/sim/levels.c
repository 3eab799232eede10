/* SPDX-License-Identifier: MIT */
/* Loops over levels in virtual time, as lib/pool/run.c runs them: the caller calls workers down a tree, each takes
 * ranges from the queue of the policy, and the end passes up the tree.
 *
 * Between two events a worker is in one of these states:
 *     CHUNK    it takes its next range               SEEK     it looks for a victim
 *     STEAL    its operation reaches the victim      REQUEST  its operation reaches the shared counter
 *     TAKE     the operation on the counter is done
 *
 * `chunked`, `static`: `left` has the indexes of each worker's part that nobody has taken. The owner takes chunks from
 * the front, thieves from the end. `cursor`, `coarse`, `central`: a counter of taken indexes. In `central` worker 0
 * makes indexes ready, in batches (lib/queue/central.c). */
#include <math.h>

#include "../base/memory.h"
#include "sim.h"

enum state { CHUNK, SEEK, STEAL, REQUEST, TAKE };
enum { window = 64, events_between_asks = 1 << 16 };

struct level_run {
    struct gws_sim *sim;
    uint64_t *left;                 /* by worker */
    uint64_t count, taken, ready;   /* of the counter */
    double ns, spread;              /* of an index */
    uint64_t chunk, seekers, ended; /* seekers: workers that have not given up; ended: when the last one did */
    uint32_t attempts;
};

static void wait_for(struct level_run *level, uint32_t worker, enum state state, uint64_t time)
{
    level->sim->worker[worker].state = (uint8_t)state;
    gws__wheel_add(&level->sim->wheel, (int32_t)worker, time);
}

/* The worker has found no more indexes. */
static void give_up(struct level_run *level, uint64_t time)
{
    level->seekers--;
    if (time > level->ended) level->ended = time;
}

/* Returns a normal number with mean 0 and variance 1, nearly: the sum of four uniform ones. */
static double draw_normal(struct gws__sim_worker *worker)
{
    static const double one = 65536, deviation = 0.57735026918962576;
    const uint64_t bits = gws_random_next(&worker->random);
    const uint64_t sum = (bits & 65535) + (bits >> 16 & 65535) + (bits >> 32 & 65535) + (bits >> 48);
    return ((double)sum / one - 2) / deviation;
}

static void run(struct level_run *level, uint32_t worker, uint64_t indexes, uint64_t time)
{
    struct gws_sim *sim = level->sim;
    double ns = (double)indexes * level->ns;
    if (level->spread > 0) ns += level->ns * level->spread * sqrt((double)indexes) * draw_normal(&sim->worker[worker]);
    const uint64_t work = ns > 0 ? (uint64_t)(ns * 1e3 + 0.5) : 0, pop = sim->cost[GWS_SIM_pop];
    gws__sim_note_start(sim, worker);
    sim->result.tasks += indexes;
    sim->work += work;
    gws__sim_busy(sim, worker, indexes, time, time + pop + work);
    wait_for(level, worker, CHUNK, time + pop + work);
}

/* ---- parts ---- */

static void set_left(struct level_run *level, uint32_t worker, uint64_t left)
{
    struct gws_sim *sim = level->sim;
    const uint64_t bit = UINT64_C(1) << (worker % 64);
    if ((left > 0) != (level->left[worker] > 0)) {
        sim->stealable[worker / 64] ^= bit;
        sim->stealables += left > 0 ? 1U : UINT32_MAX;
    }
    level->left[worker] = left;
    if (left > sim->result.queue_high_water) sim->result.queue_high_water = left;
}

/* Goes on with a search. The caller of the loop tries all victims, as in lib/pool/run.c. */
static void seek(struct level_run *level, uint32_t thief, uint64_t time)
{
    struct gws_sim *sim = level->sim;
    const uint32_t all = sim->workers - 1, limit = thief == 0 || level->attempts > all ? all : level->attempts;
    const uint32_t tried = sim->worker[thief].tried, tries = limit > tried ? limit - tried : 0;
    if (!sim->policy->victim || tries == 0) {
        give_up(level, time);
    } else if (sim->stealables == 0) { /* no worker adds indexes */
        sim->result.probes += tries;
        give_up(level, time + tries * gws__sim_look_time(sim));
    } else {
        const bool found = gws__sim_look_around(sim, thief, tries < window ? tries : window, &time);
        wait_for(level, thief, found ? STEAL : SEEK, time);
    }
}

static void steal(struct level_run *level, uint32_t thief)
{
    struct gws_sim *sim = level->sim;
    struct gws__sim_worker *of = &sim->worker[thief];
    const uint64_t left = level->left[of->victim], now = sim->wheel.now;
    if (left == 0) {
        sim->result.failed_steals++;
        seek(level, thief, now);
        return;
    }
    const uint64_t last = (left - 1) % level->chunk + 1;
    set_left(level, of->victim, left - last);
    of->last = of->victim;
    gws__sim_stole(sim, thief, of->victim, last);
    run(level, thief, last, gws__sim_serve(sim, thief, of->victim) + gws__sim_access(sim, thief, of->victim) / 2);
}

/* ---- the counter ---- */

static void request(struct level_run *level, uint32_t worker)
{
    wait_for(level, worker, TAKE, gws__sim_serve(level->sim, worker, 0));
}

/* Makes a batch of indexes ready. The workers that read the counter in vain see it at their next read. */
static void refill(struct level_run *level, uint64_t batch)
{
    struct gws_sim *sim = level->sim;
    level->ready = level->count - level->ready < batch ? level->count : level->ready + batch;
    while (sim->idles > 0) {
        const uint32_t worker = sim->idle[--sim->idles];
        wait_for(level, worker, REQUEST, sim->wheel.now + gws__sim_access(sim, worker, 0));
    }
}

static void take(struct level_run *level, uint32_t worker)
{
    struct gws_sim *sim = level->sim;
    const uint64_t batch = level->chunk * sim->workers * 4, back = gws__sim_access(sim, worker, 0) / 2;
    if (sim->policy->queue != GWS__QUEUE_CENTRAL)
        level->ready = level->count;
    else if (worker == 0 && level->ready - level->taken <= batch)
        refill(level, batch);
    const uint64_t ready = level->ready - level->taken, indexes = ready < level->chunk ? ready : level->chunk;
    if (level->taken == level->count) {
        give_up(level, sim->wheel.now + back);
    } else if (indexes == 0) { /* worker 0 is late */
        sim->idle[sim->idles++] = worker;
    } else {
        level->taken += indexes;
        run(level, worker, indexes, sim->wheel.now + back);
    }
}

/* ---- a level ---- */

static bool has_parts(const struct level_run *level)
{
    return level->sim->policy->queue <= GWS__QUEUE_STATIC && level->sim->policy->queue != GWS__QUEUE_CURSOR;
}

static void next_chunk(struct level_run *level, uint32_t worker)
{
    struct gws_sim *sim = level->sim;
    const uint64_t now = sim->wheel.now, left = level->left[worker];
    if (!has_parts(level)) {
        wait_for(level, worker, REQUEST, now + gws__sim_access(sim, worker, 0) / 2);
    } else if (left == 0) {
        sim->worker[worker].tried = 0;
        seek(level, worker, now);
    } else {
        const bool all = sim->policy->queue == GWS__QUEUE_STATIC || left < level->chunk;
        const uint64_t indexes = all ? left : level->chunk;
        set_left(level, worker, left - indexes);
        run(level, worker, indexes, now);
    }
}

static void handle(struct level_run *level, uint32_t worker)
{
    switch ((enum state)level->sim->worker[worker].state) {
    case CHUNK:
        next_chunk(level, worker);
        break;
    case SEEK:
        seek(level, worker, level->sim->wheel.now);
        break;
    case STEAL:
        steal(level, worker);
        break;
    case REQUEST:
        request(level, worker);
        break;
    case TAKE:
        take(level, worker);
        break;
    }
}

/* Divides the level into a part for each worker, of whole chunks, or of equal length for `static`. */
static void divide(struct level_run *level, uint32_t workers)
{
    const bool whole = level->sim->policy->queue != GWS__QUEUE_STATIC;
    const uint64_t size = whole ? level->chunk : 1, pieces = (level->count + size - 1) / size;
    uint64_t rest = level->count;
    for (uint32_t w = 0; w < workers; w++) {
        const uint64_t part = (pieces / workers + (w < pieces % workers)) * size, indexes = part < rest ? part : rest;
        set_left(level, w, indexes);
        rest -= indexes;
    }
}

static uint32_t workers_for(const struct gws_sim *sim, uint64_t count, uint32_t grain)
{
    const uint32_t all = sim->options->workers;
    const uint32_t workers =
        sim->policy->coarse ? gws__decide_workers_coarse(count, grain, all) : gws__decide_workers(count, grain, all);
    return workers < count ? workers : (uint32_t)count;
}

/* Runs the events of a level whose workers begin at that time. */
static gws_status run_level(struct level_run *level, uint64_t begin)
{
    struct gws_sim *sim = level->sim;
    const uint32_t chunk = sim->options->chunk ? sim->options->chunk : gws__decide_chunk(level->count, sim->workers);
    level->chunk = chunk;
    level->attempts = gws__decide_attempts(level->count, chunk, sim->workers - (sim->workers > 1));
    level->seekers = sim->workers;
    level->ended = begin;
    level->taken = level->ready = 0;
    if (has_parts(level)) divide(level, sim->workers);
    for (uint32_t w = 0; w < sim->workers; w++) wait_for(level, w, CHUNK, begin);
    while (level->seekers > 0) {
        const int32_t worker = gws__wheel_next(&sim->wheel, UINT64_MAX);
        if (++sim->result.events % events_between_asks == 0 && gws_cancelled(sim->runtime)) return GWS_CANCELLED;
        handle(level, (uint32_t)worker);
    }
    return GWS_OK;
}

static gws_status run_levels(struct level_run *level, const struct gws_sim_levels *levels, uint64_t *barrier)
{
    struct gws_sim *sim = level->sim;
    gws_status status = GWS_OK;
    for (uint64_t i = 0, now = 0; i < levels->count && status == GWS_OK; i++) {
        if (levels->size[i] == 0) continue;
        level->count = levels->size[i];
        level->ns = levels->ns;
        level->spread = levels->spread;
        sim->workers = workers_for(sim, level->count, levels->grain);
        /* The call passes down a tree of the workers, and the end up. */
        *barrier = (31U - (uint32_t)__builtin_clz(sim->workers)) * sim->cost[GWS_SIM_message];
        status = run_level(level, now + *barrier);
        now = level->ended + *barrier;
        sim->wheel.now = level->ended;
    }
    sim->workers = sim->options->workers;
    return status;
}

static gws_status simulate(struct gws_runtime *runtime, const struct gws_sim_options *options,
                           const struct gws_sim_levels *levels, struct gws_sim_result *result,
                           struct gws_diagnostic *where)
{
    struct gws_sim sim = {.runtime = runtime, .options = options, .words = 1, .batch = 1};
    struct level_run level = {.sim = &sim};
    uint64_t barrier = 0;
    if (!(levels->ns >= 0 && levels->ns <= 1e9 && levels->spread >= 0 && levels->spread <= 1e3) ||
        (!levels->size && levels->count))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "invalid levels");
    gws_status status = gws__sim_open(&sim, true, where);
    if (status == GWS_OK) {
        level.left = gws__memory_zero(&runtime->allocator, options->workers, sizeof *level.left);
        status = level.left ? run_levels(&level, levels, &barrier) : GWS_NO_MEMORY;
        gws__memory_free(&runtime->allocator, level.left, options->workers, sizeof *level.left);
    }
    if (status == GWS_OK) *result = gws__sim_result(&sim, barrier);
    gws__sim_close(&sim);
    return status;
}

gws_status gws_sim_levels(struct gws_runtime *runtime, const struct gws_sim_options *options,
                          const struct gws_sim_levels *levels, struct gws_sim_result *result,
                          struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, simulate(runtime, options, levels, result, where));
}

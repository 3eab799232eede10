/* SPDX-License-Identifier: MIT */
/* Running one loop: fill the container, call as many workers as it is worth, take and steal until all is empty, wait.
 * The flow is that of Abdelmageed's thesis (section 3.2), but that the main thread works too. */
#include "../base/spin.h"
#include "../random.h"
#include "tasks.h"

struct gws_view gws__pool_view(struct gws__pool *pool, uint32_t self, uint32_t victims)
{
    struct gws__worker_state *state = &pool->worker[self];
    return (struct gws_view){.self = self,
                             .workers = victims,
                             .last = state->last,
                             .turn = state->turn < victims ? state->turn : self,
                             .bits = gws_random_next(&state->random),
                             .near = state->near};
}

uint32_t gws__pool_victim(const struct gws__pool *pool, const struct gws_view *view)
{
    return pool->own ? gws__victim_own(pool->own, view) : pool->victim(view);
}

/* Goes round the others in the order of the policy until a chunk is got or enough were empty. Nothing is put back into
 * a container while a loop runs, so one look at each that says EMPTY is enough. */
static bool steal(struct gws__pool *pool, uint32_t self, struct gws_worker_stats *stats, struct gws_range *range)
{
    struct gws__worker_state *state = &pool->worker[self];
    if (!pool->victim || !pool->policy->levels->steal || pool->victims < 2) return false;
    struct gws_view view = gws__pool_view(pool, self, pool->victims);
    uint32_t attempts = self == 0 ? pool->victims - 1 : pool->attempts;
    uint32_t victim = gws__pool_victim(pool, &view);
    while (view.tried < attempts) {
        enum gws_grab grab = pool->policy->levels->steal(pool->container, victim, range);
        if (grab == GWS_GRAB_TOOK) {
            state->last = state->turn = victim;
            stats->steals++;
            stats->stolen += range->end - range->begin;
            return true;
        }
        stats->failed_steals++;
        if (grab == GWS_GRAB_LOST) continue; /* somebody else got one: there may be more */
        view.previous = state->turn = victim;
        if (++view.tried < attempts) victim = gws__pool_victim(pool, &view);
    }
    return false;
}

static bool take(struct gws__pool *pool, uint32_t self, struct gws_worker_stats *stats, struct gws_range *range)
{
    for (;;) {
        enum gws_grab grab = pool->policy->levels->pop(pool->container, self, range);
        if (grab == GWS_GRAB_TOOK) return true;
        if (grab == GWS_GRAB_EMPTY) return steal(pool, self, stats, range);
        gws__spin_pause(); /* there will be more in a moment */
    }
}

/* What a traced worker did since *since, up to a steal that took until now. */
static void trace_steal(struct gws__pool *pool, struct gws__worker_state *state, uint64_t *since, uint64_t tried,
                        uint64_t *tasks, uint64_t stolen)
{
    uint64_t now = gws__pool_now(pool);
    gws__pool_trace(pool, state, GWS_SLICE_BUSY, *since, tried, *tasks);
    gws__pool_trace(pool, state, GWS_SLICE_STEAL, tried, now, stolen);
    *since = now;
    *tasks = 0;
}

/* run_levels() for a worker that is traced: the same, with a look at the clock around every chunk. */
static uint64_t run_traced(struct gws__pool *pool, uint32_t worker, struct gws_worker_stats *stats)
{
    struct gws__worker_state *state = &pool->worker[worker];
    const struct gws_loop *loop = pool->loop;
    uint64_t since = gws__pool_now(pool), tried = since, tasks = 0, sum = 0, steals = stats->steals;
    for (struct gws_range range; take(pool, worker, stats, &range); tried = gws__pool_now(pool)) {
        uint64_t count = range.end - range.begin;
        if (stats->steals != steals) trace_steal(pool, state, &since, tried, &tasks, count);
        steals = stats->steals;
        loop->body(loop->context, worker, range.begin, range.end);
        tasks += count;
        sum += count;
    }
    gws__pool_trace(pool, state, GWS_SLICE_BUSY, since, gws__pool_now(pool), tasks);
    return sum;
}

static uint64_t run_untraced(struct gws__pool *pool, uint32_t worker, struct gws_worker_stats *stats)
{
    const struct gws_loop *loop = pool->loop;
    uint64_t tasks = 0;
    for (struct gws_range range; take(pool, worker, stats, &range);) {
        loop->body(loop->context, worker, range.begin, range.end);
        tasks += range.end - range.begin;
    }
    return tasks;
}

static void run_levels(struct gws__pool *pool, uint32_t worker)
{
    struct gws__worker_state *state = &pool->worker[worker];
    const struct gws_loop *loop = pool->loop;
    struct gws_worker_stats *stats = loop->aside ? &state->aside : &state->stats;
    double began = gws_clock_ms();
    stats->tasks += state->trace.room ? run_traced(pool, worker, stats) : run_untraced(pool, worker, stats);
    if (loop->finish) loop->finish(loop->context, worker, 0, 0);
    state->stats.busy_ms += gws_clock_ms() - began;
}

void gws__pool_work(void *context, uint32_t worker)
{
    struct gws__pool *pool = context;
    pool->work(pool, worker);
}

uint64_t gws__pool_now(const struct gws__pool *pool)
{
    return (uint64_t)(gws_clock_ms() * 1e6) - pool->opened_ns;
}

static void run_alone(struct gws__pool *pool, const struct gws_loop *loop)
{
    double began = gws_clock_ms();
    if (loop->count) loop->body(loop->context, 0, 0, loop->count);
    if (loop->finish) loop->finish(loop->context, 0, 0, 0);
    gws_parallel_add_stats(&pool->services, 0, loop->aside ? 0 : loop->count, 0, gws_clock_ms() - began);
}

uint32_t gws__pool_chunk(const struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers)
{
    uint32_t chunk = loop->chunk ? loop->chunk : pool->chunk;
    if (chunk == 0) chunk = gws__decide_chunk(loop->count, workers);
    uint64_t least = loop->count / UINT32_MAX + 1; /* the containers count chunks in 32 bits */
    return chunk > least ? chunk : (uint32_t)least;
}

/* The parts up to the last that is not empty, but at least those of the workers that come. */
static uint32_t parts_for(const struct gws_loop *loop, uint32_t all, uint32_t workers)
{
    uint32_t parts = all;
    while (parts > workers && loop->part[parts - 1].begin == loop->part[parts - 1].end) parts--;
    return parts;
}

/* After a loop, for the workers that were activated: since they had nothing more to do they were idle. */
static void trace_idle(struct gws__pool *pool, uint32_t workers, uint64_t began)
{
    uint64_t now = gws__pool_now(pool);
    for (uint32_t w = 0; pool->worker[0].trace.room && w < workers; w++) {
        struct gws__trace *trace = &pool->worker[w].trace;
        uint64_t since = gws__trace_end(trace);
        gws__pool_trace(pool, &pool->worker[w], GWS_SLICE_IDLE, since > began ? since : began, now, 0);
    }
}

static void run_on_levels(struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers, double began)
{
    const struct gws_container *container = pool->policy->levels;
    struct gws_cut cut = {
        .count = loop->count,
        .chunk = gws__pool_chunk(pool, loop, workers),
        .workers = workers,
        .parts = loop->part ? parts_for(loop, pool->services.workers, workers) : 0,
        .part = loop->part,
    };
    uint64_t began_ns = pool->worker[0].trace.room ? gws__pool_now(pool) : 0;
    pool->loop = loop;
    pool->work = run_levels;
    pool->victims = container->fill(pool->container, &cut);
    pool->attempts = gws__decide_attempts(cut.count, cut.chunk, pool->victims - 1);
    gws__threads_call(&pool->threads, workers);
    run_levels(pool, 0);
    gws__threads_wait(&pool->threads, workers, !container->owner_only);
    trace_idle(pool, workers, began_ns);
    double now = gws_clock_ms();
    pool->ran_ms += now - began;
    gws__threads_judge(&pool->threads, now, now - began);
}

void gws__pool_run(struct gws_runtime *runtime, const struct gws_loop *loop)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    uint32_t workers = pool->policy->coarse ? gws__decide_workers_coarse(loop->count, loop->grain, runtime->workers)
                                            : gws__decide_workers(loop->count, loop->grain, runtime->workers);
    if (workers > loop->count) workers = (uint32_t)loop->count;
    double now = workers > 1 ? gws_clock_ms() : 0;
    if (workers > 1) {
        uint32_t present = gws__threads_active(&pool->threads, now);
        if (workers > present) workers = present;
    }
    if (workers <= 1) {
        run_alone(pool, loop);
        return;
    }
    if (pool->policy->levels)
        run_on_levels(pool, loop, workers, now);
    else
        gws__ranges_run(pool, loop, workers);
}

/* SPDX-License-Identifier: MIT */
/* Runs one loop. The caller fills the work queue and calls as many workers as the loop justifies. All workers acquire
 * and steal ranges until all queues are empty. The caller then waits for the other workers. Abdelmageed's thesis
 * (section 3.2) has the same scheme, but its main thread does not work. */
#include "../base/spin.h"
#include "../random.h"
#include "tasks.h"

struct gws_view gws__pool_view(struct gws__pool *pool, uint32_t self, uint32_t victims)
{
    struct gws__worker_state *state = &pool->worker[self];
    return (struct gws_view){.self = self,
                             .workers = victims,
                             .last = state->last,
                             .last_tried = state->last_tried < victims ? state->last_tried : self,
                             .bits = gws_random_next(&state->random),
                             .topology_order = state->topology_order};
}

uint32_t gws__pool_victim(const struct gws__pool *pool, const struct gws_view *view)
{
    return pool->user_victim ? gws__victim_user(pool->user_victim, view) : pool->victim(view);
}

/* Tries victims in the order of the policy until a steal succeeds or enough queues were empty. No worker adds work
 * while a loop runs, so one EMPTY answer from each victim is enough. */
static bool steal(struct gws__pool *pool, uint32_t self, struct gws_worker_stats *stats, struct gws_range *range)
{
    struct gws__worker_state *state = &pool->worker[self];
    if (!pool->victim || !pool->levels->steal || pool->victims < 2) return false;
    struct gws_view view = gws__pool_view(pool, self, pool->victims);
    uint32_t attempts = self == 0 ? pool->victims - 1 : pool->attempts;
    uint32_t victim = gws__pool_victim(pool, &view);
    while (view.tried < attempts) {
        enum gws_acquire acquired = pool->levels->steal(pool->queue_state, victim, range);
        if (acquired == GWS_ACQUIRED) {
            state->last = state->last_tried = victim;
            stats->steals++;
            stats->stolen += range->end - range->begin;
            return true;
        }
        stats->failed_steals++;
        if (acquired == GWS_ACQUIRE_LOST) continue; /* another worker was faster, and the queue may have more ranges */
        view.previous = state->last_tried = victim;
        if (++view.tried < attempts) victim = gws__pool_victim(pool, &view);
    }
    return false;
}

static bool acquire_range(struct gws__pool *pool, uint32_t self, struct gws_worker_stats *stats,
                          struct gws_range *range)
{
    for (;;) {
        enum gws_acquire acquired = pool->levels->pop(pool->queue_state, self, range);
        if (acquired == GWS_ACQUIRED) return true;
        if (acquired == GWS_ACQUIRE_EMPTY) return steal(pool, self, stats, range);
        gws__spin_pause(); /* more work appears soon */
    }
}

/* Records the work of a traced worker since *since, and a steal that ended now. */
static void trace_steal(struct gws__pool *pool, struct gws__worker_state *state, uint64_t *since, uint64_t tried,
                        uint64_t *tasks, uint64_t stolen)
{
    uint64_t now = gws__pool_now(pool);
    gws__pool_trace(pool, state, GWS_SLICE_BUSY, *since, tried, *tasks);
    gws__pool_trace(pool, state, GWS_SLICE_STEAL, tried, now, stolen);
    *since = now;
    *tasks = 0;
}

/* Does the same as run_untraced(), but reads the clock around every chunk. */
static uint64_t run_traced(struct gws__pool *pool, uint32_t worker, struct gws_worker_stats *stats)
{
    struct gws__worker_state *state = &pool->worker[worker];
    const struct gws_loop *loop = pool->loop;
    uint64_t since = gws__pool_now(pool), tried = since, tasks = 0, sum = 0, steals = stats->steals;
    for (struct gws_range range; acquire_range(pool, worker, stats, &range); tried = gws__pool_now(pool)) {
        uint64_t count = range.end - range.begin;
        if (stats->steals != steals) trace_steal(pool, state, &since, tried, &tasks, count);
        steals = stats->steals;
        if (gws__pool_cut(pool, worker)) continue;
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
    for (struct gws_range range; acquire_range(pool, worker, stats, &range);) {
        if (gws__pool_cut(pool, worker)) continue;
        loop->body(loop->context, worker, range.begin, range.end);
        tasks += range.end - range.begin;
    }
    return tasks;
}

static void run_levels(struct gws__pool *pool, uint32_t worker)
{
    struct gws__worker_state *state = &pool->worker[worker];
    const struct gws_loop *loop = pool->loop;
    struct gws_worker_stats *stats = loop->uncounted ? &state->uncounted : &state->stats;
    double began = gws_clock_ms();
    stats->tasks += state->trace.capacity ? run_traced(pool, worker, stats) : run_untraced(pool, worker, stats);
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

uint32_t gws__pool_chunk(const struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers)
{
    uint32_t chunk = loop->chunk ? loop->chunk : pool->chunk;
    if (chunk == 0) chunk = gws__decide_chunk(loop->count, workers);
    uint64_t min = loop->count / UINT32_MAX + 1; /* the queues count chunks in 32 bits */
    return chunk > min ? chunk : (uint32_t)min;
}

/* Runs the loop in chunks. A cancelled call can thus skip the last chunks. */
static void run_chunks(struct gws__pool *pool, const struct gws_loop *loop)
{
    const uint64_t chunk = gws__pool_chunk(pool, loop, 1);
    for (uint64_t begin = 0; begin < loop->count && !gws__pool_cut(pool, 0); begin += chunk)
        loop->body(loop->context, 0, begin, loop->count - begin < chunk ? loop->count : begin + chunk);
}

static void run_serial(struct gws__pool *pool, const struct gws_loop *loop)
{
    double began = gws_clock_ms();
    if (pool->services.may_cut)
        run_chunks(pool, loop);
    else if (loop->count)
        loop->body(loop->context, 0, 0, loop->count);
    if (loop->finish) loop->finish(loop->context, 0, 0, 0);
    gws_parallel_add_stats(&pool->services, 0, loop->uncounted ? 0 : loop->count, 0, gws_clock_ms() - began);
}

/* Returns the number of parts up to the last non-empty part, but at least one for each called worker. */
static uint32_t parts_for(const struct gws_loop *loop, uint32_t all, uint32_t workers)
{
    uint32_t parts = all;
    while (parts > workers && loop->part[parts - 1].begin == loop->part[parts - 1].end) parts--;
    return parts;
}

/* Records the idle time of each worker after a loop, since the end of its last slice. */
static void trace_idle(struct gws__pool *pool, uint32_t workers, uint64_t began)
{
    uint64_t now = gws__pool_now(pool);
    for (uint32_t w = 0; pool->worker[0].trace.capacity && w < workers; w++) {
        struct gws__trace *trace = &pool->worker[w].trace;
        uint64_t since = gws__trace_end(trace);
        gws__pool_trace(pool, &pool->worker[w], GWS_SLICE_IDLE, since > began ? since : began, now, 0);
    }
}

static void run_on_levels(struct gws__pool *pool, const struct gws_loop *loop, uint32_t workers, double began)
{
    const struct gws_work_queue *queue = pool->levels;
    struct gws_loop_partition partition = {
        .count = loop->count,
        .chunk = gws__pool_chunk(pool, loop, workers),
        .workers = workers,
        .parts = loop->part ? parts_for(loop, pool->services.workers, workers) : 0,
        .part = loop->part,
    };
    uint64_t began_ns = pool->worker[0].trace.capacity ? gws__pool_now(pool) : 0;
    pool->loop = loop;
    pool->work = run_levels;
    pool->victims = queue->fill(pool->queue_state, &partition);
    pool->attempts = gws__decide_attempts(partition.count, partition.chunk, pool->victims - 1);
    gws__threads_call(&pool->threads, workers);
    run_levels(pool, 0);
    gws__threads_wait(&pool->threads, workers, !queue->owner_only);
    trace_idle(pool, workers, began_ns);
    double now = gws_clock_ms();
    pool->ran_ms += now - began;
    gws__threads_check_stalls(&pool->threads, now, now - began);
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
        run_serial(pool, loop);
        return;
    }
    if (pool->levels)
        run_on_levels(pool, loop, workers, now);
    else
        gws__ranges_run(pool, loop, workers);
}

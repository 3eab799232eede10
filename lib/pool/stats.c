/* SPDX-License-Identifier: MIT */
/* The counters of the workers. While a loop runs, only the owner writes a counter. Other threads access counters
 * between loops. */
#include "pool.h"

void gws_parallel_add_stats(struct gws_runtime *runtime, uint32_t worker, uint64_t tasks, uint64_t made, double busy_ms)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    struct gws_worker_stats *stats = &pool->worker[worker].stats;
    stats->tasks += tasks;
    stats->made += made;
    if (busy_ms == 0) return;
    stats->busy_ms += busy_ms;
    pool->ran_ms += busy_ms;
    struct gws__trace *trace = &pool->worker[worker].trace;
    if (!trace->capacity) return;
    uint64_t now = gws__pool_now(pool), length = (uint64_t)(busy_ms * 1e6), last = gws__trace_end(trace);
    uint64_t began = now > length ? now - length : 0;
    gws__pool_trace(pool, &pool->worker[worker], GWS_SLICE_BUSY, began > last ? began : last, now, tasks);
}

void gws_runtime_stats(const struct gws_runtime *runtime, struct gws_worker_stats *stats)
{
    const struct gws__pool *pool = (const struct gws__pool *)runtime;
    for (uint32_t w = 0; w < runtime->workers; w++) {
        stats[w] = pool->worker[w].stats;
        double idle = pool->ran_ms - stats[w].busy_ms;
        stats[w].idle_ms = idle > 0 ? idle : 0;
    }
}

void gws_runtime_stats_reset(struct gws_runtime *runtime)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    pool->ran_ms = 0;
    for (uint32_t w = 0; w < runtime->workers; w++) {
        pool->worker[w].stats = (struct gws_worker_stats){0};
        pool->worker[w].trace.count = pool->worker[w].trace.lost = 0;
    }
    for (uint32_t t = 0; t < pool->tracks.count; t++)
        pool->tracks.track[t].trace.count = pool->tracks.track[t].trace.lost = 0;
}

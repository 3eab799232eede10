/* SPDX-License-Identifier: MIT */
/* Per-worker counters, and the tracks of workers and devices. Only the owner writes them while a loop runs; other
 * threads access them between loops. */
#include <stdio.h>
#include <string.h>

#include "pool.h"

/* ---- counters ---- */

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

/* ---- tracks ---- */

static struct gws__trace *trace_of(const struct gws_runtime *runtime, uint32_t track)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    uint32_t device = track - runtime->workers;
    if (track < runtime->workers) return &pool->worker[track].trace;
    return device < pool->tracks.count ? &pool->tracks.track[device].trace : NULL;
}

static void add(struct gws__trace *trace, const struct gws_slice *slice)
{
    if (trace->count == trace->capacity)
        trace->lost += trace->capacity != 0;
    else
        trace->slice[trace->count++] = *slice;
}

/* relaxed: a label orders nothing; loops order its accesses. */
static struct gws_slice labelled(const struct gws_runtime *runtime, uint64_t begin_ns, uint64_t end_ns, uint64_t tasks)
{
    uint64_t label = atomic_load_explicit(&runtime->label, memory_order_relaxed);
    return (struct gws_slice){.begin_ns = begin_ns,
                              .end_ns = end_ns,
                              .tasks = tasks < UINT32_MAX ? (uint32_t)tasks : UINT32_MAX,
                              .level = (uint32_t)(label >> 2),
                              .victim = GWS_TRACE_NONE,
                              .group = GWS_TRACE_NONE,
                              .direction = label & 3};
}

void gws__pool_trace(struct gws__pool *pool, struct gws__worker_state *state, enum gws_slice_kind kind,
                     uint64_t begin_ns, uint64_t end_ns, uint64_t tasks)
{
    if (!state->trace.capacity) return;
    struct gws_slice slice = labelled(&pool->services, begin_ns, end_ns, tasks);
    slice.kind = (uint16_t)kind;
    if (kind == GWS_SLICE_STEAL) slice.victim = state->last;
    add(&state->trace, &slice);
}

void gws__pool_tracks_free(struct gws__pool *pool)
{
    for (struct gws__track *track = pool->tracks.track; track < pool->tracks.track + pool->tracks.count; track++)
        gws_release(&pool->services, track->trace.slice, track->trace.capacity, sizeof *track->trace.slice);
}

const struct gws_slice *gws_runtime_trace(const struct gws_runtime *runtime, uint32_t track, uint64_t *slices,
                                          uint64_t *lost)
{
    const struct gws__trace *trace = trace_of(runtime, track);
    *slices = trace->count;
    *lost = trace->lost;
    return trace->slice;
}

uint32_t gws_trace_tracks(const struct gws_runtime *runtime)
{
    return runtime->workers + ((const struct gws__pool *)runtime)->tracks.count;
}

const char *gws_trace_name(const struct gws_runtime *runtime, uint32_t track)
{
    const struct gws__pool *pool = (const struct gws__pool *)runtime;
    return track < runtime->workers ? NULL : pool->tracks.track[track - runtime->workers].name;
}

void gws_trace_level(struct gws_runtime *runtime, uint32_t level, enum gws_slice_direction direction)
{
    atomic_store_explicit(&runtime->label, (uint64_t)level << 2 | direction, memory_order_relaxed);
}

uint32_t gws_trace_track(struct gws_runtime *runtime, const char *name)
{
    struct gws__pool *pool = (struct gws__pool *)runtime;
    struct gws__tracks *tracks = &pool->tracks;
    const uint32_t capacity = pool->worker[0].trace.capacity;
    for (uint32_t t = 0; t < tracks->count; t++)
        if (strncmp(tracks->track[t].name, name, gws__trace_name - 1) == 0) return runtime->workers + t;
    if (!capacity || tracks->count == gws__trace_tracks) return GWS_TRACE_NONE;
    struct gws__track *track = &tracks->track[tracks->count];
    track->trace.slice = gws_allocate(runtime, capacity, sizeof *track->trace.slice);
    if (!track->trace.slice) return GWS_TRACE_NONE;
    snprintf(track->name, sizeof track->name, "%s", name);
    track->trace.capacity = capacity;
    return runtime->workers + tracks->count++;
}

void gws_trace_add(struct gws_runtime *runtime, uint32_t track, const struct gws_slice *slice)
{
    struct gws__trace *trace = track == GWS_TRACE_NONE ? NULL : trace_of(runtime, track);
    if (trace) add(trace, slice);
}

void gws_trace_lose(struct gws_runtime *runtime, uint32_t track, uint64_t slices)
{
    if (track != GWS_TRACE_NONE) trace_of(runtime, track)->lost += slices;
}

void gws_trace_busy(struct gws_runtime *runtime, uint32_t track, uint64_t begin_ns, uint64_t end_ns, uint32_t tasks)
{
    struct gws_slice slice = labelled(runtime, begin_ns, end_ns, tasks);
    gws_trace_add(runtime, track, &slice);
}

uint64_t gws_trace_now(const struct gws_runtime *runtime)
{
    return gws__pool_now((const struct gws__pool *)runtime);
}

/* SPDX-License-Identifier: MIT */
/* The tracks of workers and devices: slices of time, each with its work or its steal. While a loop runs, only the owner
 * of a track writes it. Other threads access tracks between loops. */
#include <stdio.h>
#include <string.h>

#include "pool.h"

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

/* Returns a slice with the current label. relaxed: no other data depends on the label, and loops order the accesses to
 * it. */
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

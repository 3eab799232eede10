/* SPDX-License-Identifier: MIT */
/* Records what the workers of a simulation do. A worker is idle, or steals, between its busy slices, as in a trace of
 * threads. The spans of the curves become twice as long whenever time passes their end, so the curves need no more
 * memory for a long simulation, and no second one to learn its length. */
#include "timeline.h"

#include <string.h>

#include "../common/console.h"

enum { WORKER_SLICES = 32768, ALL_SLICES = 1 << 20, FIRST_SPAN_NS = 16 };

/* ---- slices ---- */

static void add_slice(struct timeline *timeline, uint32_t worker, const struct gws_slice *slice)
{
    struct timeline_worker *of = &timeline->worker[worker];
    of->end_ns = slice->end_ns;
    if (of->slices == timeline->capacity)
        of->lost++;
    else
        timeline->slice[worker * timeline->capacity + of->slices++] = *slice;
}

static uint32_t clamp(uint64_t tasks)
{
    return tasks < UINT32_MAX ? (uint32_t)tasks : UINT32_MAX;
}

static struct gws_slice slice_of(enum gws_slice_kind kind, uint64_t tasks, uint64_t begin_ns, uint64_t end_ns)
{
    return (struct gws_slice){.begin_ns = begin_ns,
                              .end_ns = end_ns,
                              .tasks = clamp(tasks),
                              .level = GWS_TRACE_NONE,
                              .victim = GWS_TRACE_NONE,
                              .group = GWS_TRACE_NONE,
                              .kind = (uint16_t)kind};
}

/* Adds the time without tasks since the worker's last slice. */
static void end_search(struct timeline *timeline, uint32_t worker, uint64_t now_ns)
{
    struct timeline_worker *of = &timeline->worker[worker];
    const bool stole = of->stolen > 0;
    if (!stole && now_ns <= of->end_ns) return;
    struct gws_slice slice = slice_of(stole ? GWS_SLICE_STEAL : GWS_SLICE_IDLE, of->stolen, of->end_ns, now_ns);
    if (stole) slice.victim = of->victim;
    add_slice(timeline, worker, &slice);
    of->stolen = 0;
}

static void trace_busy(struct timeline *timeline, uint32_t worker, uint64_t tasks, uint64_t begin_ns, uint64_t end_ns)
{
    struct timeline_worker *of = &timeline->worker[worker];
    if (tasks == 0 && begin_ns == end_ns) return;
    end_search(timeline, worker, begin_ns);
    struct gws_slice *last = of->slices ? &timeline->slice[worker * timeline->capacity + of->slices - 1] : NULL;
    const struct gws_slice slice = slice_of(GWS_SLICE_BUSY, tasks, begin_ns, end_ns);
    if (!last || of->lost || last->kind != GWS_SLICE_BUSY) {
        add_slice(timeline, worker, &slice);
    } else { /* the worker has stayed busy */
        last->tasks = clamp((uint64_t)last->tasks + tasks);
        last->end_ns = of->end_ns = end_ns;
    }
}

/* ---- curves ---- */

static void double_span(struct timeline *timeline)
{
    enum { half = TIMELINE_SPANS / 2 };
    double *const curve[] = {timeline->busy, timeline->queued};
    timeline->span_ns *= 2;
    for (size_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < half; i++) curve[c][i] = curve[c][2 * i] + curve[c][2 * i + 1];
        memset(curve[c] + half, 0, half * sizeof *curve[c]);
    }
}

static void add_to_curve(struct timeline *timeline, double *curve, double height, uint64_t begin_ns, uint64_t end_ns)
{
    while (end_ns > timeline->span_ns * TIMELINE_SPANS) double_span(timeline);
    for (uint64_t i = begin_ns / timeline->span_ns, stop; begin_ns < end_ns; i++, begin_ns = stop) {
        stop = (i + 1) * timeline->span_ns < end_ns ? (i + 1) * timeline->span_ns : end_ns;
        curve[i] += height * (double)(stop - begin_ns);
    }
}

/* ---- the observer ---- */

static void busy(void *context, uint32_t worker, uint64_t tasks, uint64_t begin_ns, uint64_t end_ns)
{
    struct timeline *timeline = context;
    if (timeline->worker) trace_busy(timeline, worker, tasks, begin_ns, end_ns);
    add_to_curve(timeline, timeline->busy, 1, begin_ns, end_ns);
}

static void stole(void *context, uint32_t worker, uint32_t victim, uint64_t tasks)
{
    struct timeline *timeline = context;
    if (!timeline->worker) return;
    timeline->worker[worker].stolen += tasks;
    timeline->worker[worker].victim = victim;
}

static void queued(void *context, uint64_t tasks, uint64_t begin_ns, uint64_t end_ns)
{
    struct timeline *timeline = context;
    if (tasks) add_to_curve(timeline, timeline->queued, (double)tasks, begin_ns, end_ns);
}

/* ---- the whole ---- */

bool timeline_open(struct timeline *timeline, struct gws_runtime *runtime, uint32_t workers, bool traced)
{
    *timeline = (struct timeline){
        .observer = {busy, stole, queued, timeline}, .runtime = runtime, .workers = workers, .span_ns = FIRST_SPAN_NS};
    if (!traced) return true;
    timeline->capacity = ALL_SLICES / workers < WORKER_SLICES ? ALL_SLICES / workers : WORKER_SLICES;
    timeline->slice = gws_allocate(runtime, workers * timeline->capacity, sizeof *timeline->slice);
    timeline->worker = gws_allocate(runtime, workers, sizeof *timeline->worker);
    if (!timeline->slice || !timeline->worker) return false;
    memset(timeline->worker, 0, workers * sizeof *timeline->worker);
    return true;
}

void timeline_close(struct timeline *timeline)
{
    gws_release(timeline->runtime, timeline->slice, timeline->workers * timeline->capacity, sizeof *timeline->slice);
    gws_release(timeline->runtime, timeline->worker, timeline->workers, sizeof *timeline->worker);
}

int timeline_write(struct timeline *timeline, uint64_t end_ns, const char *policy, const char *path)
{
    struct gws_track track[TIMELINE_MAX_TRACED];
    struct gws_diagnostic where = {0};
    for (uint32_t w = 0; w < timeline->workers; w++) {
        const struct timeline_worker *of = &timeline->worker[w];
        end_search(timeline, w, end_ns);
        track[w] = (struct gws_track){timeline->slice + w * timeline->capacity, of->slices, of->lost, NULL};
    }
    console_progress_begin("writing", path);
    gws_status status = gws_trace_write_tracks(timeline->runtime, track, timeline->workers, policy, path, &where);
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_at(status, &where);
}

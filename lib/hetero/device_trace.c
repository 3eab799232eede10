/* SPDX-License-Identifier: MIT */
/* The host's side of a device's trace (device_trace.h). */
#include "device_trace.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kernels/hetero/trace_words.h"
#include "../parallel.h"
#include "../trace.h"

enum { capacity = 1 << 16, head_bytes = offsetof(struct gws__trace_log, event) };

static const uint64_t event_bytes = sizeof(struct gws__trace_event);

gws_status gws__device_trace_open(struct gws__device_trace *trace, struct gws_runtime *runtime,
                                  struct gws_device *device, struct gws_diagnostic *where)
{
    *trace = (struct gws__device_trace){.runtime = runtime, .device = device};
    if (gws_trace_track(runtime, gws_device_describe(device)->address) == GWS_TRACE_NONE) return GWS_OK;
    return gws_device_buffer_new(device, head_bytes + (capacity + 1) * event_bytes, &trace->log, where);
}

void gws__device_trace_close(struct gws__device_trace *trace)
{
    gws_device_buffer_free(trace->log);
    trace->log = NULL;
}

struct gws_device_argument gws__device_trace_argument(const struct gws__device_trace *trace)
{
    if (trace->log) return (struct gws_device_argument){.buffer = trace->log};
    return (struct gws_device_argument){.value = &trace->none, .bytes = sizeof trace->none};
}

gws_status gws__device_trace_begin(struct gws__device_trace *trace, struct gws_diagnostic *where)
{
    const uint32_t head[2] = {capacity, 0};
    const struct gws__trace_event none = {.kind = GWS_TRACE_BEGIN};
    if (!trace->log) return GWS_OK;
    gws_status status = gws_device_write(trace->log, 0, head, sizeof head, where);
    if (status == GWS_OK)
        status = gws_device_write(trace->log, head_bytes + capacity * event_bytes, &none, event_bytes, where);
    trace->began_ns = gws_trace_now(trace->runtime);
    return status;
}

/* ---- events as slices ---- */

/* The host's time as a linear function of the device's. A device clock in nanoseconds has the rate of the host's clock,
 * and its last event ends with the launch. For a device clock in ticks, the events span the launch. */
struct clock {
    uint64_t first, last, begin_ns, end_ns;
    double scale;
};

static uint64_t time_of(const struct clock *clock, uint64_t at)
{
    double before_end = (double)(clock->last > at ? clock->last - at : 0) * clock->scale;
    uint64_t ns = clock->end_ns > (uint64_t)before_end ? clock->end_ns - (uint64_t)before_end : 0;
    return ns < clock->begin_ns ? clock->begin_ns : ns;
}

static int compare(const void *a, const void *b)
{
    const struct gws__trace_event *one = a, *other = b;
    return one->clock < other->clock ? -1 : one->clock > other->clock;
}

/* Returns false if the device has no clock, or if no launch has ended. */
static bool clock_of(const struct gws__trace_event *event, uint32_t count, uint64_t begin_ns, uint64_t end_ns,
                     struct clock *clock)
{
    uint32_t last = count;
    while (last > 0 && event[last - 1].kind != GWS_TRACE_END) last--;
    if (last == 0 || event[last - 1].clock == event[0].clock) return false;
    *clock = (struct clock){event[0].clock, event[last - 1].clock, begin_ns, end_ns, 1};
    if (event[last - 1].first == GWS_TRACE_TICKS)
        clock->scale = (double)(end_ns - begin_ns) / (double)(clock->last - clock->first);
    return true;
}

static uint32_t track_of(const struct gws__device_trace *trace, const char *what)
{
    char name[32];
    snprintf(name, sizeof name, "%.24s %s", gws_device_describe(trace->device)->address, what);
    return gws_trace_track(trace->runtime, name);
}

void gws__device_trace_tracks(const struct gws__device_trace *trace)
{
    if (!trace->log) return;
    (void)track_of(trace, "steals");
    (void)track_of(trace, "idle");
}

/* Adds a slice to the device's track of this name. The first slice makes the track. */
static void add(const struct gws__device_trace *trace, const char *what, uint32_t *track, const struct gws_slice *slice)
{
    if (*track == GWS_TRACE_NONE) *track = track_of(trace, what);
    gws_trace_add(trace->runtime, *track, slice);
}

/* Adds the spans in which workers have no tasks, in the order of their begins. Spans of several workers overlap. */
static void add_idle(const struct gws__device_trace *trace, const struct gws__trace_event *event, uint32_t count,
                     const struct clock *clock)
{
    uint32_t track = GWS_TRACE_NONE;
    struct gws_slice idle = {.level = GWS_TRACE_NONE, .victim = GWS_TRACE_NONE, .kind = GWS_SLICE_IDLE};
    for (const struct gws__trace_event *end = event + count; event < end; event++) {
        if (event->kind != GWS_TRACE_IDLE) continue;
        idle.begin_ns = time_of(clock, event->clock);
        idle.end_ns = time_of(clock, event->clock + ((uint64_t)event->second << 32 | event->first));
        idle.group = event->group;
        add(trace, "idle", &track, &idle);
    }
}

/* Adds levels and steals. A level lasts until the next level begins or the launch ends. Both the plan and the run of a
 * level may log the level. A steal has no length, because the log has only the time of its success. */
static void add_slices(const struct gws__device_trace *trace, const struct gws__trace_event *event, uint32_t count,
                       const struct clock *clock)
{
    uint32_t levels = GWS_TRACE_NONE, steals = GWS_TRACE_NONE;
    struct gws_slice level = {.level = GWS_TRACE_NONE, .victim = GWS_TRACE_NONE, .group = GWS_TRACE_NONE};
    struct gws_slice steal = {.level = GWS_TRACE_NONE, .kind = GWS_SLICE_STEAL};
    for (const struct gws__trace_event *end = event + count; event < end; event++) {
        const bool begins = event->kind == GWS_TRACE_PUSH || event->kind == GWS_TRACE_PULL;
        if (event->kind == GWS_TRACE_STEAL) {
            steal.begin_ns = steal.end_ns = time_of(clock, event->clock);
            steal.tasks = event->second;
            steal.victim = event->first;
            steal.group = event->group;
            add(trace, "steals", &steals, &steal);
        } else if (event->kind == GWS_TRACE_END || (begins && event->first != level.level)) {
            level.end_ns = time_of(clock, event->clock);
            if (level.level != GWS_TRACE_NONE) add(trace, "levels", &levels, &level);
            level.begin_ns = level.end_ns;
            level.tasks = event->second;
            level.level = begins ? event->first : GWS_TRACE_NONE;
            level.direction = event->kind == GWS_TRACE_PULL ? GWS_SLICE_PULL : GWS_SLICE_PUSH;
        }
        if (!begins) continue;
        steal.level = level.level;
        steal.direction = level.direction;
    }
}

/* `all` events were made. The entry behind a full log has an end, or nothing. */
static gws_status read_events(const struct gws__device_trace *trace, uint32_t all, uint64_t end_ns,
                              struct gws_diagnostic *where)
{
    const uint32_t allocated = all <= capacity ? all : capacity + 1;
    struct gws__trace_event *event = gws_allocate(trace->runtime, allocated, event_bytes);
    struct clock clock;
    if (!event) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = gws_device_read(trace->log, head_bytes, event, allocated * event_bytes, where);
    const bool none = status == GWS_OK && all > capacity && event[capacity].kind != GWS_TRACE_END;
    const uint32_t count = allocated - none;
    if (status == GWS_OK && all > count) gws_trace_lose(trace->runtime, track_of(trace, "steals"), all - count);
    if (status == GWS_OK) qsort(event, count, event_bytes, compare);
    if (status == GWS_OK && clock_of(event, count, trace->began_ns, end_ns, &clock)) {
        add_slices(trace, event, count, &clock);
        add_idle(trace, event, count, &clock);
    }
    gws_release(trace->runtime, event, allocated, event_bytes);
    return status;
}

gws_status gws__device_trace_end(struct gws__device_trace *trace, struct gws_diagnostic *where)
{
    uint32_t head[2];
    if (!trace->log) return GWS_OK;
    const uint64_t end_ns = gws_trace_now(trace->runtime);
    gws_status status = gws_device_read(trace->log, 0, head, sizeof head, where);
    return status == GWS_OK && head[1] > 0 ? read_events(trace, head[1], end_ns, where) : status;
}

/* SPDX-License-Identifier: MIT */
/* Functions that append to the trace (trace_words.h). One item of a group calls them. Without a trace, a call costs one
 * comparison. */
#ifdef CLOCK_NS_IS_TICKS
#define TRACE_CLOCK GWS_TRACE_TICKS
#else
#define TRACE_CLOCK GWS_TRACE_NS
#endif

device_inline void trace_at(global_mem struct gws__trace_log *log, u32 at, u64 clock, u32 kind, u32 group, u32 first,
                            u32 second)
{
    global_mem struct gws__trace_event *event = &log->event[at];
    event->clock = clock;
    event->kind = kind;
    event->group = group;
    event->first = first;
    event->second = second;
}

device_inline void trace_event(global_mem struct gws__trace_log *log, u32 kind, u32 group, u32 first, u32 second)
{
    if (!log) return;
    u32 at = word_add(&log->count, 1u);
    if (at < log->capacity) trace_at(log, at, clock_ns(), kind, group, first, second);
}

/* Appends a span that ends now. */
device_inline void trace_span(global_mem struct gws__trace_log *log, u32 kind, u32 group, u64 began)
{
    if (!log) return;
    u64 length = clock_ns() - began;
    u32 at = word_add(&log->count, 1u);
    if (at < log->capacity) trace_at(log, at, began, kind, group, (u32)length, (u32)(length >> 32));
}

/* Appends the end of a launch, without which the host drops all events. If the log is full, the end goes behind it. One
 * item of a launch calls this function. */
device_inline void trace_end(global_mem struct gws__trace_log *log)
{
    if (!log) return;
    u32 at = word_add(&log->count, 1u);
    trace_at(log, at < log->capacity ? at : log->capacity, clock_ns(), GWS_TRACE_END, 0, TRACE_CLOCK, 0);
}

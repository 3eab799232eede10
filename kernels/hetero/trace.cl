/* SPDX-License-Identifier: MIT */
/* Functions that append to the trace (trace_words.h). One item of a group calls them. Without a trace, a call costs one
 * comparison. */
#ifdef CLOCK_NS_IS_TICKS
#define TRACE_CLOCK GWS_TRACE_TICKS
#else
#define TRACE_CLOCK GWS_TRACE_NS
#endif

device_inline void trace_event(global_mem struct gws__trace_log *log, u32 kind, u32 group, u32 first, u32 second)
{
    if (!log) return;
    u32 at = word_add(&log->count, 1u);
    if (at >= log->capacity) return;
    global_mem struct gws__trace_event *event = &log->event[at];
    event->clock = clock_ns();
    event->kind = kind;
    event->group = group;
    event->first = first;
    event->second = second;
}

/* SPDX-License-Identifier: MIT */
/* A device's own trace: events that kernels append while they run. The host allocates the log, launches the kernel and
 * reads the log once the kernel has ended (lib/hetero/device_trace.h). A kernel without a trace gets a null pointer. */
#ifndef GWS_KERNELS_TRACE_WORDS_H
#define GWS_KERNELS_TRACE_WORDS_H

#ifndef device_inline /* the host, without a portability header */
#include <stdint.h>
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/* Kinds of events. The first begin and the last end relate the device's clock to the host's clock. */
#define GWS_TRACE_BEGIN 0u
#define GWS_TRACE_END 1u /* the end of a launch, or of its part in a level: first is the clock's unit (below) */
#define GWS_TRACE_PUSH                                                                                                 \
    2u /* the begin of a level or round: first is its number, second the size of its frontier (0: unknown) */
#define GWS_TRACE_PULL 3u
#define GWS_TRACE_STEAL 4u /* first is the victim; second counts the tasks */
#define GWS_TRACE_IDLE 5u  /* from the clock on a worker has no tasks, for first + 2^32 second of the clock's units */

/* Units of the clock. */
#define GWS_TRACE_NS 0u
#define GWS_TRACE_TICKS 1u

struct gws__trace_event {
    u64 clock; /* clock_ns() */
    u32 kind, group, first, second;
};

struct gws__trace_log {
    u32 capacity, count; /* count: the number of all events, also of those beyond the capacity, which the log drops */
    struct gws__trace_event event[1]; /* capacity + 1: the last one is for the end of a launch in a full log */
};

#endif

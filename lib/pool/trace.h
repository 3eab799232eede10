/* SPDX-License-Identifier: MIT */
/* What one worker, or a device, did when: the first so many slices of time since the statistics were reset. */
#ifndef GWS_POOL_TRACE_H
#define GWS_POOL_TRACE_H

#include "../trace.h"

struct gws__trace {
    struct gws_slice *slice; /* room entries, in the pool's memory or the track's own */
    uint64_t count, lost;
    uint32_t room; /* 0: nothing is kept, and no clock need be read for it */
};

/* When the last slice that was kept ended. */
static inline uint64_t gws__trace_end(const struct gws__trace *trace)
{
    return trace->count ? trace->slice[trace->count - 1].end_ns : 0;
}

enum { gws__trace_tracks = 16, gws__trace_name = 32 };

/* Those of devices. */
struct gws__tracks {
    uint32_t count;
    struct gws__track {
        char name[gws__trace_name];
        struct gws__trace trace;
    } track[gws__trace_tracks];
};

#endif

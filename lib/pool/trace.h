/* SPDX-License-Identifier: MIT */
/* What one worker did when: the first so many slices of time since the statistics were reset. */
#ifndef GWS_POOL_TRACE_H
#define GWS_POOL_TRACE_H

#include "../runtime.h"

struct gws__trace {
    struct gws_slice *slice; /* room entries, in the pool's memory */
    uint64_t count, lost;
    uint32_t room; /* 0: nothing is kept, and no clock need be read for it */
};

/* When the last slice that was kept ended. */
static inline uint64_t gws__trace_end(const struct gws__trace *trace)
{
    return trace->count ? trace->slice[trace->count - 1].end_ns : 0;
}

static inline void gws__trace_add(struct gws__trace *trace, enum gws_slice_kind kind, uint64_t begin_ns,
                                  uint64_t end_ns, uint64_t tasks)
{
    if (trace->count == trace->room) {
        trace->lost += trace->room != 0;
        return;
    }
    trace->slice[trace->count++] = (struct gws_slice){.begin_ns = begin_ns,
                                                      .end_ns = end_ns,
                                                      .kind = kind,
                                                      .tasks = tasks < UINT32_MAX ? (uint32_t)tasks : UINT32_MAX};
}

#endif

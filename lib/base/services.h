/* SPDX-License-Identifier: MIT */
/* The interface of a runtime for every floor: its services, and functions that run a loop or a team. The pool (floor 2)
 * implements the rest, so that building a graph (floor 1) can be parallel without depending on the pool. */
#ifndef GWS_BASE_SERVICES_H
#define GWS_BASE_SERVICES_H

#include "../parallel.h"

struct gws_runtime {
    struct gws_allocator allocator; /* every slot filled */
    gws_progress *progress;
    gws_log *log;
    gws_unfinished *unfinished;
    void *context;
    bool no_sync;
    uint64_t seed;
    uint32_t workers;
    bool running;           /* a loop or tasks run; only the thread that runs them writes it, so bodies may read it */
    _Atomic uint64_t label; /* gws_trace_level(): level, and direction in the two lowest bits */
    void (*run)(struct gws_runtime *runtime, const struct gws_loop *loop);
    void (*team)(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context);
};

#endif

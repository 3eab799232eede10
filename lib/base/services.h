/* SPDX-License-Identifier: MIT */
/* The face of a runtime that every floor may see: its services, and functions that run a loop or a team. The pool
 * (floor 2) makes the rest of it, so that building a graph (floor 1) can be parallel without knowing how. */
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
    bool running;           /* loops or tasks are; written by the thread that runs them, so that bodies may read it */
    _Atomic uint64_t label; /* gws_trace_level(): level, and direction in the two lowest bits */
    void (*run)(struct gws_runtime *runtime, const struct gws_loop *loop);
    void (*team)(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context);
};

#endif

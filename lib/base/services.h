/* SPDX-License-Identifier: MIT */
/* The interface of a runtime for every floor: its services, and pointers to functions that run a loop or a team. The
 * pool (floor 2) implements these functions. A graph build (floor 1) can thus be parallel without depending on the
 * pool. */
#ifndef GWS_BASE_SERVICES_H
#define GWS_BASE_SERVICES_H

#include <stdatomic.h>

#include "../parallel.h"

struct gws_runtime {
    struct gws_allocator allocator; /* both functions are set */
    gws_progress *progress;
    gws_log *log;
    gws_unfinished *unfinished;
    gws_cancel *cancel;
    void *context;
    bool no_sync;
    uint64_t seed;
    uint32_t workers;
    _Atomic uintptr_t owner;        /* the thread inside a call; 0: none. See gws_call_begin() */
    uint32_t depth;                 /* depth of nested calls; only the owner reads and writes it */
    double polled_ms, ask_every_ms; /* time of the cancel hook's last answer, and interval between two answers; only the
                                     * owner uses both */
    _Atomic bool cancelled;         /* the hook has returned true in this call */
    bool may_cut; /* a cancelled call may leave its current loop or tasks incomplete; constant while they run */
    bool running; /* a loop or tasks run; only the thread that runs them writes it, so bodies may read it */
    _Atomic uint64_t label; /* gws_trace_level(): level, and direction in the two lowest bits */
    void (*run)(struct gws_runtime *runtime, const struct gws_loop *loop);
    /* Runs body on a team. If members is 0, only the caller runs body, without any state of the pool. */
    void (*team)(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context);
};

/* Begin and end a loop, a team or tasks on the workers. Errors: GWS_BUSY, as for gws_call_begin(). */
gws_status gws__workers_begin(struct gws_runtime *runtime, bool may_cut);
void gws__workers_end(struct gws_runtime *runtime);

#endif

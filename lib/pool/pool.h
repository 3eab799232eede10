/* SPDX-License-Identifier: MIT */
/* A runtime, whole: services, crew, policy and statistics. */
#ifndef GWS_POOL_POOL_H
#define GWS_POOL_POOL_H

#include "../base/services.h"
#include "crew.h"
#include "policy.h"

/* One worker's own: nobody else writes it, and the caller reads it between loops only. */
struct gws__desk {
    alignas(128) struct gws_worker_stats stats;
    struct gws_worker_stats aside; /* of loops that do not count; never read */
    uint64_t random;               /* stream of gws_random_next() */
    uint32_t last;                 /* where it last stole */
};

struct gws__pool {
    struct gws_runtime services; /* first: a gws_runtime is the face of a pool */
    const struct gws_policy *policy;
    uint32_t chunk;
    double ran_ms; /* time in loops and noted stretches since the statistics were reset */
    struct gws__crew crew;
    void *shared; /* what was allocated for the next three */
    struct gws__mate *mate;
    struct gws__desk *desk;
    void *container; /* the policy's container's state */
    /* The loop that runs, and how many workers a thief has to look at; constant while it does. */
    const struct gws_loop *loop;
    uint32_t victims;
    uint32_t attempts; /* how many of them it does look at before it gives up; the caller looks at all */
};

/* services.run and what the crew runs. */
void gws__pool_run(struct gws_runtime *runtime, const struct gws_loop *loop);
void gws__pool_work(void *context, uint32_t worker); /* context: the struct gws__pool */

#endif

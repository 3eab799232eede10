/* SPDX-License-Identifier: MIT */
/* The crew: threads that are called to a loop one by one, and sleep when they are not.
 *
 * Each worker has one word, `call`, that it shares with the caller alone:
 *
 *     IDLE --caller--> CALLED --worker--> JOINED --worker--> IDLE
 *                         '-----caller (dismissed)------------^
 *
 * so a call disturbs only those who are wanted, and one who comes too late to be of use is not waited for. */
#ifndef GWS_POOL_CREW_H
#define GWS_POOL_CREW_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../runtime.h"
#include "affinity.h"
#include "bed.h"

struct gws__crew;

struct gws__mate {
    /* The caller and this worker. */
    alignas(128) _Atomic uint32_t call;
    struct gws__bed bed;
    /* Constant. */
    alignas(128) struct gws__crew *crew;
    uint32_t worker;
    pthread_t thread;
};

struct gws__crew {
    uint32_t workers;   /* the caller, worker 0, included */
    double patience_ms; /* how long to spin before sleeping; 0 when there are more workers than CPUs */
    void (*work)(void *context, uint32_t worker);
    void *context;
    struct gws__bed caller; /* where the caller sleeps when a loop's end is long in coming */
    struct gws__mate *mate; /* workers entries; [0] is the caller and has no thread */
    bool pinned;
    struct gws__cpus caller_cpus; /* the caller's before it was pinned */
};

/* Starts workers - 1 threads that run work(context, worker) when called. mate: workers entries of the owner's memory,
 * aligned to 128 bytes. GWS_SYSTEM if a thread cannot be made; none is left then. */
gws_status gws__crew_start(struct gws__crew *crew, uint32_t workers, bool pin, struct gws__mate *mate,
                           void (*work)(void *context, uint32_t worker), void *context);
void gws__crew_stop(struct gws__crew *crew);

/* Calls workers 1 .. workers - 1 to work. What the caller wrote before is visible to them. */
void gws__crew_call(struct gws__crew *crew, uint32_t workers);

/* Returns when each of them has finished or, if late ones may be dismissed, was found not to have begun. What they
 * wrote is visible to the caller. */
void gws__crew_wait(struct gws__crew *crew, uint32_t workers, bool dismiss);

#endif

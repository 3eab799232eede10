/* SPDX-License-Identifier: MIT */
/* The crew: threads that are called to a loop one by one, and sleep when they are not.
 *
 * Each worker has one word, `call`, that it shares with the caller alone:
 *
 *     IDLE --caller--> CALLED --worker--> JOINED --worker--> IDLE
 *                         '-----caller (dismissed)------------^
 *
 * so a call disturbs only those who are wanted, and one who comes too late to be of use is not waited for.
 *
 * One who joined must be waited for, though, and where other processes want the processors too he may be off his for a
 * time slice, some milliseconds, in the middle of a loop of some microseconds; or the caller is off its own, for one
 * thread too many. When a good part of the time is lost that way, the mate who cost most sits on the bench for a while:
 * loops run without it, and then it is tried again. */
#ifndef GWS_POOL_CREW_H
#define GWS_POOL_CREW_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../runtime.h"
#include "parking.h"
#include "topology.h"

struct gws__crew;

struct gws__mate {
    /* The caller and this worker. */
    alignas(128) _Atomic uint32_t call;
    struct gws__parker parker;
    uint32_t worker; /* what it is in the loop that it is called to; written by the caller before the call */
    /* Constant. */
    alignas(128) struct gws__crew *crew;
    pthread_t thread;
    /* The caller's. */
    double stalled_ms; /* how long the caller lately waited for it while it was not on a processor */
    double back_ms;    /* on the bench until then */
    double bench_ms;   /* how long it sat there last */
};

struct gws__crew {
    uint32_t workers;   /* the caller, worker 0, included */
    pid_t owner;        /* the process that has the threads */
    double patience_ms; /* how long to spin before sleeping; 0 when there are more workers than CPUs */
    void (*work)(void *context, uint32_t worker);
    void *context;
    struct gws__parker caller; /* where the caller sleeps when a loop's end is long in coming */
    struct gws__mate *mate;    /* workers entries; [0] is the caller and has no thread */
    struct gws__mate **called; /* workers entries: who is which worker; those on the bench are at the end */
    uint32_t benched;
    /* The caller's account (gws__crew_judge()). */
    double loops_ms;                 /* time in loops, against which the stalls are held */
    double stalled_ms;               /* how long the caller itself was lately off its processor in loops */
    double unchecked_ms, slept_ms;   /* time in loops since its processor time was read, and asleep in them */
    double checked_ms, processor_ms; /* when that was, and the processor time then */
    bool pinned;
    struct gws__cpus caller_cpus; /* the caller's before it was pinned */
};

/* Starts workers - 1 threads that run work(context, worker) when called. mate and called: workers entries each of the
 * owner's memory, aligned to 128 bytes. GWS_SYSTEM if a thread cannot be made; none is left then. */
gws_status gws__crew_start(struct gws__crew *crew, uint32_t workers, bool pin, struct gws__mate *mate,
                           struct gws__mate **called, void (*work)(void *context, uint32_t worker), void *context);

/* True in a child of the process that made the threads, where there are none. Whoever slept at a parker when it was
 * forked seems to sleep there for ever: parkers cannot be destroyed, which would wait for the sleepers, and hold
 * nothing that must be. */
bool gws__crew_is_gone(const struct gws__crew *crew);

/* Where it is gone, only the caller's CPUs are given back. */
void gws__crew_stop(struct gws__crew *crew);

/* Calls workers 1 .. workers - 1 to work. What the caller wrote before is visible to them. */
void gws__crew_call(struct gws__crew *crew, uint32_t workers);

/* How many workers a loop can have now, those on the bench left out. */
uint32_t gws__crew_present(struct gws__crew *crew, double now_ms);

/* After a loop that took so long: who cost too much sits down. */
void gws__crew_judge(struct gws__crew *crew, double now_ms, double loop_ms);

/* Returns when each of them has finished or, if late ones may be dismissed, was found not to have begun. What they
 * wrote is visible to the caller. */
void gws__crew_wait(struct gws__crew *crew, uint32_t workers, bool dismiss);

#endif

/* SPDX-License-Identifier: MIT */
/* The threads of a runtime: the caller activates them for a loop one by one; the others sleep.
 *
 * Each worker has one word, `call`, that it shares with the caller alone:
 *
 *     IDLE --caller--> CALLED --worker--> JOINED --worker--> IDLE
 *                         '-----caller (dismissed)------------^
 *
 * so a call disturbs only the threads that are wanted, and the caller does not wait for one that comes too late.
 *
 * The caller waits for a thread that joined. Where other processes want the processors too, such a thread may be off
 * its processor for a time slice, some milliseconds, in the middle of a loop of some microseconds; or the caller is off
 * its own, for one thread too many. When a good part of the time is lost that way, the thread with the longest stalls
 * is suspended for a while: loops run without it, and then it is tried again. */
#ifndef GWS_POOL_THREADS_H
#define GWS_POOL_THREADS_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../runtime.h"
#include "parking.h"
#include "topology.h"

struct gws__threads;

struct gws__thread {
    /* The caller and this worker. */
    alignas(128) _Atomic uint32_t call;
    struct gws__parker parker;
    uint32_t worker; /* what it is in the loop that it is called to; written by the caller before the call */
    /* Constant. */
    alignas(128) struct gws__threads *threads;
    pthread_t handle;
    /* The caller's. */
    double stalled_ms;   /* how long the caller lately waited for it while it was not on a processor */
    double resume_ms;    /* suspended until then */
    double suspended_ms; /* how long it was suspended last */
};

struct gws__threads {
    uint32_t workers;   /* the caller, worker 0, included */
    pid_t owner;        /* the process that has the threads */
    double patience_ms; /* how long to spin before sleeping; 0 when there are more workers than CPUs */
    void (*work)(void *context, uint32_t worker);
    void *context;
    struct gws__parker caller;   /* where the caller sleeps when a loop's end is long in coming */
    struct gws__thread *thread;  /* workers entries; [0] is the caller and has no thread */
    struct gws__thread **active; /* workers entries: which thread is which worker; suspended ones are at the end */
    uint32_t suspended;
    /* The caller's account (gws__threads_judge()). */
    double loops_ms;                 /* time in loops, against which the stalls are held */
    double stalled_ms;               /* how long the caller itself was lately off its processor in loops */
    double unchecked_ms, slept_ms;   /* time in loops since its processor time was read, and asleep in them */
    double checked_ms, processor_ms; /* when that was, and the processor time then */
    bool pinned;
    struct gws__cpus caller_cpus; /* the caller's before it was pinned */
};

/* Starts workers - 1 threads that run work(context, worker) when activated. thread and active: workers entries each of
 * the owner's memory, aligned to 128 bytes. GWS_SYSTEM if a thread cannot be made; none is left then. */
gws_status gws__threads_start(struct gws__threads *threads, uint32_t workers, bool pin, struct gws__thread *thread,
                              struct gws__thread **active, void (*work)(void *context, uint32_t worker), void *context);

/* True in a child of the process that made the threads, where there are none. Whoever slept at a parker when it was
 * forked seems to sleep there for ever: parkers cannot be destroyed, which would wait for the sleepers, and hold
 * nothing that must be. */
bool gws__threads_are_gone(const struct gws__threads *threads);

/* Where it is gone, only the caller's CPUs are given back. */
void gws__threads_stop(struct gws__threads *threads);

/* Calls workers 1 .. workers - 1 to work. What the caller wrote before is visible to them. */
void gws__threads_call(struct gws__threads *threads, uint32_t workers);

/* How many workers a loop can have now, suspended ones left out. */
uint32_t gws__threads_active(struct gws__threads *threads, double now_ms);

/* After a loop that took so long: suspends the thread with the longest stalls, if they cost too much. */
void gws__threads_judge(struct gws__threads *threads, double now_ms, double loop_ms);

/* Returns when each of them has finished or, if late ones may be dismissed, was found not to have begun. What they
 * wrote is visible to the caller. */
void gws__threads_wait(struct gws__threads *threads, uint32_t workers, bool dismiss);

#endif

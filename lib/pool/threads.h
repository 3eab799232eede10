/* SPDX-License-Identifier: MIT */
/* The threads of a runtime. The caller activates them for each loop, one by one; the others sleep.
 *
 * Each worker has one word, `call`, that it shares with the caller only:
 *
 *     IDLE --caller--> CALLED --worker--> JOINED --worker--> IDLE
 *                         '-----caller (dismissed)------------^
 *
 * So a call disturbs only the threads that the loop needs, and the caller does not wait for a thread that comes too
 * late.
 *
 * The caller waits for a thread that has joined. If other processes compete for the processors, such a thread may be
 * off its processor for a time slice of some milliseconds, in the middle of a loop of some microseconds. Or the caller
 * itself is off its processor, because there is one thread too many. If such stalls cost a large part of the time, the
 * thread with the longest stalls is suspended: loops run without it for a while, and then it may run again. */
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
    /* Shared by the caller and this worker. */
    alignas(128) _Atomic uint32_t call;
    struct gws__parker parker;
    uint32_t worker; /* its number in the current loop; the caller writes it before the call */
    /* Constant. */
    alignas(128) struct gws__threads *threads;
    pthread_t handle;
    /* Private to the caller. */
    double stalled_ms;   /* recent time for which the caller waited for it while it was off its processor */
    double resume_ms;    /* end of the suspension */
    double suspended_ms; /* length of the last suspension */
};

struct gws__threads {
    uint32_t workers;   /* including the caller, worker 0 */
    pid_t owner;        /* the process that owns the threads */
    double patience_ms; /* spin time before sleeping; 0 if there are more workers than CPUs */
    void (*work)(void *context, uint32_t worker);
    void *context;
    struct gws__parker caller;   /* for the caller, when a loop takes long to end */
    struct gws__thread *thread;  /* workers entries; [0] is the caller and has no thread */
    struct gws__thread **active; /* workers entries: the thread of each worker; suspended threads are at the end */
    uint32_t suspended;
    /* The caller's sums (gws__threads_check_stalls()). */
    double loops_ms;                 /* time in loops; the stalls are compared with it */
    double stalled_ms;               /* the caller's recent time off its processor in loops */
    double unchecked_ms, slept_ms;   /* time in loops since the last check of its processor time, and asleep in them */
    double checked_ms, processor_ms; /* time of that check, and the processor time then */
    bool pinned;
    struct gws__cpus caller_cpus; /* the caller's CPUs before it was pinned */
};

/* Starts workers - 1 threads that run work(context, worker) when activated. The caller owns thread and active, workers
 * entries each, aligned to 128 bytes. GWS_SYSTEM if a thread cannot be created; no thread is left then. */
gws_status gws__threads_start(struct gws__threads *threads, uint32_t workers, bool pin, struct gws__thread *thread,
                              struct gws__thread **active, void (*work)(void *context, uint32_t worker), void *context);

/* True in a child of the process that created the threads: there are none. A thread that slept at a parker during
 * fork() seems to sleep there for ever. Destroying a parker would wait for its sleepers, so parkers are not destroyed;
 * they own nothing that must be freed. */
bool gws__threads_are_gone(const struct gws__threads *threads);

/* In a child process, it only restores the caller's CPUs. */
void gws__threads_stop(struct gws__threads *threads);

/* Activates workers 1 .. workers - 1. The caller's earlier writes are visible to them. */
void gws__threads_call(struct gws__threads *threads, uint32_t workers);

/* How many workers a loop can use now, without the suspended ones. */
uint32_t gws__threads_active(struct gws__threads *threads, double now_ms);

/* After a loop of that length: suspends the thread with the longest stalls, if the stalls cost too much. */
void gws__threads_check_stalls(struct gws__threads *threads, double now_ms, double loop_ms);

/* Returns when each of them has finished or, if late threads may be dismissed, has not started. Their writes are
 * visible to the caller. */
void gws__threads_wait(struct gws__threads *threads, uint32_t workers, bool dismiss);

#endif

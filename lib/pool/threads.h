/* SPDX-License-Identifier: MIT */
/* The threads of a runtime. For each loop, the caller activates the threads that the loop needs, one by one. The other
 * threads sleep.
 *
 * Each worker has one word, `call`, that it shares with the caller only:
 *
 *     IDLE --caller--> CALLED --worker--> JOINED --worker--> IDLE
 *                         '-----caller (dismissed)------------^
 *
 * So a call disturbs only the threads that the loop needs. The caller does not wait for a thread that joins too late.
 *
 * The caller waits for a thread that has joined. If other processes compete for the processors, such a thread may be
 * off its processor for a time slice of some milliseconds, in the middle of a loop of some microseconds. The caller
 * itself may also be off its processor, because the machine has one thread too many. If such stalls cost a large part
 * of the time, the caller suspends the thread with the longest stalls. Loops then run without this thread for a
 * while. */
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
    /* Members that the caller and this worker share. */
    alignas(128) _Atomic uint32_t call;
    struct gws__parker parker;
    uint32_t worker; /* number of the worker in the current loop; the caller writes it before the call */
    /* Constant. */
    alignas(128) struct gws__threads *threads;
    pthread_t handle;
    /* Private to the caller. */
    double stalled_ms;   /* recent time for which the caller waited while this thread was off its processor */
    double resume_ms;    /* end of the suspension */
    double suspended_ms; /* length of the last suspension */
};

struct gws__threads {
    uint32_t workers;   /* including the caller, worker 0 */
    pid_t owner;        /* the process that owns the threads */
    double patience_ms; /* spin time before sleeping; 0 if there are more workers than CPUs */
    void (*work)(void *context, uint32_t worker);
    void *context;
    void (*while_waiting)(void *context); /* a waiting caller calls this hook every few milliseconds; may be NULL */
    struct gws__parker caller;            /* the caller sleeps here when a loop takes long to end */
    struct gws__thread *thread;           /* workers entries; [0] is the caller and has no thread */
    struct gws__thread **active; /* workers entries: the thread of each worker; suspended threads are at the end */
    uint32_t suspended;
    /* The caller's sums (gws__threads_check_stalls()). */
    double loops_ms;                 /* time in loops, with which the caller compares the stalls */
    double stalled_ms;               /* the caller's recent time off its processor in loops */
    double unchecked_ms, slept_ms;   /* time in loops since the last check, and the caller's time asleep in them */
    double checked_ms, processor_ms; /* clock and the caller's processor time at the last check */
    bool pinned;
    struct gws__cpus caller_cpus; /* the caller's CPUs before it was pinned */
};

/* Starts workers - 1 threads that run work(context, worker) when activated. The caller owns the arrays thread and
 * active, with `workers` entries each, aligned to 128 bytes. Returns GWS_SYSTEM if the system cannot create a thread.
 * No thread is then left. */
gws_status gws__threads_start(struct gws__threads *threads, uint32_t workers, bool pin, struct gws__thread *thread,
                              struct gws__thread **active, void (*work)(void *context, uint32_t worker), void *context);

/* Returns true in a child of the process that created the threads, because a child has none of them. A thread that
 * slept at a parker during fork() seems to sleep there for ever. Destroying a parker would wait for its sleepers, so a
 * child does not destroy parkers. A parker owns no memory. */
bool gws__threads_are_gone(const struct gws__threads *threads);

/* Ends the threads and restores the caller's CPUs. In a child process, only restores the caller's CPUs. */
void gws__threads_stop(struct gws__threads *threads);

/* Activates workers 1 .. workers - 1. The caller's earlier writes are visible to these workers. */
void gws__threads_call(struct gws__threads *threads, uint32_t workers);

/* Returns the number of workers that a loop can use now, without the suspended threads. */
uint32_t gws__threads_active(struct gws__threads *threads, double now_ms);

/* Suspends the thread with the longest stalls if the stalls cost too much. The caller calls it after a loop of
 * loop_ms. */
void gws__threads_check_stalls(struct gws__threads *threads, double now_ms, double loop_ms);

/* Waits until each of workers 1 .. workers - 1 has finished. If dismiss is true, dismisses threads that have not joined
 * instead of waiting for them. The writes of these workers are visible to the caller. */
void gws__threads_wait(struct gws__threads *threads, uint32_t workers, bool dismiss);

#endif

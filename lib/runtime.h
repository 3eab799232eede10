/* SPDX-License-Identifier: MIT */
/* The runtime: worker threads, the policy that balances their load, and the services (memory, log, progress) that all
 * other calls use.
 *
 * gws_runtime_open() creates the threads. They sleep while there is no work. gws_runtime_close() joins them. The
 * calling thread is always worker 0. There are no mutable globals.
 *
 * One runtime serves one calling thread at a time. Several threads may take turns without a lock of their own. While
 * another thread is inside a call, every function that uses the workers and returns a status returns GWS_BUSY and
 * changes nothing. Such a function also returns GWS_BUSY when a loop body, a team or a task of the runtime calls it.
 * Functions without a status that run loops (gws_parallel_run(), gws_parallel_for(), gws_parallel_team()) then run them
 * on the calling thread alone. gws_runtime_close() and the functions for statistics and traces do not check this. While
 * they run, no other thread may be inside a call. gws_allocate(), gws_release() and the functions that destroy graphs,
 * trees and results may run on any thread at any time. A device and its objects belong to one thread at a time. The
 * caller ensures this. Two threads may use two runtimes at once.
 *
 * fork(): a child process has the memory of its parent but none of its threads. In the child, the only legal call on
 * the parent's runtime is gws_runtime_close(), which frees the runtime's memory and does not wait. The child may also
 * leave the runtime open. The child may free graphs, trees and results, and it may open runtimes of its own. Do not
 * fork while another thread runs a call on the runtime, because the allocator may then stay locked in the child.
 * lib/device.h describes devices after fork(). */
#ifndef GWS_RUNTIME_H
#define GWS_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decisions.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_runtime;

/* Memory hooks. allocate returns bytes (never 0) of memory aligned for any type, or NULL. release gets a pointer that
 * allocate returned, never NULL, with the same size. Several threads may call both at once. {0} selects the library's
 * own allocator, which is the C library's with huge pages from 4 MiB up. */
struct gws_allocator {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory, size_t bytes);
    void *context;
};

/* Reports progress, `done` of `total` units of the named work (a string such as "reading"). total is 0 when unknown.
 * The library calls the hook now and then while it reads or writes files and builds graphs, from one thread at a
 * time. */
typedef void gws_progress(void *context, const char *work, uint64_t done, uint64_t total);

/* Receives a log line without its newline. The line is a hint or a warning that no status can carry. */
typedef void gws_log(void *context, const char *line);

/* Receives the path of an unfinished output file that now exists beside its target, or NULL once that file no longer
 * exists. The hook is for a signal handler that ends the process. The handler may unlink(2) that path first. The
 * library blocks all signals in the calling thread from before the file exists until the hook returns. File systems
 * with O_TMPFILE give unfinished files no name. The library then does not call the hook. */
typedef void gws_unfinished(void *context, const char *path);

/* Returns true if the running call should stop. See gws_options.cancel. */
typedef bool gws_cancel(void *context);

struct gws_options {
    uint32_t threads;   /* workers, including the caller; 0: one for each CPU this process may use */
    uint32_t chunk;     /* tasks per acquisition if a loop does not set it; 0: computed from the size of the loop */
    const char *policy; /* a name from gws_policy_at(); NULL: "chunked" */
    const char *victim; /* the first victim of a thief, a name from gws_victim_at(); NULL: the policy's own choice */
    const char *amount; /* the amount that a thief takes, a name from gws_amount_at(); NULL: the policy's own choice */
    const struct gws_decisions *decisions; /* your own functions for both; NULL: none. The runtime copies the struct. */
    bool wait; /* thieves wait for a locked queue rather than give up: the baseline for aborting steals */
    bool vote; /* detect termination by a vote (Dinan et al., SC 2009) rather than by a counter */
    /* Immediate tasks: each worker samples the lengths of all queues once in that many batches; 0: never. */
    uint32_t sample;
    uint32_t trace; /* maximum number of slices of time for each worker, 32 bytes each; 0: no trace; see trace.h */
    bool pin;       /* bind worker i to the i-th CPU this process may use */
    uint64_t seed;  /* seed of every random decision: victims, sources */
    struct gws_allocator allocator;
    /* Limit in bytes for the memory that this runtime, and the graphs, points and results that it made, may hold at
     * once. Larger requests fail with GWS_NO_MEMORY; 0: no limit. Thread stacks, mapped files and the memory of device
     * drivers do not count. */
    uint64_t max_memory;
    gws_progress *progress;     /* may be NULL */
    gws_log *log;               /* may be NULL */
    gws_unfinished *unfinished; /* may be NULL */
    /* May be NULL. Only the calling thread asks this hook: when a call begins (unless it asked just before), and about
     * every 5 ms while the call reads, builds, searches, checks or writes. Once the hook returns true, the call soon
     * returns GWS_CANCELLED: when every worker has finished its current chunk, and the caller its current step. Results
     * are then unchanged or empty, as after any failure. The library removes unfinished files. The caller may use the
     * runtime again. A call that has done its work when the hook returns true succeeds. The hook must not call the
     * library. The hook cannot interrupt some work: reads and writes that
     * wait for a pipe; the sort in gws_octree_check(); the steps that orient, order or index a graph; and kernels on a
     * device. Kernels of PageRank, betweenness, triangles, shortest paths, cores and label propagation are an exception
     * on devices that share memory with the host: they look in every round, and end early. Strong components on a
     * device end between two rounds. */
    gws_cancel *cancel;
    void *context; /* argument of these four hooks */
    bool no_sync;  /* do not sync output files to disk: a power loss may then lose or damage them */
};

/* Opens a runtime. options may be NULL or {0} for the defaults. The runtime keeps only the function pointers and their
 * contexts. Errors: GWS_INVALID (an unknown policy; a victim or an amount that the policy does not accept, or that is
 * given twice; more than 4096 threads), GWS_NO_MEMORY, GWS_SYSTEM (a thread could not be created). Cost: one thread
 * creation for each worker, about 20 us each. */
GWS_API gws_status gws_runtime_open(const struct gws_options *options, struct gws_runtime **runtime);

/* Joins the threads and frees the runtime. NULL is allowed. Graphs and results outlive it. */
GWS_API void gws_runtime_close(struct gws_runtime *runtime);

/* Return the number of workers, the name of the policy, and the chunk option (0: computed for each loop). */
GWS_API uint32_t gws_runtime_workers(const struct gws_runtime *runtime);
GWS_API const char *gws_runtime_policy(const struct gws_runtime *runtime);
GWS_API uint32_t gws_runtime_chunk(const struct gws_runtime *runtime);

/* Return the name of row i in the tables of policies, of victim strategies and of steal amounts, or NULL past the end.
 * *about receives one sentence about the row. The strings have static storage. */
GWS_API const char *gws_policy_at(uint32_t i, const char **about);
GWS_API const char *gws_victim_at(uint32_t i, const char **about);
GWS_API const char *gws_amount_at(uint32_t i, const char **about);

/* Return whether the policy of that name accepts a victim, or an amount. Return false for an unknown name. */
GWS_API bool gws_policy_takes_victim(const char *name);
GWS_API bool gws_policy_takes_amount(const char *name);

/* Return whether gws_options.wait, .vote, .sample or .chunk has an effect under that policy. wait needs queues with
 * locks. vote and sample need a policy that keeps immediate tasks in queues rather than runs them in rounds. chunk
 * affects loops and rounds of tasks. The functions return false for an unknown name. */
GWS_API bool gws_policy_takes_wait(const char *name);
GWS_API bool gws_policy_takes_vote(const char *name);
GWS_API bool gws_policy_takes_sample(const char *name);
GWS_API bool gws_policy_takes_chunk(const char *name);

/* Returns whether gws_options.seed affects how that policy balances with that victim strategy (NULL: its own). Such a
 * policy draws victims, or the times at which workers balance. Returns false for unknown names. */
GWS_API bool gws_policy_draws(const char *name, const char *victim);

/* The statistics of one worker since the last reset. A task is one index of a loop. In a breadth-first search a task is
 * a vertex of the frontier (top-down), an arc if the frontier is a few vertices with long rows, a word of 64 vertices
 * (bottom-up), or on large meshes a region in a round (see gws_bfs()). Only balanced work counts as tasks or steals.
 * Auxiliary loops (gws_loop.uncounted), which clear and fill arrays, count as busy time only. */
struct gws_worker_stats {
    uint64_t tasks;          /* tasks run */
    uint64_t stolen;         /* tasks run that were first assigned to another worker */
    uint64_t steals;         /* successful steals, in chunks */
    uint64_t failed_steals;  /* attempts that lost a race; in loops, also attempts that found an empty queue */
    uint64_t aborted_steals; /* attempts at immediate tasks that gave up early: the victim's queue was empty, or another
                                worker held its lock (Dinan et al., SC 2009, section 5.3) */
    uint64_t made;           /* tasks spawned; for a breadth-first search, vertices reached */
    uint64_t samples;        /* samples of the lengths of all queues */
    double spread;       /* sum over the samples of the mean squared distance of the lengths from their mean (Rudolph,
                            Slivkin-Allalouf, Upfal, SPAA 1991, Figure 6) */
    uint64_t high_water; /* maximum number of immediate tasks in the worker's queue */
    double busy_ms;      /* time in loop bodies, tasks and queue operations */
    double idle_ms;      /* time without work while a loop ran */
};

/* gws_runtime_stats() copies the statistics of all workers to stats (gws_runtime_workers() entries).
 * gws_runtime_stats_reset() clears them. */
GWS_API void gws_runtime_stats(const struct gws_runtime *runtime, struct gws_worker_stats *stats);
GWS_API void gws_runtime_stats_reset(struct gws_runtime *runtime);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/* The runtime: worker threads, the policy that balances their load, and the services (memory, log, progress) that all
 * other calls use.
 *
 * gws_runtime_open() creates the threads. They sleep while there is no work. gws_runtime_close() joins them. The
 * calling thread is always worker 0. One runtime serves one calling thread at a time. Two threads may use two runtimes
 * at once. There are no mutable globals.
 *
 * fork(): a child process has the memory of its parent but none of its threads. In the child, the only legal call on
 * the parent's runtime is gws_runtime_close(), which frees its memory and does not wait; leaving it open is legal too.
 * The child may free graphs, trees and results, and it may open runtimes of its own. Do not fork while another thread
 * runs a call on the runtime: the allocator may then stay locked in the child. lib/device.h says what holds for
 * devices. */
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
 * own: the C library's allocator, with huge pages from 4 MiB up. */
struct gws_allocator {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory, size_t bytes);
    void *context;
};

/* Progress: done of total units of the named work (a string such as "reading"); total is 0 when unknown. One thread at
 * a time calls it now and then, while files are read or written and graphs are built. */
typedef void gws_progress(void *context, const char *work, uint64_t done, uint64_t total);

/* A log line without its newline: a hint or a warning that no status can carry. */
typedef void gws_log(void *context, const char *line);

/* The path of an unfinished output file that now exists beside its target; NULL once it no longer exists. The hook is
 * for a signal handler that ends the process: the handler may unlink(2) that path first. The library blocks all signals
 * in the calling thread from before the file exists until the hook returns. File systems with O_TMPFILE give unfinished
 * files no name; the library then does not call the hook. */
typedef void gws_unfinished(void *context, const char *path);

struct gws_options {
    uint32_t threads;   /* workers, including the caller; 0: one for each CPU this process may use */
    uint32_t chunk;     /* tasks per acquisition if a loop does not set it; 0: computed from the size of the loop */
    const char *policy; /* a name from gws_policy_at(); NULL: "chunked" */
    const char *victim; /* the first victim of a thief, a name from gws_victim_at(); NULL: the policy's own choice */
    const char *amount; /* the amount that a thief takes, a name from gws_amount_at(); NULL: the policy's own choice */
    const struct gws_decisions *decisions; /* your own functions for both; NULL: none. The struct is copied. */
    bool wait; /* thieves wait for a locked queue rather than give up: the baseline for aborting steals */
    bool vote; /* detect termination by a vote (Dinan et al., SC 2009) rather than by a counter */
    /* Immediate tasks: each worker samples the lengths of all queues once in that many batches; 0: never. */
    uint32_t sample;
    uint32_t trace; /* maximum number of slices of time for each worker, 32 bytes each; 0: no trace; see trace.h */
    bool pin;       /* bind worker i to the i-th CPU this process may use */
    uint64_t seed;  /* for every random decision: victims, sources */
    struct gws_allocator allocator;
    /* Limit in bytes for the memory that this runtime, and the graphs, points and results that it made, may hold at
     * once; larger requests fail with GWS_NO_MEMORY; 0: no limit. Thread stacks, mapped files and the memory of device
     * drivers do not count. */
    uint64_t max_memory;
    gws_progress *progress;     /* may be NULL */
    gws_log *log;               /* may be NULL */
    gws_unfinished *unfinished; /* may be NULL */
    void *context;              /* argument of these three hooks */
    bool no_sync;               /* do not sync output files to disk: a power loss may then lose or damage them */
};

/* Opens a runtime. options may be NULL or {0} for the defaults. The runtime keeps only the function pointers and their
 * contexts. Errors: GWS_INVALID (an unknown policy; a victim or an amount that the policy does not accept, or that is
 * given twice; more than 4096 threads), GWS_NO_MEMORY, GWS_SYSTEM (a thread could not be created). Cost: one thread
 * creation for each worker, about 20 us each. */
GWS_API gws_status gws_runtime_open(const struct gws_options *options, struct gws_runtime **runtime);

/* Joins the threads and frees the runtime; NULL is allowed. Graphs and results outlive it. */
GWS_API void gws_runtime_close(struct gws_runtime *runtime);

/* The number of workers, the name of the policy, and the chunk option (0: computed for each loop). */
GWS_API uint32_t gws_runtime_workers(const struct gws_runtime *runtime);
GWS_API const char *gws_runtime_policy(const struct gws_runtime *runtime);
GWS_API uint32_t gws_runtime_chunk(const struct gws_runtime *runtime);

/* The tables of policies, of victim strategies and of steal amounts: row i's name and one sentence about it, NULL past
 * the end. Static storage. */
GWS_API const char *gws_policy_at(uint32_t i, const char **about);
GWS_API const char *gws_victim_at(uint32_t i, const char **about);
GWS_API const char *gws_amount_at(uint32_t i, const char **about);

/* True if the policy of that name accepts a victim, or an amount. False for an unknown name. */
GWS_API bool gws_policy_takes_victim(const char *name);
GWS_API bool gws_policy_takes_amount(const char *name);

/* True if gws_options.wait, .vote, .sample or .chunk has an effect under that policy. wait needs queues with locks.
 * vote and sample need a policy that keeps immediate tasks in queues rather than runs them in rounds. chunk affects
 * loops and rounds of tasks. False for an unknown name. */
GWS_API bool gws_policy_takes_wait(const char *name);
GWS_API bool gws_policy_takes_vote(const char *name);
GWS_API bool gws_policy_takes_sample(const char *name);
GWS_API bool gws_policy_takes_chunk(const char *name);

/* True if gws_options.seed affects how that policy balances with that victim strategy (NULL: its own): it draws
 * victims, or it draws when workers balance. False for unknown names. */
GWS_API bool gws_policy_draws(const char *name, const char *victim);

/* The statistics of one worker since the last reset. A task is one index of a loop. For a breadth-first search that is
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
    uint64_t high_water; /* maximum number of immediate tasks in its queue */
    double busy_ms;      /* time in loop bodies, tasks and queue operations */
    double idle_ms;      /* time without work while a loop ran */
};

/* Copies the statistics of workers 0 .. gws_runtime_workers() - 1 to stats (that many entries), or resets them. */
GWS_API void gws_runtime_stats(const struct gws_runtime *runtime, struct gws_worker_stats *stats);
GWS_API void gws_runtime_stats_reset(struct gws_runtime *runtime);

#ifdef __cplusplus
}
#endif
#endif

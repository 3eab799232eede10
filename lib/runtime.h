/* SPDX-License-Identifier: MIT */
/* The runtime: worker threads, the policy that balances their load, and the services (memory, log, progress) that
 * every other call borrows from it.
 *
 * Threads are created by gws_runtime_open(), parked while there is nothing to do, and joined by gws_runtime_close().
 * The calling thread is always worker 0. One runtime serves one calling thread at a time; two runtimes may be used by
 * two threads at once. There are no mutable globals.
 *
 * fork(): a child has its parent's memory and none of its threads. What the parent opened stays the parent's: in the
 * child a runtime can only be closed, which frees its memory there and waits for nobody, or be left alone. The child
 * may free graphs, trees and results, and open runtimes of its own. It must not be forked while a call on the runtime
 * runs in another thread: the allocator may be locked then for ever. Of devices lib/device.h speaks. */
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

/* Memory hooks. allocate returns bytes (never 0) of memory aligned for any type, or NULL; release gets back what
 * allocate gave, with the same size, and never NULL. Both may be called by several threads at once.
 * {0} stands for the library's own: the C library, with huge pages asked for from 4 MiB up. */
struct gws_allocator {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory, size_t bytes);
    void *context;
};

/* done of total units of the named work (a string such as "reading"), total 0 when it is not known. Called now and
 * then, by one thread at a time, while files are read and written and graphs are built. */
typedef void gws_progress(void *context, const char *work, uint64_t done, uint64_t total);

/* One line without its end: a hint or a warning that no status can carry. */
typedef void gws_log(void *context, const char *line);

/* The name of an unfinished file that lies there from now on, beside the file that it is to become; NULL once it does
 * not lie there any more. Where the file system can do that, unfinished files have no name, and nothing is called. For
 * a handler of signals that ends the process: it may unlink(2) that name before. All signals are blocked in the calling
 * thread, of which it is called, from before the file lies there. */
typedef void gws_unfinished(void *context, const char *path);

struct gws_options {
    uint32_t threads;   /* workers, the caller included; 0: one for each CPU this process may use */
    uint32_t chunk;     /* tasks a worker takes at once, where a loop does not say; 0: chosen from the loop's size */
    const char *policy; /* a name from gws_policy_at(); NULL: "chunked" */
    const char *victim; /* whom a thief tries first, a name from gws_victim_at(); NULL: the policy's own choice */
    const char *amount; /* how much it takes, a name from gws_amount_at(); NULL: the policy's own choice */
    const struct gws_decisions *decisions; /* your own for both; NULL: none. It is copied. */
    bool wait; /* thieves wait for a locked queue rather than giving up: the baseline for aborting steals */
    bool vote; /* tasks end by a vote in a tree of workers (Dinan et al., SC 2009) rather than by a counter */
    uint32_t
        sample; /* immediate tasks: look at all queues' lengths every so many batches that a worker runs; 0: never */
    uint32_t trace; /* slices of time to keep for each worker, the first so many; 0: none. 32 bytes each; see trace.h */
    bool pin;       /* bind worker i to the i-th CPU this process may use */
    uint64_t seed;  /* for every random decision: victims, sources */
    struct gws_allocator allocator;
    uint64_t max_memory;    /* bytes that this runtime, and the graphs, points and results that it made, may have from
                             * the allocator at once; what would exceed them is refused with GWS_NO_MEMORY; 0: no limit.
                             * Threads' stacks, mapped files and what a device's driver takes do not count */
    gws_progress *progress; /* may be NULL */
    gws_log *log;           /* may be NULL */
    gws_unfinished *unfinished; /* may be NULL */
    void *context;              /* handed to these three */
    bool no_sync; /* do not wait until what is written is on the disk: after a power loss it may be lost or broken */
};

/* Opens a runtime. options may be NULL or {0} for the defaults; nothing in it is kept but the function pointers and
 * their contexts. Errors: GWS_INVALID (an unknown policy; a victim or an amount
 * that it does not leave open, or that is given twice; more than 4096 threads), GWS_NO_MEMORY, GWS_SYSTEM (a thread
 * could not be made). Costs a thread creation per worker, about 20 us each. */
GWS_API gws_status gws_runtime_open(const struct gws_options *options, struct gws_runtime **runtime);

/* Ends the threads and frees the runtime; NULL is allowed. Graphs and results outlive it. */
GWS_API void gws_runtime_close(struct gws_runtime *runtime);

/* What was opened: the number of workers, the policy's name, and the chunk as asked for (0: chosen for each loop). */
GWS_API uint32_t gws_runtime_workers(const struct gws_runtime *runtime);
GWS_API const char *gws_runtime_policy(const struct gws_runtime *runtime);
GWS_API uint32_t gws_runtime_chunk(const struct gws_runtime *runtime);

/* The tables of policies, of ways to choose a victim and of amounts to steal: row i's name and one sentence about it,
 * NULL past the end. Static storage. */
GWS_API const char *gws_policy_at(uint32_t i, const char **about);
GWS_API const char *gws_victim_at(uint32_t i, const char **about);
GWS_API const char *gws_amount_at(uint32_t i, const char **about);

/* True if the policy of that name leaves the victim, or the amount, open. False for an unknown name. */
GWS_API bool gws_policy_takes_victim(const char *name);
GWS_API bool gws_policy_takes_amount(const char *name);

/* True if gws_options.wait makes a difference under that policy: its queues have locks that a thief may wait for; and
 * the same for .vote and .sample: it keeps immediate tasks in queues, rather than running them in rounds. False for an
 * unknown name. gws_options.chunk makes one to loops, and to rounds of tasks, under gws_policy_takes_chunk(). */
GWS_API bool gws_policy_takes_wait(const char *name);
GWS_API bool gws_policy_takes_vote(const char *name);
GWS_API bool gws_policy_takes_sample(const char *name);
GWS_API bool gws_policy_takes_chunk(const char *name);

/* True if gws_options.seed makes a difference to how that policy balances, with that choice of victims (NULL: its own):
 * whom a thief tries is drawn, or when workers meet. False for unknown names. */
GWS_API bool gws_policy_draws(const char *name, const char *victim);

/* What one worker did since the statistics were last reset. A task is one index of a loop: for a breadth-first
 * search, a vertex of the frontier (top-down), an arc where the frontier is a few vertices with long rows, a word of
 * 64 vertices (bottom-up), or on large meshes a region in a round (see gws_bfs()). Only work that is balanced
 * counts: loops that clear and fill around it (gws_loop.aside) count as busy time, not as tasks or steals. */
struct gws_worker_stats {
    uint64_t tasks;          /* tasks run */
    uint64_t stolen;         /* those of them that were first assigned to another worker */
    uint64_t steals;         /* successful steals: chunks */
    uint64_t failed_steals;  /* attempts that lost the race; in loops, also those that found nothing */
    uint64_t aborted_steals; /* attempts at immediate tasks that were given up at a look: the victim's queue was empty,
                              * or somebody else was at it (Dinan et al., SC 2009, section 5.3) */
    uint64_t made;           /* tasks made for later; for a breadth-first search, vertices reached */
    uint64_t samples;        /* looks at all queues' lengths */
    double spread;           /* sum over these of the mean squared distance of the lengths from their mean (Rudolph,
                              * Slivkin-Allalouf, Upfal, SPAA 1991, Figure 6) */
    uint64_t high_water;     /* immediate tasks in its queue, at most */
    double busy_ms;          /* time inside loop bodies, tasks and their queues */
    double idle_ms;          /* time in which a loop ran and this worker had nothing left to do in it */
};

/* Copies the statistics of worker 0 .. gws_runtime_workers() - 1 into stats (that many entries), or resets them. */
GWS_API void gws_runtime_stats(const struct gws_runtime *runtime, struct gws_worker_stats *stats);
GWS_API void gws_runtime_stats_reset(struct gws_runtime *runtime);

#ifdef __cplusplus
}
#endif
#endif

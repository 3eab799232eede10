/* SPDX-License-Identifier: MIT */
/* Parallel loops over index ranges. The workers of a runtime share a range, and the policy says how they divide and
 * steal it. Each loop ends with a barrier. Memory from the runtime's allocator is here too. Traversals are written on
 * this interface. */
#ifndef GWS_PARALLEL_H
#define GWS_PARALLEL_H

#include "range.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs tasks begin .. end - 1. worker (from 0) is the calling worker. No other thread has the same number at the same
 * time, so it may index scratch space. */
typedef void gws_body(void *context, uint32_t worker, uint64_t begin, uint64_t end);

/* One loop over count tasks. */
struct gws_loop {
    uint64_t count; /* at most 2^60 */
    /* The first share of each worker: gws_runtime_workers() ranges that cover 0 .. count - 1 once. An example is the
     * output of each worker in the previous loop, which is still in its cache. Other workers steal from it. It is a
     * hint: policies that do not steal, and loops on one worker, divide the range anew. NULL: equal parts. */
    const struct gws_range *part;
    uint32_t chunk;   /* tasks per acquisition; 0: the runtime's, or computed from count and the workers */
    uint32_t grain;   /* minimum tasks for each further worker; 0: 1 (every worker takes part) */
    gws_body *body;   /* called for each chunk, on several threads at once */
    gws_body *finish; /* called once on each participating worker after its last chunk (begin = end = 0), before the
                         barrier: the place to flush buffers. May be NULL. */
    void *context;
    bool uncounted; /* auxiliary work: it counts as busy time, not as tasks or steals */
};

/* Runs the loop and returns when it is complete. A loop of at most one grain runs on the caller without access to
 * shared words. It must not be called from inside a body. */
GWS_API void gws_parallel_run(struct gws_runtime *runtime, const struct gws_loop *loop);

/* A loop with the given grain and no finish function. */
GWS_API void gws_parallel_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body,
                              void *context);

/* A thread team: some workers that run one function side by side and may wait for each other. It is for rounds that are
 * too short for one gws_parallel_run() each. */
struct gws_team;
enum { gws_team_words = 3 };

/* The function of a team. member (from 0) is also the number of the worker. */
typedef void gws_team_body(void *context, struct gws_team *team, uint32_t member);

/* Runs body on `members` workers at once and returns when all have returned. The team is smaller if the runtime has
 * fewer workers or CPUs; it has at least one member, the caller. The policy takes no part. It must not be called from
 * inside a body. A waiting member spins, and yields its CPU after a while. */
GWS_API void gws_parallel_team(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context);

GWS_API uint32_t gws_team_members(const struct gws_team *team);

/* A barrier with an exchange of words (an allgather). It returns when every member has called it; all[m] then holds the
 * words of member m. Whatever a member wrote before the call is visible to all members. all: gws_team_members()
 * entries. About 0.1 us a member. */
GWS_API void gws_team_allgather(struct gws_team *team, uint32_t member, const uint64_t mine[gws_team_words],
                                uint64_t (*all)[gws_team_words]);

/* Adds serial work outside of any loop to a worker's statistics: tasks run, tasks made, busy time. */
GWS_API void gws_parallel_add_stats(struct gws_runtime *runtime, uint32_t worker, uint64_t tasks, uint64_t made,
                                    double busy_ms);

/* Allocates count items of size bytes from the runtime's allocator, not cleared; NULL when memory is short or the
 * product overflows. count 0 gives a valid pointer. Release it with the same count and size; releasing NULL is allowed.
 */
GWS_API void *gws_allocate(struct gws_runtime *runtime, uint64_t count, uint64_t size);
GWS_API void gws_release(struct gws_runtime *runtime, void *memory, uint64_t count, uint64_t size);

/* The allocator, for objects that outlive the runtime. */
GWS_API const struct gws_allocator *gws_runtime_allocator(const struct gws_runtime *runtime);

/* Calls the runtime's progress or log hook, if it is set. */
GWS_API void gws_report_progress(struct gws_runtime *runtime, const char *work, uint64_t done, uint64_t total);
GWS_API void gws_report_log(struct gws_runtime *runtime, const char *line);

/* Monotonic time in milliseconds, for measuring. About 20 ns a call. */
GWS_API double gws_clock_ms(void);

#ifdef __cplusplus
}
#endif
#endif

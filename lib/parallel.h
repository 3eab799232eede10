/* SPDX-License-Identifier: MIT */
/* Level tasks: a range of indexes that the workers of a runtime share, cut and stolen as its policy says, with a
 * barrier at the end; and memory from the runtime's allocator. This is what a traversal is written on. */
#ifndef GWS_PARALLEL_H
#define GWS_PARALLEL_H

#include "range.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs tasks begin .. end - 1. worker (from 0) is the runner: no other thread has the same one at the same time, so it
 * may index scratch space. */
typedef void gws_body(void *context, uint32_t worker, uint64_t begin, uint64_t end);

/* One loop over count tasks. */
struct gws_loop {
    uint64_t count; /* at most 2^60 */
    /* Where each worker begins: gws_runtime_workers() entries that cover 0 .. count - 1 once, such as what each made in
     * the loop before and still has in its cache; others steal from it. A wish: policies that do not steal, and loops
     * that run on one worker, cut anew. NULL: equal parts. */
    const struct gws_range *part;
    uint32_t chunk;   /* tasks taken at once; 0: the runtime's, or chosen from count and the workers */
    uint32_t grain;   /* tasks worth waking one more worker for; 0: 1 (every worker takes part) */
    gws_body *body;   /* called for each chunk, on several threads at once */
    gws_body *finish; /* called once on each worker that took part, after its last chunk (begin = end = 0), before the
                       * barrier: the place to flush what was batched. May be NULL. */
    void *context;
    bool aside; /* not what is balanced, but work around it: counts as busy time, not as tasks or steals */
};

/* Runs the loop and returns when all of it is done. count of at most one grain runs on the caller alone, without
 * touching a shared word. Must not be called from inside a body. */
GWS_API void gws_parallel_run(struct gws_runtime *runtime, const struct gws_loop *loop);

/* The shorthand: a loop with the given grain and no finish. */
GWS_API void gws_parallel_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body,
                              void *context);

/* A team: some workers that run one function side by side and may wait for each other, as the rounds of a loop that are
 * too short for a gws_parallel_run() each. */
struct gws_team;
enum { gws_team_words = 3 };

/* What member (from 0) of the team runs; it is also its number as a worker. */
typedef void gws_team_body(void *context, struct gws_team *team, uint32_t member);

/* Runs body on `members` workers at once, or on fewer where the runtime has no more or there are no CPUs for them (at
 * least one, the caller), and returns when all have ended. It is work that the policy has no part in. Must not be
 * called from inside a body. A member that waits spins, and yields its CPU after a while. */
GWS_API void gws_parallel_team(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context);

GWS_API uint32_t gws_team_members(const struct gws_team *team);

/* A barrier that carries words: returns when every member has called it, with all[m] what member m gave. What any wrote
 * before is visible to all. all: gws_team_members() entries. About 0.1 us a member. */
GWS_API void gws_team_allgather(struct gws_team *team, uint32_t member, const uint64_t mine[gws_team_words],
                                uint64_t (*all)[gws_team_words]);

/* Adds to a worker's statistics work that was done outside of any loop: tasks run and made by a serial stretch. */
GWS_API void gws_parallel_add_stats(struct gws_runtime *runtime, uint32_t worker, uint64_t tasks, uint64_t made,
                                    double busy_ms);

/* count items of size bytes from the runtime's allocator, not cleared; NULL when memory is short or the product
 * overflows. count 0 gives a valid pointer. Give it back with the same count and size; NULL is allowed there. */
GWS_API void *gws_allocate(struct gws_runtime *runtime, uint64_t count, uint64_t size);
GWS_API void gws_release(struct gws_runtime *runtime, void *memory, uint64_t count, uint64_t size);

/* The allocator itself, for objects that outlive the runtime. */
GWS_API const struct gws_allocator *gws_runtime_allocator(const struct gws_runtime *runtime);

/* Reports progress or a log line through the runtime's hooks, if it has any. */
GWS_API void gws_report_progress(struct gws_runtime *runtime, const char *work, uint64_t done, uint64_t total);
GWS_API void gws_report_log(struct gws_runtime *runtime, const char *line);

/* Monotonic time in milliseconds, for measuring. About 20 ns a call. */
GWS_API double gws_clock_ms(void);

#ifdef __cplusplus
}
#endif
#endif

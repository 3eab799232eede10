/* SPDX-License-Identifier: MIT */
/* Parallel loops over index ranges. The workers of a runtime share a range, and the policy determines how the workers
 * divide and steal it. Each loop ends with a barrier. Traversals use this interface. The header also declares the
 * functions for memory from the runtime's allocator. */
#ifndef GWS_PARALLEL_H
#define GWS_PARALLEL_H

#include "range.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs tasks begin .. end - 1. worker (from 0) is the calling worker. No other thread has the same number at the same
 * time, so the number may index scratch space. */
typedef void gws_body(void *context, uint32_t worker, uint64_t begin, uint64_t end);

/* One loop over count tasks. */
struct gws_loop {
    uint64_t count; /* at most 2^60 */
    /* The first share of each worker: gws_runtime_workers() ranges that cover 0 .. count - 1 once. For example, a
     * worker's share may be its output of the previous loop, which is still in its cache. Other workers may steal from
     * the share. Shares are a hint: policies that do not steal, and loops on one worker, divide the range anew. NULL:
     * equal parts. */
    const struct gws_range *part;
    uint32_t chunk;   /* tasks per acquisition; 0: the runtime's, or computed from count and the workers */
    uint32_t grain;   /* minimum tasks for each further worker; 0: 1 (every worker takes part) */
    gws_body *body;   /* called for each chunk, on several threads at once */
    gws_body *finish; /* called once on each participating worker after its last chunk (begin = end = 0) and before the
                       * barrier, for example to flush buffers; may be NULL */
    void *context;
    bool uncounted; /* the loop is auxiliary: it counts as busy time, not as tasks or steals */
};

/* Runs the loop and returns when it is complete. A loop of at most one grain runs on the caller without access to
 * shared words. Where gws_call_begin() would return GWS_BUSY (inside a body, or while another thread is inside a call),
 * the caller runs the whole loop as worker 0, and the runtime counts no statistics. */
GWS_API void gws_parallel_run(struct gws_runtime *runtime, const struct gws_loop *loop);

/* Runs the loop like gws_parallel_run(), but a cancelled call (gws_options.cancel) skips the chunks that have not
 * begun. The function then returns GWS_CANCELLED, and the caller must not use the output of the loop. finish still runs
 * on each worker. The function returns GWS_OK if the loop is complete, as it always is without a cancel hook. */
GWS_API gws_status gws_parallel_try(struct gws_runtime *runtime, const struct gws_loop *loop)
    __attribute__((warn_unused_result));

/* Returns whether the running call is cancelled and should clean up and return GWS_CANCELLED. The function asks the
 * hook if the last answer is at least 5 ms old. Only the thread that owns the runtime asks. Other threads get the last
 * answer. Cost: about 25 ns. The answer stays true until the outermost call ends. */
GWS_API bool gws_cancelled(struct gws_runtime *runtime);

/* Calls gws_cancelled() at every 2^16th index of a long serial loop. Returns false at other indexes. */
static inline bool gws_cancelled_at(struct gws_runtime *runtime, uint64_t index)
{
    return index % (1 << 16) == 0 && gws_cancelled(runtime);
}

/* Run a loop with the given grain and no finish function. gws_parallel_try_for() is cancelled like gws_parallel_try(),
 * and returns the same. */
GWS_API gws_status gws_parallel_try_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body,
                                        void *context) __attribute__((warn_unused_result));
GWS_API void gws_parallel_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body,
                              void *context);

/* Every function that uses the workers and can fail calls this pair. Your own functions should do so if they run
 * several loops. gws_call_begin() makes the calling thread the owner of the runtime until as many calls of
 * gws_call_end() have followed. Nested calls are legal. Errors: GWS_BUSY if another thread is the owner, or if the
 * caller is inside a loop body, a team or a task of this runtime. After that error the caller must not call
 * gws_call_end(). gws_call_begin() also asks the cancel hook. gws_cancelled() returns the answer. gws_call_end()
 * returns status. Cost: one atomic operation; none in a nested call. Any thread may call it. */
GWS_API gws_status gws_call_begin(struct gws_runtime *runtime);
GWS_API gws_status gws_call_end(struct gws_runtime *runtime, gws_status status);

/* Evaluates call between gws_call_begin() and gws_call_end(). The value is the status of call, or GWS_BUSY. where,
 * which may be NULL, receives the message of GWS_BUSY. */
#define GWS_CALL(runtime, where, call)                                                                                 \
    (gws_call_begin(runtime) == GWS_OK ? gws_call_end(runtime, call) : gws_diagnostic_status(where, GWS_BUSY))

/* A thread team: some workers that run one function concurrently and may wait for each other. A team is for rounds that
 * are too short for one gws_parallel_run() each. */
struct gws_team;
enum { gws_team_words = 3 };

/* The function of a team. member (from 0) is also the number of the worker. */
typedef void gws_team_body(void *context, struct gws_team *team, uint32_t member);

/* Runs body on `members` workers at once and returns when all members have returned. The team is smaller if the runtime
 * has fewer workers or CPUs. It has at least one member, the caller. The team has only the caller where
 * gws_call_begin() would return GWS_BUSY. The policy does not affect a team. A waiting member spins, and yields its CPU
 * after a while. */
GWS_API void gws_parallel_team(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context);

GWS_API uint32_t gws_team_members(const struct gws_team *team);

/* A barrier with an exchange of words (an allgather). The call returns when every member has called it. all[m] then
 * holds the words of member m. All members then see what each member wrote before the call. `all` has
 * gws_team_members() entries. Cost: about 0.1 us per member. */
GWS_API void gws_team_allgather(struct gws_team *team, uint32_t member, const uint64_t mine[gws_team_words],
                                uint64_t (*all)[gws_team_words]);

/* Adds serial work outside of any loop to a worker's statistics: tasks run, tasks made, busy time. */
GWS_API void gws_parallel_add_stats(struct gws_runtime *runtime, uint32_t worker, uint64_t tasks, uint64_t made,
                                    double busy_ms);

/* Allocates count items of size bytes from the runtime's allocator, not cleared. Returns NULL when memory is short or
 * the product overflows. A count of 0 gives a valid pointer. Release the memory with the same count and size. Releasing
 * NULL is allowed. */
GWS_API void *gws_allocate(struct gws_runtime *runtime, uint64_t count, uint64_t size);
GWS_API void gws_release(struct gws_runtime *runtime, void *memory, uint64_t count, uint64_t size);

/* Returns the runtime's allocator, for objects that outlive the runtime. */
GWS_API const struct gws_allocator *gws_runtime_allocator(const struct gws_runtime *runtime);

/* Calls the runtime's progress or log hook, if it is set. */
GWS_API void gws_report_progress(struct gws_runtime *runtime, const char *work, uint64_t done, uint64_t total);
GWS_API void gws_report_log(struct gws_runtime *runtime, const char *line);

/* Returns a monotonic time in milliseconds, for measurements. Cost: about 20 ns. */
GWS_API double gws_clock_ms(void);

#ifdef __cplusplus
}
#endif
#endif

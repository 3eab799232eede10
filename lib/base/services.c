/* SPDX-License-Identifier: MIT */
/* The calls of lib/parallel.h that need only a runtime's services. */
#define _POSIX_C_SOURCE 200809L
#include "services.h"

#include <pthread.h>
#include <time.h>

#include "../text.h"
#include "memory.h"

/* ---- one thread at a time ---- */

/* Makes the calling thread the owner. acquire: pairs with the release in gws_call_end(), which makes the last caller's
 * writes to the runtime visible. A thread that finds its own number in the word wrote that number itself. */
static gws_status enter(struct gws_runtime *runtime)
{
    const uintptr_t self = (uintptr_t)pthread_self();
    uintptr_t owner = atomic_load_explicit(&runtime->owner, memory_order_relaxed);
    if (owner == self) {
        if (runtime->running) return GWS_BUSY;
        runtime->depth++;
        return GWS_OK;
    }
    if (owner != 0 || !atomic_compare_exchange_strong_explicit(&runtime->owner, &owner, self, memory_order_acquire,
                                                               memory_order_relaxed))
        return GWS_BUSY;
    runtime->depth = 1;
    return GWS_OK;
}

gws_status gws_call_begin(struct gws_runtime *runtime)
{
    gws_status status = enter(runtime);
    if (status == GWS_OK) (void)gws_cancelled(runtime);
    return status;
}

gws_status gws_call_end(struct gws_runtime *runtime, gws_status status)
{
    if (--runtime->depth > 0) return status;
    atomic_store_explicit(&runtime->cancelled, false, memory_order_relaxed);
    /* release: pairs with the acquire in enter(). */
    atomic_store_explicit(&runtime->owner, 0, memory_order_release);
    return status;
}

gws_status gws__workers_begin(struct gws_runtime *runtime, bool may_cut)
{
    gws_status status = enter(runtime);
    if (status != GWS_OK) return status;
    runtime->running = true;
    runtime->may_cut = may_cut && runtime->cancel;
    return GWS_OK;
}

void gws__workers_end(struct gws_runtime *runtime)
{
    runtime->running = runtime->may_cut = false;
    (void)gws_call_end(runtime, GWS_OK);
}

bool gws_cancelled(struct gws_runtime *runtime)
{
    if (!runtime->cancel) return false;
    /* relaxed: a hint. The value that the owner reads after the loop's barrier decides whether the loop is complete. */
    if (atomic_load_explicit(&runtime->cancelled, memory_order_relaxed)) return true;
    if (atomic_load_explicit(&runtime->owner, memory_order_relaxed) != (uintptr_t)pthread_self()) return false;
    double now = gws_clock_ms();
    if (now - runtime->polled_ms < runtime->ask_every_ms) return false;
    runtime->polled_ms = now;
    if (!runtime->cancel(runtime->context)) return false;
    atomic_store_explicit(&runtime->cancelled, true, memory_order_relaxed);
    return true;
}

/* ---- loops ---- */

/* Runs a loop on the calling thread alone. The function does not use the state of the pool, because another loop uses
 * it. */
static void run_alone(const struct gws_loop *loop)
{
    if (loop->count) loop->body(loop->context, 0, 0, loop->count);
    if (loop->finish) loop->finish(loop->context, 0, 0, 0);
}

void gws_parallel_run(struct gws_runtime *runtime, const struct gws_loop *loop)
{
    if (gws__workers_begin(runtime, false) != GWS_OK) {
        run_alone(loop);
        return;
    }
    runtime->run(runtime, loop);
    gws__workers_end(runtime);
}

gws_status gws_parallel_try(struct gws_runtime *runtime, const struct gws_loop *loop)
{
    if (gws__workers_begin(runtime, true) != GWS_OK) {
        run_alone(loop);
        return GWS_OK;
    }
    runtime->run(runtime, loop);
    bool cancelled = atomic_load_explicit(&runtime->cancelled, memory_order_relaxed); /* read before the call may end */
    gws__workers_end(runtime);
    return cancelled ? GWS_CANCELLED : GWS_OK;
}

void gws_parallel_team(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context)
{
    if (gws__workers_begin(runtime, false) != GWS_OK) {
        runtime->team(runtime, 0, body, context);
        return;
    }
    runtime->team(runtime, members ? members : 1, body, context);
    gws__workers_end(runtime);
}

void gws_parallel_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body, void *context)
{
    struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = context};
    gws_parallel_run(runtime, &loop);
}

gws_status gws_parallel_try_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body,
                                void *context)
{
    struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = context};
    return gws_parallel_try(runtime, &loop);
}

void *gws_allocate(struct gws_runtime *runtime, uint64_t count, uint64_t size)
{
    return gws__memory_new(&runtime->allocator, count, size);
}

void gws_release(struct gws_runtime *runtime, void *memory, uint64_t count, uint64_t size)
{
    gws__memory_free(&runtime->allocator, memory, count, size);
}

const struct gws_allocator *gws_runtime_allocator(const struct gws_runtime *runtime)
{
    return &runtime->allocator;
}

uint32_t gws_runtime_workers(const struct gws_runtime *runtime)
{
    return runtime->workers;
}

void gws_report_progress(struct gws_runtime *runtime, const char *work, uint64_t done, uint64_t total)
{
    if (runtime->progress) runtime->progress(runtime->context, work, done, total);
}

void gws_report_log(struct gws_runtime *runtime, const char *line)
{
    char plain[1024]; /* longer than any driver message */
    if (runtime->log) runtime->log(runtime->context, gws_text_plain(line, plain, sizeof plain));
}

double gws_clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

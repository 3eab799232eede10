/* SPDX-License-Identifier: MIT */
/* The calls of lib/parallel.h that need nothing but a runtime's services. */
#define _POSIX_C_SOURCE 200809L
#include "services.h"

#include <time.h>

#include "../text.h"
#include "memory.h"

/* Rounds of tasks are loops inside a call of gws_tasks_run(). */
void gws_parallel_run(struct gws_runtime *runtime, const struct gws_loop *loop)
{
    const bool within = runtime->running;
    runtime->running = true;
    runtime->run(runtime, loop);
    runtime->running = within;
}

void gws_parallel_team(struct gws_runtime *runtime, uint32_t members, gws_team_body *body, void *context)
{
    const bool within = runtime->running;
    runtime->running = true;
    runtime->team(runtime, members, body, context);
    runtime->running = within;
}

void gws_parallel_for(struct gws_runtime *runtime, uint64_t count, uint32_t grain, gws_body *body, void *context)
{
    struct gws_loop loop = {.count = count, .grain = grain, .body = body, .context = context};
    gws_parallel_run(runtime, &loop);
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

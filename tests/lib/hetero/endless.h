/* SPDX-License-Identifier: MIT */
/* A task for tests that cancel a run: its tree has more leaves than any device runs. */
#ifndef GWS_TESTS_ENDLESS_H
#define GWS_TESTS_ENDLESS_H

#include "../../../lib/device_tasks.h"

/* The tree has 2^60 leaves. */
static const char endless[] =
    "#define TASK_LENGTH 1u\n"
    "device_inline u32 task_child(struct task_state *s, const u32 *parent, u32 i, u32 *child)\n"
    "{\n"
    "    (void)s, (void)i;\n"
    "    child[0] = parent[0] + 1;\n"
    "    return child[0] < 60 ? 2 : 0;\n"
    "}\n";

/* The workers' form of the program. */
static inline void run_endless(void *context, struct gws_task_worker *self, uint32_t worker, const void *task,
                               uint32_t count)
{
    const uint32_t *parent = task;
    (void)context;
    (void)worker;
    for (; count > 0; count--, parent += 4)
        for (uint32_t i = parent[2]; i < parent[1]; i++) gws_spawn(self, (const uint32_t[]){parent[0] + 1, 2, 0, 0});
}

static double cancelled_at; /* by gws_clock_ms() */

/* A cancel hook. */
static inline bool is_cancelled(void *context)
{
    (void)context;
    return gws_clock_ms() > cancelled_at;
}

#endif

/* SPDX-License-Identifier: MIT */
/* The CPU's workers as a side of a run (task_sides.c, task_sides_cpu.c), and this process as a rank (task_ranks.c). */
#ifndef GWS_LIB_HETERO_TASK_SIDES_H
#define GWS_LIB_HETERO_TASK_SIDES_H

#include <stdalign.h>

#include "../pool/tasks.h"
#include "device_tasks.h"

struct gws__cpu_counts {
    alignas(128) uint64_t run, created; /* of one worker */
};

struct gws__cpu_side {
    struct gws__task_side side;
    const struct gws_device_task_side *from; /* NULL: the workers are no side, but worker 0 acts for the rank */
    const struct gws__peers *ranks;          /* the hooks of the rank; NULL: one process */
    uint32_t length;
    struct gws__cpu_counts *counts; /* one for each worker */
    void *memory;
    uint64_t bytes;
};

/* Allocates the counts. Errors: GWS_NO_MEMORY. The caller closes the side, also after an error. */
gws_status gws__cpu_side_open(struct gws__cpu_side *cpu, struct gws_runtime *runtime);
void gws__cpu_side_close(struct gws__cpu_side *cpu, struct gws_runtime *runtime);

/* Takes tasks from the pool and runs them until the run is over. An error ends the run. */
void gws__cpu_side_run(struct gws__cpu_side *cpu);

/* Without the CPU's workers: waits until a device needs tasks, and keeps worker 0's tasks for other ranks. */
void gws__cpu_side_keep(struct gws__cpu_side *cpu, struct gws_task_worker *self);

/* Runs the tasks in one run on all ranks. Ends with the run on all ranks, or with an error. */
void gws__cpu_side_run_on_ranks(struct gws__cpu_side *cpu, const struct gws_tasks *tasks);

/* Adds what the workers did to *result. On several ranks, the parents among the tasks that other ranks gave or took
 * remain to be counted. */
void gws__cpu_side_result(const struct gws__cpu_side *cpu, struct gws_device_task_side_result *result);

/* ---- the sides of a process (task_sides.c) ---- */

/* The arguments of a run. */
struct gws__sides_call {
    struct gws_runtime *runtime;
    const struct gws_device_task_roots *roots;
    const struct gws_device_task_side *side;
    uint32_t count, length; /* of side; TASK_LENGTH */
    struct gws_device_task_side_result *result;
    struct gws_diagnostic *where;
};

gws_status gws__task_sides_check(const struct gws_device_task_side *side, uint32_t count);

/* Runs the sides of this process. context: a struct gws__sides_call. peers: the hooks of this rank; NULL: one process.
 */
gws_status gws__task_sides_run(void *context, const struct gws__peers *peers);

#endif

/* SPDX-License-Identifier: MIT */
/* The CPU's workers as a side of a run (task_sides.c, task_sides_cpu.c). */
#ifndef GWS_LIB_HETERO_TASK_SIDES_H
#define GWS_LIB_HETERO_TASK_SIDES_H

#include <stdalign.h>

#include "device_tasks.h"

struct gws__cpu_counts {
    alignas(128) uint64_t run, created; /* of one worker */
};

struct gws__cpu_side {
    struct gws__task_side side;
    const struct gws_device_task_side *from;
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

/* Adds what the workers did to *result. */
void gws__cpu_side_result(const struct gws__cpu_side *cpu, struct gws_device_task_side_result *result);

#endif

/* SPDX-License-Identifier: MIT */
/* The state of gtask md, and its runs. */
#ifndef TOOLS_GTASK_MD_STATE_H
#define TOOLS_GTASK_MD_STATE_H

#include "md_atoms.h"
#include "md_devices.h"

struct md_state {
    struct task_sides sides; /* must be first */
    struct md_atoms atoms;
    uint64_t steps;
    const char *order_name, *pattern_name;
    struct gws_md_options options;
    double momentum[3]; /* at the beginning */
    struct gws_md *md;
    const char *schedule_name;
    enum gws_md_schedule schedule;
    struct gws_md_device *on_device;                  /* NULL: on the CPU */
    struct gws_md_device_stats stats[GWS_MD_DEVICES]; /* of the last run */
    uint64_t atom_steps;                              /* of the last run */
    struct gws_md_result result;
};

/* Functions of struct workload. With --frames a run writes frames and waits for that. */
gws_status md_prepare(void *context, struct gws_runtime *runtime, uint64_t seed, struct gws_diagnostic *where);
gws_status md_run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where);
gws_status md_verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where);
int md_write(void *context, struct gws_runtime *runtime);

void md_close(struct md_state *state);

#endif

/* SPDX-License-Identifier: MIT */
/* What there is to say about runs of a workload: collected run by run, for people and as JSON. */
#ifndef TOOLS_GTASK_REPORT_H
#define TOOLS_GTASK_REPORT_H

#include "../common/engine.h"
#include "../common/workers.h"
#include "workload.h"

struct task_run {
    double ms;
    uint64_t units;                /* as struct workload has it */
    double work_ms;                /* the same; below 0: not known */
    struct gws_worker_stats total; /* over the workers */
};

enum verified { VERIFIED_NOT_ASKED, VERIFIED_TOO_LONG, VERIFIED_WRONG, VERIFIED_RIGHT };

struct report {
    const struct engine_settings *engine;
    const struct workload *workload;
    const void *state; /* the workload's, with the last run's result */
    struct gws_runtime *runtime;
    struct task_run *run; /* runs entries are filled */
    uint64_t runs;
    struct workers workers; /* over all runs */
    enum verified verified; /* of the worst run */
};

/* Makes room for runs. False when memory is short; report_clear() is due in both cases. */
bool report_begin(struct report *report, uint64_t runs);
void report_clear(struct report *report);

/* Adds the run that has just ended: so long it took, and what the runtime and the state say of it. */
void report_note(struct report *report, double ms);

void report_print(const struct report *report, FILE *out);

/* Adds its members to the object that is open. */
void report_json(const void *report, struct json *json);

#endif

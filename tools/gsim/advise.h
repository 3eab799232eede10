/* SPDX-License-Identifier: MIT */
/* The state of gsim advise: a run, what was simulated of it, and the advice. */
#ifndef TOOLS_GSIM_ADVISE_H
#define TOOLS_GSIM_ADVISE_H

#include "run_file.h"
#include "simulation.h"

enum { ADVISE_MAX_CANDIDATES = 64 };

struct advise_candidate {
    const char *policy, *victim, *amount; /* victim and amount NULL: the policy's own */
    uint32_t chunk;                       /* 0: the default */
    struct gws_sim_result found;
};

/* A part of the costs, and the time that the advised candidate takes if these costs are a tenth. */
struct advise_part {
    const char *name; /* NULL: not simulated, since the costs are 0 */
    double virtual_ms;
};
enum { ADVISE_PARTS = 4 };

struct advise_state {
    const char *path; /* must be first */
    int as_preset;    /* tasks take the preset's time, not the run's */
    const struct simulation *simulation;
    void *state; /* of the simulation; owned */
    /* Of the run. */
    char policy[32];
    uint64_t threads, runs, seed;
    double ms, efficiency, busy_ms; /* busy_ms: of all workers, in one run */
    /* The results. */
    double task_ns; /* the cost by the run's time; NAN: the workload sets its times, or the preset does */
    struct advise_candidate candidate[ADVISE_MAX_CANDIDATES];
    uint32_t candidates, chosen;
    struct advise_part part[ADVISE_PARTS];
    const char *limit;
};

/* ---- advise_run.c ---- */

gws_status advise_run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where);

/* Returns the options with the candidate's policy, victims and amount. */
struct gws_sim_options advise_options(const struct gws_sim_options *options, const struct advise_candidate *candidate);

/* ---- advise_report.c ---- */

void advise_print(const struct sim_report *report, FILE *out);
void advise_json(const void *data, struct json *json); /* data: a struct sim_report */

#endif

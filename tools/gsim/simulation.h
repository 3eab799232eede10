/* SPDX-License-Identifier: MIT */
/* The interface between gsim and its workloads, a smaller form of tools/gtask/workload.h. */
#ifndef TOOLS_GSIM_SIMULATION_H
#define TOOLS_GSIM_SIMULATION_H

#include "../../workloads/simulate.h"
#include "../common/console.h"
#include "../common/json.h"
#include "../common/runtime_options.h"
#include "../common/subcommand.h"
#include "row.h"

struct run_file;
struct sim_report;
struct timeline;

struct simulation {
    struct subcommand command; /* must be first: gsim's table lists this member */
    int (*check)(void *state); /* checks options against each other; answers "help"; may be NULL */
    const char *input;         /* the option with a file, which is the first member of the state; NULL: none */
    bool draws;                /* run() draws random numbers from the seed */
    bool levels;               /* it runs loops over levels, under the policies for levels, by default chunked */
    /* Runs the workload in virtual time, and stores its result in the state. */
    gws_status (*run)(void *state, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where);

    /* For gsim advise. cost: what sets the time of a task; GWS_SIM_COSTS_COUNT: the options do. take(): takes what is
     * not in `parameter` from the file of a run; returns NULL, or what the simulation does not have; may be NULL. */
    enum gws_sim_cost cost;
    const char *(*take)(void *state, const struct run_file *file);

    /* NULL: sim_report_print() and sim_report_json() print the result. */
    void (*print)(const struct sim_report *report, FILE *out);
    void (*json)(const void *data, struct json *json);
    void (*end)(void *state); /* frees the memory that state owns; may be NULL */

    /* As in struct workload. */
    struct json_table parameter, result;
    void (*parameters_json)(const void *state, struct json *json);
    const char *description, *finding;
    void (*describe)(const void *state, FILE *out);
};

extern const struct simulation simulation_uts, simulation_bpc, simulation_quicksort, simulation_master_slave,
    simulation_levels, simulation_recorded, simulation_advise;

extern const char sim_default_policy[]; /* the policy's name if --policy is not given; compare pointers */

/* ---- machine.c: the machine by options ---- */

struct machine_options {
    const char *workers;          /* one number, or several with commas */
    uint64_t cache, host;         /* 0: the preset's */
    const char *preset, *costs;   /* costs: NAME=VALUE,..; NULL: none */
    int topology, newest, ticket; /* topology -1: the preset's */
};

enum { MACHINE_ROWS = 8 };
extern const struct option_row machine_row[MACHINE_ROWS];
extern const char *const machine_topology[];

/* Reads the numbers of workers, at most SIM_MAX_ROWS. Returns -1, or the exit status. */
int machine_workers(const struct machine_options *options, uint32_t *workers, uint32_t *numbers);

/* Fills in the machine; answers "help". measures: --preset here measures its costs; else they are another preset's,
 * which suffices to check the options. Returns -1, or the exit status. */
int machine_open(const struct machine_options *options, bool measures, struct gws_sim_machine *machine);

/* ---- report.c ---- */

struct sim_report {
    const struct runtime_options *settings;
    const struct machine_options *machine;
    const struct gws_sim_options *options;
    const struct simulation *simulation;
    const void *state;
    struct gws_sim_result found;
    double wall_ms;
    const struct sim_row *row; /* of each number of workers; the other members are of the last one */
    uint32_t rows;
};

void sim_report_print_work(const struct sim_report *report, FILE *out); /* "bpc: depth 64", .. */
void sim_report_print(const struct sim_report *report, FILE *out);
void sim_report_json(const void *data, struct json *json); /* data: a struct sim_report */

/* ---- plot.c ---- */

/* Draws one simulation over virtual time, or several numbers of workers. Returns -1, or the exit status. */
int sim_plot(const struct sim_report *report, const struct timeline *timeline, struct gws_runtime *runtime,
             const char *path);

#endif

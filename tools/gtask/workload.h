/* SPDX-License-Identifier: MIT */
/* The interface between gtask and its workloads. A workload is a const struct in a table. Its own file defines its
 * options, its state, and the output of both.
 *
 * The state is memory of the workload: option rows fill it in, and run() stores the last result there. Functions that
 * return int follow the convention of the tools: -1 to continue, or the exit status after reporting the error. */
#ifndef TOOLS_GTASK_WORKLOAD_H
#define TOOLS_GTASK_WORKLOAD_H

#include <stdio.h>

#include "../../graphws.h"
#include "../common/json.h"
#include "../common/outputs.h"
#include "../common/ranks.h"
#include "../common/runtime_options.h"
#include "../common/subcommand.h"
#include "../common/workers.h"

enum { WORKLOAD_FILES = 2 };

struct workload {
    struct subcommand command;   /* must be first: gtask's table lists this member */
    size_t result, result_bytes; /* offset and size of the last result: zeroed before each run that is verified */

    int (*check)(void *state); /* checks options against each other; answers "help"; may be NULL */

    /* device(): returns the device's address, or NULL if only the workers run; *cpu: the workers take part. draws():
     * true if prepare() or run() draw random numbers from the seed. files(): lists the files that options name. open()
     * runs before all runs. Each of these four may be NULL. */
    const char *(*device)(const void *state, bool *cpu);
    bool (*draws)(const void *state);
    void (*files)(const void *state, struct named_file file[WORKLOAD_FILES]);
    int (*open)(void *state, struct gws_runtime *runtime);
    /* Makes the runs use all ranks, before open(). NULL: the workload runs in one process. */
    void (*use_ranks)(void *state, const struct gws_ranks *ranks);
    bool is_parted;     /* on several ranks each has a part of the result, and all ranks verify together */
    bool has_no_queues; /* on devices of ranks no tasks move between ranks */
    /* Adds what this rank's device did in the last run. NULL: with a device, the workload runs in one process. */
    void (*add_device)(const void *state, struct rank_row *row);

    /* Runs before each verified run, outside the measured time. Overwrites the data of the previous run that lie
     * outside of the result. May be NULL. */
    gws_status (*poison)(void *state, struct gws_diagnostic *where);
    /* Runs before each run, outside the measured time. Creates the input. May be NULL. */
    gws_status (*prepare)(void *state, struct gws_runtime *runtime, uint64_t seed, struct gws_diagnostic *where);
    /* Runs the workload. GWS_INVALID, GWS_SYNTAX and GWS_TOO_LARGE mean that the options are wrong; where's message has
     * details, if any. */
    gws_status (*run)(void *state, struct gws_runtime *runtime, struct gws_diagnostic *where);
    /* Checks the last result: GWS_OK, GWS_WRONG_RESULT, or GWS_TOO_LARGE if the check would take too long. where's
     * message has details. */
    gws_status (*verify)(void *state, struct gws_runtime *runtime, struct gws_diagnostic *where);
    int (*write)(void *state, struct gws_runtime *runtime); /* writes the last result to files; may be NULL */
    void (*end)(void *state, struct gws_runtime *runtime);  /* frees the memory that state owns; may be NULL */

    /* JSON: members of the state for the parameters and the last result; the functions add further members and may be
     * NULL. */
    struct json_table parameter, found;
    void (*parameters_json)(const void *state, struct json *json);
    void (*result_json)(const void *state, struct json *json);

    /* Text for json_fields_print(): a description without a newline, and lines of results. describe() writes after the
     * description, print() before the lines; both may be NULL. */
    const char *description, *finding;
    void (*describe)(const void *state, FILE *out);
    void (*print)(const void *state, FILE *out);
    /* Prints the devices' part of --stats. NULL: --stats requires the CPU. */
    void (*table)(const void *state, FILE *out);

    /* The unit of the rate ("nodes"), and the offset of the last run's count of them, a uint64_t. work_ms: the offset
     * of a double, the configured time of the tasks; 0: unknown. */
    const char *unit;
    size_t units, work_ms;
};

/* Initialises the members that depend on a workload's state type, on `group` and on `initial`. The state type has a
 * member `result`. */
#define WORKLOAD_STATE(type)                                                                                           \
    SUBCOMMAND_STATE(type), .result = offsetof(type, result), .result_bytes = sizeof((type *)0)->result

static inline const char *workload_device(const struct workload *workload, const void *state, bool *cpu)
{
    *cpu = true;
    return workload->device ? workload->device(state, cpu) : NULL;
}

extern const struct workload workload_uts, workload_bpc, workload_connect_four, workload_quicksort,
    workload_master_slave, workload_madness, workload_md;

/* ---- report.c: statistics of the runs of a workload, as text and as JSON ---- */

struct task_run {
    double ms;
    uint64_t units;                /* see struct workload */
    double work_ms;                /* see struct workload; negative: unknown */
    struct gws_worker_stats total; /* over the workers */
};

struct task_report {
    const struct runtime_options *options;
    const struct workload *workload;
    const void *state; /* of the workload, with the last run's result */
    struct gws_runtime *runtime;
    struct ranks *ranks;
    struct task_run *run; /* runs entries are filled */
    uint64_t runs;
    struct workers workers; /* over all runs */
    enum verified verified; /* of the worst run */
};

/* Allocates space for runs. Returns false if memory runs out; call report_clear() in both cases. */
bool report_begin(struct task_report *report, uint64_t runs);
void report_clear(struct task_report *report);

/* Adds the run that has just ended: its time, the runtime's statistics and the counts of the state. */
void report_add_run(struct task_report *report, double ms);

void report_print(const struct task_report *report, FILE *out);

/* Adds its members to the open object. data: a struct task_report. */
void report_json(const void *data, struct json *json);

#endif

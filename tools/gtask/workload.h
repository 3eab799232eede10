/* SPDX-License-Identifier: MIT */
/* What gtask can run. A workload is one const struct in the table of gtask.c; its own file has its options, what it
 * keeps between them and the result, and how both are shown.
 *
 * state is memory of the workload's own, zero before begin() is called. It holds what the option rows fill, and from
 * run() on the last result. Calls that answer an int mean as everywhere in the tools: -1 to go on, or the status to
 * exit with, after the mistake has been reported. */
#ifndef TOOLS_GTASK_WORKLOAD_H
#define TOOLS_GTASK_WORKLOAD_H

#include <stdio.h>

#include "../../graphws.h"
#include "../common/json.h"
#include "../common/options.h"

/* Option rows whose fields are of what lies at that place in the state. */
struct workload_rows {
    const struct option_row *row;
    uint32_t rows;
    size_t place;
};

struct workload {
    const char *name, *about;
    const struct workload_rows *group; /* its options */
    uint32_t groups;
    size_t bytes; /* of the state */

    void (*begin)(void *state); /* the defaults */
    int (*check)(void *state);  /* what options say together; answers "help" */

    /* The device's address where it does not run on the workers, which then have no tasks: NULL if it does. */
    const char *(*device)(const void *state);
    bool (*draws)(const void *state);                      /* prepare() or run() draw by the seed */
    int (*open)(void *state, struct gws_runtime *runtime); /* before all runs, such as a device */

    /* Before each run that is verified, outside its time: overwrites what the run before has left as its result. */
    gws_status (*poison)(void *state, struct gws_where *where);
    /* Before each run, outside its time: makes what it works on. */
    gws_status (*prepare)(void *state, struct gws_runtime *runtime, uint64_t seed);
    /* GWS_INVALID, GWS_SYNTAX and GWS_TOO_LARGE blame the options; where's message says more, if there is one. */
    gws_status (*run)(void *state, struct gws_runtime *runtime, struct gws_where *where);
    /* The last result: GWS_OK, GWS_WRONG_RESULT, or GWS_TOO_LARGE where judging it would take too long; message says
     * which and why. */
    gws_status (*verify)(void *state, struct gws_runtime *runtime, struct gws_where *where);
    void (*end)(void *state, struct gws_runtime *runtime); /* frees what state holds */

    /* What is to be done, in a few words that end no line, and what the last run found, as lines. */
    void (*describe)(const void *state, FILE *out);
    void (*print)(const void *state, FILE *out);

    /* The same as JSON: members of the object that is open. */
    void (*parameters_json)(const void *state, struct json *json);
    void (*result_json)(const void *state, struct json *json);

    /* What people count in it when they speak of its speed ("nodes"), and how many the last run had; work_ms() is the
     * time that tasks took on purpose, below 0 where that is not known. */
    const char *unit;
    uint64_t (*units)(const void *state);
    double (*work_ms)(const void *state);
};

/* For slots with nothing to do. */
int workload_check(void *state);
const char *workload_device(const void *state);
bool workload_draws(const void *state);
int workload_open(void *state, struct gws_runtime *runtime);
gws_status workload_poison(void *state, struct gws_where *where); /* its prepare() leaves nothing of a result */
gws_status workload_prepare(void *state, struct gws_runtime *runtime, uint64_t seed);
void workload_end(void *state, struct gws_runtime *runtime);
double workload_work_ms(const void *state);

/* All of them, ended by NULL. */
extern const struct workload *const workload_table[];

extern const struct workload workload_uts, workload_bpc, workload_connect_four, workload_quicksort,
    workload_master_slave, workload_madness;

#endif

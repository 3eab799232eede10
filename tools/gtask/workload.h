/* SPDX-License-Identifier: MIT */
/* What gtask can run. A workload is one const struct in a table; its own file has its options, what it
 * keeps between them and the result, and how both are shown.
 *
 * state is memory of the workload's own. It holds what the option rows fill, and from run() on the last result. Calls
 * that answer an int mean as everywhere in the tools: -1 to go on, or the status to exit with, after the mistake has
 * been reported. */
#ifndef TOOLS_GTASK_WORKLOAD_H
#define TOOLS_GTASK_WORKLOAD_H

#include <stdio.h>

#include "../../graphws.h"
#include "../common/engine.h"
#include "../common/json.h"
#include "../common/options.h"
#include "../common/workers.h"

/* Option rows whose fields are of what lies at that place in the state. */
struct workload_rows {
    const struct option_row *row;
    uint32_t rows;
    size_t place;
};

/* A slot that may be NULL has nothing to do. */
struct workload {
    const char *name, *about;
    const struct workload_rows *group; /* its options */
    uint32_t groups;
    size_t bytes;                /* of the state */
    size_t result, result_bytes; /* where the last result lies in it: zeroed before each run that is verified */

    const void *initial;       /* what the state is before options fill it in */
    int (*check)(void *state); /* what options say together; answers "help"; may be NULL */

    /* The device's address where it does not run on the workers alone: NULL if it does; *cpu: they take part. draws():
     * do prepare() or run() draw by the seed? open() comes before all runs. These three may be NULL. */
    const char *(*device)(const void *state, bool *cpu);
    bool (*draws)(const void *state);
    int (*open)(void *state, struct gws_runtime *runtime);

    /* Before each run that is verified, outside its time: overwrites what the run before has left elsewhere than in
     * the result. May be NULL. */
    gws_status (*poison)(void *state, struct gws_diagnostic *where);
    /* Before each run, outside its time: makes what it works on. May be NULL. */
    gws_status (*prepare)(void *state, struct gws_runtime *runtime, uint64_t seed);
    /* GWS_INVALID, GWS_SYNTAX and GWS_TOO_LARGE blame the options; where's message says more, if there is one. */
    gws_status (*run)(void *state, struct gws_runtime *runtime, struct gws_diagnostic *where);
    /* The last result: GWS_OK, GWS_WRONG_RESULT, or GWS_TOO_LARGE where judging it would take too long; message says
     * which and why. */
    gws_status (*verify)(void *state, struct gws_runtime *runtime, struct gws_diagnostic *where);
    void (*end)(void *state, struct gws_runtime *runtime); /* frees what state holds; may be NULL */

    /* What is to be done and what the last run found: members of the state, as JSON has them, and the rest of JSON. */
    struct json_table parameter, found;
    void (*parameters_json)(const void *state, struct json *json);
    void (*result_json)(const void *state, struct json *json);

    /* The same for people, in a few words that end no line, and as lines: texts in which {KEY} is that member, {KEY?X}
     * is X if it is not 0, and {s} is "s" unless the member before it is 1; what describe() writes stands behind, what
     * print() does before. */
    const char *description, *finding;
    void (*describe)(const void *state, FILE *out);
    void (*print)(const void *state, FILE *out);

    /* What people count in it when they speak of its speed ("nodes"), and where in the state a uint64_t says how many
     * the last run had; work_ms is where a double says what time tasks took on purpose, 0 where that is not known. */
    const char *unit;
    size_t units, work_ms;
};

/* What a workload's own `struct state`, with a member `result`, and its `group` say. */
#define WORKLOAD_STATE                                                                                                 \
    .group = group, .groups = sizeof group / sizeof *group, .bytes = sizeof(struct state), .initial = &initial,        \
    .result = offsetof(struct state, result), .result_bytes = sizeof((struct state *)0)->result
#define MEMBER(name, key) JSON_FIELD(struct state, name, key)

static inline const char *workload_device(const struct workload *workload, const void *state, bool *cpu)
{
    *cpu = true;
    return workload->device ? workload->device(state, cpu) : NULL;
}

extern const struct workload workload_uts, workload_bpc, workload_connect_four, workload_quicksort,
    workload_master_slave, workload_madness;

/* What there is to say about runs of a workload: collected run by run, for people and as JSON. */

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
void report_json(const void *data, struct json *json);

#endif

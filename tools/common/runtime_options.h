/* SPDX-License-Identifier: MIT */
/* Options of the runtime: rows that the tools share, checks, opening a runtime with them, writing its trace. */
#ifndef TOOLS_COMMON_RUNTIME_OPTIONS_H
#define TOOLS_COMMON_RUNTIME_OPTIONS_H

#include "../../graphws.h"
#include "json.h"
#include "options.h"

struct runtime_options {
    uint64_t threads, chunk, seed;        /* threads and chunk 0: chosen automatically */
    uint64_t max_memory;                  /* in bytes; 0: the available memory */
    const char *policy, *victim, *amount; /* NULL: the default; for victim and amount, the policy's default */
    const char *trace;                    /* the file; NULL: none */
    uint64_t sample;                      /* 0: never */
    uint64_t repeat, warmup;              /* measured runs, 1 by default, and unmeasured runs before them */
    int wait, vote, pin, verify;
    int stats, json, quiet, no_sync;
    struct gws_allocator allocator; /* {0}: the library's allocator; no option sets this field */
};

enum {
    RUNTIME_RUN_ROWS = 3,
    RUNTIME_WORKER_ROWS = 8,
    RUNTIME_TASK_ROWS = 3,
    RUNTIME_REPORT_ROWS = 2,
    RUNTIME_OUTPUT_ROWS = 3,
    RUNTIME_MAX_THREADS = 4096,
    RUNTIME_MAX_RUNS = 1000000
};
extern const struct option_row runtime_run_row[RUNTIME_RUN_ROWS];       /* repeat, warmup, verify */
extern const struct option_row runtime_worker_row[RUNTIME_WORKER_ROWS]; /* threads, max-memory, policy ... seed */
extern const struct option_row runtime_task_row[RUNTIME_TASK_ROWS];     /* wait, termination, sample */
extern const struct option_row runtime_report_row[RUNTIME_REPORT_ROWS]; /* stats, trace */
extern const struct option_row runtime_output_row[RUNTIME_OUTPUT_ROWS]; /* json, quiet, no-sync */

/* For options whose values are names, the function answers "help". Refuses unknown names, options that the policy does
 * not support, and a trace file that cannot be written. Returns -1 to continue, or the exit status. */
int runtime_options_check(const struct runtime_options *options);

/* Refuses a chunk that has no effect; call it after runtime_options_check(). Loops use chunks unless the policy is
 * static. Immediate tasks use chunks if they run in rounds or if the thief steals a chunk. Returns -1, or the exit
 * status. */
enum runtime_work { RUNTIME_LOOPS, RUNTIME_TASKS };
int runtime_options_check_chunk(const struct runtime_options *options, enum runtime_work work);

/* Refuses a seed that has no effect; call it after runtime_options_check(). drawn: true if the work draws random
 * numbers; victim selection may draw too. otherwise: the end of the message, after "nothing is drawn". Returns -1, or
 * the exit status. */
int runtime_options_check_seed(const struct runtime_options *options, bool drawn, const char *otherwise);

/* Opens the runtime. Returns -1, or the exit status after reporting the error. */
int runtime_options_open(const struct runtime_options *options, struct gws_runtime **runtime);

/* Writes the trace since the last reset of the statistics if --trace is given. Returns -1, or the exit status. */
int runtime_options_trace(const struct runtime_options *options, struct gws_runtime *runtime);

/* Adds "policy", "victim", "amount", "threads" and "chunk" to the open object. runtime_options_task_json() adds "wait",
 * "termination" and "sample", which apply to immediate tasks. runtime_devices_json() adds "devices": the CPU and a
 * device (NULL: none). */
void runtime_options_json(const struct runtime_options *options, const struct gws_runtime *runtime, struct json *json);
void runtime_options_task_json(const struct runtime_options *options, struct json *json);
void runtime_devices_json(bool cpu, const char *device, struct json *json);

/* Writes "split policy, 16 threads" into text (RUNTIME_OPTIONS_TEXT bytes), with the victim and the amount if they are
 * given. Returns text. */
enum { RUNTIME_OPTIONS_TEXT = 128 };
char *runtime_options_text(const struct runtime_options *options, const struct gws_runtime *runtime, char *text);

#endif

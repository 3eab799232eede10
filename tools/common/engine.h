/* SPDX-License-Identifier: MIT */
/* The workers as the command line asks for them: options that the tools share, a runtime from them, its trace. */
#ifndef TOOLS_COMMON_ENGINE_H
#define TOOLS_COMMON_ENGINE_H

#include "../../graphws.h"
#include "json.h"
#include "options.h"

struct engine_settings {
    uint64_t threads, chunk, seed;        /* threads and chunk 0: chosen */
    uint64_t max_memory;                  /* in bytes; 0: what is available */
    const char *policy, *victim, *amount; /* NULL: the default, the policy's own */
    const char *trace;                    /* the file; NULL: none */
    uint64_t sample;                      /* 0: never */
    uint64_t repeat, warmup;              /* runs that count, 1 unless told otherwise; and that do not, before them */
    int wait, vote, pin, verify;
    int stats, json, quiet, no_sync;
    struct gws_allocator allocator; /* {0}: the library's own; no option */
};

enum {
    ENGINE_RUN_ROWS = 3,
    ENGINE_WORKER_ROWS = 8,
    ENGINE_TASK_ROWS = 3,
    ENGINE_REPORT_ROWS = 2,
    ENGINE_OUTPUT_ROWS = 3,
    ENGINE_MAX_THREADS = 4096,
    ENGINE_MAX_RUNS = 1000000
};
extern const struct option_row engine_run_row[ENGINE_RUN_ROWS];       /* repeat, warmup, verify */
extern const struct option_row engine_worker_row[ENGINE_WORKER_ROWS]; /* threads, max-memory, policy ... seed */
extern const struct option_row engine_task_row[ENGINE_TASK_ROWS];     /* wait, termination, sample */
extern const struct option_row engine_report_row[ENGINE_REPORT_ROWS]; /* stats, trace */
extern const struct option_row engine_output_row[ENGINE_OUTPUT_ROWS]; /* json, quiet, no-sync */

/* Answers "help" for what is chosen by name, refuses what does not exist, what the policy does not leave open, and a
 * trace that cannot be written: the status to exit with, or -1 to go on. */
int engine_check(const struct engine_settings *settings);

/* Refuses a chunk that changes nothing, after engine_check(): loops have chunks unless the policy is static; immediate
 * tasks where they run in rounds of chunks, or thieves take them by chunks. -1 to go on. */
enum engine_work { ENGINE_LOOPS, ENGINE_TASKS };
int engine_check_chunk(const struct engine_settings *settings, enum engine_work work);

/* Refuses a seed where nothing is drawn, after engine_check(): neither by the work (drawn), nor by who steals.
 * otherwise goes on from "nothing is drawn". -1 to go on. */
int engine_check_seed(const struct engine_settings *settings, bool drawn, const char *otherwise);

/* Opens the runtime. Answers -1, or the status to exit with after the mistake has been reported. */
int engine_open(const struct engine_settings *settings, struct gws_runtime **runtime);

/* Writes the trace since the statistics were last reset, if one is asked for: -1, or the status to exit with. */
int engine_trace(const struct engine_settings *settings, struct gws_runtime *runtime);

/* Adds "policy", "victim", "amount", "threads" and "chunk" to the object that is open; the others add "wait",
 * "termination" and "sample", which are for immediate tasks, and "devices": the CPU, and a device (NULL: none). */
void engine_json(const struct engine_settings *settings, const struct gws_runtime *runtime, struct json *json);
void engine_task_json(const struct engine_settings *settings, struct json *json);
void engine_devices_json(bool cpu, const char *device, struct json *json);

/* "split policy, 16 threads" into text (ENGINE_TEXT bytes), with the victim and the amount where they are chosen.
 * Returns text. */
enum { ENGINE_TEXT = 128 };
char *engine_text(const struct engine_settings *settings, const struct gws_runtime *runtime, char *text);

#endif

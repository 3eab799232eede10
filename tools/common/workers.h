/* SPDX-License-Identifier: MIT */
/* Statistics by worker, summed over runs, as a table and as JSON; statistics of run times. */
#ifndef TOOLS_COMMON_WORKERS_H
#define TOOLS_COMMON_WORKERS_H

#include <stdint.h>
#include <stdio.h>

#include "../../graphws.h"
#include "json.h"

struct workers {
    struct gws_worker_stats *now, *sum; /* count entries each: the last run (now) and all runs (sum) */
    uint32_t count;
};

/* Allocates the entries. Returns false if memory runs out; call workers_clear() in both cases. */
bool workers_begin(struct workers *workers, struct gws_runtime *runtime);
void workers_clear(struct workers *workers);

/* Adds the counts since gws_runtime_stats_reset(). */
void workers_stop(struct workers *workers, struct gws_runtime *runtime);

/* Adds the counts of part to *sum. high_water is the maximum instead. */
void workers_add(struct gws_worker_stats *sum, const struct gws_worker_stats *part);

/* Return the sum over all workers, of the last run (now) or of all runs (total). high_water is the maximum instead. */
struct gws_worker_stats workers_now(const struct workers *workers);
struct gws_worker_stats workers_total(const struct workers *workers);

/* Returns busy time / (busy time + idle time), or 1 if no time was measured. */
double workers_efficiency(const struct gws_worker_stats *stats);

/* Returns the mean squared distance of the queues' lengths from their mean (--sample); NAN without samples. */
double workers_spread(const struct gws_worker_stats *stats);

void workers_print(const struct workers *workers, FILE *out);
/* "tasks", "stolen", "steals", "failed_steals", "aborted_steals" and "queue_high_water". */
enum { WORKER_COUNT_FIELDS = 6 };
extern const struct json_field worker_count_field[WORKER_COUNT_FIELDS];

/* Adds these fields and "efficiency" to the open object. */
void workers_counts_json(const struct gws_worker_stats *total, struct json *json);
void workers_json(const struct workers *workers, struct json *json, const char *key);

/* Returns part / whole in percent, or 0 if whole is 0. */
double workers_share(uint64_t part, uint64_t whole);

/* ---- checks ---- */

enum verified { VERIFIED_NOT_REQUESTED, VERIFIED_TOO_LONG, VERIFIED_WRONG, VERIFIED_RIGHT };

/* Prints the outcome of the checks as a line, unless no check was requested. */
void verified_print(enum verified verified, FILE *out);

/* ---- run times ---- */

/* In milliseconds. */
struct times {
    double min, median, mean, max, total;
    uint64_t count;
};

/* Summarises count times; the first is at ms, and each following one stride bytes further. */
struct times times_of(const double *ms, uint64_t count, size_t stride);

/* Prints "time      9.31 ms median of 16 runs (7.93 ms to 11.2 ms, mean 9.38 ms)" without a newline. */
void times_print(const struct times *times, FILE *out);

/* Adds "ms": {"min": ..., "median": ..., "mean": ..., "max": ...} to the open object. */
void times_json(const struct times *times, struct json *json);

#endif

/* SPDX-License-Identifier: MIT */
/* Statistics by worker: added up over runs, as a table, as JSON. */
#ifndef TOOLS_COMMON_WORKERS_H
#define TOOLS_COMMON_WORKERS_H

#include <stdint.h>
#include <stdio.h>

#include "../../graphws.h"
#include "json.h"

struct workers {
    struct gws_worker_stats *now, *sum; /* count entries each */
    uint32_t count;
};

/* False when memory is short; workers_clear() is due in both cases. */
bool workers_begin(struct workers *workers, struct gws_runtime *runtime);
void workers_clear(struct workers *workers);

/* Adds what was counted since gws_runtime_stats_reset(). */
void workers_stop(struct workers *workers, struct gws_runtime *runtime);

/* The sum over all workers, of what was counted last or of all; of high_water, the largest. */
struct gws_worker_stats workers_now(const struct workers *workers);
struct gws_worker_stats workers_total(const struct workers *workers);

/* Busy time over busy and idle time; 1 where nothing was measured. */
double workers_efficiency(const struct gws_worker_stats *stats);

/* The mean squared distance of the queues' lengths from their mean, by --sample; NAN where nobody looked. */
double workers_spread(const struct gws_worker_stats *stats);

void workers_print(const struct workers *workers, FILE *out);
/* "tasks", "stolen", "steals", "failed_steals", "aborted_steals" and "queue_high_water". */
enum { WORKER_COUNT_FIELDS = 6 };
extern const struct json_field worker_count_field[WORKER_COUNT_FIELDS];

/* Adds those, and "efficiency", to the object that is open. */
void workers_counts_json(const struct gws_worker_stats *total, struct json *json);
void workers_json(const struct workers *workers, struct json *json, const char *key);

/* part of whole in percent, 0 of nothing */
double workers_share(uint64_t part, uint64_t whole);

/* How long runs took: what is said of several times. */

/* In milliseconds. */
struct times {
    double min, median, mean, max, total;
    uint64_t count;
};

/* Of count times, the first at ms and each stride bytes behind the one before. */
struct times times_of(const double *ms, uint64_t count, size_t stride);

/* "time      9.31 ms median of 16 runs (7.93 ms to 11.2 ms, mean 9.38 ms)", without the end of the line. */
void times_print(const struct times *times, FILE *out);

/* Adds "ms": {"min": ..., "median": ..., "mean": ..., "max": ...} to the object that is open. */
void times_json(const struct times *times, struct json *json);

#endif

/* SPDX-License-Identifier: MIT */
/* Statistics by worker: added up over runs, as a table, as JSON. */
#ifndef TOOLS_COMMON_WORKERS_H
#define TOOLS_COMMON_WORKERS_H

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

/* Brackets what is to be counted. */
void workers_start(struct gws_runtime *runtime);
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

#endif

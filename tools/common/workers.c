/* SPDX-License-Identifier: MIT */
/* Statistics by worker, and of run times. */
#include "workers.h"

#include <math.h>
#include <stdlib.h>

#include "console.h"

bool workers_begin(struct workers *workers, struct gws_runtime *runtime)
{
    workers->count = gws_runtime_workers(runtime);
    workers->now = calloc(workers->count, sizeof *workers->now);
    workers->sum = calloc(workers->count, sizeof *workers->sum);
    return workers->now && workers->sum;
}

void workers_clear(struct workers *workers)
{
    free(workers->now);
    free(workers->sum);
    *workers = (struct workers){0};
}

void workers_add(struct gws_worker_stats *sum, const struct gws_worker_stats *part)
{
    sum->tasks += part->tasks;
    sum->stolen += part->stolen;
    sum->steals += part->steals;
    sum->failed_steals += part->failed_steals;
    sum->aborted_steals += part->aborted_steals;
    sum->made += part->made;
    if (sum->high_water < part->high_water) sum->high_water = part->high_water;
    sum->samples += part->samples;
    sum->spread += part->spread;
    sum->busy_ms += part->busy_ms;
    sum->idle_ms += part->idle_ms;
}

void workers_stop(struct workers *workers, struct gws_runtime *runtime)
{
    gws_runtime_stats(runtime, workers->now);
    for (uint32_t i = 0; i < workers->count; i++) workers_add(&workers->sum[i], &workers->now[i]);
}

static struct gws_worker_stats sum_of(const struct gws_worker_stats *stats, uint32_t count)
{
    struct gws_worker_stats total = {0};
    for (uint32_t i = 0; i < count; i++) workers_add(&total, &stats[i]);
    return total;
}

struct gws_worker_stats workers_now(const struct workers *workers)
{
    return sum_of(workers->now, workers->count);
}

struct gws_worker_stats workers_total(const struct workers *workers)
{
    return sum_of(workers->sum, workers->count);
}

double workers_share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

double workers_efficiency(const struct gws_worker_stats *stats)
{
    double time = stats->busy_ms + stats->idle_ms;
    return time > 0 ? stats->busy_ms / time : 1;
}

double workers_spread(const struct gws_worker_stats *stats)
{
    return stats->samples > 0 ? stats->spread / (double)stats->samples : NAN;
}

#define FIELD(name, key) JSON_FIELD(struct gws_worker_stats, name, key)
const struct json_field worker_count_field[WORKER_COUNT_FIELDS] = {{FIELD(tasks, "tasks")},
                                                                   {FIELD(stolen, "stolen")},
                                                                   {FIELD(steals, "steals")},
                                                                   {FIELD(failed_steals, "failed_steals")},
                                                                   {FIELD(aborted_steals, "aborted_steals")},
                                                                   {FIELD(high_water, "queue_high_water")}};
static const struct json_table counts = JSON_TABLE(worker_count_field);

/* ---- the table ---- */

/* The optional columns. The table has such a column only if a worker has a nonzero count. */
struct columns {
    bool aborted, queue;
};

static void print_row(FILE *out, const struct columns *columns, const char *name, const struct gws_worker_stats *row)
{
    char text[CONSOLE_NUMBER];
    fprintf(out, "%-10s%15s", name, console_count(row->tasks, text));
    fprintf(out, "%15s%7.1f %%", console_count(row->stolen, text), workers_share(row->stolen, row->tasks));
    fprintf(out, "%12s", console_count(row->steals, text));
    fprintf(out, "%12s", console_count(row->failed_steals, text));
    if (columns->aborted) fprintf(out, "%12s", console_count(row->aborted_steals, text));
    if (columns->queue) fprintf(out, "%12s", console_count(row->high_water, text));
    fprintf(out, "%12.3f%12.3f\n", row->busy_ms, row->idle_ms);
}

void workers_print(const struct workers *workers, FILE *out)
{
    struct gws_worker_stats total = workers_total(workers);
    struct columns columns = {.aborted = total.aborted_steals > 0, .queue = total.high_water > 0};
    fprintf(out, "%-10s%15s%15s%9s%12s%12s", "worker", "tasks", "stolen", "share", "steals", "failed");
    if (columns.aborted) fprintf(out, "%12s", "aborted");
    if (columns.queue) fprintf(out, "%12s", "queue");
    fprintf(out, "%12s%12s\n", "busy ms", "idle ms");
    for (uint32_t i = 0; i < workers->count; i++) {
        char name[16];
        snprintf(name, sizeof name, "cpu %u", i);
        print_row(out, &columns, name, &workers->sum[i]);
    }
    print_row(out, &columns, "all", &total);
}

void workers_counts_json(const struct gws_worker_stats *total, struct json *json)
{
    json_fields(json, counts, total);
    json_number(json, "efficiency", workers_efficiency(total));
}

void workers_json(const struct workers *workers, struct json *json, const char *key)
{
    json_open(json, key, '[');
    for (uint32_t i = 0; i < workers->count; i++) {
        const struct gws_worker_stats *row = &workers->sum[i];
        json_open(json, NULL, '{');
        json_text(json, "device", "cpu");
        json_count(json, "worker", i);
        json_fields(json, counts, row);
        json_number(json, "idle_ms", row->idle_ms);
        json_number(json, "busy_ms", row->busy_ms);
        json_number(json, "efficiency", workers_efficiency(row));
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* ---- checks ---- */

void verified_print(enum verified verified, FILE *out)
{
    static const char *const text[] = {[VERIFIED_TOO_LONG] = "no: the check would take too long",
                                       [VERIFIED_WRONG] = "NO: the last run is wrong",
                                       [VERIFIED_RIGHT] = "every run is correct"};
    if (verified != VERIFIED_NOT_REQUESTED) fprintf(out, "verified  %s\n", text[verified]);
}

/* ---- run times ---- */

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* If memory for sorting runs out, the function uses the mean as the median. */
struct times times_of(const double *ms, uint64_t count, size_t stride)
{
    struct times times = {.count = count};
    double *sorted = calloc(count + 1, sizeof *sorted);
    for (uint64_t i = 0; i < count; i++) {
        double one = *(const double *)((const char *)ms + i * stride);
        if (sorted) sorted[i] = one;
        if (i == 0 || one < times.min) times.min = one;
        if (i == 0 || one > times.max) times.max = one;
        times.total += one;
    }
    times.median = times.mean = count ? times.total / (double)count : 0;
    if (sorted && count) {
        qsort(sorted, count, sizeof *sorted, compare);
        times.median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    }
    free(sorted);
    return times;
}

void times_print(const struct times *times, FILE *out)
{
    char text[4][CONSOLE_NUMBER], runs[CONSOLE_NUMBER];
    if (times->count == 1)
        fprintf(out, "time      %s", console_time(times->mean, text[0]));
    else
        fprintf(out, "time      %s median of %s runs (%s to %s, mean %s)", console_time(times->median, text[0]),
                console_count(times->count, runs), console_time(times->min, text[1]), console_time(times->max, text[2]),
                console_time(times->mean, text[3]));
}

void times_json(const struct times *times, struct json *json)
{
    json_open(json, "ms", '{');
    json_number(json, "min", times->min);
    json_number(json, "median", times->median);
    json_number(json, "mean", times->mean);
    json_number(json, "max", times->max);
    json_close(json, '}');
}

/* SPDX-License-Identifier: MIT */
/* Statistics by worker. */
#include "workers.h"

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

void workers_start(struct gws_runtime *runtime)
{
    gws_runtime_stats_reset(runtime);
}

static void add(struct gws_worker_stats *sum, const struct gws_worker_stats *part)
{
    sum->tasks += part->tasks;
    sum->stolen += part->stolen;
    sum->steals += part->steals;
    sum->failed_steals += part->failed_steals;
    sum->made += part->made;
    sum->busy_ms += part->busy_ms;
    sum->idle_ms += part->idle_ms;
}

void workers_stop(struct workers *workers, struct gws_runtime *runtime)
{
    gws_runtime_stats(runtime, workers->now);
    for (uint32_t i = 0; i < workers->count; i++) add(&workers->sum[i], &workers->now[i]);
}

struct gws_worker_stats workers_total(const struct workers *workers)
{
    struct gws_worker_stats total = {0};
    for (uint32_t i = 0; i < workers->count; i++) add(&total, &workers->sum[i]);
    return total;
}

double workers_share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_row(FILE *out, const char *name, const struct gws_worker_stats *row)
{
    char tasks[CONSOLE_NUMBER], stolen[CONSOLE_NUMBER], steals[CONSOLE_NUMBER], failed[CONSOLE_NUMBER];
    fprintf(out, "%-10s%15s%15s%7.1f %%%12s%12s%12.3f%12.3f\n", name, console_count(row->tasks, tasks),
            console_count(row->stolen, stolen), workers_share(row->stolen, row->tasks),
            console_count(row->steals, steals), console_count(row->failed_steals, failed), row->busy_ms, row->idle_ms);
}

void workers_print(const struct workers *workers, FILE *out)
{
    fprintf(out, "%-10s%15s%15s%9s%12s%12s%12s%12s\n", "worker", "tasks", "stolen", "share", "steals", "failed",
            "busy ms", "idle ms");
    for (uint32_t i = 0; i < workers->count; i++) {
        char name[16];
        snprintf(name, sizeof name, "cpu %u", i);
        print_row(out, name, &workers->sum[i]);
    }
    struct gws_worker_stats total = workers_total(workers);
    print_row(out, "all", &total);
}

void workers_json(const struct workers *workers, struct json *json, const char *key)
{
    json_open(json, key, '[');
    for (uint32_t i = 0; i < workers->count; i++) {
        const struct gws_worker_stats *row = &workers->sum[i];
        json_open(json, NULL, '{');
        json_text(json, "device", "cpu");
        json_count(json, "worker", i);
        json_count(json, "tasks", row->tasks);
        json_count(json, "stolen", row->stolen);
        json_count(json, "steals", row->steals);
        json_count(json, "failed_steals", row->failed_steals);
        json_number(json, "idle_ms", row->idle_ms);
        json_number(json, "busy_ms", row->busy_ms);
        json_close(json, '}');
    }
    json_close(json, ']');
}

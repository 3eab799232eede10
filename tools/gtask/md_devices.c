/* SPDX-License-Identifier: MIT */
#include "md_devices.h"

#include <inttypes.h>

#include "../common/console.h"

void md_devices_add(const struct task_sides *sides, const struct gws_md_device *md, uint64_t before, uint64_t steps,
                    struct gws_md_device_stats *sum)
{
    const double all = (double)(before + steps);
    for (uint32_t i = 0; i < sides->devices; i++) {
        struct gws_md_device_stats last, *into = &sum[i];
        gws_md_device_stats(md, i, &last);
        last.tasks += into->tasks, last.units += into->units, last.stolen += into->stolen;
        last.steals += into->steals, last.launches += into->launches;
        if (all > 0) last.idle = (into->idle * (double)before + last.idle * (double)steps) / all;
        *into = last;
    }
}

static void print_device(const struct gws_device_info *info, const struct gws_md_device_stats *stats,
                         enum gws_md_schedule schedule, FILE *out)
{
    char units[CONSOLE_NUMBER], steals[CONSOLE_NUMBER];
    double part = stats->units ? 100 * (double)stats->stolen / (double)stats->units : 0;
    fprintf(out, "device    %s: %s, %" PRIu64 " groups, %" PRIu64 " launches, schedule %s\n", info->address, info->name,
            stats->groups, stats->launches, gws_md_schedule_at((uint32_t)schedule));
    fprintf(out, "stolen    %.1f %% of %s units in %s steals; idle %.1f %%\n", part, console_count(stats->units, units),
            console_count(stats->steals, steals), 100 * stats->idle);
}

void md_devices_print(const struct task_sides *sides, const struct gws_md_device_stats *stats,
                      enum gws_md_schedule schedule, FILE *out)
{
    for (uint32_t i = 0; i < sides->devices; i++)
        print_device(gws_device_describe(sides->device[i]), &stats[i], schedule, out);
}

void md_devices_table(const struct task_sides *sides, const struct gws_md_device_stats *stats, FILE *out)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < sides->devices; i++) all += stats[i].tasks;
    if (sides->devices > 0)
        fprintf(out, "%-10s%8s%15s%9s%12s%9s\n", "side", "groups", "tasks", "share", "steals", "idle");
    for (uint32_t i = 0; i < sides->devices; i++) {
        char tasks[CONSOLE_NUMBER], steals[CONSOLE_NUMBER];
        fprintf(out, "%-10s%8" PRIu64 "%15s%7.1f %%%12s%7.1f %%\n", gws_device_describe(sides->device[i])->address,
                stats[i].groups, console_count(stats[i].tasks, tasks), workers_share(stats[i].tasks, all),
                console_count(stats[i].steals, steals), 100 * stats[i].idle);
    }
}

static void device_json(const struct gws_md_device_stats *stats, enum gws_md_schedule schedule, struct json *json)
{
    json_open(json, "on_device", '{');
    json_text(json, "schedule", gws_md_schedule_at((uint32_t)schedule));
    json_count(json, "groups", stats->groups);
    json_count(json, "group_size", stats->group_size);
    json_count(json, "launches", stats->launches);
    json_count(json, "tasks", stats->tasks);
    json_count(json, "units", stats->units);
    json_count(json, "stolen", stats->stolen);
    json_count(json, "steals", stats->steals);
    json_number(json, "idle", stats->idle);
    json_close(json, '}');
}

void md_devices_json(const struct task_sides *sides, const struct gws_md_device_stats *stats,
                     enum gws_md_schedule schedule, struct json *json)
{
    if (sides->devices == 1)
        device_json(stats, schedule, json);
    else
        json_null(json, "on_device");
    if (sides->devices <= 1) {
        json_null(json, "sides");
        return;
    }
    json_open(json, "sides", '[');
    for (uint32_t i = 0; i < sides->devices; i++) {
        json_open(json, NULL, '{');
        json_text(json, "device", gws_device_describe(sides->device[i])->address);
        device_json(&stats[i], schedule, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* SPDX-License-Identifier: MIT */
#include "md_devices.h"

#include <inttypes.h>

#include "../common/console.h"

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

void md_devices_print(const struct task_sides *sides, const struct gws_md_device *md, enum gws_md_schedule schedule,
                      FILE *out)
{
    for (uint32_t i = 0; md && i < sides->devices; i++) {
        struct gws_md_device_stats stats;
        gws_md_device_stats(md, i, &stats);
        print_device(gws_device_describe(sides->device[i]), &stats, schedule, out);
    }
}

void md_devices_table(const struct task_sides *sides, const struct gws_md_device *md, FILE *out)
{
    struct gws_md_device_stats stats;
    uint64_t all = 0;
    for (uint32_t i = 0; md && i < sides->devices; i++) {
        gws_md_device_stats(md, i, &stats);
        all += stats.tasks;
    }
    if (md) fprintf(out, "%-10s%8s%15s%9s%12s%9s\n", "side", "groups", "tasks", "share", "steals", "idle");
    for (uint32_t i = 0; md && i < sides->devices; i++) {
        char tasks[CONSOLE_NUMBER], steals[CONSOLE_NUMBER];
        gws_md_device_stats(md, i, &stats);
        fprintf(out, "%-10s%8" PRIu64 "%15s%7.1f %%%12s%7.1f %%\n", gws_device_describe(sides->device[i])->address,
                stats.groups, console_count(stats.tasks, tasks), workers_share(stats.tasks, all),
                console_count(stats.steals, steals), 100 * stats.idle);
    }
}

static void device_json(const struct gws_md_device *md, uint32_t device, enum gws_md_schedule schedule,
                        struct json *json)
{
    struct gws_md_device_stats stats;
    gws_md_device_stats(md, device, &stats);
    json_open(json, "on_device", '{');
    json_text(json, "schedule", gws_md_schedule_at((uint32_t)schedule));
    json_count(json, "groups", stats.groups);
    json_count(json, "group_size", stats.group_size);
    json_count(json, "launches", stats.launches);
    json_count(json, "tasks", stats.tasks);
    json_count(json, "units", stats.units);
    json_count(json, "stolen", stats.stolen);
    json_count(json, "steals", stats.steals);
    json_number(json, "idle", stats.idle);
    json_close(json, '}');
}

void md_devices_json(const struct task_sides *sides, const struct gws_md_device *md, enum gws_md_schedule schedule,
                     struct json *json)
{
    const uint32_t devices = md ? sides->devices : 0;
    if (devices == 1)
        device_json(md, 0, schedule, json);
    else
        json_null(json, "on_device");
    if (devices <= 1) {
        json_null(json, "sides");
        return;
    }
    json_open(json, "sides", '[');
    for (uint32_t i = 0; i < devices; i++) {
        json_open(json, NULL, '{');
        json_text(json, "device", gws_device_describe(sides->device[i])->address);
        device_json(md, i, schedule, json);
        json_close(json, '}');
    }
    json_close(json, ']');
}

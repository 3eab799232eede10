/* SPDX-License-Identifier: MIT */
#include "quicksort_report.h"

#include <inttypes.h>

#include "../common/console.h"

static uint64_t keys_of(const struct task_sides *sides, const struct gws_quicksort_side_result *found)
{
    uint64_t keys = 0;
    for (uint32_t i = 0; i < task_sides_count(sides); i++) keys += found[i].keys;
    return keys;
}

void quicksort_report_print(const struct task_sides *sides, const struct gws_quicksort_side_result *found, FILE *out)
{
    const uint64_t all = keys_of(sides, found);
    task_sides_print_devices(sides, out);
    for (uint32_t i = 0; i < task_sides_count(sides) && task_sides_count(sides) > 1; i++) {
        char keys[CONSOLE_NUMBER], time[CONSOLE_NUMBER];
        fprintf(out, "side      %s: %s keys, %.1f %% of the sorted ones, in %" PRIu64 " part%s; %s\n",
                task_sides_name(sides, i), console_count(found[i].keys, keys), workers_share(found[i].keys, all),
                found[i].parts, found[i].parts == 1 ? "" : "s", console_time(found[i].ms, time));
    }
}

void quicksort_report_table(const struct task_sides *sides, const struct gws_quicksort_side_result *found, FILE *out)
{
    const uint64_t all = keys_of(sides, found);
    if (task_sides_count(sides) == 1) {
        task_sides_table(sides, out);
        return;
    }
    fprintf(out, "%-10s%8s%15s%9s%12s%12s%12s\n", "side", "parts", "keys", "share", "ranges", "divided", "ms");
    for (uint32_t i = 0; i < task_sides_count(sides); i++) {
        char keys[CONSOLE_NUMBER], ranges[CONSOLE_NUMBER], divided[CONSOLE_NUMBER];
        fprintf(out, "%-10s%8" PRIu64 "%15s%7.1f %%%12s%12s%12.3f\n", task_sides_name(sides, i), found[i].parts,
                console_count(found[i].keys, keys), workers_share(found[i].keys, all),
                console_count(found[i].tree.tasks, ranges), console_count(found[i].tree.splits, divided), found[i].ms);
    }
}

static void side_json(const struct task_sides *sides, uint32_t side, const struct gws_quicksort_side_result *found,
                      struct json *json)
{
    json_open(json, NULL, '{');
    json_text(json, "device", task_sides_name(sides, side));
    json_count(json, "parts", found->parts);
    json_count(json, "keys", found->keys);
    json_count(json, "ranges", found->tree.tasks);
    json_count(json, "splits", found->tree.splits);
    json_number(json, "ms", found->ms);
    task_sides_device_json(sides, side, json);
    json_close(json, '}');
}

void quicksort_report_json(const struct task_sides *sides, const struct gws_quicksort_side_result *found,
                           struct json *json)
{
    if (task_sides_count(sides) == 1 || sides->ranks) {
        task_sides_json(sides, json);
        return;
    }
    json_null(json, "on_device");
    json_open(json, "sides", '[');
    for (uint32_t i = 0; i < task_sides_count(sides); i++) side_json(sides, i, &found[i], json);
    json_close(json, ']');
}

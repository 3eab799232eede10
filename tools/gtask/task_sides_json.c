/* SPDX-License-Identifier: MIT */
/* The report of immediate tasks of the last run as JSON. */
#include "task_sides.h"

static void device_json(struct gws_device *device, const struct gws_device_tasks_result *stats, struct json *json)
{
    json_open(json, "on_device", '{');
    json_count(json, "groups", stats->groups);
    json_count(json, "group_size", stats->group_size);
    json_count(json, "workers", stats->workers);
    json_number(json, "translate_ms", gws_device_translate_ms(device));
    json_number(json, "kernel_ms", stats->ms);
    json_count(json, "launches", stats->launches);
    json_count(json, "steps", stats->steps);
    json_count(json, "pushes", stats->pushes);
    json_count(json, "listed", stats->listed);
    json_count(json, "steals", stats->steals);
    json_count(json, "across", stats->across);
    json_number(json, "across_us", stats->across_us);
    json_count(json, "failed_steals", stats->failed);
    json_count(json, "stolen", stats->stolen);
    json_count(json, "spilled", stats->spilled);
    json_count(json, "high_water", stats->high_water);
    json_number(json, "idle", stats->idle);
    json_close(json, '}');
}

void task_sides_device_json(const struct task_sides *sides, uint32_t side, struct json *json)
{
    if (side < sides->devices)
        device_json(sides->device[side], &sides->found[side].device, json);
    else
        json_null(json, "on_device");
}

#define OF_SIDE(name, key)                                                                                             \
    {                                                                                                                  \
        JSON_FIELD(struct gws_device_task_side_result, name, key)                                                      \
    }
static const struct json_field side_field[] = {OF_SIDE(created, "created"),   OF_SIDE(parents, "parents"),
                                               OF_SIDE(taken, "taken"),       OF_SIDE(takes, "takes"),
                                               OF_SIDE(given, "given"),       OF_SIDE(gives, "gives"),
                                               OF_SIDE(requests, "requests"), OF_SIDE(idle_ms, "idle_ms")};

static void side_json(const struct task_sides *sides, uint32_t side, struct json *json)
{
    json_open(json, NULL, '{');
    json_text(json, "device", task_sides_name(sides, side));
    json_fields(json, (struct json_table)JSON_TABLE(side_field), &sides->found[side]);
    json_open(json, "from", '[');
    for (uint32_t i = 0; i < task_sides_count(sides); i++) json_count(json, NULL, sides->found[side].from[i]);
    json_close(json, ']');
    task_sides_device_json(sides, side, json);
    json_close(json, '}');
}

void task_sides_json(const void *state, struct json *json)
{
    const struct task_sides *sides = state;
    const uint32_t count = task_sides_count(sides);
    if (count == 1 && !sides->ranks)
        task_sides_device_json(sides, 0, json);
    else
        json_null(json, "on_device");
    if (count == 1 || sides->ranks) json_null(json, "sides");
    if (count == 1 || sides->ranks) return;
    json_open(json, "sides", '[');
    for (uint32_t i = 0; i < count; i++) side_json(sides, i, json);
    json_close(json, ']');
}

/* SPDX-License-Identifier: MIT */
#include "sides.h"

#include <stddef.h>

#include "console.h"
#include "workers.h"

void sides_add(struct sides *sum, const struct sides *run)
{
    gws_side_add(&sum->cpu, &run->cpu);
    gws_side_add(&sum->device, &run->device);
    sum->launches += run->launches;
    sum->handed += run->handed;
}

static void print_side(const char *name, const struct gws_side_stats *side, uint64_t tasks, FILE *out)
{
    char ran[CONSOLE_NUMBER], stolen[CONSOLE_NUMBER], steals[CONSOLE_NUMBER];
    fprintf(out, "%-10s%s tasks, %.1f %% of all; %s of them stolen in %s steal%s\n", name,
            console_count(side->run, ran), workers_share(side->run, tasks),
            console_count(gws_side_stolen(side), stolen), console_count(side->steals, steals),
            side->steals == 1 ? "" : "s");
}

void sides_print(const struct sides *sides, const char *what, FILE *out)
{
    char handed[CONSOLE_NUMBER], launches[CONSOLE_NUMBER];
    uint64_t tasks = sides->cpu.run + sides->device.run;
    print_side("threads", &sides->cpu, tasks, out);
    print_side("groups", &sides->device, tasks, out);
    if (sides->launches > 0)
        fprintf(out, "handed    %s %s to the device in %s launch%s\n", console_count(sides->handed, handed), what,
                console_count(sides->launches, launches), sides->launches == 1 ? "" : "es");
}

#define OF_SIDE(name, key)                                                                                             \
    {                                                                                                                  \
        JSON_FIELD(struct gws_side_stats, name, key)                                                                   \
    }
static const struct json_field side_field[] = {OF_SIDE(made, "made"),
                                               OF_SIDE(run, "tasks"),
                                               OF_SIDE(stolen_from_cpu, "stolen_from_cpu"),
                                               OF_SIDE(stolen_from_device, "stolen_from_device"),
                                               OF_SIDE(steals, "steals"),
                                               OF_SIDE(failed, "failed_steals"),
                                               OF_SIDE(busy_ms, "busy_ms")};

static void side_json(const struct gws_side_stats *side, const char *device, struct json *json)
{
    json_open(json, NULL, '{');
    json_text(json, "device", device);
    json_count(json, "stolen", gws_side_stolen(side));
    json_fields(json, (struct json_table)JSON_TABLE(side_field), side);
    json_close(json, '}');
}

void sides_json(const struct sides *sides, bool cpu, const char *device, struct json *json)
{
    json_open(json, "sides", '[');
    if (cpu) side_json(&sides->cpu, "cpu", json);
    if (device) side_json(&sides->device, device, json);
    json_close(json, ']');
}

/* SPDX-License-Identifier: MIT */
/* What CPU workers and a device did where both could take part: lines for people, and JSON. */
#ifndef TOOLS_COMMON_SIDES_H
#define TOOLS_COMMON_SIDES_H

#include <stdio.h>

#include "../../lib/hetero.h"
#include "json.h"

struct sides {
    struct gws_side_stats cpu, device;
    uint64_t launches, handed; /* batches handed to the device, and their tasks */
};

/* Adds what was done in a run to a sum of runs. */
void sides_add(struct sides *sum, const struct sides *run);

/* The lines "threads" and "groups", and "handed" where something was; what: the tasks, such as "octants". */
void sides_print(const struct sides *sides, const char *what, FILE *out);

/* The list "sides", which begins with the CPU if that took part, and has the device unless it is NULL. */
void sides_json(const struct sides *sides, bool cpu, const char *device, struct json *json);

#endif

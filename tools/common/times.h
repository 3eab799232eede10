/* SPDX-License-Identifier: MIT */
/* How long runs took: what is said of several times. */
#ifndef TOOLS_COMMON_TIMES_H
#define TOOLS_COMMON_TIMES_H

#include <stdint.h>
#include <stdio.h>

#include "json.h"

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

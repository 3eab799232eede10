/* SPDX-License-Identifier: MIT */
/* The least, the median, the mean and the largest of times. */
#include "workers.h"

#include <stdlib.h>

#include "console.h"

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* If there is no memory to sort in, the median is left at the mean. */
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

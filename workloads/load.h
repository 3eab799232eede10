/* SPDX-License-Identifier: MIT */
/* Functions for workloads whose tasks only take time: spinning, and separate counts for each worker. */
#ifndef GWS_LOAD_H
#define GWS_LOAD_H

#include <stdint.h>
#include <string.h>

#include "../lib/parallel.h"

/* One worker's counts. They take 128 bytes, so the counts of two workers are not in the same cache line or in adjacent
 * lines. */
struct gws__load_tally {
    uint64_t makers;   /* completed tasks that spawn other tasks */
    uint64_t workers;  /* completed tasks that spawn none */
    uint64_t migrated; /* tasks of one kind that ran on another worker than their parent */
    uint64_t deepest;  /* maximum level of a task */
    char apart[96];
};

/* Allocates one tally for each worker, all zero. Returns NULL when memory is short. */
static inline struct gws__load_tally *gws__load_tallies(struct gws_runtime *runtime)
{
    uint64_t count = gws_runtime_workers(runtime);
    struct gws__load_tally *tally = gws_allocate(runtime, count, sizeof *tally);
    if (tally) memset(tally, 0, count * sizeof *tally);
    return tally;
}

static inline void gws__load_release(struct gws_runtime *runtime, struct gws__load_tally *tally)
{
    gws_release(runtime, tally, gws_runtime_workers(runtime), sizeof *tally);
}

static inline struct gws__load_tally gws__load_sum(const struct gws_runtime *runtime,
                                                   const struct gws__load_tally *tally)
{
    struct gws__load_tally sum = {0};
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) {
        sum.makers += tally[w].makers;
        sum.workers += tally[w].workers;
        sum.migrated += tally[w].migrated;
        if (tally[w].deepest > sum.deepest) sum.deepest = tally[w].deepest;
    }
    return sum;
}

/* Spins on the clock for us microseconds. */
static inline void gws__load_spin(double us)
{
    if (us <= 0) return;
    double until = gws_clock_ms() + us / 1e3;
    while (gws_clock_ms() < until) continue;
}

/* Returns true if a time is valid, which NaN is not. */
static inline bool gws__load_is_valid_time(double us)
{
    return us >= 0 && us <= 1e9;
}

#endif

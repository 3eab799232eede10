/* SPDX-License-Identifier: MIT */
/* Which CPUs threads run on. Where the system cannot say or bind, everything is allowed and nothing is bound. */
#ifndef GWS_POOL_AFFINITY_H
#define GWS_POOL_AFFINITY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A set of CPUs, large enough for the system's own type. */
struct gws__cpus {
    uint64_t word[16];
};

/* The CPUs that the calling thread may use. */
bool gws__affinity_save(struct gws__cpus *cpus);
void gws__affinity_restore(const struct gws__cpus *cpus); /* to the calling thread */

/* How many that are, at least 1. */
uint32_t gws__affinity_cpus(void);

/* Binds a thread to the index-th CPU of cpus, counted round. */
bool gws__affinity_pin(pthread_t thread, const struct gws__cpus *cpus, uint32_t index);

#endif

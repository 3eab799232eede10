/* SPDX-License-Identifier: MIT */
/* Which CPUs threads run on, and whom a worker robs first when it prefers neighbours. */
#ifndef GWS_POOL_TOPOLOGY_H
#define GWS_POOL_TOPOLOGY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A set of CPUs: a cpu_set_t, which few files can name. */
struct gws__cpus {
    unsigned long word[1024 / 8 / sizeof(unsigned long)];
};

/* The CPUs that the calling thread may use; false where the system does not say. */
bool gws__topology_save(struct gws__cpus *cpus);
void gws__topology_restore(const struct gws__cpus *cpus); /* to the calling thread */

/* How many that are, at least 1. */
uint32_t gws__topology_cpus(void);

/* Binds a thread to the index-th CPU of cpus, counted round. */
bool gws__topology_pin(pthread_t thread, const struct gws__cpus *cpus, uint32_t index);

/* Fills order with workers times (workers - 1) entries: for each worker all others, the nearest first. Pinned workers,
 * worker i on the i-th CPU that the calling thread may use now, counted round, are as near as the smallest thing that
 * holds both their CPUs: a core, a shared second- or third-level cache, a package; those equally near come
 * by number, going up from the worker. By number alone where workers are not pinned, or nobody knows the machine (built
 * without hwloc). Looking at the machine costs some milliseconds. */
void gws__topology_order(uint32_t workers, bool pinned, uint32_t *order);

#endif

/* SPDX-License-Identifier: MIT */
/* CPU binding, and the topology order of victims for workers that prefer neighbours. */
#ifndef GWS_POOL_TOPOLOGY_H
#define GWS_POOL_TOPOLOGY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A set of CPUs: a cpu_set_t, whose header requires _GNU_SOURCE. */
struct gws__cpus {
    unsigned long word[1024 / 8 / sizeof(unsigned long)];
};

/* Saves the CPUs that the calling thread may use. Returns false if the system does not report them. */
bool gws__topology_save(struct gws__cpus *cpus);
void gws__topology_restore(const struct gws__cpus *cpus); /* binds the calling thread to cpus */

/* Returns the number of CPUs that the calling thread may use, at least 1. */
uint32_t gws__topology_cpus(void);

/* Binds a thread to the index-th CPU of cpus, cyclically. */
bool gws__topology_pin(pthread_t thread, const struct gws__cpus *cpus, uint32_t index);

/* Fills order with workers times (workers - 1) entries. They are, for each worker, all other workers, the nearest
 * first. Worker i is pinned to the i-th CPU that the calling thread may use now, cyclically. The distance of two
 * workers is the smallest object that contains both their CPUs: a core, a shared second- or third-level cache, a
 * package. Workers at the same distance follow by number, upwards from the worker. The order is by number alone if
 * workers are not pinned or the machine is unknown (built without hwloc). Reading the topology costs some
 * milliseconds. */
void gws__topology_order(uint32_t workers, bool pinned, uint32_t *order);

#endif

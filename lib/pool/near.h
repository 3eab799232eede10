/* SPDX-License-Identifier: MIT */
/* Whom a worker robs first when it prefers neighbours. */
#ifndef GWS_POOL_NEAR_H
#define GWS_POOL_NEAR_H

#include <stdbool.h>
#include <stdint.h>

/* Fills order with workers times (workers - 1) entries: for each worker all others, the nearest first. Pinned workers,
 * worker i on the i-th CPU that the calling thread may use now, counted round (affinity.h), are as near as the smallest
 * thing that holds both their CPUs: a core, a shared second- or third-level cache, a package; those equally near come
 * by number, going up from the worker. By number alone where workers are not pinned, or nobody knows the machine (built
 * without hwloc). Looking at the machine costs some milliseconds. */
void gws__near_order(uint32_t workers, bool pinned, uint32_t *order);

#endif

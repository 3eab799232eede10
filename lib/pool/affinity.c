/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* cpu_set_t, pthread_setaffinity_np */
#include "affinity.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__

_Static_assert(sizeof(struct gws__cpus) >= sizeof(cpu_set_t), "struct gws__cpus holds a cpu_set_t");

bool gws__affinity_save(struct gws__cpus *cpus)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return false;
    memcpy(cpus, &set, sizeof set);
    return true;
}

void gws__affinity_restore(const struct gws__cpus *cpus)
{
    cpu_set_t set;
    memcpy(&set, cpus, sizeof set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

static int nth_cpu(const cpu_set_t *set, uint32_t index)
{
    uint32_t left = index % (uint32_t)CPU_COUNT(set);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, set) && left-- == 0) return cpu;
    return 0;
}

bool gws__affinity_pin(pthread_t thread, const struct gws__cpus *cpus, uint32_t index)
{
    cpu_set_t set, one;
    memcpy(&set, cpus, sizeof set);
    CPU_ZERO(&one);
    CPU_SET(nth_cpu(&set, index), &one);
    return pthread_setaffinity_np(thread, sizeof one, &one) == 0;
}

uint32_t gws__affinity_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return (uint32_t)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

#else

bool gws__affinity_save(struct gws__cpus *cpus)
{
    (void)cpus;
    return false;
}

void gws__affinity_restore(const struct gws__cpus *cpus)
{
    (void)cpus;
}

bool gws__affinity_pin(pthread_t thread, const struct gws__cpus *cpus, uint32_t index)
{
    (void)thread;
    (void)cpus;
    (void)index;
    return false;
}

uint32_t gws__affinity_cpus(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

#endif

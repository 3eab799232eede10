/* SPDX-License-Identifier: MIT */
/* CPU numbers and the topology order. hwloc's tree of a machine has the processing units as leaves, and cores, caches
 * and packages above them. From a worker's unit upwards, each object adds the workers that the objects below it do not
 * contain.
 *
 * The environment variable HWLOC_SYNTHETIC defines an artificial machine. The calling thread may use all of its CPUs.
 */
#define _GNU_SOURCE /* pthread_setaffinity_np */
#include "topology.h"

#include <sched.h>
#include <unistd.h>

/* ---- binding ---- */

_Static_assert(sizeof(struct gws__cpus) == sizeof(cpu_set_t), "struct gws__cpus is a cpu_set_t");

bool gws__topology_save(struct gws__cpus *cpus)
{
    return sched_getaffinity(0, sizeof *cpus, (cpu_set_t *)cpus) == 0;
}

void gws__topology_restore(const struct gws__cpus *cpus)
{
    (void)sched_setaffinity(0, sizeof *cpus, (const cpu_set_t *)cpus);
}

static int nth_cpu(const cpu_set_t *set, uint32_t index)
{
    uint32_t left = index % (uint32_t)CPU_COUNT(set);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, set) && left-- == 0) return cpu;
    return 0;
}

bool gws__topology_pin(pthread_t thread, const struct gws__cpus *cpus, uint32_t index)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(nth_cpu((const cpu_set_t *)cpus, index), &one);
    return pthread_setaffinity_np(thread, sizeof one, &one) == 0;
}

uint32_t gws__topology_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return (uint32_t)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

/* ---- nearness ---- */

static void by_number(uint32_t workers, uint32_t worker, uint32_t *order)
{
    for (uint32_t i = 1; i < workers; i++) order[i - 1] = (worker + i) % workers;
}

#ifdef GWS_WITH_HWLOC
#include <hwloc.h>

struct machine {
    hwloc_topology_t topology;
    hwloc_bitmap_t cpus; /* the CPUs to which workers are bound in turn */
};

static void machine_close(struct machine *machine)
{
    hwloc_bitmap_free(machine->cpus);
    hwloc_topology_destroy(machine->topology);
}

static bool machine_open(struct machine *machine)
{
    if (hwloc_topology_init(&machine->topology) != 0) return false;
    machine->cpus = hwloc_bitmap_alloc();
    bool known = machine->cpus != NULL && hwloc_topology_load(machine->topology) == 0;
    if (known && hwloc_get_cpubind(machine->topology, machine->cpus, HWLOC_CPUBIND_THREAD) != 0)
        known = hwloc_bitmap_copy(machine->cpus, hwloc_topology_get_allowed_cpuset(machine->topology)) == 0;
    if (known) known = hwloc_bitmap_weight(machine->cpus) > 0;
    if (!known) machine_close(machine);
    return known;
}

static int first_cpu(const struct machine *machine, uint32_t worker)
{
    uint32_t left = worker % (uint32_t)hwloc_bitmap_weight(machine->cpus);
    int cpu = hwloc_bitmap_first(machine->cpus);
    while (left-- > 0) cpu = hwloc_bitmap_next(machine->cpus, cpu);
    return cpu;
}

/* Returns the CPU of `worker`. cpu: the CPU of the worker before it. */
static int next_cpu(const struct machine *machine, uint32_t worker, int cpu)
{
    int next = worker == 0 ? -1 : hwloc_bitmap_next(machine->cpus, cpu);
    return next >= 0 ? next : hwloc_bitmap_first(machine->cpus);
}

/* Appends to order, which has count entries, the workers on CPUs in outer but not in inner. inner may be NULL. */
static uint32_t add(const struct machine *machine, uint32_t workers, uint32_t worker, int cpu,
                    hwloc_const_bitmap_t outer, hwloc_const_bitmap_t inner, uint32_t count, uint32_t *order)
{
    for (uint32_t i = 1; i < workers; i++) {
        uint32_t other = (worker + i) % workers;
        cpu = next_cpu(machine, other, cpu);
        if (!hwloc_bitmap_isset(outer, (unsigned)cpu)) continue;
        if (!inner || !hwloc_bitmap_isset(inner, (unsigned)cpu)) order[count++] = other;
    }
    return count;
}

static void by_topology(const struct machine *machine, uint32_t workers, uint32_t worker, uint32_t *order)
{
    int cpu = first_cpu(machine, worker);
    uint32_t count = 0;
    hwloc_const_bitmap_t inner = NULL;
    hwloc_obj_t holder = hwloc_get_pu_obj_by_os_index(machine->topology, (unsigned)cpu);
    for (; holder && count < workers - 1; holder = holder->parent) {
        if (inner && hwloc_bitmap_isequal(holder->cpuset, inner)) continue;
        count = add(machine, workers, worker, cpu, holder->cpuset, inner, count, order);
        inner = holder->cpuset;
    }
    if (count < workers - 1) by_number(workers, worker, order);
}

void gws__topology_order(uint32_t workers, bool pinned, uint32_t *order)
{
    struct machine machine;
    bool known = pinned && workers > 2 && machine_open(&machine);
    for (uint32_t w = 0; w < workers; w++, order += workers - 1) {
        if (known)
            by_topology(&machine, workers, w, order);
        else
            by_number(workers, w, order);
    }
    if (known) machine_close(&machine);
}

#else

void gws__topology_order(uint32_t workers, bool pinned, uint32_t *order)
{
    (void)pinned;
    for (uint32_t w = 0; w < workers; w++, order += workers - 1) by_number(workers, w, order);
}

#endif

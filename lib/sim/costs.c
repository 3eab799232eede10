/* SPDX-License-Identifier: MIT */
/* The costs of machines. A number comes from a measurement in datasets/bench/results, from a text, or is a guess that
 * simulations should bear out. */
#include "../sim.h"

/* The fields of the X-macro, in its order: cost(pop, push, ..). */
static const struct {
    const char *name, *about;
} costs[] = {
#define ROW(name, about) {#name, about},
    GWS_SIM_COSTS(ROW)
#undef ROW
};

const char *gws_sim_cost_at(uint32_t i, const char **about)
{
    if (i >= GWS_SIM_COSTS_COUNT) return NULL;
    if (about) *about = costs[i].about;
    return costs[i].name;
}

#define AT(name) [GWS_SIM_##name]

/* A block with an ABP deque in its device's memory, by tests/lib/device/time_accesses. node, key and vertex are those
 * for which T1XL, 30 million keys and kron:22 take as long as on the device without pop and push: the kernels of trees
 * and keys keep most tasks in stacks of their own. */
#define BLOCKS                                                                                                         \
    AT(pop) = 1070, AT(push) = 630, AT(lock) = 520, AT(cache) = 170, AT(host) = 170, AT(word) = 0.73, AT(read) = 1.4,  \
    AT(retry) = 32, AT(message) = 1900, AT(shared) = 1, AT(node) = 4.6, AT(key) = 0.43, AT(vertex) = 5

static const struct gws_sim_preset presets[] = {
    {
        .name = "threads",
        .about = "threads of one host, two to a core, eight to a cache",
        .machine = {.cost = {AT(pop) = 8, AT(push) = 3, AT(lock) = 12, AT(cache) = 60, AT(host) = 140,
                             AT(network) = 140, AT(word) = 20, AT(retry) = 100, AT(message) = 140, AT(shared) = 1,
                             AT(node) = 11, AT(key) = 4, AT(vertex) = 20},
                    .topology = GWS_SIM_FLAT,
                    .cache = 8,
                    .host = 1},
    },
    {
        .name = "h200",
        .about = "blocks of an NVIDIA H200 or H100 as workers, measured on an H100; 132 are resident",
        .machine = {.cost = {BLOCKS, AT(network) = 170}, .topology = GWS_SIM_FLAT, .cache = 1, .host = 1},
    },
    {
        .name = "nvlink",
        .about = "blocks of several H200 or H100, 132 on each, joined by NVLink, measured on two H100",
        .machine = {.cost = {BLOCKS, AT(network) = 874, AT(byte) = 1.8, AT(server) = 2},
                    .topology = GWS_SIM_HOSTS,
                    .cache = 1,
                    .host = 132},
    },
    {
        .name = "mpi",
        .about =
            "MPI ranks of a host with one worker each, which steal from windows of shared memory; measured with two",
        .machine = {.cost = {AT(pop) = 17, AT(push) = 8, AT(lock) = 7, AT(cache) = 140, AT(host) = 140,
                             AT(network) = 140, AT(byte) = 0.1, AT(word) = 20, AT(server) = 20, AT(read) = 20,
                             AT(retry) = 100, AT(message) = 1000, AT(shared) = 1, AT(node) = 11, AT(key) = 1.4,
                             AT(vertex) = 20},
                    .topology = GWS_SIM_HOSTS,
                    .cache = 1,
                    .host = 1,
                    .vote = true},
    },
    {
        .name = "dinan",
        .about = "the cluster of Dinan et al.: hosts of eight on InfiniBand, a data server in each",
        .machine = {.cost = {AT(pop) = 20, AT(push) = 50, AT(lock) = 200, AT(cache) = 1000, AT(host) = 1000,
                             AT(network) = 10000, AT(byte) = 1, AT(word) = 200, AT(server) = 5000, AT(read) = 10000,
                             AT(retry) = 10000, AT(message) = 10000, AT(shared) = 1, AT(node) = 660, AT(key) = 4,
                             AT(vertex) = 20},
                    .topology = GWS_SIM_HOSTS,
                    .cache = 8,
                    .host = 8,
                    .vote = true},
    },
    {
        .name = "rudolph",
        .about = "the ideal machine of Rudolph et al.: balancing is free, an access to memory takes 1, 2 or 3 us",
        .machine = {.cost = {AT(migrate) = 20000, /* ten accesses at 3, not 1 (Figure 5) */
                             AT(shared) = 2, AT(node) = 1000, AT(key) = 1000, AT(vertex) = 1000},
                    .topology = GWS_SIM_FLAT,
                    .cache = 1,
                    .host = 1},
    },
};

const struct gws_sim_preset *gws_sim_preset_at(uint32_t i)
{
    return i < sizeof presets / sizeof *presets ? &presets[i] : NULL;
}

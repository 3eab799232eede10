/* SPDX-License-Identifier: MIT */
/* The distances of a torus against a breadth-first search over its links, and those of a fat tree against the climb
 * from both hosts to the first common switch. */
#include "runtimes.h"

#include "../../../lib/sim/sim.h"

enum { network = 1000, hop = 10, max_hosts = 4100 };

static void open_machine(struct gws_sim *sim, struct gws_sim_options *options, enum gws_sim_topology topology,
                         uint32_t hosts)
{
    *options = (struct gws_sim_options){.workers = 2 * hosts, .machine = {.topology = topology, .cache = 1, .host = 2}};
    options->machine.cost[GWS_SIM_host] = 1;
    options->machine.cost[GWS_SIM_cache] = 1;
    options->machine.cost[GWS_SIM_network] = network;
    options->machine.cost[GWS_SIM_hop] = hop;
    *sim = (struct gws_sim){.options = options, .workers = options->workers};
    ck_assert(gws__sim_machine_open(sim));
    ck_assert_uint_eq(sim->hosts, hosts);
}

/* Checks the access between workers of two hosts that are `hops` apart, 0: the same host. */
static void check(const struct gws_sim *sim, uint32_t a, uint32_t b, uint32_t hops)
{
    const uint64_t ns = hops ? network + hop * (hops - 1) : 1;
    ck_assert_uint_eq(gws__sim_access(sim, 2 * a, 2 * b + 1), ns * GWS__SIM_NS);
    ck_assert_uint_eq(gws__sim_access(sim, 2 * b + 1, 2 * a), ns * GWS__SIM_NS);
}

/* Fills in the steps from a host to each host of the cube. */
static void walk_torus(uint32_t from, uint32_t side, uint32_t *steps)
{
    static uint32_t queue[max_hosts];
    const uint32_t all = side * side * side, stride[] = {1, side, side * side};
    for (uint32_t i = 0; i < all; i++) steps[i] = UINT32_MAX;
    uint32_t tail = 0;
    steps[from] = 0;
    queue[tail++] = from;
    for (uint32_t head = 0; head < tail; head++)
        for (int axis = 0; axis < 3; axis++)
            for (uint32_t step = 1; step <= side - 1; step += side > 2 ? side - 2 : 1) { /* forward, backward */
                const uint32_t at = queue[head], place = at / stride[axis] % side;
                const uint32_t next = at + ((place + step) % side) * stride[axis] - place * stride[axis];
                if (steps[next] != UINT32_MAX) continue;
                steps[next] = steps[at] + 1;
                queue[tail++] = next;
            }
}

START_TEST(torus)
{
    static const uint32_t sides[] = {2, 3, 5, 8};
    static uint32_t steps[max_hosts];
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const uint32_t hosts = sides[i] * sides[i] * sides[i];
        struct gws_sim_options options;
        struct gws_sim sim;
        open_machine(&sim, &options, GWS_SIM_TORUS, hosts);
        for (uint32_t a = 0; a < hosts; a += 7) {
            walk_torus(a, sides[i], steps);
            for (uint32_t b = 0; b < hosts; b++) check(&sim, a, b, steps[b]);
        }
    }
}
END_TEST

START_TEST(fat_tree)
{
    const uint32_t hosts = 4100;
    struct gws_sim_options options;
    struct gws_sim sim;
    open_machine(&sim, &options, GWS_SIM_TREE, hosts);
    for (uint32_t a = 0; a < hosts; a += 211)
        for (uint32_t b = 0; b < hosts; b++) {
            uint32_t levels = 0;
            for (uint32_t size = 1; a / size != b / size; size *= 16) levels++;
            check(&sim, a, b, levels ? 2 * levels - 1 : 0);
        }
}
END_TEST

START_TEST(one_switch)
{
    struct gws_sim_options options;
    struct gws_sim sim;
    open_machine(&sim, &options, GWS_SIM_HOSTS, 70);
    for (uint32_t a = 0; a < 70; a++)
        for (uint32_t b = 0; b < 70; b++) check(&sim, a, b, a != b);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{torus, 1}, {fat_tree, 1}, {one_switch, 1}, {0}};
    return gws_test_run("machine", test);
}

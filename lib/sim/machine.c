/* SPDX-License-Identifier: MIT */
/* The machine: distances between workers, and the servers of atomic operations.
 *
 * A host serves the atomic operations from other hosts one at a time, and so does a word those of its own host. Without
 * such servers, locks that spin on atomic operations would scale as well as those that do not (Dinan et al., SC 2009,
 * section 5.3: the data server of a host becomes saturated with requests). */
#include "sim.h"

enum { arity = 16 }; /* of the fat tree */

/* Returns worker / divisor, from quotient's reciprocal. It is exact, since both are at most 2^20: the reciprocal is too
 * large by less than 2^-40 of the divisor. */
enum { reciprocal_shift = 40 };

static uint64_t reciprocal(uint32_t divisor)
{
    return ((UINT64_C(1) << reciprocal_shift) + divisor - 1) / divisor;
}

static uint32_t divided(uint32_t worker, uint64_t by)
{
    return (uint32_t)(worker * by >> reciprocal_shift);
}

static uint32_t host_of(const struct gws_sim *sim, uint32_t worker)
{
    return divided(worker, sim->host_reciprocal);
}

bool gws__sim_same_host(const struct gws_sim *sim, uint32_t a, uint32_t b)
{
    return host_of(sim, a) == host_of(sim, b);
}

/* Returns the distance on a ring. */
static uint32_t around(uint32_t a, uint32_t b, uint32_t length)
{
    uint32_t apart = a > b ? a - b : b - a;
    return apart < length - apart ? apart : length - apart;
}

/* Returns the hops between two different hosts, at least 1. */
static uint32_t hops(const struct gws_sim *sim, uint32_t a, uint32_t b)
{
    uint32_t count = 1;
    switch (sim->options->machine.topology) {
    case GWS_SIM_TORUS:
        count = around(a % sim->side, b % sim->side, sim->side);
        a /= sim->side, b /= sim->side;
        count += around(a % sim->side, b % sim->side, sim->side);
        return count + around(a / sim->side, b / sim->side, sim->side);
    case GWS_SIM_TREE:
        while ((a /= arity) != (b /= arity)) count += 2; /* a level up and one down */
        return count;
    default:
        return 1;
    }
}

static uint64_t remote(const struct gws_sim *sim, uint32_t a, uint32_t b)
{
    if (sim->cost[GWS_SIM_hop] == 0) return sim->cost[GWS_SIM_network];
    return sim->cost[GWS_SIM_network] + sim->cost[GWS_SIM_hop] * (hops(sim, a, b) - 1);
}

uint64_t gws__sim_access(const struct gws_sim *sim, uint32_t from, uint32_t to)
{
    if (sim->uniform) return sim->cost[GWS_SIM_host];
    const uint32_t a = host_of(sim, from), b = host_of(sim, to);
    if (a != b) return remote(sim, a, b);
    const bool shared = divided(from, sim->cache_reciprocal) == divided(to, sim->cache_reciprocal);
    return sim->cost[shared ? GWS_SIM_cache : GWS_SIM_host];
}

/* Returns how many numbers of [first, end) are in [low, high). */
static uint32_t overlap(uint32_t first, uint32_t end, uint32_t low, uint32_t high)
{
    const uint32_t begin = first > low ? first : low, stop = end < high ? end : high;
    return stop > begin ? stop - begin : 0;
}

uint64_t gws__sim_accesses(const struct gws_sim *sim, uint32_t from, uint32_t first, uint32_t end)
{
    if (sim->uniform) return (end - first) * sim->cost[GWS_SIM_host];
    const uint32_t cache = sim->cache_size, own = host_of(sim, from), host = own * sim->host_size;
    const uint32_t group = divided(from, sim->cache_reciprocal) * cache, within = host + sim->host_size;
    const uint32_t low = group > host ? group : host, high = group + cache < within ? group + cache : within;
    const uint64_t near = overlap(first, end, low, high), here = overlap(first, end, host, within);
    uint64_t time = near * sim->cost[GWS_SIM_cache] + (here - near) * sim->cost[GWS_SIM_host];
    if (sim->cost[GWS_SIM_hop] == 0) return time + (end - first - here) * sim->cost[GWS_SIM_network];
    for (uint32_t at = host_of(sim, first); at * sim->host_size < end; at++)
        if (at != own)
            time += overlap(first, end, at * sim->host_size, (at + 1) * sim->host_size) * remote(sim, own, at);
    return time;
}

uint64_t gws__sim_serve(struct gws_sim *sim, uint32_t from, uint32_t to)
{
    const bool within = gws__sim_same_host(sim, from, to);
    uint64_t *free = within ? &sim->worker[to].word_free : &sim->server[host_of(sim, to)], now = sim->wheel.now;
    *free = (*free > now ? *free : now) + sim->cost[within ? GWS_SIM_word : GWS_SIM_server];
    return *free;
}

/* The lock with the lengths and the task are in the cache of the worker that was there last, unless the worker itself
 * is alone at the pile. The lock is not fair: a worker that others wait for gets it again as often as each of them, and
 * then they stay in its cache. All that wait read the lock's word at each handover (Anderson, IEEE TPDS 1990); they
 * pause between their looks, so of those beyond a few it is every other one. */
uint64_t gws__sim_serve_pile(struct gws_sim *sim, uint32_t worker, uint64_t time)
{
    enum { lines = 2, few = 8 };
    const uint64_t now = sim->wheel.now;
    uint64_t access = 0, waiting = 0;
    if (sim->pile_last != worker) {
        access = gws__sim_access(sim, worker, sim->pile_last);
        sim->pile_last = worker;
        sim->pile_others = sim->pile_free;
    } else if (sim->pile_others > now) {
        access = gws__sim_look_time(sim);
    }
    uint64_t handover = sim->cost[GWS_SIM_lock] + lines * access;
    if (sim->pile_others > now && handover > 0) waiting = (sim->pile_others - now) / handover;
    if (waiting > sim->workers - 1) waiting = sim->workers - 1;
    if (waiting > 0) handover -= lines * access / (waiting + 1);
    const uint64_t readers = waiting > few ? (waiting + few) / 2 : waiting;
    sim->pile_free = (sim->pile_free > time ? sim->pile_free : time) + handover + readers * sim->cost[GWS_SIM_word];
    return sim->pile_free;
}

uint64_t gws__sim_termination(const struct gws_sim *sim)
{
    if (sim->workers < 2) return 0;
    uint64_t depth = 31U - (uint32_t)__builtin_clz(sim->workers);
    if (!sim->options->machine.vote) return sim->cost[GWS_SIM_word] + sim->cost[GWS_SIM_host];
    /* The last worker was a thief or a victim since its last answer, so it answers black. Its answer passes up, the
     * next wave down and up, and the end down. */
    return 4 * depth * sim->cost[GWS_SIM_message];
}

static bool in_bounds(double cost)
{
    return cost >= 0 && cost <= 1e12; /* false for NaN */
}

bool gws__sim_machine_open(struct gws_sim *sim)
{
    const struct gws_sim_machine *machine = &sim->options->machine;
    if ((unsigned)machine->topology > GWS_SIM_TREE || machine->cache < 1 || machine->host < 1) return false;
    for (uint32_t i = 0; i < GWS_SIM_COSTS_COUNT; i++) {
        if (!in_bounds(machine->cost[i])) return false;
        sim->cost[i] = (uint64_t)(machine->cost[i] * 1e3 + 0.5);
    }
    /* Time passes with each look, so that a search for tasks that another thief is about to take ends. */
    for (uint32_t i = GWS_SIM_cache; i <= GWS_SIM_network; i++) sim->cost[i] += sim->cost[i] == 0;
    const bool flat = machine->topology == GWS_SIM_FLAT || machine->host > sim->workers;
    sim->host_size = flat ? sim->workers : machine->host;
    sim->cache_size = machine->cache < sim->workers ? machine->cache : sim->workers;
    sim->host_reciprocal = reciprocal(sim->host_size);
    sim->cache_reciprocal = reciprocal(sim->cache_size);
    sim->hosts = (sim->workers + sim->host_size - 1) / sim->host_size;
    while ((uint64_t)sim->side * sim->side * sim->side < sim->hosts) sim->side++;
    sim->uniform =
        sim->cost[GWS_SIM_cache] == sim->cost[GWS_SIM_host] &&
        (sim->hosts == 1 || (sim->cost[GWS_SIM_host] == sim->cost[GWS_SIM_network] && sim->cost[GWS_SIM_hop] == 0));
    return true;
}

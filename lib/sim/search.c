/* SPDX-License-Identifier: MIT */
/* Thieves that look for tasks. The policy's own function names one victim after another, and each look takes an access.
 *
 * Most looks find nothing, so they are no events. A thief calls the function for up to `window` looks at once, until a
 * victim has tasks, and its next event is at the time of that look. So it can miss tasks that appear within the window,
 * until a later look. While no queue has tasks to take, idle thieves are parked and cost nothing. The first such task
 * unparks them, each at the time at which its next look would have been.
 *
 * If fewer than one queue in `sampled` has tasks, most thieves of a large machine look in vain, however far they look
 * at once. Only the first look is then the policy's. The number of looks until one finds tasks is drawn, as for victims
 * that are random: all strategies but `nearest` continue from a random worker. */
#include <math.h>

#include "sim.h"

enum { window = 64, sampled = 1024 };

static void draw(struct gws__sim_worker *thief)
{
    thief->bits = gws_random_next(&thief->random);
    thief->tried = 0;
    thief->victim = 0;
}

struct gws_view gws__sim_view(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    draw(of);
    return (struct gws_view){
        .self = worker, .workers = sim->workers, .last = of->last, .last_tried = of->last_tried, .bits = of->bits};
}

/* Takes a turn at the lock of the one pile. */
static void queue_at_pile(struct gws_sim *sim, uint32_t worker, uint64_t time)
{
    sim->pile_free = (sim->pile_free > time ? sim->pile_free : time) + sim->cost[GWS_SIM_lock];
    gws__sim_at(sim, worker, GWS__SIM_PILE, sim->pile_free);
}

static void park(struct gws_sim *sim, uint32_t thief, uint64_t time)
{
    sim->worker[thief].state = GWS__SIM_OUT;
    sim->worker[thief].parked = time;
    sim->event[thief].next = sim->parked;
    sim->parked = (int32_t)thief;
    sim->parkeds++;
}

/* Goes on with the search of a thief that was parked. */
static void resume(struct gws_sim *sim, uint32_t thief)
{
    struct gws__sim_worker *of = &sim->worker[thief];
    const uint64_t now = sim->wheel.now, look = sim->cost[sim->hosts > 1 ? GWS_SIM_network : GWS_SIM_host];
    const uint64_t looks = of->parked < now ? (now - of->parked + look - 1) / look : 0;
    if (looks) draw(of);
    sim->result.probes += looks;
    gws__sim_scan(sim, thief, of->parked + looks * look);
}

void gws__sim_unpark(struct gws_sim *sim, uint32_t count)
{
    const bool one_pile = sim->policy->queue == GWS__QUEUE_GLOBAL;
    for (; count > 0 && sim->parkeds > 0; count--) {
        const uint32_t thief = (uint32_t)sim->parked;
        sim->parked = sim->event[thief].next;
        sim->parkeds--;
        if (one_pile)
            queue_at_pile(sim, thief, sim->wheel.now);
        else
            resume(sim, thief);
    }
}

void gws__sim_search(struct gws_sim *sim, uint32_t thief, uint64_t time)
{
    draw(&sim->worker[thief]);
    gws__sim_scan(sim, thief, time);
}

/* Sets the bits [first, end). */
static void set_bits(uint64_t *bits, uint32_t first, uint32_t end)
{
    for (uint32_t w = first / 64; (uint64_t)w * 64 < end; w++) {
        uint64_t mask = UINT64_MAX;
        if (first > w * 64) mask <<= first % 64;
        if (end - w * 64 < 64) mask &= (UINT64_C(1) << (end % 64)) - 1;
        bits[w] |= mask;
    }
}

/* Returns the first set bit of [first, end), or end. */
static uint32_t first_bit(const uint64_t *bits, uint32_t first, uint32_t end)
{
    uint64_t word = bits[first / 64] & (UINT64_MAX << (first % 64));
    for (uint32_t w = first / 64;; word = bits[w]) {
        if (word) {
            const uint32_t bit = w * 64 + (uint32_t)__builtin_ctzll(word);
            return bit < end ? bit : end;
        }
        if ((uint64_t)++w * 64 >= end) return end;
    }
}

/* Looks at the workers [first, end), up to the first one that has tasks. Returns the last one looked at. */
static uint32_t look_at(struct gws_sim *sim, uint32_t thief, uint32_t first, uint32_t end, uint64_t *time, bool *found)
{
    const uint32_t hit = first_bit(sim->stealable, first, end);
    *found = hit < end;
    const uint32_t last = *found ? hit : end - 1;
    set_bits(sim->hungry, first, hit);
    *time += gws__sim_accesses(sim, thief, first, last + 1);
    sim->result.probes += last + 1 - first;
    return last;
}

/* Begins a search at the victim that the policy's own function names. */
static uint32_t first_victim(struct gws_sim *sim, uint32_t thief)
{
    struct gws__sim_worker *of = &sim->worker[thief];
    const uint32_t previous = of->last_tried;
    if (of->tried > 0) draw(of);
    const struct gws_view view = {
        .self = thief, .workers = sim->workers, .last = of->last, .last_tried = previous, .bits = of->bits};
    return sim->victim(&view);
}

/* Looks at one victim after another, at most `looks`. Returns whether the last one had tasks. Every strategy of
 * lib/policy continues a search cyclically from its first victim, so the function is called once a search. */
static bool look(struct gws_sim *sim, uint32_t thief, uint32_t looks, uint64_t *time)
{
    struct gws__sim_worker *of = &sim->worker[thief];
    bool found = false;
    while (looks > 0 && !found) {
        uint32_t first = of->victim + 1, end;
        if (of->tried == 0 || of->tried + 1 >= sim->workers) {
            first = first_victim(sim, thief);
            end = first + 1;
        } else {
            const uint32_t left = sim->workers - 1 - of->tried;
            first += first == thief;
            if (first >= sim->workers) first = thief == 0;
            end = first < thief ? thief : sim->workers;
            if (end - first > left) end = first + left;
            if (end - first > looks) end = first + looks;
        }
        of->victim = of->last_tried = look_at(sim, thief, first, end, time, &found);
        of->tried += of->victim + 1 - first;
        looks -= of->victim + 1 - first;
    }
    return found;
}

/* Returns a worker with tasks: the next one after a random worker. */
static uint32_t any_stealable(const struct gws_sim *sim, uint64_t bits)
{
    const uint32_t words = (sim->workers + 63) / 64, start = gws_random_below(bits, sim->workers);
    uint64_t word = sim->stealable[start / 64] & (UINT64_MAX << (start % 64));
    uint32_t i = start / 64;
    while (!word) word = sim->stealable[i = i + 1 < words ? i + 1 : 0];
    return i * 64 + (uint32_t)__builtin_ctzll(word);
}

/* Draws how many looks at random workers find nothing, at most `sampled`. Returns whether the next one finds tasks. */
static bool sample(struct gws_sim *sim, uint32_t thief, uint64_t *time)
{
    struct gws__sim_worker *of = &sim->worker[thief];
    const double chance = (double)sim->stealables / (sim->workers - 1);
    const double u = (double)((gws_random_next(&of->random) >> 11) + 1) * 0x1p-53, looks = log(u) / log1p(-chance);
    const bool found = looks < sampled;
    const uint64_t count = found ? 1 + (uint64_t)looks : (uint64_t)sampled;
    sim->result.probes += count;
    *time += count * sim->cost[sim->hosts > 1 ? GWS_SIM_network : GWS_SIM_host];
    if (found) of->victim = of->last_tried = any_stealable(sim, gws_random_next(&of->random));
    return found;
}

bool gws__sim_is_starved(const struct gws_sim *sim)
{
    return (uint64_t)sim->stealables * sampled < sim->workers;
}

void gws__sim_scan(struct gws_sim *sim, uint32_t thief, uint64_t time)
{
    if (sim->stealables == 0) {
        park(sim, thief, time);
        return;
    }
    if (sim->policy->queue == GWS__QUEUE_GLOBAL) {
        queue_at_pile(sim, thief, time);
        return;
    }
    const bool samples = gws__sim_is_starved(sim) && sim->victim != gws__victim_nearest;
    bool found = look(sim, thief, samples ? 1 : window, &time);
    if (samples && !found) found = sample(sim, thief, &time);
    gws__sim_at(sim, thief, found ? GWS__SIM_PROBE : GWS__SIM_SCAN, time);
}

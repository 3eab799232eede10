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

/* Looks at one victim after another, at most `looks`. Returns whether the last one had tasks. */
static bool look(struct gws_sim *sim, uint32_t thief, uint32_t looks, uint64_t *time)
{
    struct gws__sim_worker *of = &sim->worker[thief];
    struct gws_view view = {.self = thief,
                            .workers = sim->workers,
                            .last = of->last,
                            .last_tried = of->last_tried,
                            .tried = of->tried,
                            .previous = of->victim,
                            .bits = of->bits};
    bool found = false;
    for (uint32_t i = 0; i < looks && !found; i++) {
        if (view.tried + 1 >= view.workers) {
            draw(of);
            view.tried = 0;
            view.bits = of->bits;
            view.last_tried = view.previous;
        }
        view.previous = sim->victim(&view);
        view.tried++;
        *time += gws__sim_access(sim, thief, view.previous);
        sim->result.probes++;
        found = gws__sim_bit(sim->stealable, view.previous);
        if (!found) sim->hungry[view.previous / 64] |= UINT64_C(1) << (view.previous % 64);
    }
    of->tried = view.tried;
    of->victim = of->last_tried = view.previous;
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

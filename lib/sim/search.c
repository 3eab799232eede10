/* SPDX-License-Identifier: MIT */
/* Thieves that look for tasks. The policy's own function names one victim after another, and each look takes an access.
 *
 * Most looks find nothing, so they are no events. A thief calls the function for up to `window` looks at once, until a
 * victim has tasks, and its next event is at the time of that look. So it can miss tasks that appear within the window,
 * until a later look. While no queue has tasks to take, idle thieves are parked and cost nothing. The first such task
 * unparks them, each at the time at which its next look would have been.
 *
 * If fewer than one queue in `sampled` has tasks, nearly all looks are in vain. Then only a thief's first look is an
 * event of its own, and after it the thief joins a pool. Looks of the pool's thieves at random workers find tasks after
 * exponential times, and only these looks are events: idle thieves x queues with tasks / (workers x time of a look) of
 * them in a time. When that rate changes, the rest of the drawn time scales with it. All strategies but `nearest`
 * continue from a random worker. */
#include <math.h>

#include "sim.h"

enum { window = 64, sampled = 1024 };

uint64_t gws__sim_look_time(const struct gws_sim *sim)
{
    return sim->cost[sim->hosts > 1 ? GWS_SIM_network : GWS_SIM_host];
}

struct gws_view gws__sim_view(struct gws_sim *sim, uint32_t worker)
{
    struct gws__sim_worker *of = &sim->worker[worker];
    of->tried = 0;
    return (struct gws_view){.self = worker,
                             .workers = sim->workers,
                             .last = of->last,
                             .last_tried = of->last_tried,
                             .bits = gws_random_next(&of->random)};
}

/* Takes a turn at the lock of the one pile. */
static void queue_at_pile(struct gws_sim *sim, uint32_t worker, uint64_t time)
{
    gws__sim_at(sim, worker, GWS__SIM_PILE, gws__sim_serve_pile(sim, worker, time));
}

/* Adds a thief to the idle ones, from that time on. At the start all other workers are idle already. */
static void park(struct gws_sim *sim, uint32_t thief, uint64_t time)
{
    if (sim->policy->queue == GWS__QUEUE_GLOBAL && sim->wheel.now > 0) (void)gws__sim_serve_pile(sim, thief, time);
    sim->worker[thief].state = GWS__SIM_OUT;
    sim->worker[thief].parked = time;
    gws__sim_pool_changes(sim);
    sim->idle[sim->idles++] = thief;
    gws__sim_pool_changed(sim);
}

/* Goes on with the search of a thief that was parked. */
static void resume(struct gws_sim *sim, uint32_t thief)
{
    struct gws__sim_worker *of = &sim->worker[thief];
    const uint64_t now = sim->wheel.now, look = gws__sim_look_time(sim);
    const uint64_t looks = of->parked < now ? (now - of->parked + look - 1) / look : 0;
    if (looks) of->tried = 0;
    sim->result.probes += looks;
    gws__sim_scan(sim, thief, of->parked + looks * look);
}

void gws__sim_unpark(struct gws_sim *sim, uint32_t count)
{
    const bool one_pile = sim->policy->queue == GWS__QUEUE_GLOBAL;
    for (; count > 0 && sim->idles > 0; count--) {
        const uint32_t thief = sim->idle[--sim->idles];
        if (one_pile) /* under the lock it sees that it is not idle, and then takes tasks */
            queue_at_pile(sim, thief, gws__sim_serve_pile(sim, thief, sim->wheel.now));
        else
            resume(sim, thief);
    }
}

void gws__sim_search(struct gws_sim *sim, uint32_t thief, uint64_t time)
{
    sim->worker[thief].tried = 0;
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

/* Every strategy of lib/policy continues a search cyclically from its first victim, so the strategy is called once a
 * search. */
bool gws__sim_look_around(struct gws_sim *sim, uint32_t thief, uint32_t looks, uint64_t *time)
{
    struct gws__sim_worker *of = &sim->worker[thief];
    bool found = false;
    while (looks > 0 && !found) {
        uint32_t first = of->victim + 1, end;
        if (of->tried == 0 || of->tried + 1 >= sim->workers) {
            const struct gws_view view = gws__sim_view(sim, thief);
            first = sim->victim(&view);
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

/* ---- the pool of idle thieves ---- */

bool gws__sim_is_starved(const struct gws_sim *sim)
{
    return (uint64_t)sim->stealables * sampled < sim->workers;
}

bool gws__sim_has_pool(const struct gws_sim *sim)
{
    return sim->workers > sampled && sim->policy->queue != GWS__QUEUE_GLOBAL && sim->victim != gws__victim_nearest;
}

void gws__sim_pool_changes(struct gws_sim *sim)
{
    const double since = (double)(sim->wheel.now - sim->pool_since);
    sim->pool_since = sim->wheel.now;
    if (sim->idles == 0 || !sim->pools) return;
    sim->pool_left -= since * sim->pool_rate;
    sim->pool_looks += since * sim->idles;
}

void gws__sim_pool_changed(struct gws_sim *sim)
{
    static const double never = 1e18;
    if (!sim->pools) return;
    sim->pool_rate = (double)sim->stealables * sim->idles * sim->pool_scale;
    const double wait = sim->pool_left > 0 ? sim->pool_left / sim->pool_rate : 0;
    sim->pool_due = UINT64_MAX;
    if (sim->pool_rate > 0) sim->pool_due = sim->wheel.now + (uint64_t)(wait < never ? wait : never) + 1;
}

static void draw_next_hit(struct gws_sim *sim)
{
    sim->pool_left = -log((double)((gws_random_next(&sim->random) >> 11) + 1) * 0x1p-53);
}

void gws__sim_pool_open(struct gws_sim *sim)
{
    sim->pools = gws__sim_has_pool(sim);
    sim->random = gws_random_at(sim->options->seed, sim->workers);
    sim->pool_due = UINT64_MAX;
    sim->pool_scale = 1 / ((double)(sim->workers - (sim->workers > 1)) * (double)gws__sim_look_time(sim));
    draw_next_hit(sim);
}

uint64_t gws__sim_pool_looks(const struct gws_sim *sim)
{
    return (uint64_t)(sim->pool_looks / (double)gws__sim_look_time(sim));
}

/* Returns a worker with tasks: the next one after a random worker. */
static uint32_t any_stealable(const struct gws_sim *sim, uint64_t bits)
{
    const uint32_t start = gws_random_below(bits, sim->workers), words = (sim->workers + 63) / 64;
    const uint64_t first = sim->stealable[start / 64] & (UINT64_MAX << (start % 64));
    if (first) return start / 64 * 64 + (uint32_t)__builtin_ctzll(first);
    uint32_t word = start / 64 + 1 < words ? first_bit(sim->stealable_words, start / 64 + 1, words) : words;
    if (word == words) word = first_bit(sim->stealable_words, 0, words);
    return word * 64 + (uint32_t)__builtin_ctzll(sim->stealable[word]);
}

void gws__sim_pool_hit(struct gws_sim *sim)
{
    gws__sim_pool_changes(sim);
    draw_next_hit(sim);
    const uint32_t at = gws_random_below(gws_random_next(&sim->random), sim->idles), thief = sim->idle[at];
    sim->idle[at] = sim->idle[--sim->idles];
    gws__sim_pool_changed(sim);
    struct gws__sim_worker *of = &sim->worker[thief];
    of->victim = of->last_tried = any_stealable(sim, gws_random_next(&sim->random));
    gws__sim_probe(sim, thief);
}

/* ---- one thief ---- */

void gws__sim_scan(struct gws_sim *sim, uint32_t thief, uint64_t time)
{
    const bool joins = sim->pools && gws__sim_is_starved(sim);
    if (joins && time > sim->wheel.now) {
        gws__sim_at(sim, thief, GWS__SIM_SCAN, time);
        return;
    }
    if (sim->stealables == 0 || (joins && sim->worker[thief].tried > 0)) {
        park(sim, thief, time);
        return;
    }
    if (sim->policy->queue == GWS__QUEUE_GLOBAL) {
        queue_at_pile(sim, thief, time);
        return;
    }
    const bool found = gws__sim_look_around(sim, thief, joins ? 1 : window, &time);
    gws__sim_at(sim, thief, found ? GWS__SIM_PROBE : GWS__SIM_SCAN, time);
}

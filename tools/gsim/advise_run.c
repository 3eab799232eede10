/* SPDX-License-Identifier: MIT */
/* The simulations of gsim advise. The candidates are each policy by itself, then the fastest one with each other order
 * of victims and each other amount. What limits the advised one is found by simulating it again, each time with a part
 * of the costs at a tenth. */
#include "advise.h"

#include <math.h>
#include <string.h>

/* A limit counts from its share on. */
static const double limiting = 0.02, enough = 0.95, cheap = 0.1;

/* Policies by the price of a worker's own queue: without a fence, with fences, with a lock, with one lock for all. */
static const char *const by_price[] = {"split", "chaselev", "abp", "workpile", "global"};

struct advising {
    struct advise_state *state;
    struct gws_runtime *runtime;
    struct gws_sim_options options; /* with the cost of a task */
    struct gws_diagnostic *where;
};

static gws_status simulate(const struct advising *on, const struct gws_sim_options *options,
                           struct gws_sim_result *found)
{
    const struct advise_state *state = on->state;
    return state->simulation->run(state->state, on->runtime, options, found, on->where);
}

struct gws_sim_options advise_options(const struct gws_sim_options *options, const struct advise_candidate *candidate)
{
    struct gws_sim_options of = *options;
    of.policy = candidate->policy;
    of.victim = candidate->victim;
    of.amount = candidate->amount;
    of.chunk = candidate->chunk;
    return of;
}

/* ---- the cost of a task ---- */

/* Sets the cost of a node or of a key so that the workers of the simulated run are busy for as long as those of the
 * run. The first pass guesses the cost, and so how the workers share the tasks. */
static gws_status calibrate(struct advising *on)
{
    enum { passes = 2, guess_ns = 10 };
    struct advise_state *state = on->state;
    const enum gws_sim_cost which = state->simulation->cost;
    if (which == GWS_SIM_COSTS_COUNT || state->as_preset) return GWS_OK;
    const bool known = gws_policy_takes_vote(state->policy);
    struct gws_sim_options run = on->options;
    struct gws_sim_result found;
    run.workers = known ? (uint32_t)state->threads : 1;
    run.policy = known ? state->policy : NULL;
    run.victim = run.amount = NULL;
    run.chunk = 0;
    state->task_ns = guess_ns;
    for (int pass = 0; pass < passes && state->task_ns > 0; pass++) {
        run.machine.cost[which] = state->task_ns;
        gws_status status = simulate(on, &run, &found);
        if (status != GWS_OK) return status;
        const double work = state->busy_ms - (found.busy_ms - found.work_ms);
        state->task_ns = work > 0 && found.work_ms > 0 ? state->task_ns * work / found.work_ms : 0;
    }
    on->options.machine.cost[which] = state->task_ns;
    return GWS_OK;
}

/* ---- candidates ---- */

/* Simulates a candidate and adds it. One that the simulation does not support is left out. */
static gws_status add(struct advising *on, const struct advise_candidate *candidate)
{
    struct advise_state *state = on->state;
    struct advise_candidate *to = &state->candidate[state->candidates];
    if (state->candidates == ADVISE_MAX_CANDIDATES) return GWS_OK;
    *to = *candidate;
    const struct gws_sim_options options = advise_options(&on->options, candidate);
    gws_status status = simulate(on, &options, &to->found);
    state->candidates += status == GWS_OK;
    return status == GWS_UNSUPPORTED ? GWS_OK : status;
}

static double ms_of(const struct advise_state *state, uint32_t candidate)
{
    return state->candidate[candidate].found.virtual_ms;
}

static uint32_t price_of(const char *policy)
{
    uint32_t i = 0;
    while (i < sizeof by_price / sizeof *by_price && strcmp(policy, by_price[i]) != 0) i++;
    return i;
}

/* Returns the share of a candidate's time about which the simulation tells nothing: a little, and twice as much as the
 * workers' own queues take, since their costs depend on the policy. */
static double margin_of(const struct advise_state *state, uint32_t candidate)
{
    static const double min = 0.02, max = 0.2, doubt = 2;
    const struct gws_sim_result *found = &state->candidate[candidate].found;
    return fmin(max, min + doubt * (found->busy_ms > 0 ? 1 - found->work_ms / found->busy_ms : 0));
}

/* Chooses the cheapest of the policies that are as fast as the fastest one, within the margin. */
static void choose_policy(struct advise_state *state)
{
    uint32_t fastest = 0, price = UINT32_MAX;
    for (uint32_t i = 1; i < state->candidates; i++)
        if (ms_of(state, i) < ms_of(state, fastest)) fastest = i;
    const double limit_ms = (1 + margin_of(state, fastest)) * ms_of(state, fastest);
    for (uint32_t i = 0; i < state->candidates; i++) {
        const uint32_t here = price_of(state->candidate[i].policy);
        if (ms_of(state, i) > limit_ms || here >= price) continue;
        state->chosen = i;
        price = here;
    }
}

/* Chooses the fastest candidate from `from` on, if it is faster than the chosen one by the margin. */
static void choose_variant(struct advise_state *state, uint32_t from)
{
    uint32_t best = state->chosen;
    for (uint32_t i = from; i < state->candidates; i++)
        if (ms_of(state, i) < ms_of(state, best)) best = i;
    if (ms_of(state, best) < (1 - margin_of(state, best)) * ms_of(state, state->chosen)) state->chosen = best;
}

static bool on_one_host(const struct gws_sim_options *options)
{
    return options->machine.topology == GWS_SIM_FLAT || options->workers <= options->machine.host;
}

/* Simulates the policies; one pile cannot be shared by hosts. */
static gws_status try_policies(struct advising *on)
{
    struct advise_state *state = on->state;
    const struct gws_sim_options *options = &on->options;
    const bool given = options->policy != sim_default_policy;
    const char *policy;
    gws_status status = GWS_OK;
    for (uint32_t i = 0; status == GWS_OK && (policy = gws_policy_at(i, NULL)); i++) {
        if (given ? strcmp(policy, options->policy) != 0 : !gws_policy_takes_vote(policy)) continue;
        if (options->victim && !gws_policy_takes_victim(policy)) continue;
        if (options->amount && !gws_policy_takes_amount(policy)) continue;
        if (!gws_policy_takes_victim(policy) && !on_one_host(options)) continue;
        const struct advise_candidate candidate = {
            .policy = policy, .victim = options->victim, .amount = options->amount, .chunk = options->chunk};
        status = add(on, &candidate);
    }
    if (status == GWS_OK && state->candidates == 0)
        return gws_diagnostic_set(on->where, GWS_INVALID, NULL, 0, 0,
                                  "no policy that the machine can run takes these options");
    if (status == GWS_OK) choose_policy(state);
    return status;
}

static gws_status try_victims(struct advising *on, const struct advise_candidate *base)
{
    const char *name;
    gws_status status = GWS_OK;
    if (on->options.victim || !gws_policy_takes_victim(base->policy)) return status;
    for (uint32_t i = 0; status == GWS_OK && (name = gws_victim_at(i, NULL)); i++) {
        struct advise_candidate candidate = *base;
        candidate.victim = name;
        status = add(on, &candidate);
    }
    return status;
}

static gws_status try_amounts(struct advising *on, const struct advise_candidate *base)
{
    enum { wide_chunk = 32 };
    const char *name;
    gws_status status = GWS_OK;
    if (on->options.amount || !gws_policy_takes_amount(base->policy)) return status;
    for (uint32_t i = 0; status == GWS_OK && (name = gws_amount_at(i, NULL)); i++) {
        struct advise_candidate candidate = *base;
        candidate.amount = name;
        status = add(on, &candidate);
        candidate.chunk = wide_chunk;
        if (status == GWS_OK && strcmp(name, "chunk") == 0) status = add(on, &candidate);
    }
    return status;
}

/* ---- the limit ---- */

#define COST(name) (1U << GWS_SIM_##name)

static const struct {
    const char *name;
    uint32_t costs;
} parts[ADVISE_PARTS] = {
    {"steals", COST(cache) | COST(host) | COST(network) | COST(hop) | COST(byte) | COST(word) | COST(server) |
                   COST(read) | COST(retry) | COST(poll)},
    {"queues", COST(pop) | COST(push) | COST(lock)},
    {"termination", COST(message)},
    {"migration", COST(migrate)},
};

static gws_status try_part(struct advising *on, uint32_t i)
{
    struct advise_state *state = on->state;
    struct gws_sim_options options = advise_options(&on->options, &state->candidate[state->chosen]);
    struct gws_sim_result found;
    double sum = 0;
    for (uint32_t c = 0; c < GWS_SIM_COSTS_COUNT; c++) {
        if (!(parts[i].costs >> c & 1)) continue;
        sum += options.machine.cost[c];
        options.machine.cost[c] *= cheap;
    }
    if (sum == 0) return GWS_OK;
    gws_status status = simulate(on, &options, &found);
    if (status == GWS_OK) state->part[i] = (struct advise_part){parts[i].name, found.virtual_ms};
    return status;
}

static void find_limit(struct advise_state *state, uint32_t workers)
{
    const struct gws_sim_result *found = &state->candidate[state->chosen].found;
    double min_ms = (1 - limiting) * found->virtual_ms;
    state->limit = found->busy_ms >= enough * found->virtual_ms * workers ? "work" : "parallelism";
    for (uint32_t i = 0; i < ADVISE_PARTS; i++) {
        if (!state->part[i].name || state->part[i].virtual_ms >= min_ms) continue;
        min_ms = state->part[i].virtual_ms;
        state->limit = state->part[i].name;
    }
}

gws_status advise_run(void *context, struct gws_runtime *runtime, const struct gws_sim_options *options,
                      struct gws_sim_result *found, struct gws_diagnostic *where)
{
    struct advise_state *state = context;
    struct advising on = {state, runtime, *options, where};
    on.options.seed = state->seed;
    gws_status status = calibrate(&on);
    if (status == GWS_OK) status = try_policies(&on);
    if (status != GWS_OK) return status;
    const struct advise_candidate base = state->candidate[state->chosen];
    const uint32_t policies = state->candidates;
    status = try_victims(&on, &base);
    if (status == GWS_OK) status = try_amounts(&on, &base);
    if (status == GWS_OK) choose_variant(state, policies);
    for (uint32_t i = 0; status == GWS_OK && i < ADVISE_PARTS; i++) status = try_part(&on, i);
    if (status != GWS_OK) return status;
    find_limit(state, options->workers);
    *found = state->candidate[state->chosen].found;
    return GWS_OK;
}

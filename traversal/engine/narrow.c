/* SPDX-License-Identifier: MIT */
/* Levels of a narrow frontier. Road networks have thousands of such levels, each of some hundreds or thousands of arcs.
 * Such a level takes less time than starting the workers and waiting for them. So one worker runs these levels alone,
 * or a team of workers stays together for a series of levels. The team has one barrier per level, at which the members
 * exchange their counts.
 *
 * The best number of workers depends on the layout of the graph in memory, on the machine and on its other users. So
 * the search measures that number, series by series, for each class of frontier (lib/hetero/autotune.h). */
#include "engine.h"

enum {
    surely_serial = 256, /* one worker runs a frontier of at most this many arcs */
    first_serial = 2048, /* the same limit until the run has had many levels */
    many_levels = 16,
    surely_shared = 16384,
    series_levels = 64,
    significant_levels = 8, /* levels in a series that make its time significant */
    max_members = 16,
};

struct level_series {
    struct engine *engine;
    uint32_t until;  /* the level of the run at which the series ends */
    uint64_t arcs;   /* max arcs of a frontier */
    uint64_t passed; /* arcs of the levels that the series has run */
};

bool gws__engine_is_narrow(const struct engine *engine)
{
    if (engine->in_bitmap || engine->size > engine_narrow || engine->degrees > engine_narrow) return false;
    if (engine->serial || engine->degrees <= first_serial) return true;
    return engine->degrees <= surely_shared && engine->levels >= many_levels;
}

static bool goes_on(const struct engine *engine, const struct level_series *series)
{
    return engine->size > 0 && engine->levels < series->until && engine->degrees <= series->arcs &&
           engine->size <= engine_narrow && !gws__engine_goes_pull(engine);
}

static void next_level(struct engine *engine, uint64_t found, uint64_t degrees)
{
    gws__engine_next_queue(engine, engine->end + found);
    engine->size = found;
    engine->degrees = degrees;
    engine->level++;
}

/* ---- one worker ---- */

static void run_serial(struct level_series *series)
{
    struct engine *engine = series->engine;
    struct gws__engine_worker *me = &engine->memory->worker[0];
    uint64_t tasks = 0;
    double began = gws_clock_ms(), level_began = began;
    do {
        struct gws_bfs_level *level = gws__engine_level_begin(engine, false);
        series->passed += engine->degrees;
        tasks += engine->size;
        uint32_t found = engine->loops->serial(engine);
        me->made += found;
        next_level(engine, found, engine->degrees);
        if (!engine->time_levels) continue;
        double now = gws_clock_ms();
        level->ms = now - level_began;
        level_began = now;
    } while (goes_on(engine, series));
    gws_parallel_add_stats(engine->runtime, 0, tasks, 0, gws_clock_ms() - began);
}

/* ---- a team ---- */

/* Returns the rank of a member's claims in the next frontier. If shares are in the order of the ranks, most vertices
 * of a member's share are the member's own claims. */
static uint32_t rank_of(uint32_t member, uint32_t members, uint64_t (*all)[gws_team_words])
{
    uint32_t rank = 0;
    for (uint32_t m = 0; m < members; m++)
        rank += all[m][2] < all[member][2] || (all[m][2] == all[member][2] && m < member);
    return rank;
}

/* Runs a member's part of a level that the whole team runs. Each member has a copy of the engine, and all copies change
 * alike. Returns the member's next rank. */
static uint32_t run_together(struct engine *engine, struct gws_team *team, uint32_t member, uint32_t rank)
{
    uint32_t members = gws_team_members(team);
    struct gws__engine_worker *me = gws__engine_worker_state(engine, member);
    uint64_t begin = engine->size * rank / members, end = engine->size * (rank + 1) / members;
    if (begin < end) engine->loops->by_entries(engine, member, begin, end);
    engine->loops->finish(engine, member, 0, 0);
    me->tasks += end - begin;
    uint64_t mine[gws_team_words] = {me->found, me->degrees, me->flushes ? me->flushed.begin : UINT64_MAX};
    uint64_t all[max_members][gws_team_words], found = 0, degrees = 0;
    gws_team_allgather(team, member, mine, all);
    for (uint32_t m = 0; m < members; m++) {
        found += all[m][0];
        degrees += all[m][1];
    }
    next_level(engine, found, degrees);
    return rank_of(member, members, all);
}

static void run_member(void *context, struct gws_team *team, uint32_t member)
{
    struct level_series *series = context;
    struct engine mine = *series->engine; /* a copy, as member 0 writes the original after a barrier */
    uint32_t rank = member;
    uint64_t passed = 0;
    do {
        double began = member == 0 && mine.time_levels ? gws_clock_ms() : 0;
        uint32_t at = mine.levels;
        if (member == 0)
            gws__engine_level_begin(&mine, false)->workers = gws_team_members(team);
        else
            gws__engine_level_count(&mine);
        passed += mine.degrees;
        rank = run_together(&mine, team, member, rank);
        if (began > 0) mine.memory->level[at].ms = gws_clock_ms() - began;
    } while (goes_on(&mine, series));
    if (member != 0) return;
    *series->engine = mine;
    series->passed = passed;
}

/* ---- the number of workers ---- */

/* Returns the rule for teams of 1, 2, 4, 8 and 16. The first series after a change of the team size does not count,
 * because that series wakes workers and fills other caches. */
static struct gws__autotune_rule rule_for(const struct engine *engine)
{
    uint32_t workers = gws_runtime_workers(engine->runtime), teams = 1;
    while (teams < gws__autotune_max && (1u << teams) <= workers && (1u << teams) <= max_members) teams++;
    return (struct gws__autotune_rule){.alternatives = teams, .hold = 2, .warm_up = 1, .retry = 32, .weight = 0.25};
}

gws_status gws__engine_run_narrow(struct engine *engine)
{
    gws_status status = gws__engine_reserve_levels(engine->memory, engine->levels, series_levels);
    if (status != GWS_OK) return status;
    if (!engine->has_entries) gws__engine_fetch_entries(engine);
    bool open = !engine->serial && engine->degrees > surely_serial && engine->levels >= many_levels;
    struct level_series series = {.engine = engine, .until = engine->levels + series_levels, .arcs = first_serial};
    if (engine->serial) series.arcs = engine_narrow;
    if (open) series.arcs = surely_shared;
    if (!engine->serial && engine->degrees <= surely_serial) series.arcs = surely_serial;
    struct gws__autotune_rule rule = rule_for(engine);
    uint64_t arcs = engine->degrees;
    uint32_t choice = open ? gws__autotune_choose(&engine->memory->team, &rule, arcs, 0) : 0, levels = engine->levels;
    double began = open ? gws_clock_ms() : 0;
    /* relaxed: the call of the team publishes the value. */
    atomic_store_explicit(&engine->memory->tail, engine->end, memory_order_relaxed);
    if (choice == 0)
        run_serial(&series);
    else
        gws_parallel_team(engine->runtime, 1u << choice, run_member, &series);
    if (open && engine->levels - levels >= significant_levels)
        gws__autotune_add(&engine->memory->team, &rule, choice, arcs,
                          (gws_clock_ms() - began) * 1e6 * (double)arcs / (double)series.passed);
    return GWS_OK;
}

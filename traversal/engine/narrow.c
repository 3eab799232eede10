/* SPDX-License-Identifier: MIT */
/* Levels of a narrow frontier, as road networks have thousands: some hundreds or thousands of arcs, less than it costs
 * to call workers and to wait for them at every level. One worker runs them alone, or a team that stays together for a
 * stretch of levels and meets at one barrier a level, where each tells the others what it found.
 *
 * How many workers are faster depends on how the graph lies in memory, on the machine, and on who else is using it, so
 * it is measured, stretch by stretch, for each class of frontier (lib/hetero/autotune.h). */
#include "engine.h"

enum {
    surely_serial = 256, /* arcs of a frontier: one worker */
    first_serial = 2048, /* until a run has shown to have many levels */
    many_levels = 16,
    surely_shared = 16384,
    stretch_levels = 64,
    telling_levels = 8, /* of a stretch, for its time to say something */
    most_members = 16,
};

struct stretch {
    struct engine *engine;
    uint32_t until;  /* the run's level at which it ends */
    uint64_t arcs;   /* most of a frontier */
    uint64_t passed; /* arcs of its levels */
};

bool gws__engine_is_narrow(const struct engine *engine)
{
    if (engine->in_bitmap || engine->size > engine_narrow || engine->degrees > engine_narrow) return false;
    if (engine->serial || engine->degrees <= first_serial) return true;
    return engine->degrees <= surely_shared && engine->levels >= many_levels;
}

static bool goes_on(const struct engine *engine, const struct stretch *stretch)
{
    return engine->size > 0 && engine->levels < stretch->until && engine->degrees <= stretch->arcs &&
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

static void run_serial(struct stretch *stretch)
{
    struct engine *engine = stretch->engine;
    struct gws__engine_worker *me = &engine->memory->worker[0];
    uint64_t tasks = 0;
    double began = gws_clock_ms(), level_began = began;
    do {
        struct gws_bfs_level *level = gws__engine_level_begin(engine, false);
        stretch->passed += engine->degrees;
        tasks += engine->size;
        uint32_t found = engine->loops->serial(engine);
        me->made += found;
        next_level(engine, found, engine->degrees);
        if (!engine->time_levels) continue;
        double now = gws_clock_ms();
        level->ms = now - level_began;
        level_began = now;
    } while (goes_on(engine, stretch));
    gws_parallel_add_stats(engine->runtime, 0, tasks, 0, gws_clock_ms() - began);
}

/* ---- a team ---- */

/* Where a member's finds lie among those of all: so the share that it takes of the next frontier is mostly its own. */
static uint32_t rank_of(uint32_t member, uint32_t members, uint64_t (*all)[gws_team_words])
{
    uint32_t rank = 0;
    for (uint32_t m = 0; m < members; m++)
        rank += all[m][2] < all[member][2] || (all[m][2] == all[member][2] && m < member);
    return rank;
}

/* A level, run by all members. Each has a copy of the engine, which all change alike. Returns the member's next rank.
 */
static uint32_t run_together(struct engine *engine, struct gws_team *team, uint32_t member, uint32_t rank)
{
    uint32_t members = gws_team_members(team);
    struct gws__engine_worker *me = gws__engine_worker_state(engine, member);
    uint64_t begin = engine->size * rank / members, end = engine->size * (rank + 1) / members;
    if (begin < end) engine->loops->by_entries(engine, member, begin, end);
    engine->loops->finish(engine, member, 0, 0);
    me->tasks += end - begin;
    uint64_t mine[gws_team_words] = {me->found, me->degrees, me->flushes ? me->flushed.begin : UINT64_MAX};
    uint64_t all[most_members][gws_team_words], found = 0, degrees = 0;
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
    struct stretch *stretch = context;
    struct engine mine = *stretch->engine; /* which member 0 writes again when all have been at a barrier */
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
    } while (goes_on(&mine, stretch));
    if (member != 0) return;
    *stretch->engine = mine;
    stretch->passed = passed;
}

/* ---- how many ---- */

/* Teams of 1, 2, 4, 8 and 16. After a change of their number the first stretch does not count: it wakes workers, and
 * brings data into other caches. */
static struct gws__autotune_rule rule_for(const struct engine *engine)
{
    uint32_t workers = gws_runtime_workers(engine->runtime), teams = 1;
    while (teams < gws__autotune_max && (1u << teams) <= workers && (1u << teams) <= most_members) teams++;
    return (struct gws__autotune_rule){.alternatives = teams, .hold = 2, .warm_up = 1, .retry = 32, .weight = 0.25};
}

gws_status gws__engine_run_narrow(struct engine *engine)
{
    gws_status status = gws__engine_reserve_levels(engine->memory, engine->levels, stretch_levels);
    if (status != GWS_OK) return status;
    if (!engine->has_entries) gws__engine_fetch_entries(engine);
    bool open = !engine->serial && engine->degrees > surely_serial && engine->levels >= many_levels;
    struct stretch stretch = {.engine = engine, .until = engine->levels + stretch_levels, .arcs = first_serial};
    if (engine->serial) stretch.arcs = engine_narrow;
    if (open) stretch.arcs = surely_shared;
    if (!engine->serial && engine->degrees <= surely_serial) stretch.arcs = surely_serial;
    struct gws__autotune_rule rule = rule_for(engine);
    uint64_t arcs = engine->degrees;
    uint32_t choice = open ? gws__autotune_choose(&engine->memory->team, &rule, arcs, 0) : 0, levels = engine->levels;
    double began = open ? gws_clock_ms() : 0;
    /* relaxed: published by the call of the team. */
    atomic_store_explicit(&engine->memory->tail, engine->end, memory_order_relaxed);
    if (choice == 0)
        run_serial(&stretch);
    else
        gws_parallel_team(engine->runtime, 1u << choice, run_member, &stretch);
    if (open && engine->levels - levels >= telling_levels)
        gws__autotune_add(&engine->memory->team, &rule, choice, arcs,
                          (gws_clock_ms() - began) * 1e6 * (double)arcs / (double)stretch.passed);
    return GWS_OK;
}

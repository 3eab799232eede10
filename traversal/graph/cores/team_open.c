/* SPDX-License-Identifier: MIT */
/* Opens and closes the team that computes coreness: chooses the hubs, and allocates the arrays. */
#include "cores_team.h"

enum { max_hubs = 1 << 15, min_hub_degree = 64, grain = 1 << 12 };

/* ---- hubs ---- */

static uint32_t class_of(uint32_t degree)
{
    return degree > 0 ? 31 - (uint32_t)__builtin_clz(degree) : 0;
}

static void count_classes(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__cores_team *team = context;
    uint64_t count[32] = {0};
    (void)worker;
    for (uint64_t v = begin; v < end; v++) count[class_of(gws__cores_at(team->cores, v))]++;
    /* relaxed, here and below: the caller reads the sums after the loop's barrier. */
    for (int c = 0; c < 32; c++)
        if (count[c] > 0) atomic_fetch_add_explicit(&team->of_class[c], count[c], memory_order_relaxed);
}

static void list_hubs(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct gws__cores_team *team = context;
    (void)worker;
    for (uint64_t v = begin; v < end; v++) {
        const uint32_t degree = gws__cores_at(team->cores, v);
        if (degree < team->min_degree) continue;
        const uint32_t at = atomic_fetch_add_explicit(&team->hub_count, 1, memory_order_relaxed);
        team->hub[at] = (struct gws__cores_hub){.vertex = (uint32_t)v, .degree = degree};
        atomic_store_explicit(&team->cores->core[v], cores_hub + 1 + at, memory_order_relaxed);
    }
}

/* Chooses the bound of the degree of hubs: the lowest power of two that gives few enough of them. */
static void choose_hubs(struct gws__cores_team *team, uint32_t members)
{
    const uint64_t vertices = team->cores->graph->vertices, few = vertices / (4 * (uint64_t)members);
    const uint64_t max = few < max_hubs ? few : max_hubs;
    uint32_t lowest = 32;
    for (; lowest > class_of(min_hub_degree) && team->hubs + team->of_class[lowest - 1] <= max; lowest--)
        team->hubs += (uint32_t)team->of_class[lowest - 1];
    team->min_degree = lowest < 32 ? UINT32_C(1) << lowest : UINT32_MAX;
}

static gws_status open_hubs(struct gws__cores_team *team, uint32_t members)
{
    struct gws_runtime *runtime = team->cores->runtime;
    const uint64_t vertices = team->cores->graph->vertices;
    gws_status status = gws_parallel_try_for(runtime, vertices, grain, count_classes, team);
    if (status == GWS_OK) choose_hubs(team, members);
    team->hub = gws_allocate(runtime, team->hubs, sizeof *team->hub);
    if (status == GWS_OK && !team->hub) status = GWS_NO_MEMORY;
    if (status == GWS_OK && team->hubs > 0) status = gws_parallel_try_for(runtime, vertices, grain, list_hubs, team);
    return status;
}

/* ---- memory ---- */

static uint64_t lost_stride(const struct gws__cores_team *team)
{
    return team->hubs + cores_line;
}

static uint64_t list_entries(const struct gws__cores_team *team, uint32_t members)
{
    return team->cores->graph->vertices + (uint64_t)members * cores_block;
}

static gws_status open_members(struct gws__cores_team *team, uint32_t members)
{
    struct gws_runtime *runtime = team->cores->runtime;
    const uint64_t vertices = team->cores->graph->vertices;
    for (int i = 0; i < 2; i++) team->frontier[i] = gws_allocate(runtime, vertices, sizeof *team->frontier[i]);
    team->member = gws_allocate(runtime, members, sizeof *team->member);
    team->lists = gws_allocate(runtime, list_entries(team, members), sizeof *team->lists);
    team->lost = gws_allocate(runtime, members * lost_stride(team), sizeof *team->lost);
    if (!team->frontier[0] || !team->frontier[1] || !team->member || !team->lists || !team->lost) return GWS_NO_MEMORY;
    for (uint32_t m = 0; m < members; m++) {
        struct gws__cores_member *me = &team->member[m];
        me->lost = team->lost + m * lost_stride(team);
        me->count = me->removed = me->key = me->spilled = 0;
    }
    return GWS_OK;
}

void gws__cores_team_close(struct gws__cores_team *team, uint32_t members)
{
    struct gws_runtime *runtime = team->cores->runtime;
    const uint64_t vertices = team->cores->graph->vertices;
    gws_release(runtime, team->hub, team->hubs, sizeof *team->hub);
    gws_release(runtime, team->lost, members * lost_stride(team), sizeof *team->lost);
    gws_release(runtime, team->lists, list_entries(team, members), sizeof *team->lists);
    gws_release(runtime, team->member, members, sizeof *team->member);
    for (int i = 0; i < 2; i++) gws_release(runtime, team->frontier[i], vertices, sizeof *team->frontier[i]);
}

gws_status gws__cores_team_open(struct gws__cores_team *team, uint32_t members)
{
    gws_status status = open_hubs(team, members);
    return status == GWS_OK ? open_members(team, members) : status;
}

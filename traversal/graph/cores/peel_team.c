/* SPDX-License-Identifier: MIT */
/* Coreness by peeling on several workers, as one team for the whole run. For k = 1, 2, ... each member scans its own
 * list of remaining vertices for those of degree k. Rounds then remove these vertices and all vertices whose degree
 * falls to k. The member that lowers a degree from k + 1 to k removes the vertex (Kabir, Madduri, 2017, PKC), in the
 * same round if its stack has room: this saves most rounds on meshes (Liu, Dong, Gu, Sun, "Parallel k-core
 * decomposition: theory and practice", SIGMOD 2025, 4.2).
 *
 * Most arcs lead to hubs, and workers would wait for each other at the counters of hubs. So the array of degrees has
 * cores_hub + i for hub i, and each member counts in an array of its own how many neighbours hub i has lost. When no
 * other vertex is left to remove, the members add up the counts of a hub, but only if its degree can have fallen to k:
 * it falls by at most one for each removed vertex. So coreness is exact, without samples.
 *
 * A round has a frontier, which the members take in chunks, and writes the next one. Slot r % 3 describes the frontier
 * of round r; a member clears the slot of the round after the next one, which nobody uses. The exchange of words after
 * each step is the barrier that orders all relaxed operations here. */
#include <string.h>

#include "cores_team.h"

enum {
    chunk = 64,        /* max vertices that a member takes from the frontier at once */
    budget = 1024,     /* vertices that a member removes behind a chunk before it leaves the rest to the next round */
    ahead = 8,         /* prefetch distance in vertices */
    ahead_in_row = 24, /* prefetch distance in arcs */
};

/* What all members know after a step. */
struct totals {
    bool cancelled;
    uint32_t smallest;
    uint64_t left, removed, key;
};

/* ---- frontiers ---- */

static void flush(struct gws__cores_team *team, struct gws__cores_member *me, uint64_t round)
{
    /* relaxed: reserves entries, which other members read after the barrier. */
    uint64_t at = atomic_fetch_add_explicit(&team->slot[(round + 1) % 3].tail, me->spilled, memory_order_relaxed);
    memcpy(team->frontier[(round + 1) % 2] + at, me->spill, me->spilled * sizeof *me->spill);
    me->spilled = 0;
}

/* Clears the slot of the round after the next one. */
static void clear_slot(struct gws__cores_team *team, uint64_t round)
{
    struct gws__cores_slot *slot = &team->slot[(round + 2) % 3];
    atomic_store_explicit(&slot->tail, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->cursor, 0, memory_order_relaxed);
}

/* Leaves a vertex to the next round. */
static inline void spill(struct gws__cores_team *team, struct gws__cores_member *me, uint64_t round, uint32_t vertex)
{
    me->spill[me->spilled++] = vertex;
    if (me->spilled == sizeof me->spill / sizeof *me->spill) flush(team, me, round);
}

/* ---- removal ---- */

/* Removes v, and adds the neighbours whose degree falls to k to the stack. Returns its new top. relaxed: exactly one
 * member lowers a degree from k + 1 to k, and it needs no data that other members have written. */
static inline uint32_t *remove_vertex(struct gws__cores_team *team, struct gws__cores_member *me, const bool simple,
                                      uint32_t k, uint64_t round, uint32_t v, uint32_t *top)
{
    const struct gws_graph *graph = team->cores->graph;
    _Atomic uint32_t *degree = team->cores->core;
    for (uint64_t a = graph->offset[v], end = graph->offset[v + (uint64_t)1]; a < end; a++) {
        const uint32_t to = graph->target[a], now = gws__cores_at(team->cores, to);
        if (a + ahead_in_row < end) __builtin_prefetch((const void *)&degree[graph->target[a + ahead_in_row]]);
        if (now <= k || !gws__cores_counts(graph, simple, v, a)) continue;
        if (now > cores_hub) {
            me->lost[now - cores_hub - 1]++;
            continue;
        }
        const uint32_t before = atomic_fetch_sub_explicit(&degree[to], 1, memory_order_relaxed);
        if (before <= k) { /* a member has removed the neighbour in the meantime */
            atomic_fetch_add_explicit(&degree[to], 1, memory_order_relaxed);
        } else if (before == k + 1) {
            if (top < me->stack + cores_capacity)
                *top++ = to;
            else
                spill(team, me, round, to);
        }
    }
    return top;
}

static inline void remove_chunk(struct gws__cores_team *team, struct gws__cores_member *me, const bool simple,
                                uint32_t k, uint64_t round, const uint32_t *vertex, uint64_t count)
{
    const struct gws_graph *graph = team->cores->graph;
    uint32_t *top = me->stack;
    uint64_t left = budget;
    for (uint64_t i = 0; i < count && i < 2 * (uint64_t)ahead; i++) __builtin_prefetch(&graph->offset[vertex[i]]);
    for (uint64_t i = 0; i < count; i++) {
        if (i + 2 * ahead < count) __builtin_prefetch(&graph->offset[vertex[i + 2 * ahead]]);
        if (i + ahead < count) __builtin_prefetch(&graph->target[graph->offset[vertex[i + ahead]]]);
        top = remove_vertex(team, me, simple, k, round, vertex[i], top);
        me->removed++;
    }
    for (; top > me->stack && left > 0; left--) {
        top = remove_vertex(team, me, simple, k, round, top[-1], top - 1);
        me->removed++;
    }
    while (top > me->stack) spill(team, me, round, *--top);
}

/* Removes a frontier. */
static void remove_frontier(struct gws__cores_team *team, struct gws__cores_member *me, uint32_t k, uint64_t round)
{
    struct gws__cores_slot *slot = &team->slot[round % 3];
    const uint32_t *frontier = team->frontier[round % 2];
    const uint64_t size = atomic_load_explicit(&slot->tail, memory_order_relaxed);
    uint64_t step = size / (4 * (uint64_t)me->members), at;
    step = step < 1 ? 1 : step > chunk ? chunk : step;
    while (!gws_cancelled(team->cores->runtime) &&
           (at = atomic_fetch_add_explicit(&slot->cursor, step, memory_order_relaxed)) < size) {
        const uint64_t count = size - at < step ? size - at : step;
        if (team->cores->simple)
            remove_chunk(team, me, true, k, round, frontier + at, count);
        else
            remove_chunk(team, me, false, k, round, frontier + at, count);
    }
    flush(team, me, round);
}

/* ---- the vertices of degree k ---- */

/* Moves vertex v of the list to the frontier, keeps it, or drops it. Returns the new length of the list. */
static inline uint64_t sift(struct gws__cores_team *team, struct gws__cores_member *me, uint32_t k, uint64_t round,
                            uint32_t v, uint64_t left)
{
    const uint32_t degree = gws__cores_at(team->cores, v);
    if (degree > cores_hub || degree < k) return left;
    if (degree == k) {
        spill(team, me, round, v);
        return left;
    }
    if (degree < me->smallest) me->smallest = degree;
    me->listed[left] = v;
    return left + 1;
}

/* Scans the list for k. The first scan makes the list of every members-th block of vertices. */
static void scan(struct gws__cores_team *team, struct gws__cores_member *me, uint32_t k, uint64_t round)
{
    const uint64_t vertices = team->cores->graph->vertices;
    const uint32_t member = (uint32_t)(me - team->member);
    uint64_t left = 0;
    me->smallest = UINT32_MAX;
    for (uint64_t i = 0; k > 1 && i < me->count; i++) left = sift(team, me, k, round, me->listed[i], left);
    for (uint64_t b = (uint64_t)member * cores_block; k == 1 && b < vertices; b += (uint64_t)me->members * cores_block)
        for (uint64_t v = b; v < b + cores_block && v < vertices; v++)
            left = sift(team, me, k, round, (uint32_t)v, left);
    me->count = left;
}

/* Adds up what a hub has lost. */
static void count_hub(struct gws__cores_team *team, const struct gws__cores_member *me, uint32_t at, uint64_t removed)
{
    struct gws__cores_hub *hub = &team->hub[at];
    for (uint32_t m = 0; m < me->members; m++) {
        hub->degree -= team->member[m].lost[at];
        team->member[m].lost[at] = 0;
    }
    hub->counted = removed;
}

/* Moves the hubs of degree k to the frontier. Each member owns every members-th line of hubs. */
static void check_hubs(struct gws__cores_team *team, struct gws__cores_member *me, uint32_t k, uint64_t round,
                       uint64_t removed)
{
    enum { together = cores_line / 4 };
    const uint32_t member = (uint32_t)(me - team->member);
    me->key = UINT64_MAX;
    for (uint64_t h = (uint64_t)member * together; h < team->hubs;
         h += h % together == together - 1 ? (uint64_t)(me->members - 1) * together + 1 : 1) {
        struct gws__cores_hub *hub = &team->hub[h];
        if (hub->degree == 0) continue;
        if (hub->degree + hub->counted <= removed + k) count_hub(team, me, (uint32_t)h, removed);
        if (hub->degree <= k) {
            hub->degree = 0;
            atomic_store_explicit(&team->cores->core[hub->vertex], k, memory_order_relaxed);
            spill(team, me, round, hub->vertex);
        } else if (hub->degree + hub->counted < me->key) {
            me->key = hub->degree + hub->counted;
        }
    }
}

/* ---- a run ---- */

/* The barrier after a step. */
static struct totals gather(struct gws__cores_team *team, struct gws_team *handle, struct gws__cores_member *me)
{
    uint64_t all[GWS__CORES_MEMBERS][gws_team_words];
    const bool cancelled = me == team->member && gws_cancelled(team->cores->runtime);
    const uint64_t mine[gws_team_words] = {me->removed << 1 | cancelled, me->count << 32 | me->smallest, me->key};
    struct totals totals = {.smallest = UINT32_MAX, .key = UINT64_MAX};
    gws_team_allgather(handle, (uint32_t)(me - team->member), mine, all);
    for (uint32_t m = 0; m < me->members; m++) {
        const uint32_t smallest = (uint32_t)all[m][1];
        totals.cancelled |= all[m][0] & 1;
        totals.removed += all[m][0] >> 1;
        totals.left += all[m][1] >> 32;
        if (smallest < totals.smallest) totals.smallest = smallest;
        if (all[m][2] < totals.key) totals.key = all[m][2];
    }
    return totals;
}

/* The entries for one of the lists of that number of members. */
static uint64_t list_capacity(const struct gws__cores_team *team, uint32_t members)
{
    return (team->cores->graph->vertices / ((uint64_t)cores_block * members) + 1) * cores_block;
}

static uint64_t frontier_size(const struct gws__cores_team *team, uint64_t round)
{
    return atomic_load_explicit(&team->slot[round % 3].tail, memory_order_relaxed);
}

/* Removes all vertices of degree k. scans: the lists have not been scanned for k. Returns the state behind the last
 * step, after which the next frontier is empty. */
static struct totals remove_degree(struct gws__cores_team *team, struct gws_team *handle, struct gws__cores_member *me,
                                   uint32_t k, bool scans, struct totals totals, uint64_t *round)
{
    if (me == team->member) clear_slot(team, *round);
    if (scans) scan(team, me, k, *round);
    if (totals.removed + k >= totals.key) check_hubs(team, me, k, *round, totals.removed);
    flush(team, me, *round);
    totals = gather(team, handle, me);
    for (++*round; frontier_size(team, *round) > 0 && !totals.cancelled; ++*round) {
        if (me == team->member) clear_slot(team, *round);
        remove_frontier(team, me, k, *round);
        totals = gather(team, handle, me);
    }
    return totals;
}

/* Returns the smallest degree that a vertex can have, if no vertex has been removed since the scan. */
static uint32_t next_degree(const struct totals *totals)
{
    const uint64_t hubs = totals->key - totals->removed;
    return hubs < totals->smallest ? (uint32_t)hubs : totals->smallest;
}

static void run_member(void *context, struct gws_team *handle, uint32_t member)
{
    struct gws__cores_team *team = context;
    struct gws__cores_member *me = &team->member[member];
    struct totals totals = {.left = 1};
    uint64_t round = 0;
    uint32_t k = 1;
    bool scans = true;
    me->members = gws_team_members(handle);
    me->listed = team->lists + member * list_capacity(team, me->members);
    memset(me->lost, 0, team->hubs * sizeof *me->lost);
    while (!totals.cancelled && (totals.left > 0 || totals.key < UINT64_MAX)) {
        const uint64_t removed = totals.removed;
        totals = remove_degree(team, handle, me, k, scans, totals, &round);
        const bool progress = totals.removed > removed;
        if (member == 0) gws_report_progress(team->cores->runtime, "peeling", k, 0);
        if (member == 0 && scans && progress) team->cores->rounds++;
        scans = !(progress && totals.removed + k >= totals.key); /* otherwise a hub may have degree k now */
        if (scans) k = progress ? k + 1 : next_degree(&totals);
    }
    if (member == 0) team->cancelled = totals.cancelled;
    gws_parallel_add_stats(team->cores->runtime, member, me->removed, 0, 0);
}

gws_status gws__cores_peel_team(struct gws__cores *cores, uint32_t workers)
{
    const uint32_t members = workers < GWS__CORES_MEMBERS ? workers : GWS__CORES_MEMBERS;
    struct gws__cores_team team = {.cores = cores};
    gws_status status = gws__cores_team_open(&team, members);
    if (status == GWS_OK) {
        gws_parallel_team(cores->runtime, members, run_member, &team);
        if (team.cancelled) status = GWS_CANCELLED;
    }
    gws__cores_team_close(&team, members);
    return status;
}

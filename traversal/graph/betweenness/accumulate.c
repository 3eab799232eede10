/* SPDX-License-Identifier: MIT */
/* The two passes of one source. The outward pass counts shortest paths. The inward pass adds up dependencies. A wide
 * level is a loop of the runtime, in which workers share long rows. One thread team runs a series of narrow levels, of
 * which road networks have thousands, with a barrier for each level. */
#include <math.h>
#include <string.h>

#include "pass.h"

enum {
    narrow = 16384, /* max vertices of a level that a team runs */
    max_members = 16,
    member_cost = 16, /* cost that a member adds to a barrier, as a number of vertices */
    many_levels = 64,
    arcs_per_chunk = 4096,
    chunks_per_worker = 8,
};

/* ---- wide levels ---- */

static void run_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    gws__bc_pass_vertices(context, begin, end);
}

static void run_pieces(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct gws__bc_pass *pass = context;
    for (uint64_t i = begin; i < end; i++) {
        struct gws__bc_piece *piece = &pass->bc->scratch->piece[i];
        piece->sum = gws__bc_pass_sum(pass, piece->vertex, piece->begin, piece->end);
    }
}

/* Lists the parts of the level's long rows. Parts of one row are adjacent in the list. */
static uint64_t list_pieces(const struct gws__bc_pass *pass)
{
    const struct gws__betweenness_scratch *scratch = pass->bc->scratch;
    uint64_t count = 0;
    for (uint64_t i = 0; i < pass->heavy->count; i++) {
        uint32_t vertex = pass->heavy->vertex[i];
        if (scratch->bfs.depth[vertex] != pass->level) continue;
        uint64_t end = pass->rows->offset[vertex + (uint64_t)1];
        for (uint64_t arc = pass->rows->offset[vertex]; arc < end; arc += gws__bc_piece)
            scratch->piece[count++] = (struct gws__bc_piece){
                .vertex = vertex, .begin = arc, .end = end - arc < gws__bc_piece ? end : arc + gws__bc_piece};
    }
    return count;
}

static gws_status run_long_rows(struct gws__bc_pass *pass)
{
    uint64_t count = list_pieces(pass);
    const struct gws__bc_piece *piece = pass->bc->scratch->piece;
    struct gws_loop loop = {.count = count, .chunk = 1, .body = run_pieces, .context = pass, .uncounted = true};
    gws_status status = gws_parallel_try(pass->bc->runtime, &loop);
    for (uint64_t i = 0, next; i < count && status == GWS_OK; i = next) {
        struct gws__bc_sum sum = piece[i].sum;
        for (next = i + 1; next < count && piece[next].vertex == piece[i].vertex; next++)
            sum = gws__bc_sum_add(sum, piece[next].sum, pass->backward);
        gws__bc_pass_finish(pass, piece[i].vertex, sum);
    }
    return status;
}

static gws_status run_wide(struct gws__bc_pass *pass)
{
    const struct gws_graph *graph = pass->bc->graph;
    uint64_t count = gws__bc_level_size(pass->bc->scratch, pass->level), degree = graph->arcs / graph->vertices + 1;
    uint64_t chunk = count / (chunks_per_worker * gws_runtime_workers(pass->bc->runtime)) + 1;
    if (chunk > arcs_per_chunk / degree) chunk = arcs_per_chunk / degree + 1;
    struct gws_loop loop = {.count = count, .chunk = (uint32_t)chunk, .body = run_vertices, .context = pass};
    gws_status status = gws_parallel_try(pass->bc->runtime, &loop);
    return status == GWS_OK && gws__bc_pass_is_heavy(pass) ? run_long_rows(pass) : status;
}

/* ---- series of narrow levels ---- */

struct pass_series {
    struct gws__bc *bc;
    uint32_t first, count; /* levels: first, first + 1 ..; backward: first, first - 1 .. */
    bool backward;
};

static uint32_t level_at(const struct pass_series *series, uint32_t i)
{
    return series->backward ? series->first - i : series->first + i;
}

/* Runs a member's range of each level. The vertices are in ascending order, so on a mesh the range lies near the
 * member's range of the level before. After each level member 0 asks whether the call is cancelled, and its answer
 * decides for all. */
static void run_member(void *context, struct gws_team *team, uint32_t member)
{
    const struct pass_series *series = context;
    uint64_t all[max_members][gws_team_words], members = gws_team_members(team), tasks = 0;
    bool cancelled = false;
    for (uint32_t i = 0; i < series->count && !cancelled; i++) {
        struct gws__bc_pass pass = gws__bc_pass_of(series->bc, level_at(series, i), series->backward);
        uint64_t size = gws__bc_level_size(series->bc->scratch, pass.level);
        uint64_t begin = size * member / members, end = size * (member + 1) / members;
        gws__bc_pass_vertices(&pass, begin, end);
        tasks += end - begin;
        const uint64_t mine[gws_team_words] = {member == 0 && gws_cancelled(series->bc->runtime)};
        if (members > 1) gws_team_allgather(team, member, mine, all);
        cancelled = members > 1 ? all[0][0] : mine[0];
    }
    gws_parallel_add_stats(series->bc->runtime, member, tasks, 0, 0);
}

static bool is_narrow(struct gws__bc *bc, uint32_t level, bool backward)
{
    struct gws__bc_pass pass = gws__bc_pass_of(bc, level, backward);
    return bc->levels > many_levels && gws__bc_level_size(bc->scratch, level) <= narrow &&
           !gws__bc_pass_is_heavy(&pass);
}

/* Runs a series. A level of n vertices takes n / members + member_cost * members. The function runs the number of
 * members that minimises this cost. */
static gws_status run_series(struct pass_series *series)
{
    const struct gws__bc_level *level = series->bc->scratch->level;
    uint32_t last = level_at(series, series->count - 1);
    uint64_t vertices = series->backward ? level[series->first + 1].begin - level[last].begin
                                         : level[last + 1].begin - level[series->first].begin;
    uint32_t members = (uint32_t)sqrt((double)vertices / series->count / member_cost);
    gws_parallel_team(series->bc->runtime, members < max_members ? members : max_members, run_member, series);
    return gws_cancelled(series->bc->runtime) ? GWS_CANCELLED : GWS_OK;
}

/* Runs count levels, starting at first. */
static gws_status run_levels(struct gws__bc *bc, uint32_t first, uint32_t count, bool backward)
{
    struct pass_series all = {bc, first, count, backward};
    gws_status status = GWS_OK;
    for (uint32_t i = 0, next; i < count && status == GWS_OK; i = next) {
        struct pass_series series = {bc, level_at(&all, i), 0, backward};
        for (next = i; next < count && is_narrow(bc, level_at(&all, next), backward); next++) continue;
        series.count = next - i;
        if (series.count > 0) {
            status = run_series(&series);
        } else {
            struct gws__bc_pass pass = gws__bc_pass_of(bc, level_at(&all, next++), backward);
            status = run_wide(&pass);
        }
    }
    return status;
}

/* ---- a source ---- */

/* Computes depths 0 and 1. The source's row has few arcs compared with the rows of its neighbours, so the source
 * pushes. */
static void start(struct gws__bc *bc, uint32_t source)
{
    struct gws__betweenness_scratch *scratch = bc->scratch;
    uint64_t end = scratch->level[bc->levels > 1 ? 2 : 1].begin;
    for (uint64_t i = 0; i < end; i++) {
        scratch->value[bc->order[i]] = 0;
        if (scratch->scale) scratch->scale[bc->order[i]] = 0;
    }
    for (uint64_t arc = bc->graph->offset[source]; arc < bc->graph->offset[source + (uint64_t)1]; arc++)
        scratch->value[bc->graph->target[arc]]++;
    scratch->value[source] = 1;
}

static gws_status count_paths(struct gws__bc *bc, uint32_t source)
{
    atomic_store(&bc->overflow, false);
    start(bc, source);
    return bc->levels > 2 ? run_levels(bc, 2, bc->levels - 2, false) : GWS_OK;
}

gws_status gws__bc_add_source(struct gws__bc *bc, uint32_t source)
{
    struct gws__betweenness_scratch *scratch = bc->scratch;
    gws_status status = gws_bfs(bc->runtime, bc->graph, source, NULL, &scratch->bfs);
    if (status == GWS_OK) status = gws__bc_sort(bc);
    if (status == GWS_OK) status = count_paths(bc, source);
    if (status == GWS_OK && bc->overflow && !scratch->scale) {
        scratch->scale = gws__bc_array_of(scratch, GWS__BC_SCALE, bc->graph->vertices, sizeof *scratch->scale);
        if (!scratch->scale) return GWS_NO_MEMORY;
        status = count_paths(bc, source);
    }
    if (status != GWS_OK) return status;
    if (bc->overflow) return GWS_TOO_LARGE;
    uint32_t last = bc->levels - 1, until = bc->arc ? 0 : 1;
    if (last >= until) status = run_levels(bc, last, last - until + 1, true);
    if (status != GWS_OK) return status;
    bc->reached += scratch->bfs.reached;
    if (bc->levels > bc->max_levels) bc->max_levels = bc->levels;
    return GWS_OK;
}

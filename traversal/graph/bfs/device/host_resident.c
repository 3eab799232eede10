/* SPDX-License-Identifier: MIT */
/* The loop over levels of a breadth-first search on a host-resident graph by CPU workers and a device
 * (host_resident.h).
 *
 * The CPU alone runs levels whose frontier has few arcs, as gws_bfs() does. A large level is a range that both sides
 * process from opposite ends. Both sides then merge the vertices that they found. After the merge both sides have the
 * same frontier, so the next large level can begin at once. After levels that the CPU ran alone, the device first
 * copies two bitmaps, the frontier and the visited vertices, over the bus. Without CPU workers, the device runs all
 * levels. All levels of a mesh are small, so the CPU may search a mesh by regions. */
#include <string.h>

#define GWS_HOST_WORKER
#include "../../../../kernels/portability/host.h"

#include "../../../../kernels/engine/direction.h"
#include "../../../../lib/poison.h"
#include "host_resident.h"

/* A graph with this many times the arcs of a large level has at least one large level. The host then launches the
 * kernel at once, because the start takes most of a millisecond. */
enum { early_levels = 64 };

/* ---- a level on both sides ---- */

/* Advances the engine to the merged frontier. The device has merged its own bitmaps and summed the degrees. */
static void advance(struct gws__host_resident *state)
{
    struct engine *engine = &state->bfs.engine;
    uint64_t degrees = gws__protocol_reply_word(&state->range.protocol, state->range.merged, REPLY_DEGREES);
    engine->size = atomic_load_explicit(&state->found, memory_order_relaxed); /* relaxed: the loop has ended */
    engine->degrees = degrees - state->degrees;
    engine->in_bitmap = state->known = true;
    engine->has_parts = engine->has_entries = engine->wide = false;
    engine->level++;
    state->degrees = degrees;
}

static gws_status run_jointly(struct gws__host_resident *state, struct gws_diagnostic *where)
{
    struct engine *engine = &state->bfs.engine;
    gws_status status = gws__engine_reserve_levels(engine->memory, engine->levels, 1);
    if (status != GWS_OK) return status;
    struct gws_bfs_level *level = gws__engine_level_begin(engine, state->bottom_up);
    level->workers = state->search->options.groups;
    if (!state->range.device_only) level->workers += gws_runtime_workers(engine->runtime);
    if (!engine->in_bitmap) gws__engine_front_to_bitmap(engine);
    if (!state->known) gws__host_resident_publish(state);
    const struct gws__range_work work = {.kind = state->bottom_up ? ORDER_BOTTOM_UP : ORDER_TOP_DOWN,
                                         .payload = {engine->level, state->side ^ 1, !state->known},
                                         .merge_payload = {engine->level, state->side},
                                         .run_range = gws__host_resident_run_range,
                                         .merge = gws__host_resident_merge,
                                         .context = state};
    engine->wide = true;
    status = gws__range_run(&state->range, &work, where);
    if (status != GWS_OK) return status;
    advance(state);
    return GWS_OK;
}

/* ---- side and direction of a level ---- */

/* Returns the number of vertices that this level or a later level may still find. */
static uint64_t remaining_vertices(const struct gws__host_resident *state)
{
    uint64_t all = state->vertices - state->isolated_count, known = state->bfs.engine.reached + state->bfs.engine.size;
    return known < all ? all - known : 0; /* the source itself may be isolated */
}

/* Returns the estimated direction of this level for the workers, or for both sides if `device` is true. The decision
 * does not depend on the previous level, because frontier and visited vertices are bitmaps in both directions. */
static bool goes_bottom_up(const struct gws__host_resident *state, bool device)
{
    const struct engine *engine = &state->bfs.engine;
    struct gws__row_level level = {engine->size, engine->degrees, remaining_vertices(state),
                                   engine->unexplored - engine->degrees};
    uint32_t first = device ? 0 : 1, end = device && state->range.device_only ? 1 : 2;
    double push, pull;
    if (engine->direction != GWS__EITHER || !engine->in) return gws__engine_goes_pull(engine);
    gws__row_shared_ns(state->cost + first, end - first, &level, &push, &pull);
    const struct direction_rule rule = {DIRECTION_THREADS};
    const struct direction_view view = {.push_cost = (float)push, .pull_cost = (float)pull};
    return direction_pulls(&rule, &view);
}

/* Returns true if the level is large, by an estimate of the arcs to examine. Most vertices of a bottom-up level find a
 * parent soon. For a top-down level, both sides together need a frontier of more vertices than there are workers,
 * because the sides cannot share a row. CPU workers alone can share the rows of a few hubs. */
static bool is_large(const struct gws__host_resident *state)
{
    uint64_t arcs = state->bottom_up ? 4 * remaining_vertices(state) : state->bfs.engine.degrees;
    bool shared = state->bottom_up || state->bfs.engine.size >= state->min_size;
    return shared && arcs >= state->search->options.threshold && remaining_vertices(state) > 0;
}

/* Records a level that cannot find any vertex. */
static gws_status skip_level(struct engine *engine)
{
    gws_status status = gws__engine_reserve_levels(engine->memory, engine->levels, 1);
    if (status != GWS_OK) return status;
    (void)gws__engine_level_begin(engine, false);
    engine->size = 0;
    return GWS_OK;
}

static gws_status run_on_cpu(struct gws__host_resident *state)
{
    struct engine *engine = &state->bfs.engine;
    if (remaining_vertices(state) == 0) return skip_level(engine);
    bool bottom_up = engine->in_bitmap ? goes_bottom_up(state, false) : gws__engine_goes_pull(engine);
    if (!bottom_up && gws__engine_is_narrow(engine)) return gws__engine_run_narrow(engine);
    return gws__engine_run_shared(engine, bottom_up);
}

static gws_status run_levels(struct gws__host_resident *state, struct gws_diagnostic *where)
{
    bool early = state->bfs.engine.graph->arcs / early_levels >= state->search->options.threshold;
    gws_status status = early ? gws__protocol_start(&state->range.protocol, where) : GWS_OK;
    while (status == GWS_OK && state->bfs.engine.size) {
        state->bottom_up = goes_bottom_up(state, true);
        bool jointly = is_large(state);
        status = jointly ? run_jointly(state, where) : run_on_cpu(state);
        if (!jointly) state->known = false;
    }
    return status;
}

/* ---- a search ---- */

static void begin_at(struct gws__host_resident *state, uint32_t source)
{
    struct gws_bfs_device *search = state->search;
    struct engine *engine = &state->bfs.engine;
    *engine = (struct engine){.runtime = search->runtime, .graph = search->graph, .in = search->in, .exact = true};
    engine->direction = (enum gws__direction)search->options.direction;
    gws__bfs_bind(&state->bfs, search->result);
    gws__host_resident_clear(state);
    engine->data[0] = state->depth;
    engine->data[1] = state->parent;
    engine->visited = state->host[resident_host_a];
    gws__engine_start(engine, source);
    engine->data[0][source] = 0;
    engine->data[1][source] = source;
    state->known = false;
    state->degrees = 0;
    gws__range_reset(&state->range);
}

static gws_status run(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__host_resident *state = search->own;
    struct gws_bfs_result *result = search->result;
    gws_status status = gws__protocol_end(&state->range.protocol,
                                          where); /* the kernel of a failed search may still write to the arrays */
    if (status != GWS_OK) return status;
    double began = gws_clock_ms();
    begin_at(state, result->source);
    bool by_regions = gws__bfs_use_regions(&state->bfs);
    status = by_regions ? gws__bfs_by_regions(&state->bfs) : run_levels(state, where);
    if (status == GWS_OK) status = gws__protocol_end(&state->range.protocol, where);
    if (status != GWS_OK) return status;
    gws__bfs_finish(&state->bfs);
    result->ms = gws_clock_ms() - began;
    gws__bfs_add_cost(&state->bfs, by_regions);
    return GWS_OK;
}

/* ---- fetching ---- */

static bool has(const uint64_t *bitmap, uint64_t vertex)
{
    return bitmap[vertex >> 6] >> (vertex & 63) & 1;
}

static void fetch_vertices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    const struct gws__host_resident *state = context;
    const struct gws_bfs_result *result = state->search->result;
    for (uint64_t v = begin; v < end; v++) {
        if (!has(state->depth_on_device, v)) result->depth[v] = state->depth[v];
        if (!has(state->found_by_device, v)) result->parent[v] = state->parent[v];
    }
}

static void set_stats(uint64_t *words, uint64_t ran, uint64_t stolen, uint32_t from, uint64_t steals, uint64_t given)
{
    memset(words, 0, STATS_STRIDE * sizeof *words);
    words[STATS_RUN] = ran;
    words[from] = stolen;
    words[STATS_STEALS] = steals;
    words[STATS_ASSIGNED] = given;
}

static void fetch_stats(const struct gws__host_resident *state)
{
    const struct gws__range *range = &state->range;
    struct gws_bfs_device *search = state->search;
    uint64_t *words = search->ran, chunk = search->options.chunk, groups = range->groups;
    for (uint64_t g = 0; g < groups; g++, words += STATS_STRIDE) {
        const uint64_t *group = range->group + g * RANGE_STATS;
        set_stats(words, group[RANGE_STATS_RAN] * chunk, group[RANGE_STATS_STOLEN] * chunk, STATS_STOLEN_FROM_CPU,
                  group[RANGE_STATS_STOLEN], range->stats.device_given * chunk / groups);
    }
    for (uint64_t w = 0; w < search->workers - groups; w++, words += STATS_STRIDE) {
        const struct gws__range_worker *worker = &range->worker[w];
        set_stats(words, worker->ran * chunk, worker->stolen * chunk, STATS_STOLEN_FROM_DEVICE, worker->stolen,
                  range->stats.cpu_given * chunk / (search->workers - groups));
    }
}

/* Fetches the result. A vertex without arcs has a depth only if it is the source. */
static gws_status fetch(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__host_resident *state = search->own;
    struct gws_bfs_result *result = search->result;
    uint64_t bytes = result->vertices * 4;
    gws_status status = GWS_OK;
    if (state->range.stats.ranges > 0)
        status = gws_device_read(state->buffer[resident_parent], 0, result->parent, bytes, where);
    if (state->range.stats.ranges > 0 && status == GWS_OK)
        status = gws_device_read(state->buffer[resident_depth], 0, result->depth, bytes, where);
    if (status != GWS_OK) return status;
    gws__engine_uncounted(search->runtime, result->vertices, 65536, fetch_vertices, state);
    if (has(state->isolated, result->source))
        state->depth[result->source] = state->parent[result->source] = GWS_NO_VERTEX;
    fetch_stats(state);
    return GWS_OK;
}

/* ---- arcs cached on the device ---- */

static void add_cached(const struct gws__split_rows *rows, struct gws_bfs_device_cached *cached)
{
    if (!rows->graph) return;
    cached->rows += atomic_load_explicit(&rows->touched, memory_order_relaxed); /* relaxed: the writers have finished */
    cached->whole_rows += atomic_load_explicit(&rows->whole, memory_order_relaxed);
    cached->arcs += rows->base[rows->blocks * gws__row_parts + gws__row_on_device];
    cached->all_arcs += rows->graph->arcs;
    cached->bound_bytes += gws__split_rows_bound_bytes(rows->graph);
}

bool gws_bfs_device_cached(const struct gws_bfs_device *search, struct gws_bfs_device_cached *cached)
{
    if (search->strategy != &gws__bfs_device_from_host) return gws__bfs_mesh_host_cached(search, cached);
    const struct gws__host_resident *state = search->own;
    *cached = (struct gws_bfs_device_cached){0};
    add_cached(&state->rows, cached);
    add_cached(&state->in_rows, cached);
    cached->bytes = cached->arcs * sizeof(uint32_t);
    return true;
}

/* Overwrites the last result. Vertices without arcs keep their depth and parent on the host from search to search. */
static gws_status poison(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__host_resident *state = search->own;
    for (uint64_t v = 0; v < search->graph->vertices; v++)
        if (!has(state->isolated, v)) state->depth[v] = state->parent[v] = GWS_POISON;
    gws_status status = gws_buffer_poison(state->buffer[resident_parent], GWS_POISON, where);
    return status == GWS_OK ? gws_buffer_poison(state->buffer[resident_depth], GWS_POISON, where) : status;
}

const struct gws__bfs_strategy gws__bfs_device_from_host = {
    .form = GWS_BFS_FORM_HOST_RESIDENT,
    .open = gws__host_resident_open,
    .close = gws__host_resident_close,
    .run = run,
    .fetch = fetch,
    .poison = poison,
};

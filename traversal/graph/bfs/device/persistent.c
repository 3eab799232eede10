/* SPDX-License-Identifier: MIT */
/* The device alone, by one kernel that runs a search from its first level to its last (struct gws__bfs_persistent): a
 * launch, what it tells at its end, and the result. */
#include "../../../../lib/poison.h"
#include "state.h"

/* ---- results ---- */

gws_status gws__bfs_results_new(struct gws_bfs_device *search, uint32_t searches, struct gws_where *where)
{
    uint64_t all = search->graph->vertices * searches;
    struct gws__bfs_results *results = &search->results;
    /* Levels that the host runs after a handoff are read, too, whether they were written or not; and sources where the
     * search goes on from the host. */
    const struct gws__bfs_need need[] = {
        {.buffer = &search->array[gws__bfs_depth], .bytes = all * 4},
        {.buffer = &search->array[gws__bfs_parent], .bytes = all * 4},
        {.buffer = &results->level, .bytes = all * search->kernel->level_bytes, .clear = true},
        {.buffer = &results->source, .bytes = searches * 4ull, .clear = true},
        {.buffer = &results->told, .bytes = searches * sizeof search->told}};
    const size_t there = search->array[gws__bfs_depth] ? 2 : 0;
    *results = (struct gws__bfs_results){.searches = searches};
    return gws__bfs_device_buffers(search, need + there, sizeof need / sizeof *need - there, where);
}

void gws__bfs_results_free(struct gws_bfs_device *search)
{
    gws_device_buffer_free(search->results.level);
    gws_device_buffer_free(search->results.source);
    gws_device_buffer_free(search->results.told);
    search->results = (struct gws__bfs_results){.searches = 0};
}

static gws_status read_levels(struct gws_bfs_device *search, uint32_t index, char *record, struct gws_where *where)
{
    const struct gws__bfs_persistent *kernel = search->kernel;
    uint64_t bytes = kernel->level_bytes, count = search->told.levels;
    gws_status status =
        gws_device_read(search->results.level, index * search->graph->vertices * bytes, record, count * bytes, where);
    for (uint64_t i = 0; i < count && status == GWS_OK; i++)
        status = gws__bfs_device_level(search, kernel->level(search, record + i * bytes), where);
    return status == GWS_OK && kernel->trace && !search->results.from ? kernel->trace(search, record, where) : status;
}

static gws_status fetch_levels(struct gws_bfs_device *search, uint32_t index, struct gws_where *where)
{
    uint64_t count = search->told.levels + (uint64_t)1, bytes = search->kernel->level_bytes;
    char *record = gws_allocate(search->runtime, count, bytes);
    if (!record) return gws__bfs_device_no_memory(where);
    gws_status status = read_levels(search, index, record, where);
    gws_release(search->runtime, record, count, bytes);
    return status;
}

gws_status gws__bfs_persistent_hear(struct gws_bfs_device *search, uint32_t index, struct gws_where *where)
{
    return gws_device_read(search->results.told, index * sizeof search->told, &search->told, sizeof search->told,
                           where);
}

gws_status gws__bfs_persistent_fetch_result(struct gws_bfs_device *search, uint32_t index, struct gws_where *where)
{
    struct gws_bfs_result *result = search->result;
    uint64_t bytes = search->graph->vertices * 4;
    result->reached = search->told.reached;
    gws_status status = fetch_levels(search, index, where);
    if (search->way->on_device && !search->results.from) return status; /* the arrays stay there */
    if (status == GWS_OK)
        status = gws_device_read(search->array[gws__bfs_depth], index * bytes, result->depth, bytes, where);
    if (status == GWS_OK)
        status = gws_device_read(search->array[gws__bfs_parent], index * bytes, result->parent, bytes, where);
    if (status == GWS_OK) result->reached_arcs = gws__bfs_device_reached_arcs(search);
    return status;
}

gws_status gws__bfs_persistent_fetch_stats(struct gws_bfs_device *search, struct gws_where *where)
{
    for (uint64_t i = 0; i < (uint64_t)search->workers * bfs_stats_words; i++) search->ran[i] = 0;
    return search->kernel->fetch_stats(search, where);
}

/* ---- the way ---- */

gws_status gws__bfs_persistent_open(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = search->kernel->open(search, where);
    return status == GWS_OK ? gws__bfs_results_new(search, 1, where) : status;
}

void gws__bfs_persistent_close(struct gws_bfs_device *search)
{
    search->kernel->close(search);
    gws__bfs_results_free(search);
    gws__bfs_device_free(search);
}

/* If that fails, the search has nothing left to run with, and says so from then on. */
gws_status gws__bfs_persistent_reconsider(struct gws_bfs_device *search, bool *changed, struct gws_where *where)
{
    *changed = false;
    if (!search->program)
        return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "the graph could not be put on the device again");
    if (search->kernel != &gws__bfs_mesh || !gws__bfs_mesh_is_wide(search)) return GWS_OK;
    *changed = true;
    gws__bfs_persistent_close(search);
    search->kernel = &gws__bfs_whole;
    search->told = (struct gws__bfs_told){0};
    gws_status status = gws__bfs_persistent_open(search, where);
    if (status != GWS_OK) gws__bfs_persistent_close(search);
    return status;
}

gws_status gws__bfs_persistent_launch(struct gws_bfs_device *search, struct gws_where *where)
{
    double began = gws_clock_ms();
    search->results.began_ns = gws_trace_now(search->runtime);
    gws_status status = search->kernel->launch(search, where);
    if (status == GWS_OK) status = gws_device_wait(search->device, where);
    search->results.ms = gws_clock_ms() - began;
    return status;
}

gws_status gws__bfs_persistent_run(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = gws__bfs_persistent_launch(search, where);
    search->result->ms = search->results.ms;
    return status == GWS_OK ? gws__bfs_persistent_hear(search, 0, where) : status;
}

static gws_status run_whole(struct gws_bfs_device *search, struct gws_where *where)
{
    bool changed;
    gws_status status = gws__bfs_persistent_reconsider(search, &changed, where);
    return status == GWS_OK ? gws__bfs_persistent_run(search, where) : status;
}

gws_status gws__bfs_persistent_fetch(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = gws__bfs_persistent_fetch_result(search, 0, where);
    return status == GWS_OK ? gws__bfs_persistent_fetch_stats(search, where) : status;
}

/* Words that the host counts by become 0. A search that could not be put on the device again has nothing there. */
gws_status gws__bfs_persistent_poison(struct gws_bfs_device *search, struct gws_where *where)
{
    if (!search->program) return GWS_OK;
    gws_status status = gws__bfs_device_poison_arrays(search, where);
    if (status == GWS_OK) status = gws_buffer_poison(search->results.level, 0, where);
    return status == GWS_OK ? gws_buffer_poison(search->results.told, 0, where) : status;
}

const struct gws__bfs_way gws__bfs_device_whole = {
    .form = GWS_BFS_FORM_DEVICE,
    .on_device = true,
    .open = gws__bfs_persistent_open,
    .close = gws__bfs_persistent_close,
    .run = run_whole,
    .fetch = gws__bfs_persistent_fetch,
    .poison = gws__bfs_persistent_poison,
};

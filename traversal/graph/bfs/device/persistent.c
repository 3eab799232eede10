/* SPDX-License-Identifier: MIT */
/* Searches on the device alone by one kernel that runs from the first level to the last (struct gws__bfs_persistent).
 * This file has the launch, its summary, and the result. For many sources, one launch runs a batch of searches.
 * Searches of a mesh run side by side, each in its own cluster. Searches of any other graph run one after the other.
 * The results of a batch lie consecutively on the device. The host passes one result at a time to the visitor. */
#include "state.h"

enum { max_batch = 64 };

/* ---- results ---- */

static gws_status results_new(struct gws_bfs_device *search, uint32_t searches, struct gws_diagnostic *where)
{
    uint64_t all = search->graph->vertices * searches;
    struct gws__bfs_results *results = &search->results;
    /* The buffers start cleared, because the host reads some words that no kernel writes. These are the records of
     * levels that the host ran after a handoff, the source of a search that the host resumes, and the part of a summary
     * that only meshes have. */
    const struct gws__bfs_need need[] = {
        {.buffer = &search->array[gws__bfs_depth], .bytes = all * 4},
        {.buffer = &search->array[gws__bfs_parent], .bytes = all * 4},
        {.buffer = &results->level, .bytes = all * search->kernel->level_bytes, .clear = true},
        {.buffer = &results->source, .bytes = searches * 4ull, .clear = true},
        {.buffer = &results->summary, .bytes = searches * sizeof search->summary, .clear = true}};
    const size_t present = search->array[gws__bfs_depth] ? 2 : 0;
    *results = (struct gws__bfs_results){.searches = searches};
    gws_status status = gws__bfs_device_buffers(search, need + present, sizeof need / sizeof *need - present, where);
    return status == GWS_OK && search->kernel->open_results ? search->kernel->open_results(search, where) : status;
}

static void results_free(struct gws_bfs_device *search)
{
    gws_device_buffer_free(search->results.level);
    gws_device_buffer_free(search->results.source);
    gws_device_buffer_free(search->results.summary);
    for (int i = 0; i < 3; i++) gws_device_buffer_free(search->results.own[i]);
    search->results = (struct gws__bfs_results){.searches = 0};
}

static gws_status read_levels(struct gws_bfs_device *search, uint32_t index, char *record, struct gws_diagnostic *where)
{
    const struct gws__bfs_persistent *kernel = search->kernel;
    uint64_t bytes = kernel->level_bytes, count = search->summary.levels;
    gws_status status =
        gws_device_read(search->results.level, index * search->graph->vertices * bytes, record, count * bytes, where);
    for (uint64_t i = 0; i < count && status == GWS_OK; i++)
        status = gws__bfs_level_add(search->result, kernel->level(search, record + i * bytes), where);
    return status;
}

static gws_status fetch_levels(struct gws_bfs_device *search, uint32_t index, struct gws_diagnostic *where)
{
    uint64_t count = search->summary.levels + (uint64_t)1, bytes = search->kernel->level_bytes;
    char *record = gws_allocate(search->runtime, count, bytes);
    if (!record) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_status status = read_levels(search, index, record, where);
    gws_release(search->runtime, record, count, bytes);
    return status;
}

gws_status gws__bfs_persistent_read_summary(struct gws_bfs_device *search, uint32_t index, struct gws_diagnostic *where)
{
    return gws_device_read(search->results.summary, index * sizeof search->summary, &search->summary,
                           sizeof search->summary, where);
}

static gws_status fetch_result(struct gws_bfs_device *search, uint32_t index, struct gws_diagnostic *where)
{
    struct gws_bfs_result *result = search->result;
    uint64_t bytes = search->graph->vertices * 4;
    result->reached = search->summary.reached;
    gws_status status = fetch_levels(search, index, where);
    if (search->strategy->on_device && !search->results.from) return status; /* depth and parent stay on the device */
    if (status == GWS_OK)
        status = gws_device_read(search->array[gws__bfs_depth], index * bytes, result->depth, bytes, where);
    if (status == GWS_OK)
        status = gws_device_read(search->array[gws__bfs_parent], index * bytes, result->parent, bytes, where);
    if (status == GWS_OK) result->reached_arcs = gws__bfs_device_reached_arcs(search);
    return status;
}

static gws_status fetch_stats(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    for (uint64_t i = 0; i < (uint64_t)search->workers * STATS_STRIDE; i++) search->ran[i] = 0;
    return search->kernel->fetch_stats(search, where);
}

/* ---- the strategy ---- */

gws_status gws__bfs_persistent_open(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    gws_status status = search->kernel->open(search, where);
    return status == GWS_OK ? results_new(search, 1, where) : status;
}

void gws__bfs_persistent_close(struct gws_bfs_device *search)
{
    search->kernel->close(search);
    results_free(search);
    gws__bfs_device_free(search);
}

/* Changes the kernel or the strategy after a mesh was too wide. If opening fails, the search has no program, and every
 * later search fails with an error. */
gws_status gws__bfs_persistent_reconsider(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    if (!search->program)
        return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "an earlier change to another kernel failed");
    if (search->kernel != &gws__bfs_mesh || !gws__bfs_mesh_is_wide(search)) return GWS_OK;
    const bool at_host = search->strategy == &gws__bfs_device_mesh_at_host;
    gws__bfs_persistent_close(search);
    search->summary = (struct gws__bfs_summary){0};
    if (at_host)
        search->options.strategy = GWS_BFS_STRATEGY_AUTO;
    else
        search->kernel = &gws__bfs_whole;
    gws_status status = (at_host ? gws__bfs_device_from_host.open : gws__bfs_persistent_open)(search, where);
    if (status != GWS_OK) (at_host ? gws__bfs_device_from_host.close : gws__bfs_persistent_close)(search);
    if (status != GWS_OK || !at_host) return status;
    search->strategy = &gws__bfs_device_from_host;
    search->kernel = NULL;
    return GWS_OK;
}

gws_status gws__bfs_persistent_launch(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    double began = gws_clock_ms();
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a strategy without a kernel does not launch one */
    gws_status status = search->kernel->launch(search, where);
    if (status == GWS_OK) status = gws_device_wait(search->device, where);
    search->results.ms = gws_clock_ms() - began;
    return status;
}

gws_status gws__bfs_persistent_run(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    gws_status status = gws__bfs_persistent_launch(search, where);
    search->result->ms = search->results.ms;
    return status == GWS_OK ? gws__bfs_persistent_read_summary(search, 0, where) : status;
}

static gws_status run_whole(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    gws_status status = gws__bfs_persistent_reconsider(search, where);
    return status == GWS_OK ? gws__bfs_persistent_run(search, where) : status;
}

gws_status gws__bfs_persistent_fetch(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    gws_status status = fetch_result(search, 0, where);
    return status == GWS_OK ? fetch_stats(search, where) : status;
}

const struct gws__bfs_strategy gws__bfs_device_whole = {
    .form = GWS_BFS_FORM_DEVICE,
    .on_device = true,
    .open = gws__bfs_persistent_open,
    .close = gws__bfs_persistent_close,
    .run = run_whole,
    .fetch = gws__bfs_persistent_fetch,
};

/* ---- many sources ---- */

static gws_status one_by_one(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                             gws_bfs_visit *visit, void *context, struct gws_diagnostic *where)
{
    struct gws_bfs_result result = {0};
    gws_status status = GWS_OK;
    for (uint64_t i = 0; i < count && status == GWS_OK; i++) {
        gws_bfs_result_poison(search->poisons ? &result : NULL);
        if (search->poisons) status = gws_bfs_device_poison(search, where);
        if (status == GWS_OK) status = gws_bfs_device_run(search, source[i], &result, where);
        if (status == GWS_OK) status = gws_bfs_device_fetch(search, GWS_BFS_DEPTH | GWS_BFS_PARENT, &result, where);
        if (status == GWS_OK) status = visit(context, i, &result);
    }
    gws_bfs_result_clear(&result);
    search->result = NULL;
    return status;
}

/* ---- batches ---- */

/* Returns the number of searches in a launch. Their arrays take at most half of the device's free memory. */
static uint32_t batch_of(struct gws_bfs_device *search, uint64_t count)
{
    uint64_t left = 0, more, held = gws_device_memory_held(search->device);
    uint64_t max = search->kernel->batch(search, &more);
    uint64_t bytes = search->graph->vertices * (8 + search->kernel->level_bytes) + more + 64;
    uint64_t budget = search->memory > held ? search->memory - held : 0;
    if (gws_device_memory_left(search->device, &left, NULL) != GWS_OK) return 1;
    if (left > budget) left = budget;
    if (max > max_batch) max = max_batch;
    if (max > count) max = count;
    return (uint32_t)(max < left / 2 / bytes ? max : left / 2 / bytes);
}

/* Copies result `index` of the batch to the host and passes it to visit. */
static gws_status visit_result(struct gws_bfs_device *search, uint32_t index, uint64_t number, gws_bfs_visit *visit,
                               void *context, struct gws_diagnostic *where)
{
    gws_status status = gws__bfs_prepare(search->runtime, search->graph, search->result);
    if (status != GWS_OK) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    search->result->source = search->results.from[index];
    search->result->ms = search->results.ms / search->results.searches;
    status = gws__bfs_persistent_read_summary(search, index, where);
    if (status == GWS_OK) status = fetch_result(search, index, where);
    return status == GWS_OK ? visit(context, number, search->result) : status;
}

static gws_status run_batch(struct gws_bfs_device *search, uint64_t number, gws_bfs_visit *visit, void *context,
                            struct gws_diagnostic *where)
{
    gws_status status = search->poisons ? gws__bfs_device_poison(search, where) : GWS_OK;
    if (status == GWS_OK) status = gws__bfs_persistent_launch(search, where);
    if (status == GWS_OK) status = fetch_stats(search, where);
    if (status == GWS_OK) gws__bfs_device_add_stats(search);
    for (uint32_t i = 0; i < search->results.searches && status == GWS_OK; i++)
        status = visit_result(search, i, number + i, visit, context, where);
    return status;
}

static gws_status run_batches(struct gws_bfs_device *search, uint32_t batch, const uint32_t *source, uint64_t count,
                              gws_bfs_visit *visit, void *context, struct gws_diagnostic *where)
{
    gws_status status = results_new(search, batch, where);
    for (uint64_t at = 0; at < count && status == GWS_OK; at += search->results.searches) {
        search->results.from = source + at;
        search->results.searches = count - at < batch ? (uint32_t)(count - at) : batch;
        status = run_batch(search, at, visit, context, where);
    }
    return status;
}

/* Replaces the arrays of a single search by those of a batch, and restores them at the end. */
static gws_status in_batches(struct gws_bfs_device *search, uint32_t batch, const uint32_t *source, uint64_t count,
                             gws_bfs_visit *visit, void *context, struct gws_diagnostic *where)
{
    struct gws_bfs_result result = {0};
    struct gws__bfs_results results = search->results;
    struct gws_device_buffer **depth = &search->array[gws__bfs_depth], **parent = &search->array[gws__bfs_parent];
    struct gws_device_buffer *saved[] = {*depth, *parent};
    *depth = *parent = NULL;
    search->results = (struct gws__bfs_results){.searches = 0};
    search->result = &result;
    gws_status status = run_batches(search, batch, source, count, visit, context, where);
    gws_device_buffer_free(*depth);
    gws_device_buffer_free(*parent);
    results_free(search);
    *depth = saved[0];
    *parent = saved[1];
    search->results = results;
    gws_bfs_result_clear(&result);
    search->result = NULL;
    return status;
}

/* Returns true for strategies whose kernel runs several searches in a launch. */
bool gws_bfs_device_has_batches(const struct gws_bfs_device *search)
{
    return search->strategy == &gws__bfs_device_whole ||
           (search->strategy == &gws__bfs_device_mesh_at_host && !search->options.cpu);
}

/* Searches, after a check whether the previous call found the mesh too wide for the mesh kernel. */
gws_status gws_bfs_device_run_many(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                                   gws_bfs_visit *visit, void *context, struct gws_diagnostic *where)
{
    for (uint64_t i = 0; i < count; i++)
        if (source[i] >= search->graph->vertices) return gws_diagnostic_status(where, GWS_OUT_OF_RANGE);
    gws_status status = gws_diagnostic_status(where, gws_call_begin(search->runtime));
    if (status != GWS_OK) return status;
    if (!search->handoff) status = gws__bfs_persistent_reconsider(search, where);
    if (status != GWS_OK) return gws_call_end(search->runtime, status);
    uint32_t batch = gws_bfs_device_has_batches(search) && count > 1 ? batch_of(search, count) : 1;
    return gws_call_end(search->runtime, batch > 1 ? in_batches(search, batch, source, count, visit, context, where)
                                                   : one_by_one(search, source, count, visit, context, where));
}

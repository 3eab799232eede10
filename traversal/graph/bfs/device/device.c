/* SPDX-License-Identifier: MIT */
/* Breadth-first search on a device, with options, the names of the forms, and the functions of bfs_device.h that all
 * strategies share. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "handoff.h"

enum { stats_bytes = STATS_STRIDE * sizeof(uint64_t) };
enum { max_groups = 60000, max_group_size = 1024 };

/* ---- options ---- */

/* Chooses the work queue for the policy. "coarse" uses a shared cursor, on one of the two sides. */
static gws_status choose_policy(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    static const struct {
        const char *name;
        enum gws__bfs_work_queue work_queue;
        bool coarse;
    } known[] = {{"static", gws__bfs_static, false},
                 {"cursor", gws__bfs_cursor, false},
                 {"chunked", gws__bfs_chunked, false},
                 {"abp", gws__bfs_abp, false},
                 {"coarse", gws__bfs_cursor, true}};
    const char *policy = gws_runtime_policy(search->runtime);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, policy) != 0) continue;
        search->work_queue = known[i].work_queue;
        search->coarse = known[i].coarse;
        return GWS_OK;
    }
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                              "policy %s: searches on devices support static, cursor, chunked, abp and coarse", policy);
}

static gws_status check_options(const struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    const struct gws_bfs_device_options *options = &search->options;
    const struct gws_device_info *info = gws_device_describe(search->device);
    uint32_t size = options->group_size;
    if (size > max_group_size || (size & (size - 1)) || size > info->max_group_size)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "invalid group size %u: must be a power of two, at most %u and the device's maximum",
                                  size, max_group_size);
    if (options->groups > max_groups)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "invalid number of groups %u: at most %u",
                                  options->groups, max_groups);
    if ((unsigned)options->direction > GWS_BFS_BOTTOM_UP || (unsigned)options->steal > GWS_BFS_STEAL_NONE ||
        (unsigned)options->order > GWS_BFS_SEQ_CST || (unsigned)options->strategy > GWS_BFS_HOST_RESIDENT ||
        (unsigned)options->launch > GWS_BFS_PER_LEVEL)
        return gws_diagnostic_status(where, GWS_INVALID);
    if (options->direction == GWS_BFS_BOTTOM_UP && !search->in) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    return GWS_OK;
}

/* ---- opening and closing ---- */

static gws_status open_search(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    gws_status status = choose_policy(search, where);
    if (status == GWS_OK) status = check_options(search, where);
    if (status != GWS_OK) return status;
    gws__bfs_device_choose_sizes(search);
    search->stats = gws_allocate(search->runtime, search->workers, sizeof *search->stats);
    search->ran = gws_allocate(search->runtime, search->workers, stats_bytes);
    if (!search->stats || !search->ran) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    gws_bfs_device_stats_reset(search);
    status = gws__device_trace_open(&search->trace, search->runtime, search->device, where);
    if (status == GWS_OK) status = gws__bfs_device_choose_strategy(search, where);
    return status == GWS_OK ? search->strategy->open(search, where) : status;
}

/* Returns the graph whose rows hold the incoming arcs; NULL if there is none or the options exclude the index. */
static const struct gws_graph *rows_towards(struct gws_device_graph *info, const struct gws_graph *graph)
{
    if (!graph->directed) return graph;
    bool reads_host = gws_device_graph_describe(info)->placement == GWS_PLACE_HOST;
    return reads_host || gws_device_graph_may(info, GWS_INDEX_REVERSE) ? graph->reverse : NULL;
}

static gws_status bfs_device_open(struct gws_device_graph *graph, const struct gws_bfs_device_options *options,
                                  struct gws_bfs_device **search, struct gws_diagnostic *where)
{
    const struct gws_device_graph_info *info = gws_device_graph_describe(graph);
    struct gws_bfs_device *made = gws_allocate(info->runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_bfs_device){.device_graph = graph,
                                    .runtime = info->runtime,
                                    .device = info->device,
                                    .graph = info->graph,
                                    .placement = info->placement,
                                    .memory = info->memory,
                                    .limited = info->limited || (info->placement == GWS_PLACE_HOST && !info->chosen),
                                    .budgeted = info->limited || info->chosen};
    made->in = rows_towards(graph, info->graph);
    if (options) made->options = *options;
    gws_status status = open_search(made, where);
    if (status == GWS_OK)
        *search = made;
    else
        gws_bfs_device_close(made);
    return status;
}

gws_status gws_bfs_device_open(struct gws_device_graph *graph, const struct gws_bfs_device_options *options,
                               struct gws_bfs_device **search, struct gws_diagnostic *where)
{
    return GWS_CALL(gws_device_graph_describe(graph)->runtime, where, bfs_device_open(graph, options, search, where));
}

struct gws_device_graph *gws_bfs_device_graph(const struct gws_bfs_device *search)
{
    return search->device_graph;
}

void gws_bfs_device_close(struct gws_bfs_device *search)
{
    if (!search) return;
    if (search->strategy) search->strategy->close(search);
    gws__bfs_device_free(search);
    gws_device_buffer_free(search->narrow);
    gws__device_trace_close(&search->trace);
    gws_release(search->runtime, search->stats, search->workers, sizeof *search->stats);
    gws_release(search->runtime, search->ran, search->workers, stats_bytes);
    gws_release(search->runtime, search, 1, sizeof *search);
}

/* ---- searching ---- */

gws_status gws_bfs_device_run(struct gws_bfs_device *search, uint32_t source, struct gws_bfs_result *result,
                              struct gws_diagnostic *where)
{
    if (source >= search->graph->vertices) return gws_diagnostic_status(where, GWS_OUT_OF_RANGE);
    gws_status status = gws_diagnostic_status(where, gws_call_begin(search->runtime));
    if (status != GWS_OK) return status;
    status = gws_diagnostic_status(where, gws__bfs_prepare(search->runtime, search->graph, result));
    if (status != GWS_OK) return gws_call_end(search->runtime, status);
    search->result = result;
    result->source = source;
    status = gws__device_trace_begin(&search->trace, where);
    if (status == GWS_OK) status = search->strategy->run(search, where);
    gws_trace_level(search->runtime, GWS_TRACE_NONE, GWS_SLICE_NO_DIRECTION);
    if (status == GWS_OK) status = gws__device_trace_end(&search->trace, where);
    if (status == GWS_OK) status = search->strategy->fetch(search, where);
    if (status == GWS_OK) status = gws__bfs_device_finish(search, where);
    if (status == GWS_OK) {
        gws__bfs_device_add_stats(search);
    } else {
        gws_bfs_result_clear(result);
        search->result = NULL;
    }
    return gws_call_end(search->runtime, status);
}

gws_status gws_bfs_device_poison(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    gws_status status = gws_diagnostic_status(where, gws_call_begin(search->runtime));
    if (status != GWS_OK) return status;
    search->poisons = true;
    status = (search->strategy->poison ? search->strategy->poison : gws__bfs_device_poison)(search, where);
    if (status == GWS_OK) status = gws_device_wait(search->device, where);
    return gws_call_end(search->runtime, status);
}

void gws__bfs_device_add_stats(struct gws_bfs_device *search)
{
    const bool cursor = search->work_queue == gws__bfs_cursor;
    const uint64_t *words = search->ran;
    for (uint32_t w = 0; w < search->workers; w++, words += STATS_STRIDE) {
        const struct gws_side_stats did = {.made = words[cursor ? STATS_RUN : STATS_ASSIGNED],
                                           .run = words[STATS_RUN],
                                           .stolen_from_cpu = words[STATS_STOLEN_FROM_CPU],
                                           .stolen_from_device = words[STATS_STOLEN_FROM_DEVICE],
                                           .steals = words[STATS_STEALS],
                                           .failed = words[STATS_FAILED],
                                           .busy_ms = (double)words[STATS_BUSY] / 1e6};
        gws_side_add(&search->stats[w].did, &did);
        search->stats[w].ms += (double)words[STATS_TIME] / 1e6;
    }
}

/* ---- chosen options and statistics ---- */

enum gws_bfs_form gws_bfs_device_form(const struct gws_bfs_device *search)
{
    const bool per_level = search->options.launch == GWS_BFS_PER_LEVEL;
    if (search->strategy == &gws__bfs_shared && per_level) return GWS_BFS_FORM_SHARED_PER_LEVEL;
    return search->strategy->form;
}

const char *gws_bfs_form_name(enum gws_bfs_form form)
{
    static const char *const name[] = {[GWS_BFS_FORM_DEVICE] = "device",
                                       [GWS_BFS_FORM_DEVICE_PER_LEVEL] = "device, per level",
                                       [GWS_BFS_FORM_SHARED] = "shared",
                                       [GWS_BFS_FORM_SHARED_PER_LEVEL] = "shared, per level",
                                       [GWS_BFS_FORM_HANDOFF] = "handoff",
                                       [GWS_BFS_FORM_HOST_RESIDENT] = "host-resident",
                                       [GWS_BFS_FORM_HOST_MESH] = "host-resident, mesh"};
    return name[form];
}

void gws_bfs_device_chosen(const struct gws_bfs_device *search, struct gws_bfs_device_options *options)
{
    *options = search->options;
}

uint32_t gws_bfs_device_workers(const struct gws_bfs_device *search)
{
    return search->workers;
}

void gws_bfs_device_stats(const struct gws_bfs_device *search, struct gws_bfs_device_stats *stats)
{
    memcpy(stats, search->stats, search->workers * sizeof *stats);
}

void gws_bfs_device_stats_reset(struct gws_bfs_device *search)
{
    for (uint32_t w = 0; w < search->workers; w++)
        search->stats[w] = (struct gws_bfs_device_stats){.gpu = w < search->options.groups};
    if (search->handoff) gws__handoff_reset_stats(&search->handoff->base);
    search->cpu_searches = 0;
}

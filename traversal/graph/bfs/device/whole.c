/* SPDX-License-Identifier: MIT */
/* The kernel that runs a whole search of any graph: kernels/engine/run.cl. The kernel's groups wait for each other, so
 * all of them must be resident. AUTO selects the kernel on GPUs with warps only, because waiting groups on a CPU
 * device would occupy the cores of working groups. */
#include "../../../../kernels/engine/engine_words.h"
#include "../../../../kernels/engine/record_words.h"
#include "handoff.h"

enum {
    min_heavy = 512,   /* all groups share a row that has at least min_heavy arcs and */
    heavy_factor = 16, /* at least heavy_factor times the mean degree */
    alpha = 32,        /* direction thresholds (see kernels/engine/run.cl) */
    beta = 16,
    max_batch = 8, /* searches in a launch */
};

enum buffer { isolated, next, segments, buffers };

struct whole {
    struct gws_device_buffer *buffer[buffers];
    uint32_t heavy;
    bool hubs; /* the index "hubs" exists */
};

/* ---- applicability ---- */

/* Returns the estimated bytes on the device. */
static uint64_t need(const struct gws_bfs_device *search)
{
    const struct gws_graph *graph = search->graph, *in = search->in;
    uint64_t rows = (graph->vertices + 1) * 8 + graph->arcs * 4;
    if (in && in != graph) rows += (in->vertices + 1) * 8 + in->arcs * 4;
    return rows + graph->vertices * 25 + graph->arcs / 32 + (1 << 18);
}

bool gws__bfs_device_fits(const struct gws_bfs_device *search)
{
    uint64_t memory = gws_device_describe(search->device)->memory, limit = search->memory;
    return need(search) <= (limit > 0 && limit < memory ? limit : memory);
}

/* Returns true if the kernel supports the group size. Groups consist of whole warps. On devices without warps a group
 * has one item, because CPU compilers take very long for barriers in such loops. */
static bool supports_group_size(const struct gws_bfs_device *search)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    uint32_t size = search->options.group_size;
    if (info->warp == 32) return size % 32 == 0;
    return size <= 1 && info->type == GWS_DEVICE_CPU;
}

bool gws__bfs_device_is_plain(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    return options->chunk == 0 && options->threshold == 0 && options->order == GWS_BFS_WEAKEST &&
           options->direction != GWS_BFS_BOTTOM_UP && gws_runtime_chunk(search->runtime) == 0 &&
           search->graph->vertices > 0;
}

bool gws__bfs_whole_supports(const struct gws_bfs_device *search)
{
    bool policy = search->work_queue != gws__bfs_abp && !search->coarse && search->placement != GWS_PLACE_HOST;
    return policy && gws__bfs_device_is_plain(search) && supports_group_size(search) &&
           search->options.groups <= gws_device_describe(search->device)->groups &&
           search->graph->vertices < (uint64_t)1 << 31 && gws__bfs_device_fits(search);
}

/* ---- opening ---- */

/* Builds the index "hubs" if pull may run and the graph allows it. Without the index, no vertex counts as isolated. */
static gws_status open_buffers(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    const struct gws_graph *graph = search->graph;
    struct whole *whole = search->own;
    uint64_t words = (graph->vertices + 31) / 32, heavy = heavy_factor * (graph->arcs / graph->vertices);
    const struct gws_graph *rows = search->in && search->in->arcs > graph->arcs ? search->in : graph;
    whole->heavy = heavy < min_heavy ? min_heavy : heavy < UINT32_MAX ? (uint32_t)heavy : UINT32_MAX;
    whole->hubs = search->in && gws_device_graph_may(search->device_graph, GWS_INDEX_HUBS);
    const struct gws__bfs_need need[] = {
        {.buffer = &whole->buffer[next], .bytes = words * 4},
        {.buffer = &whole->buffer[segments], .bytes = (rows->arcs / whole->heavy + 1) * 16},
        {.buffer = &whole->buffer[isolated], .bytes = words * 4, .clear = true}};
    gws_status status = gws__bfs_device_buffers(search, need, whole->hubs ? 2 : 3, where);
    return status == GWS_OK && whole->hubs ? gws_device_graph_prepare(search->device_graph, GWS_INDEX_HUBS, where)
                                           : status;
}

static gws_status open_whole(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct whole *whole = gws_allocate(search->runtime, 1, sizeof *whole);
    if (!whole) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *whole = (struct whole){.heavy = 0};
    search->own = whole;
    const char *program = search->handoff ? "engine_bfs_handoff" : "engine_bfs";
    gws_status status = gws__bfs_device_program(search, program, "", where);
    if (status == GWS_OK) status = gws__bfs_device_graph(search, where);
    if (status == GWS_OK) status = gws__bfs_device_arrays(search, NULL, where);
    return status == GWS_OK ? open_buffers(search, where) : status;
}

static void close_whole(struct gws_bfs_device *search)
{
    struct whole *whole = search->own;
    if (!whole) return;
    for (int i = 0; i < buffers; i++) gws_device_buffer_free(whole->buffer[i]);
    gws_release(search->runtime, whole, 1, sizeof *whole);
    search->own = NULL;
}

/* ---- running ---- */

static uint32_t schedule_of(const struct gws_bfs_device *search)
{
    if (search->work_queue == gws__bfs_cursor) return SCHEDULE_CURSOR;
    return gws__bfs_steals(search, GWS_BFS_STEAL_GPU) ? SCHEDULE_STEAL : SCHEDULE_STATIC;
}

/* Launches the kernel. The sources of several searches lie on the device. Without the index "hubs", the kernel reads
 * the first word of isolated for every hub. */
static gws_status launch_whole(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct whole *whole = search->own;
    const struct gws__bfs_results *results = &search->results;
    bool up = search->in && search->options.direction == GWS_BFS_AUTO, many = results->from != NULL;
    bool handoff_enabled = search->handoff && search->handoff->enabled;
    const uint32_t word[] = {(uint32_t)search->graph->vertices,
                             whole->heavy,
                             up ? alpha : 0,
                             up ? beta : 0,
                             schedule_of(search),
                             (uint32_t)gws_device_graph_candidates(search->device_graph),
                             whole->hubs ? UINT32_MAX : 0};
    struct gws_device_buffer *hub = gws_device_graph_buffer(search->device_graph, GWS_ARRAY_HUB),
                             *isolated_hub = gws_device_graph_buffer(search->device_graph, GWS_ARRAY_ISOLATED);
    struct gws_device_buffer *const buffer[] = {whole->hubs ? hub : whole->buffer[isolated],
                                                whole->hubs ? isolated_hub : whole->buffer[isolated],
                                                whole->buffer[next],
                                                whole->buffer[segments],
                                                results->level,
                                                results->summary};
    struct gws_device_argument extra[bfs_max_arguments];
    struct gws_device_launch launch = {.kernel = many              ? "engine_run_many"
                                                 : handoff_enabled ? "engine_run_handoff"
                                                                   : "engine_run",
                                       .groups = search->options.groups,
                                       .resident = true,
                                       .argument = extra};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++)
        extra[launch.arguments++] = (struct gws_device_argument){.buffer = buffer[i]};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        extra[launch.arguments++] = (struct gws_device_argument){.value = &word[i], .bytes = 4};
    if (many) extra[launch.arguments++] = (struct gws_device_argument){.buffer = results->source};
    extra[launch.arguments++] =
        (struct gws_device_argument){.value = many ? &results->searches : &search->result->source, .bytes = 4};
    for (int i = 0; handoff_enabled && i < gws__bfs_handoff_arguments; i++)
        extra[launch.arguments++] = search->handoff->argument[i];
    gws_status status = GWS_OK;
    if (many) status = gws_device_write(results->source, 0, results->from, results->searches * 4ull, where);
    return status == GWS_OK ? gws__bfs_device_launch(search, launch, where) : status;
}

/* ---- records and statistics ---- */

static struct gws_bfs_level level_of(const struct gws_bfs_device *search, const void *record)
{
    const uint64_t noted = *(const uint64_t *)record;
    return (struct gws_bfs_level){.size = (uint32_t)noted,
                                  .bottom_up = noted & RECORD_BOTTOM_UP,
                                  .workers = noted & RECORD_ALL_GROUPS ? search->options.groups : 1};
}

/* Reads the statistics, and converts ticks to nanoseconds of the launch. A search with handoff reports no times. */
static gws_status fetch_stats(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    uint64_t bytes = (uint64_t)search->options.groups * STATS_STRIDE * sizeof *search->ran;
    gws_status status = gws_device_read(search->array[gws__bfs_stats], 0, search->ran, bytes, where);
    double ns = search->handoff && search->handoff->enabled ? 0 : search->results.ms * 1e6;
    for (uint32_t g = 0; g < search->options.groups && status == GWS_OK; g++) {
        uint64_t *ran = search->ran + (uint64_t)g * STATS_STRIDE, all = ran[STATS_TIME];
        double share = all > 0 ? (double)ran[STATS_BUSY] / (double)all : 0;
        ran[STATS_TIME] = all > 0 ? (uint64_t)ns : 0;
        ran[STATS_BUSY] = (uint64_t)(ns * share);
    }
    return status;
}

static uint32_t batch_of(struct gws_bfs_device *search, uint64_t *bytes)
{
    (void)search;
    *bytes = 0;
    return max_batch;
}

const struct gws__bfs_persistent gws__bfs_whole = {
    .level_bytes = 8,
    .open = open_whole,
    .close = close_whole,
    .launch = launch_whole,
    .level = level_of,
    .fetch_stats = fetch_stats,
    .batch = batch_of,
};

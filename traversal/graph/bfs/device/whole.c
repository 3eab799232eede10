/* SPDX-License-Identifier: MIT */
/* The device alone by one kernel that stays for the whole search: kernels/engine/run.cl. Its groups wait for each
 * other, so there are no more of them than run at once. By itself for GPUs with warps: on a CPU device groups that wait
 * would have the cores of those that work. */
#include "state.h"

/* As in kernels/engine/grid.cl, state.cl and run.cl. */
enum { count_levels = 40, count_reached = 41, deal_static = 0, deal_cursor = 1, deal_steal = 2 };
#define RECORD_BOTTOM ((uint64_t)1 << 32)
#define RECORD_CUT ((uint64_t)1 << 33)

enum {
    usual_group_size = 1024,
    prepare_groups_a_unit = 4,
    least_heavy = 512, /* arcs of a row that all groups share, or: */
    heavy_means = 16,  /* so many times the mean degree */
    alpha = 32,        /* when to go bottom-up: see kernels/engine/run.cl */
    beta = 16,
    batch = 4096, /* records fetched at once */
};

enum buffer { likely, isolated, next, segments, record, buffers };

struct one {
    struct gws_device_buffer *buffer[buffers];
    uint32_t heavy;
    uint64_t recorded[batch];
};

/* ---- whether ---- */

/* Bytes on the device, about. */
static uint64_t need(const struct gws_bfs_device *search)
{
    const struct gws_graph *graph = search->graph, *in = search->in;
    uint64_t rows = (graph->vertices + 1) * 8 + graph->arcs * 4;
    if (in && in != graph) rows += (in->vertices + 1) * 8 + in->arcs * 4;
    return rows + graph->vertices * 25 + graph->arcs / 32 + (1 << 18);
}

static bool fits(const struct gws_bfs_device *search)
{
    uint64_t memory = gws_device_describe(search->device)->memory, asked = search->memory;
    return need(search) <= (asked > 0 && asked < memory ? asked : memory);
}

/* Groups are of whole warps; where there are none, of one item, since compilers of CPU devices take very long for
 * barriers in such loops. */
static bool group_suits(const struct gws_bfs_device *search)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    uint32_t size = search->options.group_size;
    if (info->warp == 32) return size % 32 == 0;
    return size <= 1 && info->type == GWS_DEVICE_CPU;
}

bool gws__bfs_one_may(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool plain = !options->cpu && options->chunk == 0 && options->threshold == 0 && options->order == GWS_BFS_WEAKEST &&
                 options->direction != GWS_BFS_BOTTOM_UP && search->placement != GWS_PLACE_HOST &&
                 gws_runtime_chunk(search->runtime) == 0;
    return plain && search->container != gws__bfs_abp && !search->coarse && group_suits(search) &&
           options->groups <= gws_device_describe(search->device)->groups && search->graph->vertices > 0 &&
           search->graph->vertices < (uint64_t)1 << 31 && fits(search);
}

bool gws__bfs_one_suits(const struct gws_bfs_device *search)
{
    enum gws_bfs_form form = search->options.form;
    bool gpu = gws_device_describe(search->device)->type == GWS_DEVICE_GPU;
    return (form == GWS_BFS_FORM_KEPT || (form == GWS_BFS_FORM_AUTO && gpu)) && gws__bfs_one_may(search);
}

void gws__bfs_one_sizes(struct gws_bfs_device *search)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    struct gws_bfs_device_options *options = &search->options;
    if (options->group_size == 0) options->group_size = info->warp > 1 ? usual_group_size : 1;
    if (options->groups == 0) options->groups = info->groups;
}

/* ---- opening ---- */

static gws_status open_buffers(struct gws_bfs_device *search, struct gws_where *where)
{
    const struct gws_graph *graph = search->graph;
    struct one *one = search->own;
    uint64_t words = (graph->vertices + 31) / 32, heavy = heavy_means * (graph->arcs / graph->vertices);
    const struct gws_graph *rows = search->in && search->in->arcs > graph->arcs ? search->in : graph;
    one->heavy = heavy < least_heavy ? least_heavy : heavy < UINT32_MAX ? (uint32_t)heavy : UINT32_MAX;
    const uint64_t bytes[buffers] = {[likely] = graph->vertices * 4,
                                     [isolated] = words * 4,
                                     [next] = words * 4,
                                     [segments] = (rows->arcs / one->heavy + 1) * 16,
                                     [record] = graph->vertices * 8};
    gws_status status = GWS_OK;
    for (int i = 0; i < buffers && status == GWS_OK; i++)
        status = gws_device_buffer_new(search->device, bytes[i], &one->buffer[i], where);
    return status;
}

/* Without a reverse graph nobody knows who is led to by nothing, nor goes bottom-up. */
static gws_status prepare_nothing(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws_device_buffer *bitmap = ((struct one *)search->own)->buffer[isolated];
    return gws_device_fill(bitmap, 0, 0, gws_device_buffer_bytes(bitmap) / 4, where);
}

/* The likely neighbours, and who has none. */
static gws_status prepare(struct gws_bfs_device *search, struct gws_where *where)
{
    struct one *one = search->own;
    uint32_t vertices = (uint32_t)search->graph->vertices;
    struct gws_device_argument argument[] = {{.value = &vertices, .bytes = sizeof vertices},
                                             {.buffer = search->array[gws__bfs_offset]},
                                             {.buffer = search->array[gws__bfs_in_offset]},
                                             {.buffer = search->array[gws__bfs_source]},
                                             {.buffer = one->buffer[likely]},
                                             {.buffer = one->buffer[isolated]},
                                             {.buffer = search->array[gws__bfs_control]}};
    struct gws_device_launch launch = {.program = search->program,
                                       .kernel = "engine_prepare",
                                       .groups = (uint64_t)search->options.groups * prepare_groups_a_unit,
                                       .group_size = search->options.group_size,
                                       .argument = argument,
                                       .arguments = sizeof argument / sizeof *argument};
    gws_status status = gws_device_run(search->device, &launch, where);
    return status == GWS_OK ? gws_device_wait(search->device, where) : status;
}

static gws_status open_one(struct gws_bfs_device *search, struct gws_where *where)
{
    struct one *one = gws_allocate(search->runtime, 1, sizeof *one);
    if (!one) return gws__bfs_device_no_memory(where);
    *one = (struct one){.heavy = 0};
    search->own = one;
    gws_status status = gws__bfs_device_program_named(search, "engine_bfs", "", where);
    if (status == GWS_OK) status = gws__bfs_device_graph(search, where);
    if (status == GWS_OK) status = gws__bfs_device_arrays(search, where);
    if (status == GWS_OK) status = open_buffers(search, where);
    if (status != GWS_OK) return status;
    return search->in ? prepare(search, where) : prepare_nothing(search, where);
}

static void close_one(struct gws_bfs_device *search)
{
    struct one *one = search->own;
    if (!one) return;
    for (int i = 0; i < buffers; i++) gws_device_buffer_free(one->buffer[i]);
    gws_release(search->runtime, one, 1, sizeof *one);
}

/* ---- running ---- */

static uint32_t deal_of(const struct gws_bfs_device *search)
{
    enum gws_bfs_steal steal = search->options.steal;
    if (search->container == gws__bfs_cursor) return deal_cursor;
    return search->container == gws__bfs_chunked && (steal == GWS_BFS_STEAL_ALL || steal == GWS_BFS_STEAL_GPU)
               ? deal_steal
               : deal_static;
}

static gws_status launch(struct gws_bfs_device *search, struct gws_where *where)
{
    struct one *one = search->own;
    bool up = search->in && search->options.direction == GWS_BFS_AUTO;
    const uint32_t vertices = (uint32_t)search->graph->vertices, by_size = up ? alpha : 0, by_arcs = up ? beta : 0;
    const uint32_t deal = deal_of(search);
    const uint32_t *const word[] = {&vertices, &search->result->source, &one->heavy, &by_size, &by_arcs, &deal};
    struct gws__bfs_more more = {.count = 0};
    for (int i = 0; i < buffers; i++) gws__bfs_more_buffer(&more, one->buffer[i]);
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) gws__bfs_more_word(&more, word[i]);
    return gws__bfs_device_launch_resident(search, "engine_run", search->options.groups, &more, where);
}

/* The levels, a batch of records at a time. */
static gws_status fetch_records(struct gws_bfs_device *search, uint32_t levels, struct gws_where *where)
{
    struct one *one = search->own;
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < levels && status == GWS_OK; i++) {
        uint32_t left = levels - i, count = left < batch ? left : batch;
        if (i % batch == 0)
            status = gws_device_read(one->buffer[record], i * sizeof *one->recorded, one->recorded,
                                     count * sizeof *one->recorded, where);
        uint64_t noted = one->recorded[i % batch];
        struct gws_bfs_level level = {.size = (uint32_t)noted,
                                      .bottom_up = noted & RECORD_BOTTOM,
                                      .workers = noted & RECORD_CUT ? search->options.groups : 1};
        if (status == GWS_OK) status = gws__bfs_device_level(search, level, where);
    }
    return status;
}

static gws_status run_one(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws_bfs_result *result = search->result;
    uint32_t control[bfs_control_words];
    double began = gws_clock_ms();
    gws_status status = launch(search, where);
    if (status == GWS_OK) status = gws_device_wait(search->device, where);
    result->ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = gws_device_read(search->array[gws__bfs_control], 0, control, sizeof control, where);
    if (status == GWS_OK) status = fetch_records(search, control[count_levels], where);
    if (status == GWS_OK) result->reached = control[count_reached];
    return status;
}

static gws_status fetch_one(struct gws_bfs_device *search, struct gws_where *where)
{
    gws_status status = gws__bfs_device_alone.fetch(search, where);
    if (status == GWS_OK) search->result->reached_arcs = gws__bfs_device_reached_arcs(search);
    return status;
}

const struct gws__bfs_way gws__bfs_device_one = {
    .form = "device alone, one kernel",
    .open = open_one,
    .close = close_one,
    .run = run_one,
    .fetch = fetch_one,
    .poison = gws__bfs_device_poison_arrays,
};

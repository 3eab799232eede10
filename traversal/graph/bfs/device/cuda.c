/* SPDX-License-Identifier: MIT */
/* The way of searches by the kernels tuned for CUDA, and of the two the one for any graph: kernels/cuda/bfs.cu. */
#include <string.h>

#include "../../../engine/mesh_rows.h"
#include "cuda.h"

enum own {
    out_offset = bfs_cuda_own,
    out_target,
    in_offset,
    in_target,
    likely,
    alone,
    visited,
    queue,
    segments,
    counters,
    cursors,
    own_end
};
_Static_assert((int)own_end <= (int)bfs_cuda_most_buffers, "room for all");

/* As in kernels/cuda. */
enum {
    counter_bytes = 256,
    shared_bytes = 98432, /* struct block_memory */
    least_heavy = 512,
    heavy_means = 16, /* a row of so many times the mean degree is heavy */
    alpha = 32,
    beta = 16,
    flag_steal = 1,
    flag_alone = 2,
    level_times = 64, /* words of the busy times beyond the groups' */
};

/* What all searches have, whichever graph it is. */
static gws_status open_all(struct gws_bfs_device *search, struct gws_where *where)
{
    uint64_t bytes = (uint64_t)search->options.groups * bfs_cuda_note_words * 8;
    gws_status status = gws__bfs_cuda_results(search, 1, where);
    return status == GWS_OK ? gws__bfs_cuda_buffer(search, bfs_cuda_stats, bytes, NULL, true, where) : status;
}

/* ---- any graph ---- */

/* They stay the graph's. */
static gws_status open_rows(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    gws_status status = gws__bfs_device_graph(search, where);
    own->buffer[out_offset] = search->array[gws__bfs_offset];
    own->buffer[out_target] = search->array[gws__bfs_target];
    own->buffer[in_offset] = search->array[gws__bfs_in_offset];
    own->buffer[in_target] = search->array[gws__bfs_source];
    return status;
}

static gws_status open_state(struct gws_bfs_device *search, struct gws_where *where)
{
    const struct gws_graph *graph = search->graph;
    uint64_t words = (graph->vertices + 31) / 32;
    struct gws__bfs_cuda *own = search->own;
    uint64_t mean = graph->arcs / graph->vertices, heavy = heavy_means * mean;
    own->heavy = heavy < least_heavy ? least_heavy : heavy < UINT32_MAX ? (uint32_t)heavy : UINT32_MAX;
    const struct gws_graph *rows = search->in && search->in->arcs > graph->arcs ? search->in : graph;
    const struct {
        uint32_t which;
        uint64_t bytes;
        bool clear;
    } need[] = {
        {likely, search->in ? graph->vertices * 4 : 0, false}, /* for bottom-up */
        {alone, words * 4, false},
        {visited, words * 8, false},
        {queue, graph->vertices * 4, false},
        {segments, (rows->arcs / own->heavy + 1) * 16, false},
        {bfs_cuda_busy, ((uint64_t)search->options.groups * 2 + level_times) * 8, true},
        {counters, counter_bytes, true},
        {cursors, (uint64_t)search->options.groups * 8, false},
    };
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof need / sizeof *need && status == GWS_OK; i++)
        status = gws__bfs_cuda_buffer(search, need[i].which, need[i].bytes, NULL, need[i].clear, where);
    return status;
}

static struct gws_device_argument buffer_of(const struct gws_bfs_device *search, uint32_t which)
{
    return (struct gws_device_argument){.buffer = ((struct gws__bfs_cuda *)search->own)->buffer[which]};
}

/* The likely neighbours, and who has none. Without the rows of arcs towards a vertex nobody can tell who is reached:
 * nobody is left out, and no level goes bottom-up. */
static gws_status prepare(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    if (!search->in) return gws_device_fill(own->buffer[alone], 0, 0, (search->graph->vertices + 31) / 32, where);
    struct gws_device_argument argument[] = {{.value = &search->graph->vertices, .bytes = 8},
                                             buffer_of(search, out_offset),
                                             buffer_of(search, in_offset),
                                             buffer_of(search, in_target),
                                             buffer_of(search, likely),
                                             buffer_of(search, alone),
                                             buffer_of(search, counters)};
    struct gws_device_launch launch = {.program = search->program,
                                       .kernel = "bfs_prepare",
                                       .groups = (uint64_t)search->options.groups * 4,
                                       .group_size = bfs_cuda_group / 2,
                                       .argument = argument,
                                       .arguments = sizeof argument / sizeof *argument};
    gws_status status = gws_device_run(search->device, &launch, where);
    return status == GWS_OK ? gws_device_wait(search->device, where) : status;
}

static gws_status open_any(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    own->mesh = false;
    own->kernel = "bfs_search";
    own->groups = search->options.groups;
    own->group_size = bfs_cuda_group;
    own->cluster = 0;
    own->local_bytes = shared_bytes;
    gws_status status = gws__bfs_cuda_program(search, "bfs", where);
    if (status == GWS_OK) status = open_rows(search, where);
    if (status == GWS_OK) status = open_state(search, where);
    return status == GWS_OK ? prepare(search, where) : status;
}

static gws_status run_any(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    bool up = search->in && search->options.direction == GWS_BFS_AUTO;
    const uint64_t stride = search->graph->vertices;
    const uint32_t by_size = up ? alpha : 0, by_arcs = up ? beta : 0;
    bool steal = search->container == gws__bfs_chunked &&
                 (search->options.steal == GWS_BFS_STEAL_ALL || search->options.steal == GWS_BFS_STEAL_GPU);
    const uint32_t flags = flag_alone | (steal ? flag_steal : 0);
    struct gws_device_argument argument[] = {{.value = &search->graph->vertices, .bytes = 8},
                                             buffer_of(search, out_offset),
                                             buffer_of(search, out_target),
                                             buffer_of(search, in_offset),
                                             buffer_of(search, in_target),
                                             buffer_of(search, likely),
                                             buffer_of(search, alone),
                                             buffer_of(search, visited),
                                             buffer_of(search, bfs_cuda_depth),
                                             buffer_of(search, bfs_cuda_parent),
                                             buffer_of(search, queue),
                                             buffer_of(search, segments),
                                             buffer_of(search, bfs_cuda_level_size),
                                             buffer_of(search, bfs_cuda_level_how),
                                             buffer_of(search, counters),
                                             buffer_of(search, cursors),
                                             buffer_of(search, bfs_cuda_busy),
                                             buffer_of(search, bfs_cuda_stats),
                                             buffer_of(search, bfs_cuda_source),
                                             {.value = &own->searches, .bytes = 4},
                                             {.value = &stride, .bytes = 8},
                                             buffer_of(search, bfs_cuda_told),
                                             {.value = &own->heavy, .bytes = 4},
                                             {.value = &by_size, .bytes = 4},
                                             {.value = &by_arcs, .bytes = 4},
                                             {.value = &flags, .bytes = 4},
                                             {.bytes = own->local_bytes}};
    return gws__bfs_cuda_launch(search, argument, sizeof argument / sizeof *argument, where);
}

/* ---- the way ---- */

void gws__bfs_cuda_free(struct gws_bfs_device *search)
{
    struct gws__bfs_cuda *own = search->own;
    if (!own->mesh) /* rows are the graph's */
        own->buffer[out_offset] = own->buffer[out_target] = own->buffer[in_offset] = own->buffer[in_target] = NULL;
    for (int i = 0; i < bfs_cuda_most_buffers; i++) gws_device_buffer_free(own->buffer[i]);
    memset(own->buffer, 0, sizeof own->buffer);
    if (search->program) gws_device_program_free(search->program);
    search->program = NULL;
}

gws_status gws__bfs_cuda_open(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    own->searches = own->clusters = 1;
    own->told_of = &own->told;
    own->mesh = gws__mesh_rows_count(search->graph, &own->rows);
    gws_status status = open_all(search, where);
    if (status != GWS_OK) return status;
    return own->mesh ? gws__bfs_cuda_mesh_open(search, where) : open_any(search, where);
}

static gws_status open_tuned(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = gws_allocate(search->runtime, 1, sizeof *own);
    if (!own) return gws__bfs_device_no_memory(where);
    *own = (struct gws__bfs_cuda){.mesh = false};
    search->own = own;
    return gws__bfs_cuda_open(search, where);
}

static void close_tuned(struct gws_bfs_device *search)
{
    if (!search->own) return;
    gws__bfs_cuda_free(search);
    gws_release(search->runtime, search->own, 1, sizeof(struct gws__bfs_cuda));
}

bool gws__bfs_cuda_is_wide(const struct gws_bfs_device *search)
{
    enum { rows_listed = 1 };
    const struct gws__bfs_cuda *own = search->own;
    return own->mesh && (uint64_t)own->told.extra[rows_listed] * 4 > own->told.reached;
}

/* A mesh whose levels were too wide for one cluster is none: from now on it is searched by all. */
gws_status gws__bfs_cuda_reconsider(struct gws_bfs_device *search, bool *changed, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    *changed = false;
    if (!gws__bfs_cuda_is_wide(search) || own->at_host) return GWS_OK;
    *changed = true;
    gws__bfs_cuda_free(search);
    own->mesh = false;
    own->told = (struct gws__bfs_cuda_told){0};
    gws_status status = open_all(search, where);
    if (status == GWS_OK) status = open_any(search, where);
    if (status != GWS_OK) gws__bfs_cuda_free(search);
    return status;
}

gws_status gws__bfs_cuda_run(struct gws_bfs_device *search, struct gws_where *where)
{
    const struct gws__bfs_cuda *own = search->own;
    if (!search->program)
        return gws_where_set(where, GWS_DEVICE, NULL, 0, 0, "the graph could not be put on the device again");
    return own->mesh ? gws__bfs_cuda_mesh_run(search, where) : run_any(search, where);
}

static gws_status run_tuned(struct gws_bfs_device *search, struct gws_where *where)
{
    bool changed;
    gws_status status = gws__bfs_cuda_reconsider(search, &changed, where);
    return status == GWS_OK ? gws__bfs_cuda_run(search, where) : status;
}

const struct gws__bfs_way gws__bfs_device_tuned = {
    .form = "device alone, one kernel tuned for it",
    .open = open_tuned,
    .close = close_tuned,
    .run = run_tuned,
    .fetch = gws__bfs_cuda_fetch,
    .poison = gws__bfs_cuda_poison,
};

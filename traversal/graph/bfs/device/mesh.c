/* SPDX-License-Identifier: MIT */
/* Meshes on CUDA: rows of four targets, searched by one cluster of blocks; kernels/cuda/mesh_words.cuh says how. Rows
 * may lie with the host, in memory that the device reads in place. */
#include "mesh.h"

#include <stdio.h>

#include "../../../../kernels/kernels.h"
#include "handoff.h"
#include "mesh_row_cache.h"

/* As in kernels/cuda/mesh_words.cuh. */
enum { room = 1024, front_bytes = 40, tally_bytes = 288, narrow_vertices = 1 << 21 };

enum { rounds = 4 /* of the clusters in a batch: so that a long search holds up few */ };

/* ---- the kernel ---- */

/* The first of them that the device takes. Large meshes have wide levels, whose claims go faster through the second
 * cache than from block to block. */
static const struct kernel {
    const char *name;
    uint32_t blocks, group_size;
    bool near, narrow; /* narrow: for small meshes only */
} kernels[] = {{"bfs_mesh_16", 16, 512, true, true},      {"bfs_mesh_far_16", 16, 1024, false, false},
               {"bfs_mesh_8", 8, 1024, true, false},      {"bfs_mesh_1", 1, 1024, true, false},
               {"bfs_mesh_far_1", 1, 1024, false, false}, {NULL, 0, 0, false, false}};

static uint64_t local_bytes(const struct gws_bfs_device *search, const struct kernel *kernel)
{
    uint64_t words = (search->graph->vertices + 31) / 32;
    uint64_t bitmap = kernel->near ? (words + kernel->blocks - 1) / kernel->blocks * 4 : 0;
    return room * front_bytes + tally_bytes + bitmap;
}

/* How many blocks run at the same time; 0: none, or the device does not say. */
static uint64_t resident(const struct gws_bfs_device *search, const char *kernel, uint32_t group_size, uint32_t blocks,
                         uint64_t bytes)
{
    struct gws_device_argument local = {.bytes = bytes};
    struct gws_device_launch launch = {.program = search->program,
                                       .kernel = kernel,
                                       .group_size = group_size,
                                       .argument = &local,
                                       .arguments = 1,
                                       .resident = true,
                                       .cluster = blocks > 1 ? blocks : 0};
    uint64_t groups = 0;
    return gws_device_resident(search->device, &launch, &groups, NULL) == GWS_OK ? groups : 0;
}

static bool fits(const struct gws_bfs_device *search, const struct kernel *kernel)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    if (kernel->narrow && search->graph->vertices >= narrow_vertices) return false;
    if (kernel->blocks > 1 && kernel->blocks > info->max_cluster) return false;
    return resident(search, kernel->name, kernel->group_size, kernel->blocks, local_bytes(search, kernel)) >=
           kernel->blocks;
}

/* NULL: none fits. */
static const struct kernel *choose(struct gws_bfs_device *search)
{
    struct gws__bfs_mesh *own = search->own;
    const struct kernel *k = kernels;
    while (k->name && !fits(search, k)) k++;
    if (!k->name) return NULL;
    own->kernel = k->name;
    own->groups = k->blocks;
    own->group_size = k->group_size;
    own->cluster = k->blocks > 1 ? k->blocks : 0;
    own->local_bytes = local_bytes(search, k);
    own->room = room;
    return k;
}

/* How many run at the same time. */
static uint32_t clusters_of(const struct gws_bfs_device *search)
{
    const struct gws__bfs_mesh *own = search->own;
    uint64_t groups = resident(search, own->kernel, own->group_size, own->groups, own->local_bytes);
    return groups > own->groups ? (uint32_t)(groups / own->groups) : 1;
}

gws_status gws__bfs_mesh_buffer(struct gws_bfs_device *search, enum gws__bfs_mesh_buffer which, uint64_t bytes,
                                const void *from, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    gws_status status = gws_device_buffer_new(search->device, bytes, &own->buffer[which], where);
    return status == GWS_OK && from ? gws_device_write(own->buffer[which], 0, from, bytes, where) : status;
}

/* The arrays of so many clusters. */
static gws_status open_state(struct gws_bfs_device *search, uint32_t clusters, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    uint64_t words = own->near ? 0 : (search->graph->vertices + 31) / 32;
    gws_status status = gws__bfs_mesh_buffer(search, mesh_list, own->rows * 8 * clusters, NULL, where);
    if (status == GWS_OK) status = gws__bfs_mesh_buffer(search, mesh_list_end, clusters * 4ull, NULL, where);
    return status == GWS_OK ? gws__bfs_mesh_buffer(search, mesh_bitmap, words * 4 * clusters, NULL, where) : status;
}

static gws_status open_kernel(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    const char *program = !own->at_host ? "bfs_mesh" : own->places > 0 ? "bfs_mesh_paged" : "bfs_mesh_host";
    gws_status status = gws__kernel_program_build(search->device, program, NULL, &search->program, where);
    if (status != GWS_OK) return status;
    const struct kernel *kernel = choose(search);
    if (!kernel)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "no kernel for meshes fits on %s",
                             gws_device_describe(search->device)->address);
    own->near = kernel->near;
    return GWS_OK;
}

static gws_status open_mesh(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_mesh *own = gws_allocate(search->runtime, 1, sizeof *own);
    if (!own) return gws__bfs_device_no_memory(where);
    *own = (struct gws__bfs_mesh){.rows = search->mesh_rows, .clusters = 1};
    search->own = own;
    own->at_host = search->placement == GWS_PLACE_HOST;
    if (own->at_host && !gws__bfs_mesh_keep(search, &own->kept, &own->places)) return gws__bfs_device_no_memory(where);
    uint64_t words = (uint64_t)search->options.groups * bfs_stats_words;
    gws_status status = gws__bfs_device_array(search, gws__bfs_stats, words, 8, NULL, where);
    if (status == GWS_OK) status = gws_device_fill(search->array[gws__bfs_stats], 0, 0, words * 2, where);
    if (status == GWS_OK) status = open_kernel(search, where);
    if (status == GWS_OK) status = gws__bfs_mesh_open_rows(search, where);
    if (status == GWS_OK && own->places > 0) status = gws__mesh_cache_open(search, clusters_of(search), where);
    return status == GWS_OK ? open_state(search, 1, where) : status;
}

static void close_mesh(struct gws_bfs_device *search)
{
    struct gws__bfs_mesh *own = search->own;
    if (!own) return;
    if (!own->at_host) own->buffer[mesh_row] = NULL; /* the graph's */
    for (int i = 0; i < mesh_buffers; i++) gws_device_buffer_free(own->buffer[i]);
    gws_release(search->runtime, own, 1, sizeof *own);
    search->own = NULL;
}

bool gws__bfs_mesh_is_wide(const struct gws_bfs_device *search)
{
    enum { rows_listed = 1 };
    return (uint64_t)search->told.extra[rows_listed] * 4 > search->told.reached;
}

/* ---- running ---- */

static gws_status prepare(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    const struct gws__bfs_results *results = &search->results;
    const uint32_t *source = results->from ? results->from : &search->result->source;
    gws_status status = own->places > 0 ? gws__mesh_cache_clear(search, where) : GWS_OK;
    if (status != GWS_OK || gws__bfs_handoff_resumes(search)) return status;
    status = gws_device_fill(search->array[gws__bfs_stats], 0, 0, own->groups * 2ull * own->clusters, where);
    return status == GWS_OK ? gws_device_write(results->source, 0, source, results->searches * 4ull, where) : status;
}

static gws_status launch_with(struct gws_bfs_device *search, const struct gws_device_argument *argument,
                              uint32_t arguments, uint32_t carriers, struct gws_where *where)
{
    const struct gws__bfs_mesh *own = search->own;
    bool looks = search->handoff && search->handoff->looks;
    char name[40];
    struct gws_device_argument all[bfs_most_arguments];
    snprintf(name, sizeof name, "%s%s", own->kernel, looks ? "_handed" : "");
    memcpy(all, argument, arguments * sizeof *all);
    if (looks) memcpy(all + arguments, search->handoff->argument, gws__bfs_handoff_arguments * sizeof *all);
    struct gws_device_launch launch = {.program = search->program,
                                       .kernel = name,
                                       .groups = (uint64_t)own->groups * (own->clusters + carriers),
                                       .group_size = own->group_size,
                                       .argument = all,
                                       .arguments = arguments + (looks ? gws__bfs_handoff_arguments : 0),
                                       .cluster = own->cluster};
    return gws_device_run(search->device, &launch, where);
}

static gws_status launch_mesh(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    const struct gws__bfs_results *results = &search->results;
    const uint64_t stride = search->graph->vertices;
    const uint32_t carriers = results->searches == 1 ? own->carriers : 0;
    if (own->clusters > results->searches) own->clusters = results->searches;
    struct gws_device_argument argument[] = {{.value = &search->graph->vertices, .bytes = 8},
                                             {.value = &own->rows, .bytes = 8},
                                             {.buffer = own->buffer[mesh_row]},
                                             {.buffer = search->array[gws__bfs_depth]},
                                             {.buffer = search->array[gws__bfs_parent]},
                                             {.buffer = results->level},
                                             {.buffer = own->buffer[mesh_list]},
                                             {.buffer = own->buffer[mesh_list_end]},
                                             {.buffer = own->buffer[mesh_bitmap]},
                                             {.buffer = results->source},
                                             {.value = &results->searches, .bytes = 4},
                                             {.value = &stride, .bytes = 8},
                                             {.buffer = results->told},
                                             {.buffer = search->array[gws__bfs_stats]},
                                             {.value = &own->room, .bytes = 4},
                                             {.bytes = own->local_bytes},
                                             {.buffer = own->buffer[mesh_host_row]},
                                             {.value = &own->kept, .bytes = 4},
                                             {.buffer = own->buffer[mesh_place]},
                                             {.value = &own->places, .bytes = 4},
                                             {.value = &carriers, .bytes = 4},
                                             {.value = &own->hops, .bytes = 4},
                                             {.buffer = own->buffer[mesh_control]}};
    const uint32_t of_host = 2, of_cache = 5, left_out = own->places ? 0 : of_cache + (own->at_host ? 0 : of_host);
    const uint32_t arguments = sizeof argument / sizeof *argument - left_out;
    gws_status status = prepare(search, where);
    return status == GWS_OK ? launch_with(search, argument, arguments, carriers, where) : status;
}

/* ---- what it tells ---- */

static struct gws_bfs_level level_of(const struct gws_bfs_device *search, const void *record)
{
    const struct gws__bfs_mesh *own = search->own;
    return (struct gws_bfs_level){.size = *(const uint32_t *)record, .workers = own->groups};
}

/* A word a block. */
static gws_status fetch_stats(struct gws_bfs_device *search, struct gws_where *where)
{
    const struct gws__bfs_mesh *own = search->own;
    uint32_t groups = own->groups * own->clusters;
    gws_status status = gws_device_read(search->array[gws__bfs_stats], 0, search->ran, groups * 8ull, where);
    for (uint32_t g = groups; g-- > 0 && status == GWS_OK;) {
        uint64_t *ran = search->ran + (uint64_t)g * bfs_stats_words, word = search->ran[g];
        search->ran[g] = 0;
        ran[gws__bfs_stats_ran] = ran[gws__bfs_stats_given] = word;
    }
    return status;
}

/* ---- several searches ---- */

/* Their blocks each have a row of the statistics, so they are no more than the workers. */
static uint32_t clusters_side_by_side(const struct gws_bfs_device *search)
{
    const struct gws__bfs_mesh *own = search->own;
    uint32_t clusters = clusters_of(search), most = search->options.groups / own->groups;
    return clusters < most ? clusters : most > 0 ? most : 1;
}

static uint32_t batch_of(struct gws_bfs_device *search, uint64_t *bytes)
{
    const struct gws__bfs_mesh *own = search->own;
    uint32_t clusters = clusters_side_by_side(search);
    *bytes = own->rows * 8;
    return clusters > 1 ? clusters * rounds : 1;
}

static void swap_state(struct gws__bfs_mesh *own)
{
    for (int i = mesh_list; i <= mesh_bitmap; i++) {
        struct gws_device_buffer *before = own->buffer[i];
        own->buffer[i] = own->set_aside[i];
        own->set_aside[i] = before;
    }
}

static gws_status batch_open(struct gws_bfs_device *search, uint32_t searches, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    uint32_t clusters = clusters_side_by_side(search);
    own->clusters = clusters < searches ? clusters : searches;
    swap_state(own);
    return open_state(search, own->clusters, where);
}

static void batch_close(struct gws_bfs_device *search)
{
    struct gws__bfs_mesh *own = search->own;
    for (int i = mesh_list; i <= mesh_bitmap; i++) {
        gws_device_buffer_free(own->buffer[i]);
        own->buffer[i] = NULL;
    }
    swap_state(own);
    own->clusters = 1;
}

const struct gws__bfs_persistent gws__bfs_mesh = {
    .level_bytes = 4,
    .open = open_mesh,
    .close = close_mesh,
    .launch = launch_mesh,
    .level = level_of,
    .fetch_stats = fetch_stats,
    .batch = batch_of,
    .batch_open = batch_open,
    .batch_close = batch_close,
};

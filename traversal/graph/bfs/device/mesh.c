/* SPDX-License-Identifier: MIT */
/* The kernel for meshes on CUDA. One cluster of blocks searches rows of four targets (kernels/cuda/mesh_words.cuh).
 * The rows may lie in host memory that the device can read. */
#include "mesh.h"

#include <stdio.h>

#include "../../../../kernels/cuda/mesh_layout.h"
#include "../../../../kernels/kernels.h"
#include "handoff.h"

enum { frontier_rows = 1024 /* capacity of a block's frontier in rows */, small_vertices = 1 << 21 };

enum { rounds = 4 /* searches per cluster in a batch, so few other searches wait for a long search */ };

/* ---- the kernel ---- */

/* The search uses the first kernel that the device supports. Large meshes have wide levels, for which claims through
 * the L2 cache are faster than claims from block to block. */
static const struct gws__mesh_kernel kernels[] = {
    {"bfs_mesh_16", 16, 512, true, true},         {"bfs_mesh_global_16", 16, 1024, false, false},
    {"bfs_mesh_8", 8, 1024, true, false},         {"bfs_mesh_1", 1, 1024, true, false},
    {"bfs_mesh_global_1", 1, 1024, false, false}, {NULL, 0, 0, false, false}};

static const uint32_t row_capacity = frontier_rows;

static uint64_t local_bytes(const struct gws_bfs_device *search, const struct gws__mesh_kernel *kernel)
{
    uint64_t words = (search->graph->vertices + 31) / 32;
    uint64_t bitmap = kernel->local_bitmap ? (words + kernel->blocks - 1) / kernel->blocks * 4 : 0;
    return frontier_rows * MESH_FRONTIER_ROW_BYTES + MESH_COUNTS_BYTES + bitmap;
}

static struct gws_device_launch launch_of(const struct gws_bfs_device *search, const struct gws__mesh_kernel *kernel)
{
    return (struct gws_device_launch){.program = search->program,
                                      .kernel = kernel->name,
                                      .group_size = kernel->group_size,
                                      .cluster = kernel->blocks > 1 ? kernel->blocks : 0};
}

/* Returns the number of clusters that can be resident, or 0 if none can or the device does not report the number. */
static uint32_t resident(const struct gws_bfs_device *search, const struct gws__mesh_kernel *kernel)
{
    const struct gws_device_argument local = {.bytes = local_bytes(search, kernel)};
    struct gws_device_launch launch = launch_of(search, kernel);
    uint64_t groups = 0;
    launch.argument = &local;
    launch.arguments = 1;
    launch.resident = true;
    if (gws_device_resident(search->device, &launch, &groups, NULL) != GWS_OK) return 0;
    return (uint32_t)(groups / kernel->blocks);
}

static bool fits(const struct gws_bfs_device *search, const struct gws__mesh_kernel *kernel)
{
    const struct gws_device_info *info = gws_device_describe(search->device);
    if (kernel->small_only && search->graph->vertices >= small_vertices) return false;
    if (kernel->blocks > 1 && kernel->blocks > info->max_cluster) return false;
    return resident(search, kernel) > 0;
}

static uint32_t clusters_of(const struct gws_bfs_device *search)
{
    uint32_t clusters = resident(search, ((struct gws__bfs_mesh *)search->own)->kernel);
    return clusters > 0 ? clusters : 1;
}

/* Returns the number of clusters that search at once. Each block has a row of the statistics, so the blocks must not
 * outnumber the workers. */
static uint32_t clusters_side_by_side(const struct gws_bfs_device *search)
{
    const struct gws__bfs_mesh *own = search->own;
    uint32_t clusters = clusters_of(search), max = search->options.groups / own->kernel->blocks;
    return clusters < max ? clusters : max > 0 ? max : 1;
}

/* Creates the arrays of the clusters. */
static gws_status open_results(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_mesh *own = search->own;
    struct gws__bfs_results *results = &search->results;
    uint64_t words = own->kernel->local_bitmap ? 0 : (search->graph->vertices + 31) / 32;
    uint32_t clusters = clusters_side_by_side(search);
    if (clusters > results->searches) clusters = results->searches;
    results->clusters = clusters;
    const struct gws__bfs_need need[] = {{.buffer = &results->own[mesh_list], .bytes = own->rows * 8 * clusters},
                                         {.buffer = &results->own[mesh_list_end], .bytes = clusters * 4ull},
                                         {.buffer = &results->own[mesh_bitmap], .bytes = words * 4 * clusters}};
    return gws__bfs_device_buffers(search, need, sizeof need / sizeof *need, where);
}

static gws_status open_kernel(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_mesh *own = search->own;
    const char *program = !own->at_host ? "bfs_mesh" : own->slots > 0 ? "bfs_mesh_paged" : "bfs_mesh_host";
    gws_status status = gws__kernel_program_build(search->device, program, NULL, &search->program, where);
    if (status != GWS_OK) return status;
    own->kernel = kernels;
    while (own->kernel->name && !fits(search, own->kernel)) own->kernel++;
    if (own->kernel->name) return GWS_OK;
    return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "no mesh kernel fits on %s",
                              gws_device_describe(search->device)->address);
}

static gws_status open_mesh(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_mesh *own = gws_allocate(search->runtime, 1, sizeof *own);
    if (!own) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *own = (struct gws__bfs_mesh){.rows = search->mesh_rows};
    search->own = own;
    own->at_host = search->placement == GWS_PLACE_HOST;
    if (own->at_host && !gws__bfs_mesh_plan_rows(search, &own->device_rows, &own->slots))
        return gws_diagnostic_status(where, GWS_NO_MEMORY);
    const struct gws__bfs_need stats = {.buffer = &search->array[gws__bfs_stats],
                                        .bytes = (uint64_t)search->options.groups * STATS_STRIDE * 8,
                                        .clear = true};
    gws_status status = gws__bfs_device_buffers(search, &stats, 1, where);
    if (status == GWS_OK) status = open_kernel(search, where);
    return status == GWS_OK ? gws__bfs_mesh_open_rows(search, clusters_of(search), where) : status;
}

static void close_mesh(struct gws_bfs_device *search)
{
    struct gws__bfs_mesh *own = search->own;
    if (!own) return;
    if (!own->at_host) own->buffer[mesh_row] = NULL; /* the device graph owns these rows */
    for (int i = 0; i < mesh_buffers; i++) gws_device_buffer_free(own->buffer[i]);
    gws_release(search->runtime, own, 1, sizeof *own);
    search->own = NULL;
}

bool gws__bfs_mesh_is_wide(const struct gws_bfs_device *search)
{
    enum { rows_listed = 1 };
    return (uint64_t)search->summary.extra[rows_listed] * 4 > search->summary.reached;
}

/* ---- running ---- */

static gws_status prepare(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_mesh *own = search->own;
    const struct gws__bfs_results *results = &search->results;
    const uint32_t *source = results->from ? results->from : &search->result->source;
    gws_status status = own->slots > 0 ? gws__mesh_cache_clear(search, where) : GWS_OK;
    if (status != GWS_OK || gws__bfs_handoff_resumes(search)) return status;
    status =
        gws_device_fill(search->array[gws__bfs_stats], 0, 0, own->kernel->blocks * 2ull * results->clusters, where);
    return status == GWS_OK ? gws_device_write(results->source, 0, source, results->searches * 4ull, where) : status;
}

static gws_status launch_mesh(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_mesh *own = search->own;
    struct gws__bfs_results *results = &search->results;
    const uint64_t stride = search->graph->vertices;
    const uint32_t prefetch_clusters = results->searches == 1 ? own->prefetch_clusters : 0;
    const bool handoff_enabled = search->handoff && search->handoff->enabled;
    if (results->clusters > results->searches) results->clusters = results->searches;
    struct gws_device_argument argument[bfs_max_arguments] = {{.value = &search->graph->vertices, .bytes = 8},
                                                              {.value = &own->rows, .bytes = 8},
                                                              {.buffer = own->buffer[mesh_row]},
                                                              {.buffer = search->array[gws__bfs_depth]},
                                                              {.buffer = search->array[gws__bfs_parent]},
                                                              {.buffer = results->level},
                                                              {.buffer = results->own[mesh_list]},
                                                              {.buffer = results->own[mesh_list_end]},
                                                              {.buffer = results->own[mesh_bitmap]},
                                                              {.buffer = results->source},
                                                              {.value = &results->searches, .bytes = 4},
                                                              {.value = &stride, .bytes = 8},
                                                              {.buffer = results->summary},
                                                              {.buffer = search->array[gws__bfs_stats]},
                                                              gws__device_trace_argument(&search->trace),
                                                              {.value = &row_capacity, .bytes = 4},
                                                              {.bytes = local_bytes(search, own->kernel)},
                                                              {.buffer = own->buffer[mesh_host_row]},
                                                              {.value = &own->device_rows, .bytes = 4},
                                                              {.buffer = own->buffer[mesh_slot]},
                                                              {.value = &own->slots, .bytes = 4},
                                                              {.value = &prefetch_clusters, .bytes = 4},
                                                              {.value = &own->prefetch_distance, .bytes = 4},
                                                              {.buffer = own->buffer[mesh_control]}};
    const uint32_t resident_only = 17, of_host = 2, of_cache = 5;
    uint32_t arguments = resident_only + (own->at_host ? of_host : 0) + (own->slots ? of_cache : 0);
    if (handoff_enabled)
        memcpy(argument + arguments, search->handoff->argument, gws__bfs_handoff_arguments * sizeof *argument);
    struct gws_device_launch launch = launch_of(search, own->kernel);
    char name[40];
    snprintf(name, sizeof name, "%s%s", own->kernel->name, handoff_enabled ? "_handoff" : "");
    launch.kernel = name;
    launch.groups = (uint64_t)own->kernel->blocks * (results->clusters + prefetch_clusters);
    launch.argument = argument;
    launch.arguments = arguments + (handoff_enabled ? gws__bfs_handoff_arguments : 0);
    gws_status status = prepare(search, where);
    return status == GWS_OK ? gws_device_run(search->device, &launch, where) : status;
}

/* ---- records and statistics ---- */

static struct gws_bfs_level level_of(const struct gws_bfs_device *search, const void *record)
{
    const struct gws__bfs_mesh *own = search->own;
    return (struct gws_bfs_level){.size = *(const uint32_t *)record, .workers = own->kernel->blocks};
}

/* Reads the statistics. The device writes one word per block. */
static gws_status fetch_stats(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    const struct gws__bfs_mesh *own = search->own;
    uint32_t groups = own->kernel->blocks * search->results.clusters;
    gws_status status = gws_device_read(search->array[gws__bfs_stats], 0, search->ran, groups * 8ull, where);
    for (uint32_t g = groups; g-- > 0 && status == GWS_OK;) {
        uint64_t *ran = search->ran + (uint64_t)g * STATS_STRIDE, word = search->ran[g];
        search->ran[g] = 0;
        ran[STATS_RUN] = ran[STATS_ASSIGNED] = word;
    }
    return status;
}

/* ---- several searches ---- */

static uint32_t batch_of(struct gws_bfs_device *search, uint64_t *bytes)
{
    const struct gws__bfs_mesh *own = search->own;
    uint32_t clusters = clusters_side_by_side(search);
    *bytes = own->rows * 8;
    return clusters > 1 ? clusters * rounds : 1;
}

const struct gws__bfs_persistent gws__bfs_mesh = {
    .level_bytes = 4,
    .open = open_mesh,
    .close = close_mesh,
    .launch = launch_mesh,
    .level = level_of,
    .fetch_stats = fetch_stats,
    .batch = batch_of,
    .open_results = open_results,
};

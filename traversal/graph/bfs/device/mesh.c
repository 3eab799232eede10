/* SPDX-License-Identifier: MIT */
/* Meshes on CUDA: rows of four targets, searched by one cluster of blocks; kernels/cuda/mesh_words.cuh says how. Rows
 * may lie with the host, in memory that the device reads in place. */
#include "../../../engine/mesh_rows.h"
#include "mesh_row_cache.h"

enum own { row = bfs_cuda_own, host_row };

/* As in kernels/cuda/mesh_words.cuh. */
enum { room = 1024, front_bytes = 40, tally_bytes = 288, narrow_vertices = 1 << 21 };

/* ---- rows ---- */

/* Bytes on the device without the rows, about: results, the list, the bitmap. */
static uint64_t least_bytes(const struct gws_bfs_device *search, uint64_t rows)
{
    uint64_t vertices = search->graph->vertices;
    return vertices * 12 + rows * 8 + (vertices + 31) / 32 * 4 + (1 << 16);
}

/* Rows that there is room for on the device: all, or of the vertices' first ones as many as fit; none where the arcs
 * are to stay with the host. */
static uint64_t room_for(const struct gws_bfs_device *search, uint64_t rows, uint64_t bytes)
{
    uint64_t vertices = search->graph->vertices;
    uint64_t room = search->budgeted ? bytes / sizeof(gws__mesh_row) : 0;
    return room >= rows ? rows : room < vertices ? room : vertices;
}

bool gws__bfs_cuda_mesh_keep(const struct gws_bfs_device *search, uint32_t *kept, uint32_t *places)
{
    uint64_t memory = search->memory, rows, left = 0;
    if (gws_device_describe(search->device)->svm < GWS_SVM_FINE || !gws__mesh_rows_count(search->graph, &rows) ||
        gws_device_memory_left(search->device, &left, NULL) != GWS_OK)
        return false;
    if (memory > left - left / 32) memory = left - left / 32; /* something of what is free stays for the driver */
    uint64_t least = least_bytes(search, rows);
    if (memory < least) return false;
    uint64_t bytes = memory - least, largest = gws_device_describe(search->device)->max_buffer;
    if (bytes > largest) bytes = largest;
    uint64_t most = search->budgeted ? search->graph->vertices : 0; /* there are less than 2^31 rows */
    *kept = (uint32_t)gws__bfs_cuda_pages_keep(rows, most, bytes, places);
    if (*places == 0) *kept = (uint32_t)room_for(search, rows, bytes);
    return true;
}

/* Those near go through memory of the host's, the far ones are written where the device reads them. */
static gws_status open_rows(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    struct gws__mesh_rows rows = {.kept = own->at_host ? own->kept : own->rows};
    void *far = NULL;
    gws_status status = GWS_OK;
    if (own->at_host)
        status = gws_device_shared_new(search->device, (own->rows - rows.kept) * sizeof *rows.far,
                                       &own->buffer[host_row], &far, where);
    if (status != GWS_OK) return status;
    rows.far = far;
    rows.near = gws_allocate(search->runtime, rows.kept, sizeof *rows.near);
    if (!rows.near || gws__mesh_rows_write(search->runtime, search->graph, &rows) != GWS_OK)
        status = gws__bfs_device_no_memory(where);
    if (status == GWS_OK)
        status = gws__bfs_cuda_buffer(search, row, rows.kept * sizeof *rows.near, rows.near, false, where);
    gws_release(search->runtime, rows.near, rows.kept, sizeof *rows.near);
    return status;
}

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
    struct gws__bfs_cuda *own = search->own;
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
    const struct gws__bfs_cuda *own = search->own;
    uint64_t groups = resident(search, own->kernel, own->group_size, own->groups, own->local_bytes);
    return groups > own->groups ? (uint32_t)(groups / own->groups) : 1;
}

gws_status gws__bfs_cuda_mesh_open(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    const char *program = !own->at_host ? "bfs_mesh" : own->places > 0 ? "bfs_mesh_paged" : "bfs_mesh_host";
    gws_status status = gws__bfs_cuda_program(search, program, where);
    if (status != GWS_OK) return status;
    const struct kernel *kernel = choose(search);
    if (!kernel)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "no kernel for meshes fits on %s",
                             gws_device_describe(search->device)->address);
    own->near = kernel->near;
    status = open_rows(search, where);
    if (status == GWS_OK && own->places > 0) status = gws__bfs_cuda_pages_open(search, clusters_of(search), where);
    return status == GWS_OK ? gws__bfs_cuda_mesh_state(search, 1, where) : status;
}

gws_status gws__bfs_cuda_mesh_state(struct gws_bfs_device *search, uint32_t clusters, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    uint64_t words = own->near ? 0 : (search->graph->vertices + 31) / 32;
    gws_status status = gws__bfs_cuda_buffer(search, bfs_cuda_list, own->rows * 8 * clusters, NULL, false, where);
    if (status == GWS_OK) status = gws__bfs_cuda_buffer(search, bfs_cuda_list_end, clusters * 4ull, NULL, false, where);
    if (status != GWS_OK) return status;
    return gws__bfs_cuda_buffer(search, bfs_cuda_bitmap, words * 4 * clusters, NULL, false, where);
}

/* Their blocks each have a row of the statistics, so they are no more than the workers. */
uint32_t gws__bfs_cuda_mesh_clusters(struct gws_bfs_device *search)
{
    const struct gws__bfs_cuda *own = search->own;
    uint32_t clusters = clusters_of(search), most = search->options.groups / own->groups;
    return clusters < most ? clusters : most > 0 ? most : 1;
}

/* ---- running ---- */

gws_status gws__bfs_cuda_mesh_run(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    const uint64_t stride = search->graph->vertices;
    const uint32_t carriers = own->searches == 1 ? own->carriers : 0;
    struct gws_device_argument argument[] = {{.value = &search->graph->vertices, .bytes = 8},
                                             {.value = &own->rows, .bytes = 8},
                                             {.buffer = own->buffer[row]},
                                             {.buffer = own->buffer[bfs_cuda_depth]},
                                             {.buffer = own->buffer[bfs_cuda_parent]},
                                             {.buffer = own->buffer[bfs_cuda_level_size]},
                                             {.buffer = own->buffer[bfs_cuda_list]},
                                             {.buffer = own->buffer[bfs_cuda_list_end]},
                                             {.buffer = own->buffer[bfs_cuda_bitmap]},
                                             {.buffer = own->buffer[bfs_cuda_source]},
                                             {.value = &own->searches, .bytes = 4},
                                             {.value = &stride, .bytes = 8},
                                             {.buffer = own->buffer[bfs_cuda_told]},
                                             {.buffer = own->buffer[bfs_cuda_stats]},
                                             {.value = &own->room, .bytes = 4},
                                             {.bytes = own->local_bytes},
                                             {.buffer = own->buffer[host_row]},
                                             {.value = &own->kept, .bytes = 4},
                                             {.buffer = own->buffer[bfs_cuda_place]},
                                             {.value = &own->places, .bytes = 4},
                                             {.value = &carriers, .bytes = 4},
                                             {.value = &own->hops, .bytes = 4},
                                             {.buffer = own->buffer[bfs_cuda_control]}};
    const uint32_t of_host = 2, of_pages = 5, left_out = own->places ? 0 : of_pages + (own->at_host ? 0 : of_host);
    const uint32_t arguments = sizeof argument / sizeof *argument - left_out;
    gws_status status = own->places > 0 ? gws__bfs_cuda_pages_clear(search, where) : GWS_OK;
    if (status != GWS_OK) return status;
    if (!own->resumes)
        status = gws_device_fill(own->buffer[bfs_cuda_stats], 0, 0, own->groups * 2ull * own->clusters, where);
    if (status != GWS_OK) return status;
    return gws__bfs_cuda_launch(search, argument, arguments, where);
}

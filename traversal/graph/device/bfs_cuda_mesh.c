/* SPDX-License-Identifier: MIT */
/* Meshes on CUDA: rows of four targets, searched by one cluster of blocks; kernels/cuda/mesh_words.cuh says how. */
#include "bfs_cuda.h"

enum own { row = bfs_cuda_own };

/* As in kernels/cuda/mesh_words.cuh. */
enum { row_words = 4, room = 1024, front_bytes = 40, tally_bytes = 288, narrow_vertices = 1 << 21 };
#define ROW_GOES_ON 0x80000000u

/* ---- rows ---- */

/* Rows that a vertex of that degree takes beyond its first. */
static uint64_t further_of(uint64_t degree)
{
    return degree <= row_words ? 0 : (degree - 2) / (row_words - 1);
}

bool gws__bfs_cuda_is_mesh(const struct gws_graph *graph, uint64_t *rows)
{
    uint64_t most = graph->vertices + graph->vertices / 16; /* then it takes no more memory than other graphs */
    if (graph->arcs > row_words * graph->vertices || 2 * graph->arcs < 3 * graph->vertices || most >= ROW_GOES_ON)
        return false;
    *rows = graph->vertices;
    for (uint64_t v = 0; v < graph->vertices && *rows <= most; v++)
        *rows += further_of(gws_graph_degree(graph, (uint32_t)v));
    return *rows <= most;
}

/* Writes a vertex's rows; *further is the next free one beyond the vertices'. */
static void write_rows(const struct gws_graph *graph, uint32_t vertex, uint32_t (*rows)[row_words], uint32_t *further)
{
    const uint32_t *target = graph->target + graph->offset[vertex];
    uint64_t left = gws_graph_degree(graph, vertex), at = vertex;
    for (; left > row_words; left -= row_words - 1, target += row_words - 1) {
        for (int i = 0; i < row_words - 1; i++) rows[at][i] = target[i];
        rows[at][row_words - 1] = ROW_GOES_ON | *further;
        at = graph->vertices + (*further)++;
    }
    for (uint64_t i = 0; i < row_words; i++) rows[at][i] = i < left ? target[i] : GWS_NO_VERTEX;
}

static gws_status open_rows(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    uint32_t(*rows)[row_words] = gws_allocate(search->runtime, own->rows, sizeof *rows), further = 0;
    if (!rows) return gws__bfs_device_no_memory(where);
    for (uint64_t v = 0; v < search->graph->vertices; v++) write_rows(search->graph, (uint32_t)v, rows, &further);
    gws_status status = gws__bfs_cuda_buffer(search, row, own->rows * sizeof *rows, rows, false, where);
    gws_release(search->runtime, rows, own->rows, sizeof *rows);
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

gws_status gws__bfs_cuda_mesh_open(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    gws_status status = gws__bfs_cuda_program(search, "bfs_mesh", where);
    if (status != GWS_OK) return status;
    const struct kernel *kernel = choose(search);
    if (!kernel)
        return gws_where_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "no kernel for meshes fits on %s",
                             gws_device_describe(search->device)->address);
    own->near = kernel->near;
    status = open_rows(search, where);
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
    uint64_t groups = resident(search, own->kernel, own->group_size, own->groups, own->local_bytes);
    if (groups > search->options.groups) groups = search->options.groups;
    return groups > own->groups ? (uint32_t)(groups / own->groups) : 1;
}

/* ---- running ---- */

gws_status gws__bfs_cuda_mesh_run(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    const uint64_t stride = search->graph->vertices;
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
                                             {.bytes = own->local_bytes}};
    gws_status status = GWS_OK;
    if (!own->resumes)
        status = gws_device_fill(own->buffer[bfs_cuda_stats], 0, 0, own->groups * 2ull * own->clusters, where);
    if (status != GWS_OK) return status;
    return gws__bfs_cuda_launch(search, argument, sizeof argument / sizeof *argument, where);
}

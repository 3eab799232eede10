/* SPDX-License-Identifier: MIT */
/* Decides which searches the mesh kernel runs (mesh.c), and places the rows of a mesh on the device or in host memory.
 * The device may have a row cache with slots for a quarter of the rows in host memory. Prefetch clusters fill the
 * cache in pages during the search (kernels/cuda/mesh_row_cache.cuh). So a search finds nearly all rows on the device,
 * even if the graph exceeds the device's memory. */
#include "../../../../kernels/cuda/mesh_layout.h"
#include "../../../engine/mesh_rows.h"
#include "mesh.h"

enum { min_rows = 1 << 14, prefetch_blocks = 16, row_bytes = sizeof(gws__mesh_row) };

/* ---- applicability ---- */

static bool is_plain(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    return options->groups == 0 && options->group_size == 0 && gws__bfs_device_is_plain(search) &&
           gws_device_describe(search->device)->api == GWS_DEVICE_CUDA;
}

static bool is_mesh(struct gws_bfs_device *search)
{
    bool left_out = search->device_graph->without & GWS_INDEX_SET(GWS_INDEX_MESH);
    if (left_out || !gws__mesh_rows_count(search->graph, &search->mesh_rows)) search->mesh_rows = 0;
    return search->mesh_rows > 0;
}

bool gws__bfs_mesh_supports(struct gws_bfs_device *search)
{
    bool policy = search->work_queue == gws__bfs_chunked || search->work_queue == gws__bfs_static;
    return policy && is_plain(search) && !search->limited && gws__bfs_device_fits(search) && is_mesh(search);
}

/* ---- the row cache ---- */

static uint64_t pages_of(uint64_t rows)
{
    return (rows + MESH_PAGE_ROWS - 1) / MESH_PAGE_ROWS;
}

/* Returns the number of slots for these rows, a multiple of the rows in a page. */
static uint64_t slots_of(uint64_t rows)
{
    return (pages_of(rows) + MESH_CACHE_SHARING - 1) / MESH_CACHE_SHARING * MESH_PAGE_ROWS;
}

/* Returns the words of the ring buffers plus two. The two words after the ring buffers are the number of the searching
 * cluster, and the flag that ends the prefetch clusters. */
static uint64_t ring_words(uint64_t blocks)
{
    return (blocks * MESH_RING_CAPACITY + 2) * 2;
}

static uint64_t control_bytes(uint64_t rows)
{
    return (ring_words(MESH_MAX_BLOCKS) + MESH_CACHE_COUNT_WORDS + pages_of(rows) + slots_of(rows) / MESH_PAGE_ROWS) *
           4;
}

uint64_t gws__mesh_cache_plan(uint64_t rows, uint64_t max, uint64_t bytes, uint32_t *slots)
{
    uint64_t min = control_bytes(rows) + slots_of(rows) * MESH_CACHE_LINES * row_bytes, cached = 0;
    *slots = 0;
    if (rows < min_rows || bytes < min || (max > 0 && bytes >= rows * row_bytes)) return 0;
    if (max > 0)
        cached = (bytes - min) / (row_bytes - row_bytes * MESH_CACHE_LINES / MESH_CACHE_SHARING) / MESH_PAGE_ROWS *
                 MESH_PAGE_ROWS;
    if (cached > max / MESH_PAGE_ROWS * MESH_PAGE_ROWS) cached = max / MESH_PAGE_ROWS * MESH_PAGE_ROWS;
    *slots = (uint32_t)slots_of(rows - cached); /* there are fewer than 2^31 rows */
    return cached;
}

static gws_status open_cache(struct gws_bfs_device *search, uint32_t clusters, struct gws_diagnostic *where)
{
    struct gws__bfs_mesh *own = search->own;
    uint64_t bytes = (uint64_t)own->slots * MESH_CACHE_LINES * row_bytes;
    uint32_t wanted = (prefetch_blocks + own->kernel->blocks - 1) / own->kernel->blocks;
    own->prefetch_clusters = clusters - 1 < wanted ? clusters - 1 : wanted;
    own->prefetch_distance = own->kernel->local_bitmap ? 1 : 2; /* a small mesh has few slots and uses many of them */
    const struct gws__bfs_need need[] = {
        {.buffer = &own->buffer[mesh_slot], .bytes = bytes},
        {.buffer = &own->buffer[mesh_control], .bytes = control_bytes(own->rows), .clear = true}};
    gws_status status = gws__bfs_device_buffers(search, need, 2, where);
    return status == GWS_OK ? gws_device_fill(own->buffer[mesh_slot], 0, UINT32_MAX, bytes / 4, where) : status;
}

/* Clears the control words, which are the ring buffers, the counts and one word per page. */
gws_status gws__mesh_cache_clear(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws__bfs_mesh *own = search->own;
    uint64_t words = ring_words(own->kernel->blocks) + MESH_CACHE_COUNT_WORDS + pages_of(own->rows);
    return gws_device_fill(own->buffer[mesh_control], 0, 0, words, where);
}

void gws__mesh_cache_read_counts(const struct gws_bfs_device *search, struct gws_bfs_device_cached *cached)
{
    const struct gws__bfs_mesh *own = search->own;
    uint64_t count[MESH_CACHE_COUNT_WORDS / 2] = {0};
    if (own->slots == 0) return;
    cached->cache_rows = (uint64_t)own->slots * MESH_CACHE_LINES;
    if (gws_device_read(own->buffer[mesh_control], ring_words(own->kernel->blocks) * 4, count, sizeof count, NULL) !=
        GWS_OK)
        return;
    cached->missed = count[0];
    cached->prefetched = count[1] * MESH_PAGE_ROWS;
}

/* ---- rows ---- */

/* Returns the estimated device memory without the rows, for results, list and bitmap. */
static uint64_t min_bytes(const struct gws_bfs_device *search, uint64_t rows)
{
    uint64_t vertices = search->graph->vertices;
    return vertices * 12 + rows * 8 + (vertices + 31) / 32 * 4 + (1 << 16);
}

/* Returns the number of rows on the device: all if they fit, otherwise the first ones, and none without a budget. */
static uint64_t rows_that_fit(const struct gws_bfs_device *search, uint64_t rows, uint64_t bytes)
{
    uint64_t vertices = search->graph->vertices;
    uint64_t capacity = search->budgeted ? bytes / row_bytes : 0;
    return capacity >= rows ? rows : capacity < vertices ? capacity : vertices;
}

bool gws__bfs_mesh_host_supports(struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool steal = !options->cpu || options->steal == GWS_BFS_STEAL_ALL;
    uint32_t cached, slots;
    return options->strategy == GWS_BFS_STRATEGY_AUTO && options->launch == GWS_BFS_LAUNCH_AUTO && steal &&
           search->work_queue == gws__bfs_chunked && is_plain(search) && is_mesh(search) &&
           gws__bfs_mesh_plan_rows(search, &cached, &slots);
}

bool gws__bfs_mesh_plan_rows(const struct gws_bfs_device *search, uint32_t *cached, uint32_t *slots)
{
    uint64_t rows = search->mesh_rows, bytes, largest = gws_device_describe(search->device)->max_buffer;
    if (gws_device_describe(search->device)->svm < GWS_SVM_FINE ||
        gws__bfs_device_budget(search, min_bytes(search, rows), &bytes, NULL) != GWS_OK)
        return false;
    if (bytes > largest) bytes = largest;
    uint64_t max = search->budgeted ? search->graph->vertices : 0; /* there are fewer than 2^31 rows */
    *cached = (uint32_t)gws__mesh_cache_plan(rows, max, bytes, slots);
    if (*slots == 0) *cached = (uint32_t)rows_that_fit(search, rows, bytes);
    return true;
}

/* Creates the rows. If all rows are on the device, they are the graph's index. For a host-resident graph, a temporary
 * array holds the device's rows before their upload, and the function writes the host's rows to shared memory. */
gws_status gws__bfs_mesh_open_rows(struct gws_bfs_device *search, uint32_t clusters, struct gws_diagnostic *where)
{
    struct gws__bfs_mesh *own = search->own;
    struct gws__mesh_rows rows = {.device_rows = own->device_rows};
    void *on_host = NULL;
    gws_status status;
    if (!own->at_host) {
        status = gws_device_graph_prepare(search->device_graph, GWS_INDEX_MESH, where);
        own->buffer[mesh_row] = gws_device_graph_buffer(search->device_graph, GWS_ARRAY_MESH);
        return status;
    }
    status = gws_device_shared_new(search->device, (own->rows - rows.device_rows) * sizeof *rows.on_host,
                                   &own->buffer[mesh_host_row], &on_host, where);
    if (status != GWS_OK) return status;
    rows.on_host = on_host;
    rows.on_device = gws_allocate(search->runtime, rows.device_rows, sizeof *rows.on_device);
    if (!rows.on_device || gws__mesh_rows_write(search->runtime, search->graph, &rows) != GWS_OK)
        status = gws_diagnostic_status(where, GWS_NO_MEMORY);
    const uint64_t bytes = rows.device_rows * sizeof *rows.on_device;
    if (status == GWS_OK) status = gws_device_buffer_new(search->device, bytes, &own->buffer[mesh_row], where);
    if (status == GWS_OK) status = gws_device_write(own->buffer[mesh_row], 0, rows.on_device, bytes, where);
    gws_release(search->runtime, rows.on_device, rows.device_rows, sizeof *rows.on_device);
    return status == GWS_OK && own->slots > 0 ? open_cache(search, clusters, where) : status;
}

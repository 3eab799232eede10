/* SPDX-License-Identifier: MIT */
/* Memory for rows that come in pages (mesh_row_cache.h): a quarter of those that are with the host, so the graph is
 * larger than what the device holds of it, and a search still finds nearly all of its rows there. */
#include "mesh_row_cache.h"

/* As in kernels/cuda/mesh_pages.cuh. */
enum { page_rows = 32, ways = 2, sharing = 8, row_bytes = 16, ring_room = 1024, count_words = 4, most_blocks = 16 };

enum { least_rows = 1 << 14, carrier_blocks = 16 };

static uint64_t pages_of(uint64_t rows)
{
    return (rows + page_rows - 1) / page_rows;
}

/* Of whole pages. */
static uint64_t places_of(uint64_t rows)
{
    return (pages_of(rows) + sharing - 1) / sharing * page_rows;
}

/* Words of the rings and of the two behind them, which tell who searches, and carriers that the search is done. */
static uint64_t ring_words(uint64_t blocks)
{
    return (blocks * ring_room + 2) * 2;
}

static uint64_t control_bytes(uint64_t rows)
{
    return (ring_words(most_blocks) + count_words + pages_of(rows) + places_of(rows) / page_rows) * 4;
}

uint64_t gws__mesh_cache_keep(uint64_t rows, uint64_t most, uint64_t bytes, uint32_t *places)
{
    uint64_t least = control_bytes(rows) + places_of(rows) * ways * row_bytes, kept = 0;
    *places = 0;
    if (rows < least_rows || bytes < least || (most > 0 && bytes >= rows * row_bytes)) return 0;
    if (most > 0) kept = (bytes - least) / (row_bytes - row_bytes * ways / sharing) / page_rows * page_rows;
    if (kept > most / page_rows * page_rows) kept = most / page_rows * page_rows;
    *places = (uint32_t)places_of(rows - kept); /* there are less than 2^31 rows */
    return kept;
}

gws_status gws__mesh_cache_open(struct gws_bfs_device *search, uint32_t clusters, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    uint64_t bytes = (uint64_t)own->places * ways * row_bytes, control = control_bytes(own->rows);
    uint32_t wanted = (carrier_blocks + own->groups - 1) / own->groups;
    own->carriers = clusters - 1 < wanted ? clusters - 1 : wanted;
    own->hops = own->near ? 1 : 2; /* near: a small mesh, of whose few places many are in use */
    gws_status status = gws__bfs_mesh_buffer(search, mesh_place, bytes, NULL, where);
    if (status == GWS_OK) status = gws_device_fill(own->buffer[mesh_place], 0, UINT32_MAX, bytes / 4, where);
    if (status == GWS_OK) status = gws__bfs_mesh_buffer(search, mesh_control, control, NULL, where);
    return status == GWS_OK ? gws_device_fill(own->buffer[mesh_control], 0, 0, control / 4, where) : status;
}

/* A search that goes on has its counts, and what it asked for. */
gws_status gws__mesh_cache_clear(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_mesh *own = search->own;
    uint64_t words = ring_words(own->groups) + count_words + pages_of(own->rows);
    return gws_device_fill(own->buffer[mesh_control], 0, 0, words, where);
}

void gws__mesh_cache_count(const struct gws_bfs_device *search, struct gws_bfs_device_kept *kept)
{
    const struct gws__bfs_mesh *own = search->own;
    uint64_t count[count_words / 2] = {0};
    if (own->places == 0) return;
    kept->room_rows = (uint64_t)own->places * ways;
    if (gws_device_read(own->buffer[mesh_control], ring_words(own->groups) * 4, count, sizeof count, NULL) != GWS_OK)
        return;
    kept->missed = count[0];
    kept->brought = count[1] * page_rows;
}

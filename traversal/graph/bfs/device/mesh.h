/* SPDX-License-Identifier: MIT */
/* A mesh on a CUDA device (mesh.c), and with its rows at the host (mesh_cache.c, mesh_host.c). */
#ifndef GWS_TRAVERSAL_BFS_MESH_H
#define GWS_TRAVERSAL_BFS_MESH_H

#include <string.h>

#include "../../../../lib/hetero/autotune.h"
#include "state.h"

enum gws__bfs_mesh_buffer {
    mesh_row,
    mesh_host_row,
    mesh_list, /* of each cluster, as are the next two */
    mesh_list_end,
    mesh_bitmap,
    mesh_slot, /* with rows at the host, and the next */
    mesh_control,
    mesh_buffers
};

/* A kernel: a search is one cluster's of so many blocks; 1: a block by itself. */
struct gws__mesh_kernel {
    const char *name;
    uint32_t blocks, group_size;
    bool local_bitmap, small_only; /* near: its bitmap is in the cluster's memory; narrow: for small meshes only */
};

struct gws__bfs_mesh {
    const struct gws__mesh_kernel *kernel;
    struct gws_device_buffer *buffer[mesh_buffers];
    struct gws_device_buffer *saved[mesh_bitmap - mesh_list + 1]; /* during a batch, those of a single search */
    uint32_t clusters;                                            /* that search side by side */
    uint64_t rows;
    bool at_host;         /* its rows lie with the host, but for the first */
    uint32_t device_rows; /* ... so many */
    uint32_t slots;       /* that the others share, an eighth of them each (mesh_cache.c); 0: none */
    uint32_t prefetch_clusters,
        prefetch_distance; /* clusters that bring rows there beside a search, and how far ahead */
    /* With rows at the host, and the CPU's side: */
    struct gws__autotune side; /* the next search's: 0 the device, 1 the threads */
    bool by_threads;           /* the last search */
};

/* ---- mesh_cache.c ---- */

/* Makes the rows, on the device, or those at the host where it reads them, and the places that these share; clusters:
 * how many run at the same time. */
gws_status gws__bfs_mesh_open_rows(struct gws_bfs_device *search, uint32_t clusters, struct gws_where *where);

/* Whether the graph is a mesh that can be searched with its rows at the host, as far as memory goes; and how many of
 * them the device is then to keep, and places for the others. */
bool gws__bfs_mesh_plan_rows(const struct gws_bfs_device *search, uint32_t *device_rows, uint32_t *slots);

/* Of so many rows and so many bytes for them on the device: how many it keeps for good, at most so many, and in *places
 * how many the others share; 0: there is no room for that, or for all of them, or there are too few to bother. */
uint64_t gws__mesh_cache_plan(uint64_t rows, uint64_t most, uint64_t bytes, uint32_t *slots);

/* Clears what is beside the places, before a launch; and what came of them in the last search: nothing where that
 * cannot be read. */
gws_status gws__mesh_cache_clear(struct gws_bfs_device *search, struct gws_where *where);
void gws__mesh_cache_read_counts(const struct gws_bfs_device *search, struct gws_bfs_device_kept *device_rows);

#endif

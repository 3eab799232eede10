/* SPDX-License-Identifier: MIT */
/* Search of a mesh on a CUDA device (mesh.c), also with rows in host memory (mesh_cache.c, mesh_host.c). */
#ifndef GWS_TRAVERSAL_BFS_MESH_H
#define GWS_TRAVERSAL_BFS_MESH_H

#include <string.h>

#include "../../../../lib/hetero/autotune.h"
#include "state.h"

/* Buffers of the mesh, from mesh_slot on for rows in host memory, and buffers of the results for each cluster. */
enum { mesh_row, mesh_host_row, mesh_slot, mesh_control, mesh_buffers };
enum { mesh_list, mesh_list_end, mesh_bitmap };

/* A mesh kernel. Each search runs on one cluster of `blocks` blocks, or on a single block if `blocks` is 1. */
struct gws__mesh_kernel {
    const char *name;
    uint32_t blocks, group_size;
    bool local_bitmap, small_only; /* local_bitmap: visited lies in the cluster's shared memory; small_only: for
                                    * small meshes only */
};

struct gws__bfs_mesh {
    const struct gws__mesh_kernel *kernel;
    struct gws_device_buffer *buffer[mesh_buffers];
    uint64_t rows;
    bool at_host;         /* rows lie in host memory, except for the first device_rows */
    uint32_t device_rows; /* number of rows that lie on the device */
    uint32_t slots;       /* cache slots for the other rows, of which eight share a slot (mesh_cache.c); 0: no cache */
    uint32_t prefetch_clusters,
        prefetch_distance; /* number of clusters that prefetch rows during a search, and prefetch distance in pages */
    /* Fields for rows in host memory with CPU workers: */
    struct gws__autotune side; /* side of the next search: 0 device, 1 threads */
    bool by_threads;           /* the last search ran on the threads */
};

/* ---- mesh_cache.c ---- */

/* Creates the rows on the device, or in host memory with a row cache. clusters: the number of clusters that can be
 * resident at once. */
gws_status gws__bfs_mesh_open_rows(struct gws_bfs_device *search, uint32_t clusters, struct gws_diagnostic *where);

/* Returns true if the host-resident graph is a mesh and its search fits in device memory. Sets *device_rows to the
 * number of rows that lie on the device, and *slots to the cache slots for the others. */
bool gws__bfs_mesh_plan_rows(const struct gws_bfs_device *search, uint32_t *device_rows, uint32_t *slots);

/* Divides `bytes` of device memory among `rows` rows. Returns the number of rows that lie on the device, at most `max`,
 * and sets *slots to the cache slots for the others. Both are 0 if the memory is too small for a cache, if all rows
 * fit, or if there are too few rows to benefit. */
uint64_t gws__mesh_cache_plan(uint64_t rows, uint64_t max, uint64_t bytes, uint32_t *slots);

/* gws__mesh_cache_clear() clears the cache's control words before a launch. gws__mesh_cache_read_counts() reads the
 * cache's counts of the last search into cached. A failed read leaves the counts 0. */
gws_status gws__mesh_cache_clear(struct gws_bfs_device *search, struct gws_diagnostic *where);
void gws__mesh_cache_read_counts(const struct gws_bfs_device *search, struct gws_bfs_device_cached *cached);

#endif

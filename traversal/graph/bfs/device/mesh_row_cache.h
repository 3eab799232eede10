/* SPDX-License-Identifier: MIT */
/* Places on the device for rows of a mesh that lie with the host, which carriers bring in pages while the search runs:
 * kernels/cuda/mesh_pages.cuh. */
#ifndef GWS_TRAVERSAL_BFS_MESH_ROW_CACHE_H
#define GWS_TRAVERSAL_BFS_MESH_ROW_CACHE_H

#include "mesh.h"

/* Of so many rows and so many bytes for them on the device: how many it keeps for good, at most so many, and in *places
 * how many the others share; 0: there is no room for that, or for all of them, or there are too few to bother. */
uint64_t gws__mesh_cache_keep(uint64_t rows, uint64_t most, uint64_t bytes, uint32_t *places);

/* Makes the places and what is beside them; clusters: how many run at the same time. */
gws_status gws__mesh_cache_open(struct gws_bfs_device *search, uint32_t clusters, struct gws_where *where);

/* Before a launch. */
gws_status gws__mesh_cache_clear(struct gws_bfs_device *search, struct gws_where *where);

/* What came of them in the last search; nothing where that cannot be read. */
void gws__mesh_cache_count(const struct gws_bfs_device *search, struct gws_bfs_device_kept *kept);

#endif

/* SPDX-License-Identifier: MIT */
/* A mesh on a CUDA device (mesh.c), and with its rows at the host (mesh_host.c, mesh_row_cache.c). */
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
    mesh_place, /* with rows at the host, and the next */
    mesh_control,
    mesh_buffers
};

struct gws__bfs_mesh {
    const char *kernel;
    uint32_t groups, group_size, cluster; /* of one search */
    uint64_t local_bytes;
    struct gws_device_buffer *buffer[mesh_buffers];
    struct gws_device_buffer *set_aside[mesh_buffers]; /* during a batch, those of a single search */
    uint32_t clusters;                                 /* that search side by side */
    uint32_t room;                                     /* rows in a block's frontier */
    uint64_t rows;
    bool near;               /* its bitmap is in the cluster's memory */
    bool at_host;            /* its rows lie with the host, but for the first */
    uint32_t kept;           /* ... so many */
    uint32_t places;         /* that the others share, an eighth of them each (mesh_row_cache.h); 0: none */
    uint32_t carriers, hops; /* clusters that bring rows there beside a search, and how far ahead */
    /* With rows at the host, and the CPU's side: */
    struct gws__autotune side; /* the next search's: 0 the device, 1 the threads */
    bool by_threads;           /* the last search */
};

gws_status gws__bfs_mesh_buffer(struct gws_bfs_device *search, enum gws__bfs_mesh_buffer which, uint64_t bytes,
                                const void *from, struct gws_where *where);

/* ---- mesh_place.c ---- */

/* Makes the rows: on the device, those at the host where it reads them. */
gws_status gws__bfs_mesh_open_rows(struct gws_bfs_device *search, struct gws_where *where);

/* Whether the graph is a mesh that can be searched with its rows at the host, as far as memory goes; and how many of
 * them the device is then to keep, and places for the others. */
bool gws__bfs_mesh_keep(const struct gws_bfs_device *search, uint32_t *kept, uint32_t *places);

#endif

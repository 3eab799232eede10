/* SPDX-License-Identifier: MIT */
/* A search by CUDA's own kernels that may be passed on to the host (bfs_cuda_hand.c). */
#ifndef GWS_TRAVERSAL_BFS_CUDA_HAND_H
#define GWS_TRAVERSAL_BFS_CUDA_HAND_H

#include "cuda.h"
#include "handoff.h"

enum { bfs_hand_arguments = 4 };

struct gws__bfs_cuda_handed {
    struct gws__bfs_cuda cuda; /* first: its functions find it here */
    struct gws__bfs_hand hand;
    struct gws_device_buffer *shared[bfs_hand_arguments]; /* state, list and visited, behind the rule */
    struct gws_device_argument more[bfs_hand_arguments];
    struct gws_bfs_device_model sum; /* what happened since the last reset */
};

/* What the way's functions do, for a way that has a struct gws__bfs_cuda_handed at the beginning of its own; open()
 * finds it cleared, free() leaves it to be released. */
gws_status gws__bfs_cuda_hand_open(struct gws_bfs_device *search, struct gws_where *where);
void gws__bfs_cuda_hand_free(struct gws_bfs_device *search);
gws_status gws__bfs_cuda_hand_run(struct gws_bfs_device *search, struct gws_where *where);
gws_status gws__bfs_cuda_hand_fetch(struct gws_bfs_device *search, struct gws_where *where);

/* With the statistics: what happened is forgotten. Searches of other forms are left alone. */
void gws__bfs_cuda_hand_reset(struct gws_bfs_device *search);

#endif

/* SPDX-License-Identifier: MIT */
/* Searches by the kernels of kernels/cuda/, which are tuned for NVIDIA's devices: one launch a search. Any graph goes
 * by rows and bitmaps over the whole device (bfs_cuda.c), a mesh by one cluster of blocks (bfs_cuda_mesh.c). */
#ifndef GWS_TRAVERSAL_BFS_CUDA_H
#define GWS_TRAVERSAL_BFS_CUDA_H

#include "state.h"

enum { bfs_cuda_group = 1024, bfs_cuda_most_buffers = 24, bfs_cuda_note_words = 6 /* struct share_notes */ };

/* What the kernels tell at the end: struct summary and struct mesh_summary. */
struct gws__bfs_cuda_told {
    uint32_t levels, reached, extra[2]; /* a mesh: the widest level, rows on the list */
};

struct gws__bfs_cuda {
    bool mesh;
    const char *kernel;
    uint32_t groups, group_size, cluster;
    uint64_t local_bytes;
    struct gws_device_buffer *buffer[bfs_cuda_most_buffers]; /* which is which, each of the two says */
    /* What a launch runs: so many searches, a mesh's by so many clusters, a result's arrays after the other's; its
     * time, and what it told of each. */
    const uint32_t *source; /* NULL: the result's */
    uint32_t searches, clusters;
    double ms;
    struct gws__bfs_cuda_told *told_of;
    struct gws__bfs_cuda_told told; /* of the last one fetched */
    uint32_t heavy, room;           /* arcs in a segment; rows in a block's frontier */
    uint64_t rows;                  /* of a mesh */
    bool near;                      /* its bitmap is in the cluster's memory */
    bool at_host;                   /* its rows lie with the host, but for the first */
    uint32_t kept;                  /* ... so many */
    uint32_t places;                /* that the others share, an eighth of them each (bfs_cuda_pages.h); 0: none */
    uint32_t carriers, hops;        /* clusters that bring rows there beside a search, and how far ahead */
    const struct gws_device_argument *more; /* of the kernel for searches that may be passed on; NULL: this is none */
    uint32_t mores;
    bool resumes; /* the search goes on */
};

/* Buffers that both have. */
enum {
    bfs_cuda_depth,
    bfs_cuda_parent,
    bfs_cuda_level_size,
    bfs_cuda_source,
    bfs_cuda_told,
    bfs_cuda_stats,
    bfs_cuda_level_how, /* not a mesh's */
    bfs_cuda_list,      /* a mesh's, and the next two */
    bfs_cuda_list_end,
    bfs_cuda_bitmap,
    bfs_cuda_place, /* a mesh's with rows at the host, and the next */
    bfs_cuda_control,
    bfs_cuda_busy, /* not a mesh's */
    bfs_cuda_own   /* the first of its own */
};

extern const struct gws__bfs_way gws__bfs_device_tuned, gws__bfs_device_handed;

/* Whether a search goes this way, for a device alone and handed: asked before sizes are chosen. */
bool gws__bfs_cuda_suits(const struct gws_bfs_device *search);
bool gws__bfs_cuda_suits_handed(const struct gws_bfs_device *search);

/* The same for a mesh whose rows lie with the host, alone and handed (bfs_cuda_host.c): after the placement is chosen.
 */
bool gws__bfs_cuda_suits_host(const struct gws_bfs_device *search);

extern const struct gws__bfs_way gws__bfs_device_mesh_at_host, gws__bfs_device_mesh_handed;

/* Where such a mesh proved too wide, puts its graph where the bridge reads it; the search goes that way from then on.
 */
gws_status gws__bfs_cuda_host_reconsider(struct gws_bfs_device *search, struct gws_where *where);

/* What the device keeps of the rows; false, and nothing done, if this is another way. */
bool gws__bfs_cuda_host_kept(const struct gws_bfs_device *search, struct gws_bfs_device_kept *kept);

/* What the way's functions do, for a way that has a struct gws__bfs_cuda at the beginning of its own. open() finds it
 * cleared; the model that a way may have made goes with the kernels, which reconsider() may change. run(): one launch,
 * for own->searches. */
gws_status gws__bfs_cuda_open(struct gws_bfs_device *search, struct gws_where *where);
void gws__bfs_cuda_free(struct gws_bfs_device *search);
bool gws__bfs_cuda_is_wide(const struct gws_bfs_device *search); /* the mesh's levels were too wide for one cluster */
gws_status gws__bfs_cuda_reconsider(struct gws_bfs_device *search, bool *changed, struct gws_where *where);
gws_status gws__bfs_cuda_run(struct gws_bfs_device *search, struct gws_where *where);

/* ---- bfs_cuda_launch.c ---- */

/* A buffer, filled from the host, or with zeros where from is NULL and clear. */
gws_status gws__bfs_cuda_buffer(struct gws_bfs_device *search, uint32_t which, uint64_t bytes, const void *from,
                                bool clear, struct gws_where *where);

gws_status gws__bfs_cuda_program(struct gws_bfs_device *search, const char *name, struct gws_where *where);

/* One kernel, timed: into the result, too, where the search is not passed on. */
gws_status gws__bfs_cuda_launch(struct gws_bfs_device *search, const struct gws_device_argument *argument,
                                uint32_t arguments, struct gws_where *where);

/* What the kernel told. */
gws_status gws__bfs_cuda_hear(struct gws_bfs_device *search, struct gws_where *where);

/* Makes, in own->buffer, the arrays of so many results. */
gws_status gws__bfs_cuda_results(struct gws_bfs_device *search, uint32_t searches, struct gws_where *where);

/* ---- bfs_cuda_result.c ---- */

/* The way's fetch(): result number 0, and the statistics. */
gws_status gws__bfs_cuda_fetch(struct gws_bfs_device *search, struct gws_where *where);

/* Result number index of the last launch, into search->result. */
gws_status gws__bfs_cuda_fetch_result(struct gws_bfs_device *search, uint32_t index, struct gws_where *where);

/* The way's poison(); a search that could not be put on the device again has nothing to be overwritten. */
gws_status gws__bfs_cuda_poison(struct gws_bfs_device *search, struct gws_where *where);

/* The groups' statistics of the last launch, into search->ran. */
gws_status gws__bfs_cuda_fetch_stats(struct gws_bfs_device *search, struct gws_where *where);

/* ---- bfs_cuda_many.c ---- */

/* How many of count searches would share a launch; 1: they are better run one by one. */
uint32_t gws__bfs_cuda_batch(struct gws_bfs_device *search, uint64_t count);

/* gws_bfs_device_run_many() where that is more than one; the sources are within range. */
gws_status gws__bfs_cuda_many(struct gws_bfs_device *search, const uint32_t *source, uint64_t count,
                              gws_bfs_visit *visit, void *context, struct gws_where *where);

/* ---- bfs_cuda_mesh.c ---- */

gws_status gws__bfs_cuda_mesh_open(struct gws_bfs_device *search, struct gws_where *where);
gws_status gws__bfs_cuda_mesh_run(struct gws_bfs_device *search, struct gws_where *where);

/* Whether the graph is a mesh that can be searched with its rows at the host, as far as memory goes; and how many of
 * them the device is then to keep, and places for the others. */
bool gws__bfs_cuda_mesh_keep(const struct gws_bfs_device *search, uint32_t *kept, uint32_t *places);

/* The arrays of so many clusters; and how many clusters run at the same time. */
gws_status gws__bfs_cuda_mesh_state(struct gws_bfs_device *search, uint32_t clusters, struct gws_where *where);
uint32_t gws__bfs_cuda_mesh_clusters(struct gws_bfs_device *search);

#endif

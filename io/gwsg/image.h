/* SPDX-License-Identifier: MIT */
/* The bytes of a .gwsg file in memory: mapped, or read. */
#ifndef GWS_IO_GWSG_IMAGE_H
#define GWS_IO_GWSG_IMAGE_H

#include "../../lib/parallel.h"
#include "gwsg.h"
#include "head.h"

/* Outlives the runtime with the graph that is served from it. */
struct gws__gwsg_image {
    struct gws_allocator allocator; /* a copy */
    struct gws__gwsg_head head;
    const unsigned char *bytes; /* head.size of them */
    void *map;                  /* map_size bytes from mmap, or NULL: */
    uint64_t map_size;
    void *memory; /* then capacity bytes from the allocator */
    uint64_t capacity;
};

/* Maps a file, or reads it in parallel; and reads what is no file up to its end. Errors as for gws__gwsg_read(). */
gws_status gws__gwsg_image_open(struct gws__input *input, bool mapped, struct gws__gwsg_image **image,
                                struct gws_where *where);
gws_status gws__gwsg_image_stream(struct gws__input *input, struct gws__gwsg_image **image, struct gws_where *where);

/* Unmaps or frees everything; fits gws_graph_on_destroy(). */
void gws__gwsg_image_free(void *context);

#endif

/* SPDX-License-Identifier: MIT */
/* What searches by the kernels tuned for CUDA share, whichever graph it is: buffers, the program, a timed launch. */
#include <stdio.h>
#include <string.h>

#include "../../../../kernels/kernels.h"
#include "cuda.h"

enum { most_arguments = 40 };

gws_status gws__bfs_cuda_buffer(struct gws_bfs_device *search, uint32_t which, uint64_t bytes, const void *from,
                                bool clear, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    gws_status status = gws_device_buffer_new(search->device, bytes, &own->buffer[which], where);
    if (status == GWS_OK && from) status = gws_device_write(own->buffer[which], 0, from, bytes, where);
    if (status == GWS_OK && clear) status = gws_device_fill(own->buffer[which], 0, 0, bytes / 4, where);
    return status;
}

gws_status gws__bfs_cuda_program(struct gws_bfs_device *search, const char *name, struct gws_where *where)
{
    return gws__kernel_program_build(search->device, name, NULL, &search->program, where);
}

static gws_status write_sources(struct gws_bfs_device *search, struct gws_where *where)
{
    const struct gws__bfs_cuda *own = search->own;
    const uint32_t *source = own->source ? own->source : &search->result->source;
    return gws_device_write(own->buffer[bfs_cuda_source], 0, source, own->searches * 4ull, where);
}

gws_status gws__bfs_cuda_launch(struct gws_bfs_device *search, const struct gws_device_argument *argument,
                                uint32_t arguments, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    char name[40];
    struct gws_device_argument all[most_arguments];
    snprintf(name, sizeof name, "%s%s", own->kernel, own->more ? "_handed" : "");
    memcpy(all, argument, arguments * sizeof *all);
    if (own->more) memcpy(all + arguments, own->more, own->mores * sizeof *all);
    struct gws_device_launch launch = {.program = search->program,
                                       .kernel = name,
                                       .groups = (uint64_t)own->groups *
                                                 (own->clusters + (own->searches == 1 ? own->carriers : 0)),
                                       .group_size = own->group_size,
                                       .argument = all,
                                       .arguments = arguments + own->mores,
                                       .resident = !own->mesh, /* the blocks of a cluster are together anyway */
                                       .cluster = own->cluster};
    double began = gws_clock_ms();
    gws_status status = GWS_OK;
    if (!own->resumes) status = write_sources(search, where);
    if (status == GWS_OK) status = gws_device_run(search->device, &launch, where);
    if (status == GWS_OK) status = gws_device_wait(search->device, where);
    own->ms = gws_clock_ms() - began;
    if (status != GWS_OK || own->more) return status;
    search->result->ms = own->ms;
    return gws__bfs_cuda_hear(search, where);
}

gws_status gws__bfs_cuda_hear(struct gws_bfs_device *search, struct gws_where *where)
{
    struct gws__bfs_cuda *own = search->own;
    return gws_device_read(own->buffer[bfs_cuda_told], 0, own->told_of, own->searches * sizeof own->told, where);
}

gws_status gws__bfs_cuda_results(struct gws_bfs_device *search, uint32_t searches, struct gws_where *where)
{
    uint64_t vertices = search->graph->vertices * searches, words = (search->graph->vertices + 31) / 32;
    const struct gws__bfs_cuda *own = search->own;
    const struct {
        uint32_t which;
        uint64_t bytes;
        bool clear; /* read where a search is handed over, whether it was written or not: nothing comes of it then */
    } need[] = {
        {bfs_cuda_depth, vertices * 4, false},     {bfs_cuda_parent, vertices * 4, false},
        {bfs_cuda_level_size, vertices * 4, true}, {bfs_cuda_level_how, own->mesh ? 0 : words * 8 * searches, true},
        {bfs_cuda_source, searches * 4ull, true},  {bfs_cuda_told, searches * sizeof own->told, false},
    };
    gws_status status = GWS_OK;
    for (size_t i = 0; i < sizeof need / sizeof *need && status == GWS_OK; i++)
        status = gws__bfs_cuda_buffer(search, need[i].which, need[i].bytes, NULL, need[i].clear, where);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Which searches go by the kernels tuned for CUDA: on such a device, and where nothing is asked for that they do not
 * have. */

#include "cuda.h"

static bool is_cuda(const struct gws_bfs_device *search)
{
    return gws_device_describe(search->device)->api == GWS_DEVICE_CUDA;
}

/* About what it takes: see kernels/cuda/bfs.cu. */
static bool fits(const struct gws_bfs_device *search)
{
    const struct gws_graph *graph = search->graph, *in = search->in;
    uint64_t bytes = graph->vertices * 32 + graph->arcs * 5 + (1 << 20);
    if (in && in != graph) bytes += in->vertices * 8 + in->arcs * 4;
    return bytes <= gws_device_describe(search->device)->memory;
}

/* What asks for the shared kernels' ways stays with them. */
static bool asks_nothing(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool plain = options->groups == 0 && options->group_size == 0 && options->chunk == 0 && options->threshold == 0 &&
                 options->order == GWS_BFS_WEAKEST;
    return plain && is_cuda(search) && options->direction != GWS_BFS_BOTTOM_UP &&
           gws_runtime_chunk(search->runtime) == 0 && search->graph->vertices > 0;
}

static bool is_plain(const struct gws_bfs_device *search)
{
    return asks_nothing(search) && !search->limited && fits(search);
}

bool gws__bfs_cuda_suits(const struct gws_bfs_device *search)
{
    bool policy = search->container == gws__bfs_chunked || search->container == gws__bfs_static;
    return !search->options.cpu && search->options.form == GWS_BFS_FORM_AUTO && policy && is_plain(search);
}

bool gws__bfs_cuda_suits_handed(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool form = options->form == GWS_BFS_FORM_AUTO || options->form == GWS_BFS_FORM_HANDED;
    return options->cpu && form && options->steal == GWS_BFS_STEAL_ALL && search->container == gws__bfs_chunked &&
           is_plain(search);
}

bool gws__bfs_cuda_suits_host(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    bool steal = !options->cpu || options->steal == GWS_BFS_STEAL_ALL;
    uint32_t kept, places;
    return search->placement == GWS_PLACE_HOST && options->form == GWS_BFS_FORM_AUTO && steal &&
           search->container == gws__bfs_chunked && asks_nothing(search) &&
           gws__bfs_cuda_mesh_keep(search, &kept, &places);
}

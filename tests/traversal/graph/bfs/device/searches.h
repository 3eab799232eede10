/* SPDX-License-Identifier: MIT */
/* Searches on devices that own their device graph. Opening, running and closing take one call each. */
#ifndef GWS_TESTS_TRAVERSAL_BFS_SEARCHES_H
#define GWS_TESTS_TRAVERSAL_BFS_SEARCHES_H

#include "../../../../../traversal/bfs_device.h"

static inline gws_status search_open_at(struct gws_runtime *runtime, struct gws_device *device,
                                        const struct gws_graph *graph, const struct gws_device_graph_options *placement,
                                        const struct gws_bfs_device_options *options, struct gws_bfs_device **search,
                                        struct gws_diagnostic *where)
{
    struct gws_device_graph *device_graph = NULL;
    gws_status status = gws_device_graph_open(runtime, device, graph, placement, &device_graph, where);
    if (status != GWS_OK) return status;
    status = gws_bfs_device_open(device_graph, options, search, where);
    if (status != GWS_OK) gws_device_graph_close(device_graph);
    return status;
}

/* Opens a device graph with automatic placement, and a search on it. */
static inline gws_status search_open(struct gws_runtime *runtime, struct gws_device *device,
                                     const struct gws_graph *graph, const struct gws_bfs_device_options *options,
                                     struct gws_bfs_device **search, struct gws_diagnostic *where)
{
    return search_open_at(runtime, device, graph, NULL, options, search, where);
}

/* Searches and fetches depth and parent. */
static inline gws_status search_run(struct gws_bfs_device *search, uint32_t source, struct gws_bfs_result *result,
                                    struct gws_diagnostic *where)
{
    gws_status status = gws_bfs_device_run(search, source, result, where);
    return status == GWS_OK ? gws_bfs_device_fetch(search, GWS_BFS_DEPTH | GWS_BFS_PARENT, result, where) : status;
}

/* Closes the search and its device graph. The search may be NULL. */
static inline void search_close(struct gws_bfs_device *search)
{
    struct gws_device_graph *device_graph = search ? gws_bfs_device_graph(search) : NULL;
    gws_bfs_device_close(search);
    gws_device_graph_close(device_graph);
}

#endif

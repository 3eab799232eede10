/* SPDX-License-Identifier: MIT */
/* One shortest path between two vertices, on a device. path.h explains options and result. */
#ifndef GWS_PATH_DEVICE_H
#define GWS_PATH_DEVICE_H

#include "device_graph.h"
#include "path.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_path_device;

/* Prepares paths on a device. options may be NULL. By hops, and in graphs without weights, the object has a search of
 * gws_bfs_device_open(), otherwise one of gws_sssp_device_open(). Their headers list the errors, the memory on the
 * device and the preparation. The path takes 12 bytes for each of its vertices, and at least 48 KiB. Errors have a
 * message in *where (may be NULL, here and below). */
GWS_API gws_status gws_path_device_open(struct gws_device_graph *on_device, const struct gws_path_options *options,
                                        struct gws_path_device **path, struct gws_diagnostic *where);
GWS_API void gws_path_device_close(struct gws_path_device *path); /* accepts NULL */

/* Finds a shortest path. The search from the source reaches every vertex, because the persistent kernels do not know
 * the target. A kernel then follows the parents from the target. gws_path() searches from both ends and may be faster,
 * since it stops in the middle. Frees the arrays of result, and sets the fields of result except the arrays: .visited
 * is the number of vertices that the source reaches, and .arcs is 0. The path stays on the device until
 * gws_path_device_fetch().
 *
 * Errors, which leave result without a path: GWS_OUT_OF_RANGE (source or target), GWS_CANCELLED, GWS_NO_MEMORY,
 * GWS_DEVICE. gws_path_device_open() already refuses invalid weights. */
GWS_API gws_status gws_path_device_run(struct gws_path_device *path, uint32_t source, uint32_t target,
                                       struct gws_path_result *result, struct gws_diagnostic *where);

/* The arrays of a path on the device. The buffers are larger than the path. */
enum gws_path_array {
    GWS_PATH_VERTICES, /* u32, from the source to the target */
    GWS_PATH_DISTANCES /* u64, or double with real weights: distance from the source */
};

/* Returns an array of the last run. The object owns the buffer until its next run. */
GWS_API struct gws_device_buffer *gws_path_device_buffer(const struct gws_path_device *path, enum gws_path_array array);

/* Copies the path of the last run to the result of that run, 12 bytes for each vertex of the path. Errors, which leave
 * result without a path: GWS_INVALID (result is not the last run's, or the last run has failed), GWS_NO_MEMORY,
 * GWS_DEVICE. */
GWS_API gws_status gws_path_device_fetch(struct gws_path_device *path, struct gws_path_result *result,
                                         struct gws_diagnostic *where);

#ifdef __cplusplus
}
#endif
#endif

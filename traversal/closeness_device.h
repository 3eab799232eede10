/* SPDX-License-Identifier: MIT */
/* Closeness, harmonic centrality and eccentricity on a device. One persistent kernel searches from up to 64 or 256
 * sources at once. traversal/closeness.h explains options and result. */
#ifndef GWS_CLOSENESS_DEVICE_H
#define GWS_CLOSENESS_DEVICE_H

#include "closeness.h"
#include "device_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gws_closeness_device;

/* Uploads the graph, and the rows of a directed graph's reverse (GWS_INDEX_REVERSE), lists the sources, and builds the
 * program. options may be NULL. The function copies the sources. options->memory has no effect.
 *
 * The searches are those of gws_bfs_batch(), with one bit for each source. If there are more than 64 sources and the
 * device has the memory, each launch searches from 256 sources, otherwise from 64. A level of a batch pushes if its
 * frontier has few arcs, and pulls otherwise.
 *
 * Errors, with a message in *where (may be NULL): GWS_OUT_OF_RANGE, GWS_NEEDS_REVERSE (see gws_closeness()),
 * GWS_UNSUPPORTED (the rows lie on the host, groups of this device cannot wait for each other, or the device graph was
 * opened without GWS_INDEX_REVERSE), GWS_TOO_LARGE (2^31 vertices or 2^32 sources, or more), GWS_DEVICE (also a device
 * without numbers of double precision), GWS_NO_MEMORY. Memory on the device: 24 bytes per vertex for 64 sources at once
 * and 76 for 256, which read the arcs once instead of four times, 28 bytes per source, and 1 byte per 64 arcs. */
GWS_API gws_status gws_closeness_device_open(struct gws_device_graph *on_device,
                                             const struct gws_closeness_options *options,
                                             struct gws_closeness_device **closeness, struct gws_diagnostic *where);
GWS_API void gws_closeness_device_close(struct gws_closeness_device *closeness); /* accepts NULL */

/* Searches from all sources again. Sets .vertices, .sources and .ms of result. .ms is the time of all launches. A
 * launch ends early once the call is cancelled. Sums are integers, except harmonic, which one item adds up depth
 * after depth. So the number of groups does not change the result, which equals that of gws_closeness() in every bit.
 * Errors: GWS_CANCELLED, GWS_DEVICE. */
GWS_API gws_status gws_closeness_device_run(struct gws_closeness_device *closeness, struct gws_closeness_result *result,
                                            struct gws_diagnostic *where);

/* The arrays of a result on the device, with an entry for each source. */
enum gws_closeness_array {
    GWS_CLOSENESS_REACHED,      /* u32 */
    GWS_CLOSENESS_ECCENTRICITY, /* u32 */
    GWS_CLOSENESS_TOTAL,        /* u64 */
    GWS_CLOSENESS_HARMONIC,     /* double */
    GWS_CLOSENESS_ARRAYS
};

/* Returns an array of the last run. The object owns the buffer. A run first overwrites all arrays with GWS_POISON, so a
 * run that fails leaves no values of an earlier run. */
GWS_API struct gws_device_buffer *gws_closeness_device_buffer(const struct gws_closeness_device *closeness,
                                                              enum gws_closeness_array array);

/* Copies the arrays of the last run to result, computes closeness, diameter and radius from them, and sets all fields
 * of result except .ms. Errors, which leave the arrays of result unchanged, empty or undefined: GWS_INVALID (the
 * last run has failed), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_closeness_device_fetch(struct gws_closeness_device *closeness,
                                              struct gws_closeness_result *result, struct gws_diagnostic *where);

/* ---- the diameter ---- */

struct gws_diameter_device;

/* Prepares the diameter on a device. A directed graph is symmetrised on the host, and the copy is uploaded in place of
 * the graph. The function uploads the graph, finds its weak components, and builds the programs.
 *
 * Errors, with a message in *where (may be NULL): GWS_UNSUPPORTED (the rows lie on the host, groups of this device
 * cannot wait for each other, or gws_bfs_device_open() has no search on the device alone for the runtime's policy),
 * GWS_TOO_LARGE (2^31 vertices or more), GWS_DEVICE, GWS_NO_MEMORY. Memory on the device: that of
 * gws_bfs_device_open(), and 12 bytes per vertex, which keep two bounds and the size of the component between the
 * searches; while opening also that of gws_components_device_open(). */
GWS_API gws_status gws_diameter_device_open(struct gws_device_graph *on_device, struct gws_diameter_device **diameter,
                                            struct gws_diagnostic *where);
GWS_API void gws_diameter_device_close(struct gws_diameter_device *diameter); /* accepts NULL */

/* Computes the exact diameter by the searches of gws_diameter(), with the same result in every field but the times: the
 * next search always starts from the vertex that gws_diameter() chooses. The searches are those of
 * gws_bfs_device_run(). A kernel keeps the bounds, so 12 bytes of the device's answer travel for each search.
 * .prepare_ms is the time for the components and the symmetric graph when the object was opened. Errors, which leave
 * result unchanged: GWS_CANCELLED (between searches), GWS_NO_MEMORY, GWS_DEVICE. */
GWS_API gws_status gws_diameter_device_run(struct gws_diameter_device *diameter, struct gws_diameter_result *result,
                                           struct gws_diagnostic *where);

/* Bounds on the eccentricity of each vertex, u32, as the last run has left them. The object owns the buffers. */
enum gws_diameter_array { GWS_DIAMETER_LOWER, GWS_DIAMETER_UPPER };

GWS_API struct gws_device_buffer *gws_diameter_device_buffer(const struct gws_diameter_device *diameter,
                                                             enum gws_diameter_array array);

#ifdef __cplusplus
}
#endif
#endif

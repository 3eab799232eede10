/* SPDX-License-Identifier: MIT */
/* A graph that is parted among devices, which address each other's memory: which vertices are whose, the rows of a
 * part, and launches of kernels that wait for each other (kernels/engine/peers.cl). */
#ifndef GWS_TRAVERSAL_ENGINE_PARTS_H
#define GWS_TRAVERSAL_ENGINE_PARTS_H

#include "../../kernels/engine/peers_words.h"
#include "device_kernel.h"

struct gws__parts {
    uint32_t count;
    uint32_t first[PARTED_MAX + 1]; /* part p has the vertices first[p] .. first[p + 1] - 1 */
    struct gws__device_kernel *kernel[PARTED_MAX];
    struct gws_device_buffer *exchange[PARTED_MAX];
    uint64_t post_words; /* the words of 64 bits at the begin of an exchange buffer that are the posts of its program;
                          * 0: there are no such buffers, and the kernels do not wait for each other */
};

static inline uint64_t gws__parts_size(const struct gws__parts *parts, uint32_t part)
{
    return parts->first[part + 1] - parts->first[part];
}

/* Checks the number of devices, and lets each device address the memory of all others. Errors: GWS_INVALID (no device,
 * too many, or one given twice), GWS_UNSUPPORTED (a device that does not reach the memory of another one),
 * GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__parts_connect(struct gws_device *const *device, uint32_t devices, struct gws_diagnostic *where);

/* Gives parts->count parts about equal costs: a unit for each arc of the graph and of `in` (NULL, or the graph itself:
 * the rows of `in` cost nothing more), and vertex_cost for each vertex. */
void gws__parts_divide(struct gws__parts *parts, const struct gws_graph *graph, const struct gws_graph *in,
                       uint32_t vertex_cost);

/* Makes the rows of a part of the graph a graph of their own, whose targets keep their numbers. *bounds: its offsets,
 * for gws__parts_release(). Errors: GWS_NO_MEMORY. */
gws_status gws__parts_rows(struct gws_runtime *runtime, const struct gws__parts *parts, uint32_t part,
                           const struct gws_graph *graph, uint64_t **bounds, struct gws_graph *rows);
/* Does the same, but the graph has all vertices, and the rows of other parts are empty. *bounds: vertices + 1 offsets,
 * which the caller releases. */
gws_status gws__parts_all_rows(struct gws_runtime *runtime, const struct gws__parts *parts, uint32_t part,
                               const struct gws_graph *graph, uint64_t **bounds, struct gws_graph *rows);
void gws__parts_release(struct gws_runtime *runtime, const struct gws__parts *parts, uint32_t part, uint64_t *bounds);

/* Adds a part's kernel, which is open, and its exchange buffer, whose posts the call clears. With several parts the
 * kernel gets a word that ends it (kernel->stop) even without a hook that cancels calls. The caller waits for the
 * device before a launch, and closes the kernel, also after an error. Errors: GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__parts_add(struct gws__parts *parts, uint32_t which, struct gws__device_kernel *kernel,
                          struct gws_device_buffer *exchange, struct gws_diagnostic *where);

enum { gws__parts_arguments_count = 1 + PARTED_MAX + 1 };

/* Appends the arguments of a kernel of part `which` that all such kernels have: the word that ends it, PARTED_MAX
 * exchange buffers, and *bounds, which the call fills in. */
void gws__parts_arguments(const struct gws__parts *parts, uint32_t which, struct parted_bounds *bounds,
                          struct gws_device_argument *argument, uint32_t *count);

/* Launches the kernel of part `which` without waiting. */
typedef gws_status gws__parts_launch(void *context, uint32_t which, struct gws_diagnostic *where);

/* Launches all kernels, and waits for the end of all. *ms: the time of this. If a launch fails, the call ends those
 * before it. Errors: GWS_CANCELLED (before the launches, or the kernels have ended early), those of launch(), and
 * GWS_DEVICE. */
gws_status gws__parts_run(struct gws__parts *parts, gws__parts_launch *launch, void *context, double *ms,
                          struct gws_diagnostic *where);

#endif

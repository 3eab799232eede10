/* SPDX-License-Identifier: MIT */
/* Runs an operator that re-enters (kernels/operator/operator.h) over a graph on a device, by kernels/engine/rounds.cl.
 * A run has the program with the operator, and the buffers. The device side of an algorithm calls each function here
 * once. */
#ifndef GWS_TRAVERSAL_ENGINE_DEVICE_RUN_H
#define GWS_TRAVERSAL_ENGINE_DEVICE_RUN_H

#include "../../lib/hetero/handoff.h"
#include "device_kernel.h"

enum { gws__device_run_arrays = 4, gws__device_run_buffers = 8, gws__device_run_extras = 9 };

struct gws__device_run {
    struct gws__device_kernel kernel;
    struct gws__mirror data[gws__device_run_arrays]; /* on the device only, unless the run is hybrid */
    struct gws_device_buffer *buffer[gws__device_run_buffers];
    struct gws_device_buffer *weight;     /* a word for each arc, which the caller sets and owns; NULL: none */
    const struct gws__device_run *lender; /* owns data[0] and the buffers that this run borrows; NULL: none */
    uint32_t arrays, heavy;
};

/* Builds the program "engine_NAME", whose operator has `arrays` data arrays (1 to 4), and makes its buffers. lender:
 * another run over the graph, whose weights, data[0], bitmaps and list the new run shares, or NULL. The lender must
 * outlive the new run, and the two run in turn. hybrid: the kernel may hand rounds off to the host
 * (kernels/engine/rounds_handoff.cl), and the host has copies of the arrays. Errors: GWS_UNSUPPORTED (the rows are in
 * the host's memory, or groups of this device cannot wait for each other), GWS_TOO_LARGE (2^31 vertices or more),
 * GWS_NO_MEMORY, GWS_DEVICE. Memory on the device: 8 bytes and 3 bits for each vertex, and 4 bytes for each vertex and
 * data array. With a lender: 4 bytes for each vertex and data array but the first. */
gws_status gws__device_run_open(struct gws_device_graph *on_device, const char *program, uint32_t arrays,
                                const struct gws__device_run *lender, bool hybrid, struct gws__device_run **run,
                                struct gws_diagnostic *where);

/* Uploads a word for each arc. Errors: GWS_NO_MEMORY, GWS_DEVICE. Memory on the device: 4 bytes for each arc. */
gws_status gws__device_run_weigh(struct gws_device_graph *on_device, const uint32_t *word,
                                 struct gws_device_buffer **weight, struct gws_diagnostic *where);

/* Replaces data[0] by an array of so many bytes. Errors: GWS_NO_MEMORY, GWS_DEVICE. */
gws_status gws__device_run_resize(struct gws__device_run *run, uint64_t bytes, struct gws_diagnostic *where);

/* Frees a run. Accepts NULL. */
void gws__device_run_close(struct gws__device_run *run);

struct gws__device_run_report {
    uint32_t rounds, pulls; /* pulls: rounds that pulled */
    uint32_t threshold;     /* with buckets: the threshold of the bucket after the last one */
    uint64_t counted;       /* vertices for which op_counts() is true at the end */
    double ms;              /* time from the launch to the end of the kernel */
};

/* Runs the operator until no vertex changes. word: the operator's scalars. Writes the report on success. */
gws_status gws__device_run_go(struct gws__device_run *run, const uint32_t word[4],
                              struct gws__device_run_report *report, struct gws_diagnostic *where);

/* Copies the operator's data[array] to the host's memory. */
gws_status gws__device_run_fetch(struct gws__device_run *run, uint32_t array, void *into, struct gws_diagnostic *where);

/* ---- for hybrid.c, and for graphs that are parted among devices (kernels/engine/rounds_parted.cl) ---- */

/* Launches the kernel without waiting, or waits for its end. extra: up to gws__device_run_extras arguments after the
 * arguments of engine_rounds. */
gws_status gws__device_run_start(const struct gws__device_run *run, const uint32_t word[4],
                                 const struct gws_device_argument *extra, uint32_t extras,
                                 struct gws_diagnostic *where);
gws_status gws__device_run_launch(struct gws__device_run *run, const uint32_t word[4],
                                  const struct gws_device_argument *extra, uint32_t extras,
                                  struct gws_diagnostic *where);

/* Sets *counted to the number of vertices for which op_counts() is true, after the end of the run. */
gws_status gws__device_run_counted(const struct gws__device_run *run, uint64_t *counted, struct gws_diagnostic *where);

/* Reads the words of control and sums (kernels/engine/engine_words.h), after the end of the run. */
gws_status gws__device_run_read(const struct gws__device_run *run, uint32_t *count, uint64_t *sum,
                                struct gws_diagnostic *where);

#endif

/* SPDX-License-Identifier: MIT */
/* Runs an operator that re-enters (kernels/operator/operator.h) over a graph on a device, by kernels/engine/rounds.cl:
 * the program with the operator, and the buffers of its run. The device side of an algorithm calls each function here
 * once. */
#ifndef GWS_TRAVERSAL_ENGINE_DEVICE_RUN_H
#define GWS_TRAVERSAL_ENGINE_DEVICE_RUN_H

#include "../../lib/hetero/device_trace.h"
#include "../../lib/hetero/handoff.h"
#include "device_graph.h"

enum { gws__device_run_arrays = 4, gws__device_run_buffers = 8 };

struct gws__device_run {
    struct gws_device_graph *on_device;
    const struct gws_device_graph_info *info;
    struct gws_device_program *program;
    const char *kernel;
    struct gws__mirror data[gws__device_run_arrays]; /* on the device only, unless the run is hybrid */
    struct gws_device_buffer *weight, *buffer[gws__device_run_buffers];
    struct gws__device_trace trace;
    uint32_t arrays, heavy, group_size;
    uint64_t groups;
};

/* Builds the program "engine_NAME", whose operator has `arrays` data arrays (1 to 4), and makes its buffers. weight: a
 * word for each arc, to be uploaded; NULL: none. hybrid: its kernel may hand its rounds off
 * (kernels/engine/rounds_handoff.cl), and the host has copies of its arrays. Errors: GWS_UNSUPPORTED (the rows are in
 * the host's memory; groups of this device cannot wait for each other), GWS_TOO_LARGE (2^31 vertices or more),
 * GWS_NO_MEMORY, GWS_DEVICE. Memory on the device: 8 bytes and 3 bits for each vertex, 4 bytes for each vertex and data
 * array, 4 bytes for each arc for weights. */
gws_status gws__device_run_open(struct gws_device_graph *on_device, const char *program, uint32_t arrays,
                                const uint32_t *weight, bool hybrid, struct gws__device_run **run,
                                struct gws_diagnostic *where);

/* NULL is allowed. */
void gws__device_run_close(struct gws__device_run *run);

struct gws__device_run_report {
    uint32_t rounds, pulls; /* pulls: rounds that pulled */
    uint64_t counted;       /* vertices for which op_counts() is true at the end */
    double ms;              /* from the launch to its end */
};

/* Runs it until no vertex changes. word: the operator's scalars. The report is written on success. */
gws_status gws__device_run_go(struct gws__device_run *run, const uint32_t word[4],
                              struct gws__device_run_report *report, struct gws_diagnostic *where);

/* Copies the operator's data[array], a word for each vertex, to the host's memory. */
gws_status gws__device_run_fetch(struct gws__device_run *run, uint32_t array, uint32_t *into,
                                 struct gws_diagnostic *where);

/* ---- for hybrid.c ---- */

/* Launches it and waits. extra: up to 3 arguments after those of engine_rounds. */
gws_status gws__device_run_launch(struct gws__device_run *run, const uint32_t word[4],
                                  const struct gws_device_argument *extra, uint32_t extras,
                                  struct gws_diagnostic *where);

/* The number of vertices for which op_counts() is true, after the end of the run. */
gws_status gws__device_run_counted(const struct gws__device_run *run, uint64_t *counted, struct gws_diagnostic *where);

#endif

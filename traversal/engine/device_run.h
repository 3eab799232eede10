/* SPDX-License-Identifier: MIT */
/* An operator that re-enters (kernels/operator/operator.h) run over a graph on a device, by kernels/engine/rounds.cl:
 * the program with the operator, and the buffers of its run. An algorithm's device side is a call of each. */
#ifndef GWS_TRAVERSAL_ENGINE_DEVICE_RUN_H
#define GWS_TRAVERSAL_ENGINE_DEVICE_RUN_H

#include "../../lib/hetero/handoff.h"
#include "device_graph.h"

enum { gws__device_run_arrays = 4, gws__device_run_buffers = 8 };

struct gws__device_run {
    struct gws_device_graph *on_device;
    const struct gws_device_graph_info *info;
    struct gws_device_program *program;
    const char *kernel;
    struct gws__mirror data[gws__device_run_arrays]; /* on the device alone, unless the run is hybrid */
    struct gws_device_buffer *weight, *buffer[gws__device_run_buffers];
    uint32_t arrays, heavy, group_size;
    uint64_t groups;
};

/* Builds the program "engine_NAME", whose operator has so many data arrays (1 to 4), and makes its buffers. weight: a
 * word for each arc, which are uploaded; NULL: none. hybrid: its kernel may hand its rounds off
 * (kernels/engine/rounds_handoff.cl), and its arrays are the host's, too. Errors: GWS_UNSUPPORTED (the rows lie with
 * the host; groups of this device cannot wait for each other), GWS_TOO_LARGE (2^31 vertices or more), GWS_NO_MEMORY,
 * GWS_DEVICE. Memory on the device: 8 bytes and 3 bits a vertex, 4 for each data array, 4 an arc for weights. */
gws_status gws__device_run_open(struct gws_device_graph *on_device, const char *program, uint32_t arrays,
                                const uint32_t *weight, bool hybrid, struct gws__device_run **run,
                                struct gws_diagnostic *where);

/* NULL is allowed. */
void gws__device_run_close(struct gws__device_run *run);

struct gws__device_run_report {
    uint32_t rounds, pulls; /* of these so many pulled */
    uint64_t counted;       /* vertices for which op_counts() is true at the end */
    double ms;              /* from the launch to its end */
};

/* Runs it until nothing changes; word: the operator's scalars. The report is written on success. */
gws_status gws__device_run_go(struct gws__device_run *run, const uint32_t word[4],
                              struct gws__device_run_report *report, struct gws_diagnostic *where);

/* The operator's data[array], a word for each vertex, into the host's memory. */
gws_status gws__device_run_fetch(struct gws__device_run *run, uint32_t array, uint32_t *into,
                                 struct gws_diagnostic *where);

/* ---- for hybrid.c ---- */

/* Launches it and waits; more: up to 3 arguments behind those of engine_rounds. */
gws_status gws__device_run_launch(struct gws__device_run *run, const uint32_t word[4],
                                  const struct gws_device_argument *more, uint32_t mores, struct gws_diagnostic *where);

/* Vertices for which op_counts() is true, after the end. */
gws_status gws__device_run_counted(const struct gws__device_run *run, uint64_t *counted, struct gws_diagnostic *where);

#endif

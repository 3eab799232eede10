/* SPDX-License-Identifier: MIT */
/* Runs an operator that re-enters (kernels/operator/operator.h) on a device and the CPU's threads. The two sides hand
 * whole rounds off to each other (lib/hetero/handoff.h). The device runs kernels/engine/rounds_handoff.cl, and the
 * threads run rounds_body.h. A handoff copies the frontier, as a bitmap, and the operator's arrays, unless both sides
 * share memory. */
#ifndef GWS_TRAVERSAL_ENGINE_HYBRID_H
#define GWS_TRAVERSAL_ENGINE_HYBRID_H

#include "../../lib/hetero/handoff.h"
#include "../device_graph.h"
#include "engine.h"

/* The state of a run on threads. The frontier is the bitmap s->visited. */
struct gws__rounds {
    struct engine *s;
    uint32_t *next;   /* the next frontier, all zeros between rounds */
    uint64_t found;   /* an upper bound of the vertices in the frontier */
    uint64_t entered; /* vertices that entered a frontier since the handoff to the threads */
    uint64_t counted; /* vertices for which op_counts() is true */
};

/* The functions that rounds_body.h defines for an operator. */
struct gws__rounds_loops {
    void (*run)(struct gws__rounds *rounds, const struct gws__handoff_rule *rule);
    void (*count)(struct gws__rounds *rounds);
};

struct gws__hybrid {
    const char *program;                   /* "engine_NAME_hybrid" */
    const struct gws__rounds_loops *loops; /* &rounds_loops */
    uint32_t arrays;                       /* data arrays, 1 to 4 */
    uint32_t word[4];                      /* the operator's scalars */
    uint32_t max_host,
        max_device; /* rounds until a handoff, without calibration (for tests); both 0: the cost model decides */
};

struct gws__hybrid_report {
    uint32_t rounds, device_rounds; /* device_rounds: rounds on the device */
    uint64_t counted;               /* vertices for which op_counts() is true at the end */
    double ms;                      /* time of the run without opening and calibration */
    struct gws_handoff_model model;
};

/* Opens a hybrid run, calibrates the cost model and runs until no vertex changes. Copies the data arrays to data[],
 * with one word for each vertex in each array. Errors: as for gws__device_run_open(). Memory on the device: as for
 * gws__device_run_open(), and a bit for each vertex. Memory on the host: 2 bits for each vertex, and 4 bytes for each
 * vertex and array. */
gws_status gws__hybrid_run(struct gws_device_graph *on_device, const struct gws__hybrid *hybrid, uint32_t *const *data,
                           struct gws__hybrid_report *report, struct gws_diagnostic *where);

#endif

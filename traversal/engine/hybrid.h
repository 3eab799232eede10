/* SPDX-License-Identifier: MIT */
/* An operator that re-enters (kernels/operator/operator.h) run by a device and the CPU's threads, which hand whole
 * rounds off to each other (lib/hetero/handoff.h): the device's by kernels/engine/rounds_handoff.cl, the threads' by
 * rounds_body.h. What crosses is the frontier, as a bitmap, and the operator's arrays, unless both sides have one
 * memory. */
#ifndef GWS_TRAVERSAL_ENGINE_HYBRID_H
#define GWS_TRAVERSAL_ENGINE_HYBRID_H

#include "../../lib/hetero/handoff.h"
#include "../device_graph.h"
#include "engine.h"

/* Where a run on threads stands. The frontier is the bitmap s->visited. */
struct gws__rounds {
    struct engine *s;
    uint32_t *next;   /* the next one, all zeros between rounds */
    uint64_t found;   /* vertices in the frontier, or somewhat more */
    uint64_t entered; /* all that entered one since the run came here */
    uint64_t counted; /* vertices for which op_counts() is true */
};

/* What rounds_body.h makes of an operator. */
struct gws__rounds_loops {
    void (*run)(struct gws__rounds *rounds, const struct gws__handoff_rule *rule);
    void (*count)(struct gws__rounds *rounds);
};

struct gws__hybrid {
    const char *program;                   /* "engine_NAME_hybrid" */
    const struct gws__rounds_loops *loops; /* &rounds_loops */
    uint32_t arrays;                       /* data arrays, 1 to 4 */
    const uint32_t *weight;                /* a word for each arc; NULL: none */
    uint32_t word[4];                      /* the operator's scalars */
    uint32_t max_host, max_device; /* rounds until a handoff, for tests: nothing is calibrated; both 0: as costs say */
};

struct gws__hybrid_report {
    uint32_t rounds, device_rounds; /* of these so many on the device */
    uint64_t counted;               /* vertices for which op_counts() is true at the end */
    double ms;                      /* without opening and calibration */
    struct gws_handoff_model model;
};

/* Opens, calibrates and runs it until nothing changes, and copies its data arrays to data[], a word for each vertex of
 * each. Errors: as gws__device_run_open(). Memory there: as there, and a bit a vertex; here 2 bits a vertex, and 4
 * bytes for each array. */
gws_status gws__hybrid_run(struct gws_device_graph *on_device, const struct gws__hybrid *hybrid, uint32_t *const *data,
                           struct gws__hybrid_report *report, struct gws_diagnostic *where);

#endif

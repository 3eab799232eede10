/* SPDX-License-Identifier: MIT */
/* Handoff of whole levels between a device and the host (kernels/hetero/handoff_rule.h defines the condition). This
 * header has the cost model of both sides and its calibration, the handoff rules, the decision whether a run checks for
 * handoffs, and mirrored memory. The algorithm defines the contents of that memory and runs the levels. */
#ifndef GWS_LIB_HETERO_HANDOFF_H
#define GWS_LIB_HETERO_HANDOFF_H

#include "../../kernels/hetero/handoff_words.h"

#include "../../kernels/hetero/handoff_rule.h"
#include "../device.h"
#include "../graph.h"
#include "../hetero.h"

/* One thread at a time uses the struct. The struct needs no clean-up. */
struct gws__handoff {
    struct gws_handoff_model model;
    double mean;                   /* arcs per vertex, for sides that do not count arcs */
    uint32_t max_host, max_device; /* small levels after which a side hands off at any cost, even if model.handoff_ns is
                                    * infinite */
    bool timed;                    /* the device measures one level */
    uint32_t handoffs;             /* handoffs of the current run, which the caller resets and counts */
    bool pays;                     /* the next run should check for handoffs */
    uint32_t wait, waited;         /* runs to skip after a run without a handoff, and runs skipped so far */
};

/* Initialises the struct for a graph. Before calibration, cost causes no handoff. */
void gws__handoff_open(struct gws__handoff *handoff, const struct gws_graph *graph);

/* Counts one handoff. */
static inline void gws__handoff_count(struct gws__handoff *handoff)
{
    handoff->handoffs++;
    handoff->model.handoffs++;
}

/* Resets the statistics and keeps the cost model. */
static inline void gws__handoff_reset_stats(struct gws__handoff *handoff)
{
    handoff->model.handoffs = handoff->model.host_levels = handoff->model.host_vertices = 0;
    handoff->model.host_ms = 0;
}

/* Returns the cost in ns of a level on the device minus the cost on the host, for a frontier of this many vertices with
 * the mean number of arcs. */
double gws__handoff_loss(const struct gws__handoff *handoff, double vertices);

/* Sets the losses and limits of a side's rule, but not the run's state in the rule. counts_arcs: the side counts the
 * arcs of a small frontier. Otherwise the rule assumes the mean number of arcs for each vertex. */
enum gws__handoff_side { GWS__HANDOFF_HOST, GWS__HANDOFF_DEVICE };
void gws__handoff_set_rule(const struct gws__handoff *handoff, enum gws__handoff_side side, bool counts_arcs,
                           struct gws__handoff_rule *rule);

/* Sets handoff->pays after a run in which small levels lost `lost` ns on the device. Handoffs can pay in the next run
 * if they would have gained more than one handoff costs. But the losses are estimates from the mean number of arcs.
 * Checking for handoffs also has a cost (8 % of a search of kron:20). So each run that checks without a handoff doubles
 * the number of runs that skip the check. */
void gws__handoff_back_off(struct gws__handoff *handoff, double lost);

/* ---- calibration ---- */

enum { gws__handoff_vertices = 256 /* the maximum number of vertices of a trial's frontier */ };

/* The algorithm's functions for the calibration. run() and launch() each run a level from a frontier that is in the
 * state before a handoff to the device. */
struct gws__handoff_trial {
    void *context, *device; /* context: argument of publish() and run(); device: argument of launch() */
    const struct gws_graph *graph;
    const struct gws__handoff_state *state; /* launch() writes it */
    /* Makes the frontier by the device's rule. Returns the frontier's number of arcs. */
    uint64_t (*publish)(void *context, const uint32_t *vertex, uint32_t count);
    void (*run)(void *context);                                       /* runs the level on the host */
    gws_status (*launch)(void *device, struct gws_diagnostic *where); /* hands off to the device and back */
};

/* Measures small and larger levels from random vertices, with cold caches as in a run. Fits a line through the medians
 * for each side (gws__cost_line_fit()). Returns the errors of launch(), after which the model is unchanged. */
gws_status gws__handoff_calibrate(struct gws__handoff *handoff, const struct gws__handoff_trial *trial,
                                  struct gws_diagnostic *where);

/* ---- mirrored memory ---- */

/* Memory that host and device access: one shared buffer if possible, otherwise two buffers and copies between them.
 * gws__mirror_close() accepts {0}. */
struct gws__mirror {
    struct gws_device_buffer *buffer;
    void *host;
    uint64_t bytes;
    bool in_place;
};

/* Allocates memory that is zero on both sides. bytes: a multiple of 4. Returns the errors of allocating and filling a
 * buffer, with a message. */
gws_status gws__mirror_open(struct gws_runtime *runtime, struct gws_device *device, uint64_t bytes, bool in_place,
                            struct gws__mirror *mirror, struct gws_diagnostic *where);
void gws__mirror_close(struct gws_runtime *runtime, struct gws__mirror *mirror);

/* Copies the first `bytes` bytes to the device or to the host. Has no effect on a shared buffer. */
gws_status gws__mirror_copy(const struct gws__mirror *mirror, uint64_t bytes, bool to_device,
                            struct gws_diagnostic *where);

#endif

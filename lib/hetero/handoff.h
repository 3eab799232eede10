/* SPDX-License-Identifier: MIT */
/* Handoff of whole levels between a device and the host (kernels/hetero/handoff_words.h says when a level is handed
 * off): the cost model of both sides and its calibration, the rules that follow from it, when looking out for a handoff
 * pays, and memory that crosses. What crosses, and how either side runs a level, is the algorithm's affair. */
#ifndef GWS_LIB_HETERO_HANDOFF_H
#define GWS_LIB_HETERO_HANDOFF_H

#include "../../kernels/hetero/handoff_words.h"
#include "../device.h"
#include "../graph.h"
#include "../hetero.h"

/* One thread at a time uses it; nothing has to be freed. */
struct gws__handoff {
    struct gws_handoff_model model;
    double mean;                   /* arcs of a vertex, for who does not count them */
    uint32_t max_host, max_device; /* small levels until the handoff, whatever they cost */
    bool timed;                    /* the device times one level */
    uint32_t passes;               /* handoffs of the run under way; the caller clears and counts them */
    bool pays;                     /* looking out for a handoff in the next run may pay */
    uint32_t wait, waited;         /* runs without, after one that looked out in vain, and those so far */
};

/* Until it is calibrated, nothing is ever handed off. */
void gws__handoff_open(struct gws__handoff *handoff, const struct gws_graph *graph);

/* One handoff more. */
static inline void gws__handoff_count(struct gws__handoff *handoff)
{
    handoff->passes++;
    handoff->model.passes++;
}

/* Clears what happened, not what levels cost. */
static inline void gws__handoff_reset_stats(struct gws__handoff *handoff)
{
    handoff->model.passes = handoff->model.host_levels = handoff->model.host_vertices = 0;
    handoff->model.host_ms = 0;
}

/* ns that a level of so many vertices with a mean number of arcs costs the device more than the host. */
double gws__handoff_loss(const struct gws__handoff *handoff, double vertices);

/* Sets a side's losses and limits in its rule, but for where the run stands. counts_arcs: the side counts the arcs of a
 * small frontier; otherwise a vertex has as many as in the mean. */
enum gws__handoff_side { GWS__HANDOFF_HOST, GWS__HANDOFF_DEVICE };
void gws__handoff_set_rule(const struct gws__handoff *handoff, enum gws__handoff_side side, bool counts_arcs,
                           struct gws__handoff_rule *rule);

/* After a run in which small levels lost so many ns on the device: sets handoff->pays. If handoffs would have gained
 * more than one costs, they can pay in the next run, too; but losses are reckoned with the mean number of arcs, and
 * looking out costs something, 8 % of a search of kron:20. So after each run that looked out in vain twice as many go
 * without it. */
void gws__handoff_back_off(struct gws__handoff *handoff, double lost);

/* ---- calibration ---- */

enum { gws__handoff_vertices = 256 /* of a trial's frontier, at most */ };

/* How an algorithm runs a level for measurement, from a frontier as it lies before a handoff to the device. */
struct gws__handoff_trial {
    void *context, *device; /* given to the first two functions, and to launch() */
    const struct gws_graph *graph;
    const struct gws__handoff_state *state; /* what launch() leaves there */
    /* Makes the frontier, by the rule of the device; returns its arcs. */
    uint64_t (*publish)(void *context, const uint32_t *vertex, uint32_t count);
    void (*run)(void *context);                                  /* the level, by the host */
    gws_status (*launch)(void *device, struct gws_where *where); /* hands off to the device, which hands back */
};

/* Measures levels from random vertices, a few small and a few larger ones, cold as in a run, and draws a line through
 * the medians for either side (gws__cost_line_fit()). Errors, which leave the model as it was: launch's. */
gws_status gws__handoff_calibrate(struct gws__handoff *handoff, const struct gws__handoff_trial *trial,
                                  struct gws_where *where);

/* ---- memory that crosses ---- */

/* Bytes of both sides: one memory, where that is possible, or two and copies. {0} may be closed. */
struct gws__mirror {
    struct gws_device_buffer *buffer;
    void *host;
    uint64_t bytes;
    bool in_place;
};

/* All zeros on both sides. bytes: whole words. Errors: those of buffers, with a message. */
gws_status gws__mirror_open(struct gws_runtime *runtime, struct gws_device *device, uint64_t bytes, bool in_place,
                            struct gws__mirror *mirror, struct gws_where *where);
void gws__mirror_close(struct gws_runtime *runtime, struct gws__mirror *mirror);

/* Brings the first bytes to the device, or to the host. */
gws_status gws__mirror_cross(const struct gws__mirror *mirror, uint64_t bytes, bool to_device, struct gws_where *where);

#endif

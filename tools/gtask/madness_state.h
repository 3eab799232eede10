/* SPDX-License-Identifier: MIT */
/* gtask madness: the sets of functions, the device, and the state of the workload. */
#ifndef TOOLS_GTASK_MADNESS_STATE_H
#define TOOLS_GTASK_MADNESS_STATE_H

#include "../../graphws.h"
#include "task_sides.h"

/* ---- madness_functions.c ---- */

/* A set of functions, one for each body, with the default parameters of its projection. */
struct madness_set {
    const char *name, *about;
    gws_madness_values *values;
    bool scattered; /* bodies of different sizes, anywhere in the middle half of the cell; false: all at one position
                     */
    bool has_norm;  /* madness_norm() computes the norm: Gaussians that vanish within the cell */
    uint32_t bodies, order, mode, special_level;
    double threshold, low[3], high[3];
    struct gws_madness_body body; /* the first body; factor 0: scale to norm 1 */
    uint64_t leaves; /* known count with default parameters; 0: unknown. For peak, another code reports 12,832 leaves in
                        a cell that its authors do not specify; no cell with the peak at its centre gives that count
                        (datasets/bench/results/madness.md) */
    double min_error, max_error; /* bounds of the error with default parameters */
};

/* Return row i (NULL past the end), and the row with that name (NULL: none). */
const struct madness_set *madness_set_at(uint32_t i);
const struct madness_set *madness_set_named(const char *name);

/* Fills in count bodies and a special point for each. */
void madness_bodies(const struct madness_set *set, uint64_t seed, uint32_t count, uint32_t special_level,
                    struct gws_madness_body *body, struct gws_madness_special *special);

/* Returns the square root of the sum of the squared norms of the Gaussians. */
double madness_norm(const struct gws_madness_body *body, uint32_t count);

/* ---- madness_device.c: options, the builder on a device, and the comparison with the CPU's tree ---- */

struct madness_device {
    struct task_sides sides;               /* must be first. In one process at most one device */
    struct gws_madness_device *builder;    /* NULL: the CPU alone */
    struct gws_madness_device_stats stats; /* of the last run */
    double open_ms, call_ms;               /* opening the builder, without its programs; the last run's call */
};

/* Checks the options against each other and answers "help", like a workload's check(). */
int madness_device_check(struct madness_device *device);

/* Opens the device, if one is given, and its builder for an order. Returns -1, or the exit status. */
int madness_device_open(struct madness_device *device, struct gws_runtime *runtime, uint32_t order);
void madness_device_close(struct madness_device *device);

gws_status madness_device_run(struct madness_device *device, const struct gws_madness_problem *problem,
                              struct gws_madness_tree **tree, struct gws_diagnostic *where);

/* Builds the tree again on the CPU and compares every box, and every coefficient up to rounding. */
gws_status madness_device_compare(const struct madness_device *device, struct gws_runtime *runtime,
                                  const struct gws_madness_problem *problem, const struct gws_madness_tree *tree,
                                  struct gws_diagnostic *where);

/* Report the last run: print() as lines, json() as members of the open object. */
void madness_device_print(const struct madness_device *device, FILE *out);
void madness_device_json(const struct madness_device *device, struct json *json);

/* ---- madness.c ---- */

struct madness_state {
    struct madness_device device; /* must be first */
    const char *set_name, *kernel;
    const char *computed_by;                                /* a kernel or a device */
    uint64_t bodies, order, mode, special_level, max_level; /* UINT64_MAX: not given */
    double threshold;                                       /* NAN: not given */
    const struct madness_set *set;
    bool is_default; /* true if only the set was given, so that its known results hold */
    struct gws_madness_problem problem;
    struct gws_madness_body *body;       /* problem.functions entries */
    struct gws_madness_special *special; /* problem.functions entries */
    struct gws_madness_tree *tree;       /* of the last run */
    double error;                        /* of the last verified run; NAN: none */
    struct gws_madness_tree found;       /* the last run's totals: its tree without the arrays */
};

/* ---- madness_verify.c ---- */

/* Returns whether --max-level kept boxes whole that the tolerance or a special point divides. Then the points of a leaf
 * may miss the function, and neither the norm nor the error says how much is lost. */
bool madness_is_cut(const struct madness_state *state);

/* verify() of the workload. On several ranks rank 0 gathers the tree and checks it. */
gws_status madness_verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where);

#endif

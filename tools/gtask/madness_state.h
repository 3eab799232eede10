/* SPDX-License-Identifier: MIT */
/* gtask madness: what its options fill in, and the last result. */
#ifndef TOOLS_GTASK_MADNESS_STATE_H
#define TOOLS_GTASK_MADNESS_STATE_H

#include "../../graphws.h"
#include "../common/device.h"
#include "workload.h"

/* What gtask madness can take for its functions. */

/* A set of functions, one for each of its bodies, and how it is projected unless options say otherwise. */
struct madness_set {
    const char *name, *about;
    gws_madness_values *values;
    bool scattered; /* bodies lie anywhere in the middle half of the cell and differ in size; false: all in one place */
    bool has_norm;  /* madness_norm() knows it: Gaussians that end within the cell */
    uint32_t bodies, order, mode, special_level;
    double threshold, low[3], high[3];
    struct gws_madness_body body; /* the first; a factor of 0: such that the norm is 1 */
    uint64_t leaves;              /* known, of this set as it is; 0: not known. Of peak another code has found 12,832 in
                                   * a cell it does not tell, which no cell with the peak at its centre gives
                                   * (datasets/bench/RESULTS.md) */
    double least, most;           /* between these lies the error then */
};

/* Row i, NULL past the end; and the row of that name, or NULL. */
const struct madness_set *madness_set_at(uint32_t i);
const struct madness_set *madness_set_named(const char *name);

/* Fills in count bodies, and a special point for each. */
void madness_bodies(const struct madness_set *set, uint64_t seed, uint32_t count, uint32_t special_level,
                    struct gws_madness_body *body, struct gws_madness_special *special);

/* The root of the sum of squares of the Gaussians' norms. */
double madness_norm(const struct gws_madness_body *body, uint32_t count);

/* A device: its options, the builder there, its tree held against the CPU's. */

struct madness_device {
    const char *address; /* NULL: the CPU; as it is given, a list */
    bool cpu;            /* the threads take part beside the device */
    struct device_groups groups;
    char found[DEVICE_ADDRESS]; /* what "auto" is */
    struct gws_device *device;
    struct gws_madness_device *builder;
    struct gws_madness_device_stats stats; /* of the last run */
    double open_ms, call_ms;               /* opening the builder, without its programs; the last run's call */
};

/* What the options say together; answers "help". As a workload's check(). */
int madness_device_check(struct madness_device *device);

/* Opens the device and readies it for an order, if one is asked for: -1, or the status to exit with. */
int madness_device_open(struct madness_device *device, struct gws_runtime *runtime, uint32_t order);
void madness_device_close(struct madness_device *device);

gws_status madness_device_run(struct madness_device *device, const struct gws_madness_problem *problem,
                              struct gws_madness_tree **tree, struct gws_diagnostic *where);

/* Makes the tree once more, by the CPU, and compares: every box, every coefficient to rounding. */
gws_status madness_device_compare(const struct madness_device *device, struct gws_runtime *runtime,
                                  const struct gws_madness_problem *problem, const struct gws_madness_tree *tree,
                                  struct gws_diagnostic *where);

/* The last run, as lines and as members of the object that is open. */
void madness_device_print(const struct madness_device *device, FILE *out);
void madness_device_json(const struct madness_device *device, struct json *json);

struct madness_state {
    const char *set_name, *kernel;
    const char *computed_by;                                /* a kernel or a device */
    uint64_t bodies, order, mode, special_level, max_level; /* UINT64_MAX: not given */
    double threshold;                                       /* not a number: not given */
    const struct madness_set *set;
    struct madness_device device;
    bool whole; /* nothing was given but the set: what is known of it holds */
    struct gws_madness_problem problem;
    struct gws_madness_body *body;       /* problem.functions entries each */
    struct gws_madness_special *special; /* as well */
    struct gws_madness_tree *tree;       /* of the last run */
    double error;                        /* of the last run that was verified; not a number: none was */
    struct gws_madness_tree found;       /* the last run's totals: of its tree, but for what that points at */
};

#endif

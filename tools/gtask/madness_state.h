/* SPDX-License-Identifier: MIT */
/* gtask madness: what its options fill in, and the last result. */
#ifndef TOOLS_GTASK_MADNESS_STATE_H
#define TOOLS_GTASK_MADNESS_STATE_H

#include "madness_device.h"
#include "madness_functions.h"
#include "workload.h"

struct madness_state {
    const char *set_name, *kernel;
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
    double norm;                         /* and how it came out in the last run */
    uint64_t boxes, divided, forced, leaves, rough;
    uint32_t depth;
};

enum { MADNESS_ROWS = 8 };
extern const struct option_row madness_row[MADNESS_ROWS];

/* What was given, or otherwise what the set of functions says. */
uint32_t madness_given(uint64_t value, uint32_t otherwise);

/* ---- the workload's slots that show something ---- */

void madness_describe(const void *context, FILE *out);
void madness_print(const void *context, FILE *out);
void madness_parameters_json(const void *context, struct json *json);
void madness_result_json(const void *context, struct json *json);

#endif

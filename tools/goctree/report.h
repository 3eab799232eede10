/* SPDX-License-Identifier: MIT */
/* What there is to say about building a tree: collected over runs, for people and as JSON. */
#ifndef TOOLS_GOCTREE_REPORT_H
#define TOOLS_GOCTREE_REPORT_H

#include "../common/workers.h"
#include "device.h"
#include "query.h"

struct tree_run {
    double ms;
    struct gws_octree_stats stats;
    struct gws_worker_stats total;         /* over the workers */
    struct gws_octree_device_stats device; /* zero where no device built it */
    double other_ms;                       /* ... of its call, what is no part of these times */
};

struct report {
    const struct settings *settings;
    struct gws_runtime *runtime;
    const char *name; /* of the points */
    uint64_t given;   /* points read or made */
    uint32_t columns;
    double load_ms;
    const struct gws_octree *tree; /* of the last run */
    struct tree_run *run;          /* runs entries are filled */
    uint64_t runs;
    struct workers workers;    /* over all runs */
    int verified;              /* 1 all, 0 not all, -1 not asked */
    const struct query *query; /* NULL: none was asked */
    const struct tree_device *device;
};

/* Makes room for runs. False when memory is short; report_clear() is due in both cases. */
bool report_begin(struct report *report, uint64_t runs);
void report_clear(struct report *report);

/* Adds the run that made report->tree. */
void report_note(struct report *report);

void report_print(const struct report *report, FILE *out);

/* Adds its members to the object that is open. */
void report_json(const void *data, struct json *json);

#endif

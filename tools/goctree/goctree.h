/* SPDX-License-Identifier: MIT */
/* What the parts of goctree share: what it is asked for, the device, questions, files, and the report. */
#ifndef TOOLS_GOCTREE_GOCTREE_H
#define TOOLS_GOCTREE_GOCTREE_H

#include "../common/console.h"
#include "../common/device.h"
#include "../common/engine.h"
#include "../common/outputs.h"
#include "../common/workers.h"

/* ---- settings.c ---- */

struct settings {
    struct engine_settings engine;
    /* the points */
    const char *format, *columns; /* NULL: found out */
    int precision, trust, mapped; /* an enum gws_precision */
    /* the tree */
    uint64_t leaf, max_depth;
    const char *box, *builder, *devices; /* devices: as --device lists them; NULL: the CPU's threads alone */
    struct device_choice choice;         /* what devices says */
    int drop;
    int form;                    /* an enum gws_octree_form; -1: not given */
    double low[3], high[3];      /* box, read */
    struct device_groups groups; /* of a device */
    uint64_t piece;              /* as well; 0: chosen */
    /* what comes out */
    const char *out, *nodes, *query, *answers, *picture;
    int picture_axis; /* the axis looked along; below 0: not said */
};

/* Reads the command line: -1, or the status to exit with. *points is the operand. */
int settings_parse(struct settings *settings, int argc, char **argv, const char **points);

/* The axis looked along: z unless another is said. */
int settings_axis(const struct settings *settings);

/* What the tree is to be like. */
struct gws_octree_options settings_tree(const struct settings *settings);

/* ---- device.c ---- */

/* {0}: the CPU's threads build. */
struct tree_device {
    struct gws_device *device;
    struct gws_octree_device *builder;
    struct gws_octree_device_options chosen; /* what the options that were not given became */
    struct gws_octree_device_stats stats;    /* of the last build */
    double open_ms, call_ms;                 /* opening the builder, without its programs; the last build's call */
};

/* Reads what --device names into settings->choice, and refuses what is none: -1, or the status to exit with. */
int tree_device_choose(struct settings *settings);

/* Refuses options that would do nothing: -1, or the status to exit with. */
int tree_device_check(const struct settings *settings);

/* Whether a device is named; auto may yet turn out to be the CPU. */
bool tree_device_wanted(const struct settings *settings);

/* Opens the device and the builder, if one is wanted. Answers -1, or the status to exit with after the mistake has been
 * reported; tree_device_close() is due in both cases. */
int tree_device_open(struct tree_device *device, struct gws_runtime *runtime, const struct settings *settings);
void tree_device_close(struct tree_device *device);

/* ---- query.c ---- */

/* {0} has no questions. */
struct query {
    struct gws_query *question; /* count entries */
    uint64_t count;
    uint64_t hits;              /* rows of the answers: */
    int64_t *asked, *point;     /* the question's number, from 0 in the file's order, and a point's */
    double *distance;           /* not a number where the question has none */
    double ms;                  /* that answering took, and bringing questions and answers to and fro */
    double there_ms, device_ms; /* to bring the tree to a device; the answering itself; 0 by the CPU */
    bool on_device;
};

/* Reads the questions. Answers -1, or the status to exit with after the mistake has been reported. */
int query_read(struct query *query, struct gws_runtime *runtime, const char *path);

/* Answers them, on the device where it is not NULL and one that does; the tree has its points. */
int query_answer(struct query *query, struct gws_runtime *runtime, struct gws_device *device,
                 const struct gws_octree *tree, const char *path);

/* Writes the answers as a table. */
int query_write(const struct query *query, struct gws_runtime *runtime, const char *path);

void query_clear(struct query *query, struct gws_runtime *runtime);

/* ---- files.c, picture.c ---- */

/* What goctree writes of a tree. Each answers -1, or the status to exit with after the mistake has been reported. */

/* The points (in leaf order, as gws_octree_sort_points() leaves them) with the columns leaf, level and point, and
 * colours by leaf in PLY; or the boxes of the leaves, where the name ends in .vtu. */
int files_out(struct gws_runtime *runtime, const struct gws_octree *tree, const struct gws_points *points,
              const char *path);

/* A row for each node. */
int files_nodes(struct gws_runtime *runtime, const struct gws_octree *tree, const char *path);

/* The leaves as seen along an axis, from above, shaded by their depth, as SVG. */
int files_picture(struct gws_runtime *runtime, const struct gws_octree *tree, int axis, const char *path);

/* ---- report.c ---- */

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

/* SPDX-License-Identifier: MIT */
/* The parts of goctree: the command line, the device, queries, files, and the report. */
#ifndef TOOLS_GOCTREE_GOCTREE_H
#define TOOLS_GOCTREE_GOCTREE_H

#include "../common/console.h"
#include "../common/device.h"
#include "../common/outputs.h"
#include "../common/runtime_options.h"
#include "../common/workers.h"

/* ---- settings.c ---- */

struct tree_settings {
    struct runtime_options options;
    /* points */
    const char *format, *columns; /* NULL: detected */
    int precision, trust, mapped; /* precision: an enum gws_precision */
    /* tree */
    uint64_t leaf, max_depth;
    const char *box, *builder, *devices; /* devices: the list of --device; NULL: only the CPU's threads */
    struct device_choice choice;         /* parsed from devices */
    int drop;
    int form;                    /* an enum gws_octree_form; -1: not given */
    double low[3], high[3];      /* parsed from box */
    struct device_groups groups; /* of a device */
    uint64_t tile;               /* of a device; 0: chosen automatically */
    /* output */
    const char *out, *nodes, *query, *answers, *picture;
    int count;        /* answer queries with numbers of points */
    const char *sum;  /* a column to add up; NULL: none */
    int picture_axis; /* the viewing axis; negative: not given */
};

/* Parses the command line and sets *points to the operand. Returns -1, or the exit status. */
int settings_parse(struct tree_settings *settings, int argc, char **argv, const char **points);

/* Returns the viewing axis, by default z. */
int settings_axis(const struct tree_settings *settings);

/* Returns the library's options of the tree. */
struct gws_octree_options settings_tree(const struct tree_settings *settings);

/* ---- device.c ---- */

/* The device that builds the tree; {0}: the CPU's threads build it. */
struct tree_device {
    struct gws_device *device;
    struct gws_octree_device *builder;
    struct gws_octree_device_options chosen; /* the effective options */
    struct gws_octree_device_stats stats;    /* of the last build */
    double open_ms, call_ms;                 /* opening the builder, without its programs; the last build's call */
};

/* Parses --device into settings->choice. Returns -1, or the exit status. */
int tree_device_choose(struct tree_settings *settings);

/* Refuses options that would have no effect. Returns -1, or the exit status. */
int tree_device_check(const struct tree_settings *settings);

/* Returns true if --device names a device; auto may still resolve to the CPU. */
bool tree_device_given(const struct tree_settings *settings);

/* Opens the device and the builder if a device is given. Returns -1, or the exit status after reporting the error; call
 * tree_device_close() in both cases. */
int tree_device_open(struct tree_device *device, struct gws_runtime *runtime, const struct tree_settings *settings);
void tree_device_close(struct tree_device *device);

/* ---- query.c, totals.c ---- */

/* The queries of a file and their answers; {0} has none. */
struct tree_queries {
    struct gws_query *query; /* count entries */
    uint64_t count;
    uint64_t hits;               /* number of rows of the answers, with the columns: */
    int64_t *number, *point;     /* the query's number, from 0 in the file's order, and a point's number */
    double *distance;            /* NAN if the kind of query has none */
    double ms;                   /* time of answering, including the copies of queries and answers */
    double upload_ms, device_ms; /* copying the tree to the device; the device's answering alone; both 0 on the CPU */
    bool on_device;
    /* Totals in place of the points, with a row for each query. */
    bool counts;        /* set before query_read() */
    const char *sum_of; /* a column, or NULL; likewise */
    double *value;      /* its values by the points' numbers; NULL: none */
    int64_t *total;     /* the number of points of each query */
    double *sum;        /* the sums of their values */
};

/* Reads the queries. These functions return -1, or the exit status after reporting the error. */
int query_read(struct tree_queries *queries, struct gws_runtime *runtime, const char *path);

/* Sets the values of the column to add up, if there is one. points: in leaf order. */
int query_values(struct tree_queries *queries, const struct gws_octree *tree, const struct gws_points *points);

/* Answers the queries on the device, or on the CPU if device is NULL or does not support queries, and for totals. The
 * tree must have its points. */
int query_answer(struct tree_queries *queries, struct gws_runtime *runtime, struct gws_device *device,
                 const struct gws_octree *tree, const char *path);

/* Computes the totals of queries of one kind, boxes if is_box, otherwise balls: number has count queries, and order[i]
 * is query i in the file. */
gws_status totals_answer(const struct tree_queries *queries, struct gws_runtime *runtime, const struct gws_octree *tree,
                         bool is_box, const double *number, const struct gws_query *const *order, uint64_t count);

/* Writes the answers as a table. */
int query_write(const struct tree_queries *queries, struct gws_runtime *runtime, const char *path);

void query_clear(struct tree_queries *queries, struct gws_runtime *runtime);

/* ---- files.c, picture.c ---- */

/* Write files about a tree. They return -1, or the exit status after reporting the error. */

/* Writes the points in the leaf order of gws_octree_sort_points(), with the columns leaf, level and point. In PLY and
 * PCD, each point has a colour that depends on its leaf. If the name ends in .vtu, writes the boxes of the leaves
 * instead. */
int files_out(struct gws_runtime *runtime, const struct gws_octree *tree, const struct gws_points *points,
              const char *path);

/* Writes a table with a row for each node. */
int files_nodes(struct gws_runtime *runtime, const struct gws_octree *tree, const char *path);

/* Draws the leaves as SVG, seen along an axis from above and shaded by depth, with outlines and axes. */
int files_picture(struct gws_runtime *runtime, const struct gws_octree *tree, int axis, const char *path);

/* ---- what the reports say ---- */

struct tree_run {
    double ms;
    struct gws_octree_stats stats;
    struct gws_worker_stats total;         /* over the workers */
    struct gws_octree_device_stats device; /* zero if no device built the tree */
    double other_ms;                       /* time of the device's call outside the times above */
};

struct tree_report {
    const struct tree_settings *settings;
    struct gws_runtime *runtime;
    const char *name; /* of the points */
    uint64_t given;   /* points read or generated */
    uint32_t columns;
    double load_ms;
    const struct gws_octree *tree; /* of the last run */
    struct tree_run *run;          /* runs entries are filled */
    uint64_t runs;
    struct workers workers;             /* over all runs */
    int verified;                       /* 1: all runs, 0: not all, -1: not requested */
    const struct tree_queries *queries; /* NULL: none */
    const struct tree_device *device;
};

/* ---- shape.c ---- */

/* Print the points and their box, the tree in two lines, and a histogram of the tree by level. shape_json() adds all of
 * these to the open object. */
void shape_points_print(const struct tree_report *report, FILE *out);
void shape_tree_print(const struct tree_report *report, FILE *out);
void shape_levels_print(const struct tree_report *report, FILE *out);
void shape_json(const struct tree_report *report, struct json *json);

/* ---- report.c ---- */

/* Allocates space for runs. Returns false if memory runs out; call report_clear() in both cases. */
bool report_begin(struct tree_report *report, uint64_t runs);
void report_clear(struct tree_report *report);

/* Adds the run that built report->tree. */
void report_add_run(struct tree_report *report);

void report_print(const struct tree_report *report, FILE *out);

/* Adds its members to the open object. data: a struct tree_report. */
void report_json(const void *data, struct json *json);

#endif

/* SPDX-License-Identifier: MIT */
/* What there is to say about breadth-first searches of a graph: collected over runs, for people and as JSON. */
#ifndef TOOLS_GBFS_REPORT_H
#define TOOLS_GBFS_REPORT_H

#include "../common/workers.h"
#include "device_report.h"

struct bfs_run {
    uint32_t source, levels;
    uint64_t reached, edges; /* edges of the reached part: undirected ones once */
    double ms, fetch_ms;     /* fetch_ms: of the call on a device, what was no search */
};

struct bfs_report {
    const struct engine_settings *engine;
    struct session *session;
    struct device_search *device; /* never NULL; its .device is, where the CPU's threads search alone */
    double reverse_ms;            /* 0: there was nothing to make */
    struct gws_bfs_index index;   /* empty without --index */
    struct gws_bfs_result result; /* of the last run */
    struct bfs_run *run;          /* runs entries are filled */
    uint64_t runs;
    struct workers workers; /* over all runs, where the CPU's threads search alone */
    int verified;           /* 1 all, 0 not all, -1 not asked */
};

/* Makes room for runs. False when memory is short; bfs_report_clear() is due in both cases. */
bool bfs_report_begin(struct bfs_report *report, uint64_t runs);
void bfs_report_clear(struct bfs_report *report);

/* Adds the run whose result is in report->result. */
void bfs_report_note(struct bfs_report *report);

/* engine_text(), without threads where a device searches alone. */
char *bfs_report_engine(const struct bfs_report *report, char *text);

void bfs_report_print(const struct bfs_report *report, const char *direction, FILE *out);
void bfs_report_print_levels(const struct bfs_report *report, FILE *out);

/* Both add their keys to the object that is open. */
void bfs_report_json(const struct bfs_report *report, struct json *json);
void bfs_report_levels_json(const struct bfs_report *report, struct json *json);

/* What gbfs draws of the last run: its levels as curves, through gnuplot, and a map of the graph in colours of depth.
 */

struct picture_settings {
    const char *plot, *map; /* files; NULL: not wanted */
    const char *positions;  /* the .co file; NULL: one that is named like the graph, if there is one */
};

enum { PICTURE_ROWS = 3 };
extern const struct option_row picture_row[PICTURE_ROWS];

/* Refuses what could not be drawn or written, of the graph called name: the status to exit with, or -1. */
int pictures_check(const struct picture_settings *settings, const char *name);

/* The file to read coordinates from while the graph called name is loaded, in *path: the caller's to free, NULL where
 * there is none. -1, or the status to exit with. */
int pictures_positions(const struct picture_settings *settings, const char *name, char **path);

/* Refuses to draw a map of a graph without coordinates, once it is there: the status to exit with, or -1. */
int pictures_ready(const struct picture_settings *settings, const struct session *session);

/* Draws what is wanted: -1, or the status to exit with after the mistake has been reported. */
int pictures_draw(const struct picture_settings *settings, const struct bfs_report *report);

/* Its two parts. */
int picture_of_levels(const struct bfs_report *report, const char *path);
int picture_of_map(const struct bfs_report *report, const char *path);

#endif

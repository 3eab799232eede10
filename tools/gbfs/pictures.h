/* SPDX-License-Identifier: MIT */
/* What gbfs draws of the last run: its levels as curves, through gnuplot, and a map of the graph in colours of depth.
 */
#ifndef TOOLS_GBFS_PICTURES_H
#define TOOLS_GBFS_PICTURES_H

#include "report.h"

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

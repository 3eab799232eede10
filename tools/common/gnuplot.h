/* SPDX-License-Identifier: MIT */
/* Figures that gnuplot draws from a script of commands with the data in it. */
#ifndef TOOLS_COMMON_GNUPLOT_H
#define TOOLS_COMMON_GNUPLOT_H

#include <stdio.h>

#include "../../graphws.h"

/* picture_check(), and refuses where gnuplot cannot be run: the status to exit with, or -1. */
int gnuplot_check(const char *option, const char *path);

/* A file in memory for a script, to be closed by fclose(); NULL and errno if there can be none. */
FILE *gnuplot_script(void);

/* Begins the script of a figure as large as that many plots below each other: terminal and size, by the name's ending.
 * The text that gnuplot takes as it is, between the quotes that belong to it. */
void gnuplot_begin(FILE *script, const char *path, unsigned plots);
void gnuplot_text(FILE *script, const char *text);

/* Has the script drawn, and writes the file whole or not at all: -1, or the status to exit with, reported. */
int gnuplot_draw(FILE *script, struct gws_runtime *runtime, const char *path);

#endif

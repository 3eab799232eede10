/* SPDX-License-Identifier: MIT */
/* A picture: a raster of cells, each of one of 256 colours, written as SVG or PNG. The same file for the same cells. */
#ifndef TOOLS_COMMON_PICTURE_H
#define TOOLS_COMMON_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../graphws.h"

struct picture {
    uint32_t width, height;
    uint8_t *cell; /* row by row from the top left, the number of a colour each */
    uint8_t colour[256][3];
};

/* Makes room; every cell is of colour 0, which SVG leaves to the white paper. False when memory is short;
 * picture_clear() is due in both cases. */
bool picture_begin(struct picture *picture, uint32_t width, uint32_t height);
void picture_clear(struct picture *picture);

/* A number, its digits SCALE cells for each of their 3 by 5 dots, from the top left (x, y) on; and how wide it comes
 * out. What lies outside the picture is left out. */
void picture_number(struct picture *picture, int64_t x, int64_t y, uint64_t number, uint32_t scale, uint8_t colour);
uint32_t picture_number_width(uint64_t number, uint32_t scale);
void picture_box(struct picture *picture, int64_t x, int64_t y, uint32_t width, uint32_t height, uint8_t colour);

/* Places among cells: two axes by one scale, from their low ends on. Set for low <= high; what is not is an axis of one
 * place. */
struct picture_scale {
    double low[2], side; /* of the longer axis; both times shrink */
    double shrink;       /* 1, or 1/2 where high - low overflows */
};

void picture_scale_set(struct picture_scale *scale, const double low[2], const double high[2]);

/* The place's part of the way along the longer axis: 0 to 1 whatever the number, and it never falls when that grows. */
double picture_part(const struct picture_scale *scale, int axis, double place);

/* Refuses a name that does not end in .svg or .png, or whose folder cannot be written in; option is the one that named
 * it: the status to exit with, or -1. */
int picture_check(const char *option, const char *path);

/* Writes the file whole or not at all: -1, or the status to exit with after the mistake has been reported. */
int picture_write(const struct picture *picture, struct gws_runtime *runtime, const char *path);

/* Figures that gnuplot draws from a script of commands with the data in it. */

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

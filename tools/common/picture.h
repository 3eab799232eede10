/* SPDX-License-Identifier: MIT */
/* A picture: a raster of cells with a palette of 256 colours, written as PNG. Equal rasters give equal files. Also what
 * all pictures share: the scale of coordinates, checks of files, and gnuplot. */
#ifndef TOOLS_COMMON_PICTURE_H
#define TOOLS_COMMON_PICTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../../graphws.h"

struct picture {
    uint32_t width, height;
    uint8_t *cell; /* row by row from the top left: an index into colour */
    uint8_t colour[256][3];
};

/* Allocates the cells, which have colour 0; all colours are white. Returns false if memory runs out; call
 * picture_clear() in both cases. */
bool picture_begin(struct picture *picture, uint32_t width, uint32_t height);
void picture_clear(struct picture *picture);

/* Draws letters and digits with their top left corner at (x, y); each has 3 by 5 dots of scale by scale cells. Small
 * letters look like capitals, and other characters are blank. Cells outside the picture are omitted.
 * picture_text_width() returns the width in cells, with the gap behind the text. */
void picture_text(struct picture *picture, int64_t x, int64_t y, const char *text, uint32_t scale, uint8_t colour);
uint32_t picture_text_width(const char *text, uint32_t scale);
void picture_box(struct picture *picture, int64_t x, int64_t y, uint32_t width, uint32_t height, uint8_t colour);

/* Maps coordinates to fractions of the picture. The two axes have the same scale and begin at their low ends. An axis
 * on which low is not <= high has a single position. */
struct picture_scale {
    double low[2], side; /* side: length of the longer axis; both are multiplied by shrink */
    double shrink;       /* 1, or 1/2 if high - low overflows */
};

void picture_scale_set(struct picture_scale *scale, const double low[2], const double high[2]);

/* Returns the coordinate's distance from the low end as a fraction of the longer axis: always 0 to 1, and monotonic. */
double picture_fraction(const struct picture_scale *scale, int axis, double coordinate);

/* Refuses a name that does not end in .svg or .png, and a file in a folder that is not writable. option: the option
 * that names the file. Returns -1, or the exit status. */
int picture_check(const char *option, const char *path);

/* Writes a PNG file atomically. Returns -1, or the exit status after reporting the error. */
int picture_write(const struct picture *picture, struct gws_runtime *runtime, const char *path);

/* ---- figures by gnuplot ---- */

/* Calls picture_check(), and then checks that gnuplot can run. Returns -1, or the exit status. */
int gnuplot_check(const char *option, const char *path);

/* Opens a file in memory for a script; the caller closes it with fclose(). Returns NULL and sets errno on failure. */
FILE *gnuplot_script(void);

/* gnuplot_begin() writes the head of the script: the terminal, which depends on the ending of the name, and the size
 * for `plots` plots below each other. gnuplot_text() writes a quoted string. */
void gnuplot_begin(FILE *script, const char *path, unsigned plots);
void gnuplot_text(FILE *script, const char *text);

/* Runs gnuplot on the script, which has commands and data, and writes the file atomically. Returns -1, or the exit
 * status after reporting the error. */
int gnuplot_draw(FILE *script, struct gws_runtime *runtime, const char *path);

#endif

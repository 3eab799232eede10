/* SPDX-License-Identifier: MIT */
/* Draws the leaves as seen along an axis. A raster cell is as dark as the deepest leaf behind it; runs of equal cells
 * become one rectangle, so the file stays small for any tree. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/picture.h"
#include "goctree.h"

#ifndef PICTURE_CELLS /* fuzz targets use a smaller raster */
#define PICTURE_CELLS 512
#endif

enum { CELLS = PICTURE_CELLS, EMPTY = 255, LEGEND = 24, BAR = 20 };

struct raster {
    uint8_t depth[CELLS][CELLS]; /* [row][column], from the top left; EMPTY: no leaf */
    int across, up;              /* the horizontal and the vertical axis */
    struct picture_scale scale;  /* scale of these two axes */
};

static int cell_of(const struct raster *raster, int which, double coordinate, bool end)
{
    double cell = picture_fraction(&raster->scale, which, coordinate) * CELLS;
    cell = end ? ceil(cell - 1e-9) - 1 : floor(cell + 1e-9);
    return cell < 0 ? 0 : cell > CELLS - 1 ? CELLS - 1 : (int)cell;
}

/* A leaf smaller than a cell fills the cell that contains it. */
static void paint(struct raster *raster, const double low[3], const double high[3], uint8_t level)
{
    int left = cell_of(raster, 0, low[raster->across], false), right = cell_of(raster, 0, high[raster->across], true);
    int bottom = cell_of(raster, 1, low[raster->up], false), top = cell_of(raster, 1, high[raster->up], true);
    if (right < left) right = left;
    if (top < bottom) top = bottom;
    for (int y = bottom; y <= top; y++) {
        for (int x = left; x <= right; x++) {
            uint8_t *cell = &raster->depth[CELLS - 1 - y][x];
            if (*cell == EMPTY || *cell < level) *cell = level;
        }
    }
}

static void fill_raster(struct raster *raster, const struct gws_octree *tree, int axis)
{
    raster->across = axis == 0 ? 1 : 0;
    raster->up = axis == 2 ? 1 : 2;
    picture_scale_set(&raster->scale, (double[]){tree->low[raster->across], tree->low[raster->up]},
                      (double[]){tree->high[raster->across], tree->high[raster->up]});
    memset(raster->depth, EMPTY, sizeof raster->depth);
    for (uint64_t leaf = 0; leaf < tree->leaves; leaf++) {
        double low[3], high[3];
        gws_octree_bounds(tree, tree->leaf[leaf], low, high);
        if (tree->points > 0) paint(raster, low, high, tree->node[tree->leaf[leaf]].level);
    }
}

/* Light blue at the root, dark blue at the deepest level. */
static void print_colour(FILE *out, uint32_t level, uint32_t depth)
{
    double fraction = depth > 0 ? (double)level / depth : 1;
    fprintf(out, "#%02x%02x%02x", (unsigned)(222 - 214 * fraction), (unsigned)(235 - 187 * fraction),
            (unsigned)(247 - 140 * fraction));
}

static void print_cells(FILE *out, const struct raster *raster, uint32_t depth)
{
    for (int y = 0; y < CELLS; y++) {
        for (int x = 0, end; x < CELLS; x = end) {
            uint8_t level = raster->depth[y][x];
            for (end = x + 1; end < CELLS && raster->depth[y][end] == level;) end++;
            if (level == EMPTY) continue;
            fprintf(out, "<path d=\"M%d %dh%dv1H%dz\" fill=\"", x, y, end - x, x);
            print_colour(out, level, depth);
            fputs("\"/>\n", out);
        }
    }
}

static void print_legend(FILE *out, const struct raster *raster, uint32_t depth)
{
    for (uint32_t level = 0; level <= depth; level++) {
        fprintf(out, "<rect x=\"%u\" y=\"%d\" width=\"%d\" height=\"10\" fill=\"", level * BAR, CELLS + 2, BAR);
        print_colour(out, level, depth);
        fprintf(out, "\"/><text x=\"%u\" y=\"%d\" text-anchor=\"middle\">%u</text>\n", level * BAR + BAR / 2,
                CELLS + LEGEND - 3, level);
    }
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%c to the right, %c up; colour: depth</text>\n", CELLS,
            CELLS + 11, "xyz"[raster->across], "xyz"[raster->up]);
}

static void print_picture(FILE *out, const struct raster *raster, uint32_t depth)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "shape-rendering=\"crispEdges\" font-family=\"sans-serif\" font-size=\"9\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            2 * CELLS, 2 * (CELLS + LEGEND), CELLS, CELLS + LEGEND, CELLS, CELLS + LEGEND);
    print_cells(out, raster, depth);
    print_legend(out, raster, depth);
    fputs("</svg>\n", out);
}

int files_picture(struct gws_runtime *runtime, const struct gws_octree *tree, int axis, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    struct raster *raster = malloc(sizeof *raster);
    FILE *out = raster ? open_memstream(&text, &size) : NULL;
    bool whole = out != NULL;
    if (whole) {
        fill_raster(raster, tree, axis);
        print_picture(out, raster, tree->depth);
        whole = !ferror(out);
        if (fclose(out) != 0) whole = false;
    }
    int status = whole ? output_write(runtime, path, text, size) : console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    free(text);
    free(raster);
    return status;
}

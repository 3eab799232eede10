/* SPDX-License-Identifier: MIT */
/* Draws the leaves as SVG: a raster, outlines of the leaves that are large enough, axes and a legend. So the file stays
 * small for any tree. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "raster.h"

enum {
    OUTLINED = 5, /* leaves of so many cells have an outline */
    LEFT = 64,    /* margins: for numbers of the upward axis; for those of the other axis, and the legend */
    TOP = 8,
    RIGHT = 28,
    BOTTOM = 64,
    BAR = 20, /* of the legend */
    TICKS = 5 /* of an axis, about */
};

/* ---- cells ---- */

/* Light blue at the root, dark blue at the deepest level. */
static void print_colour(FILE *out, uint32_t level, uint32_t depth)
{
    double fraction = depth > 0 ? (double)level / depth : 1;
    fprintf(out, "#%02x%02x%02x", (unsigned)(222 - 214 * fraction), (unsigned)(235 - 187 * fraction),
            (unsigned)(247 - 140 * fraction));
}

static bool is_level(const struct raster *raster, int x, int y, uint32_t level)
{
    return raster_leaf(raster, x, y) != NO_LEAF && raster->depth[y][x] == level;
}

/* Returns the end of the run of cells of that level that begins at x, or x if none begins there. */
static int run_end(const struct raster *raster, int x, int y, uint32_t level)
{
    int end = x;
    if (is_level(raster, x - 1, y, level)) return x;
    while (is_level(raster, end, y, level)) end++;
    return end;
}

/* Prints the cells of each level as one path of rectangles. A rectangle has all equal runs below each other. */
static void print_cells(FILE *out, const struct raster *raster, uint32_t depth)
{
    for (uint32_t level = 0; level <= depth; level++) {
        fputs("<path fill=\"", out);
        print_colour(out, level, depth);
        fputs("\" d=\"", out);
        for (int y = 0; y < raster->rows; y++) {
            for (int x = 0; x < raster->columns; x++) {
                int end = run_end(raster, x, y, level), below = y + 1;
                if (end == x || run_end(raster, x, y - 1, level) == end) continue;
                while (run_end(raster, x, below, level) == end) below++;
                fprintf(out, "M%d %dH%dV%dH%dz", x, y, end, below, x);
            }
        }
        fputs("\"/>\n", out);
    }
}

/* ---- outlines ---- */

static bool is_outlined(const struct raster *raster, const struct gws_octree *tree, uint64_t leaf)
{
    double low[3], high[3];
    if (leaf == NO_LEAF) return false;
    gws_octree_bounds(tree, tree->leaf[leaf], low, high);
    int axis = raster->axis[0];
    double cells = picture_fraction(&raster->scale, 0, high[axis]) - picture_fraction(&raster->scale, 0, low[axis]);
    return cells * CELLS >= OUTLINED;
}

/* Returns whether a line separates the cell (x, y) from the one on its left, or above it. */
static bool is_line(const struct raster *raster, const struct gws_octree *tree, int x, int y, bool upright)
{
    uint64_t leaf = raster_leaf(raster, x, y),
             other = upright ? raster_leaf(raster, x - 1, y) : raster_leaf(raster, x, y - 1);
    return leaf != other && (is_outlined(raster, tree, leaf) || is_outlined(raster, tree, other));
}

static void print_outlines(FILE *out, const struct raster *raster, const struct gws_octree *tree)
{
    fputs("<path fill=\"none\" stroke=\"#ffffff\" stroke-width=\".5\" d=\"", out);
    for (int upright = 0; upright < 2; upright++) {
        int lines = upright ? raster->columns : raster->rows, length = upright ? raster->rows : raster->columns;
        for (int line = 1; line < lines; line++) {
            for (int i = 0, end; i < length; i = end + 1) {
                for (end = i; end < length && (upright ? is_line(raster, tree, line, end, true)
                                                       : is_line(raster, tree, end, line, false));)
                    end++;
                if (end > i && upright) fprintf(out, "M%d %dv%d", line, i, end - i);
                if (end > i && !upright) fprintf(out, "M%d %dh%d", i, line, end - i);
            }
        }
    }
    fputs("\"/>\n", out);
}

/* ---- axes ---- */

/* Returns the distance of ticks: 1, 2 or 5 times a power of ten. */
static double tick_step(double length)
{
    double step = pow(10, floor(log10(length / TICKS)));
    double times = length / TICKS / step;
    return step * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
}

static void print_tick(FILE *out, const struct raster *raster, int which, double value)
{
    double cell = picture_fraction(&raster->scale, which, value) * CELLS;
    if (which == 0)
        fprintf(
            out,
            "<path stroke=\"black\" d=\"M%.1f %dv4\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
            cell, raster->rows, cell, raster->rows + 13, value);
    else
        fprintf(out,
                "<path stroke=\"black\" d=\"M0 %.1fh-4\"/><text x=\"-6\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n",
                raster->rows - cell, raster->rows - cell + 3, value);
}

/* Prints ticks with numbers, which are coordinates of the points. */
static void print_axis(FILE *out, const struct raster *raster, int which)
{
    double low = raster->low[which], length = raster->high[which] - low;
    char name = "xyz"[raster->axis[which]];
    if (length > 0 && isfinite(length) && length / TICKS > 0) {
        double step = tick_step(length), first = ceil(low / step);
        for (int i = 0; i < 3 * TICKS && (first + i) * step <= raster->high[which]; i++)
            print_tick(out, raster, which, (first + i) * step + 0.0); /* never -0 */
    }
    if (which == 0)
        fprintf(out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\">%c (in the points' unit)</text>\n",
                raster->columns / 2, raster->rows + 26, name);
    else
        fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\">%c</text>\n", 12 - LEFT,
                raster->rows / 2 + 4, name);
}

/* ---- the page ---- */

static void print_legend(FILE *out, const struct raster *raster, uint32_t depth)
{
    int y = raster->rows + 34;
    for (uint32_t level = 0; level <= depth; level++) {
        fprintf(out, "<rect x=\"%u\" y=\"%d\" width=\"%d\" height=\"8\" fill=\"", level * BAR, y, BAR);
        print_colour(out, level, depth);
        fprintf(out, "\"/><text x=\"%u\" y=\"%d\" text-anchor=\"middle\">%" PRIu32 "</text>\n", level * BAR + BAR / 2,
                y + 18, level);
    }
    fprintf(out, "<text x=\"%u\" y=\"%d\">level of the deepest leaf</text>\n", (depth + 1) * BAR + 6, y + 8);
}

static void print_picture(FILE *out, const struct raster *raster, const struct gws_octree *tree)
{
    int legend = (int)(tree->depth + 1) * BAR + 110, width = raster->columns > legend ? raster->columns : legend;
    int wide = LEFT + width + RIGHT, high = TOP + raster->rows + BOTTOM;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\" "
            "font-family=\"sans-serif\" font-size=\"9\">\n"
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"white\"/>\n<g shape-rendering=\"crispEdges\">\n",
            2 * wide, 2 * high, -LEFT, -TOP, wide, high, -LEFT, -TOP, wide, high);
    print_cells(out, raster, tree->depth);
    fputs("</g>\n", out);
    print_outlines(out, raster, tree);
    fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"black\"/>\n", raster->columns, raster->rows);
    for (int which = 0; which < 2; which++) print_axis(out, raster, which);
    print_legend(out, raster, tree->depth);
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
        raster_fill(raster, tree, axis);
        print_picture(out, raster, tree);
        whole = !ferror(out);
        if (fclose(out) != 0) whole = false;
    }
    int status = whole ? output_write(runtime, path, text, size) : console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    free(text);
    free(raster);
    return status;
}

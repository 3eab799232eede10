/* SPDX-License-Identifier: MIT */
/* Draws a map as SVG: a path for each of 48 colours, from the deepest to that of the source, so the vertices of smaller
 * depth stay visible. Each half of an arc has the colour of its end. map_trails.c joins the lines of a path, which
 * keeps the file small. Coordinates are whole numbers; equal lines of a colour count once. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/outputs.h"
#include "map.h"
#include "map_trails.h"

enum {
    SHADES = 48,          /* colours by depth */
    NOT_REACHED = SHADES, /* the layer of what is not reached */
    LAYERS = SHADES + 1,
    FINE = 2,        /* a cell of a small graph has so many coordinates along an axis */
    SMALL = 1 << 17, /* vertices of a small graph at most */
    ADVANCE = 8      /* the width of a letter of the legend */
};

struct lines {
    const struct map *map;
    uint32_t fine;     /* coordinates in a cell */
    uint64_t *touched; /* a bit for each point: a line touches it */
    uint32_t row;      /* bits of a column of points */
    double length;     /* of all lines */
    uint64_t count;    /* of these */
    bool no_memory;    /* lines are missing */
    struct layer layer[LAYERS];
};

/* ---- lines ---- */

static map_point point_of(const struct lines *lines, uint32_t vertex)
{
    const struct map *map = lines->map;
    const double *position = map->graph->position + 2 * (uint64_t)vertex;
    double side = (double)(SIDE - 1) * lines->fine;
    uint32_t x = (uint32_t)(picture_fraction(&map->scale, 0, position[0]) * side + 0.5);
    uint32_t y = (uint32_t)(picture_fraction(&map->scale, 1, position[1]) * side + 0.5);
    return map_point_of(x, map->height * lines->fine - y);
}

/* Returns whether a line touched the point before, and marks it. */
static bool touch(struct lines *lines, map_point point)
{
    uint64_t bit = (uint64_t)map_x(point) * lines->row + map_y(point), mask = UINT64_C(1) << bit % 64;
    bool before = lines->touched[bit / 64] & mask;
    lines->touched[bit / 64] |= mask;
    return before;
}

static void add(struct lines *lines, uint32_t layer, map_point one, map_point other)
{
    if (!layer_add(&lines->layer[layer], one, other)) lines->no_memory = true;
}

static void add_line(struct lines *lines, uint32_t layer, map_point one, map_point other)
{
    if (one == other) return;
    touch(lines, one);
    touch(lines, other);
    lines->length += hypot(map_x(one) - map_x(other), map_y(one) - map_y(other));
    lines->count++;
    add(lines, layer, one, other);
}

static uint32_t layer_of(const struct map *map, uint32_t vertex)
{
    uint32_t depth = map->depth[vertex];
    if (depth == GWS_NO_VERTEX) return NOT_REACHED;
    return map->max_depth > 0 ? (uint32_t)((uint64_t)depth * (SHADES - 1) / map->max_depth) : 0;
}

static void add_arc(struct lines *lines, uint32_t from, uint32_t to)
{
    map_point one = point_of(lines, from), other = point_of(lines, to);
    map_point middle =
        map_point_of((uint32_t)(map_x(one) + map_x(other)) / 2, (uint32_t)(map_y(one) + map_y(other)) / 2);
    uint32_t layer = layer_of(lines->map, from), end = layer_of(lines->map, to);
    if (layer == end) {
        add_line(lines, layer, one, other);
    } else {
        add_line(lines, layer, one, middle);
        add_line(lines, end, middle, other);
    }
}

static void add_arcs(struct lines *lines)
{
    const struct gws_graph *graph = lines->map->graph;
    for (uint32_t u = 0; u < graph->vertices && !lines->no_memory; u++) {
        if (!map_has_position(lines->map, u)) continue;
        for (uint64_t arc = graph->offset[u]; arc < graph->offset[u + (uint64_t)1]; arc++) {
            uint32_t v = graph->target[arc];
            if ((graph->directed || u < v) && map_has_position(lines->map, v)) add_arc(lines, u, v);
        }
    }
}

/* Adds a dot for each vertex that no line touches. */
static void add_dots(struct lines *lines)
{
    for (uint32_t v = 0; v < lines->map->graph->vertices && !lines->no_memory; v++) {
        if (!map_has_position(lines->map, v)) continue;
        map_point point = point_of(lines, v);
        if (!touch(lines, point)) add(lines, layer_of(lines->map, v), point, point);
    }
}

/* ---- the page ---- */

/* Lines are as wide as half of their mean length, but 1 to 4 cells. */
static double line_width(const struct lines *lines)
{
    double mean = lines->count > 0 ? lines->length / (double)lines->count : 0;
    return fmin(fmax(mean / 2, lines->fine), 4.0 * lines->fine);
}

static void print_layers(FILE *out, struct lines *lines)
{
    fprintf(out,
            "<g transform=\"translate(%d %d) scale(%g)\" fill=\"none\" stroke-width=\"%.3g\" stroke-linecap=\"round\" "
            "stroke-linejoin=\"round\">\n",
            MARGIN, MARGIN, 1.0 / lines->fine, line_width(lines));
    for (uint32_t i = LAYERS; i-- > 0 && !lines->no_memory;) {
        uint8_t rgb[3];
        if (lines->layer[i].count == 0) continue;
        map_colour((double)i / (SHADES - 1), rgb);
        const uint8_t *colour = i == NOT_REACHED ? map_grey : rgb;
        fprintf(out, "<path stroke=\"#%02x%02x%02x\" d=\"", colour[0], colour[1], colour[2]);
        if (!layer_print(&lines->layer[i], out)) lines->no_memory = true;
        fputs("\"/>\n", out);
    }
    fputs("</g>\n", out);
}

static void print_mark(FILE *out, double x, double y)
{
    fprintf(out, "<circle cx=\"%g\" cy=\"%g\" r=\"%d\"/>\n", x, y, MARK);
}

/* Prints a text at *x and moves *x beyond it. out NULL: only moves. */
static void print_text(FILE *out, int *x, uint32_t y, const char *text)
{
    if (out) fprintf(out, "<text x=\"%d\" y=\"%u\">%s</text>\n", *x, y, text);
    *x += (int)strlen(text) * ADVANCE + MARGIN;
}

/* Prints the legend with its foot at y. Returns its width with margins. out NULL: only returns the width. */
static uint32_t print_legend(FILE *out, const struct map *map, uint32_t y)
{
    const int bar = map->width / 3 < 255 ? 255 : (int)map->width / 3;
    char text[CONSOLE_NUMBER + 32];
    int x = MARGIN;
    print_text(out, &x, y, MAP_WORD " 0");
    if (out)
        fprintf(out, "<rect x=\"%d\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"url(#depths)\"/>\n", x, y - BAR, bar,
                BAR);
    x += bar + MARGIN;
    snprintf(text, sizeof text, "%" PRIu32 " %s", map->max_depth, MAP_UNIT(map));
    print_text(out, &x, y, text);
    if (map_has_position(map, map->source)) {
        if (out) print_mark(out, x + MARGIN, y - BAR / 2);
        x += 2 * MARGIN;
        print_text(out, &x, y, MAP_SOURCE);
    }
    if (!map->all_reached) {
        if (out)
            fprintf(out, "<rect x=\"%d\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"#%02x%02x%02x\"/>\n", x, y - BAR,
                    BAR, BAR, map_grey[0], map_grey[1], map_grey[2]);
        x += BAR + MARGIN / 2;
        print_text(out, &x, y, MAP_NOT_REACHED);
    }
    return (uint32_t)x;
}

static void print_page(FILE *out, struct lines *lines)
{
    const struct map *map = lines->map;
    uint32_t wide = map->width + 2 * MARGIN, legend = print_legend(NULL, map, 0), high = map->height + 3 * MARGIN + BAR;
    if (wide < legend) wide = legend;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
            "font-family=\"sans-serif\" font-size=\"14\">\n<defs><linearGradient id=\"depths\">",
            wide, high, wide, high);
    for (int i = 0; i < STOPS; i++)
        fprintf(out, "<stop offset=\"%g\" stop-color=\"#%02x%02x%02x\"/>", (double)i / (STOPS - 1), map_stop[i][0],
                map_stop[i][1], map_stop[i][2]);
    fprintf(out, "</linearGradient></defs>\n<rect width=\"%u\" height=\"%u\" fill=\"white\"/>\n", wide, high);
    print_layers(out, lines);
    if (map_has_position(map, map->source)) {
        map_point point = point_of(lines, map->source);
        print_mark(out, MARGIN + (double)map_x(point) / lines->fine, MARGIN + (double)map_y(point) / lines->fine);
    }
    (void)print_legend(out, map, high - MARGIN);
    fputs("</svg>\n", out);
}

static int write_page(struct lines *lines, struct gws_runtime *runtime, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) print_page(out, lines);
    bool good = out && !lines->no_memory;
    if (out && (ferror(out) | fclose(out)) != 0) good = false;
    int status = good ? output_write(runtime, path, text, size) : console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    free(text);
    return status;
}

int map_paths(const struct map *map, struct gws_runtime *runtime, const char *path)
{
    struct lines lines = {.map = map, .fine = map->graph->vertices <= SMALL ? FINE : 1};
    lines.row = map->height * lines.fine + 1;
    uint64_t points = (uint64_t)((map->width + 1) * lines.fine + 1) * lines.row;
    lines.touched = calloc(points / 64 + 1, sizeof *lines.touched);
    lines.no_memory = !lines.touched;
    if (lines.touched) {
        add_arcs(&lines);
        add_dots(&lines);
    }
    int status =
        lines.no_memory ? console_fail("%s", gws_status_text(GWS_NO_MEMORY)) : write_page(&lines, runtime, path);
    for (uint32_t i = 0; i < LAYERS; i++) free(lines.layer[i].line);
    free(lines.touched);
    return status;
}

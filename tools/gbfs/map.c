/* SPDX-License-Identifier: MIT */
/* Draws the graph as a road map: arcs are straight lines in a raster of cells (Bresenham, IBM Systems Journal 4, 1965).
 * A cell has the minimum depth of the lines in it, so the vertices of smaller depth stay visible. Below the map is a
 * bar of the colours from depth 0 to the maximum. The x axis points right and the y axis up; both have the same
 * scale. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "../common/picture.h"
#include "gbfs.h"

#ifndef MAP_SIDE /* fuzz targets use a smaller map */
#define MAP_SIDE 1200
#endif

enum {
    SIDE = MAP_SIDE, /* cells along the longer side */
    MARGIN = 12,
    BAR = 12,     /* the height of the bar of colours */
    BAR_PART = 3, /* the bar is a third of the width */
    DOT = 2,      /* width of a digit's dot, in cells */
    MARK = 4,     /* radius of the disc that marks the source */
    GREY = 1,
    BLACK = 2,
    FIRST = 3, /* FIRST to LAST: colours by depth */
    LAST = 255
};

static const uint32_t EMPTY = UINT32_MAX, UNREACHED = UINT32_MAX - 1;

struct map {
    const struct gws_graph *graph;
    const uint32_t *depth; /* of each vertex */
    uint32_t max_depth;
    struct picture_scale scale;
    uint32_t width, height;
    uint32_t *cell; /* row by row from the top: the minimum depth, UNREACHED or EMPTY */
};

/* Returns false if a coordinate is not finite; the map omits such vertices. */
static bool has_position(const struct map *map, uint32_t vertex)
{
    const double *position = map->graph->position + 2 * (uint64_t)vertex;
    return isfinite(position[0]) && isfinite(position[1]);
}

static void find_bounds(const struct map *map, double low[2], double high[2])
{
    for (int i = 0; i < 2; i++) low[i] = INFINITY, high[i] = -INFINITY;
    for (uint32_t v = 0; v < map->graph->vertices; v++) {
        if (!has_position(map, v)) continue;
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], map->graph->position[2 * (uint64_t)v + i]);
            high[i] = fmax(high[i], map->graph->position[2 * (uint64_t)v + i]);
        }
    }
}

/* Computes the size of the map; a map of a single position has one cell. */
static void find_size(struct map *map)
{
    double low[2], high[2];
    find_bounds(map, low, high);
    picture_scale_set(&map->scale, low, high);
    map->width = (uint32_t)(picture_fraction(&map->scale, 0, high[0]) * (SIDE - 1)) + 1;
    map->height = (uint32_t)(picture_fraction(&map->scale, 1, high[1]) * (SIDE - 1)) + 1;
}

static int32_t cell_of(const struct map *map, uint32_t vertex, int axis)
{
    double coordinate = map->graph->position[2 * (uint64_t)vertex + axis];
    int32_t cell = (int32_t)(picture_fraction(&map->scale, axis, coordinate) * (SIDE - 1));
    return axis == 0 ? cell : (int32_t)map->height - 1 - cell;
}

static void paint(struct map *map, int32_t x, int32_t y, uint32_t depth)
{
    uint32_t *cell = &map->cell[(uint64_t)y * map->width + (uint32_t)x];
    if (depth < *cell) *cell = depth;
}

/* Paints each half of the line with the depth of its end. */
static void paint_line(struct map *map, const uint32_t end[2], const uint32_t depth[2])
{
    int32_t x = cell_of(map, end[0], 0), y = cell_of(map, end[0], 1);
    int32_t x1 = cell_of(map, end[1], 0), y1 = cell_of(map, end[1], 1);
    int32_t across = abs(x1 - x), down = -abs(y1 - y), right = x < x1 ? 1 : -1, below = y < y1 ? 1 : -1;
    int32_t error = across + down, steps = across > -down ? across : -down;
    for (int32_t step = 0; step <= steps; step++) {
        if (2 * step <= steps) paint(map, x, y, depth[0]);
        if (2 * step >= steps) paint(map, x, y, depth[1]);
        int32_t twice = 2 * error;
        if (twice >= down) error += down, x += right;
        if (twice <= across) error += across, y += below;
    }
}

static uint32_t depth_of(const struct map *map, uint32_t vertex)
{
    return map->depth[vertex] == GWS_NO_VERTEX ? UNREACHED : map->depth[vertex];
}

static void paint_arcs(struct map *map)
{
    const struct gws_graph *graph = map->graph;
    for (uint32_t u = 0; u < graph->vertices; u++) {
        if (!has_position(map, u)) continue;
        uint32_t depth = depth_of(map, u);
        paint(map, cell_of(map, u, 0), cell_of(map, u, 1), depth);
        for (uint64_t arc = graph->offset[u]; arc < graph->offset[u + (uint64_t)1]; arc++) {
            uint32_t v = graph->target[arc];
            if ((graph->directed || u < v) && has_position(map, v))
                paint_line(map, (uint32_t[]){u, v}, (uint32_t[]){depth, depth_of(map, v)});
        }
    }
}

/* ---- the picture ---- */

/* Sets the colours: dark blue, violet, red, orange, yellow. */
static void set_colours(struct picture *picture)
{
    static const uint8_t stop[5][3] = {{13, 22, 135}, {126, 3, 168}, {204, 71, 120}, {246, 148, 62}, {236, 205, 40}};
    for (int i = 0; i < 3; i++) picture->colour[GREY][i] = 205, picture->colour[BLACK][i] = 0;
    for (uint32_t colour = FIRST; colour <= LAST; colour++) {
        double position = 4.0 * (colour - FIRST) / (LAST - FIRST);
        int before = position < 4 ? (int)position : 3;
        for (int i = 0; i < 3; i++)
            picture->colour[colour][i] =
                (uint8_t)lround(stop[before][i] + (position - before) * (stop[before + 1][i] - stop[before][i]));
    }
}

static uint8_t colour_of(const struct map *map, uint32_t depth)
{
    if (depth == EMPTY) return 0;
    if (depth == UNREACHED) return GREY;
    if (map->max_depth == 0) return FIRST;
    return (uint8_t)(FIRST + (uint64_t)depth * (LAST - FIRST) / map->max_depth);
}

static void copy_cells(struct picture *picture, const struct map *map)
{
    for (uint32_t y = 0; y < map->height; y++)
        for (uint32_t x = 0; x < map->width; x++)
            picture_box(picture, MARGIN + x, MARGIN + y, 1, 1, colour_of(map, map->cell[(uint64_t)y * map->width + x]));
}

static void draw_mark(struct picture *picture, const struct map *map, uint32_t source)
{
    if (!has_position(map, source)) return;
    int64_t x = MARGIN + cell_of(map, source, 0), y = MARGIN + cell_of(map, source, 1);
    for (int64_t down = -MARK; down <= MARK; down++)
        for (int64_t right = -MARK; right <= MARK; right++)
            if (right * right + down * down <= MARK * MARK) picture_box(picture, x + right, y + down, 1, 1, BLACK);
}

/* Draws "0", the colours, and the maximum depth. */
static void draw_bar(struct picture *picture, const struct map *map, uint32_t width)
{
    int64_t x = MARGIN, y = picture->height - MARGIN - BAR;
    picture_number(picture, x, y, 0, DOT, BLACK);
    x += picture_number_width(0, DOT) + MARGIN;
    for (uint32_t i = 0; i < width; i++)
        picture_box(picture, x + i, y, 1, BAR, (uint8_t)(FIRST + i * (LAST - FIRST) / (width > 1 ? width - 1 : 1)));
    picture_number(picture, x + width + MARGIN, y, map->max_depth, DOT, BLACK);
}

static int draw(const struct map *map, uint32_t source, struct gws_runtime *runtime, const char *path)
{
    struct picture picture;
    uint32_t bar = map->width / BAR_PART < LAST ? LAST : map->width / BAR_PART;
    uint32_t min_width = 4 * MARGIN + bar + picture_number_width(0, DOT) + picture_number_width(map->max_depth, DOT);
    uint32_t width = map->width + 2 * MARGIN;
    int status;
    if (!picture_begin(&picture, width < min_width ? min_width : width, map->height + 3 * MARGIN + BAR)) {
        status = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    } else {
        set_colours(&picture);
        copy_cells(&picture, map);
        draw_mark(&picture, map, source);
        draw_bar(&picture, map, bar);
        status = picture_write(&picture, runtime, path);
    }
    picture_clear(&picture);
    return status;
}

int picture_of_map(const struct bfs_report *report, const char *path)
{
    struct map map = {.graph = report->session->graph,
                      .depth = report->result.depth,
                      .max_depth = report->result.levels > 0 ? report->result.levels - 1 : 0};
    find_size(&map);
    uint64_t cells = (uint64_t)map.width * map.height;
    map.cell = malloc(cells * sizeof *map.cell);
    if (!map.cell) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    memset(map.cell, 0xff, cells * sizeof *map.cell); /* EMPTY */
    paint_arcs(&map);
    int status = draw(&map, report->result.source, report->session->runtime, path);
    free(map.cell);
    return status;
}

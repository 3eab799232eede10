/* SPDX-License-Identifier: MIT */
/* Draws a map as a raster of cells (Bresenham, IBM Systems Journal 4, 1965). A cell has the minimum depth of the lines
 * in it, so the vertices of smaller depth stay visible. Below the map is the legend. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "map.h"

enum {
    BAR_PART = 3, /* the bar is a third of the width */
    DOT = 2,      /* width of a letter's dot, in cells */
    GREY = 1,
    BLACK = 2,
    FIRST = 3, /* FIRST to LAST: colours by depth */
    LAST = 255
};

static const uint32_t EMPTY = UINT32_MAX, UNREACHED = UINT32_MAX - 1;

struct map_cells {
    const struct map *map;
    uint32_t *cell; /* row by row from the top: the minimum depth, UNREACHED or EMPTY */
};

/* ---- cells ---- */

static int32_t cell_of(const struct map *map, uint32_t vertex, int axis)
{
    double coordinate = map->graph->position[2 * (uint64_t)vertex + axis];
    int32_t cell = (int32_t)(picture_fraction(&map->scale, axis, coordinate) * (SIDE - 1));
    return axis == 0 ? cell : (int32_t)map->height - 1 - cell;
}

static void paint(struct map_cells *raster, int32_t x, int32_t y, uint32_t depth)
{
    uint32_t *cell = &raster->cell[(uint64_t)y * raster->map->width + (uint32_t)x];
    if (depth < *cell) *cell = depth;
}

/* Paints each half of the line with the depth of its end. */
static void paint_line(struct map_cells *raster, const uint32_t end[2], const uint32_t depth[2])
{
    int32_t x = cell_of(raster->map, end[0], 0), y = cell_of(raster->map, end[0], 1);
    int32_t x1 = cell_of(raster->map, end[1], 0), y1 = cell_of(raster->map, end[1], 1);
    int32_t across = abs(x1 - x), down = -abs(y1 - y), right = x < x1 ? 1 : -1, below = y < y1 ? 1 : -1;
    int32_t error = across + down, steps = across > -down ? across : -down;
    for (int32_t step = 0; step <= steps; step++) {
        if (2 * step <= steps) paint(raster, x, y, depth[0]);
        if (2 * step >= steps) paint(raster, x, y, depth[1]);
        int32_t twice = 2 * error;
        if (twice >= down) error += down, x += right;
        if (twice <= across) error += across, y += below;
    }
}

static uint32_t depth_of(const struct map *map, uint32_t vertex)
{
    return map->depth[vertex] == GWS_NO_VERTEX ? UNREACHED : map->depth[vertex];
}

static void paint_arcs(struct map_cells *raster)
{
    const struct map *map = raster->map;
    const struct gws_graph *graph = map->graph;
    for (uint32_t u = 0; u < graph->vertices; u++) {
        if (!map_has_position(map, u)) continue;
        uint32_t depth = depth_of(map, u);
        paint(raster, cell_of(map, u, 0), cell_of(map, u, 1), depth);
        for (uint64_t arc = graph->offset[u]; arc < graph->offset[u + (uint64_t)1]; arc++) {
            uint32_t v = graph->target[arc];
            if ((graph->directed || u < v) && map_has_position(map, v))
                paint_line(raster, (uint32_t[]){u, v}, (uint32_t[]){depth, depth_of(map, v)});
        }
    }
}

/* ---- the picture ---- */

static void set_colours(struct picture *picture)
{
    memcpy(picture->colour[GREY], map_grey, sizeof map_grey);
    memset(picture->colour[BLACK], 0, sizeof picture->colour[BLACK]);
    for (uint32_t colour = FIRST; colour <= LAST; colour++)
        map_colour((double)(colour - FIRST) / (LAST - FIRST), picture->colour[colour]);
}

static uint8_t colour_of(const struct map *map, uint32_t depth)
{
    if (depth == EMPTY) return 0;
    if (depth == UNREACHED) return GREY;
    if (map->max_depth == 0) return FIRST;
    return (uint8_t)(FIRST + (uint64_t)depth * (LAST - FIRST) / map->max_depth);
}

static void copy_cells(struct picture *picture, const struct map_cells *raster)
{
    const uint32_t *cell = raster->cell;
    for (uint32_t y = 0; y < raster->map->height; y++)
        for (uint32_t x = 0; x < raster->map->width; x++)
            picture_box(picture, MARGIN + x, MARGIN + y, 1, 1, colour_of(raster->map, *cell++));
}

static void draw_mark(struct picture *picture, int64_t x, int64_t y)
{
    for (int64_t down = -MARK; down <= MARK; down++)
        for (int64_t right = -MARK; right <= MARK; right++)
            if (right * right + down * down <= MARK * MARK) picture_box(picture, x + right, y + down, 1, 1, BLACK);
}

/* ---- the legend ---- */

/* Draws a text at *x and moves *x beyond it. picture NULL: only moves. */
static void draw_text(struct picture *picture, int64_t *x, int64_t y, const char *text)
{
    if (picture) picture_text(picture, *x, y, text, DOT, BLACK);
    *x += picture_text_width(text, DOT) + MARGIN;
}

/* Draws the legend: "depth 0", the colours, the maximum depth, its unit, and marks. Returns its width with margins.
 * picture NULL: only returns the width. */
static uint32_t draw_legend(struct picture *picture, const struct map *map)
{
    const uint32_t bar = map->width / BAR_PART < LAST ? LAST : map->width / BAR_PART;
    int64_t x = MARGIN, y = picture ? (int64_t)picture->height - MARGIN - BAR : 0;
    char text[CONSOLE_NUMBER + 32];
    draw_text(picture, &x, y, MAP_WORD " 0");
    for (uint32_t i = 0; picture && i < bar; i++)
        picture_box(picture, x + i, y, 1, BAR, (uint8_t)(FIRST + i * (LAST - FIRST) / (bar - 1)));
    x += bar + MARGIN;
    snprintf(text, sizeof text, "%" PRIu32 " %s", map->max_depth, MAP_UNIT(map));
    draw_text(picture, &x, y, text);
    if (map_has_position(map, map->source)) {
        if (picture) draw_mark(picture, x + MARGIN + MARK, y + MARK);
        x += 2 * MARGIN + 2 * MARK;
        draw_text(picture, &x, y, MAP_SOURCE);
    }
    if (!map->all_reached) {
        if (picture) picture_box(picture, x + MARGIN, y, BAR, BAR, GREY);
        x += 2 * MARGIN + BAR;
        draw_text(picture, &x, y, MAP_NOT_REACHED);
    }
    return (uint32_t)x;
}

static int draw(const struct map_cells *raster, struct gws_runtime *runtime, const char *path)
{
    const struct map *map = raster->map;
    struct picture picture;
    uint32_t width = map->width + 2 * MARGIN, min_width = draw_legend(NULL, map);
    int status;
    if (!picture_begin(&picture, width < min_width ? min_width : width, map->height + 3 * MARGIN + BAR)) {
        status = console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    } else {
        set_colours(&picture);
        copy_cells(&picture, raster);
        if (map_has_position(map, map->source))
            draw_mark(&picture, MARGIN + cell_of(map, map->source, 0), MARGIN + cell_of(map, map->source, 1));
        (void)draw_legend(&picture, map);
        status = picture_write(&picture, runtime, path);
    }
    picture_clear(&picture);
    return status;
}

int map_raster(const struct map *map, struct gws_runtime *runtime, const char *path)
{
    uint64_t cells = (uint64_t)map->width * map->height;
    struct map_cells raster = {map, malloc(cells * sizeof(uint32_t))};
    if (!raster.cell) return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    memset(raster.cell, 0xff, cells * sizeof *raster.cell); /* EMPTY */
    paint_arcs(&raster);
    int status = draw(&raster, runtime, path);
    free(raster.cell);
    return status;
}

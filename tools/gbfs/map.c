/* SPDX-License-Identifier: MIT */
/* Draws the graph as a road map: arcs are straight lines. The x axis points right and the y axis up; both have the same
 * scale. A PNG file has a raster (map_raster.c), an SVG file has lines (map_paths.c). */
#include "map.h"

#include <math.h>

#include "../common/console.h"
#include "../common/outputs.h"

/* dark blue, violet, red, orange, yellow */
const uint8_t map_stop[STOPS][3] = {{13, 22, 135}, {126, 3, 168}, {204, 71, 120}, {246, 148, 62}, {236, 205, 40}},
              map_grey[3] = {205, 205, 205};

void map_colour(double fraction, uint8_t rgb[3])
{
    double position = (STOPS - 1) * fraction;
    int before = position < STOPS - 1 ? (int)position : STOPS - 2;
    for (int i = 0; i < 3; i++)
        rgb[i] = (uint8_t)lround(map_stop[before][i] +
                                 (position - before) * (map_stop[before + 1][i] - map_stop[before][i]));
}

bool map_has_position(const struct map *map, uint32_t vertex)
{
    const double *position = map->graph->position + 2 * (uint64_t)vertex;
    return isfinite(position[0]) && isfinite(position[1]);
}

static void find_bounds(const struct map *map, double low[2], double high[2])
{
    for (int i = 0; i < 2; i++) low[i] = INFINITY, high[i] = -INFINITY;
    for (uint32_t v = 0; v < map->graph->vertices; v++) {
        if (!map_has_position(map, v)) continue;
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

int picture_of_map(const struct bfs_report *report, const char *path)
{
    const struct gws_bfs_result *result = &report->result;
    struct map map = {.graph = report->session->graph,
                      .depth = result->depth,
                      .max_depth = result->levels > 0 ? result->levels - 1 : 0,
                      .source = result->source,
                      .all_reached = true};
    for (uint32_t v = 0; v < map.graph->vertices && map.all_reached; v++)
        map.all_reached = map.depth[v] != GWS_NO_VERTEX;
    find_size(&map);
    return (name_ends(path, ".png") ? map_raster : map_paths)(&map, report->session->runtime, path);
}

/* SPDX-License-Identifier: MIT */
/* A map of the graph, coloured by depth: its scale, its colours and its two forms. */
#ifndef TOOLS_GBFS_MAP_H
#define TOOLS_GBFS_MAP_H

#include "../common/picture.h"
#include "gbfs.h"

#ifndef MAP_SIDE /* fuzz targets use a smaller map */
#define MAP_SIDE 1200
#endif

enum {
    SIDE = MAP_SIDE, /* cells along the longer side */
    MARGIN = 12,
    MARK = 4, /* radius of the disc that marks the source */
    BAR = 12, /* the height of the bar of colours */
    STOPS = 5 /* colours from depth 0 to the maximum, at equal distances */
};

extern const uint8_t map_stop[STOPS][3], map_grey[3]; /* grey: not reached */

struct map {
    const struct gws_graph *graph;
    const uint32_t *depth; /* of each vertex; GWS_NO_VERTEX: not reached */
    uint32_t max_depth, source;
    bool all_reached;
    struct picture_scale scale;
    uint32_t width, height; /* in cells */
};

/* The words of the legend. */
#define MAP_UNIT(map) ((map)->graph->directed ? "arcs from the source" : "edges from the source")
#define MAP_WORD "depth"
#define MAP_SOURCE "source"
#define MAP_NOT_REACHED "not reached"

/* Returns false if a coordinate is not finite; the map omits such vertices. */
bool map_has_position(const struct map *map, uint32_t vertex);

/* Returns the colour at a fraction, 0 to 1, of the maximum depth. */
void map_colour(double fraction, uint8_t rgb[3]);

/* Draws a raster as PNG. Returns -1, or the exit status after reporting the error. */
int map_raster(const struct map *map, struct gws_runtime *runtime, const char *path);

/* Draws lines as SVG. Returns -1, or the exit status after reporting the error. */
int map_paths(const struct map *map, struct gws_runtime *runtime, const char *path);

#endif

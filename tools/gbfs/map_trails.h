/* SPDX-License-Identifier: MIT */
/* Lines of one colour on a grid of points, printed as the data of an SVG path. */
#ifndef TOOLS_GBFS_MAP_TRAILS_H
#define TOOLS_GBFS_MAP_TRAILS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef uint32_t map_point; /* a Morton code: points that are near have numbers that are near */

/* Spreads 16 bits over the even bits, and gathers them. */
static inline uint32_t map_spread(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f;
    bits = (bits | bits << 2) & 0x33333333;
    return (bits | bits << 1) & 0x55555555;
}

static inline int32_t map_gather(uint32_t bits)
{
    bits &= 0x55555555;
    bits = (bits | bits >> 1) & 0x33333333;
    bits = (bits | bits >> 2) & 0x0f0f0f0f;
    bits = (bits | bits >> 4) & 0x00ff00ff;
    return (int32_t)((bits | bits >> 8) & 0x0000ffff);
}

/* Coordinates are below 2^16. */
static inline map_point map_point_of(uint32_t x, uint32_t y)
{
    return map_spread(x) | map_spread(y) << 1;
}

static inline int32_t map_x(map_point point)
{
    return map_gather(point);
}

static inline int32_t map_y(map_point point)
{
    return map_gather(point >> 1);
}

struct layer {
    uint64_t *line; /* count entries: the smaller point << 32 | the larger one; equal points are a dot */
    uint64_t count, capacity;
};

/* Adds a line or a dot. Returns false if memory runs out. The caller frees layer->line. Cost: amortised constant; equal
 * lines take memory once. */
bool layer_add(struct layer *layer, map_point one, map_point other);

/* Prints the lines as trails: each line once, as few pens up as odd points demand, and straight on where it can,
 * because straight lines merge. Changes the order of the lines. Returns false if memory runs out. Cost: O(n log n). */
bool layer_print(struct layer *layer, FILE *out);

#endif

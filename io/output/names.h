/* SPDX-License-Identifier: MIT */
/* Names of vertices in text, in double quotes where needed (RFC 4180). */
#ifndef GWS_IO_OUTPUT_NAMES_H
#define GWS_IO_OUTPUT_NAMES_H

#include "../../lib/graph.h"

/* Returns the length of the longest name, or 0 if ids are numbers or the graph has no vertices. Cost: O(vertices). */
uint64_t gws__names_longest(const struct gws_graph *graph);

/* Returns the largest size of text for a name of `longest` bytes. */
static inline uint64_t gws__names_bytes(uint64_t longest)
{
    return 2 * longest + 2;
}

/* Writes the vertex's name at text. The name is in quotes if it contains a quote or a character of special, or begins
 * or ends with a blank. Returns the end. */
char *gws__names_format(const struct gws_graph *graph, uint32_t vertex, const char *special, char *text);

#endif

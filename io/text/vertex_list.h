/* SPDX-License-Identifier: MIT */
/* Pairs of files as in LDBC Graphalytics (specification 1.0.5, 2.2.2). NAME.v has the id of a vertex in each line, and
 * NAME.e has the edges. */
#ifndef GWS_IO_TEXT_VERTEX_LIST_H
#define GWS_IO_TEXT_VERTEX_LIST_H

#include "id_map.h"
#include "reader.h"

/* Finds the other file of a pair, for a path that ends in `suffix` (".v" or ".e"), before .gz. The other path has the
 * other letter, and may have .gz or not. Sets *other to memory of *size bytes from gws_allocate(), or to NULL if path
 * has another suffix or no such file exists. Errors: GWS_NO_MEMORY. */
gws_status gws__vertex_list_pair(struct gws_runtime *runtime, const char *path, const char *suffix, char **other,
                                 uint64_t *size);

/* Reads a list of vertices and replaces the ids of edges by vertices, as gws__id_map_apply() does. The message of an
 * error names one of the two files. Errors: GWS_OUT_OF_RANGE (an end of an edge is not in the list). */
gws_status gws__vertex_list_apply(struct gws__input *input, const char *path, struct gws__edges *edges, uint64_t **id,
                                  uint64_t *first_id, uint64_t *vertices);

#endif

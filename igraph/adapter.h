/* SPDX-License-Identifier: MIT */
/* What the files of the adapter share: igraph's integer, its errors, and calls under settings that are put back. */
#ifndef GWS_IGRAPH_ADAPTER_H
#define GWS_IGRAPH_ADAPTER_H

#include <locale.h>

#include "graph_igraph.h"

#if IGRAPH_VERSION_MAJOR >= 1
typedef igraph_int_t gws__igraph_int;
#else
typedef igraph_integer_t gws__igraph_int;
#endif

/* What igraph had set before, for gws__igraph_leave(). */
struct gws__igraph_before {
    igraph_error_handler_t *handler;
    igraph_warning_handler_t *warnings;
    igraph_attribute_table_t *attributes;
    locale_t locale; /* of this thread; c is the one between */
    locale_t c;
};

/* From here on igraph answers with errors rather than ending the process, is quiet, and keeps attributes; and numbers
 * have a point on this thread, whatever the program's locale: igraph's readers go by it. */
void gws__igraph_enter(struct gws__igraph_before *before);
void gws__igraph_leave(const struct gws__igraph_before *before);

/* The status for what igraph answered; where (may be NULL) gets its last words on this thread, file as its name. */
gws_status gws__igraph_failed(igraph_error_t error, const char *file, struct gws_where *where);

/* How the vertices of a graph that igraph made are called, for gws__igraph_convert(). */
struct gws__igraph_names {
    uint64_t *id; /* strictly ascending, vertices entries from gws_allocate(); NULL: first_id + number */
    uint64_t first_id;
    uint32_t *number; /* igraph's vertex v becomes ours number[v]; NULL: the same */
};

/* gws_graph_from_igraph() with other numbers for the vertices. */
gws_status gws__igraph_convert(struct gws_runtime *runtime, const igraph_t *from, const igraph_vector_t *weights,
                               const struct gws_read_options *options, const uint32_t *number, struct gws_graph **graph,
                               struct gws_where *where);

/* Finds names in the vertex attributes that igraph's readers make. Both arrays are NULL after a failure, and where
 * names are not numbers; base is the first number then. Errors: GWS_NO_MEMORY. */
gws_status gws__igraph_names_find(struct gws_runtime *runtime, const igraph_t *from, uint64_t base,
                                  struct gws__igraph_names *names);
void gws__igraph_names_clear(struct gws_runtime *runtime, const igraph_t *from, struct gws__igraph_names *names);

/* All edges' numbers of that name, if there are such; *found says so. */
igraph_error_t gws__igraph_numbers(const igraph_t *from, igraph_attribute_elemtype_t of, const char *name,
                                   igraph_vector_t *to, bool *found);

/* Adds x and y of every vertex, if all have them; igraph's vertex v is ours number[v] (NULL: the same). */
gws_status gws__igraph_positions(struct gws_runtime *runtime, const igraph_t *from, const uint32_t *number,
                                 igraph_vector_t *x, igraph_vector_t *y, struct gws_graph *graph);

#endif

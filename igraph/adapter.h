/* SPDX-License-Identifier: MIT */
/* The common parts of the igraph adapter: igraph's integer, its errors, and its settings during a call. */
#ifndef GWS_IGRAPH_ADAPTER_H
#define GWS_IGRAPH_ADAPTER_H

#include <locale.h>

#include "graph_igraph.h"

#if IGRAPH_VERSION_MAJOR >= 1
typedef igraph_int_t gws__igraph_int;
#else
typedef igraph_integer_t gws__igraph_int;
#endif

/* igraph's settings before a call, for gws__igraph_restore(). */
struct gws__igraph_before {
    igraph_error_handler_t *handler;
    igraph_warning_handler_t *warnings;
    igraph_attribute_table_t *attributes;
    locale_t locale; /* before: this thread's locale before the call; c: the "C" locale of the call */
    locale_t c;
};

/* Prepares igraph for a call. igraph then returns errors instead of ending the process, prints nothing, and stores
 * attributes. This thread's locale becomes "C", because igraph's readers use its decimal point. */
void gws__igraph_enter(struct gws__igraph_before *before);
void gws__igraph_restore(const struct gws__igraph_before *before);

/* Returns the status of an igraph error. where (may be NULL) receives igraph's last message on this thread, with file
 * as the name. */
gws_status gws__igraph_failed(igraph_error_t error, const char *file, struct gws_diagnostic *where);

/* The ids or names of the vertices of an igraph_t, for gws__igraph_convert(). */
struct gws__igraph_names {
    uint64_t
        *id; /* strictly ascending, one entry per vertex, from gws_allocate(); NULL: vertex n has id first_id + n */
    uint64_t first_id;
    uint32_t *number; /* igraph's vertex v becomes vertex number[v]; NULL: the same number */
    uint64_t *offset; /* this array and the next two: names for gws_graph_adopt_names(); NULL: ids are numbers */
    char *text;
    uint32_t *order;
};

/* Does the work of gws_graph_from_igraph(), with the numbers and ids of *names for the vertices. */
gws_status gws__igraph_convert(struct gws_runtime *runtime, const igraph_t *from, const igraph_vector_t *weights,
                               const struct gws_read_options *options, const uint32_t *number, struct gws_graph **graph,
                               struct gws_diagnostic *where);

/* Finds names in the vertex attributes that igraph's readers make. Names that are numbers become ids. Other names must
 * be texts. If vertices have no such names, or if two names are equal, all arrays are NULL and the first id is base.
 * After a failure all arrays are NULL, too. Errors: GWS_NO_MEMORY. */
gws_status gws__igraph_names_find(struct gws_runtime *runtime, const igraph_t *from, uint64_t base,
                                  struct gws__igraph_names *names);
void gws__igraph_names_clear(struct gws_runtime *runtime, const igraph_t *from, struct gws__igraph_names *names);

/* Reads the numeric attribute `name` of edges or vertices. Sets *found to false if the graph has no such attribute. */
igraph_error_t gws__igraph_numbers(const igraph_t *from, igraph_attribute_elemtype_t of, const char *name,
                                   igraph_vector_t *to, bool *found);

/* Adds positions if all vertices have x and y. igraph's vertex v is vertex number[v] (NULL: the same number). */
gws_status gws__igraph_positions(struct gws_runtime *runtime, const igraph_t *from, const uint32_t *number,
                                 igraph_vector_t *x, igraph_vector_t *y, struct gws_graph *graph);

#endif

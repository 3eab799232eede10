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
    locale_t locale; /* this thread's locale before; c is the one during the call */
    locale_t c;
};

/* Sets igraph up for a call: it returns errors instead of ending the process, prints nothing, and stores attributes.
 * This thread's locale becomes "C", because igraph's readers use its decimal point. */
void gws__igraph_enter(struct gws__igraph_before *before);
void gws__igraph_restore(const struct gws__igraph_before *before);

/* The status of an igraph error. where (may be NULL) receives igraph's last message on this thread, with file as the
 * name. */
gws_status gws__igraph_failed(igraph_error_t error, const char *file, struct gws_diagnostic *where);

/* The names of vertices in a graph that igraph made, for gws__igraph_convert(). */
struct gws__igraph_names {
    uint64_t *id; /* strictly ascending, vertices entries from gws_allocate(); NULL: first_id + number */
    uint64_t first_id;
    uint32_t *number; /* igraph's vertex v becomes vertex number[v]; NULL: the same number */
};

/* gws_graph_from_igraph() with other numbers for the vertices. */
gws_status gws__igraph_convert(struct gws_runtime *runtime, const igraph_t *from, const igraph_vector_t *weights,
                               const struct gws_read_options *options, const uint32_t *number, struct gws_graph **graph,
                               struct gws_diagnostic *where);

/* Finds names in the vertex attributes that igraph's readers make. Both arrays are NULL after a failure, and if the
 * names are not numbers; the first id is base then. Errors: GWS_NO_MEMORY. */
gws_status gws__igraph_names_find(struct gws_runtime *runtime, const igraph_t *from, uint64_t base,
                                  struct gws__igraph_names *names);
void gws__igraph_names_clear(struct gws_runtime *runtime, const igraph_t *from, struct gws__igraph_names *names);

/* Reads the edges' or vertices' numeric attribute of that name; *found becomes false if there is none. */
igraph_error_t gws__igraph_numbers(const igraph_t *from, igraph_attribute_elemtype_t of, const char *name,
                                   igraph_vector_t *to, bool *found);

/* Adds positions if all vertices have x and y; igraph's vertex v is vertex number[v] (NULL: the same number). */
gws_status gws__igraph_positions(struct gws_runtime *runtime, const igraph_t *from, const uint32_t *number,
                                 igraph_vector_t *x, igraph_vector_t *y, struct gws_graph *graph);

#endif

/* SPDX-License-Identifier: MIT */
/* Setup that the graph tools share: options of the graph and of the runtime, opening a runtime, loading a graph. */
#ifndef TOOLS_COMMON_SESSION_H
#define TOOLS_COMMON_SESSION_H

#include "../../graphws.h"
#include "runtime_options.h"

struct session_settings {
    struct runtime_options options;
    const char *format; /* NULL: detected */
    int direction;      /* an enum gws_direction_of_edges */
    int trust, mapped, names;
};

enum { SESSION_EDGES_ROWS = 3, SESSION_FILE_ROWS = 3 };
extern const struct option_row session_edges_row[SESSION_EDGES_ROWS]; /* directed, undirected, names */
extern const struct option_row session_file_row[SESSION_FILE_ROWS];   /* format, trust, mmap */

struct session {
    struct gws_runtime *runtime;
    struct gws_graph *graph;
    const char *name; /* the name of the graph, as the user gave it */
    double load_ms;
};

/* Calls runtime_options_check(), answers "help" for the format, and refuses an unknown format and options that do not
 * apply to the graph `name` (NULL: none is given). Returns -1 to continue, or the exit status. */
int session_check(const struct session_settings *settings, const char *name);

/* Returns true if name is a generator of this library or of igraph. */
bool session_is_generator(const char *name);

/* session_check_format() refuses an unknown name. reads: if true, the formats that igraph reads are legal too. Returns
 * -1, or the exit status. session_format() converts a checked name; NULL gives GWS_FORMAT_AUTO. */
int session_check_format(const char *option, const char *name, bool reads);
enum gws_format session_format(const char *name);

/* session_start() opens the runtime; session_load() completes `read` from the settings, as session_read_options() does,
 * and loads the graph. Both return -1, or the exit status after reporting the error. Call session_close() in all cases;
 * it accepts {0}. */
int session_start(struct session *session, const struct session_settings *settings);
struct gws_read_options session_read_options(const struct session_settings *settings, struct gws_read_options read);
int session_load(struct session *session, const struct session_settings *settings, const char *name,
                 struct gws_read_options read);
void session_close(struct session *session);

/* Adds {"name": ..., "vertices": ..., "arcs": ..., "directed": ...}. */
void session_graph_json(struct json *json, const char *key, const char *name, const struct gws_graph *graph);

/* The id of a vertex is its number or its name. session_vertex_text() writes the id into text (CONSOLE_NAME bytes),
 * shortens a long name in the middle, and returns text. session_vertex_json() adds the id as a number or a string. */
char *session_vertex_text(const struct gws_graph *graph, uint32_t vertex, char *text);
void session_vertex_json(struct json *json, const char *key, const struct gws_graph *graph, uint32_t vertex);

/* Writes "264,346 vertices, 733,846 arcs, directed" into text (SESSION_GRAPH_TEXT bytes). Returns text. */
enum { SESSION_GRAPH_TEXT = 128 };
char *session_graph_text(const struct gws_graph *graph, char *text);

/* ---- igraph adapter: graphs that igraph generates or reads; a build without igraph refuses them ---- */

/* Returns format i and its description, or NULL past the end. In a build without igraph, the description says so. */
const char *igraph_adapter_format_at(uint32_t i, const char **about);

/* Returns true if name is a generator of igraph. */
bool igraph_adapter_is_generator(const char *name);

/* Returns true if igraph reads or generates the graph `name`, by its format (NULL: not given), its ending or its
 * generator's name. */
bool igraph_adapter_reads(const char *name, const char *format);

/* gws_graph_load() for graphs that igraph_adapter_reads() accepts. GWS_UNSUPPORTED in a build without igraph. */
gws_status igraph_adapter_load(struct gws_runtime *runtime, const char *name, const char *format,
                               const struct gws_read_options *options, struct gws_graph **graph,
                               struct gws_diagnostic *where);

/* ---- description ---- */

/* Prints counts, degrees, components and weights on standard output and returns the exit status. May mark the session's
 * graph undirected. */
int graph_info(struct session *session, bool as_json);

/* ---- sources: a vertex's id or name, the vertex of maximum degree, random vertices, or a list ---- */

struct sources {
    uint32_t *vertex; /* count entries, in the order of the runs */
    uint64_t count;
};

/* The row of --source for a settings struct whose first field is the value of the option, a const char *. */
enum { SOURCES_ROWS = 1 };
extern const struct option_row sources_row[SOURCES_ROWS];

/* Refuses the value "none" of --source, which is invalid for every graph. Returns -1, or the exit status. */
int sources_check(const char *source);

/* Fills sources with the vertices that `source` selects, `repeat` times. Random vertices have arcs, repeat only after
 * all others have been used, and depend only on the seed. Text that is no vertex's name is wrong usage if the graph has
 * no names. Returns -1, or the exit status after reporting the error. */
int sources_choose(struct session *session, const char *source, uint64_t repeat, uint64_t seed,
                   struct sources *sources);

/* Fills sources->vertex, whose count entries the caller has allocated, with such random vertices. has_arcs(): whether a
 * vertex has arcs; if no vertex has, it must return true for all. */
typedef bool sources_has_arcs(const void *context, uint32_t vertex);
void sources_draw(uint64_t vertices, uint64_t seed, sources_has_arcs *has_arcs, const void *context,
                  struct sources *sources);
void sources_clear(struct session *session, struct sources *sources);

#endif

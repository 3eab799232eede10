/* SPDX-License-Identifier: MIT */
/* What every tool on graphs does first: options for the graph besides those for the workers, a runtime, a graph. */
#ifndef TOOLS_COMMON_SESSION_H
#define TOOLS_COMMON_SESSION_H

#include "../../graphws.h"
#include "engine.h"

struct session_settings {
    struct engine_settings engine;
    const char *format; /* NULL: found out */
    int direction;      /* an enum gws_direction_of_edges */
    int trust, mapped;
};

enum { SESSION_EDGES_ROWS = 2, SESSION_FILE_ROWS = 3 };
extern const struct option_row session_edges_row[SESSION_EDGES_ROWS]; /* directed, undirected */
extern const struct option_row session_file_row[SESSION_FILE_ROWS];   /* format, trust, mmap */

struct session {
    struct gws_runtime *runtime;
    struct gws_graph *graph;
    const char *name; /* the graph's, as it was given */
    double load_ms;
};

/* engine_check(); answers "help" for the format, and refuses an unknown one and what cannot be said of the graph called
 * name (NULL: none is given): the status to exit with, or -1 to go on. */
int session_check(const struct session_settings *settings, const char *name);

/* True if name is a generator, of ours or igraph's. */
bool session_is_generator(const char *name);

/* The format of that name, checked by session_check_format(option, name, reads) before; GWS_FORMAT_AUTO for NULL.
 * reads: those that igraph reads, too, are all right. */
int session_check_format(const char *option, const char *name, bool reads);
enum gws_format session_format(const char *name);

/* Opens the runtime, and loads the graph into it; read is completed from the settings. They answer -1, or the status to
 * exit with after the mistake has been reported. session_close() is due in all cases; {0} is valid there. */
int session_start(struct session *session, const struct session_settings *settings);
int session_load(struct session *session, const struct session_settings *settings, const char *name,
                 struct gws_read_options read);
void session_close(struct session *session);

/* {"name": ..., "vertices": ..., "arcs": ..., "directed": ...} */
void session_graph_json(struct json *json, const char *key, const char *name, const struct gws_graph *graph);

/* "264,346 vertices, 733,846 arcs, directed" into text (SESSION_GRAPH_TEXT bytes). Returns text. */
enum { SESSION_GRAPH_TEXT = 128 };
char *session_graph_text(const struct gws_graph *graph, char *text);

/* Graphs that igraph makes or reads. A build without igraph knows them by name, and refuses them. */

/* Row i of the formats and its sentence, which in a build without igraph says so; NULL past the end. */
const char *bridge_format_at(uint32_t i, const char **about);

/* True if name is a generator of igraph's. */
bool bridge_is_generator(const char *name);

/* True if igraph is to read or make the graph called name: of that format (NULL: none is said), by its ending, or as
 * one of its generators. */
bool bridge_takes(const char *name, const char *format);

/* gws_graph_load() of what bridge_takes(). GWS_UNSUPPORTED in a build without igraph. */
gws_status bridge_load(struct gws_runtime *runtime, const char *name, const char *format,
                       const struct gws_read_options *options, struct gws_graph **graph, struct gws_diagnostic *where);

/* What a graph is like: counts, degrees, components, weights. */

/* Prints it on standard output. Answers the status to exit with. May mark the session's graph undirected. */
int graph_info(struct session *session, bool as_json);

/* From which vertices a traversal starts: a vertex by its own id, the one of largest degree, random ones, a list. */

struct sources {
    uint32_t *vertex; /* count entries, in the order of the runs */
    uint64_t count;
};

/* Refuses a value of --source that nothing could make sense of: the status to exit with, or -1. */
int sources_check(const char *source);

/* Fills sources with repeat times what source says. Random vertices have arcs, differ from each other as long as
 * there are others, and depend on the seed alone. Answers -1, or the status to exit with, reported. */
int sources_choose(struct session *session, const char *source, uint64_t repeat, uint64_t seed,
                   struct sources *sources);
void sources_clear(struct session *session, struct sources *sources);

#endif

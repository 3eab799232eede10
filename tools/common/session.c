/* SPDX-License-Identifier: MIT */
/* Options of graphs; opens a runtime and loads a graph. */
#include "session.h"

#include <string.h>

#include "console.h"

#define FIELD(name) offsetof(struct session_settings, name)

const struct option_row session_edges_row[SESSION_EDGES_ROWS] = {
    {FLAG("directed", FIELD(direction), GWS_EDGES_DIRECTED, "read each line of the file as one arc")},
    {FLAG("undirected", FIELD(direction), GWS_EDGES_UNDIRECTED,
          "read each line as an edge, an arc in both directions\n(default: as the file specifies)")},
    {FLAG("names", FIELD(names), 1, "read ids of edge lists as names (default: if the first edge has text)")},
};

const struct option_row session_file_row[SESSION_FILE_ROWS] = {
    {TEXT("format", "NAME|help", FIELD(format),
          "read the file in this format (default: detected by content and name)")},
    {FLAG("trust", FIELD(trust), 1, "check only the header of a .gwsg file, not its checksum")},
    {FLAG("mmap", FIELD(mapped), 1, "map the file, which must not change meanwhile (default: read it)")},
};

/* ---- names of formats ---- */

static void list_formats(bool reads)
{
    const char *about, *row;
    for (uint32_t i = 0; (row = gws_format_name((enum gws_format)i, &about)); i++) printf("%-16s%s\n", row, about);
    for (uint32_t i = 0; reads && (row = igraph_adapter_format_at(i, &about)); i++) printf("%-16s%s\n", row, about);
}

int session_check_format(const char *option, const char *name, bool reads)
{
    enum gws_format format;
    const char *row;
    if (!name || gws_format_named(name, &format)) return -1;
    for (uint32_t i = 0; reads && (row = igraph_adapter_format_at(i, NULL)); i++)
        if (strcmp(name, row) == 0) return -1;
    if (strcmp(name, "help") != 0)
        return console_usage("--%s: unknown format '%s'; --%s help lists them", option, name, option);
    list_formats(reads);
    return console_finish();
}

enum gws_format session_format(const char *name)
{
    enum gws_format format = GWS_FORMAT_AUTO;
    if (name) gws_format_named(name, &format);
    return format;
}

bool session_is_generator(const char *name)
{
    return gws_graph_is_generator(name) || igraph_adapter_is_generator(name);
}

int session_check(const struct session_settings *settings, const char *name)
{
    int status = runtime_options_check(&settings->options);
    if (status < 0) status = session_check_format("format", settings->format, true);
    if (status >= 0 || !name) return status;
    bool for_files = settings->format || settings->direction != GWS_EDGES_AS_FILE || settings->trust ||
                     settings->mapped || settings->names;
    if (session_is_generator(name) && for_files)
        return console_usage(
            "--format, --directed, --undirected, --names, --trust and --mmap require a file, and %s is a generator",
            name);
    if (!igraph_adapter_reads(name, settings->format)) return -1;
    if (settings->trust || settings->mapped)
        return console_usage("--%s requires a .gwsg file, and igraph reads %s", settings->trust ? "trust" : "mmap",
                             name);
    if (settings->names) return console_usage("--names requires an edge list, and igraph reads %s", name);
    return -1;
}

/* ---- runtime and graph ---- */

int session_start(struct session *session, const struct session_settings *settings)
{
    return runtime_options_open(&settings->options, &session->runtime);
}

struct gws_read_options session_read_options(const struct session_settings *settings, struct gws_read_options read)
{
    read.format = session_format(settings->format);
    read.direction = (enum gws_direction_of_edges)settings->direction;
    read.trust = settings->trust;
    read.mapped = settings->mapped;
    read.names = settings->names;
    return read;
}

int session_load(struct session *session, const struct session_settings *settings, const char *name,
                 struct gws_read_options read)
{
    struct gws_diagnostic where = {0};
    read = session_read_options(settings, read);
    session->name = name;
    console_progress_begin(session_is_generator(name) ? "generating" : "reading", name);
    double begin = gws_clock_ms();
    gws_status status =
        igraph_adapter_reads(name, settings->format)
            ? igraph_adapter_load(session->runtime, name, settings->format, &read, &session->graph, &where)
            : gws_graph_load(session->runtime, name, &read, &session->graph, &where);
    session->load_ms = gws_clock_ms() - begin;
    console_progress_end();
    return status == GWS_OK ? -1 : console_fail_input(status, &where);
}

void session_close(struct session *session)
{
    gws_graph_destroy(session->graph);
    gws_runtime_close(session->runtime);
    *session = (struct session){0};
}

void session_graph_json(struct json *json, const char *key, const char *name, const struct gws_graph *graph)
{
    json_open(json, key, '{');
    json_text(json, "name", name);
    json_count(json, "vertices", graph->vertices);
    json_count(json, "arcs", graph->arcs);
    json_bool(json, "directed", graph->directed);
    json_close(json, '}');
}

char *session_graph_text(const struct gws_graph *graph, char *text)
{
    char vertices[CONSOLE_NUMBER], arcs[CONSOLE_NUMBER];
    snprintf(text, SESSION_GRAPH_TEXT, "%s %s, %s %s, %s", console_count(graph->vertices, vertices),
             graph->vertices == 1 ? "vertex" : "vertices", console_count(graph->arcs, arcs),
             graph->arcs == 1 ? "arc" : "arcs", graph->directed ? "directed" : "undirected");
    return text;
}

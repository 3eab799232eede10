/* SPDX-License-Identifier: MIT */
/* Describes a graph. The tool gathers all values before it prints any, so a failure prints nothing. */
#include "session.h"

#include <inttypes.h>
#include <math.h>

#include "console.h"

struct info {
    const struct session *session;
    struct gws_graph_summary degree;
    uint64_t components, largest;
    double min_weight, max_weight; /* a double is exact for integers and for floats */
    bool directed, symmetric;
};

/* Returns the number of vertices of the largest component; size has an entry for each vertex. */
static uint64_t largest_of(const uint32_t *component, uint32_t *size, uint64_t vertices)
{
    uint64_t largest = 0;
    for (uint64_t v = 0; v < vertices; v++) size[v] = 0;
    for (uint64_t v = 0; v < vertices; v++) {
        uint32_t counted = ++size[component[v]];
        if (counted > largest) largest = counted;
    }
    return largest;
}

static gws_status find_components(struct session *session, struct info *info)
{
    struct gws_runtime *runtime = session->runtime;
    uint64_t vertices = session->graph->vertices;
    uint32_t *component = gws_allocate(runtime, vertices, sizeof *component);
    uint32_t *size = gws_allocate(runtime, vertices, sizeof *size);
    gws_status status = component && size ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) status = gws_graph_components(runtime, session->graph, component, &info->components);
    if (status == GWS_OK) info->largest = largest_of(component, size, vertices);
    gws_release(runtime, component, vertices, sizeof *component);
    gws_release(runtime, size, vertices, sizeof *size);
    return status;
}

static bool has_weights(const struct gws_graph *graph)
{
    return (graph->weight || graph->real_weight) && graph->arcs > 0;
}

static void find_weights(const struct gws_graph *graph, struct info *info)
{
    if (!has_weights(graph)) return;
    info->min_weight = INFINITY;
    info->max_weight = -INFINITY;
    for (uint64_t i = 0; i < graph->arcs; i++) {
        double weight = graph->weight ? graph->weight[i] : (double)graph->real_weight[i];
        if (weight < info->min_weight) info->min_weight = weight;
        if (weight > info->max_weight) info->max_weight = weight;
    }
}

/* Builds the reverse graph only to test symmetry. */
static gws_status gather(struct session *session, struct info *info)
{
    *info = (struct info){.session = session, .directed = session->graph->directed};
    gws_status status = gws_graph_summarise(session->runtime, session->graph, &info->degree);
    if (status == GWS_OK) status = find_components(session, info);
    if (status != GWS_OK) return status;
    find_weights(session->graph, info);
    status = gws_graph_add_reverse(session->runtime, session->graph);
    info->symmetric = !session->graph->directed;
    return status;
}

static const char *kind_of_ids(const struct gws_graph *graph)
{
    return graph->names.text ? "names" : graph->id_order ? "permuted" : graph->id ? "sparse" : "dense";
}

/* Return the vertices of the lowest and of the highest id; of names, the first and the last vertex. */
static uint32_t first_vertex(const struct gws_graph *graph)
{
    return graph->id_order ? graph->id_order[0] : 0;
}

static uint32_t last_vertex(const struct gws_graph *graph)
{
    const uint32_t last = (uint32_t)(graph->vertices - 1);
    return graph->id_order ? graph->id_order[last] : last;
}

/* ---- text ---- */

static void print_count(const char *name, uint64_t number, const char *after)
{
    char text[CONSOLE_NUMBER];
    printf("%-16s%15s%s\n", name, console_count(number, text), after);
}

static void print_degrees(const struct session *session, const struct info *info)
{
    const struct gws_graph_summary *degree = &info->degree;
    char text[CONSOLE_NAME + 16] = "", id[CONSOLE_NAME];
    print_count("degree min", degree->min_degree, "");
    print_count("degree median", degree->median_degree, "");
    printf("%-16s%15.3f\n", "degree mean", degree->mean_degree);
    if (degree->max_degree_vertex != GWS_NO_VERTEX)
        snprintf(text, sizeof text, "  of vertex %s",
                 session_vertex_text(session->graph, degree->max_degree_vertex, id));
    print_count("degree max", degree->max_degree, text);
    print_count("isolated", degree->isolated, "");
}

static void print_text(const struct info *info)
{
    const struct session *session = info->session;
    const struct gws_graph *graph = session->graph;
    char name[CONSOLE_NAME], load[CONSOLE_NUMBER], first[CONSOLE_NAME], last[CONSOLE_NAME];
    printf("%s, %s%s, read in %s\n", console_name(session->name, name), info->directed ? "directed" : "undirected",
           info->directed ? (info->symmetric ? " but symmetric" : ", not symmetric") : "",
           console_time(session->load_ms, load));
    print_count("vertices", graph->vertices, "");
    print_count("arcs", graph->arcs, "");
    if (graph->vertices)
        printf("%-16s%15s  from %s to %s\n", "ids", kind_of_ids(graph),
               session_vertex_text(graph, first_vertex(graph), first),
               session_vertex_text(graph, last_vertex(graph), last));
    print_degrees(session, info);
    print_count("loops", info->degree.loops, "");
    print_count("duplicates", info->degree.duplicates, "");
    print_count("components", info->components, "");
    char share[32];
    snprintf(share, sizeof share, "  %.3g %%",
             graph->vertices ? 100.0 * (double)info->largest / (double)graph->vertices : 0);
    print_count("largest", info->largest, share);
    const int digits = graph->weight ? 10 : 9; /* digits of an integer, of a float */
    if (has_weights(graph))
        printf("%-16s%15.*g  to %.*g%s\n", "weights", digits, info->min_weight, digits, info->max_weight,
               graph->weight ? "" : ", real");
    else
        printf("%-16s%15s\n", "weights", "none");
    printf("%-16s%15s\n", "positions", graph->position ? "yes" : "none");
}

/* ---- JSON ---- */

static void degrees_json(struct json *json, const struct session *session, const struct gws_graph_summary *degree)
{
    json_open(json, "degree", '{');
    json_count(json, "min", degree->min_degree);
    json_count(json, "median", degree->median_degree);
    json_number(json, "mean", degree->mean_degree);
    json_count(json, "max", degree->max_degree);
    if (degree->max_degree_vertex == GWS_NO_VERTEX)
        json_null(json, "max_vertex");
    else
        session_vertex_json(json, "max_vertex", session->graph, degree->max_degree_vertex);
    json_count(json, "isolated", degree->isolated);
    json_close(json, '}');
    json_count(json, "loops", degree->loops);
    json_count(json, "duplicates", degree->duplicates);
}

/* Adds the first and the last id; both are 0 for an empty graph. */
static void ends_json(struct json *json, const struct gws_graph *graph)
{
    if (graph->vertices) {
        session_vertex_json(json, "first", graph, first_vertex(graph));
        session_vertex_json(json, "last", graph, last_vertex(graph));
    } else {
        json_count(json, "first", 0);
        json_count(json, "last", 0);
    }
}

static void fill_json(const void *data, struct json *json)
{
    const struct info *info = data;
    const struct session *session = info->session;
    const struct gws_graph *graph = session->graph;
    struct gws_graph counts = {.vertices = graph->vertices, .arcs = graph->arcs, .directed = info->directed};
    session_graph_json(json, "graph", session->name, &counts);
    json_number(json, "load_ms", session->load_ms);
    json_bool(json, "symmetric", info->symmetric);
    json_open(json, "ids", '{');
    json_text(json, "kind", kind_of_ids(graph));
    ends_json(json, graph);
    json_close(json, '}');
    degrees_json(json, session, &info->degree);
    json_open(json, "components", '{');
    json_count(json, "count", info->components);
    json_count(json, "largest", info->largest);
    json_close(json, '}');
    if (has_weights(graph)) {
        json_open(json, "weights", '{');
        json_text(json, "kind", graph->weight ? "integer" : "real");
        json_exact(json, "min", info->min_weight);
        json_exact(json, "max", info->max_weight);
        json_close(json, '}');
    } else {
        json_null(json, "weights");
    }
    json_bool(json, "positions", graph->position != NULL);
    json_text(json, "version", gws_version());
}

int graph_info(struct session *session, bool as_json)
{
    struct info info;
    gws_status status = gather(session, &info);
    console_progress_end();
    if (status != GWS_OK) return console_fail("%s: %s", session->name, gws_status_text(status));
    int failure = -1;
    if (as_json)
        failure = json_print(fill_json, &info);
    else
        print_text(&info);
    return failure < 0 ? console_finish() : failure;
}

/* SPDX-License-Identifier: MIT */
/* Checks weak components by a serial union-find with path halving (van Leeuwen, van der Weide 1977), and strong
 * components by two depth-first searches (Sharir, "A strong-connectivity algorithm and its applications in data flow
 * analysis", 1981). The check shares no code with the search. The name of a component must be its smallest vertex. */
#include <inttypes.h>

#include "../components.h"
#include "ask.h"

static uint32_t root_of(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
}

/* Unites the ends of every arc. The smaller root becomes the parent, so a root is the smallest vertex of its set. */
static void unite_arcs(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *parent)
{
    for (uint64_t v = 0; v < graph->vertices; v++) parent[v] = (uint32_t)v;
    for (uint64_t v = 0; v < graph->vertices && !ask_stop(runtime, v); v++)
        for (uint64_t arc = graph->offset[v]; arc < graph->offset[v + 1]; arc++) {
            uint32_t a = root_of(parent, (uint32_t)v), b = root_of(parent, graph->target[arc]);
            if (a < b) parent[b] = a;
            if (b < a) parent[a] = b;
        }
}

static void name_weak(struct gws_runtime *runtime, const struct gws_graph *graph, uint32_t *name)
{
    unite_arcs(runtime, graph, name);
    for (uint64_t v = 0; v < graph->vertices; v++) name[v] = root_of(name, (uint32_t)v);
}

/* ---- strong components ---- */

/* The path of a depth-first search, with its vertices and the next arc of each vertex. */
struct path {
    struct gws_runtime *runtime;
    uint32_t *vertex;
    uint64_t *arc;
};

/* Searches from root through vertices without a name and names them. Appends each vertex to order when the search
 * leaves it. Returns the new end of order. */
static uint64_t search_depth_first(const struct gws_graph *rows, struct path path, uint32_t root, uint32_t *name,
                                   uint32_t *order, uint64_t end)
{
    uint64_t depth = 1;
    name[root] = path.vertex[0] = root;
    path.arc[0] = rows->offset[root];
    while (depth > 0 && !ask_stop(path.runtime, path.arc[depth - 1])) {
        const uint32_t vertex = path.vertex[depth - 1];
        if (path.arc[depth - 1] == rows->offset[vertex + (uint64_t)1]) {
            order[end++] = vertex;
            depth--;
            continue;
        }
        const uint32_t to = rows->target[path.arc[depth - 1]++];
        if (name[to] != GWS_NO_VERTEX) continue;
        name[to] = root;
        path.vertex[depth] = to;
        path.arc[depth++] = rows->offset[to];
    }
    return end;
}

static void clear_names(const struct gws_graph *graph, uint32_t *name)
{
    for (uint64_t v = 0; v < graph->vertices; v++) name[v] = GWS_NO_VERTEX;
}

/* Names strong components. The second search follows the arcs backward, and starts from the vertices in the reverse
 * order in which the first search left them. The vertices that one start reaches are a component. `smallest` gets the
 * smallest vertex of each component. */
static void name_strong(const struct gws_graph *graph, struct path path, uint32_t *name, uint32_t *order,
                        uint32_t *smallest)
{
    uint64_t end = 0;
    clear_names(graph, name);
    for (uint64_t v = 0; v < graph->vertices && !ask_stop(path.runtime, v); v++)
        if (name[v] == GWS_NO_VERTEX) end = search_depth_first(graph, path, (uint32_t)v, name, order, end);
    clear_names(graph, name);
    while (end-- > 0 && !ask_stop(path.runtime, end))
        if (name[order[end]] == GWS_NO_VERTEX) search_depth_first(graph->reverse, path, order[end], name, smallest, 0);
    if (gws_cancelled(path.runtime)) return; /* some vertices have no name */
    clear_names(graph, smallest);
    for (uint64_t v = graph->vertices; v-- > 0;) smallest[name[v]] = (uint32_t)v;
    for (uint64_t v = 0; v < graph->vertices; v++) name[v] = smallest[name[v]];
}

/* Writes the names to `name`, and overwrites size. */
static gws_status name_all(struct gws_runtime *runtime, const struct gws_graph *graph, bool strong, uint32_t *name,
                           uint32_t *size)
{
    if (!strong) {
        name_weak(runtime, graph, name);
        return GWS_OK;
    }
    struct path path = {.runtime = runtime,
                        .vertex = gws_allocate(runtime, graph->vertices, sizeof *path.vertex),
                        .arc = gws_allocate(runtime, graph->vertices, sizeof *path.arc)};
    uint32_t *order = gws_allocate(runtime, graph->vertices, sizeof *order);
    bool has_memory = path.vertex && path.arc && order;
    if (has_memory) name_strong(graph, path, name, order, size);
    gws_release(runtime, order, graph->vertices, sizeof *order);
    gws_release(runtime, path.arc, graph->vertices, sizeof *path.arc);
    gws_release(runtime, path.vertex, graph->vertices, sizeof *path.vertex);
    return has_memory ? GWS_OK : GWS_NO_MEMORY;
}

/* ---- all ---- */

static gws_status compare(const struct gws_graph *graph, const uint32_t *name, uint32_t *size,
                          const struct gws_components_result *result, struct gws_diagnostic *where)
{
    uint64_t components = 0, largest = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) size[v] = 0;
    for (uint64_t v = 0; v < graph->vertices; v++) {
        const uint32_t root = name[v];
        if (result->component[v] != root)
            return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                                      "vertex %" PRIu64 " belongs to the component of another vertex",
                                      gws_graph_id(graph, (uint32_t)v));
        components += root == v;
        if (++size[root] > largest) largest = size[root];
    }
    if (components == result->components && largest == result->largest) return GWS_OK;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0,
                              "there are %" PRIu64 " components, the largest of %" PRIu64 " vertices", components,
                              largest);
}

static gws_status components_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                   const struct gws_components_options *options,
                                   const struct gws_components_result *result, struct gws_diagnostic *where)
{
    const bool strong = options && options->strong && graph->directed;
    if (result->vertices != graph->vertices || (!result->component && graph->vertices > 0))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "the result is empty, or of another graph");
    if (strong && !graph->reverse) return gws_diagnostic_status(where, GWS_NEEDS_REVERSE);
    uint32_t *name = gws_allocate(runtime, graph->vertices, sizeof *name);
    uint32_t *size = gws_allocate(runtime, graph->vertices, sizeof *size);
    gws_status status = name && size ? name_all(runtime, graph, strong, name, size) : GWS_NO_MEMORY;
    if (status == GWS_OK && gws_cancelled(runtime)) status = GWS_CANCELLED;
    status = status == GWS_OK ? compare(graph, name, size, result, where) : gws_diagnostic_status(where, status);
    gws_release(runtime, size, graph->vertices, sizeof *size);
    gws_release(runtime, name, graph->vertices, sizeof *name);
    return status;
}

gws_status gws_components_check(struct gws_runtime *runtime, const struct gws_graph *graph,
                                const struct gws_components_options *options,
                                const struct gws_components_result *result, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, ask_end(runtime, components_check(runtime, graph, options, result, where), where));
}

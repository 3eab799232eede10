/* SPDX-License-Identifier: MIT */
/* Selects the sources. Random sources follow a random permutation of the vertices and skip vertices without arcs, so no
 * source repeats before all sources have been used. The permutation needs no memory. The permutation is a keyed
 * bijection on the smallest power of two that is not below the number of vertices, applied until the result is a vertex
 * ("cycle walking", Black and Rogaway, CT-RSA 2002). */
#include "session.h"

#include <inttypes.h>
#include <string.h>

#include "console.h"
#include "outputs.h"

enum { ROUNDS = 4 };

const struct option_row sources_row[SOURCES_ROWS] = {
    {TEXT("source", "V|random|maxdegree", 0,
          "start at a vertex by its id or name in the file, random (with arcs; a\n"
          "different one each time), maxdegree, or FILE.ss, a list\n(default: random)")},
};

int sources_check(const char *source)
{
    return *source ? -1 : console_usage("--source: expected a vertex, found nothing");
}

/* ---- random ---- */

static uint64_t permute_bits(uint64_t x, uint32_t bits, uint64_t seed)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        x = (x + gws_random_at(seed, 2 * round)) & mask;
        x ^= x >> (bits / 2 + 1);
        x = (x * (gws_random_at(seed, 2 * round + 1) | 1)) & mask;
        x ^= x >> (bits / 2 + 1);
    }
    return x;
}

static uint32_t permuted(uint64_t index, uint64_t vertices, uint64_t seed)
{
    uint32_t bits = 1;
    while ((UINT64_C(1) << bits) < vertices) bits++;
    uint64_t x = index;
    do x = permute_bits(x, bits, seed);
    while (x >= vertices);
    return (uint32_t)x;
}

void sources_draw(uint64_t vertices, uint64_t seed, sources_has_arcs *has_arcs, const void *context,
                  struct sources *sources)
{
    uint64_t index = 0;
    for (uint64_t i = 0; i < sources->count; i++) {
        uint32_t vertex = permuted(index++ % vertices, vertices, seed);
        while (!has_arcs(context, vertex)) vertex = permuted(index++ % vertices, vertices, seed);
        sources->vertex[i] = vertex;
    }
}

static bool has_arcs(const void *context, uint32_t vertex)
{
    const struct gws_graph *graph = context;
    return graph->arcs == 0 || gws_graph_degree(graph, vertex) > 0;
}

/* ---- one vertex, or a list ---- */

static int find_name(const struct session *session, const char *source, uint32_t *vertex)
{
    const struct gws_graph *graph = session->graph;
    char first[CONSOLE_NAME], last[CONSOLE_NAME];
    if (gws_graph_find_name(graph, source, strlen(source), vertex) == GWS_OK) return -1;
    return console_fail("%s: no vertex '%s'; the vertices have names, such as '%s' and '%s'", session->name, source,
                        session_vertex_text(graph, 0, first),
                        session_vertex_text(graph, (uint32_t)(graph->vertices - 1), last));
}

static int find_vertex(const struct session *session, const char *source, uint32_t *vertex)
{
    const struct gws_graph *graph = session->graph;
    uint64_t id = 0;
    if (graph->names.text) return find_name(session, source, vertex);
    if (!options_number(source, 0, UINT64_MAX, &id))
        return console_usage("--source: expected a vertex, random, maxdegree or a file ending in .ss, got '%s'",
                             source);
    if (gws_graph_find(graph, id, vertex) == GWS_OK) return -1;
    const uint32_t *order = graph->id_order, last = (uint32_t)(graph->vertices - 1);
    const uint64_t low = gws_graph_id(graph, order ? order[0] : 0),
                   high = gws_graph_id(graph, order ? order[last] : last);
    return console_fail("%s: no vertex %s; the ids go from %" PRIu64 " to %" PRIu64 "%s", session->name, source, low,
                        high, high - low > last ? ", with gaps" : "");
}

static int repeat_list(struct session *session, const uint32_t *list, uint64_t count, uint64_t repeat,
                       struct sources *sources)
{
    if (repeat > UINT64_MAX / count ||
        !(sources->vertex = gws_allocate(session->runtime, count * repeat, sizeof *sources->vertex)))
        return console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    sources->count = count * repeat;
    for (uint64_t i = 0; i < sources->count; i++) sources->vertex[i] = list[i % count];
    return -1;
}

static int read_list(struct session *session, const char *path, uint64_t repeat, struct sources *sources)
{
    struct gws_diagnostic where = {0};
    uint32_t *list;
    uint64_t count;
    gws_status status = gws_sources_read(session->runtime, path, session->graph, &list, &count, &where);
    if (status != GWS_OK) return console_fail_at(status, &where);
    int failure = count ? repeat_list(session, list, count, repeat, sources)
                        : console_fail("%s: the list of sources is empty", path);
    gws_release(session->runtime, list, count, sizeof *list);
    return failure;
}

int sources_choose(struct session *session, const char *source, uint64_t repeat, uint64_t seed, struct sources *sources)
{
    if (session->graph->vertices == 0) return console_fail("%s: the graph has no vertices", session->name);
    if (packed_name_ends(source, ".ss")) return read_list(session, source, repeat, sources);
    bool random = strcmp(source, "random") == 0;
    uint32_t vertex = 0;
    int failure = -1;
    if (strcmp(source, "maxdegree") == 0)
        vertex = gws_graph_max_degree_vertex(session->graph);
    else if (!random)
        failure = find_vertex(session, source, &vertex);
    if (failure < 0) failure = repeat_list(session, &vertex, 1, repeat, sources);
    if (failure < 0 && random) sources_draw(session->graph->vertices, seed, has_arcs, session->graph, sources);
    return failure;
}

void sources_clear(struct session *session, struct sources *sources)
{
    if (sources->vertex) gws_release(session->runtime, sources->vertex, sources->count, sizeof *sources->vertex);
    *sources = (struct sources){0};
}

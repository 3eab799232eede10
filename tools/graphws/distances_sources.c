/* SPDX-License-Identifier: MIT */
/* The sources of graphws distances: a list in the option, a file, random vertices, or all vertices. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/outputs.h"
#include "distances.h"

enum { SHOWN = 60 }; /* characters of an entry in messages */

static gws_status reserve(struct distances_state *state, uint64_t sources)
{
    state->source = gws_allocate(state->runtime, sources, sizeof *state->source);
    state->sources = state->source ? sources : 0;
    return state->source ? GWS_OK : GWS_NO_MEMORY;
}

/* ---- a list in the option ---- */

static gws_status find_entry(const struct gws_graph *graph, const char *entry, size_t length, uint32_t *vertex,
                             struct gws_diagnostic *where)
{
    char number[24] = "";
    const bool names = graph->names.text != NULL;
    uint64_t id = 0;
    if (length < sizeof number) memcpy(number, entry, length);
    if (length == 0 || (!names && !options_number(number, 0, UINT64_MAX, &id)))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0,
                                  "--sources: expected vertices with commas between them, or a file ending in .ss, "
                                  "got '%.*s'",
                                  length < SHOWN ? (int)length : SHOWN, entry);
    gws_status status = names ? gws_graph_find_name(graph, entry, length, vertex) : gws_graph_find(graph, id, vertex);
    if (status == GWS_OK) return GWS_OK;
    return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "--sources: no vertex '%.*s'",
                              length < SHOWN ? (int)length : SHOWN, entry);
}

static gws_status parse_list(struct distances_state *state, const struct gws_graph *graph, struct gws_diagnostic *where)
{
    uint64_t entries = 1;
    for (const char *at = state->list; *at; at++) entries += *at == ',';
    gws_status status = reserve(state, entries);
    const char *at = state->list;
    for (uint64_t i = 0; i < entries && status == GWS_OK; i++) {
        size_t length = strcspn(at, ",");
        status = find_entry(graph, at, length, &state->source[i], where);
        at += length + 1;
    }
    return status;
}

/* ---- a file ---- */

static gws_status read_file(struct distances_state *state, const struct gws_graph *graph, struct gws_diagnostic *where)
{
    gws_status status = gws_sources_read(state->runtime, state->list, graph, &state->source, &state->sources, where);
    if (status != GWS_OK || state->sources > 0) return status;
    return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, state->list, 0, 0, "the list of sources is empty");
}

/* ---- random vertices ---- */

/* Selects each subset of K vertices with the same probability (Knuth, TAOCP 2, 3.4.2, algorithm S). */
static gws_status draw(struct distances_state *state, uint64_t vertices, uint64_t seed)
{
    uint64_t taken = 0, samples = state->samples;
    gws_status status = reserve(state, samples);
    for (uint64_t v = 0; v < vertices && taken < samples && status == GWS_OK; v++)
        if (gws_random_at(seed, v) % (vertices - v) < samples - taken) state->source[taken++] = (uint32_t)v;
    return status;
}

gws_status distances_choose(struct distances_state *state, const struct algorithm_input *input,
                            struct gws_diagnostic *where)
{
    const uint64_t vertices = input->graph->vertices;
    if (state->list && packed_name_ends(state->list, ".ss")) return read_file(state, input->graph, where);
    if (state->list) return parse_list(state, input->graph, where);
    if (state->samples && state->samples < vertices) return draw(state, vertices, input->seed);
    gws_status status = reserve(state, vertices);
    for (uint64_t v = 0; v < vertices && status == GWS_OK; v++) state->source[v] = (uint32_t)v;
    return status;
}

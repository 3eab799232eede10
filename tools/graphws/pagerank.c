/* SPDX-License-Identifier: MIT */
/* graphws pagerank: PageRank, also personalised. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/console.h"
#include "algorithm.h"

struct pagerank_state {
    double damping, tolerance;
    uint64_t max_iterations;
    int precision, wants_index;
    const char *list; /* ids of the vertices where walks restart; NULL: all */
    uint32_t *source;
    uint64_t sources;
    struct gws_pagerank_index index;
    double index_ms; /* time to build the index, and its memory; 0 without an index */
    uint64_t index_bytes;
    struct gws_pagerank_device *device;  /* NULL: threads or several devices */
    struct gws_pagerank_devices *parted; /* NULL: threads or one device */
    struct gws_pagerank_result result;
    struct gws_rank_pagerank_result of_rank; /* under mpirun; result has its counts */
};

static const struct pagerank_state initial = {.damping = 0.85, .tolerance = 1e-6, .max_iterations = 1000};
static const char *const precision_name[] = {"auto", "float", "double", NULL};

#define FIELD(name) offsetof(struct pagerank_state, name)
static const struct option_row row[] = {
    {REAL("damping", "D", FIELD(damping), 0.999999, "probability that a walk follows an arc (0.85 by default)")},
    {REAL("tolerance", "T", FIELD(tolerance), 2,
          "stop when an iteration changes the ranks by at most T in sum\n"
          "(1e-6 by default); 0: run all iterations")},
    {NUMBER("iterations", "N", FIELD(max_iterations), 1, 1000000,
            "run at most N iterations\n(default: 1000 for pagerank, 10 for cdlp)")},
    {TEXT("restart", "ID,...", FIELD(list), "restart walks at these vertices (personalised ranks), not at all")},
    {CHOICE("precision", "auto|float|double", FIELD(precision), precision_name,
            "type of the values that arcs carry; auto is float down to a\n"
            "tolerance of 2.5e-7")},
    {FLAG("index", FIELD(wants_index), 1,
          "order a copy of the arcs by degree first: faster on large graphs with hubs")},
};
static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

/* Converts the options. In the library's options, 0 means the default, so another value must stand for a given 0. */
static struct gws_pagerank_options options_of(const struct pagerank_state *state)
{
    return (struct gws_pagerank_options){.damping = state->damping > 0 ? state->damping : 1e-300,
                                         .tolerance = state->tolerance > 0 ? state->tolerance : -1,
                                         .max_iterations = (uint32_t)state->max_iterations,
                                         .precision = (enum gws_pagerank_precision)state->precision,
                                         .source = state->source,
                                         .sources = state->sources,
                                         .index = state->wants_index ? &state->index : NULL};
}

static bool reverse(const void *state)
{
    (void)state;
    return true;
}

static gws_status parse_list(struct pagerank_state *state, const struct gws_graph *graph, struct gws_diagnostic *where)
{
    const char *at = state->list;
    state->source = malloc((strlen(at) / 2 + 1) * sizeof *state->source);
    if (!state->source) return GWS_NO_MEMORY;
    for (;; at++) {
        char *end;
        uint64_t id = strtoull(at, &end, 10);
        bool digits = *at >= '0' && *at <= '9' && (*end == ',' || *end == '\0');
        if (!digits || gws_graph_find(graph, id, &state->source[state->sources++]) != GWS_OK)
            return gws_diagnostic_set(where, digits ? GWS_OUT_OF_RANGE : GWS_INVALID, NULL, 0, 0,
                                      digits ? "--restart: no vertex has the id %.*s"
                                             : "--restart: expected ids and commas at '%.*s'",
                                      digits ? (int)(end - at) : 40, at);
        at = end;
        if (*at == '\0') return GWS_OK;
    }
}

static gws_status build_index(struct pagerank_state *state, const struct algorithm_input *input,
                              struct gws_diagnostic *where)
{
    if (state->device) return gws_pagerank_device_order(state->device, &state->index_ms, &state->index_bytes, where);
    gws_status status = gws_pagerank_index_build(input->runtime, input->graph, &state->index);
    state->index_ms = state->index.ms;
    state->index_bytes = state->index.bytes;
    return status;
}

/* The parts are ranges of the index's order. */
static gws_status open_parted(struct pagerank_state *of, const struct algorithm_input *input,
                              struct gws_diagnostic *where)
{
    gws_status status = of->wants_index ? build_index(of, input, where) : GWS_OK;
    const struct gws_pagerank_options options = options_of(of);
    return status == GWS_OK ? gws_pagerank_devices_open(input->runtime, input->device, input->devices, input->graph,
                                                        &options, &of->parted, where)
                            : status;
}

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct pagerank_state *of = state;
    gws_status status = of->list ? parse_list(of, input->graph, where) : GWS_OK;
    if (status != GWS_OK) return status;
    if (input->devices > 1) return open_parted(of, input, where);
    const struct gws_pagerank_options options = options_of(of);
    if (input->on_device) status = gws_pagerank_device_open(input->on_device, &options, &of->device, where);
    return status == GWS_OK && of->wants_index ? build_index(of, input, where) : status;
}

static gws_status run_parted(struct pagerank_state *of, struct gws_diagnostic *where)
{
    gws_status status = gws_pagerank_devices_run(of->parted, &of->result, where);
    return status == GWS_OK ? gws_pagerank_devices_fetch(of->parted, &of->result, where) : status;
}

static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct pagerank_state *of = state;
    struct gws_pagerank_options options = options_of(of);
    if (of->parted) return run_parted(of, where);
    if (!of->device) return gws_pagerank(input->runtime, input->graph, &options, &of->result);
    gws_status status = gws_pagerank_device_run(of->device, &of->result, where);
    return status == GWS_OK ? gws_pagerank_device_fetch(of->device, &of->result, where) : status;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct pagerank_state *of = state;
    struct gws_pagerank_options options = options_of(of);
    return gws_pagerank_check(input->runtime, input->graph, &options, &of->result, where);
}

/* Gives the list that rank 0 parsed to all ranks: sums with zeros. */
static gws_status share_list(struct pagerank_state *of, struct gws_transport *transport)
{
    gws_transport_sum(transport, &of->sources, 1);
    if (!of->source) of->source = calloc(of->sources, sizeof *of->source);
    gws_status status = gws_transport_agree(transport, of->source ? GWS_OK : GWS_NO_MEMORY);
    for (uint64_t i = 0; status == GWS_OK && of->source && i < of->sources; i++) {
        uint64_t vertex = of->source[i];
        gws_transport_sum(transport, &vertex, 1);
        of->source[i] = (uint32_t)vertex;
    }
    return status;
}

static gws_status rank_open(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where)
{
    struct pagerank_state *of = state;
    struct gws_transport *transport = input->graph->transport;
    gws_status status = GWS_OK;
    if (of->wants_index)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "--index requires one process, not several ranks");
    if (!of->list) return GWS_OK;
    if (gws_transport_rank(transport) == 0) status = parse_list(of, input->whole, where);
    status = gws_transport_agree(transport, status);
    return status == GWS_OK ? share_list(of, transport) : status;
}

static gws_status rank_run(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where)
{
    struct pagerank_state *of = state;
    const struct gws_pagerank_options options = options_of(of);
    gws_status status = gws_rank_pagerank(input->runtime, input->graph, &options, &of->of_rank, where);
    of->result.iterations = of->of_rank.iterations;
    of->result.error = of->of_rank.error;
    of->result.converged = of->of_rank.converged;
    of->result.ms = of->of_rank.ms;
    return status;
}

static gws_status rank_verify(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where)
{
    struct pagerank_state *of = state;
    const struct gws_pagerank_options options = options_of(of);
    return gws_rank_pagerank_check(input->runtime, input->graph, &options, &of->of_rank, where);
}

static uint32_t rank_columns(const void *state, struct rank_column *column)
{
    const struct pagerank_state *of = state;
    column[0] = (struct rank_column){{.name = "vertex", .kind = GWS_COLUMN_ID}, 0};
    column[1] = (struct rank_column){{.name = "rank", .kind = GWS_COLUMN_F64, .data = of->of_rank.rank}, 8};
    return 2;
}

static struct algorithm_part part(const void *state, uint32_t device)
{
    const struct pagerank_state *of = state;
    struct gws_pagerank_devices_part found;
    gws_pagerank_devices_describe(of->parted, device, &found);
    return (struct algorithm_part){.vertices = found.vertices,
                                   .arcs = found.arcs,
                                   .bytes = found.bytes,
                                   .sent_bytes = found.sent_bytes,
                                   .upload_ms = found.upload_ms,
                                   .idle = found.idle};
}

static void clear(void *state)
{
    struct pagerank_state *of = state;
    gws_rank_pagerank_result_clear(&of->of_rank);
    gws_pagerank_devices_close(of->parted);
    gws_pagerank_device_close(of->device);
    gws_pagerank_result_clear(&of->result);
    gws_pagerank_index_clear(&of->index);
    free(of->source);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct pagerank_state *of = state;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_ID};
    table->column[1] = (struct gws_column){.name = "rank", .kind = GWS_COLUMN_F64, .data = of->result.rank};
    table->table.columns = 2;
}

#define MEMBER(name, key) JSON_FIELD(struct pagerank_state, name, key)
static const struct json_field parameter[] = {{MEMBER(damping, "damping")},
                                              {MEMBER(tolerance, "tolerance")},
                                              {MEMBER(index_ms, "index_ms")},
                                              {MEMBER(index_bytes, "index_bytes")}};
static const struct json_field found[] = {{MEMBER(result.iterations, "iterations")},
                                          {MEMBER(result.error, "error")},
                                          {MEMBER(result.converged, "converged")}};

const struct algorithm algorithm_pagerank = {
    .command.name = "pagerank",
    .command.about = "PageRank, for all vertices or personalised",
    ALGORITHM_STATE(struct pagerank_state),
    .fetch_ms = offsetof(struct pagerank_state, result.fetch_ms),
    .reverse = reverse,
    .open = open,
    .run = run,
    .verify = verify,
    .rank_open = rank_open,
    .rank_run = rank_run,
    .rank_verify = rank_verify,
    .rank_columns = rank_columns,
    .rank_reverse = true,
    .part = part,
    .parting = PARTING_RANKS,
    .clear = clear,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .finding = "ran       {iterations} iteration{s}, the last changed the ranks by {error} in sum\n",
    .columns = columns,
};

/* SPDX-License-Identifier: MIT */
/* graphws bc: betweenness centrality of vertices, or of edges. */
#include <stdlib.h>

#include "algorithm.h"

struct betweenness_state {
    uint64_t samples;
    int normalised, edges;
    struct gws_betweenness_device *device; /* NULL: threads */
    struct gws_betweenness_result result;
    double source_ms; /* mean time of a source */
    /* With --edges: the arcs, one for each undirected edge. The arrays are NULL before the first run. */
    uint64_t rows;
    uint32_t *from, *to;
    double *value;
};

static const struct betweenness_state initial = {.samples = 0};

#define FIELD(name) offsetof(struct betweenness_state, name)
static const struct option_row row[] = {
    {NUMBER("samples", "K", FIELD(samples), 1, UINT32_MAX, "search from K random vertices (--seed), not from all")},
    {FLAG("normalised", FIELD(normalised), 1, "divide by the number of pairs of other vertices")},
    {FLAG("edges", FIELD(edges), 1, "write and rank the values of edges instead of vertices")},
};
static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static struct gws_betweenness_options options_of(const struct betweenness_state *state, uint64_t seed)
{
    return (struct gws_betweenness_options){
        .samples = state->samples, .seed = seed, .normalised = state->normalised, .arcs = state->edges};
}

static bool draws(const void *state)
{
    return ((const struct betweenness_state *)state)->samples > 0;
}

static bool reverse(const void *state)
{
    (void)state;
    return true;
}

/* Lists every arc, or, in an undirected graph, each arc whose target is not smaller than its source. */
static gws_status list_edges(struct betweenness_state *of, const struct gws_graph *graph)
{
    if (!of->from) of->from = malloc((graph->arcs + 1) * sizeof *of->from);
    if (!of->to) of->to = malloc((graph->arcs + 1) * sizeof *of->to);
    if (!of->value) of->value = malloc((graph->arcs + 1) * sizeof *of->value);
    if (!of->from || !of->to || !of->value) return GWS_NO_MEMORY;
    of->rows = 0;
    for (uint64_t v = 0; v < graph->vertices; v++)
        for (uint64_t arc = graph->offset[v]; arc < graph->offset[v + 1]; arc++) {
            if (!graph->directed && graph->target[arc] < v) continue;
            of->from[of->rows] = (uint32_t)v;
            of->to[of->rows] = graph->target[arc];
            of->value[of->rows++] = of->result.arc[arc];
        }
    return GWS_OK;
}

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct betweenness_state *of = state;
    return input->on_device ? gws_betweenness_device_open(input->on_device, &of->device, where) : GWS_OK;
}

static gws_status run_on_device(struct betweenness_state *of, const struct gws_betweenness_options *options,
                                struct gws_diagnostic *where)
{
    gws_status status = gws_betweenness_device_run(of->device, options, &of->result, where);
    return status == GWS_OK ? gws_betweenness_device_fetch(of->device, &of->result, where) : status;
}

static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct betweenness_state *of = state;
    struct gws_betweenness_options options = options_of(of, input->seed);
    gws_status status = of->device ? run_on_device(of, &options, where)
                                   : gws_betweenness(input->runtime, input->graph, &options, &of->result);
    if (status != GWS_OK) return status;
    of->source_ms = of->result.sources ? of->result.ms / (double)of->result.sources : 0;
    return of->edges ? list_edges(of, input->graph) : GWS_OK;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct betweenness_state *of = state;
    struct gws_betweenness_options options = options_of(of, input->seed);
    return gws_betweenness_check(input->runtime, input->graph, &options, &of->result, where);
}

static void clear(void *state)
{
    struct betweenness_state *of = state;
    gws_betweenness_device_close(of->device);
    gws_betweenness_result_clear(&of->result);
    free(of->from);
    free(of->to);
    free(of->value);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct betweenness_state *of = state;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_ID};
    table->column[1] = (struct gws_column){.name = "centrality", .kind = GWS_COLUMN_F64, .data = of->result.centrality};
    table->table.columns = 2;
    if (!of->edges) return;
    table->column[0] = (struct gws_column){.name = "from", .kind = GWS_COLUMN_VERTEX, .data = of->from};
    table->column[1] = (struct gws_column){.name = "to", .kind = GWS_COLUMN_VERTEX, .data = of->to};
    table->column[2] = (struct gws_column){.name = "centrality", .kind = GWS_COLUMN_F64, .data = of->value};
    table->table.columns = 3;
    table->table.rows = of->rows;
}

/* Makes the ranking; an edge has the name of its first end. */
static gws_status ranking(void *state, const struct algorithm_input *input, struct algorithm_table *table)
{
    const struct betweenness_state *of = state;
    (void)input;
    columns(state, table);
    if (of->edges) table->column[1] = table->column[2];
    table->table.columns = 2;
    return GWS_OK;
}

#define MEMBER(name, key) JSON_FIELD(struct betweenness_state, name, key)
static const struct json_field parameter[] = {{MEMBER(samples, "samples")}};
static const struct json_field found[] = {{MEMBER(result.sources, "sources")},
                                          {MEMBER(result.reached, "reached")},
                                          {MEMBER(result.levels, "levels")},
                                          {MEMBER(source_ms, "source_ms")}};

const struct algorithm algorithm_betweenness = {
    .command.name = "bc",
    .command.about = "Betweenness centrality, exact or from samples",
    ALGORITHM_STATE(struct betweenness_state),
    .prepare_ms = offsetof(struct betweenness_state, result.prepare_ms),
    .fetch_ms = offsetof(struct betweenness_state, result.fetch_ms),
    .draws = draws,
    .reverse = reverse,
    .open = open,
    .run = run,
    .verify = verify,
    .clear = clear,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .finding = "found     {sources} source{s} reached {reached} vertices in at most {levels} levels\n",
    .columns = columns,
    .ranking = ranking,
};

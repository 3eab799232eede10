/* SPDX-License-Identifier: MIT */
/* graphws communities: Leiden, Louvain, and label propagation. */
#include <stdlib.h>

#include "../common/console.h"
#include "algorithm.h"

struct communities_state {
    int method, ignore_weights;
    double resolution;
    uint64_t levels, passes, iterations;   /* 0: the library's default */
    struct gws_communities_device *device; /* NULL: threads */
    struct gws_communities_result result;
    uint32_t *name; /* the ranking: the name of each community, and its size */
    int64_t *size;
};

static const struct communities_state initial = {.resolution = 1};
static const char *const method_name[] = {"leiden", "louvain", "cdlp", NULL};

#define FIELD(name) offsetof(struct communities_state, name)
static const struct option_row row[] = {
    {CHOICE("method", "leiden|louvain|cdlp", FIELD(method), method_name,
            "Leiden (the default), Louvain, or label propagation by the\nrule of LDBC Graphalytics")},
    {REAL("resolution", "R", FIELD(resolution), 1e6, "of the modularity: larger values make smaller communities")},
    {NUMBER("max-levels", "N", FIELD(levels), 1, 1000, "leiden, louvain: merge communities on at most N levels")},
    {NUMBER("passes", "N", FIELD(passes), 1, 1000, "leiden: begin N times, each with the communities found (2)")},
    {NUMBER("iterations", "N", FIELD(iterations), 1, 1000000,
            "run at most N iterations\n(default: 1000 for pagerank, 10 for cdlp)")},
    {FLAG("unweighted", FIELD(ignore_weights), 1, "ignore the weights of the file")},
};
static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static struct gws_communities_options options_of(const struct communities_state *state)
{
    return (struct gws_communities_options){.method = (enum gws_communities_method)state->method,
                                            .resolution = state->resolution,
                                            .max_levels = (uint32_t)state->levels,
                                            .passes = (uint32_t)state->passes,
                                            .iterations = (uint32_t)state->iterations,
                                            .ignore_weights = state->ignore_weights};
}

static int check(void *state)
{
    const struct communities_state *of = state;
    if (of->resolution == 0) return console_usage("--resolution: expected a number above 0");
    if (of->passes && of->method != GWS_COMMUNITIES_LEIDEN) return console_usage("--passes needs --method leiden");
    if (of->iterations && of->method != GWS_COMMUNITIES_CDLP) return console_usage("--iterations needs --method cdlp");
    if (of->method != GWS_COMMUNITIES_CDLP) return -1;
    if (of->levels) return console_usage("--max-levels has no effect with --method cdlp");
    if (of->ignore_weights) return console_usage("--unweighted has no effect with --method cdlp");
    return -1;
}

static bool reverse(const void *state)
{
    (void)state;
    return true;
}

static gws_status explain(gws_status status, struct gws_diagnostic *where)
{
    if (status != GWS_INVALID) return status;
    return gws_diagnostic_set(where, status, NULL, 0, 0,
                              "communities need weights that are not negative; --unweighted "
                              "ignores them");
}

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct communities_state *of = state;
    const struct gws_communities_options options = options_of(of);
    if (!input->on_device) return GWS_OK;
    return explain(gws_communities_device_open(input->on_device, &options, &of->device, where), where);
}

static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct communities_state *of = state;
    const struct gws_communities_options options = options_of(of);
    if (!of->device) return explain(gws_communities(input->runtime, input->graph, &options, &of->result), where);
    gws_status status = gws_communities_device_run(of->device, &of->result, where);
    return status == GWS_OK ? gws_communities_device_fetch(of->device, &of->result, where) : status;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct communities_state *of = state;
    struct gws_communities_options options = options_of(of);
    return gws_communities_check(input->runtime, input->graph, &options, &of->result, where);
}

static void clear(void *state)
{
    struct communities_state *of = state;
    gws_communities_device_close(of->device);
    gws_communities_result_clear(&of->result);
    free(of->name);
    free(of->size);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct communities_state *of = state;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_ID};
    table->column[1] =
        (struct gws_column){.name = "community", .kind = GWS_COLUMN_VERTEX, .data = of->result.community};
    table->table.columns = 2;
}

/* Makes the ranking: the communities by size. A label of cdlp need not be a member of its community. */
static gws_status ranking(void *state, const struct algorithm_input *input, struct algorithm_table *table)
{
    struct communities_state *of = state;
    const uint64_t vertices = input->graph->vertices;
    uint64_t rows = 0;
    of->name = malloc((of->result.count + 1) * sizeof *of->name);
    of->size = malloc((of->result.count + 1) * sizeof *of->size);
    uint32_t *members = calloc(vertices + 1, sizeof *members);
    const bool has_memory = of->name && of->size && members;
    for (uint64_t v = 0; v < vertices && has_memory; v++) members[of->result.community[v]]++;
    for (uint64_t v = 0; v < vertices && has_memory; v++) {
        if (members[v] == 0) continue;
        of->name[rows] = (uint32_t)v;
        of->size[rows++] = members[v];
    }
    free(members);
    table->column[0] = (struct gws_column){.name = "community", .kind = GWS_COLUMN_VERTEX, .data = of->name};
    table->column[1] = (struct gws_column){.name = "vertices", .kind = GWS_COLUMN_I64, .data = of->size};
    table->table.columns = 2;
    table->table.rows = rows;
    return has_memory ? GWS_OK : GWS_NO_MEMORY;
}

#define MEMBER(name, key) JSON_FIELD(struct communities_state, name, key)
static const struct json_field parameter[] = {{MEMBER(resolution, "resolution")}};
static const struct json_field found[] = {{MEMBER(result.count, "communities")},
                                          {MEMBER(result.largest, "largest")},
                                          {MEMBER(result.modularity, "modularity")},
                                          {MEMBER(result.levels, "levels")}};

const struct algorithm algorithm_communities = {
    .command.name = "communities",
    .command.about = "Communities by Leiden, Louvain or label propagation",
    ALGORITHM_STATE(struct communities_state),
    .fetch_ms = offsetof(struct communities_state, result.fetch_ms),
    .weights = true,
    .check = check,
    .reverse = reverse,
    .open = open,
    .run = run,
    .verify = verify,
    .clear = clear,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .finding = "found     {communities} communities, modularity {modularity}, the largest of {largest} vertices\n",
    .columns = columns,
    .ranking = ranking,
};

/* SPDX-License-Identifier: MIT */
/* graphws triangles: triangles and clustering coefficients. */
#include <math.h>

#include "algorithm.h"

struct triangles_state {
    int clustering;                      /* --clustering */
    int lcc;                             /* --lcc */
    struct gws_triangles_device *device; /* NULL: threads */
    double mean_clustering;              /* NaN: not computed */
    struct gws_triangles_result result;
};

static const struct triangles_state initial = {.clustering = 0};

static const struct option_row row[] = {
    {FLAG("clustering", offsetof(struct triangles_state, clustering), 1,
          "compute the clustering coefficient of each vertex, and\n"
          "print their mean; --out, --top and --plot do that too")},
    {FLAG("lcc", offsetof(struct triangles_state, lcc), 1,
          "compute them by the rule of LDBC Graphalytics, which in a\n"
          "directed graph counts the arcs between the neighbours")},
};
static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static struct gws_triangles_options options_of(const struct triangles_state *state, const struct algorithm_input *input)
{
    struct gws_triangles_options options = {.parts = state->clustering || state->lcc ? GWS_TRIANGLES_CLUSTERING : 0,
                                            .directed = state->lcc};
    if (input->by_vertex) options.parts = GWS_TRIANGLES_COUNT | GWS_TRIANGLES_CLUSTERING;
    return options;
}

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct triangles_state *of = state;
    struct gws_triangles_options options = options_of(of, input);
    return input->on_device ? gws_triangles_device_open(input->on_device, &options, &of->device, where) : GWS_OK;
}

static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct triangles_state *of = state;
    struct gws_triangles_options options = options_of(of, input);
    gws_status status = of->device ? gws_triangles_device_run(of->device, &of->result, where)
                                   : gws_triangles(input->runtime, input->graph, &options, &of->result);
    if (of->device && status == GWS_OK) status = gws_triangles_device_fetch(of->device, &of->result, where);
    of->mean_clustering = options.parts ? of->result.mean_clustering : NAN;
    return status;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    const struct triangles_state *of = state;
    return gws_triangles_check(input->runtime, input->graph, &of->result, where);
}

static void clear(void *state)
{
    struct triangles_state *of = state;
    gws_triangles_device_close(of->device);
    gws_triangles_result_clear(&of->result);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct gws_triangles_result *result = &((const struct triangles_state *)state)->result;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_ID};
    table->column[1] = (struct gws_column){.name = "triangles", .kind = GWS_COLUMN_I64, .data = result->count};
    table->column[2] = (struct gws_column){.name = "clustering", .kind = GWS_COLUMN_F64, .data = result->clustering};
    table->table.columns = 3;
}

#define MEMBER(name, key) JSON_FIELD(struct triangles_state, name, key)
static const struct json_field found[] = {
    {MEMBER(result.triangles, "triangles")},
    {MEMBER(result.wedges, "wedges")},
    {MEMBER(result.transitivity, "transitivity")},
    {MEMBER(mean_clustering, "mean_clustering")},
    {MEMBER(result.directed, "lcc")},
};

const struct algorithm algorithm_triangles = {
    .command.name = "triangles",
    .command.about = "Triangles and clustering coefficients",
    ALGORITHM_STATE(struct triangles_state),
    .prepare_ms = offsetof(struct triangles_state, result.prepare_ms),
    .fetch_ms = offsetof(struct triangles_state, result.fetch_ms),
    .open = open,
    .run = run,
    .verify = verify,
    .clear = clear,
    .found = JSON_TABLE(found),
    .finding = "found     {triangles} triangle{s}, transitivity {transitivity}"
               "{mean_clustering?, mean clustering }{mean_clustering}\n",
    .columns = columns,
};

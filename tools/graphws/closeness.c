/* SPDX-License-Identifier: MIT */
/* graphws closeness: closeness, harmonic centrality and eccentricity of every vertex or of samples; or the diameter. */
#include <math.h>

#include "../common/console.h"
#include "algorithm.h"

struct closeness_state {
    uint64_t samples;
    int outgoing, unscaled, only_diameter;
    struct gws_closeness_device *device; /* NULL: threads, or --diameter */
    struct gws_diameter_device *bounds;  /* NULL: threads, or no --diameter */
    struct gws_closeness_result result;  /* --diameter: only .ms */
    struct gws_diameter_result ends;
    uint32_t end[2], distance[2]; /* the table of --diameter */
    uint64_t sources;
    uint32_t diameter;
    double radius; /* NAN: not known */
};

static const struct closeness_state initial = {.samples = 0};

#define FIELD(name) offsetof(struct closeness_state, name)
static const struct option_row row[] = {
    {NUMBER("samples", "K", FIELD(samples), 1, UINT32_MAX, "search from K random vertices (--seed), not from all")},
    {FLAG("outgoing", FIELD(outgoing), 1, "use the distances from a vertex, not those to it")},
    {FLAG("unscaled", FIELD(unscaled), 1, "do not scale closeness by the part of the graph in reach")},
    {FLAG("diameter", FIELD(only_diameter), 1,
          "only the exact diameter, by far fewer searches; the\n"
          "directions of arcs do not count")},
};
static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static struct gws_closeness_options options_of(const struct closeness_state *state, uint64_t seed)
{
    return (struct gws_closeness_options){
        .samples = state->samples, .seed = seed, .outgoing = state->outgoing, .unscaled = state->unscaled};
}

static int check(void *state)
{
    const struct closeness_state *of = state;
    bool others = of->samples || of->outgoing || of->unscaled;
    return of->only_diameter && others ? console_usage("--diameter cannot be combined with --samples, --outgoing or "
                                                       "--unscaled")
                                       : -1;
}

static bool draws(const void *state)
{
    return ((const struct closeness_state *)state)->samples > 0;
}

static bool reverse(const void *state)
{
    return !((const struct closeness_state *)state)->only_diameter;
}

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct closeness_state *of = state;
    const struct gws_closeness_options options = options_of(of, input->seed);
    if (!input->on_device) return GWS_OK;
    if (of->only_diameter) return gws_diameter_device_open(input->on_device, &of->bounds, where);
    return gws_closeness_device_open(input->on_device, &options, &of->device, where);
}

/* On a device the preparation is that of open(). */
static gws_status run_diameter(struct closeness_state *of, const struct algorithm_input *input,
                               struct gws_diagnostic *where)
{
    gws_status status = of->bounds ? gws_diameter_device_run(of->bounds, &of->ends, where)
                                   : gws_diameter(input->runtime, input->graph, &of->ends);
    if (status != GWS_OK) return status;
    of->result.ms = of->bounds ? of->ends.ms : of->ends.ms + of->ends.prepare_ms;
    of->sources = of->ends.searches;
    of->end[0] = of->ends.from;
    of->end[1] = of->ends.to;
    of->radius = NAN;
    of->diameter = of->distance[0] = of->distance[1] = of->ends.diameter;
    return GWS_OK;
}

static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct closeness_state *of = state;
    struct gws_closeness_options options = options_of(of, input->seed);
    if (of->only_diameter) return run_diameter(of, input, where);
    gws_status status = of->device ? gws_closeness_device_run(of->device, &of->result, where)
                                   : gws_closeness(input->runtime, input->graph, &options, &of->result);
    if (status == GWS_OK && of->device) status = gws_closeness_device_fetch(of->device, &of->result, where);
    if (status != GWS_OK) return status;
    of->sources = of->result.sources;
    of->diameter = of->result.diameter;
    of->radius = of->result.radius;
    return GWS_OK;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct closeness_state *of = state;
    struct gws_closeness_options options = options_of(of, input->seed);
    if (of->only_diameter) return gws_diameter_check(input->runtime, input->graph, &of->ends, where);
    return gws_closeness_check(input->runtime, input->graph, &options, &of->result, where);
}

static void clear(void *state)
{
    struct closeness_state *of = state;
    gws_closeness_device_close(of->device);
    gws_diameter_device_close(of->bounds);
    gws_closeness_result_clear(&of->result);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct closeness_state *of = state;
    const struct gws_closeness_result *result = &of->result;
    table->column[0] = (struct gws_column){
        .name = "vertex", .kind = result->source ? GWS_COLUMN_VERTEX : GWS_COLUMN_ID, .data = result->source};
    table->column[1] = (struct gws_column){.name = "closeness", .kind = GWS_COLUMN_F64, .data = result->closeness};
    table->column[2] = (struct gws_column){.name = "harmonic", .kind = GWS_COLUMN_F64, .data = result->harmonic};
    table->column[3] =
        (struct gws_column){.name = "eccentricity", .kind = GWS_COLUMN_U32, .data = result->eccentricity};
    table->table.columns = 4;
    table->table.rows = result->sources;
    if (!of->only_diameter) return;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_VERTEX, .data = of->end};
    table->column[1] = (struct gws_column){.name = "eccentricity", .kind = GWS_COLUMN_U32, .data = of->distance};
    table->table.columns = 2;
    table->table.rows = of->ends.vertices ? 2 : 0;
}

#define MEMBER(name, key) JSON_FIELD(struct closeness_state, name, key)
static const struct json_field parameter[] = {{MEMBER(samples, "samples")}};
static const struct json_field found[] = {
    {MEMBER(sources, "searches")}, {MEMBER(diameter, "diameter")}, {MEMBER(radius, "radius")}};

const struct algorithm algorithm_closeness = {
    .command.name = "closeness",
    .command.about = "Closeness, harmonic centrality, eccentricity; the diameter",
    ALGORITHM_STATE(struct closeness_state),
    .fetch_ms = offsetof(struct closeness_state, result.fetch_ms),
    .check = check,
    .draws = draws,
    .reverse = reverse,
    .open = open,
    .run = run,
    .verify = verify,
    .clear = clear,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .finding = "found     diameter {diameter}, by {searches} searches\n",
    .columns = columns,
};

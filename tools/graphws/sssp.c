/* SPDX-License-Identifier: MIT */
/* graphws sssp: shortest paths from a source. */
#include "algorithm.h"

struct sssp_state {
    const char *source;
    double delta;
    struct gws_sssp_device *device;  /* NULL: threads or several devices */
    struct gws_sssp_devices *parted; /* NULL: threads or one device */
    struct gws_sssp_result result;
    struct gws_rank_sssp_result of_rank; /* under mpirun; result has its counts */
};

static const struct sssp_state initial = {.source = "random"};

static const struct option_row row[] = {
    {REAL("delta", "D", offsetof(struct sssp_state, delta), 1e300,
          "the width of a bucket of distances, rounded up to a power of two\n"
          "(default: computed from weights and degrees)")},
};
static const struct subcommand_rows group[] = {{sources_row, SOURCES_ROWS, offsetof(struct sssp_state, source)},
                                               {row, sizeof row / sizeof *row, 0}};

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct sssp_state *of = state;
    const struct gws_sssp_options options = {.delta = of->delta};
    gws_status status = GWS_OK;
    if (input->devices > 1)
        status = gws_sssp_devices_open(input->runtime, input->device, input->devices, input->graph, &options,
                                       &of->parted, where);
    else if (input->on_device)
        status = gws_sssp_device_open(input->on_device, &options, &of->device, where);
    return status == GWS_INVALID ? GWS_OUT_OF_RANGE : status;
}

static gws_status run_parted(struct sssp_state *of, uint32_t source, struct gws_diagnostic *where)
{
    gws_status status = gws_sssp_devices_run(of->parted, source, &of->result, where);
    return status == GWS_OK ? gws_sssp_devices_fetch(of->parted, &of->result, where) : status;
}

/* Runs the search. An invalid weight is a fault of the file, not of the options. */
static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct sssp_state *of = state;
    const struct gws_sssp_options options = {.delta = of->delta};
    if (of->parted) return run_parted(of, input->source, where);
    if (of->device) {
        gws_status status = gws_sssp_device_run(of->device, input->source, &of->result, where);
        return status == GWS_OK ? gws_sssp_device_fetch(of->device, &of->result, where) : status;
    }
    gws_status status = gws_sssp(input->runtime, input->graph, input->source, &options, &of->result, where);
    return status == GWS_INVALID ? GWS_OUT_OF_RANGE : status;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    return gws_sssp_check(input->runtime, input->graph, &((struct sssp_state *)state)->result, where);
}

static gws_status rank_run(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where)
{
    struct sssp_state *of = state;
    const struct gws_sssp_options options = {.delta = of->delta};
    gws_status status = gws_rank_sssp(input->runtime, input->graph, input->source, &options, &of->of_rank, where);
    of->result.reached = of->of_rank.reached;
    of->result.max_distance = of->of_rank.max_distance;
    of->result.delta = of->of_rank.delta;
    of->result.rounds = of->of_rank.rounds;
    of->result.relaxations = of->of_rank.relaxations;
    of->result.ms = of->of_rank.ms;
    return status == GWS_INVALID ? GWS_OUT_OF_RANGE : status;
}

static gws_status rank_verify(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where)
{
    return gws_rank_sssp_check(input->runtime, input->graph, &((struct sssp_state *)state)->of_rank, where);
}

static uint32_t rank_columns(const void *state, struct rank_column *column)
{
    const struct gws_rank_sssp_result *result = &((const struct sssp_state *)state)->of_rank;
    column[0] = (struct rank_column){{.name = "vertex", .kind = GWS_COLUMN_ID}, 0};
    column[1] = (struct rank_column){{.name = "distance", .kind = GWS_COLUMN_U64, .data = result->distance}, 8};
    if (result->real_distance)
        column[1].column =
            (struct gws_column){.name = "distance", .kind = GWS_COLUMN_FINITE, .data = result->real_distance};
    column[2] = (struct rank_column){{.name = "parent", .kind = GWS_COLUMN_VERTEX, .data = result->parent}, 4};
    return 3;
}

static struct algorithm_part part(const void *state, uint32_t device)
{
    struct gws_sssp_devices_part found;
    gws_sssp_devices_describe(((const struct sssp_state *)state)->parted, device, &found);
    return (struct algorithm_part){.vertices = found.vertices,
                                   .arcs = found.arcs,
                                   .bytes = found.bytes,
                                   .sent_bytes = found.sent_bytes,
                                   .upload_ms = found.upload_ms,
                                   .idle = found.idle};
}

static void clear(void *state)
{
    struct sssp_state *of = state;
    gws_sssp_devices_close(of->parted);
    gws_rank_sssp_result_clear(&of->of_rank);
    gws_sssp_device_close(of->device);
    gws_sssp_result_clear(&of->result);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct gws_sssp_result *result = &((const struct sssp_state *)state)->result;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_ID};
    table->column[1] =
        result->distance
            ? (struct gws_column){.name = "distance", .kind = GWS_COLUMN_U64, .data = result->distance}
            : (struct gws_column){.name = "distance", .kind = GWS_COLUMN_FINITE, .data = result->real_distance};
    table->column[2] = (struct gws_column){.name = "parent", .kind = GWS_COLUMN_VERTEX, .data = result->parent};
    table->table.columns = 3;
}

#define MEMBER(name, key) JSON_FIELD(struct sssp_state, result.name, key)
static const struct json_field found[] = {{MEMBER(reached, "reached")},
                                          {MEMBER(max_distance, "max_distance")},
                                          {MEMBER(delta, "delta")},
                                          {MEMBER(rounds, "rounds")},
                                          {MEMBER(relaxations, "relaxations")}};

const struct algorithm algorithm_sssp = {
    .command.name = "sssp",
    .command.about = "Shortest paths from a source, by weights",
    ALGORITHM_STATE(struct sssp_state),
    .fetch_ms = offsetof(struct sssp_state, result.fetch_ms),
    .sources = true,
    .source = offsetof(struct sssp_state, source),
    .weights = true,
    .open = open,
    .run = run,
    .verify = verify,
    .rank_run = rank_run,
    .rank_verify = rank_verify,
    .rank_columns = rank_columns,
    .part = part,
    .parting = PARTING_PATHS,
    .clear = clear,
    .found = JSON_TABLE(found),
    .finding = "reached   {reached} vertices, the farthest at {max_distance}\n"
               "rounds    {rounds} of buckets of {delta}\n",
    .columns = columns,
};

/* SPDX-License-Identifier: MIT */
/* graphws path: one shortest path between two vertices. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../common/console.h"
#include "algorithm.h"

struct path_state {
    const char *source, *target;
    int by_hops;
    double distance, fetch_ms;
    struct gws_path_device *device; /* NULL: threads */
    struct gws_path_result result;
};

static const struct path_state initial = {.source = "random", .target = "random"};

static const struct option_row row[] = {
    {TEXT("target", "V", offsetof(struct path_state, target),
          "the end of the path: a vertex by its id or name in the file, or random\n(default: random)")},
    {FLAG("hops", offsetof(struct path_state, by_hops), 1, "the length of a path is its number of arcs")},
};
static const struct subcommand_rows group[] = {{sources_row, SOURCES_ROWS, offsetof(struct path_state, source)},
                                               {row, sizeof row / sizeof *row, 0}};

static int check(void *state)
{
    const char *target = ((const struct path_state *)state)->target;
    return *target ? -1 : console_usage("--target: expected a vertex or random, found nothing");
}

static bool draws(const void *state)
{
    return strcmp(((const struct path_state *)state)->target, "random") == 0;
}

/* Always true: the search runs from both ends, and so needs the reverse. On a device it pulls. */
static bool reverse(const void *state)
{
    (void)state;
    return true;
}

static gws_status find_target(const struct path_state *of, const struct algorithm_input *input, uint32_t *target,
                              struct gws_diagnostic *where)
{
    uint64_t id = 0;
    if (draws(of)) {
        *target = (uint32_t)(gws_random_at(input->seed, input->source) % input->graph->vertices);
        return GWS_OK;
    }
    const struct gws_graph *graph = input->graph;
    bool names = graph->names.text != NULL;
    if (!names && !options_number(of->target, 0, UINT64_MAX, &id))
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "--target: expected a vertex or random, got '%s'",
                                  of->target);
    gws_status status =
        names ? gws_graph_find_name(graph, of->target, strlen(of->target), target) : gws_graph_find(graph, id, target);
    if (status == GWS_OK) return GWS_OK;
    return gws_diagnostic_set(where, GWS_OUT_OF_RANGE, NULL, 0, 0, "no vertex %s", of->target);
}

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct path_state *of = state;
    const struct gws_path_options options = {.hops = of->by_hops};
    return input->on_device ? gws_path_device_open(input->on_device, &options, &of->device, where) : GWS_OK;
}

static gws_status run_on_device(struct path_state *of, uint32_t source, uint32_t target, struct gws_diagnostic *where)
{
    gws_status status = gws_path_device_run(of->device, source, target, &of->result, where);
    const double began = gws_clock_ms();
    if (status == GWS_OK) status = gws_path_device_fetch(of->device, &of->result, where);
    of->fetch_ms = gws_clock_ms() - began;
    return status;
}

/* Runs the search. An invalid weight is a fault of the file, not of the options. */
static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct path_state *of = state;
    const struct gws_path_options options = {.hops = of->by_hops};
    uint32_t target = GWS_NO_VERTEX;
    gws_status status = find_target(of, input, &target, where);
    if (status != GWS_OK) return status;
    status = of->device ? run_on_device(of, input->source, target, where)
                        : gws_path(input->runtime, input->graph, input->source, target, &options, &of->result, where);
    if (status != GWS_OK) return status == GWS_INVALID ? GWS_OUT_OF_RANGE : status;
    const struct gws_path_result *result = &of->result;
    of->distance = result->length == 0     ? (double)NAN
                   : result->real_distance ? result->real_distance[result->length - 1]
                                           : (double)result->distance[result->length - 1];
    return GWS_OK;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    return gws_path_check(input->runtime, input->graph, &((struct path_state *)state)->result, where);
}

static void clear(void *state)
{
    struct path_state *of = state;
    gws_path_device_close(of->device);
    gws_path_result_clear(&of->result);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct gws_path_result *result = &((const struct path_state *)state)->result;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_VERTEX, .data = result->vertex};
    table->column[1] =
        result->real_distance
            ? (struct gws_column){.name = "distance", .kind = GWS_COLUMN_FINITE, .data = result->real_distance}
            : (struct gws_column){.name = "distance", .kind = GWS_COLUMN_U64, .data = result->distance};
    table->table.columns = 2;
    table->table.rows = result->length;
}

static const struct json_field found[] = {{JSON_FIELD(struct path_state, result.length, "length")},
                                          {JSON_FIELD(struct path_state, distance, "distance")},
                                          {JSON_FIELD(struct path_state, result.hops, "hops")},
                                          {JSON_FIELD(struct path_state, result.visited, "visited")},
                                          {JSON_FIELD(struct path_state, result.arcs, "arcs")}};

const struct algorithm algorithm_path = {
    .command.name = "path",
    .command.about = "One shortest path between two vertices, by weights or hops",
    ALGORITHM_STATE(struct path_state),
    .sources = true,
    .source = offsetof(struct path_state, source),
    .weights = true,
    .fetch_ms = offsetof(struct path_state, fetch_ms),
    .open = open,
    .check = check,
    .draws = draws,
    .reverse = reverse,
    .run = run,
    .verify = verify,
    .clear = clear,
    .found = JSON_TABLE(found),
    .finding = "path      of {length} vertices, distance {distance}; visited {visited}, read {arcs} arcs\n",
    .columns = columns,
};

/* SPDX-License-Identifier: MIT */
/* graphws cc: connected components. */
#include <math.h>
#include <stdlib.h>

#include "algorithm.h"

struct components_state {
    int strong;
    struct gws_components_device *device;  /* NULL: threads or several devices */
    struct gws_components_devices *parted; /* NULL: threads or one device */
    struct gws_components_result result;
    struct gws_rank_components_result of_rank; /* under mpirun; result has its counts */
    uint32_t *name;                            /* the ranking: the name of each component, and its size */
    int64_t *size;
};

static const struct components_state initial = {.strong = 0};

static const struct option_row row[] = {
    {FLAG("strong", offsetof(struct components_state, strong), 1,
          "find strong components: vertices that reach each other along arcs")},
};
static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0}};

static struct gws_components_options options_of(const struct components_state *state)
{
    return (struct gws_components_options){.strong = state->strong};
}

static bool reverse(const void *state)
{
    return ((const struct components_state *)state)->strong;
}

static gws_status open_parted(struct components_state *of, const struct algorithm_input *input,
                              struct gws_diagnostic *where)
{
    if (of->strong)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0, "--strong requires one device, not several");
    return gws_components_devices_open(input->runtime, input->device, input->devices, input->graph, &of->parted, where);
}

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct components_state *of = state;
    if (input->devices > 1) return open_parted(of, input, where);
    if (!input->on_device) return GWS_OK;
    return of->strong ? gws_components_device_open_strong(input->on_device, &of->device, where)
                      : gws_components_device_open(input->on_device, &of->device, where);
}

static gws_status run_parted(struct components_state *of, struct gws_diagnostic *where)
{
    gws_status status = gws_components_devices_run(of->parted, &of->result, where);
    return status == GWS_OK ? gws_components_devices_fetch(of->parted, &of->result, where) : status;
}

static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct components_state *of = state;
    struct gws_components_options options = options_of(of);
    if (of->parted) return run_parted(of, where);
    if (!of->device) return gws_components(input->runtime, input->graph, &options, &of->result);
    gws_status status = gws_components_device_run(of->device, &of->result, where);
    return status == GWS_OK ? gws_components_device_fetch(of->device, &of->result, where) : status;
}

static gws_status rank_run(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where)
{
    struct components_state *of = state;
    if (of->strong)
        return gws_diagnostic_set(where, GWS_UNSUPPORTED, NULL, 0, 0,
                                  "--strong requires one process, not several ranks");
    gws_status status = gws_rank_components(input->runtime, input->graph, &of->of_rank, where);
    of->result.components = of->of_rank.components;
    of->result.largest = of->of_rank.largest;
    of->result.ms = of->of_rank.ms;
    return status;
}

static gws_status rank_verify(void *state, const struct algorithm_rank_input *input, struct gws_diagnostic *where)
{
    struct components_state *of = state;
    return gws_rank_components_check(input->runtime, input->graph, &of->of_rank, where);
}

static uint32_t rank_columns(const void *state, struct rank_column *column)
{
    const struct components_state *of = state;
    column[0] = (struct rank_column){{.name = "vertex", .kind = GWS_COLUMN_ID}, 0};
    column[1] = (struct rank_column){{.name = "component", .kind = GWS_COLUMN_VERTEX, .data = of->of_rank.component},
                                     sizeof(uint32_t)};
    return 2;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct components_state *of = state;
    struct gws_components_options options = options_of(of);
    return gws_components_check(input->runtime, input->graph, &options, &of->result, where);
}

static struct algorithm_part part(const void *state, uint32_t device)
{
    const struct components_state *of = state;
    struct gws_components_devices_part found;
    gws_components_devices_describe(of->parted, device, &found);
    return (struct algorithm_part){.vertices = found.vertices,
                                   .arcs = found.arcs,
                                   .bytes = found.bytes,
                                   .sent_bytes = found.sent_bytes,
                                   .upload_ms = found.upload_ms,
                                   .idle = NAN};
}

static void clear(void *state)
{
    struct components_state *of = state;
    gws_components_devices_close(of->parted);
    gws_components_device_close(of->device);
    gws_components_result_clear(&of->result);
    gws_rank_components_result_clear(&of->of_rank);
    free(of->name);
    free(of->size);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct components_state *of = state;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_ID};
    table->column[1] =
        (struct gws_column){.name = "component", .kind = GWS_COLUMN_VERTEX, .data = of->result.component};
    table->table.columns = 2;
}

/* Makes the ranking: the components by size. */
static gws_status ranking(void *state, const struct algorithm_input *input, struct algorithm_table *table)
{
    struct components_state *of = state;
    const uint32_t *component = of->result.component;
    const uint64_t vertices = input->graph->vertices;
    uint64_t rows = 0;
    of->name = malloc((of->result.components + 1) * sizeof *of->name);
    of->size = calloc(of->result.components + 1, sizeof *of->size);
    uint32_t *row = malloc((vertices + 1) * sizeof *row);
    const bool has_memory = of->name && of->size && row;
    for (uint64_t v = 0; v < vertices && has_memory; v++) {
        if (component[v] == v) of->name[row[v] = (uint32_t)rows++] = (uint32_t)v;
        of->size[row[component[v]]]++;
    }
    free(row);
    table->column[0] = (struct gws_column){.name = "component", .kind = GWS_COLUMN_VERTEX, .data = of->name};
    table->column[1] = (struct gws_column){.name = "vertices", .kind = GWS_COLUMN_I64, .data = of->size};
    table->table.columns = 2;
    table->table.rows = rows;
    return has_memory ? GWS_OK : GWS_NO_MEMORY;
}

#define MEMBER(name, key) JSON_FIELD(struct components_state, result.name, key)
static const struct json_field found[] = {{MEMBER(components, "components")}, {MEMBER(largest, "largest")}};

const struct algorithm algorithm_components = {
    .command.name = "cc",
    .command.about = "Connected components, weak or strong",
    ALGORITHM_STATE(struct components_state),
    .fetch_ms = offsetof(struct components_state, result.fetch_ms),
    .reverse = reverse,
    .open = open,
    .run = run,
    .rank_run = rank_run,
    .rank_verify = rank_verify,
    .rank_columns = rank_columns,
    .rank_reverse = true,
    .verify = verify,
    .part = part,
    .parting = PARTING_COMPONENTS,
    .clear = clear,
    .found = JSON_TABLE(found),
    .finding = "found     {components} component{s}, the largest of {largest} vertices\n",
    .columns = columns,
    .ranking = ranking,
};

/* SPDX-License-Identifier: MIT */
/* graphws kcore: coreness. */
#include "algorithm.h"

struct kcore_state {
    struct gws_cores_device *device; /* NULL: threads */
    struct gws_cores_result result;
};

static const struct kcore_state initial = {.device = NULL};
static const struct subcommand_rows group[] = {{NULL, 0, 0}};

static gws_status open(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct kcore_state *of = state;
    return input->on_device ? gws_cores_device_open(input->on_device, &of->device, where) : GWS_OK;
}

static gws_status run(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    struct kcore_state *of = state;
    if (!of->device) return gws_cores(input->runtime, input->graph, &of->result);
    gws_status status = gws_cores_device_run(of->device, &of->result, where);
    return status == GWS_OK ? gws_cores_device_fetch(of->device, &of->result, where) : status;
}

static gws_status verify(void *state, const struct algorithm_input *input, struct gws_diagnostic *where)
{
    const struct kcore_state *of = state;
    return gws_cores_check(input->runtime, input->graph, &of->result, where);
}

static void clear(void *state)
{
    struct kcore_state *of = state;
    gws_cores_device_close(of->device);
    gws_cores_result_clear(&of->result);
}

static void columns(const void *state, struct algorithm_table *table)
{
    const struct kcore_state *of = state;
    table->column[0] = (struct gws_column){.name = "vertex", .kind = GWS_COLUMN_ID};
    table->column[1] = (struct gws_column){.name = "core", .kind = GWS_COLUMN_U32, .data = of->result.core};
    table->table.columns = 2;
}

#define MEMBER(name) JSON_FIELD(struct kcore_state, result.name, #name)
static const struct json_field found[] = {{MEMBER(max_core)}, {MEMBER(rounds)}};

const struct algorithm algorithm_kcore = {
    .command.name = "kcore",
    .command.about = "Coreness of every vertex",
    ALGORITHM_STATE(struct kcore_state),
    .prepare_ms = offsetof(struct kcore_state, result.prepare_ms),
    .fetch_ms = offsetof(struct kcore_state, result.fetch_ms),
    .open = open,
    .run = run,
    .verify = verify,
    .clear = clear,
    .found = JSON_TABLE(found),
    .finding = "found     a largest coreness of {max_core}, in {rounds} round{s}\n",
    .columns = columns,
};

/* SPDX-License-Identifier: MIT */
/* gtask quicksort: sorts keys; each part of the array is a task (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section
 * 4). */
#include <string.h>

#include "../../lib/parallel.h"
#include "../../workloads/quicksort.h"
#include "../common/console.h"
#include "task_sides.h"

struct quicksort_state {
    uint64_t count, cutoff;
    const char *order_name;
    enum gws_quicksort_order order;
    uint64_t *keys, sum; /* the keys of the last run, and their checksum before it */
    uint64_t seed;
    struct gws_quicksort_result result;
    struct task_sides sides;                /* the CPU or one device */
    struct gws_quicksort_device *on_device; /* NULL: the CPU */
};

#define FIELD(name) offsetof(struct quicksort_state, name)

static const struct option_row row[] = {
    {NUMBER("keys", "N", FIELD(count), 0, (UINT64_C(1) << 48) - 1, "sort N keys of 64 bits (default: 10000000)")},
    {TEXT("order", "NAME|help", FIELD(order_name), "begin with the keys in this order (default: random)")},
    {NUMBER("cutoff", "N", FIELD(cutoff), 1, UINT64_MAX,
            "sort parts of at most N keys in one task\n(default: 2048, on a device 64)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0},
                                               TASK_SIDES_GROUPS(struct quicksort_state, task_side_row)};

static const struct quicksort_state initial = {.count = 10000000, .order_name = "random"};

static int check_order(struct quicksort_state *state)
{
    const char *name;
    bool help = strcmp(state->order_name, "help") == 0;
    for (uint32_t i = 0; (name = gws_quicksort_order_at(i)); i++) {
        if (help) printf("%s\n", name);
        if (strcmp(name, state->order_name) != 0) continue;
        state->order = (enum gws_quicksort_order)i;
        return -1;
    }
    if (help) return console_finish();
    return console_usage("--order: unknown order '%s'; --order help lists them", state->order_name);
}

static int check(void *context)
{
    struct quicksort_state *state = context;
    int status = check_order(state);
    return status < 0 ? task_sides_check_one(&state->sides, NULL) : status;
}

/* Always true: the pivots are random for keys in any order. */
static bool draws(const void *context)
{
    (void)context;
    return true;
}

/* ---- the device ---- */

static const char *device(const void *context, bool *cpu)
{
    return task_sides_address(&((const struct quicksort_state *)context)->sides, cpu);
}

static int open(void *context, struct gws_runtime *runtime)
{
    struct quicksort_state *state = context;
    struct gws_diagnostic where = {0};
    int failure = task_sides_open(&state->sides, runtime);
    if (state->cutoff == 0)
        state->cutoff = state->sides.devices > 0 ? GWS_QUICKSORT_DEVICE_CUTOFF : GWS_QUICKSORT_CUTOFF;
    if (failure >= 0 || state->sides.devices == 0) return failure;
    const struct gws_device_tasks_options options = task_sides_options(&state->sides);
    gws_status status = gws_quicksort_device_open(runtime, state->sides.device[0], &options, &state->on_device, &where);
    return task_sides_opened(status, &where);
}

/* ---- running ---- */

static gws_status prepare(void *context, struct gws_runtime *runtime, uint64_t seed, struct gws_diagnostic *where)
{
    struct quicksort_state *state = context;
    (void)where;
    if (!state->keys) state->keys = gws_allocate(runtime, state->count, sizeof *state->keys);
    if (!state->keys) return GWS_NO_MEMORY;
    state->seed = seed;
    gws_quicksort_fill(runtime, state->order, seed, state->keys, state->count);
    state->sum = gws_quicksort_sum(runtime, state->keys, state->count);
    return GWS_OK;
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct quicksort_state *state = context;
    struct gws_quicksort_options options = {.cutoff = state->cutoff, .seed = state->seed};
    if (!state->on_device) return gws_quicksort(runtime, state->keys, state->count, &options, &state->result);
    return gws_quicksort_on_device(state->on_device, state->keys, state->count, &options, &state->result,
                                   &state->sides.found[0].device, where);
}

static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    const struct quicksort_state *state = context;
    return gws_quicksort_check(runtime, state->keys, state->count, state->sum, where);
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct quicksort_state *state = context;
    gws_release(runtime, state->keys, state->count, sizeof *state->keys);
    state->keys = NULL;
    gws_quicksort_device_close(state->on_device);
    task_sides_close(&state->sides);
}

/* ---- output ---- */

static void print(const void *context, FILE *out)
{
    task_sides_print(&((const struct quicksort_state *)context)->sides, out);
}

static void table(const void *context, FILE *out)
{
    task_sides_table(&((const struct quicksort_state *)context)->sides, out);
}

static void result_json(const void *context, struct json *json)
{
    task_sides_json(&((const struct quicksort_state *)context)->sides, json);
}

#define MEMBER(name, key) JSON_FIELD(struct quicksort_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(count, "keys")}, {MEMBER(order_name, "order")}, {MEMBER(cutoff, "cutoff")}};

static const struct json_field found[] = {
    {MEMBER(result.tasks, "parts")}, {MEMBER(result.splits, "splits")}, {MEMBER(result.depth, "depth")}};

const struct workload workload_quicksort = {
    .command.name = "quicksort",
    .command.about = "Quicksort, with a task for each part of any size (Rudolph, Slivkin-Allalouf, Upfal)",
    WORKLOAD_STATE(struct quicksort_state),
    .check = check,
    .draws = draws,
    .device = device,
    .open = open,
    .prepare = prepare,
    .run = run,
    .verify = verify,
    .end = end,
    .print = print,
    .table = table,
    .result_json = result_json,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .description = "{keys} keys, {order}, cutoff {cutoff}",
    .finding = "parts     {parts}, of which {splits} were divided, depth {depth}\n",
    .unit = "keys",
    .units = offsetof(struct quicksort_state, count),
};

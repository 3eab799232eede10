/* SPDX-License-Identifier: MIT */
/* gtask quicksort: sorts keys; each part of the array is a task (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section
 * 4). */
#include <inttypes.h>
#include <string.h>

#include "../../lib/parallel.h"
#include "../../lib/poison.h"
#include "../../workloads/quicksort.h"
#include "../common/console.h"
#include "quicksort_report.h"

struct quicksort_state {
    struct task_sides sides; /* must be first */
    uint64_t count, cutoff;  /* of all keys */
    uint64_t first, own;     /* the keys that this process begins with */
    const char *order_name;
    enum gws_quicksort_order order;
    uint64_t *keys, sum;                /* the keys of the last run, and the checksum of all before it */
    struct gws_quicksort_parted sorted; /* on several ranks: the sorted keys of the last run */
    uint64_t largest;                   /* and the keys of the rank with the most of them */
    uint64_t seed;
    struct gws_quicksort_result result;
    struct gws_quicksort_device *on_device[DEVICE_CHOICES_MAX];
    struct gws_quicksort_side_result found[DEVICE_CHOICES_MAX + 1]; /* of the last run on several sides */
};

#define FIELD(name) offsetof(struct quicksort_state, name)

static const struct option_row row[] = {
    {NUMBER("keys", "N", FIELD(count), 0, (UINT64_C(1) << 48) - 1, "sort N keys of 64 bits (default: 10000000)")},
    {TEXT("order", "NAME|help", FIELD(order_name), "begin with the keys in this order (default: random)")},
    {NUMBER("cutoff", "N", FIELD(cutoff), 1, UINT64_MAX,
            "sort parts of at most N keys in one task\n(default: 2048, on a device 64)")},
};

static const struct subcommand_rows group[] = {{row, sizeof row / sizeof *row, 0},
                                               TASK_SIDES_GROUPS(struct quicksort_state)};

static const struct quicksort_state initial = {.count = 10000000, .order_name = "random", .sides.threaded = true};

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
    return status < 0 ? task_sides_check(&state->sides, NULL) : status;
}

/* Always true: the pivots are random for keys in any order. */
static bool draws(const void *context)
{
    (void)context;
    return true;
}

/* ---- the device ---- */

/* The cut-off of several sides is each side's own, unless it is given. */
static void choose_cutoff(struct quicksort_state *state)
{
    const bool both = state->sides.workers && state->sides.devices > 0;
    if (state->cutoff == 0 && !both)
        state->cutoff = state->sides.devices > 0 ? GWS_QUICKSORT_DEVICE_CUTOFF : GWS_QUICKSORT_CUTOFF;
}

static int open(void *context, struct gws_runtime *runtime)
{
    struct quicksort_state *state = context;
    struct task_sides *sides = &state->sides;
    struct gws_diagnostic where = {0};
    int failure = task_sides_open(sides, runtime);
    if (failure >= 0) return failure;
    choose_cutoff(state);
    const struct gws_device_tasks_options options = task_sides_options(sides);
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < sides->devices && status == GWS_OK; i++)
        status = gws_quicksort_device_open(sides->runtime[i] ? sides->runtime[i] : runtime, sides->device[i], &options,
                                           &state->on_device[i], &where);
    return task_sides_opened(status, &where);
}

/* ---- running ---- */

static struct gws_transport *transport_of(const struct quicksort_state *state)
{
    return state->sides.ranks ? state->sides.ranks->transport : NULL;
}

/* Returns the first key of a rank. */
static uint64_t begin_of(const struct quicksort_state *state, uint64_t rank)
{
    const uint64_t ranks = gws_transport_ranks(transport_of(state)), larger = state->count % ranks;
    return state->count / ranks * rank + (rank < larger ? rank : larger);
}

/* Overwrites what ranks have of the run before. */
static gws_status poison(void *context, struct gws_diagnostic *where)
{
    const struct quicksort_state *state = context;
    (void)where;
    gws_memory_poison(state->sorted.keys, state->sorted.count * sizeof *state->keys);
    if (!state->sides.ranks || state->sides.devices == 0) return GWS_OK;
    uint64_t *shared = gws_transport_scratch(transport_of(state), state->count);
    if (shared) gws_memory_poison(shared + state->first, state->own * sizeof *shared);
    return GWS_OK;
}

static gws_status prepare(void *context, struct gws_runtime *runtime, uint64_t seed, struct gws_diagnostic *where)
{
    struct quicksort_state *state = context;
    struct gws_transport *transport = transport_of(state);
    state->first = begin_of(state, gws_transport_rank(transport));
    state->own = begin_of(state, gws_transport_rank(transport) + UINT64_C(1)) - state->first;
    if (!state->keys) state->keys = gws_allocate(runtime, state->own, sizeof *state->keys);
    gws_status status = gws_transport_agree_on(transport, state->keys ? GWS_OK : GWS_NO_MEMORY, where);
    if (status != GWS_OK) return status;
    state->seed = seed;
    gws_quicksort_fill_part(runtime, state->order, seed, state->keys, state->first, state->own, state->count);
    state->sum = gws_quicksort_sum(runtime, state->keys, state->own);
    gws_transport_sum(transport, &state->sum, 1);
    return GWS_OK;
}

static struct gws_quicksort_sides sides_of(struct quicksort_state *state)
{
    return (struct gws_quicksort_sides){state->on_device, state->sides.devices, state->sides.workers, state->found};
}

static gws_status run_ranks(struct quicksort_state *state, struct gws_runtime *runtime,
                            const struct gws_quicksort_options *options, struct gws_diagnostic *where)
{
    const struct gws_quicksort_sides sides = sides_of(state);
    struct gws_quicksort_options own = *options;
    own.sides = &sides;
    gws_status status = gws_quicksort_on_ranks(runtime, state->sides.ranks, state->keys, state->own, &own,
                                               &state->result, &state->sorted, where);
    state->sides.found[0].created = state->found[0].tree.tasks;
    state->largest = state->sorted.count;
    gws_transport_max(transport_of(state), &state->largest, 1);
    return status;
}

static gws_status run_sides(struct quicksort_state *state, struct gws_runtime *runtime,
                            const struct gws_quicksort_options *options, struct gws_diagnostic *where)
{
    const struct gws_quicksort_sides sides = sides_of(state);
    gws_status status =
        gws_quicksort_on_sides(runtime, &sides, state->keys, state->count, options, &state->result, where);
    for (uint32_t i = 0; i < sides.devices; i++) state->sides.found[i].device = state->found[i].device;
    return status;
}

static gws_status run(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    struct quicksort_state *state = context;
    const struct gws_quicksort_options options = {.cutoff = state->cutoff, .seed = state->seed};
    if (state->sides.ranks) return run_ranks(state, runtime, &options, where);
    state->largest = state->count;
    if (state->sides.devices == 0) return gws_quicksort(runtime, state->keys, state->count, &options, &state->result);
    if (task_sides_count(&state->sides) > 1) return run_sides(state, runtime, &options, where);
    return gws_quicksort_on_device(state->on_device[0], state->keys, state->count, &options, &state->result,
                                   &state->sides.found[0].device, where);
}

static gws_status verify(void *context, struct gws_runtime *runtime, struct gws_diagnostic *where)
{
    const struct quicksort_state *state = context;
    if (state->sides.ranks)
        return gws_quicksort_check_parted(runtime, transport_of(state), &state->sorted, state->sum, where);
    return gws_quicksort_check(runtime, state->keys, state->count, state->sum, where);
}

static void end(void *context, struct gws_runtime *runtime)
{
    struct quicksort_state *state = context;
    gws_quicksort_parted_free(transport_of(state), &state->sorted);
    gws_release(runtime, state->keys, state->own, sizeof *state->keys);
    state->keys = NULL;
    for (uint32_t i = 0; i < DEVICE_CHOICES_MAX; i++) gws_quicksort_device_close(state->on_device[i]);
    task_sides_close(&state->sides);
}

/* ---- output ---- */

static void describe(const void *context, FILE *out)
{
    const uint64_t cutoff = ((const struct quicksort_state *)context)->cutoff;
    if (cutoff > 0)
        fprintf(out, ", cutoff %" PRIu64, cutoff);
    else
        fprintf(out, ", cutoff %d, on devices %d", GWS_QUICKSORT_CUTOFF, GWS_QUICKSORT_DEVICE_CUTOFF);
}

static void print(const void *context, FILE *out)
{
    const struct quicksort_state *state = context;
    const uint64_t ranks = gws_transport_ranks(transport_of(state));
    char keys[CONSOLE_NUMBER], bytes[CONSOLE_NUMBER];
    if (ranks > 1)
        fprintf(out, "parted    at most %s keys on a rank, %.3f times the mean, in %s of memory\n",
                console_count(state->largest, keys),
                state->count > 0 ? (double)state->largest * (double)ranks / (double)state->count : 1,
                console_bytes((state->count / ranks + state->largest) * sizeof *state->keys, bytes));
    else
        quicksort_report_print(&state->sides, state->found, out);
}

static void table(const void *context, FILE *out)
{
    const struct quicksort_state *state = context;
    if (!state->sides.ranks) quicksort_report_table(&state->sides, state->found, out);
}

static void result_json(const void *context, struct json *json)
{
    const struct quicksort_state *state = context;
    quicksort_report_json(&state->sides, state->found, json);
}

#define MEMBER(name, key) JSON_FIELD(struct quicksort_state, name, key)
static const struct json_field parameter[] = {
    {MEMBER(count, "keys")}, {MEMBER(order_name, "order")}, {MEMBER(cutoff, "cutoff")}};

static const struct json_field found[] = {{MEMBER(result.tasks, "parts")},
                                          {MEMBER(result.splits, "splits")},
                                          {MEMBER(result.depth, "depth")},
                                          {MEMBER(largest, "largest_part")}};

const struct workload workload_quicksort = {
    .command.name = "quicksort",
    .command.about = "Quicksort, with a task for each part of any size (Rudolph, Slivkin-Allalouf, Upfal)",
    WORKLOAD_STATE(struct quicksort_state),
    .check = check,
    .draws = draws,
    .device = task_sides_address,
    .open = open,
    .use_ranks = task_sides_use_ranks,
    .add_device = task_sides_add_device,
    .is_parted = true,
    .has_no_queues = true,
    .poison = poison,
    .prepare = prepare,
    .run = run,
    .verify = verify,
    .end = end,
    .print = print,
    .table = table,
    .result_json = result_json,
    .parameter = JSON_TABLE(parameter),
    .found = JSON_TABLE(found),
    .describe = describe,
    .description = "{keys} keys, {order}",
    .finding = "parts     {parts}, of which {splits} were divided, depth {depth}\n",
    .unit = "keys",
    .units = offsetof(struct quicksort_state, count),
};

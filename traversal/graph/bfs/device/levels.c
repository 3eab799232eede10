/* SPDX-License-Identifier: MIT */
/* Searches on the device alone with a launch per level (kernels/bfs/bfs_device_only.cl). The host enqueues several
 * levels ahead and reads the progress in one small read. */
#include "state.h"

enum {
    records = 16384, /* max levels between two reads by the host */
    first_ahead = 5, /* rounds of kernels before the first read, enough to search a small-world graph */
    max_ahead = 32,
    /* One group alone runs a level with fewer tasks, or arcs, per item. */
    tasks_an_item = 4,
    arcs_an_item = 32,
    min_tasks = 128, /* one group always runs levels smaller than these */
    min_arcs = 1024,
};

struct per_level {
    struct gws_device_buffer *record;
    uint64_t recorded[records];
};

static struct gws__bfs_plan plan_of(const struct gws_bfs_device *search)
{
    const struct gws_bfs_device_options *options = &search->options;
    struct gws__bfs_plan plan = {
        .threshold = options->threshold < UINT32_MAX ? (uint32_t)options->threshold : UINT32_MAX,
        .arcs = UINT32_MAX,
        .chunk = options->chunk,
        .direction = options->direction == GWS_BFS_AUTO && !search->in ? GWS_BFS_TOP_DOWN : options->direction,
        .groups = options->groups,
        .steals = gws__bfs_steals(search, GWS_BFS_STEAL_GPU),
        .vertices = (uint32_t)search->graph->vertices,
        .records = records,
    };
    if (options->threshold == 0) {
        uint32_t tasks = tasks_an_item * options->group_size, arcs = arcs_an_item * options->group_size;
        plan.threshold = tasks > min_tasks ? tasks : min_tasks;
        plan.arcs = arcs > min_arcs ? arcs : min_arcs;
    }
    return plan;
}

/* ---- opening ---- */

static gws_status open_per_level(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct per_level *per_level = gws_allocate(search->runtime, 1, sizeof *per_level);
    if (!per_level) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    per_level->record = NULL;
    search->own = per_level;
    gws_status status = gws__bfs_device_program(search, NULL, "", where);
    if (status == GWS_OK) status = gws__bfs_device_graph(search, where);
    if (status == GWS_OK) status = gws__bfs_device_arrays(search, NULL, where);
    if (status == GWS_OK)
        status = gws_device_buffer_new(search->device, sizeof per_level->recorded, &per_level->record, where);
    return status;
}

static void close_per_level(struct gws_bfs_device *search)
{
    struct per_level *per_level = search->own;
    if (!per_level) return;
    gws_device_buffer_free(per_level->record);
    gws_release(search->runtime, per_level, 1, sizeof *per_level);
}

/* ---- running ---- */

static gws_status begin(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    const uint32_t vertices = (uint32_t)search->graph->vertices;
    const struct gws_device_argument extra[] = {{.value = &search->result->source, .bytes = 4},
                                                {.value = &vertices, .bytes = sizeof vertices},
                                                {.value = &search->graph->arcs, .bytes = 8}};
    const struct gws_device_launch launch = {
        .kernel = "bfs_begin", .groups = search->options.groups, .argument = extra, .arguments = 3};
    return gws__bfs_device_launch(search, launch, where);
}

/* Returns true if the device's compiler is suitable for a kernel that runs a whole level. PoCL takes minutes to
 * compile such a kernel if it has barriers. */
static bool takes_whole_levels(const struct gws_bfs_device *search)
{
    return gws_device_describe(search->device)->type != GWS_DEVICE_CPU || search->options.group_size == 1;
}

/* Enqueues rounds of kernels. A kernel without work ends at once. first: the device has not planned a level yet. */
static gws_status enqueue_rounds(struct gws_bfs_device *search, const struct gws__bfs_plan *plan, uint32_t rounds,
                                 bool first, struct gws_diagnostic *where)
{
    const bool whole = takes_whole_levels(search);
    const struct gws_device_argument extra[] = {{.buffer = ((struct per_level *)search->own)->record},
                                                {.value = plan, .bytes = sizeof *plan}};
    const struct gws_device_launch launch[] = {
        {.kernel = "bfs_plan", .groups = 1, .argument = extra, .arguments = 2},
        {.kernel = "bfs_level", .groups = plan->groups, .argument = extra, .arguments = 2},
        {.kernel = "bfs_top_down", .groups = plan->groups},
        {.kernel = "bfs_bottom_up", .groups = plan->groups}};
    gws_status status = GWS_OK;
    for (uint32_t round = 0; round < rounds; round++) {
        const bool used[] = {!whole || (first && round == 0), whole, !whole && plan->direction != GWS_BFS_BOTTOM_UP,
                             !whole && plan->direction != GWS_BFS_TOP_DOWN};
        for (size_t i = 0; i < sizeof used / sizeof *used && status == GWS_OK; i++)
            if (used[i]) status = gws__bfs_device_launch(search, launch[i], where);
    }
    return status;
}

/* Reads the records of levels. Empties the list of records if it is full. */
static gws_status fetch_records(struct gws_bfs_device *search, uint32_t *control, struct gws_diagnostic *where)
{
    struct per_level *per_level = search->own;
    uint32_t count = control[CONTROL_RECORDS];
    gws_status status =
        gws_device_read(per_level->record, 0, per_level->recorded, count * sizeof *per_level->recorded, where);
    for (uint32_t i = 0; i < count && status == GWS_OK; i++)
        status = gws__bfs_level_add(search->result, gws__bfs_whole.level(search, &per_level->recorded[i]), where);
    const uint32_t none[2] = {0, 0}; /* two adjacent words: STATE_READY, and the number of records */
    if (status == GWS_OK && control[CONTROL_STATE] == STATE_FULL)
        status =
            gws_device_write(search->array[gws__bfs_control], CONTROL_STATE * sizeof *none, none, sizeof none, where);
    return status;
}

/* Runs levels until the frontier is empty. */
static gws_status run_levels(struct gws_bfs_device *search, uint32_t *control, struct gws_diagnostic *where)
{
    struct gws__bfs_plan plan = plan_of(search);
    gws_status status = begin(search, where);
    uint32_t ahead = first_ahead;
    bool first = true;
    control[CONTROL_STATE] = 0;
    while (status == GWS_OK && control[CONTROL_STATE] != STATE_ENDED) {
        status = enqueue_rounds(search, &plan, ahead, first, where);
        if (status == GWS_OK)
            status = gws_device_read(search->array[gws__bfs_control], 0, control, CONTROL_WORDS * 4, where);
        first = control[CONTROL_STATE] == STATE_FULL;
        if (status == GWS_OK && first) status = fetch_records(search, control, where);
        ahead = ahead * 2 < max_ahead ? ahead * 2 : max_ahead;
    }
    return status;
}

static gws_status run_per_level(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    struct gws_bfs_result *result = search->result;
    uint32_t control[CONTROL_WORDS];
    uint64_t sums[SUM_WORDS];
    double began = gws_clock_ms();
    gws_status status = run_levels(search, control, where);
    result->ms = gws_clock_ms() - began;
    if (status == GWS_OK) status = fetch_records(search, control, where);
    if (status == GWS_OK) status = gws_device_read(search->array[gws__bfs_sums], 0, sums, sizeof sums, where);
    if (status != GWS_OK) return status;
    result->reached = control[CONTROL_TAIL];
    result->reached_arcs = search->graph->arcs - sums[SUM_UNEXPLORED];
    return GWS_OK;
}

static gws_status fetch_stats(struct gws_bfs_device *search, struct gws_diagnostic *where)
{
    return gws_device_read(search->array[gws__bfs_stats], 0, search->ran,
                           search->workers * STATS_STRIDE * sizeof *search->ran, where);
}

const struct gws__bfs_strategy gws__bfs_device_per_level = {
    .form = GWS_BFS_FORM_DEVICE_PER_LEVEL,
    .on_device = true,
    .open = open_per_level,
    .close = close_per_level,
    .run = run_per_level,
    .fetch = fetch_stats,
};

/* SPDX-License-Identifier: MIT */
/* Four-in-a-row on devices (kernels/task/connect_four.cl), and on the CPU's workers beside them. Each side writes
 * values to a table of its own, with an entry for each sequence of moves. A sequence has one writer, except on the last
 * level, whose entries only increase. So the largest entries of all tables are those of one table. The host's workers
 * compute the values of the levels above the last one, from below. */
#include "../lib/tasks.h"

#include "../kernels/task/connect_four_words.h"
#define TASK_SOURCE "connect_four.cl"
#include "../kernels/task/workers.h"
#include "connect_four.h"
#include "connect_four_nodes.h"
#include "connect_four_roots.h"
#include "sides.h"

enum { columns = GWS_CONNECT_FOUR_COLUMNS, grain = 1024, merged = 1 << 20, default_batch = 8 };

struct gws_connect_four_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_tasks *tasks;
    bool is_static;
};

/* One search. entry: the workers' table, and in the end that of all sides. */
struct table_search {
    struct gws__sides sides;
    struct gws_connect_four_device *const *search;
    struct task_thread *thread;   /* of the workers, if they are a side */
    uint32_t batch;               /* positions that a worker takes at once */
    uint32_t word[CONNECT_WORDS]; /* the parameters */
    uint64_t entries;
    uint32_t *entry;
    uint32_t level; /* the level whose values the loop computes */
    /* Up to `merged` entries of a device's table, which are compared with those from `first` on. */
    uint32_t *part;
    uint64_t first;
    struct connect_roots roots;
};

/* ---- opening ---- */

static gws_status connect_four_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                           const struct gws_device_tasks_options *options,
                                           struct gws_connect_four_device **search, struct gws_diagnostic *where)
{
    struct gws_device_source source;
    struct gws_device_tasks_options all = *options;
    struct gws_connect_four_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_connect_four_device){.runtime = runtime, .device = device, .is_static = options->is_static};
    (void)gws_device_tasks_program("connect_four", &source);
    all.length = CONNECT_LENGTH;
    gws_status status = gws_device_tasks_open(runtime, device, &source, &all, &made->tasks, where);
    if (status == GWS_OK)
        *search = made;
    else
        gws_connect_four_device_close(made);
    return status;
}

gws_status gws_connect_four_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                        const struct gws_device_tasks_options *options,
                                        struct gws_connect_four_device **search, struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, connect_four_device_open(runtime, device, options, search, where));
}

void gws_connect_four_device_close(struct gws_connect_four_device *search)
{
    if (!search) return;
    gws_device_tasks_close(search->tasks);
    gws_release(search->runtime, search, 1, sizeof *search);
}

/* ---- values of the upper levels ---- */

static void compute_values(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct table_search *table = context;
    uint32_t *here = table->entry + table->word[CONNECT_OFFSET + table->level];
    const uint32_t *below = table->entry + table->word[CONNECT_OFFSET + table->level + 1];
    const uint32_t last = table->word[CONNECT_TABLE];
    const bool highest = table->level % 2 == 0, negative = table->level + 1 == last && last % 2 > 0;
    (void)worker;
    for (uint64_t p = begin; p < end; p++) {
        uint32_t best = 0;
        for (uint64_t c = p * columns; c < (p + 1) * columns; c++) {
            const uint32_t value = negative ? 0 - below[c] : below[c];
            if (value != 0 && (best == 0 || (value > best) == highest)) best = value;
        }
        if (here[p] == 0) here[p] = best; /* otherwise the game was over */
    }
}

/* ---- the search ---- */

static void make_table(struct table_search *table, uint32_t ahead)
{
    uint64_t count = columns;
    table->word[CONNECT_AHEAD] = ahead;
    table->word[CONNECT_TABLE] = ahead > 3 ? ahead - 2 : 1;
    for (uint32_t level = 1; level <= table->word[CONNECT_TABLE]; level++, count *= columns) {
        table->word[CONNECT_OFFSET + level] = (uint32_t)table->entries;
        table->entries += count;
    }
}

/* Makes an empty table on each device. */
static gws_status upload(struct table_search *table, struct gws_diagnostic *where)
{
    const uint64_t bytes = table->entries * sizeof *table->entry;
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < table->sides.devices && status == GWS_OK; i++) {
        struct gws_device_task_side *side = &table->sides.side[i];
        struct gws_device *device = table->search[i]->device;
        side->tasks = table->search[i]->tasks;
        status = gws_device_buffer_new(device, bytes, &side->data, where);
        if (status == GWS_OK) status = gws_device_buffer_new(device, sizeof table->word, &side->more, where);
        if (status == GWS_OK) status = gws_device_fill(side->data, 0, 0, table->entries, where);
        if (status == GWS_OK) status = gws_device_write(side->more, 0, table->word, sizeof table->word, where);
    }
    return status;
}

/* Prepares the side of the workers. */
static gws_status open_workers(struct table_search *table, struct gws_diagnostic *where)
{
    struct gws__sides *sides = &table->sides;
    const uint32_t workers = gws_runtime_workers(sides->runtime);
    if (!sides->workers) return GWS_OK;
    table->thread = gws_allocate(sides->runtime, workers, sizeof *table->thread);
    if (!table->thread) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    memset(table->thread, 0, workers * sizeof *table->thread);
    for (uint32_t w = 0; w < workers; w++) {
        table->thread[w].state.data = table->entry;
        table->thread[w].state.more = table->word;
    }
    sides->side[sides->devices] =
        (struct gws_device_task_side){.run = task_run_on_worker, .context = table->thread, .batch = table->batch};
    return GWS_OK;
}

static void clear_entries(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct table_search *table = context;
    (void)worker;
    memset(table->entry + begin, 0, (end - begin) * sizeof *table->entry);
}

static void raise_entries(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct table_search *table = context;
    uint32_t *entry = table->entry + table->first;
    (void)worker;
    for (uint64_t i = begin; i < end; i++)
        if (entry[i] < table->part[i]) entry[i] = table->part[i];
}

/* Raises the entries to those of a device's table. */
static gws_status merge(struct table_search *table, struct gws_device_buffer *data, struct gws_diagnostic *where)
{
    const uint64_t size = sizeof *table->part;
    for (table->first = 0; table->first < table->entries; table->first += merged) {
        const uint64_t left = table->entries - table->first, count = left < merged ? left : merged;
        gws_status status = gws_device_read(data, table->first * size, table->part, count * size, where);
        if (status != GWS_OK) return status;
        gws_parallel_for(table->sides.runtime, count, grain, raise_entries, table);
    }
    return GWS_OK;
}

static gws_status fetch(struct table_search *table, struct gws_diagnostic *where)
{
    struct gws__sides *sides = &table->sides;
    const uint64_t bytes = table->entries * sizeof *table->entry;
    if (gws__sides_count(sides) == 1 && table->roots.created == 0)
        return gws_device_read(sides->side[0].data, 0, table->entry, bytes, where);
    table->part = gws_allocate(sides->runtime, merged, sizeof *table->part);
    gws_status status = table->part ? GWS_OK : gws_diagnostic_status(where, GWS_NO_MEMORY);
    for (uint32_t i = 0; i < sides->devices && status == GWS_OK; i++) status = merge(table, sides->side[i].data, where);
    gws_release(sides->runtime, table->part, merged, sizeof *table->part);
    return status;
}

/* Makes the first tasks: the position, or for a static schedule one for each worker. */
static gws_status make_roots(struct table_search *table, const uint32_t *position, struct gws_diagnostic *where)
{
    const bool is_static = table->search[0]->is_static && gws__sides_count(&table->sides) == 1;
    gws_status status = connect_roots_open(&table->roots, table->sides.runtime, position);
    table->roots.creator = (struct task_state){.data = table->entry, .more = table->word};
    if (status == GWS_OK && is_static)
        status = connect_roots_expand(&table->roots, table->sides.runtime,
                                      gws_device_tasks_workers(table->search[0]->tasks));
    return status == GWS_OK ? GWS_OK : gws_diagnostic_status(where, status);
}

static gws_status run_roots(struct table_search *table, struct gws_diagnostic *where)
{
    struct gws__sides *sides = &table->sides;
    const struct gws_device_task_roots roots = {.task = table->roots.task, .count = table->roots.count};
    return gws_device_tasks_run_sides(sides->runtime, &roots, sides->side, gws__sides_count(sides), sides->found,
                                      where);
}

static gws_status run_sides(struct table_search *table, const struct gws__board *board, struct gws_diagnostic *where)
{
    const uint32_t root[CONNECT_LENGTH + 1] = {(uint32_t)board->all,
                                               (uint32_t)(board->all >> 32),
                                               (uint32_t)board->next,
                                               (uint32_t)(board->next >> 32),
                                               0,
                                               0,
                                               (uint32_t)__builtin_popcountll(gws__board_open(board))};
    gws_status status = upload(table, where);
    if (status == GWS_OK) status = open_workers(table, where);
    if (status == GWS_OK) status = make_roots(table, root, where);
    if (status == GWS_OK) status = run_roots(table, where);
    if (status == GWS_OK) status = fetch(table, where);
    connect_roots_clear(&table->roots, table->sides.runtime);
    gws__sides_free_data(&table->sides);
    return status;
}

static void report(const struct table_search *table, const struct gws__board *board,
                   struct gws_connect_four_result *result)
{
    const struct gws__sides *sides = &table->sides;
    struct gws_connect_four_result made = {.nodes = table->roots.created + table->roots.creator.sum[CONNECT_SERIAL],
                                           .leaves = table->roots.creator.sum[CONNECT_LEAVES],
                                           .open_nodes = table->entries,
                                           .node_bytes = table->entries * sizeof *table->entry};
    for (uint32_t i = 0; i < gws__sides_count(sides); i++) {
        made.nodes += sides->found[i].created + sides->found[i].device.sum[CONNECT_SERIAL];
        made.leaves += sides->found[i].device.sum[CONNECT_LEAVES];
    }
    for (uint32_t w = 0; w < gws_runtime_workers(sides->runtime) && sides->workers; w++) {
        made.nodes += table->thread[w].state.sum[CONNECT_SERIAL];
        made.leaves += table->thread[w].state.sum[CONNECT_LEAVES];
    }
    for (uint32_t column = 0; column < columns; column++) {
        made.legal[column] = gws__board_has_space(board, column);
        if (!made.legal[column]) continue;
        made.value[column] = (int32_t)((int64_t)table->entry[column] - CONNECT_BIAS);
        if (!made.move || made.value[column] > made.value[made.move - 1]) made.move = column + 1;
    }
    *result = made;
}

static gws_status search_table(struct table_search *table, const struct gws__board *board,
                               struct gws_connect_four_result *result, struct gws_diagnostic *where)
{
    const uint32_t last = table->word[CONNECT_TABLE];
    gws_status status = run_sides(table, board, where);
    if (status != GWS_OK) return status;
    for (uint32_t i = 0; i < columns && last == 1; i++) table->entry[i] = 0 - table->entry[i];
    for (table->level = last - 1; table->level > 0; table->level--) {
        uint64_t count = table->word[CONNECT_OFFSET + table->level + 1] - table->word[CONNECT_OFFSET + table->level];
        gws_parallel_for(table->sides.runtime, count, grain, compute_values, table);
    }
    report(table, board, result);
    return GWS_OK;
}

static gws_status connect_four_sides(struct table_search *table, const struct gws_connect_four_options *options,
                                     struct gws_connect_four_result *result, struct gws_device_task_side_result *found,
                                     struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = table->sides.runtime;
    struct gws__board board;
    if (options->ahead < 1 || options->ahead > GWS_CONNECT_FOUR_MAX_DEVICE)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "invalid search depth on a device: 1 to %d moves",
                                  GWS_CONNECT_FOUR_MAX_DEVICE);
    gws_status status = gws__board_read(options->moves, &board, where);
    if (status != GWS_OK) return status;
    make_table(table, options->ahead);
    table->batch = options->batch ? options->batch : default_batch;
    table->entry = gws_allocate(runtime, table->entries, sizeof *table->entry);
    status = table->entry ? gws__sides_open(&table->sides, where) : gws_diagnostic_status(where, GWS_NO_MEMORY);
    if (status == GWS_OK) {
        gws_parallel_for(runtime, table->entries, grain, clear_entries, table);
        status = search_table(table, &board, result, where);
    }
    gws_release(runtime, table->entry, table->entries, sizeof *table->entry);
    gws_release(runtime, table->thread, gws_runtime_workers(runtime), sizeof *table->thread);
    return gws__sides_close(&table->sides, status, found);
}

gws_status gws_connect_four_sides(struct gws_runtime *runtime, struct gws_connect_four_device *const *search,
                                  uint32_t count, bool workers, const struct gws_connect_four_options *options,
                                  struct gws_connect_four_result *result, struct gws_device_task_side_result *sides,
                                  struct gws_diagnostic *where)
{
    struct table_search table = {.sides = {.runtime = runtime, .devices = count, .workers = workers}, .search = search};
    return GWS_CALL(runtime, where, connect_four_sides(&table, options, result, sides, where));
}

/* SPDX-License-Identifier: MIT */
/* Four-in-a-row on a device (kernels/task/connect_four.cl). The device writes values to a table with an entry for each
 * sequence of moves. The host's workers compute the values of the levels above the last one, from below. */
#include <string.h>

#include "../kernels/task/connect_four_words.h"
#include "../lib/parallel.h"
#include "connect_four.h"
#include "connect_four_nodes.h"

enum { columns = GWS_CONNECT_FOUR_COLUMNS, grain = 1024 };

struct gws_connect_four_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_tasks *tasks;
};

/* One search. */
struct table_search {
    uint32_t word[CONNECT_WORDS]; /* the parameters */
    uint64_t entries;
    uint32_t *entry;
    uint32_t level; /* the level whose values the loop computes */
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
    *made = (struct gws_connect_four_device){.runtime = runtime, .device = device};
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
    bool highest = table->level % 2 == 0;
    (void)worker;
    for (uint64_t p = begin; p < end; p++) {
        uint32_t best = 0;
        for (uint64_t c = p * columns; c < (p + 1) * columns; c++)
            if (below[c] != 0 && (best == 0 || (below[c] > best) == highest)) best = below[c];
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

static gws_status run_on_device(struct gws_connect_four_device *search, struct table_search *table,
                                const struct gws__board *board, struct gws_device_tasks_result *stats,
                                struct gws_diagnostic *where)
{
    const uint32_t root[CONNECT_LENGTH + 1] = {(uint32_t)board->all,
                                               (uint32_t)(board->all >> 32),
                                               (uint32_t)board->next,
                                               (uint32_t)(board->next >> 32),
                                               0,
                                               0,
                                               (uint32_t)__builtin_popcountll(gws__board_open(board))};
    struct gws_device_task_roots roots = {.task = root, .count = 1};
    uint64_t bytes = table->entries * sizeof *table->entry;
    gws_status status = gws_device_buffer_new(search->device, bytes, &roots.data, where);
    if (status == GWS_OK) status = gws_device_buffer_new(search->device, sizeof table->word, &roots.more, where);
    if (status == GWS_OK) status = gws_device_fill(roots.data, 0, 0, table->entries, where);
    if (status == GWS_OK) status = gws_device_write(roots.more, 0, table->word, sizeof table->word, where);
    if (status == GWS_OK) status = gws_device_tasks_run(search->tasks, &roots, stats, where);
    if (status == GWS_OK) status = gws_device_read(roots.data, 0, table->entry, bytes, where);
    gws_device_buffer_free(roots.data);
    gws_device_buffer_free(roots.more);
    return status;
}

static void report(const struct table_search *table, const struct gws__board *board,
                   const struct gws_device_tasks_result *stats, struct gws_connect_four_result *result)
{
    struct gws_connect_four_result made = {.nodes = stats->created + stats->sum[CONNECT_SERIAL],
                                           .leaves = stats->sum[CONNECT_LEAVES],
                                           .open_nodes = table->entries,
                                           .node_bytes = table->entries * sizeof *table->entry};
    for (uint32_t column = 0; column < columns; column++) {
        made.legal[column] = gws__board_has_space(board, column);
        if (!made.legal[column]) continue;
        made.value[column] = (int32_t)((int64_t)table->entry[column] - CONNECT_BIAS);
        if (!made.move || made.value[column] > made.value[made.move - 1]) made.move = column + 1;
    }
    *result = made;
}

static gws_status search_table(struct gws_connect_four_device *search, struct table_search *table,
                               const struct gws__board *board, struct gws_connect_four_result *result,
                               struct gws_device_tasks_result *stats, struct gws_diagnostic *where)
{
    gws_status status = run_on_device(search, table, board, stats, where);
    if (status != GWS_OK) return status;
    for (table->level = table->word[CONNECT_TABLE] - 1; table->level > 0; table->level--) {
        uint64_t count = table->word[CONNECT_OFFSET + table->level + 1] - table->word[CONNECT_OFFSET + table->level];
        gws_parallel_for(search->runtime, count, grain, compute_values, table);
    }
    report(table, board, stats, result);
    return GWS_OK;
}

static gws_status connect_four_device(struct gws_connect_four_device *search,
                                      const struct gws_connect_four_options *options,
                                      struct gws_connect_four_result *result, struct gws_device_tasks_result *stats,
                                      struct gws_diagnostic *where)
{
    struct table_search table = {.entries = 0};
    struct gws_device_tasks_result made = {.created = 0};
    struct gws__board board;
    if (options->ahead < 1 || options->ahead > GWS_CONNECT_FOUR_MAX_DEVICE)
        return gws_diagnostic_set(where, GWS_INVALID, NULL, 0, 0, "invalid search depth on a device: 1 to %d moves",
                                  GWS_CONNECT_FOUR_MAX_DEVICE);
    gws_status status = gws__board_read(options->moves, &board, where);
    if (status != GWS_OK) return status;
    make_table(&table, options->ahead);
    table.entry = gws_allocate(search->runtime, table.entries, sizeof *table.entry);
    if (!table.entry) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    status = search_table(search, &table, &board, result, &made, where);
    gws_release(search->runtime, table.entry, table.entries, sizeof *table.entry);
    if (status == GWS_OK && stats) *stats = made;
    return status;
}

gws_status gws_connect_four_on_device(struct gws_connect_four_device *search,
                                      const struct gws_connect_four_options *options,
                                      struct gws_connect_four_result *result, struct gws_device_tasks_result *stats,
                                      struct gws_diagnostic *where)
{
    return GWS_CALL(search->runtime, where, connect_four_device(search, options, result, stats, where));
}

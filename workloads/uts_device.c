/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search on devices (kernels/task/uts.cl), and on the CPU's workers beside them. The host computes the
 * tables of the numbers of children, because their logarithms must round as in the original program. */
#include "../kernels/task/uts_words.h"
#include "sides.h"
#include "uts.h"
#include "uts_workers.h"

enum { task_words = gws__sha1_words + 1 };

struct gws_uts_device {
    struct gws_runtime *runtime;
    struct gws_device *device;
    struct gws_device_tasks *tasks;
};

/* ---- opening ---- */

static gws_status uts_device_open(struct gws_runtime *runtime, struct gws_device *device,
                                  const struct gws_device_tasks_options *options, struct gws_uts_device **uts,
                                  struct gws_diagnostic *where)
{
    struct gws_device_source source;
    struct gws_device_tasks_options all = *options;
    struct gws_uts_device *made = gws_allocate(runtime, 1, sizeof *made);
    if (!made) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    *made = (struct gws_uts_device){.runtime = runtime, .device = device};
    (void)gws_device_tasks_program("uts", &source);
    all.length = task_words;
    gws_status status = gws_device_tasks_open(runtime, device, &source, &all, &made->tasks, where);
    if (status == GWS_OK)
        *uts = made;
    else
        gws_uts_device_close(made);
    return status;
}

gws_status gws_uts_device_open(struct gws_runtime *runtime, struct gws_device *device,
                               const struct gws_device_tasks_options *options, struct gws_uts_device **uts,
                               struct gws_diagnostic *where)
{
    return GWS_CALL(runtime, where, uts_device_open(runtime, device, options, uts, where));
}

void gws_uts_device_close(struct gws_uts_device *uts)
{
    if (!uts) return;
    gws_device_tasks_close(uts->tasks);
    gws_release(uts->runtime, uts, 1, sizeof *uts);
}

/* ---- the table on the device ---- */

static void write_row(const struct gws__uts_row *row, uint32_t *word)
{
    word[UTS_LOW] = row->low;
    word[UTS_WIDTH] = row->width;
    word[UTS_ALIKE] = row->at[0] == UINT32_MAX ? row->begin[0] : 0;
    memcpy(word + UTS_AT, row->at, sizeof row->at);
    for (uint32_t k = 0; k < gws__uts_buckets; k++) word[UTS_BEGIN + k / 4] |= (uint32_t)row->begin[k] << k % 4 * 8;
}

/* Writes rows for nodes at depths below `depths`, and one for deeper nodes. word: zero. */
static void write_table(const struct gws__uts_table *table, uint32_t depths, uint32_t *word)
{
    struct gws__uts_row made;
    uint32_t rows = table->stride || depths == 0 ? depths : 1;
    word[UTS_REPEAT] = (uint32_t)table->tree.repeat;
    word[UTS_DEPTHS] = depths;
    word[UTS_STRIDE] = table->stride ? UTS_ROW_WORDS : 0;
    word[UTS_REST] = UTS_ROWS + rows * UTS_ROW_WORDS;
    for (uint32_t i = 0; i <= rows; i++)
        write_row(gws__uts_row(table, i < rows ? i : depths, &made), word + UTS_ROWS + i * UTS_ROW_WORDS);
}

/* Makes the table with rows for `depths` depths on the device. */
static gws_status upload_table(struct gws_uts_device *uts, const struct gws__uts_table *table, uint32_t depths,
                               struct gws_device_buffer **buffer, struct gws_diagnostic *where)
{
    uint64_t words = UTS_ROWS + (depths + UINT64_C(1)) * UTS_ROW_WORDS;
    uint32_t *word = gws_allocate(uts->runtime, words, sizeof *word);
    if (!word) return gws_diagnostic_status(where, GWS_NO_MEMORY);
    memset(word, 0, words * sizeof *word);
    write_table(table, depths, word);
    gws_status status = gws_device_buffer_new(uts->device, words * sizeof *word, buffer, where);
    if (status == GWS_OK) status = gws_device_write(*buffer, 0, word, words * sizeof *word, where);
    gws_release(uts->runtime, word, words, sizeof *word);
    return status;
}

/* ---- the search ---- */

struct sides_search {
    struct gws__sides sides;
    struct gws_uts_device *const *uts;
    struct gws__uts_task root;
    struct gws__uts_table table;
    struct gws__uts_workers workers;
};

/* Searches with a table for `depths` depths on each device. */
static gws_status search_with(struct sides_search *search, uint32_t depths, struct gws_diagnostic *where)
{
    struct gws__sides *sides = &search->sides;
    const struct gws_device_task_roots roots = {.task = search->root.state, .count = search->root.children > 0};
    gws_status status = GWS_OK;
    for (uint32_t i = 0; i < sides->devices && status == GWS_OK; i++) {
        sides->side[i].tasks = search->uts[i]->tasks;
        status = upload_table(search->uts[i], &search->table, depths, &sides->side[i].data, where);
    }
    status = gws__sides_run(sides, &roots, status, where);
    gws__sides_free_data(sides);
    return status;
}

/* Returns the depth that the devices of all ranks reached. */
static uint64_t depth_of(const struct gws__sides *sides)
{
    uint64_t depth = 0;
    for (uint32_t i = 0; i < sides->devices; i++)
        if (sides->found[i].device.max[0] > depth) depth = sides->found[i].device.max[0];
    gws_transport_max(gws__sides_transport(sides), &depth, 1);
    return depth;
}

/* Makes the workers' side anew. */
static gws_status open_workers(struct sides_search *search, const struct gws_uts_options *options)
{
    struct gws__sides *sides = &search->sides;
    struct gws__uts_workers *workers = &search->workers;
    if (!sides->workers) return GWS_OK;
    gws__uts_workers_close(sides->runtime, workers);
    gws_status status = gws__uts_workers_open(sides->runtime, &search->table, options, workers);
    sides->side[sides->devices] =
        (struct gws_device_task_side){.run = gws__uts_workers_run, .context = workers, .batch = workers->batch};
    return status;
}

/* An exponential tree may be deeper than the devices' tables. The search then starts again with larger tables. */
static gws_status search_tables(struct sides_search *search, const struct gws_uts_options *workers,
                                struct gws_diagnostic *where)
{
    uint32_t depths = search->table.depths;
    for (;; depths *= 4) {
        gws_status status = open_workers(search, workers);
        if (status != GWS_OK) (void)gws_diagnostic_status(where, status);
        status = gws__sides_agree(&search->sides, status, where);
        if (status != GWS_OK) return status;
        status = search_with(search, depths, where);
        if (status != GWS_OK || !search->table.formula || depth_of(&search->sides) < depths) return status;
    }
}

static struct gws_uts_result sum_up(const struct sides_search *search)
{
    const struct gws__sides *sides = &search->sides;
    const bool has_root = gws__sides_have_root(sides);
    struct gws_uts_result made = {
        .nodes = has_root, .leaves = has_root && search->root.children == 0, .depth = depth_of(sides)};
    for (uint32_t i = 0; i < sides->devices; i++) {
        made.nodes += sides->found[i].created;
        made.leaves += sides->found[i].created - sides->found[i].parents;
    }
    if (sides->workers) gws__uts_workers_add(sides->runtime, &search->workers, &made);
    gws__uts_sum_ranks(gws__sides_transport(sides), &made);
    return made;
}

static gws_status uts_sides(struct sides_search *search, const struct gws_uts_options *workers,
                            const struct gws_uts_tree *tree, struct gws_uts_result *result,
                            struct gws_device_task_side_result *found, struct gws_diagnostic *where)
{
    struct gws_runtime *runtime = search->sides.runtime;
    gws_status status = gws__uts_root(runtime, tree, &search->root, &search->table);
    if (status == GWS_NO_MEMORY) (void)gws_diagnostic_status(where, status);
    status = gws__sides_agree(&search->sides, status, where);
    if (status == GWS_OK) status = gws__sides_open(&search->sides, where);
    if (status == GWS_OK) status = search_tables(search, workers, where);
    if (status == GWS_OK) *result = sum_up(search);
    gws__uts_workers_close(runtime, &search->workers);
    gws__uts_table_clear(runtime, &search->table);
    return gws__sides_close(&search->sides, status, found);
}

gws_status gws_uts_sides(struct gws_runtime *runtime, struct gws_uts_device *const *uts, uint32_t count,
                         const struct gws_uts_options *options, const struct gws_uts_tree *tree,
                         struct gws_uts_result *result, struct gws_device_task_side_result *sides,
                         struct gws_diagnostic *where)
{
    struct sides_search search = {.sides = {.runtime = runtime,
                                            .ranks = options ? options->ranks : NULL,
                                            .devices = count,
                                            .workers = options && !options->devices_only},
                                  .uts = uts};
    return GWS_CALL(runtime, where, uts_sides(&search, options, tree, result, sides, where));
}

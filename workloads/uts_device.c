/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search on a device (kernels/task/uts.cl). The host computes the tables of the numbers of children,
 * because their logarithms must round as in the original program. */
#include <string.h>

#include "../kernels/task/uts_words.h"
#include "../lib/parallel.h"
#include "sha1.h"
#include "uts.h"
#include "uts_table.h"

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
    memcpy(word + UTS_AT, row->at, sizeof row->at);
    for (uint32_t k = 0; k < gws__uts_buckets; k++) word[UTS_BEGIN + k / 4] |= (uint32_t)row->begin[k] << k % 4 * 8;
}

/* Writes rows for nodes at depths below `depths`, and one for deeper nodes. word: zero. */
static void write_table(const struct gws__uts_table *table, uint32_t depths, uint32_t *word)
{
    struct gws__uts_row made;
    uint32_t rows = table->stride || depths == 0 ? depths : 1;
    word[UTS_REPEAT] = (uint32_t)table->tree.repeat;
    word[UTS_ONE] = 1;
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

static gws_status search_with(struct gws_uts_device *uts, const struct gws__uts_table *table, const uint32_t *root,
                              uint32_t depths, struct gws_device_tasks_result *stats, struct gws_diagnostic *where)
{
    struct gws_device_task_roots roots = {.task = root, .count = table->root_children > 0};
    gws_status status = upload_table(uts, table, depths, &roots.data, where);
    if (status == GWS_OK) status = gws_device_tasks_run(uts->tasks, &roots, stats, where);
    gws_device_buffer_free(roots.data);
    return status;
}

/* An exponential tree may be deeper than the table. The search then starts again with a larger table. */
static gws_status search_table(struct gws_uts_device *uts, const struct gws__uts_table *table, const uint32_t *root,
                               struct gws_device_tasks_result *stats, struct gws_diagnostic *where)
{
    uint32_t depths = table->depths;
    gws_status status = search_with(uts, table, root, depths, stats, where);
    while (status == GWS_OK && table->formula && stats->max[0] >= depths)
        status = search_with(uts, table, root, depths *= 4, stats, where);
    return status;
}

static gws_status uts_device_search(struct gws_uts_device *uts, const struct gws_uts_tree *tree,
                                    struct gws_uts_result *result, struct gws_device_tasks_result *stats,
                                    struct gws_diagnostic *where)
{
    struct gws__uts_table table;
    struct gws_device_tasks_result made = {.created = 0};
    uint32_t root[task_words + 1] = {0};
    gws_status status = gws__uts_check(tree);
    if (status != GWS_OK) return status;
    gws__sha1_root((uint32_t)tree->seed, root);
    status = gws__uts_table_make(uts->runtime, tree, root, &table);
    if (status != GWS_OK) return gws_diagnostic_status(where, status);
    root[task_words] = table.root_children;
    status = search_table(uts, &table, root, &made, where);
    gws__uts_table_clear(uts->runtime, &table);
    if (status != GWS_OK) return status;
    *result = (struct gws_uts_result){.nodes = made.created + 1,
                                      .leaves = made.created - made.parents + (root[task_words] == 0),
                                      .depth = made.max[0]};
    if (stats) *stats = made;
    return GWS_OK;
}

gws_status gws_uts_device_search(struct gws_uts_device *uts, const struct gws_uts_tree *tree,
                                 struct gws_uts_result *result, struct gws_device_tasks_result *stats,
                                 struct gws_diagnostic *where)
{
    return GWS_CALL(uts->runtime, where, uts_device_search(uts, tree, result, stats, where));
}

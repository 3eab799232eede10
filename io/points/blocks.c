/* SPDX-License-Identifier: MIT */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

struct row_block {
    uint64_t index, begin; /* begin: the block's first row in the assembled set, once it is known */
    struct gws_points points;
};

struct gws__row_block_list {
    struct row_block *block;
    uint64_t count, capacity;
};

static uint32_t workers_of(const struct gws__blocks *blocks)
{
    return gws_runtime_workers(blocks->schema->input->runtime);
}

gws_status gws__blocks_open(const struct gws__schema *schema, struct gws__blocks *blocks)
{
    *blocks = (struct gws__blocks){.schema = schema};
    uint32_t workers = workers_of(blocks);
    blocks->list = gws_allocate(schema->input->runtime, workers, sizeof *blocks->list);
    if (!blocks->list) return GWS_NO_MEMORY;
    memset(blocks->list, 0, workers * sizeof *blocks->list);
    return GWS_OK;
}

static void clear_list(struct gws_runtime *runtime, struct gws__row_block_list *list)
{
    for (uint64_t i = 0; i < list->count; i++) gws_points_clear(&list->block[i].points);
    gws_release(runtime, list->block, list->capacity, sizeof *list->block);
    *list = (struct gws__row_block_list){0};
}

void gws__blocks_close(struct gws__blocks *blocks)
{
    if (!blocks->list) return;
    for (uint32_t i = 0; i < workers_of(blocks); i++) clear_list(blocks->schema->input->runtime, &blocks->list[i]);
    gws_release(blocks->schema->input->runtime, blocks->list, workers_of(blocks), sizeof *blocks->list);
    blocks->list = NULL;
}

gws_status gws__blocks_add(struct gws__blocks *blocks, uint32_t worker, uint64_t index, const struct gws_points *points)
{
    struct gws_runtime *runtime = blocks->schema->input->runtime;
    struct gws__row_block_list *list = &blocks->list[worker];
    if (!gws__grow(runtime, &list->block, list->count, &list->capacity, sizeof *list->block)) return GWS_NO_MEMORY;
    list->block[list->count++] = (struct row_block){.index = index, .points = *points};
    return GWS_OK;
}

uint64_t gws__blocks_count(const struct gws__blocks *blocks)
{
    uint64_t rows = 0;
    for (uint32_t w = 0; w < workers_of(blocks); w++)
        for (uint64_t i = 0; i < blocks->list[w].count; i++) rows += blocks->list[w].block[i].points.count;
    return rows;
}

/* ---- assembling ---- */

struct block_copy {
    struct row_block *block;
    struct gws_points *points;
};

static int by_index(const void *left, const void *right)
{
    const struct row_block *a = left, *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

static void copy_array(void *to, const void *from, uint64_t begin, uint64_t count, uint64_t bytes)
{
    memcpy((char *)to + begin * bytes, from, count * bytes);
}

static void copy_block(const struct gws_points *to, const struct row_block *block)
{
    const struct gws_points *from = &block->points;
    uint64_t bytes = from->is_double ? sizeof(double) : sizeof(float);
    if (from->count == 0) return;
    copy_array(to->x, from->x, block->begin, from->count, bytes);
    copy_array(to->y, from->y, block->begin, from->count, bytes);
    copy_array(to->z, from->z, block->begin, from->count, bytes);
    for (uint32_t i = 0; i < from->columns; i++)
        copy_array(to->column[i].data, from->column[i].data, block->begin, from->count,
                   gws_number_bytes(from->column[i].kind));
}

static void copy_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct block_copy *copy = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        copy_block(copy->points, &copy->block[i]);
        gws_points_clear(
            &copy->block[i].points); /* freeing each block at once rarely leaves all rows in memory twice */
    }
}

/* Moves all blocks to the first worker's list, in order of their indexes. */
static gws_status collect_blocks(struct gws__blocks *blocks)
{
    struct gws_runtime *runtime = blocks->schema->input->runtime;
    struct gws__row_block_list all = {0};
    for (uint32_t w = 0; w < workers_of(blocks); w++) all.capacity += blocks->list[w].count;
    all.block = gws_allocate(runtime, all.capacity, sizeof *all.block);
    if (!all.block) return GWS_NO_MEMORY;
    for (uint32_t w = 0; w < workers_of(blocks); w++) {
        struct gws__row_block_list *list = &blocks->list[w];
        if (list->count > 0) memcpy(all.block + all.count, list->block, list->count * sizeof *all.block);
        all.count += list->count;
        list->count = 0;
        clear_list(runtime, list);
    }
    qsort(all.block, all.count, sizeof *all.block, by_index);
    blocks->list[0] = all;
    return GWS_OK;
}

gws_status gws__blocks_assemble(struct gws__blocks *blocks, struct gws_points *points)
{
    struct gws_points made = {0};
    gws_status status = collect_blocks(blocks);
    if (status != GWS_OK) return status;
    struct gws__row_block_list *list = &blocks->list[0];
    uint64_t rows = 0;
    for (uint64_t i = 0; i < list->count; rows += list->block[i++].points.count) list->block[i].begin = rows;
    if (list->count == 1) { /* one block needs no copy */
        *points = list->block[0].points;
        list->count = 0;
        return GWS_OK;
    }
    status = gws__schema_make(blocks->schema, rows, &made);
    if (status != GWS_OK) return status;
    struct block_copy copy = {.block = list->block, .points = &made};
    struct gws_loop loop = {.count = list->count, .chunk = 1, .body = copy_blocks, .context = &copy};
    status = gws_parallel_try(blocks->schema->input->runtime, &loop);
    if (status == GWS_OK)
        *points = made;
    else
        gws_points_clear(&made);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "edges.h"

#include <string.h>

#include "../ranks/ranks.h"

/* Each block is larger than the previous one, up to 8 MiB. So small files need little memory, and large files get huge
 * pages. */
enum { max_edges = 1 << 20, max_packed = 1 << 18 };

gws_status gws__edges_open(struct gws__edges *edges, const struct gws__input *input, bool weighted)
{
    struct gws_runtime *runtime = input->runtime;
    uint32_t workers = gws_runtime_workers(runtime);
    *edges = (struct gws__edges){.runtime = runtime, .ranks = input->ranks, .weighted = weighted};
    edges->buffer = gws_allocate(runtime, workers, sizeof *edges->buffer);
    if (!edges->buffer) return GWS_NO_MEMORY;
    memset(edges->buffer, 0, workers * sizeof *edges->buffer);
    return GWS_OK;
}

static uint64_t edge_size(bool wide)
{
    return wide ? sizeof(struct gws__wide_edge) : sizeof(struct gws_edge);
}

static void close_list(struct gws__edges *edges, struct gws__block_list *list, bool wide)
{
    for (uint64_t i = 0; i < list->count; i++) {
        struct gws__block *block = &list->block[i];
        gws_release(edges->runtime, block->memory, block->capacity, edge_size(wide));
        gws_release(edges->runtime, block->weights, block->capacity, sizeof *block->weight);
        gws__edge_pack_free(edges->runtime, block->pack);
    }
    gws_release(edges->runtime, list->block, list->capacity, sizeof *list->block);
}

void gws__edges_close(struct gws__edges *edges)
{
    if (!edges->buffer) return;
    uint32_t workers = gws_runtime_workers(edges->runtime);
    for (uint32_t worker = 0; worker < workers; worker++)
        for (int wide = 0; wide < 2; wide++) close_list(edges, &edges->buffer[worker].list[wide], wide);
    gws_release(edges->runtime, edges->buffer, workers, sizeof *edges->buffer);
    *edges = (struct gws__edges){0};
}

/* Packs the edges of the last block. The next block gets its memory if that is large enough. */
static bool pack_last(const struct gws__edges *edges, const struct gws__block_list *list, struct gws__block *next)
{
    struct gws__block *last = &list->block[list->count - 1];
    last->pack = gws__edge_pack_new(edges->runtime, last->edge, last->count);
    if (!last->pack) return false;
    if (last->capacity >= next->capacity) {
        next->capacity = last->capacity;
        next->memory = last->memory;
    } else {
        gws_release(edges->runtime, last->memory, last->capacity, sizeof *last->edge);
    }
    last->memory = NULL;
    return true;
}

struct gws__block *gws__edges_begin_block(struct gws__edges *edges, uint32_t worker, bool wide, uint64_t capacity)
{
    struct gws__block_list *list = &edges->buffer[worker].list[wide];
    struct gws__block block = {.capacity = capacity, .real = edges->real};
    if (list->count > 0) block.capacity = 4 * list->block[list->count - 1].capacity;
    const bool packs = edges->packs && !wide && list->count > 0;
    const uint64_t max = packs ? max_packed : max_edges;
    if (block.capacity > max) block.capacity = max;
    if (block.capacity < capacity) block.capacity = capacity;
    if (!gws__grow(edges->runtime, &list->block, list->count, &list->capacity, sizeof block)) return NULL;
    if (packs && !pack_last(edges, list, &block)) return NULL;
    if (!block.memory) block.memory = gws_allocate(edges->runtime, block.capacity, edge_size(wide));
    if (edges->weighted) block.weights = gws_allocate(edges->runtime, block.capacity, sizeof *block.weight);
    if (block.memory && (!edges->weighted || block.weights)) {
        list->block[list->count] = block;
        return &list->block[list->count++];
    }
    gws_release(edges->runtime, block.memory, block.capacity, edge_size(wide));
    gws_release(edges->runtime, block.weights, block.capacity, sizeof *block.weight);
    return NULL;
}

struct gws__block *gws__edges_reserve(struct gws__edges *edges, uint32_t worker, bool wide, uint64_t capacity)
{
    struct gws__block_list *list = &edges->buffer[worker].list[wide];
    if (list->count > 0) {
        struct gws__block *last = &list->block[list->count - 1];
        if (last->capacity - last->count >= capacity) return last;
    }
    return gws__edges_begin_block(edges, worker, wide, capacity);
}

struct gws__block *gws__edges_block(const struct gws__edges *edges, bool wide, uint64_t i)
{
    uint32_t workers = gws_runtime_workers(edges->runtime);
    for (uint32_t worker = 0; worker < workers; worker++) {
        struct gws__block_list *list = &edges->buffer[worker].list[wide];
        if (i < list->count) return &list->block[i];
        i -= list->count;
    }
    return NULL;
}

void gws__block_make_real(struct gws__block *block, uint64_t count)
{
    if (block->real || !block->weights) return;
    for (uint64_t i = 0; i < count; i++) {
        float real = (float)block->weight[i];
        memcpy(&block->weight[i], &real, sizeof real);
    }
    block->real = true;
}

void gws__block_put_weight(struct gws__block *block, uint64_t i, const struct gws__weight *weight)
{
    if (weight->real) gws__block_make_real(block, i);
    if (block->real)
        block->real_weight[i] = weight->number;
    else
        block->weight[i] = weight->integer;
}

gws_status gws__edges_unify_weights(struct gws__edges *edges)
{
    struct gws__block *block;
    for (int wide = 0; wide < 2; wide++)
        for (uint64_t i = 0; (block = gws__edges_block(edges, wide, i)); i++) edges->real |= block->real;
    uint64_t real = edges->real;
    gws_status status = gws__read_ranks_max(edges->ranks, GWS_OK, &real, 1);
    edges->real = real > 0;
    for (int wide = 0; wide < 2 && edges->real; wide++)
        for (uint64_t i = 0; (block = gws__edges_block(edges, wide, i)); i++) gws__block_make_real(block, block->count);
    return status;
}

uint64_t gws__edges_count(const struct gws__edges *edges, bool wide)
{
    uint64_t count = 0;
    const struct gws__block *block;
    for (uint64_t i = 0; (block = gws__edges_block(edges, wide, i)) != NULL; i++) count += block->count;
    return count;
}

gws_status gws__edges_total(const struct gws__edges *edges, uint64_t total[2])
{
    for (int wide = 0; wide < 2; wide++) total[wide] = gws__edges_count(edges, wide);
    return gws__read_ranks_sum(edges->ranks, GWS_OK, total, 2);
}

static void close_block(void *context, uint64_t i)
{
    struct gws__edges *edges = context;
    struct gws__block *block = gws__edges_block(edges, false, i);
    gws_release(edges->runtime, block->memory, block->capacity, sizeof *block->edge);
    gws_release(edges->runtime, block->weights, block->capacity, sizeof *block->weight);
    gws__edge_pack_free(edges->runtime, block->pack);
    block->memory = NULL;
    block->weights = NULL;
    block->pack = NULL;
}

static void read_packed(void *context, uint64_t i, uint64_t begin, uint64_t end, struct gws_edge *edge)
{
    gws__edge_pack_read(gws__edges_block(context, false, i)->pack, begin, end, edge);
}

static void close_edges(void *edges)
{
    gws__edges_close(edges);
}

gws_status gws__edges_build(struct gws__edges *edges, uint64_t vertices, const struct gws_build_options *options,
                            struct gws_graph **graph)
{
    struct gws_runtime *runtime = edges->runtime;
    struct gws__read_ranks *ranks = edges->ranks;
    uint64_t blocks = 0;
    while (gws__edges_block(edges, false, blocks)) blocks++;
    struct gws_edge_block *list = gws_allocate(runtime, blocks, sizeof *list);
    for (uint64_t i = 0; list && i < blocks; i++) {
        const struct gws__block *block = gws__edges_block(edges, false, i);
        list[i] = (struct gws_edge_block){.edge = block->edge, .count = block->count};
        if (block->real)
            list[i].real_weight = block->real_weight;
        else
            list[i].weight = block->weight;
    }
    struct gws_edges all = {.vertices = vertices, .blocks = blocks, .block = list};
    struct gws_build_options closing = *options;
    closing.on_read = close_edges;
    closing.on_block_read = close_block;
    closing.read = read_packed;
    closing.context = edges;
    gws_status status = list ? GWS_OK : GWS_NO_MEMORY;
    if (ranks)
        status = gws__read_ranks_build(ranks, runtime, status, &all, &closing, graph);
    else if (list)
        status = gws_graph_build(runtime, &all, &closing, graph);
    gws_release(runtime, list, blocks, sizeof *list);
    return status;
}

/* SPDX-License-Identifier: MIT */
/* Renaming edges by a set of ids. */
#include <stdatomic.h>
#include <string.h>

#include "names.h"

struct apply {
    const struct gws__names *names;
    struct gws__edges *edges;
    const struct gws__slice *slice;
    uint32_t first; /* what to take off, when the ids lack only some at the start */
    atomic_bool failed;
};

static uint32_t vertex_of(const struct gws__names *names, uint64_t id)
{
    if (names->bits) {
        uint64_t below = names->bits[id >> 6] & ((UINT64_C(1) << (id & 63)) - 1);
        return names->rank[id >> 6] + (uint32_t)__builtin_popcountll(below);
    }
    uint64_t low = 0, high = names->vertices - 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (names->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void subtract(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct apply *apply = context;
    (void)worker;
    for (const struct gws__slice *slice = apply->slice + begin; slice < apply->slice + end; slice++) {
        for (uint64_t i = slice->begin; i < slice->end; i++) {
            slice->block.edge[i].from -= apply->first;
            slice->block.edge[i].to -= apply->first;
        }
    }
}

static void rename_narrow(const struct apply *apply, const struct gws__slice *slice)
{
    for (uint64_t i = slice->begin; i < slice->end; i++) {
        struct gws_edge *edge = &slice->block.edge[i];
        edge->from = vertex_of(apply->names, edge->from);
        edge->to = vertex_of(apply->names, edge->to);
    }
}

static void rename_wide(struct apply *apply, uint32_t worker, const struct gws__slice *slice)
{
    uint64_t count = slice->end - slice->begin;
    struct gws__block *block = gws__edges_reserve(apply->edges, worker, false, count);
    if (!block) {
        atomic_store_explicit(&apply->failed, true, memory_order_relaxed); /* read behind the end of the loop */
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct gws__wide_edge edge = slice->block.wide[slice->begin + i];
        block->edge[block->count + i] =
            (struct gws_edge){.from = vertex_of(apply->names, edge.from), .to = vertex_of(apply->names, edge.to)};
    }
    if (block->weight)
        memcpy(block->weight + block->count, slice->block.weight + slice->begin, count * sizeof *block->weight);
    block->count += count;
}

static void rename_slices(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct apply *apply = context;
    for (const struct gws__slice *slice = apply->slice + begin; slice < apply->slice + end; slice++) {
        if (!slice->wide) rename_narrow(apply, slice);
        if (slice->wide) rename_wide(apply, worker, slice);
    }
}

/* The ids as an array of their own size. */
static gws_status list_ids(const struct gws__names *names, uint64_t **id)
{
    uint64_t made = 0;
    *id = gws_allocate(names->runtime, names->vertices, sizeof **id);
    if (!*id) return GWS_NO_MEMORY;
    if (names->id) memcpy(*id, names->id, names->vertices * sizeof **id);
    for (uint64_t word = 0; names->bits && word < names->words; word++) {
        for (uint64_t bits = names->bits[word]; bits; bits &= bits - 1)
            (*id)[made++] = word * 64 + (uint64_t)__builtin_ctzll(bits);
    }
    return GWS_OK;
}

/* True if the ids are 0 .. n - 1 or 1 .. n. */
static bool is_range(const struct gws__names *names, uint64_t *first_id)
{
    *first_id = 0;
    if (names->vertices == 0) return true;
    if (!names->bits) return false;
    uint64_t last = names->words * 64 - 1 - (uint64_t)__builtin_clzll(names->bits[names->words - 1]);
    *first_id = (names->bits[0] & 1) == 0;
    return names->vertices == last + 1 - *first_id;
}

gws_status gws__names_apply(struct gws__names *names, struct gws__edges *edges, uint64_t **id, uint64_t *first_id)
{
    struct gws__slices slices = {0};
    struct apply apply = {.names = names, .edges = edges};
    *id = NULL;
    bool range = is_range(names, first_id);
    if (range && *first_id == 0) return GWS_OK;
    gws_status status = gws__slices_open(edges, &slices);
    if (status == GWS_OK && !range) status = list_ids(names, id);
    apply.slice = slices.slice;
    apply.first = (uint32_t)*first_id;
    if (status == GWS_OK) gws_parallel_for(edges->runtime, slices.count, 1, range ? subtract : rename_slices, &apply);
    if (atomic_load_explicit(&apply.failed, memory_order_relaxed)) status = GWS_NO_MEMORY;
    gws__slices_close(edges, &slices);
    if (status == GWS_OK) return GWS_OK;
    gws_release(edges->runtime, *id, names->vertices, sizeof **id);
    *id = NULL;
    return status;
}

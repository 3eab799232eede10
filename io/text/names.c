/* SPDX-License-Identifier: MIT */
/* Finding the ids: a bitmap that all workers set, if the largest id is below 2^32 and the bitmap is small beside the
 * edges; by sorting otherwise (names_sort.c). Then the edges' ends are renamed. */
#include <stdatomic.h>
#include <string.h>

#include "names.h"

static gws_status slices_open(const struct gws__edges *edges, struct gws__slices *slices)
{
    uint64_t count = 0, filled = 0;
    struct gws__block *block;
    for (int wide = 0; wide <= 1; wide++) {
        for (uint64_t i = 0; (block = gws__edges_block(edges, wide, i)); i++)
            count += (block->count + gws__slice_edges - 1) / gws__slice_edges;
    }
    slices->slice = gws_allocate(edges->runtime, count, sizeof *slices->slice);
    if (!slices->slice) return GWS_NO_MEMORY;
    slices->count = count;
    for (int wide = 0; wide <= 1; wide++) {
        for (uint64_t i = 0; (block = gws__edges_block(edges, wide, i)); i++) {
            for (uint64_t at = 0; at < block->count; at += gws__slice_edges) {
                uint64_t rest = block->count - at, size = rest < gws__slice_edges ? rest : gws__slice_edges;
                slices->slice[filled++] =
                    (struct gws__slice){.block = *block, .begin = at, .end = at + size, .wide = wide};
            }
        }
    }
    return GWS_OK;
}

static void slices_close(const struct gws__edges *edges, struct gws__slices *slices)
{
    gws_release(edges->runtime, slices->slice, slices->count, sizeof *slices->slice);
    *slices = (struct gws__slices){0};
}

struct scan {
    const struct gws__slice *slice;
    _Atomic uint64_t *bits;
    _Atomic uint32_t largest;
};

static void find_largest(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct scan *scan = context;
    uint32_t largest = 0;
    (void)worker;
    for (const struct gws__slice *slice = scan->slice + begin; slice < scan->slice + end; slice++) {
        for (uint64_t i = slice->begin; i < slice->end; i++) {
            struct gws_edge edge = slice->block.edge[i];
            uint32_t larger = edge.from > edge.to ? edge.from : edge.to;
            if (larger > largest) largest = larger;
        }
    }
    /* relaxed, as all here: the end of the loop orders it before what reads the result. */
    uint32_t known = atomic_load_explicit(&scan->largest, memory_order_relaxed);
    while (known < largest && !atomic_compare_exchange_weak_explicit(&scan->largest, &known, largest,
                                                                     memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* Most ids have been seen before, and then the word is only read and stays in every cache. */
static void set_bit(_Atomic uint64_t *bits, uint32_t id)
{
    uint64_t bit = UINT64_C(1) << (id & 63);
    if (atomic_load_explicit(&bits[id >> 6], memory_order_relaxed) & bit) return;
    atomic_fetch_or_explicit(&bits[id >> 6], bit, memory_order_relaxed);
}

static void set_bits(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct scan *scan = context;
    (void)worker;
    for (const struct gws__slice *slice = scan->slice + begin; slice < scan->slice + end; slice++) {
        for (uint64_t i = slice->begin; i < slice->end; i++) {
            set_bit(scan->bits, slice->block.edge[i].from);
            set_bit(scan->bits, slice->block.edge[i].to);
        }
    }
}

static void rank_words(struct gws__names *names)
{
    uint64_t before = 0;
    for (uint64_t i = 0; i < names->words; i++) {
        names->rank[i] = (uint32_t)before;
        before += (uint64_t)__builtin_popcountll(names->bits[i]);
    }
    names->vertices = before;
}

static gws_status find_by_bitmap(const struct gws__edges *edges, const struct gws__slices *slices, uint32_t largest,
                                 struct gws__names *names)
{
    names->words = (uint64_t)largest / 64 + 1;
    names->bits = gws_allocate(edges->runtime, names->words, sizeof *names->bits);
    names->rank = gws_allocate(edges->runtime, names->words, sizeof *names->rank);
    if (!names->bits || !names->rank) return GWS_NO_MEMORY;
    memset(names->bits, 0, names->words * sizeof *names->bits);
    struct scan scan = {.slice = slices->slice, .bits = (_Atomic uint64_t *)names->bits};
    gws_parallel_for(edges->runtime, slices->count, 1, set_bits, &scan);
    rank_words(names);
    return GWS_OK;
}

gws_status gws__names_find(const struct gws__edges *edges, struct gws__names *names)
{
    struct gws__slices slices = {0};
    *names = (struct gws__names){.runtime = edges->runtime};
    gws_status status = slices_open(edges, &slices);
    if (status != GWS_OK) return status;
    uint64_t count = gws__edges_count(edges, false);
    struct scan scan = {.slice = slices.slice};
    bool small = gws__edges_count(edges, true) == 0;
    if (small) gws_parallel_for(edges->runtime, slices.count, 1, find_largest, &scan);
    uint32_t largest = atomic_load_explicit(&scan.largest, memory_order_relaxed);
    if (small && count == 0)
        names->vertices = 0;
    else if (small && largest / 64 < 2 * count + 1024)
        status = find_by_bitmap(edges, &slices, largest, names);
    else
        status = gws__names_sort(edges, &slices, names);
    slices_close(edges, &slices);
    return status;
}

void gws__names_close(struct gws__names *names)
{
    if (!names->runtime) return;
    gws_release(names->runtime, names->bits, names->words, sizeof *names->bits);
    gws_release(names->runtime, names->rank, names->words, sizeof *names->rank);
    gws_release(names->runtime, names->id, names->ids, sizeof *names->id);
    *names = (struct gws__names){0};
}

/* ---- renaming ---- */

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
    gws_status status = slices_open(edges, &slices);
    if (status == GWS_OK && !range) status = list_ids(names, id);
    apply.slice = slices.slice;
    apply.first = (uint32_t)*first_id;
    if (status == GWS_OK) gws_parallel_for(edges->runtime, slices.count, 1, range ? subtract : rename_slices, &apply);
    if (atomic_load_explicit(&apply.failed, memory_order_relaxed)) status = GWS_NO_MEMORY;
    slices_close(edges, &slices);
    if (status == GWS_OK) return GWS_OK;
    gws_release(edges->runtime, *id, names->vertices, sizeof **id);
    *id = NULL;
    return status;
}

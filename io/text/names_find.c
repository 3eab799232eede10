/* SPDX-License-Identifier: MIT */
/* Finding the ids: a bitmap that all workers set, if the largest id is below 2^32 and the bitmap is small beside the
 * edges; by sorting otherwise. */
#include <stdatomic.h>
#include <string.h>

#include "names.h"

gws_status gws__slices_open(const struct gws__edges *edges, struct gws__slices *slices)
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

void gws__slices_close(const struct gws__edges *edges, struct gws__slices *slices)
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
    gws_status status = gws__slices_open(edges, &slices);
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
    gws__slices_close(edges, &slices);
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

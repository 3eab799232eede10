/* SPDX-License-Identifier: MIT */
/* Maps ids to vertices. If the largest id is below 2^32 and the bitmap is small compared with the edges, all workers
 * set bits in a bitmap. Otherwise the workers sort the ids (id_map_sort.c). Then the workers replace the edges'
 * endpoints by vertices. Ranks unite their bitmaps or sorted ids before, so that all have the same map. */
#include <stdatomic.h>
#include <string.h>

#include "../ranks/ranks.h"
#include "id_map.h"

static gws_status ranges_open(const struct gws__edges *edges, struct gws__edge_ranges *ranges)
{
    uint64_t count = 0, filled = 0;
    struct gws__block *block;
    for (int wide = 0; wide <= 1; wide++) {
        for (uint64_t i = 0; (block = gws__edges_block(edges, wide, i)); i++)
            count += (block->count + gws__range_edges - 1) / gws__range_edges;
    }
    ranges->range = gws_allocate(edges->runtime, count, sizeof *ranges->range);
    if (!ranges->range) return GWS_NO_MEMORY;
    ranges->count = count;
    for (int wide = 0; wide <= 1; wide++) {
        for (uint64_t i = 0; (block = gws__edges_block(edges, wide, i)); i++) {
            for (uint64_t at = 0; at < block->count; at += gws__range_edges) {
                uint64_t rest = block->count - at, size = rest < gws__range_edges ? rest : gws__range_edges;
                ranges->range[filled++] =
                    (struct gws__edge_range){.block = *block, .begin = at, .end = at + size, .wide = wide};
            }
        }
    }
    return GWS_OK;
}

static void ranges_close(const struct gws__edges *edges, struct gws__edge_ranges *ranges)
{
    gws_release(edges->runtime, ranges->range, ranges->count, sizeof *ranges->range);
    *ranges = (struct gws__edge_ranges){0};
}

struct id_scan {
    const struct gws__edge_range *range;
    _Atomic uint64_t *bits;
    _Atomic uint32_t largest;
};

static void find_largest(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct id_scan *scan = context;
    uint32_t largest = 0;
    (void)worker;
    for (const struct gws__edge_range *range = scan->range + begin; range < scan->range + end; range++) {
        struct gws_edge buffer[GWS__PACK_EDGES];
        for (uint64_t at = range->begin, count; at < range->end; at += count) {
            const struct gws_edge *edge = gws__block_edges(&range->block, at, range->end, &count, buffer);
            for (uint64_t i = 0; i < count; i++) {
                uint32_t larger = edge[i].from > edge[i].to ? edge[i].from : edge[i].to;
                if (larger > largest) largest = larger;
            }
        }
    }
    /* relaxed, as everywhere in this file, since the loop's barrier orders all accesses before the read of the
     * result */
    uint32_t known = atomic_load_explicit(&scan->largest, memory_order_relaxed);
    while (known < largest && !atomic_compare_exchange_weak_explicit(&scan->largest, &known, largest,
                                                                     memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* Sets the bit of an id. For a repeated id, as most are, the function only reads the word, which stays in every
 * worker's cache. */
static void set_bit(_Atomic uint64_t *bits, uint32_t id)
{
    uint64_t bit = UINT64_C(1) << (id & 63);
    if (atomic_load_explicit(&bits[id >> 6], memory_order_relaxed) & bit) return;
    atomic_fetch_or_explicit(&bits[id >> 6], bit, memory_order_relaxed);
}

static void set_bits(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct id_scan *scan = context;
    (void)worker;
    for (const struct gws__edge_range *range = scan->range + begin; range < scan->range + end; range++) {
        struct gws_edge buffer[GWS__PACK_EDGES];
        for (uint64_t at = range->begin, count; at < range->end; at += count) {
            const struct gws_edge *edge = gws__block_edges(&range->block, at, range->end, &count, buffer);
            for (uint64_t i = 0; i < count; i++) {
                set_bit(scan->bits, edge[i].from);
                set_bit(scan->bits, edge[i].to);
            }
        }
    }
}

static gws_status rank_words(struct gws__id_map *names)
{
    uint64_t before = 0;
    for (uint64_t i = 0; i < names->words; i++) {
        if (gws_cancelled_at(names->runtime, i)) return GWS_CANCELLED;
        names->rank[i] = (uint32_t)before;
        before += (uint64_t)__builtin_popcountll(names->bits[i]);
    }
    names->vertices = before;
    return GWS_OK;
}

static gws_status find_by_bitmap(const struct gws__edges *edges, const struct gws__edge_ranges *ranges,
                                 uint32_t largest, struct gws__id_map *names)
{
    names->words = (uint64_t)largest / 64 + 1;
    names->bits = gws_allocate(edges->runtime, names->words, sizeof *names->bits);
    names->rank = gws_allocate(edges->runtime, names->words, sizeof *names->rank);
    gws_status status = names->bits && names->rank ? GWS_OK : GWS_NO_MEMORY;
    if (status == GWS_OK) {
        struct id_scan scan = {.range = ranges->range, .bits = (_Atomic uint64_t *)names->bits};
        memset(names->bits, 0, names->words * sizeof *names->bits);
        status = gws_parallel_try_for(edges->runtime, ranges->count, 1, set_bits, &scan);
    }
    status = gws__read_ranks_unite(edges->ranks, edges->runtime, status, names->bits, names->words);
    return status == GWS_OK && names->bits && names->rank ? rank_words(names) : status;
}

gws_status gws__id_map_find(const struct gws__edges *edges, struct gws__id_map *names)
{
    struct gws__edge_ranges ranges = {0};
    uint64_t total[2];
    *names = (struct gws__id_map){.runtime = edges->runtime};
    gws_status status = gws__edges_total(edges, total);
    if (status == GWS_OK) status = ranges_open(edges, &ranges);
    if (status != GWS_OK) return status;
    const uint64_t count = total[0];
    struct id_scan scan = {.range = ranges.range};
    const bool small = total[1] == 0;
    if (small) status = gws_parallel_try_for(edges->runtime, ranges.count, 1, find_largest, &scan);
    uint64_t largest = atomic_load_explicit(&scan.largest, memory_order_relaxed);
    status = gws__read_ranks_max(edges->ranks, status, &largest, 1);
    if (status != GWS_OK || (small && count == 0))
        names->vertices = 0;
    else if (small && largest / 64 < 2 * count + 1024)
        status = find_by_bitmap(edges, &ranges, (uint32_t)largest, names);
    else
        status = gws__id_map_sort(edges, &ranges, names);
    ranges_close(edges, &ranges);
    return status;
}

void gws__id_map_close(struct gws__id_map *names)
{
    if (!names->runtime) return;
    gws_release(names->runtime, names->bits, names->words, sizeof *names->bits);
    gws_release(names->runtime, names->rank, names->words, sizeof *names->rank);
    gws_release(names->runtime, names->id, names->ids, sizeof *names->id);
    *names = (struct gws__id_map){0};
}

/* ---- replacing ids by vertices ---- */

struct id_apply {
    const struct gws__id_map *names;
    struct gws__edges *edges;
    const struct gws__edge_range *range;
    uint32_t first; /* the range's first id, which the workers subtract from each id */
    atomic_bool failed;
};

static uint32_t vertex_of(const struct gws__id_map *names, uint64_t id)
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

bool gws__id_map_has(const struct gws__id_map *names, uint64_t id)
{
    if (names->bits) return id / 64 < names->words && (names->bits[id / 64] >> id % 64 & 1);
    return names->vertices > 0 && names->id[vertex_of(names, id)] == id;
}

static void subtract(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct id_apply *apply = context;
    (void)worker;
    for (const struct gws__edge_range *range = apply->range + begin; range < apply->range + end; range++) {
        struct gws_edge buffer[GWS__PACK_EDGES];
        for (uint64_t at = range->begin, count; at < range->end; at += count) {
            struct gws_edge *edge = gws__block_edges(&range->block, at, range->end, &count, buffer);
            for (uint64_t i = 0; i < count; i++) {
                edge[i].from -= apply->first;
                edge[i].to -= apply->first;
            }
            if (range->block.pack) gws__edge_pack_write(range->block.pack, at, edge);
        }
    }
}

static void rename_narrow(const struct id_apply *apply, const struct gws__edge_range *range)
{
    struct gws_edge buffer[GWS__PACK_EDGES];
    for (uint64_t at = range->begin, count; at < range->end; at += count) {
        struct gws_edge *edge = gws__block_edges(&range->block, at, range->end, &count, buffer);
        for (uint64_t i = 0; i < count; i++) {
            edge[i].from = vertex_of(apply->names, edge[i].from);
            edge[i].to = vertex_of(apply->names, edge[i].to);
        }
        if (range->block.pack) gws__edge_pack_write(range->block.pack, at, edge);
    }
}

static void rename_wide(struct id_apply *apply, uint32_t worker, const struct gws__edge_range *range)
{
    uint64_t count = range->end - range->begin;
    struct gws__block *block = gws__edges_reserve(apply->edges, worker, false, count);
    if (!block) {
        atomic_store_explicit(&apply->failed, true,
                              memory_order_relaxed); /* relaxed: the caller reads the value after the loop's barrier */
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct gws__wide_edge edge = range->block.wide[range->begin + i];
        block->edge[block->count + i] =
            (struct gws_edge){.from = vertex_of(apply->names, edge.from), .to = vertex_of(apply->names, edge.to)};
    }
    if (block->weights) /* both blocks have weights of the same kind */
        memcpy(block->weight + block->count, range->block.weight + range->begin, count * sizeof *block->weight);
    block->count += count;
}

static void rename_ranges(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    struct id_apply *apply = context;
    for (const struct gws__edge_range *range = apply->range + begin; range < apply->range + end; range++) {
        if (!range->wide) rename_narrow(apply, range);
        if (range->wide) rename_wide(apply, worker, range);
    }
}

/* Lists the ids in a new array of names->vertices entries. */
static gws_status list_ids(const struct gws__id_map *names, uint64_t **id)
{
    uint64_t made = 0;
    *id = gws_allocate(names->runtime, names->vertices, sizeof **id);
    if (!*id) return GWS_NO_MEMORY;
    if (names->id) memcpy(*id, names->id, names->vertices * sizeof **id);
    for (uint64_t word = 0; names->bits && word < names->words; word++) {
        if (gws_cancelled_at(names->runtime, word)) return GWS_CANCELLED;
        for (uint64_t bits = names->bits[word]; bits; bits &= bits - 1)
            (*id)[made++] = word * 64 + (uint64_t)__builtin_ctzll(bits);
    }
    return GWS_OK;
}

/* Returns true if the ids are 0 .. n - 1 or 1 .. n. */
static bool is_range(const struct gws__id_map *names, uint64_t *first_id)
{
    *first_id = 0;
    if (names->vertices == 0) return true;
    if (!names->bits) return false;
    uint64_t last = names->words * 64 - 1 - (uint64_t)__builtin_clzll(names->bits[names->words - 1]);
    *first_id = (names->bits[0] & 1) == 0;
    return names->vertices == last + 1 - *first_id;
}

gws_status gws__id_map_apply(struct gws__id_map *names, struct gws__edges *edges, uint64_t **id, uint64_t *first_id)
{
    struct gws__edge_ranges ranges = {0};
    struct id_apply apply = {.names = names, .edges = edges};
    *id = NULL;
    bool range = is_range(names, first_id);
    if (range && *first_id == 0) return GWS_OK;
    gws_status status = ranges_open(edges, &ranges);
    if (status == GWS_OK && !range && gws__read_ranks_first(edges->ranks)) status = list_ids(names, id);
    apply.range = ranges.range;
    apply.first = (uint32_t)*first_id;
    if (status == GWS_OK)
        status = gws_parallel_try_for(edges->runtime, ranges.count, 1, range ? subtract : rename_ranges, &apply);
    if (atomic_load_explicit(&apply.failed, memory_order_relaxed)) status = GWS_NO_MEMORY;
    ranges_close(edges, &ranges);
    if (status == GWS_OK) return GWS_OK;
    gws_release(edges->runtime, *id, names->vertices, sizeof **id);
    *id = NULL;
    return status;
}

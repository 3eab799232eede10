/* SPDX-License-Identifier: MIT */
/* A section is cut into blocks of 1 MiB; a worker looks at the structure of a block right after hashing it, while it is
 * in cache. Rows of targets are checked without a branch: a block has as many places where a target is below the one
 * before it as there are row beginnings where that is so, exactly when no row descends within. */
#define XXH_INLINE_ALL
#include "gwsg.h"

#include <stdatomic.h>
#include <string.h>
#include <xxhash.h>

#include "../../lib/parallel.h"

enum { block_bytes = 1 << 20 };

uint64_t gws__gwsg_sum_bytes(const void *bytes, uint64_t size)
{
    return XXH3_64bits(bytes, size);
}

const void *gws__gwsg_array(const struct gws_graph *graph, enum gws__gwsg_kind kind)
{
    switch (kind) {
    case GWS__GWSG_OFFSET:
        return graph->offset;
    case GWS__GWSG_TARGET:
        return graph->target;
    case GWS__GWSG_WEIGHT:
        return graph->weight;
    case GWS__GWSG_POSITION:
        return graph->position;
    case GWS__GWSG_ID:
        return graph->id;
    }
    return NULL;
}

/* ---- structure of items begin .. end - 1 ---- */

static bool offsets_sound(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint64_t *offset = graph->offset;
    bool sound = offset[end - 1] <= graph->arcs;
    if (begin == 0) sound &= offset[0] == 0;
    if (end == graph->vertices + 1) sound &= offset[end - 1] == graph->arcs;
    uint64_t falls = 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) falls += offset[i] < offset[i - 1];
    return sound && falls == 0;
}

static bool ids_sound(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    uint64_t stays = 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) stays += graph->id[i] <= graph->id[i - 1];
    return stays == 0;
}

/* The first vertex whose row begins at or after arc. */
static uint64_t first_row(const struct gws_graph *graph, uint64_t arc)
{
    uint64_t low = 0, high = graph->vertices;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->offset[middle] < arc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t falls_at_rows(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint32_t *target = graph->target;
    uint64_t falls = 0, v = first_row(graph, begin), at;
    for (; v < graph->vertices && (at = graph->offset[v]) < end; v++)
        if (at > 0 && at < graph->offset[v + 1]) falls += target[at] < target[at - 1];
    return falls;
}

static bool targets_sound(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    const uint32_t *target = graph->target;
    uint32_t largest = target[begin], falls = 0;
    for (uint64_t i = begin == 0 ? 1 : begin; i < end; i++) {
        largest = target[i] > largest ? target[i] : largest;
        falls += target[i] < target[i - 1];
    }
    return largest < graph->vertices && falls == falls_at_rows(graph, begin, end);
}

static bool sound_anyway(const struct gws_graph *graph, uint64_t begin, uint64_t end)
{
    (void)graph;
    (void)begin;
    (void)end;
    return true;
}

static const struct {
    uint32_t item_bytes;
    bool (*sound)(const struct gws_graph *graph, uint64_t begin, uint64_t end);
} looks[GWS__GWSG_KINDS] = {
    [GWS__GWSG_OFFSET] = {8, offsets_sound}, [GWS__GWSG_TARGET] = {4, targets_sound},
    [GWS__GWSG_WEIGHT] = {4, sound_anyway},  [GWS__GWSG_POSITION] = {8, sound_anyway},
    [GWS__GWSG_ID] = {8, ids_sound},
};

/* ---- blocks ---- */

struct scan {
    const struct gws_graph *graph;
    enum gws__gwsg_kind kind;
    const unsigned char *bytes;
    uint64_t size;
    uint64_t *sum; /* one for each block */
    bool look;
    atomic_bool unsound; /* relaxed: only ever set, and read after the loop's barrier */
};

static void scan_block(struct scan *scan, uint64_t i)
{
    uint64_t begin = i * block_bytes, left = scan->size - begin, size = left < block_bytes ? left : block_bytes;
    scan->sum[i] = XXH3_64bits(scan->bytes + begin, size);
    uint32_t item = looks[scan->kind].item_bytes;
    if (scan->look && !looks[scan->kind].sound(scan->graph, begin / item, (begin + size) / item))
        atomic_store_explicit(&scan->unsound, true, memory_order_relaxed);
}

static void scan_blocks(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    (void)worker;
    for (uint64_t i = begin; i < end; i++) scan_block(context, i);
}

gws_status gws__gwsg_scan(struct gws_runtime *runtime, const struct gws_graph *graph, enum gws__gwsg_kind kind,
                          uint64_t bytes, uint64_t *checksum, bool *sound)
{
    uint64_t blocks = bytes / block_bytes + (bytes % block_bytes != 0);
    struct scan scan = {.graph = graph,
                        .kind = kind,
                        .bytes = gws__gwsg_array(graph, kind),
                        .size = bytes,
                        .sum = gws_allocate(runtime, blocks, sizeof *scan.sum),
                        .look = sound != NULL};
    if (!scan.sum) return GWS_NO_MEMORY;
    struct gws_loop loop = {.count = blocks, .chunk = 1, .body = scan_blocks, .context = &scan};
    gws_parallel_run(runtime, &loop);
    *checksum = XXH3_64bits(scan.sum, blocks * sizeof *scan.sum);
    if (sound) *sound = !atomic_load_explicit(&scan.unsound, memory_order_relaxed);
    gws_release(runtime, scan.sum, blocks, sizeof *scan.sum);
    return GWS_OK;
}

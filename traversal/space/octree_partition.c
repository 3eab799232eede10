/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* mincore */
#include "octree_partition.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { min_tile = 1 << 12, cached_tile = 1 << 15, max_tile = 1 << 30, tiles_per_worker = 16 };
enum { stream_from = 32 << 20, run = 64, min_run = 32, prefetch_distance = 4 };

static uint64_t columns(const struct gws__octree_partition *partition)
{
    return partition->plan.buckets + UINT64_C(1);
}

/* Returns the range of points of a tile. */
static struct gws_range tile_range(const struct gws__octree_partition *partition, uint64_t tile)
{
    uint64_t count = partition->state->points->count, begin = tile * partition->tile_points, rest = count - begin;
    return (struct gws_range){begin, begin + (rest < partition->tile_points ? rest : partition->tile_points)};
}

/* Chooses tiles that are large enough for long runs of each bucket, but that still fit a cache of one or two
 * megabytes. Each worker gets several tiles, so the last tiles delay the loop little. */
static void choose_tiles(struct gws__octree_partition *partition)
{
    uint64_t points = partition->state->points->count, points_per_tile = run * columns(partition);
    uint64_t share = points / (tiles_per_worker * (uint64_t)gws_runtime_workers(partition->state->runtime));
    if (points_per_tile > cached_tile) points_per_tile = min_run * columns(partition);
    if (points_per_tile < cached_tile) points_per_tile = cached_tile;
    if (points_per_tile > share) points_per_tile = share;
    if (points_per_tile < min_tile) points_per_tile = min_tile;
    partition->tile_points = points_per_tile < max_tile ? points_per_tile : max_tile;
    partition->tiles = points / partition->tile_points + (points % partition->tile_points != 0);
}

/* ---- one tile ---- */

/* Computes the keys and buckets of a tile's points. row[b + 1] counts the points of bucket b. */
static void count_tile(const struct gws__octree_partition *partition, struct gws_range tile, uint64_t *key,
                       uint16_t *bucket, uint32_t *row)
{
    memset(row, 0, (columns(partition) + 1) * sizeof *row);
    for (uint64_t at = tile.begin; at < tile.end; at += gws__octree_block) {
        uint64_t count = tile.end - at < gws__octree_block ? tile.end - at : gws__octree_block;
        gws__octree_keys(&partition->state->grid, partition->state->points, at, count, key);
        gws__octree_buckets_of(&partition->plan, key, (unsigned)count, bucket);
        for (uint64_t i = 0; i < count; i++) row[bucket[i] + 1]++;
        key += count;
        bucket += count;
    }
}

/* Replaces row[b + 1] by the beginning of bucket b, which write_tile() advances to the end. */
static void counts_to_offsets(const struct gws__octree_partition *partition, uint32_t *row, uint64_t *total)
{
    uint32_t sum = 0;
    for (uint64_t b = 0; b < columns(partition); b++) {
        uint32_t count = row[b + 1];
        row[b + 1] = sum;
        sum += count;
        total[b] += count;
    }
}

/* Writes the records in bucket order to the tile, or to the worker's staging copy, from which it streams them to the
 * tile. */
static void write_tile(const struct gws__octree_partition *partition, uint32_t worker, struct gws_range tile,
                       const uint64_t *key, const uint16_t *bucket, uint32_t *next)
{
    uint64_t *destination = partition->record + tile.begin,
             *record = partition->staging ? partition->staging + worker * partition->tile_points : destination;
    const uint8_t *level = partition->plan.level;
    uint64_t mask = gws__octree_number_mask(partition->state->points->count), count = tile.end - tile.begin;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t rest = key[i] << ((3U * level[bucket[i]] + 1) & 63);
        record[next[bucket[i]]++] = (rest & ~mask) | (tile.begin + i);
    }
    if (partition->staging) gws__octree_stream(destination, record, count * sizeof *record);
}

static void partition_tiles(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__octree_partition *partition = context;
    uint64_t *key = partition->key + worker * partition->tile_points;
    uint16_t *bucket = partition->bucket + worker * partition->tile_points;
    for (uint64_t p = begin; p < end; p++) {
        struct gws_range tile = tile_range(partition, p);
        uint32_t *row = partition->begin + p * (columns(partition) + 1);
        count_tile(partition, tile, key, bucket, row);
        counts_to_offsets(partition, row, partition->total + worker * columns(partition));
        write_tile(partition, worker, tile, key, bucket, row + 1);
    }
}

/* ---- the whole partition ---- */

static void sum_totals(struct gws__octree_partition *partition)
{
    uint64_t sum = 0, workers = gws_runtime_workers(partition->state->runtime);
    for (uint64_t b = 0; b < columns(partition); b++) {
        partition->start[b] = sum;
        for (uint64_t w = 0; w < workers; w++) sum += partition->total[w * columns(partition) + b];
    }
    partition->start[columns(partition)] = sum;
}

/* Merges the buckets of split octants that are leaves after all. Such octants exist only if K is large, because a
 * split octant holds many points of the sample. The octant has span entries from `at` on. */
static void merge_leaf_buckets(struct gws__octree_partition *partition, uint32_t at, uint32_t span, unsigned level)
{
    const struct gws__octree_plan *plan = &partition->plan;
    uint32_t end, first = gws__octree_plan_below(plan, at, span, &end);
    if (gws__octree_plan_is_bucket(plan, at, level)) {
        partition->end[first] = end;
    } else if (partition->start[end] - partition->start[first] <= partition->state->leaf) {
        for (uint32_t b = first + 1; b < end; b++) partition->end[b] = b;
        partition->end[first] = end;
    } else if (span == 1) {
        merge_leaf_buckets(partition, plan->table[at] & ~GWS__OCTREE_SPLIT, gws__octree_table_size, level);
    } else {
        for (uint32_t c = 0; c < 8; c++) merge_leaf_buckets(partition, at + c * (span / 8), span / 8, level + 1);
    }
}

static void release_scratch(struct gws__octree_partition *partition)
{
    struct gws_runtime *runtime = partition->state->runtime;
    uint64_t workers = gws_runtime_workers(runtime);
    gws_release(runtime, partition->total, workers * columns(partition), sizeof *partition->total);
    gws_release(runtime, partition->key, workers * partition->tile_points, sizeof *partition->key);
    gws_release(runtime, partition->bucket, workers * partition->tile_points, sizeof *partition->bucket);
    gws_release(runtime, partition->staging, workers * partition->tile_points, sizeof *partition->staging);
    partition->total = partition->key = NULL;
    partition->bucket = NULL;
    partition->staging = NULL;
}

static gws_status allocate_arrays(struct gws__octree_partition *partition)
{
    struct gws_runtime *runtime = partition->state->runtime;
    uint64_t workers = gws_runtime_workers(runtime);
    partition->record = gws_allocate(runtime, partition->state->points->count, sizeof *partition->record);
    partition->begin = gws_allocate(runtime, partition->tiles * (columns(partition) + 1), sizeof *partition->begin);
    partition->start = gws_allocate(runtime, columns(partition) + 1, sizeof *partition->start);
    partition->end = gws_allocate(runtime, partition->plan.buckets, sizeof *partition->end);
    partition->total = gws_allocate(runtime, workers * columns(partition), sizeof *partition->total);
    partition->key = gws_allocate(runtime, workers * partition->tile_points, sizeof *partition->key);
    partition->bucket = gws_allocate(runtime, workers * partition->tile_points, sizeof *partition->bucket);
    bool complete = partition->record && partition->begin && partition->start && partition->end && partition->total &&
                    partition->key && partition->bucket;
    uint64_t bytes = partition->state->points->count * sizeof *partition->record;
    bool streams = complete && bytes >= stream_from && gws__octree_is_touched(partition->record, bytes);
    if (streams)
        partition->staging = gws_allocate(runtime, workers * partition->tile_points, sizeof *partition->staging);
    complete &= !streams || partition->staging;
    if (complete) memset(partition->total, 0, workers * columns(partition) * sizeof *partition->total);
    return complete ? GWS_OK : GWS_NO_MEMORY;
}

gws_status gws__octree_partition_make(struct gws__octree_partition *partition, uint64_t bucket_points)
{
    gws_status status = gws__octree_plan_make(partition->state, bucket_points, &partition->plan);
    if (status != GWS_OK) return status;
    choose_tiles(partition);
    status = allocate_arrays(partition);
    if (status != GWS_OK) return status;
    struct gws_loop loop = {.count = partition->tiles, .chunk = 1, .body = partition_tiles, .context = partition};
    status = gws_parallel_try(partition->state->runtime, &loop);
    if (status != GWS_OK) return status;
    sum_totals(partition);
    merge_leaf_buckets(partition, 0, gws__octree_table_size, 0);
    release_scratch(partition);
    return GWS_OK;
}

/* ---- a bucket ---- */

/* Prefetches some runs ahead, because runs are short, and the hardware prefetcher cannot predict where a run begins. */
void gws__octree_bucket_gather(const struct gws__octree_partition *partition, uint64_t bucket, uint64_t *to)
{
    enum { in_line = 8 };
    for (uint64_t p = 0; p < partition->tiles; p++) {
        if (p + prefetch_distance < partition->tiles) {
            struct gws_range later = gws__octree_bucket_run(partition, p + prefetch_distance, bucket);
            for (uint64_t at = later.begin; at < later.end; at += in_line) __builtin_prefetch(partition->record + at);
        }
        struct gws_range here = gws__octree_bucket_run(partition, p, bucket);
        memcpy(to, partition->record + here.begin, (here.end - here.begin) * sizeof *to);
        to += here.end - here.begin;
    }
}

void gws__octree_partition_clear(struct gws__octree_partition *partition)
{
    struct gws_runtime *runtime = partition->state->runtime;
    release_scratch(partition);
    gws_release(runtime, partition->record, partition->state->points->count, sizeof *partition->record);
    gws_release(runtime, partition->begin, partition->tiles * (columns(partition) + 1), sizeof *partition->begin);
    gws_release(runtime, partition->start, columns(partition) + 1, sizeof *partition->start);
    gws_release(runtime, partition->end, partition->plan.buckets, sizeof *partition->end);
    gws__octree_plan_clear(runtime, &partition->plan);
}

/* Implements the stores of octree_partition.h. Non-temporal stores are not ordered with other stores. A fence follows
 * them, so the caller's next release covers them too. */

#if defined __x86_64__
#include <emmintrin.h>
#endif

/* Tests one page in the middle. */
bool gws__octree_is_touched(const void *memory, uint64_t bytes)
{
#ifdef __linux__
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), middle = ((uintptr_t)memory + bytes / 2) / page * page;
    unsigned char resident = 0;
    return mincore((void *)middle, page, &resident) == 0 && (resident & 1); // NOLINT(performance-no-int-to-ptr)
#else
    (void)memory;
    (void)bytes;
    return false;
#endif
}

void gws__octree_stream(void *to, const void *from, uint64_t bytes)
{
#if defined __x86_64__
    enum { line = 64 };
    char *next = to;
    const char *at = from;
    uint64_t head = (line - (uintptr_t)to % line) % line;
    if (head > bytes) head = bytes;
    memcpy(next, at, head);
    for (next += head, at += head, bytes -= head; bytes >= line; next += line, at += line, bytes -= line)
        for (int i = 0; i < line; i += (int)sizeof(__m128i))
            _mm_stream_si128((__m128i *)(void *)(next + i), _mm_loadu_si128((const __m128i *)(const void *)(at + i)));
    memcpy(next, at, bytes);
    _mm_sfence();
#else
    memcpy(to, from, bytes);
#endif
}

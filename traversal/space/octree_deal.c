/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* mincore */
#include "octree_deal.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { least_piece = 1 << 12, cached_piece = 1 << 15, most_piece = 1 << 30, pieces_a_worker = 16 };
enum { past_from = 32 << 20, stretch = 64, least_stretch = 32, ahead = 4 };

static uint64_t columns(const struct gws__octree_deal *deal)
{
    return deal->plan.buckets + UINT64_C(1);
}

/* The points of a piece. */
static struct gws_range piece_of(const struct gws__octree_deal *deal, uint64_t piece)
{
    uint64_t count = deal->state->points->count, begin = piece * deal->most, rest = count - begin;
    return (struct gws_range){begin, begin + (rest < deal->most ? rest : deal->most)};
}

/* Long enough for a bucket's stretch in it to be worth going there; shorter where it would leave a cache of a megabyte
 * or two. But a good few for each worker, so that the last ones delay the loop little. */
static void cut_pieces(struct gws__octree_deal *deal)
{
    uint64_t points = deal->state->points->count, most = stretch * columns(deal);
    uint64_t few = points / (pieces_a_worker * (uint64_t)gws_runtime_workers(deal->state->runtime));
    if (most > cached_piece) most = least_stretch * columns(deal);
    if (most < cached_piece) most = cached_piece;
    if (most > few) most = few;
    if (most < least_piece) most = least_piece;
    deal->most = most < most_piece ? most : most_piece;
    deal->pieces = points / deal->most + (points % deal->most != 0);
}

/* ---- one piece ---- */

/* The keys and buckets of a piece's points; row[b + 1] counts those of bucket b. */
static void count_piece(const struct gws__octree_deal *deal, struct gws_range piece, uint64_t *key, uint16_t *bucket,
                        uint32_t *row)
{
    memset(row, 0, (columns(deal) + 1) * sizeof *row);
    for (uint64_t at = piece.begin; at < piece.end; at += gws__octree_block) {
        uint64_t count = piece.end - at < gws__octree_block ? piece.end - at : gws__octree_block;
        gws__octree_keys(&deal->state->grid, deal->state->points, at, count, key);
        gws__octree_buckets_of(&deal->plan, key, (unsigned)count, bucket);
        for (uint64_t i = 0; i < count; i++) row[bucket[i] + 1]++;
        key += count;
        bucket += count;
    }
}

/* row[b + 1] becomes where bucket b begins; once its records are written, it is where they end. */
static void counts_to_places(const struct gws__octree_deal *deal, uint32_t *row, uint64_t *total)
{
    uint32_t sum = 0;
    for (uint64_t b = 0; b < columns(deal); b++) {
        uint32_t count = row[b + 1];
        row[b + 1] = sum;
        sum += count;
        total[b] += count;
    }
}

/* Into their order where the piece lies, or in the worker's own room, from where they go past the caches. */
static void write_piece(const struct gws__octree_deal *deal, uint32_t worker, struct gws_range piece,
                        const uint64_t *key, const uint16_t *bucket, uint32_t *next)
{
    uint64_t *there = deal->record + piece.begin, *record = deal->room ? deal->room + worker * deal->most : there;
    const uint8_t *level = deal->plan.level;
    uint64_t mask = gws__octree_number_mask(deal->state->points->count), count = piece.end - piece.begin;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t rest = key[i] << ((3U * level[bucket[i]] + 1) & 63);
        record[next[bucket[i]]++] = (rest & ~mask) | (piece.begin + i);
    }
    if (deal->room) gws__octree_stream(there, record, count * sizeof *record);
}

static void deal_pieces(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__octree_deal *deal = context;
    uint64_t *key = deal->key + worker * deal->most;
    uint16_t *bucket = deal->bucket + worker * deal->most;
    for (uint64_t p = begin; p < end; p++) {
        struct gws_range piece = piece_of(deal, p);
        uint32_t *row = deal->begin + p * (columns(deal) + 1);
        count_piece(deal, piece, key, bucket, row);
        counts_to_places(deal, row, deal->total + worker * columns(deal));
        write_piece(deal, worker, piece, key, bucket, row + 1);
    }
}

/* ---- all ---- */

static void sum_up(struct gws__octree_deal *deal)
{
    uint64_t sum = 0, workers = gws_runtime_workers(deal->state->runtime);
    for (uint64_t b = 0; b < columns(deal); b++) {
        deal->start[b] = sum;
        for (uint64_t w = 0; w < workers; w++) sum += deal->total[w * columns(deal) + b];
    }
    deal->start[columns(deal)] = sum;
}

/* An octant that was cut but is a leaf, after all. Only where K is large can there be any, since it was seen to hold
 * many points of the sample. It has span entries from at on. */
static void put_together(struct gws__octree_deal *deal, uint32_t at, uint32_t span, unsigned level)
{
    const struct gws__octree_plan *plan = &deal->plan;
    uint32_t end, first = gws__octree_plan_below(plan, at, span, &end);
    if (gws__octree_plan_is_bucket(plan, at, level)) {
        deal->end[first] = end;
    } else if (deal->start[end] - deal->start[first] <= deal->state->leaf) {
        for (uint32_t b = first + 1; b < end; b++) deal->end[b] = b;
        deal->end[first] = end;
    } else if (span == 1) {
        put_together(deal, plan->table[at] & ~GWS__OCTREE_SPLIT, gws__octree_table_size, level);
    } else {
        for (uint32_t c = 0; c < 8; c++) put_together(deal, at + c * (span / 8), span / 8, level + 1);
    }
}

static void clear_scratch(struct gws__octree_deal *deal)
{
    struct gws_runtime *runtime = deal->state->runtime;
    uint64_t workers = gws_runtime_workers(runtime);
    gws_release(runtime, deal->total, workers * columns(deal), sizeof *deal->total);
    gws_release(runtime, deal->key, workers * deal->most, sizeof *deal->key);
    gws_release(runtime, deal->bucket, workers * deal->most, sizeof *deal->bucket);
    gws_release(runtime, deal->room, workers * deal->most, sizeof *deal->room);
    deal->total = deal->key = NULL;
    deal->bucket = NULL;
    deal->room = NULL;
}

static gws_status make_room(struct gws__octree_deal *deal)
{
    struct gws_runtime *runtime = deal->state->runtime;
    uint64_t workers = gws_runtime_workers(runtime);
    deal->record = gws_allocate(runtime, deal->state->points->count, sizeof *deal->record);
    deal->begin = gws_allocate(runtime, deal->pieces * (columns(deal) + 1), sizeof *deal->begin);
    deal->start = gws_allocate(runtime, columns(deal) + 1, sizeof *deal->start);
    deal->end = gws_allocate(runtime, deal->plan.buckets, sizeof *deal->end);
    deal->total = gws_allocate(runtime, workers * columns(deal), sizeof *deal->total);
    deal->key = gws_allocate(runtime, workers * deal->most, sizeof *deal->key);
    deal->bucket = gws_allocate(runtime, workers * deal->most, sizeof *deal->bucket);
    bool all = deal->record && deal->begin && deal->start && deal->end && deal->total && deal->key && deal->bucket;
    uint64_t bytes = deal->state->points->count * sizeof *deal->record;
    bool past = all && bytes >= past_from && gws__octree_is_touched(deal->record, bytes);
    if (past) deal->room = gws_allocate(runtime, workers * deal->most, sizeof *deal->room);
    all &= !past || deal->room;
    if (all) memset(deal->total, 0, workers * columns(deal) * sizeof *deal->total);
    return all ? GWS_OK : GWS_NO_MEMORY;
}

gws_status gws__octree_deal_make(struct gws__octree_deal *deal, uint64_t bucket_points)
{
    gws_status status = gws__octree_plan_make(deal->state, bucket_points, &deal->plan);
    if (status != GWS_OK) return status;
    cut_pieces(deal);
    status = make_room(deal);
    if (status != GWS_OK) return status;
    struct gws_loop loop = {.count = deal->pieces, .chunk = 1, .body = deal_pieces, .context = deal};
    gws_parallel_run(deal->state->runtime, &loop);
    sum_up(deal);
    put_together(deal, 0, gws__octree_table_size, 0);
    clear_scratch(deal);
    return GWS_OK;
}

/* ---- a bucket ---- */

/* Stretches are short, and each begins where no processor would look by itself: they are asked for some ahead. */
void gws__octree_deal_gather(const struct gws__octree_deal *deal, uint64_t bucket, uint64_t *to)
{
    enum { in_line = 8 };
    for (uint64_t p = 0; p < deal->pieces; p++) {
        if (p + ahead < deal->pieces) {
            struct gws_range later = gws__octree_deal_stretch(deal, p + ahead, bucket);
            for (uint64_t at = later.begin; at < later.end; at += in_line) __builtin_prefetch(deal->record + at);
        }
        struct gws_range here = gws__octree_deal_stretch(deal, p, bucket);
        memcpy(to, deal->record + here.begin, (here.end - here.begin) * sizeof *to);
        to += here.end - here.begin;
    }
}

void gws__octree_deal_clear(struct gws__octree_deal *deal)
{
    struct gws_runtime *runtime = deal->state->runtime;
    clear_scratch(deal);
    gws_release(runtime, deal->record, deal->state->points->count, sizeof *deal->record);
    gws_release(runtime, deal->begin, deal->pieces * (columns(deal) + 1), sizeof *deal->begin);
    gws_release(runtime, deal->start, columns(deal) + 1, sizeof *deal->start);
    gws_release(runtime, deal->end, deal->plan.buckets, sizeof *deal->end);
    gws__octree_plan_clear(runtime, &deal->plan);
}

/* See octree_deal.h. Stores past the caches are ordered with nothing else: a fence follows them, so that the caller's
 * next release covers them, too. */

#if defined __x86_64__
#include <emmintrin.h>
#endif

/* One page in the middle stands for all. */
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

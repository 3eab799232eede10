/* SPDX-License-Identifier: MIT */
/* Arcs are packed in runs. A run is sorted by bucket of consecutive rows, so an arc needs only the low bits of its row,
 * and its target: with buckets of 2^12 arcs, a graph of 2^20 vertices and 2^24 arcs takes 28 bits an arc. A run lies
 * in pages. A bucket is filled from all runs, and a page is freed when its last bucket is filled. */
#include "arc_store.h"

#include <string.h>

#include "../base/memory.h"
#include "../bits.h"

enum {
    bucket_arcs = 1 << 12,
    page_arcs = 1 << 13,
    min_run_arcs = 1 << 16,
    mean_runs = 64,   /* runs for a rank with the expected arcs */
    worker_runs = 16, /* more of them for each worker, as each worker packs a run */
    windows = 64,     /* after each, the pages of its arcs are freed */
    slack = 8         /* bytes behind the packed arcs, which are read and written 8 at a time */
};

struct gws__arc_run {
    struct gws__arc_run *next;
    uint64_t count;
    uint64_t freed; /* pages */
    uint32_t *end;  /* [bucket]: arcs in it and in all buckets before */
    char **page;    /* of page_arcs arcs: their bits, then their weights */
};

/* ---- pages ---- */

static uint64_t pages_of(const struct gws__arc_run *run)
{
    return (run->count + page_arcs - 1) / page_arcs;
}

static uint64_t bit_bytes(const struct gws__arc_store *store)
{
    return ((uint64_t)page_arcs * store->width + 7) / 8 + slack;
}

static uint64_t page_bytes(const struct gws__arc_store *store)
{
    return bit_bytes(store) + (store->weighted ? page_arcs * sizeof(int32_t) : 0);
}

static inline char *weight_at(const struct gws__arc_store *store, const struct gws__arc_run *run, uint64_t i)
{
    return run->page[i / page_arcs] + bit_bytes(store) + i % page_arcs * sizeof(int32_t);
}

/* Sets the bits of arc i, which are 0. */
static inline void write_arc(const struct gws__arc_store *store, const struct gws__arc_run *run, uint64_t i,
                             uint64_t arc)
{
    gws_bits_put(run->page[i / page_arcs], i % page_arcs * store->width, arc);
}

static inline uint64_t read_arc(const struct gws__arc_store *store, const struct gws__arc_run *run, uint64_t i)
{
    return gws_bits_get(run->page[i / page_arcs], i % page_arcs * store->width, store->width);
}

/* Frees the pages before arc `end`; all if that is the run's count. */
static void free_pages(const struct gws__arc_store *store, struct gws__arc_run *run, uint64_t end)
{
    const uint64_t last = end == run->count ? pages_of(run) : end / page_arcs;
    for (; run->freed < last; run->freed++) gws_release(store->runtime, run->page[run->freed], page_bytes(store), 1);
}

/* ---- packing ---- */

static void run_free(const struct gws__arc_store *store, struct gws__arc_run *run)
{
    if (!run) return;
    if (run->page) free_pages(store, run, run->count);
    gws_release(store->runtime, run->page, pages_of(run), sizeof *run->page);
    gws_release(store->runtime, run->end, store->buckets, sizeof *run->end);
    gws_release(store->runtime, run, 1, sizeof *run);
}

static bool run_open(const struct gws__arc_store *store, struct gws__arc_run *run)
{
    const uint64_t pages = pages_of(run);
    bool open = true;
    run->end = gws_allocate(store->runtime, store->buckets, sizeof *run->end);
    run->page = gws_allocate(store->runtime, pages, sizeof *run->page);
    if (run->page) memset((void *)run->page, 0, pages * sizeof *run->page);
    if (!run->end || !run->page) return false;
    memset(run->end, 0, store->buckets * sizeof *run->end);
    for (uint64_t i = 0; i < pages; i++) {
        run->page[i] = gws_allocate(store->runtime, page_bytes(store), 1);
        if (run->page[i]) memset(run->page[i], 0, bit_bytes(store));
        open &= run->page[i] != NULL;
    }
    return open;
}

static inline struct gws_edge edge_at(const struct gws__arc_store *store, uint64_t i)
{
    struct gws_edge edge;
    memcpy(&edge, store->staged + i * gws__arc_item_bytes(store->weighted), sizeof edge);
    return edge;
}

/* Packs count staged arcs from `first` on. */
static void fill_run(const struct gws__arc_store *store, const struct gws__arc_run *run, uint64_t first)
{
    const uint64_t low = (UINT64_C(1) << store->shift) - 1;
    uint32_t sum = 0;
    for (uint64_t i = first; i < first + run->count; i++) run->end[edge_at(store, i).from >> store->shift]++;
    for (uint64_t bucket = 0; bucket < store->buckets; bucket++) {
        const uint32_t count = run->end[bucket];
        run->end[bucket] = sum;
        sum += count;
    }
    for (uint64_t i = first; i < first + run->count; i++) {
        const struct gws_edge edge = edge_at(store, i);
        const uint64_t place = run->end[edge.from >> store->shift]++;
        write_arc(store, run, place, (edge.from & low) << store->target_bits | edge.to);
        if (store->weighted)
            memcpy(weight_at(store, run, place), store->staged + i * sizeof(struct gws__arc_item) + sizeof edge,
                   sizeof(int32_t));
    }
}

static void pack_pieces(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__arc_store *store = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t first = i * store->run_arcs;
        struct gws__arc_run *run = gws_allocate(store->runtime, 1, sizeof *run);
        if (run) {
            *run = (struct gws__arc_run){.count = gws_smaller(store->run_arcs, store->staged_arcs - first)};
            if (run_open(store, run)) {
                fill_run(store, run, first);
            } else {
                run_free(store, run);
                run = NULL;
            }
        }
        store->made[i] = run;
    }
}

/* Packs the staged arcs. */
static gws_status pack(struct gws__arc_store *store)
{
    const uint64_t pieces = (store->staged_arcs + store->run_arcs - 1) / store->run_arcs;
    gws_status status = GWS_OK;
    gws_parallel_for(store->runtime, pieces, 1, pack_pieces, store);
    for (uint64_t i = 0; i < pieces; i++) {
        struct gws__arc_run *run = store->made[i];
        if (!run) status = GWS_NO_MEMORY;
        if (!run) continue;
        run->next = store->runs;
        store->runs = run;
        for (uint64_t bucket = 0; bucket < store->buckets; bucket++)
            store->start[bucket] += run->end[bucket] - (bucket > 0 ? run->end[bucket - 1] : 0);
    }
    store->staged_arcs = 0;
    return status;
}

gws_status gws__arc_store_add(struct gws__arc_store *store, const void *items, uint64_t count)
{
    const uint64_t bytes = gws__arc_item_bytes(store->weighted), capacity = store->pieces * store->run_arcs;
    const char *from = items;
    gws_status status = GWS_OK;
    while (count > 0 && status == GWS_OK) {
        const uint64_t now = gws_smaller(count, capacity - store->staged_arcs);
        memcpy(store->staged + store->staged_arcs * bytes, from, now * bytes);
        store->staged_arcs += now;
        from += now * bytes;
        count -= now;
        if (store->staged_arcs == capacity) status = pack(store);
    }
    return status;
}

static void free_staged(struct gws__arc_store *store)
{
    gws_release(store->runtime, store->staged, store->pieces * store->run_arcs, gws__arc_item_bytes(store->weighted));
    store->staged = NULL;
}

gws_status gws__arc_store_end(struct gws__arc_store *store, uint64_t *arcs)
{
    gws_status status = pack(store);
    free_staged(store);
    *arcs = gws__prefix_sum(store->start, store->buckets + 1);
    return status;
}

/* ---- opening and closing ---- */

gws_status gws__arc_store_open(struct gws_runtime *runtime, uint64_t rows, uint64_t targets, uint64_t expected,
                               bool weighted, struct gws__arc_store *store)
{
    const uint64_t workers = gws_runtime_workers(runtime);
    *store = (struct gws__arc_store){.runtime = runtime,
                                     .rows = rows,
                                     .weighted = weighted,
                                     .target_bits = gws__bits_below(targets),
                                     .pieces = workers};
    store->shift = gws__rows_shift(rows, expected, bucket_arcs);
    store->width = store->shift + store->target_bits;
    store->buckets = (rows + (UINT64_C(1) << store->shift) - 1) >> store->shift;
    store->run_arcs = expected / (mean_runs + worker_runs * workers);
    if (store->run_arcs < min_run_arcs) store->run_arcs = min_run_arcs;
    if (store->run_arcs > INT32_MAX) store->run_arcs = INT32_MAX;
    store->start = gws_allocate(runtime, store->buckets + 1, sizeof *store->start);
    store->made = gws_allocate(runtime, workers, sizeof(struct gws__arc_run *));
    store->staged = gws_allocate(runtime, workers * store->run_arcs, gws__arc_item_bytes(weighted));
    if (!store->start || !store->made || !store->staged) return GWS_NO_MEMORY;
    memset(store->start, 0, (store->buckets + 1) * sizeof *store->start);
    return GWS_OK;
}

void gws__arc_store_close(struct gws__arc_store *store)
{
    while (store->runs) {
        struct gws__arc_run *next = store->runs->next;
        run_free(store, store->runs);
        store->runs = next;
    }
    if (!store->runtime) return;
    free_staged(store);
    gws_release(store->runtime, store->made, store->pieces, sizeof(struct gws__arc_run *));
    gws_release(store->runtime, store->start, store->buckets + 1, sizeof *store->start);
    *store = (struct gws__arc_store){0};
}

/* ---- moving ---- */

/* Copies the arcs of a bucket from all runs. */
static void fill_bucket(void *context, uint64_t bucket, const struct gws__arcs *arcs)
{
    const struct gws__arc_store *store = context;
    const uint64_t target = (UINT64_C(1) << store->target_bits) - 1;
    uint64_t made = 0;
    for (const struct gws__arc_run *run = store->runs; run; run = run->next) {
        for (uint64_t i = bucket > 0 ? run->end[bucket - 1] : 0; i < run->end[bucket]; i++) {
            const uint64_t arc = read_arc(store, run, i);
            arcs->low[made] = (uint16_t)(arc >> store->target_bits);
            arcs->target[made] = (uint32_t)(arc & target);
            if (store->weighted) memcpy(&arcs->weight[made], weight_at(store, run, i), sizeof(int32_t));
            made++;
        }
    }
}

static void free_buckets(void *context, uint64_t end)
{
    const struct gws__arc_store *store = context;
    for (struct gws__arc_run *run = store->runs; run; run = run->next) free_pages(store, run, run->end[end - 1]);
    gws__memory_trim();
}

gws_status gws__arc_store_move(struct gws__arc_store *store, struct gws_graph *graph, bool remove_duplicates)
{
    const struct gws__row_source source = {.context = store,
                                           .shift = store->shift,
                                           .buckets = store->buckets,
                                           .start = store->start,
                                           .windows = windows,
                                           .target_bits = store->target_bits,
                                           .fill = fill_bucket,
                                           .filled = free_buckets};
    return gws__graph_fill_rows(store->runtime, graph, &source, remove_duplicates);
}

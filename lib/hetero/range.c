/* SPDX-License-Identifier: MIT */
/* The host's side of a two-ended range; see range.h. */
#include "range.h"

#include <string.h>

bool gws__range_next(struct gws__range *range, uint32_t worker, uint64_t *chunk)
{
    struct gws__range_worker *mine = &range->worker[worker];
    uint64_t end;
    if (!gws__range_claim(&range->protocol, range->order, range->count, 1, chunk, &end)) return false;
    mine->ran++;
    mine->stolen += *chunk >= range->split;
    return true;
}

struct part {
    struct gws__range *range;
    const struct gws__range_work *work;
};

static void run_worker(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct part *part = context;
    (void)begin;
    (void)end;
    part->work->run_range(part->work->context, worker);
}

static void fill_order(const struct gws__protocol *protocol, const uint64_t *more)
{
    for (uint32_t w = ORDER_MORE; w < PROTOCOL_SLOT; w++) gws__protocol_word(protocol, w, more[w - ORDER_MORE]);
}

/* Shares are those of the last range, where both sides took the same time. */
static void publish_range(struct gws__range *range, const struct gws__range_work *work)
{
    range->split = range->device_only ? 0 : gws__share_first(&range->share, range->count);
    range->stats.cpu_given += range->split;
    range->stats.device_given += range->count - range->split;
    gws__protocol_word(&range->protocol, ORDER_SPLIT, range->split);
    fill_order(&range->protocol, work->more);
    range->order = gws__protocol_publish(&range->protocol, work->kind, range->count,
                                         range->device_only ? range->count : range->groups + range->window);
}

static void run_workers(struct gws__range *range, const struct gws__range_work *work)
{
    struct part part = {range, work};
    struct gws_loop loop = {
        .count = gws_runtime_workers(range->runtime), .chunk = 1, .body = run_worker, .context = &part};
    if (!range->device_only) gws_parallel_run(range->runtime, &loop);
}

static uint64_t cpu_chunks(const struct gws__range *range)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < gws_runtime_workers(range->runtime); w++) sum += range->worker[w].ran;
    return sum;
}

static void add_stats(struct gws__range *range, double began)
{
    struct gws__range_stats *stats = &range->stats;
    double ms = gws_clock_ms() - began;
    uint64_t cpu = cpu_chunks(range) - stats->cpu_chunks;
    gws__share_add(&range->share, 0, cpu, ms);
    gws__share_add(&range->share, 1, range->ran, ms);
    stats->ranges++;
    stats->chunks += range->count;
    stats->cpu_chunks += cpu;
    stats->device_chunks += range->ran;
}

gws_status gws__range_run(struct gws__range *range, const struct gws__range_work *work, struct gws_where *where)
{
    double began = gws_clock_ms();
    gws_status status = gws__protocol_start(&range->protocol, where);
    if (status != GWS_OK) return status;
    publish_range(range, work);
    run_workers(range, work);
    fill_order(&range->protocol, work->merge_more);
    range->merged = gws__protocol_publish(&range->protocol, ORDER_MERGE, 0, 0);
    status = gws__protocol_wait(&range->protocol, range->order, where);
    if (status != GWS_OK) return status;
    range->ran = gws__protocol_answer(&range->protocol, range->order, REPLY_RAN);
    work->merge(work->context);
    status = gws__protocol_wait(&range->protocol, range->merged, where);
    if (status == GWS_OK) add_stats(range, began);
    return status;
}

void gws__range_reset(struct gws__range *range)
{
    memset(range->worker, 0, gws_runtime_workers(range->runtime) * sizeof *range->worker);
    memset(range->group, 0, range->groups * RANGE_STATS * sizeof *range->group);
    range->stats = (struct gws__range_stats){0};
}

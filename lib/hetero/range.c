/* SPDX-License-Identifier: MIT */
/* The host's side of the two-ended range and of the host-device protocol (range.h). It starts the kernel and waits for
 * its replies. */
#include "range.h"

#include <sched.h>
#include <string.h>

/* ---- the kernel ---- */

enum { polls_a_yield = 64, polls_a_clock = 1024 };

gws_status gws__protocol_start(struct gws__protocol *protocol, struct gws_diagnostic *where)
{
    if (protocol->running && !gws__protocol_exited(protocol)) return GWS_OK;
    protocol->launches++;
    gws_status status = gws_device_run(protocol->device, &protocol->launch, where);
    protocol->running = status == GWS_OK;
    return status;
}

/* Waits for a reply, and checks occasionally that the kernel still runs. */
static gws_status look_after(struct gws__protocol *protocol, uint64_t order, double until, struct gws_diagnostic *where)
{
    bool done = false;
    gws_status status = gws_device_poll(protocol->device, &done, where);
    if (status != GWS_OK) return status;
    if (gws__protocol_exited(protocol)) return gws__protocol_start(protocol, where);
    if (gws__protocol_replied(protocol, order)) return GWS_OK;
    if (!done && gws_clock_ms() < until) return GWS_OK;
    return gws_diagnostic_set(where, GWS_DEVICE, NULL, 0, 0, "%s: %s", gws_device_describe(protocol->device)->address,
                              done ? "the kernel ended without a reply" : "no reply from the kernel");
}

gws_status gws__protocol_wait(struct gws__protocol *protocol, uint64_t order, struct gws_diagnostic *where)
{
    gws_status status = GWS_OK;
    double until = gws_clock_ms() + protocol->limit_ms;
    for (uint64_t polls = 1; status == GWS_OK && !gws__protocol_replied(protocol, order); polls++) {
        if (polls % polls_a_yield == 0) (void)sched_yield(); /* the device may be this processor */
        if (polls % polls_a_clock == 0) status = look_after(protocol, order, until, where);
    }
    return status;
}

gws_status gws__protocol_end(struct gws__protocol *protocol, struct gws_diagnostic *where)
{
    if (!protocol->running) return GWS_OK;
    gws_status status = gws__protocol_wait(protocol, gws__protocol_publish(protocol, ORDER_END, 0, 0), where);
    if (status == GWS_OK) protocol->running = false;
    return status;
}

/* ---- the range ---- */

bool gws__range_next(struct gws__range *range, uint32_t worker, uint64_t *chunk)
{
    struct gws__range_worker *mine = &range->worker[worker];
    uint64_t end;
    if (!gws__range_claim(&range->protocol, range->order, range->count, 1, chunk, &end)) return false;
    mine->ran++;
    mine->stolen += *chunk >= range->split;
    return true;
}

static void run_worker(void *context, uint32_t worker, uint64_t begin, uint64_t end)
{
    const struct gws__range_work *work = context;
    (void)begin;
    (void)end;
    work->run_range(work->context, worker);
}

static void fill_order(const struct gws__protocol *protocol, const uint64_t *payload)
{
    for (uint32_t w = ORDER_PAYLOAD; w < PROTOCOL_SLOT; w++)
        gws__protocol_set_word(protocol, w, payload[w - ORDER_PAYLOAD]);
}

/* Splits the range in proportion to the speeds in the last range. Both sides should then finish at the same time. */
static void publish_range(struct gws__range *range, const struct gws__range_work *work)
{
    range->split = range->device_only ? 0 : gws__share_first(&range->share, range->count);
    range->stats.cpu_given += range->split;
    range->stats.device_given += range->count - range->split;
    gws__protocol_set_word(&range->protocol, ORDER_SPLIT, range->split);
    fill_order(&range->protocol, work->payload);
    range->order = gws__protocol_publish(&range->protocol, work->kind, range->count,
                                         range->device_only ? range->count : range->groups + range->window);
}

static void add_stats(struct gws__range *range, double began)
{
    struct gws__range_stats *stats = &range->stats;
    double ms = gws_clock_ms() - began;
    uint64_t cpu = 0;
    for (uint32_t w = 0; w < gws_runtime_workers(range->runtime); w++) cpu += range->worker[w].ran;
    cpu -= stats->cpu_chunks;
    gws__share_add(&range->share, 0, cpu, ms);
    gws__share_add(&range->share, 1, range->ran, ms);
    stats->ranges++;
    stats->chunks += range->count;
    stats->cpu_chunks += cpu;
    stats->device_chunks += range->ran;
}

gws_status gws__range_run(struct gws__range *range, const struct gws__range_work *work, struct gws_diagnostic *where)
{
    double began = gws_clock_ms();
    gws_status status = gws__protocol_start(&range->protocol, where);
    if (status != GWS_OK) return status;
    publish_range(range, work);
    const struct gws_loop loop = {
        .count = gws_runtime_workers(range->runtime), .chunk = 1, .body = run_worker, .context = (void *)work};
    if (!range->device_only) gws_parallel_run(range->runtime, &loop);
    fill_order(&range->protocol, work->merge_payload);
    range->merged = gws__protocol_publish(&range->protocol, ORDER_MERGE, 0, 0);
    status = gws__protocol_wait(&range->protocol, range->order, where);
    if (status != GWS_OK) return status;
    range->ran = gws__protocol_reply_word(&range->protocol, range->order, REPLY_RAN);
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

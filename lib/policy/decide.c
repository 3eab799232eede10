/* SPDX-License-Identifier: MIT */
#include "decide.h"

#include "../random.h"

/* Returns the next worker after `worker`, cyclically, skipping self. */
static uint32_t after(const struct gws_view *view, uint32_t worker)
{
    uint32_t next = worker + 1 < view->workers ? worker + 1 : 0;
    if (next != view->self) return next;
    return next + 1 < view->workers ? next + 1 : 0;
}

static uint32_t uniform(const struct gws_view *view)
{
    uint32_t other = gws_random_below(view->bits, view->workers - 1);
    return other + (other >= view->self);
}

uint32_t gws__victim_random(const struct gws_view *view)
{
    return view->tried == 0 ? uniform(view) : after(view, view->previous);
}

uint32_t gws__victim_last(const struct gws_view *view)
{
    if (view->tried > 0) return after(view, view->previous);
    return view->last != view->self && view->last < view->workers ? view->last : uniform(view);
}

uint32_t gws__victim_round(const struct gws_view *view)
{
    return after(view, view->tried == 0 ? view->last_tried : view->previous);
}

uint32_t gws__victim_nearest(const struct gws_view *view)
{
    if (!view->topology_order) return after(view, view->tried == 0 ? view->self : view->previous);
    uint32_t i = 0;
    for (uint32_t passed = 0;; i++)
        if (view->topology_order[i] < view->workers && passed++ == view->tried) return view->topology_order[i];
}

uint32_t gws__victim_user(gws_victim *own, const struct gws_view *view)
{
    if (view->tried > 0) return after(view, view->previous);
    uint32_t victim = own(view);
    return victim < view->workers && victim != view->self ? victim : after(view, view->self);
}

uint64_t gws__amount_one(uint64_t length, uint64_t chunk)
{
    (void)length;
    (void)chunk;
    return 1;
}

uint64_t gws__amount_two(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    return length < 2 ? length : 2;
}

uint64_t gws__amount_chunk(uint64_t length, uint64_t chunk)
{
    return length < chunk ? length : chunk;
}

uint64_t gws__amount_half(uint64_t length, uint64_t chunk)
{
    (void)chunk;
    return length - length / 2;
}

bool gws__decide_balance(uint64_t length, uint64_t bits)
{
    return length <= 1 || (length <= UINT32_MAX && gws_random_below(bits, (uint32_t)length) == 0);
}

uint64_t gws__decide_threshold(uint64_t threshold, uint64_t balanced)
{
    enum { min = 2, max = 64 };
    if (balanced) return threshold / 2 < min ? min : threshold / 2;
    return threshold * 2 > max ? max : threshold * 2;
}

uint32_t gws__decide_batch(uint64_t length, uint32_t batch, uint32_t workers)
{
    uint64_t take = workers > 1 ? length - length / 2 : length;
    return take < 1 ? 1 : take < batch ? (uint32_t)take : batch;
}

uint32_t gws__decide_workers(uint64_t count, uint32_t grain, uint32_t workers)
{
    if (grain == 0) return workers;
    uint64_t worth = count / grain;
    return worth < 1 ? 1 : worth < workers ? (uint32_t)worth : workers;
}

uint32_t gws__decide_workers_coarse(uint64_t count, uint32_t grain, uint32_t workers)
{
    return count / (grain ? grain : 1) < workers ? 1 : workers;
}

uint32_t gws__decide_attempts(uint64_t count, uint32_t chunk, uint32_t victims)
{
    enum { few_chunks = 16, few_attempts = 2 };
    bool small = count / chunk < (uint64_t)victims * few_chunks;
    return small && victims > few_attempts ? few_attempts : victims;
}

uint32_t gws__decide_chunk(uint64_t count, uint32_t workers)
{
    uint64_t chunk = count / ((uint64_t)workers * 32);
    return chunk < 16 ? 16 : chunk > 8192 ? 8192 : (uint32_t)chunk;
}

/* Returns the index tried in a group of `size` indices from `first` on. */
static uint32_t in_group(const struct gws__distance_view *view, uint32_t first, uint32_t size, uint64_t bits)
{
    const bool has_last = view->last >= first && view->last - first < size;
    const uint32_t begin = has_last ? view->last - first : gws_random_below(bits, size);
    return first + (uint32_t)(((uint64_t)begin + view->tried - first) % size);
}

uint32_t gws__victim_by_distance(const struct gws__distance_view *view)
{
    if (view->tried < view->near) return in_group(view, 0, view->near, view->bits);
    return in_group(view, view->near, view->others - view->near, view->bits << 32 | view->bits >> 32);
}

uint64_t gws__decide_release(uint64_t own, uint64_t shared, uint32_t idle)
{
    enum { few = 8 };
    const uint64_t surplus = own > 2 * (uint64_t)idle ? own - 2 * (uint64_t)idle : 0;
    return shared < surplus / few || (shared == 0 && surplus > 1) ? surplus / 2 : 0;
}

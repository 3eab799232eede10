/* SPDX-License-Identifier: MIT */
/* The pool around a launch of a side's kernel: whether it may be asked to pause, and what it answers. */
#include "task_pool.h"

/* A device runs at least gws__task_pool_backoff_ms between two requests, and at least run_share times as long as its
 * last pause took. */
const double gws__task_pool_backoff_ms = 2;
static const double max_backoff_ms = 64, run_share = 4;

static void end_request(struct gws__task_side *side)
{
    if (side->requested) side->pool->requested = false;
    side->requested = false;
}

bool gws__task_pool_launch(struct gws__task_side *side)
{
    gws__task_pool_lock(side->pool);
    bool over = gws__task_pool_over(side->pool);
    side->running = !over;
    side->until_ms = gws_clock_ms() + side->backoff_ms;
    gws__task_pool_unlock(side->pool);
    return !over;
}

bool gws__task_pool_landed(struct gws__task_side *side)
{
    gws__task_pool_lock(side->pool);
    side->running = false;
    if (side->stop) atomic_store_explicit(side->stop, 0, memory_order_relaxed);
    bool gives = !gws__task_pool_over(side->pool) && gws__task_pool_hungry(side->pool);
    if (!gives) end_request(side);
    gws__task_pool_unlock(side->pool);
    return gives;
}

void gws__task_pool_answered(struct gws__task_side *side, bool gave, double ms)
{
    double backoff = gave ? gws__task_pool_backoff_ms : 2 * side->backoff_ms;
    if (backoff < run_share * ms) backoff = run_share * ms;
    gws__task_pool_lock(side->pool);
    side->backoff_ms = backoff < max_backoff_ms ? backoff : max_backoff_ms;
    end_request(side);
    gws__task_pool_unlock(side->pool);
}

/* SPDX-License-Identifier: MIT */
#include "decide.h"

#include <stdbool.h>

#include "../random.h"

uint32_t gws__victim_random(const struct gws_view *view)
{
    uint32_t other = gws_random_below(view->bits, view->workers - 1);
    return other + (other >= view->self);
}

uint32_t gws__victim_last(const struct gws_view *view)
{
    return view->last != view->self && view->last < view->workers ? view->last : gws__victim_random(view);
}

uint32_t gws__decide_workers(uint64_t count, uint32_t grain, uint32_t workers)
{
    if (grain == 0) return workers;
    uint64_t worth = count / grain;
    return worth < 1 ? 1 : worth < workers ? (uint32_t)worth : workers;
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

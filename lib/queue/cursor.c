/* SPDX-License-Identifier: MIT */
/* One shared counter from which every worker takes its next chunk. The balance is perfect, but all workers contend for
 * one word.
 *
 * State: the counter, and its limit on another cache line. */
#include <stdalign.h>
#include <stdatomic.h>

#include "work_queue.h"

struct shared_cursor {
    alignas(128) _Atomic uint64_t next; /* first free index; may pass count */
    alignas(128) uint64_t count;
    uint32_t chunk;
};

static uint32_t cursor_fill(void *state, const struct gws_loop_partition *partition)
{
    struct shared_cursor *q = state;
    atomic_store_explicit(&q->next, 0, memory_order_relaxed);
    q->count = partition->count;
    q->chunk = partition->chunk;
    return partition->workers;
}

static enum gws_acquire cursor_pop(void *state, uint32_t worker, struct gws_range *out)
{
    (void)worker;
    struct shared_cursor *q = state;
    /* The worker checks first, because workers without work would advance the counter for ever. */
    if (atomic_load_explicit(&q->next, memory_order_relaxed) >= q->count) return GWS_ACQUIRE_EMPTY;
    uint64_t begin = atomic_fetch_add_explicit(&q->next, q->chunk, memory_order_relaxed);
    if (begin >= q->count) return GWS_ACQUIRE_EMPTY;
    uint64_t left = q->count - begin;
    *out = (struct gws_range){begin, begin + (left < q->chunk ? left : q->chunk)};
    return GWS_ACQUIRED;
}

const struct gws_work_queue gws__work_queue_cursor = {false, sizeof(struct shared_cursor), 0, cursor_fill, cursor_pop,
                                                      NULL};

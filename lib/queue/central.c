/* SPDX-License-Identifier: MIT */
/* One central queue that a host thread fills in batches (Chen, Villa, Krishnamoorthy, Gao, IPDPS 2010: the device takes
 * ready tasks, and the host monitors consumption and adds more). Worker 0 is the host. It refills the queue whenever it
 * pops, and keeps two batches ahead of the other workers. In between it runs tasks, because a host without other work
 * would waste a core.
 *
 * State: two counts, consumed and ready, that only rise during a loop. Only worker 0 writes ready. consumed <= ready <=
 * count.
 *
 * Orders: relaxed throughout. The counts pass on indexes only. The begin of the loop has published the indexes' data
 * (work_queue.h). Workers move consumed by compare-and-swap, so the ranges are disjoint whatever value of ready a
 * worker saw. */
#include <stdalign.h>
#include <stdatomic.h>

#include "work_queue.h"

struct central {
    alignas(128) _Atomic(uint64_t) consumed; /* number of indexes acquired */
    alignas(128) _Atomic(uint64_t) ready;    /* number of indexes made available */
    uint64_t count, batch;                   /* constant in a loop */
    uint32_t chunk;
};

static void refill(struct central *q)
{
    uint64_t ready = atomic_load_explicit(&q->ready, memory_order_relaxed);
    uint64_t consumed = atomic_load_explicit(&q->consumed, memory_order_relaxed);
    if (ready == q->count || ready - consumed > q->batch) return;
    uint64_t left = q->count - ready;
    atomic_store_explicit(&q->ready, left < q->batch ? q->count : ready + q->batch, memory_order_relaxed);
}

static uint32_t central_fill(void *state, const struct gws_loop_partition *partition)
{
    enum { chunks_a_worker = 4 };
    struct central *q = (struct central *)state;
    q->count = partition->count;
    q->chunk = partition->chunk;
    q->batch = (uint64_t)partition->chunk * partition->workers * chunks_a_worker;
    atomic_store_explicit(&q->consumed, 0, memory_order_relaxed);
    atomic_store_explicit(&q->ready, 0, memory_order_relaxed);
    refill(q);
    return partition->workers;
}

static enum gws_acquire central_pop(void *state, uint32_t worker, struct gws_range *out)
{
    struct central *q = (struct central *)state;
    if (worker == 0) refill(q);
    uint64_t consumed = atomic_load_explicit(&q->consumed, memory_order_relaxed);
    uint64_t ready = atomic_load_explicit(&q->ready, memory_order_relaxed);
    if (consumed >= q->count) return GWS_ACQUIRE_EMPTY;
    if (consumed >= ready) return GWS_ACQUIRE_LOST; /* the host is late, so the worker retries */
    uint64_t end = ready - consumed < q->chunk ? ready : consumed + q->chunk;
    if (!atomic_compare_exchange_weak_explicit(&q->consumed, &consumed, end, memory_order_relaxed,
                                               memory_order_relaxed))
        return GWS_ACQUIRE_LOST;
    *out = (struct gws_range){consumed, end};
    return GWS_ACQUIRED;
}

const struct gws_work_queue gws__work_queue_central = {false, sizeof(struct central), 0, central_fill, central_pop,
                                                       NULL};

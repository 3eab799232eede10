/* SPDX-License-Identifier: MIT */
/* The host's half of a host queue (kernels/hetero/host_queue.cl has the device's half). The header needs nothing but
 * C11, so a model checker can explore it. */
#ifndef GWS_LIB_HETERO_HOST_RING_H
#define GWS_LIB_HETERO_HOST_RING_H

#include <stdatomic.h>
#include <stdint.h>

#include "../../kernels/hetero/host_queue_words.h"

struct gws__host_ring {
    _Atomic(uint64_t) *word; /* HOST_QUEUE_SLOTS + capacity words that host and device share */
    uint64_t capacity, written;
};

/* The host's parts of gws_host_queue_space(), gws_host_queue_enqueue() and gws_host_queue_stop(). */
static inline uint64_t gws__host_ring_space(const struct gws__host_ring *ring)
{
    /* acquire: pairs with the release in host_queue_take(). The device has read the slots that the host rewrites. */
    return ring->capacity - (ring->written - atomic_load_explicit(&ring->word[HOST_QUEUE_READ], memory_order_acquire));
}

static inline uint64_t gws__host_ring_enqueue(struct gws__host_ring *ring, const uint64_t *task, uint64_t count)
{
    const uint64_t space = gws__host_ring_space(ring);
    if (count > space) count = space;
    if (count == 0) return 0;
    /* relaxed: HOST_QUEUE_WRITTEN publishes the slots. */
    for (uint64_t i = 0; i < count; i++)
        atomic_store_explicit(&ring->word[HOST_QUEUE_SLOTS + (ring->written + i) % ring->capacity], task[i],
                              memory_order_relaxed);
    ring->written += count;
    /* release: pairs with the acquire in host_queue_poll(). */
    atomic_store_explicit(&ring->word[HOST_QUEUE_WRITTEN], ring->written, memory_order_release);
    return count;
}

static inline void gws__host_ring_stop(struct gws__host_ring *ring)
{
    /* relaxed: HOST_QUEUE_STOPPED publishes no tasks. */
    atomic_store_explicit(&ring->word[HOST_QUEUE_WRITTEN], HOST_QUEUE_STOPPED, memory_order_relaxed);
}

#endif

/* SPDX-License-Identifier: MIT */
/* The host's side of the bridge (bridge_words.h), in C11. words is what gws_device_shared_new() gave, cleared before
 * the first launch. */
#ifndef GWS_KERNELS_BRIDGE_HOST_H
#define GWS_KERNELS_BRIDGE_HOST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "bridge_words.h"

typedef _Atomic(uint64_t) gws__bridge_word;

/* One thread of the host's gives orders and waits for replies; all its threads take chunks. */
struct gws__bridge {
    gws__bridge_word *words;
    uint64_t orders; /* the number of the last order */
};

/* The slots of the next order, to be filled, but for BRIDGE_WHAT, _COUNT and _FIRST, and of an order's reply. */
static inline gws__bridge_word *gws__bridge_next_slot(const struct gws__bridge *bridge)
{
    return bridge->words + BRIDGE_ORDER_SLOTS + (bridge->orders + 1) % BRIDGE_ORDERS * BRIDGE_SLOT;
}

static inline uint64_t gws__bridge_answer(const struct gws__bridge *bridge, uint64_t order, uint32_t word)
{
    uint64_t slot = BRIDGE_REPLY_SLOTS + order % BRIDGE_ORDERS * BRIDGE_SLOT;
    return atomic_load_explicit(&bridge->words[slot + word], memory_order_relaxed);
}

/* Gives an order with a range of count chunks, below 2^32, of which the device may open first ones at once; returns its
 * number. The host's threads may take of the range once this returns. */
static inline uint64_t gws__bridge_give(struct gws__bridge *bridge, uint64_t what, uint64_t count, uint64_t first)
{
    gws__bridge_word *slot = gws__bridge_next_slot(bridge);
    uint64_t order = ++bridge->orders;
    atomic_store_explicit(&slot[BRIDGE_WHAT], what, memory_order_relaxed);
    atomic_store_explicit(&slot[BRIDGE_COUNT], count, memory_order_relaxed);
    atomic_store_explicit(&slot[BRIDGE_FIRST], first, memory_order_relaxed);
    if (count > 0) atomic_store_explicit(&bridge->words[BRIDGE_HOST_NEXT], order << 32, memory_order_relaxed);
    /* release: pairs with the acquire in bridge_look(): the device sees the slot, and that the range is new. */
    atomic_store_explicit(&bridge->words[BRIDGE_ORDER], order, memory_order_release);
    return order;
}

/* Has the device replied to the order? */
static inline bool gws__bridge_answered(const struct gws__bridge *bridge, uint64_t order)
{
    /* acquire: pairs with the release in bridge_reply(), so that all the device wrote for the order is seen. */
    return atomic_load_explicit(&bridge->words[BRIDGE_REPLY], memory_order_acquire) >= order;
}

/* Has the kernel of that launch left by itself? Then another launch goes on where it stopped. */
static inline bool gws__bridge_left(const struct gws__bridge *bridge, uint64_t launch)
{
    /* acquire: pairs with the release in bridge_await(). */
    return atomic_load_explicit(&bridge->words[BRIDGE_LEFT], memory_order_acquire) >= launch;
}

/* Where the device has got to in the range of an order: the first of its chunks. */
static inline uint64_t gws__bridge_bound(const struct gws__bridge *bridge, uint64_t order, uint64_t count)
{
    /* seq_cst: after this thread's last claim, against the fence in bridge_open(). */
    uint64_t next = atomic_load_explicit(&bridge->words[BRIDGE_DEVICE_NEXT], memory_order_seq_cst);
    return next >> 32 == (order & UINT32_MAX) ? next & UINT32_MAX : count;
}

/* Takes up to most chunks from the front of the range of an order: *begin .. *end - 1. False when there are no more.
 * Any thread of the host's. */
static inline bool gws__bridge_take(const struct gws__bridge *bridge, uint64_t order, uint64_t count, uint64_t most,
                                    uint64_t *begin, uint64_t *end)
{
    gws__bridge_word *at = &bridge->words[BRIDGE_HOST_NEXT];
    uint64_t next = atomic_load_explicit(at, memory_order_relaxed), from, to, bound;
    do {
        bound = gws__bridge_bound(bridge, order, count);
        from = next & UINT32_MAX;
        if (from >= bound) return false;
        to = bound - from < most ? bound : from + most;
        /* seq_cst: before this thread's next read in gws__bridge_bound(), against the fence in bridge_open(). */
    } while (!atomic_compare_exchange_weak_explicit(at, &next, (next & ~(uint64_t)UINT32_MAX) | to,
                                                    memory_order_seq_cst, memory_order_relaxed));
    *begin = from;
    *end = to;
    return true;
}

#endif

/* SPDX-License-Identifier: MIT */
/* The host's side of the host-device protocol (kernels/hetero/protocol_words.h): orders and replies, and the kernel
 * that answers them. One thread of the host's publishes orders and waits for replies.
 *
 * The kernel stays until it is told to end, but may leave at any time between two orders when none comes; then another
 * launch goes on where it stopped. */
#ifndef GWS_LIB_HETERO_PROTOCOL_H
#define GWS_LIB_HETERO_PROTOCOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../../kernels/hetero/protocol_words.h"
#include "../device.h"

typedef _Atomic(uint64_t) gws__word;

struct gws__protocol {
    gws__word *words; /* PROTOCOL_WORDS that both sides address, cleared before the first launch */
    uint64_t orders;  /* the number of the last order */
    /* The kernel: how it is launched, with .argument to its last, which is the number of the launch, for `launches`. */
    struct gws_device *device;
    struct gws_device_launch launch;
    uint64_t launches;
    bool running;    /* a kernel is there, or will be when it has to */
    double limit_ms; /* the longest wait for a reply */
};

/* The slot of the next order, whose words from ORDER_SPLIT on are the caller's to fill: published by the order. */
static inline void gws__protocol_word(const struct gws__protocol *protocol, uint32_t word, uint64_t value)
{
    uint64_t slot = PROTOCOL_ORDERS + (protocol->orders + 1) % PROTOCOL_SLOTS * PROTOCOL_SLOT;
    atomic_store_explicit(&protocol->words[slot + word], value, memory_order_relaxed);
}

/* A word of an order's reply. */
static inline uint64_t gws__protocol_answer(const struct gws__protocol *protocol, uint64_t order, uint32_t word)
{
    uint64_t slot = PROTOCOL_REPLIES + order % PROTOCOL_SLOTS * PROTOCOL_SLOT;
    return atomic_load_explicit(&protocol->words[slot + word], memory_order_relaxed);
}

/* Publishes an order with a range of count chunks, below 2^32, of which the device may open first ones at once; returns
 * its number. The host's threads may take of the range once this returns. */
static inline uint64_t gws__protocol_publish(struct gws__protocol *protocol, uint64_t kind, uint64_t count,
                                             uint64_t first)
{
    gws__protocol_word(protocol, ORDER_KIND, kind);
    gws__protocol_word(protocol, ORDER_COUNT, count);
    gws__protocol_word(protocol, ORDER_FIRST, first);
    uint64_t order = ++protocol->orders;
    if (count > 0) atomic_store_explicit(&protocol->words[RANGE_HOST_NEXT], order << 32, memory_order_relaxed);
    /* release: pairs with the acquire in protocol_poll(): the device sees the slot, and that the range is new. */
    atomic_store_explicit(&protocol->words[PROTOCOL_ORDER], order, memory_order_release);
    return order;
}

/* Has the device replied to the order? */
static inline bool gws__protocol_replied(const struct gws__protocol *protocol, uint64_t order)
{
    /* acquire: pairs with the release in protocol_reply(), so that all the device wrote for the order is seen. */
    return atomic_load_explicit(&protocol->words[PROTOCOL_REPLY], memory_order_acquire) >= order;
}

/* Has the last kernel left by itself? */
static inline bool gws__protocol_left(const struct gws__protocol *protocol)
{
    /* acquire: pairs with the release in protocol_wait(). */
    return atomic_load_explicit(&protocol->words[PROTOCOL_LEFT], memory_order_acquire) >= protocol->launches;
}

/* Has a kernel run, if none does. Errors: as gws_device_run(). */
gws_status gws__protocol_start(struct gws__protocol *protocol, struct gws_where *where);

/* Waits for the reply to an order. Errors: GWS_DEVICE. */
gws_status gws__protocol_wait(struct gws__protocol *protocol, uint64_t order, struct gws_where *where);

/* Has the kernel end, if one runs, and waits for its reply. Errors: GWS_DEVICE. */
gws_status gws__protocol_end(struct gws__protocol *protocol, struct gws_where *where);

#endif

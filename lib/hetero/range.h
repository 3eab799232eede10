/* SPDX-License-Identifier: MIT */
/* The two-ended range: CPU workers and a device process one range of chunks from its two ends until they meet, over the
 * host-device protocol, whose host's side is here, too. A few chunks run on both sides (kernels/hetero/range.cl says
 * when), which must do no harm. An algorithm gives what a worker runs and how both sides' results are merged; the
 * device's part of it is a text that follows range.cl. */
#ifndef GWS_LIB_HETERO_RANGE_H
#define GWS_LIB_HETERO_RANGE_H

#include <stdatomic.h>

#include "../../kernels/hetero/protocol_words.h"
#include "../device.h"
#include "../parallel.h"
#include "autotune.h"

/* ---- the protocol (kernels/hetero/protocol_words.h) ----
 *
 * Orders and replies, and the kernel that answers them. One thread of the host's publishes orders and waits for
 * replies.
 *
 * The kernel stays until it is told to end, but may leave at any time between two orders when none comes; then another
 * launch goes on where it stopped. */

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

/* ---- the range ---- */

/* Claims up to max chunks from the front of the range of an order: *begin .. *end - 1. False when there are no more.
 * Any thread of the host's. */
static inline bool gws__range_claim(const struct gws__protocol *protocol, uint64_t order, uint64_t count, uint64_t max,
                                    uint64_t *begin, uint64_t *end)
{
    gws__word *at = &protocol->words[RANGE_HOST_NEXT];
    uint64_t next = atomic_load_explicit(at, memory_order_relaxed), from, to, bound;
    do {
        /* The first of the device's chunks. seq_cst: after this thread's last claim, against the fence in range_open().
         */
        bound = atomic_load_explicit(&protocol->words[RANGE_DEVICE_NEXT], memory_order_seq_cst);
        bound = bound >> 32 == (order & UINT32_MAX) ? bound & UINT32_MAX : count;
        from = next & UINT32_MAX;
        if (from >= bound) return false;
        to = bound - from < max ? bound : from + max;
        /* seq_cst: before this thread's next read above, against the fence in range_open(). */
    } while (!atomic_compare_exchange_weak_explicit(at, &next, (next & ~(uint64_t)UINT32_MAX) | to,
                                                    memory_order_seq_cst, memory_order_relaxed));
    *begin = from;
    *end = to;
    return true;
}

/* What a CPU worker did of ranges, in chunks; stolen: those that were to be the device's. A line apart from the next
 * worker's, wherever the allocator puts the first. */
struct gws__range_worker {
    uint64_t ran, stolen;
    char apart[112];
};

/* Since gws__range_reset(). The sides' chunks are more than there were by those that ran twice. */
struct gws__range_stats {
    uint64_t ranges, chunks, cpu_chunks, device_chunks;
    uint64_t cpu_given, device_given; /* chunks that were to be the side's */
};

/* Constant but for what is flag; protocol is filled by the caller, too. */
struct gws__range {
    struct gws__protocol protocol;
    struct gws_runtime *runtime;
    struct gws__range_worker *worker; /* one for each CPU worker */
    uint64_t *group;                  /* RANGE_STATS words for each group, of memory that both sides address */
    uint64_t groups;
    uint64_t count;   /* chunks of each range */
    uint64_t window;  /* that the device opens at a time */
    bool device_only; /* CPU workers take no part */
    /* Of the last range. */
    uint64_t order, merged; /* the orders to run and to merge it */
    uint64_t split;         /* the first chunk that was to be the device's */
    uint64_t ran;           /* chunks that the device ran: the last ones */
    struct gws__share share;
    struct gws__range_stats stats;
};

/* One range. */
struct gws__range_work {
    uint64_t kind;                                   /* ORDER_RUN and up */
    uint64_t more[PROTOCOL_SLOT - ORDER_MORE];       /* the algorithm's words of the order to run it, */
    uint64_t merge_more[PROTOCOL_SLOT - ORDER_MORE]; /* and to merge it */
    /* What CPU worker number `worker` runs: chunks while gws__range_next() gives it some. */
    void (*run_range)(void *context, uint32_t worker);
    void (*merge)(
        void *context); /* the host's part of merging, range->ran being known; while the device does its own */
    void *context;
};

/* The worker's next chunk; false if the sides have met. */
bool gws__range_next(struct gws__range *range, uint32_t worker, uint64_t *chunk);

/* Runs a range on both sides and merges it; the replies to range->order and range->merged are there. Errors: as
 * gws__protocol_start() and gws__protocol_wait(). */
gws_status gws__range_run(struct gws__range *range, const struct gws__range_work *work, struct gws_where *where);

/* Clears all statistics; no range is running. */
void gws__range_reset(struct gws__range *range);

#endif

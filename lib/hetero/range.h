/* SPDX-License-Identifier: MIT */
/* The two-ended range: CPU workers process a range of chunks from the front, and a device from the back, until both
 * sides meet. Both sides use the host-device protocol. This header also declares the protocol's host side. Both sides
 * may run the same chunk (kernels/hetero/range.cl defines when), so a second run of a chunk must be harmless. An
 * algorithm provides the worker's function and a function that merges both results. Its kernel source for the device
 * follows range.cl. */
#ifndef GWS_LIB_HETERO_RANGE_H
#define GWS_LIB_HETERO_RANGE_H

#include <stdatomic.h>

#include "../../kernels/hetero/protocol_words.h"
#include "../device.h"
#include "../parallel.h"
#include "autotune.h"

/* ---- the protocol (kernels/hetero/protocol_words.h) ----
 *
 * The host sends orders, and a kernel replies. One host thread publishes orders and waits for replies.
 *
 * The kernel persists until an order ends it. It may also exit by itself between two orders if none arrives for a
 * while. The next launch then resumes. */

typedef _Atomic(uint64_t) gws__word;

struct gws__protocol {
    gws__word *words; /* PROTOCOL_WORDS words that both sides address, zero before the first launch */
    uint64_t orders;  /* the number of the last order */
    /* The kernel's launch. The last entry of .argument is the number of the launch and points to `launches`. */
    struct gws_device *device;
    struct gws_device_launch launch;
    uint64_t launches;
    bool running;    /* a kernel runs, or gws__protocol_start() will relaunch it */
    double limit_ms; /* the longest wait for a reply */
};

/* Sets word ORDER_SPLIT or a later word of the next order. gws__protocol_publish() publishes the word. */
static inline void gws__protocol_set_word(const struct gws__protocol *protocol, uint32_t word, uint64_t value)
{
    uint64_t slot = PROTOCOL_ORDERS + (protocol->orders + 1) % PROTOCOL_SLOTS * PROTOCOL_SLOT;
    atomic_store_explicit(&protocol->words[slot + word], value, memory_order_relaxed);
}

/* Returns a word of an order's reply. */
static inline uint64_t gws__protocol_reply_word(const struct gws__protocol *protocol, uint64_t order, uint32_t word)
{
    uint64_t slot = PROTOCOL_REPLIES + order % PROTOCOL_SLOTS * PROTOCOL_SLOT;
    return atomic_load_explicit(&protocol->words[slot + word], memory_order_relaxed);
}

/* Publishes an order for a range of count chunks (below 2^32). The device may open the last `first` chunks without
 * waiting. Returns the order's number. Afterwards the host's threads may claim chunks. */
static inline uint64_t gws__protocol_publish(struct gws__protocol *protocol, uint64_t kind, uint64_t count,
                                             uint64_t first)
{
    gws__protocol_set_word(protocol, ORDER_KIND, kind);
    gws__protocol_set_word(protocol, ORDER_COUNT, count);
    gws__protocol_set_word(protocol, ORDER_FIRST, first);
    uint64_t order = ++protocol->orders;
    if (count > 0) atomic_store_explicit(&protocol->words[RANGE_HOST_NEXT], order << 32, memory_order_relaxed);
    /* release: pairs with the acquire in protocol_poll(). The device thus sees the slot, and that the range is new. */
    atomic_store_explicit(&protocol->words[PROTOCOL_ORDER], order, memory_order_release);
    return order;
}

/* Returns whether the device has replied to the order. */
static inline bool gws__protocol_replied(const struct gws__protocol *protocol, uint64_t order)
{
    /* acquire: pairs with the release in protocol_reply(). The host thus sees all writes of the device for the
     * order. */
    return atomic_load_explicit(&protocol->words[PROTOCOL_REPLY], memory_order_acquire) >= order;
}

/* Returns whether the last kernel has exited by itself. */
static inline bool gws__protocol_exited(const struct gws__protocol *protocol)
{
    /* acquire: pairs with the release in protocol_wait(). */
    return atomic_load_explicit(&protocol->words[PROTOCOL_EXITED], memory_order_acquire) >= protocol->launches;
}

/* Launches the kernel unless it runs. Errors: those of gws_device_run(). */
gws_status gws__protocol_start(struct gws__protocol *protocol, struct gws_diagnostic *where);

/* Waits for the reply to an order. Errors: GWS_DEVICE. */
gws_status gws__protocol_wait(struct gws__protocol *protocol, uint64_t order, struct gws_diagnostic *where);

/* Ends the kernel, if it runs, and waits for its reply. Errors: GWS_DEVICE. */
gws_status gws__protocol_end(struct gws__protocol *protocol, struct gws_diagnostic *where);

/* ---- the range ---- */

/* Claims up to max chunks, *begin .. *end - 1, from the front of an order's range. Returns false if the range has no
 * more chunks. Any host thread may call the function. */
static inline bool gws__range_claim(const struct gws__protocol *protocol, uint64_t order, uint64_t count, uint64_t max,
                                    uint64_t *begin, uint64_t *end)
{
    gws__word *at = &protocol->words[RANGE_HOST_NEXT];
    uint64_t next = atomic_load_explicit(at, memory_order_relaxed), from, to, bound;
    do {
        /* bound: the first of the device's chunks. seq_cst: orders the load after this thread's last claim, and pairs
         * with the fence in range_open(). */
        bound = atomic_load_explicit(&protocol->words[RANGE_DEVICE_NEXT], memory_order_seq_cst);
        bound = bound >> 32 == (order & UINT32_MAX) ? bound & UINT32_MAX : count;
        from = next & UINT32_MAX;
        if (from >= bound) return false;
        to = bound - from < max ? bound : from + max;
        /* seq_cst: orders the claim before this thread's next load above, and pairs with the fence in range_open(). */
    } while (!atomic_compare_exchange_weak_explicit(at, &next, (next & ~(uint64_t)UINT32_MAX) | to,
                                                    memory_order_seq_cst, memory_order_relaxed));
    *begin = from;
    *end = to;
    return true;
}

/* The numbers of a CPU worker's chunks. stolen: chunks from the device's share. Padding prevents false sharing between
 * workers, at any alignment of the first struct. */
struct gws__range_worker {
    uint64_t ran, stolen;
    char apart[112];
};

/* Counts since gws__range_reset(). A chunk that ran twice counts on both sides. */
struct gws__range_stats {
    uint64_t ranges, chunks, cpu_chunks, device_chunks;
    uint64_t cpu_given, device_given; /* chunks in the share of each side */
};

/* All fields are constant except those of the last range. The caller also fills protocol. */
struct gws__range {
    struct gws__protocol protocol;
    struct gws_runtime *runtime;
    struct gws__range_worker *worker; /* one entry for each CPU worker */
    uint64_t *group;                  /* RANGE_STATS words for each group, in shared memory */
    uint64_t groups;
    uint64_t count;   /* chunks of each range */
    uint64_t window;  /* chunks that the device opens at a time */
    bool device_only; /* CPU workers take no part */
    /* The last range. */
    uint64_t order, merged; /* the orders to run and to merge the range */
    uint64_t split;         /* the first chunk of the device's share */
    uint64_t ran;           /* chunks that the device ran, at the end of the range */
    struct gws__share share;
    struct gws__range_stats stats;
};

/* The work of one range. */
struct gws__range_work {
    uint64_t kind;                                         /* ORDER_RUN and up */
    uint64_t payload[PROTOCOL_SLOT - ORDER_PAYLOAD];       /* the algorithm's words of the order to run */
    uint64_t merge_payload[PROTOCOL_SLOT - ORDER_PAYLOAD]; /* the algorithm's words of the order to merge */
    /* Runs chunks on CPU worker number `worker` while gws__range_next() returns true. */
    void (*run_range)(void *context, uint32_t worker);
    void (*merge)(void *context); /* merges the host's part, with range->ran set, while the device merges its part */
    void *context;
};

/* Sets *chunk to the worker's next chunk. Returns false when the sides have met. */
bool gws__range_next(struct gws__range *range, uint32_t worker, uint64_t *chunk);

/* Runs a range on both sides and merges the results. Afterwards the replies to range->order and range->merged are
 * available. Errors: those of gws__protocol_start() and gws__protocol_wait(). */
gws_status gws__range_run(struct gws__range *range, const struct gws__range_work *work, struct gws_diagnostic *where);

/* Clears all statistics. No range may be running. */
void gws__range_reset(struct gws__range *range);

#endif

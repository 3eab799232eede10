/* SPDX-License-Identifier: MIT */
/* Your own decisions in place of a policy's: the first victim of a thief, and how many tasks it takes. A decision is a
 * pure function of its arguments. Several workers call it at once and often, so it should take nanoseconds.
 *
 * A policy is a queue and such decisions. The library provides the queues (gws_policy_at() lists the policies). No
 * answer of a decision can lose or repeat a task. docs/examples/own_policy.c is a whole program. */
#ifndef GWS_DECISIONS_H
#define GWS_DECISIONS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a thief knows. One search asks for victims one after the other, with tried = 0, 1, .. workers - 2 and the same
 * bits. The library's own strategies name every other worker once. Your function is called with tried = 0 only: the
 * search then continues with the next workers by number. */
struct gws_view {
    uint32_t self;       /* the thief */
    uint32_t workers;    /* possible victims, self included; at least 2 */
    uint32_t last;       /* the victim of the last successful steal; self if there is none */
    uint32_t last_tried; /* the last victim of the previous search; self if there is none */
    uint32_t tried;      /* victims tried in this search */
    uint32_t previous;   /* the last of them */
    uint64_t bits;       /* 64 random bits for this search */
    /* The other workers in topology order: the nearest first (shared caches). It has at least workers - 1 entries; skip
     * entries that are not below workers. NULL: by number, upwards from self. Your function never gets NULL. */
    const uint32_t *topology_order;
};

/* Returns the next victim: a worker below view->workers other than view->self. The library replaces any other answer of
 * your function by the worker after self. */
typedef uint32_t gws_victim(const struct gws_view *view);

/* Returns how many tasks to take when length tasks (at least 1) can be stolen: 1 .. length. The library clamps other
 * answers of your function to that range. chunk is gws_options.chunk, or 8 if that is 0. */
typedef uint64_t gws_amount(uint64_t length, uint64_t chunk);

/* For gws_options.decisions. A NULL function: the policy's own. */
struct gws_decisions {
    gws_victim *victim; /* only if gws_policy_takes_victim() */
    gws_amount *amount; /* only if gws_policy_takes_amount() */
};

#ifdef __cplusplus
}
#endif
#endif

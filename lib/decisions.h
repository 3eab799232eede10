/* SPDX-License-Identifier: MIT */
/* User-defined decisions in place of a policy's: the first victim of a thief, and the number of tasks that the thief
 * takes. A decision is a pure function of its arguments. Several workers call a decision at once and often, so it
 * should take nanoseconds.
 *
 * A policy is a queue and such decisions. The library provides the queues (gws_policy_at() lists the policies). No
 * answer of a decision can lose or repeat a task. docs/examples/own_policy.c is a whole program. */
#ifndef GWS_DECISIONS_H
#define GWS_DECISIONS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a thief's search for a victim. A search asks the strategy for one victim after another, with tried = 0,
 * 1, .. workers - 2 and the same bits. The library's own strategies return every other worker once. The library calls
 * your function with tried = 0 only. The search then continues with the next workers by number. */
struct gws_view {
    uint32_t self;       /* the thief */
    uint32_t workers;    /* possible victims, self included; at least 2 */
    uint32_t last;       /* the victim of the last successful steal; self if there is none */
    uint32_t last_tried; /* the last victim of the previous search; self if there is none */
    uint32_t tried;      /* number of victims tried in this search */
    uint32_t previous;   /* the victim tried last in this search */
    uint64_t bits;       /* 64 random bits for this search */
    /* The other workers in topology order: the nearest first (shared caches). The array has at least workers - 1
     * entries. Skip entries that are not below workers. NULL: ascending numbers from self. Your function never gets
     * NULL. */
    const uint32_t *topology_order;
};

/* Returns the next victim: a worker below view->workers other than view->self. The library replaces any other answer of
 * your function by the worker after self. */
typedef uint32_t gws_victim(const struct gws_view *view);

/* Returns the number of tasks to take, 1 .. length, from a queue with length (at least 1) tasks that can be stolen. The
 * library clamps other answers of your function to that range. chunk is gws_options.chunk, or 8 if that is 0. */
typedef uint64_t gws_amount(uint64_t length, uint64_t chunk);

/* The functions for gws_options.decisions. NULL selects the policy's own function. */
struct gws_decisions {
    gws_victim *victim; /* must be NULL unless gws_policy_takes_victim() is true */
    gws_amount *amount; /* must be NULL unless gws_policy_takes_amount() is true */
};

#ifdef __cplusplus
}
#endif
#endif

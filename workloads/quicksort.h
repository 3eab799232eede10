/* SPDX-License-Identifier: MIT */
/* Parallel quicksort as a load (Rudolph, Slivkin-Allalouf, Upfal: "A Simple Load Balancing Scheme for Task Allocation
 * in Parallel Machines", SPAA 1991, section 4): a random splitting element is chosen, the keys are divided into smaller
 * and larger ones by one task, and both parts are sorted in the same way at the same time. Parallelism begins with one
 * task and grows as the parts shrink, and no part's size can be foreseen. It is here for that, not to be the fastest
 * way to sort. */
#ifndef GWS_QUICKSORT_H
#define GWS_QUICKSORT_H

#include "../lib/runtime.h"

struct gws_quicksort_options {
    uint64_t cutoff; /* parts of at most so many keys are sorted by one task; 0: 2048 */
    uint64_t seed;   /* of the splitting elements */
};

struct gws_quicksort_result {
    uint64_t tasks;  /* parts, the whole included; the same for the same keys and options, however it ran */
    uint64_t splits; /* those of them that were divided */
    uint64_t depth;  /* of the tree of parts; the whole has 0 */
};

/* Sorts keys[0 .. count - 1] upwards in place; tasks are 24 bytes. keys may be NULL where count is 0.
 * Errors: GWS_TOO_LARGE (count 2^48 or more), GWS_NO_MEMORY: *result is as it was, and keys hold the same keys in some
 * order. Expected cost: O(count log count), of which O(count) in a row. */
gws_status gws_quicksort(struct gws_runtime *runtime, uint64_t *keys, uint64_t count,
                         const struct gws_quicksort_options *options, struct gws_quicksort_result *result);

/* Keys to sort. */
enum gws_quicksort_order {
    GWS_QUICKSORT_RANDOM, /* all 64 bits */
    GWS_QUICKSORT_UP,     /* sorted already */
    GWS_QUICKSORT_DOWN,   /* the other way round */
    GWS_QUICKSORT_FEW,    /* random, of 16 values */
    GWS_QUICKSORT_EQUAL
};

/* The orders' names, "random", "up", "down", "few", "equal", in the order of the enum; NULL past the end. */
const char *gws_quicksort_order_at(uint32_t i);

/* Writes count keys, the same for the same seed, in parallel. */
void gws_quicksort_fill(struct gws_runtime *runtime, enum gws_quicksort_order order, uint64_t seed, uint64_t *keys,
                        uint64_t count);

/* A sum of the keys that does not depend on their order, but on how often each occurs. In parallel. */
uint64_t gws_quicksort_sum(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count);

/* Checks that keys are in order and that their sum is that of before. Errors: GWS_WRONG_RESULT, where->message says
 * what does not hold. where may be NULL. */
gws_status gws_quicksort_check(struct gws_runtime *runtime, const uint64_t *keys, uint64_t count, uint64_t sum,
                               struct gws_diagnostic *where);

#endif

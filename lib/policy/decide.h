/* SPDX-License-Identifier: MIT */
/* Decisions of a policy: pure functions of a small view, so that a pool can bind them to atomics and a simulator to
 * virtual time. */
#ifndef GWS_POLICY_DECIDE_H
#define GWS_POLICY_DECIDE_H

#include <stdint.h>

/* What a thief knows. */
struct gws_view {
    uint32_t self;    /* the thief */
    uint32_t workers; /* in this loop, at least 2 */
    uint32_t last;    /* where it last stole successfully; self when nowhere */
    uint64_t bits;    /* 64 random bits for this decision */
};

/* Whom to try first; the thief goes round from there, gws__decide_attempts() victims at most. Never self. */
typedef uint32_t gws_victim(const struct gws_view *view);

/* The last success, because who had too much has more; else uniform (Blumofe and Leiserson, JACM 1999). */
uint32_t gws__victim_last(const struct gws_view *view);
uint32_t gws__victim_random(const struct gws_view *view);

/* How many workers a loop of count tasks is worth, when each should have at least grain (the thesis's threshold,
 * section 4.3.2, turned into a number of workers): at least 1, at most workers. */
uint32_t gws__decide_workers(uint64_t count, uint32_t grain, uint32_t workers);

/* How many victims a thief that finds nothing tries before it leaves a loop of so many chunks, the last of whom may be
 * anyone. All, as the thesis has it (section 3.1), where there is enough work for the search to be worth it; two in a
 * loop of a few microseconds, in which looking at everybody's deque would cost more than the work that is left. Who
 * is called to a loop and comes empties his own deque, and the caller looks at all, so nothing is left behind. */
uint32_t gws__decide_attempts(uint64_t count, uint32_t chunk, uint32_t victims);

/* Tasks to take at once: about 32 chunks for each worker, so that the last chunk delays a loop by about 3 %, but from
 * 16 to 8192 tasks. */
uint32_t gws__decide_chunk(uint64_t count, uint32_t workers);

#endif

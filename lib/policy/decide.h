/* SPDX-License-Identifier: MIT */
/* Decisions of a policy: pure functions of a small view, so that a pool can bind them to atomics and a simulator to
 * virtual time. */
#ifndef GWS_POLICY_DECIDE_H
#define GWS_POLICY_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "../decisions.h"

/* The last success, because who had too much has more, then uniform; uniform (Blumofe and Leiserson, JACM 1999); each
 * in turn, going on where the last search ended; the nearest by shared cache. But for the last, a search goes on round
 * from its first victim. */
uint32_t gws__victim_last(const struct gws_view *view);
uint32_t gws__victim_random(const struct gws_view *view);
uint32_t gws__victim_round(const struct gws_view *view);
uint32_t gws__victim_nearest(const struct gws_view *view);

/* A user's own decision: it names the first victim, and the search goes on round from there, so that everybody is tried
 * whatever it answers. What is no other worker stands for the next one. */
uint32_t gws__victim_own(gws_victim *own, const struct gws_view *view);

uint64_t gws__amount_one(uint64_t length, uint64_t chunk);
uint64_t gws__amount_two(uint64_t length, uint64_t chunk);
uint64_t gws__amount_chunk(uint64_t length, uint64_t chunk);
uint64_t gws__amount_half(uint64_t length, uint64_t chunk); /* rounded up (Dinan et al., SC 2009, section 3.3) */

/* Whether a worker with so many tasks should balance with a partner now: with probability 1 / length, so that a worker
 * with little asks often and one with much is asked (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991, section 2). */
bool gws__decide_balance(uint64_t length, uint64_t bits);

/* The difference of lengths from which balancing is worth its locks, after a meeting that moved so many tasks: it
 * doubles while meetings move nothing and halves when they do, from 2 to 64 (the adaptive threshold that the same
 * paper's conclusion asks for). */
uint64_t gws__decide_threshold(uint64_t threshold, uint64_t moved);

/* How many tasks of its own queue of length a worker takes out at once, when run accepts batch of them: all it can when
 * it works alone, else at most half, so that thieves find something. At least 1. */
uint32_t gws__decide_batch(uint64_t length, uint32_t batch, uint32_t workers);

/* How many workers a loop of count tasks is worth, when each should have at least grain (the thesis's threshold,
 * section 4.3.2, turned into a number of workers): at least 1, at most workers. */
uint32_t gws__decide_workers(uint64_t count, uint32_t grain, uint32_t workers);

/* The same, coarse: all, or one where that would leave a worker with less than its grain (CHAI's threshold between one
 * side and the other: Gomez-Luna et al., ISPASS 2017). */
uint32_t gws__decide_workers_coarse(uint64_t count, uint32_t grain, uint32_t workers);

/* How many victims a thief that finds nothing tries before it leaves a loop of so many chunks, the last of whom may be
 * anyone. All, as the thesis has it (section 3.1), where there is enough work for the search to be worth it; two in a
 * loop of a few microseconds, in which looking at everybody's deque would cost more than the work that is left. Who
 * is called to a loop and comes empties his own deque, and the caller looks at all, so nothing is left behind. */
uint32_t gws__decide_attempts(uint64_t count, uint32_t chunk, uint32_t victims);

/* Tasks to take at once: about 32 chunks for each worker, so that the last chunk delays a loop by about 3 %, but from
 * 16 to 8192 tasks. */
uint32_t gws__decide_chunk(uint64_t count, uint32_t workers);

#endif

/* SPDX-License-Identifier: MIT */
/* Decisions of a policy: pure functions of a small view. A pool can bind them to atomics, and a simulator to virtual
 * time. */
#ifndef GWS_POLICY_DECIDE_H
#define GWS_POLICY_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "../decisions.h"

/* Strategies for victims: the last successful victim (it had a surplus and probably still has), else a random one;
 * random (Blumofe and Leiserson, JACM 1999); round robin from the end of the previous search; nearest by shared cache.
 * All but the last continue a search cyclically from the first victim. */
uint32_t gws__victim_last(const struct gws_view *view);
uint32_t gws__victim_random(const struct gws_view *view);
uint32_t gws__victim_round(const struct gws_view *view);
uint32_t gws__victim_nearest(const struct gws_view *view);

/* A user's strategy names the first victim. The search continues cyclically from there, so it tries every worker
 * whatever the strategy returns. An invalid answer stands for the next worker. */
uint32_t gws__victim_user(gws_victim *own, const struct gws_view *view);

uint64_t gws__amount_one(uint64_t length, uint64_t chunk);
uint64_t gws__amount_two(uint64_t length, uint64_t chunk);
uint64_t gws__amount_chunk(uint64_t length, uint64_t chunk);
uint64_t gws__amount_half(uint64_t length, uint64_t chunk); /* rounded up (Dinan et al., SC 2009, section 3.3) */

/* Whether a worker with that many tasks should balance with a partner now: with probability 1 / length. So a worker
 * with few tasks often starts a balance, and one with many is often the partner (Rudolph, Slivkin-Allalouf, Upfal, SPAA
 * 1991, section 2). */
bool gws__decide_balance(uint64_t length, uint64_t bits);

/* The minimum difference of lengths that justifies the locks of a balance, after an attempt that moved that many tasks.
 * It doubles when an attempt moves no task and halves when it does, from 2 to 64 (the adaptive threshold that the
 * conclusion of the same paper suggests). */
uint64_t gws__decide_threshold(uint64_t threshold, uint64_t balanced);

/* How many tasks a worker pops at once from its own queue of that length if run accepts batch of them: as many as
 * possible with one worker, otherwise at most half, so that thieves find tasks. At least 1. */
uint32_t gws__decide_batch(uint64_t length, uint32_t batch, uint32_t workers);

/* How many workers a loop of count tasks justifies if each should have at least grain tasks (the thesis's threshold,
 * section 4.3.2, as a number of workers): at least 1, at most workers. */
uint32_t gws__decide_workers(uint64_t count, uint32_t grain, uint32_t workers);

/* The same, coarse: all workers, or one if all would leave a worker with less than its grain (CHAI's threshold between
 * two processors: Gomez-Luna et al., ISPASS 2017). */
uint32_t gws__decide_workers_coarse(uint64_t count, uint32_t grain, uint32_t workers);

/* How many victims a thief tries before it leaves a loop of that many chunks. If the loop is large enough to justify
 * the search, all, as in the thesis (section 3.1). In a loop of a few microseconds two, because a search through all
 * deques would cost more than the remaining work. No work is left behind: every worker that joins the loop empties its
 * own deque, and the caller tries all victims. */
uint32_t gws__decide_attempts(uint64_t count, uint32_t chunk, uint32_t victims);

/* The chunk size: about 32 chunks for each worker, so that the last chunk delays a loop by about 3 %, but 16 to 8192
 * tasks. */
uint32_t gws__decide_chunk(uint64_t count, uint32_t workers);

#endif

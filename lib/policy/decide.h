/* SPDX-License-Identifier: MIT */
/* Decisions of a policy, as pure functions of a small view. The thread pool and a simulator can thus use the same
 * functions. */
#ifndef GWS_POLICY_DECIDE_H
#define GWS_POLICY_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "../decisions.h"

/* Strategies for victims. _last: the victim of the last successful steal, which probably still has a surplus, else a
 * random worker. _random: a random worker (Blumofe and Leiserson, JACM 1999). _round: round robin from the end of the
 * previous search. _nearest: the nearest worker by shared cache. All strategies but _nearest continue a search
 * cyclically from the first victim. */
uint32_t gws__victim_last(const struct gws_view *view);
uint32_t gws__victim_random(const struct gws_view *view);
uint32_t gws__victim_round(const struct gws_view *view);
uint32_t gws__victim_nearest(const struct gws_view *view);

/* A user's strategy names the first victim. The search continues cyclically from that victim, so it tries every worker
 * whatever the strategy returns. The next worker replaces an invalid answer. */
uint32_t gws__victim_user(gws_victim *own, const struct gws_view *view);

uint64_t gws__amount_one(uint64_t length, uint64_t chunk);
uint64_t gws__amount_two(uint64_t length, uint64_t chunk);
uint64_t gws__amount_chunk(uint64_t length, uint64_t chunk);
uint64_t gws__amount_half(uint64_t length, uint64_t chunk); /* half of length, rounded up (Dinan et al., SC 2009,
                                                             * section 3.3) */

/* Returns true with probability 1 / length. A worker with that many tasks should then balance with a partner. So a
 * worker with few tasks often starts a balance, and a worker with many tasks is often the partner (Rudolph,
 * Slivkin-Allalouf, Upfal, SPAA 1991, section 2). */
bool gws__decide_balance(uint64_t length, uint64_t bits);

/* Returns the minimum difference of lengths that justifies the locks of a balance, after an attempt that moved that
 * many tasks. The threshold doubles after an attempt without a moved task and halves after another attempt, from 2 to
 * 64 (the conclusion of the same paper suggests such a threshold). */
uint64_t gws__decide_threshold(uint64_t threshold, uint64_t balanced);

/* Returns how many tasks a worker pops at once from its own queue of that length, at least 1 and at most batch. With
 * several workers it is at most half of the tasks, rounded up, which leaves tasks for thieves. */
uint32_t gws__decide_batch(uint64_t length, uint32_t batch, uint32_t workers);

/* Returns how many workers a loop of count tasks justifies if each worker should have at least grain tasks (the
 * thesis's threshold, section 4.3.2, as a number of workers): at least 1, at most workers. */
uint32_t gws__decide_workers(uint64_t count, uint32_t grain, uint32_t workers);

/* Returns all workers, or one if a loop on all workers would leave a worker with less than its grain (CHAI's threshold
 * between two processors: Gomez-Luna et al., ISPASS 2017). */
uint32_t gws__decide_workers_coarse(uint64_t count, uint32_t grain, uint32_t workers);

/* Returns how many victims a thief tries before it leaves the loop. If the loop is large enough to justify the search,
 * the thief tries all victims, as in the thesis (section 3.1). In a loop of a few microseconds it tries two, because a
 * search through all deques would cost more than the remaining work. The workers still complete all work: every worker
 * that joins the loop empties its own deque, and the caller tries all victims. */
uint32_t gws__decide_attempts(uint64_t count, uint32_t chunk, uint32_t victims);

/* Returns the chunk size, 16 to 8192 tasks. Each worker gets about 32 chunks, so the last chunk delays a loop by about
 * 3 %. */
uint32_t gws__decide_chunk(uint64_t count, uint32_t workers);

/* The state of a rank's search for a victim among the other ranks, which the caller has ordered by distance: the `near`
 * ranks of its own host first, then those of other hosts. A search asks for one victim after another, with tried = 0,
 * 1,
 * .. others - 1 and the same bits. */
struct gws__distance_view {
    uint32_t others, near; /* ranks: all but the thief; of these, on its host */
    uint32_t last;         /* index of the victim of the last successful steal; UINT32_MAX if there is none */
    uint32_t tried;        /* number of victims tried in this search */
    uint64_t bits;         /* 64 random bits for this search */
};

/* Returns the index of the next victim. A thief tries all ranks of its own host before it tries others, because remote
 * memory costs far more (Rudolph, Slivkin-Allalouf, Upfal, SPAA 1991). In both groups it begins with the victim of the
 * last successful steal, or at random, and goes on cyclically. So a search returns every rank once. */
uint32_t gws__victim_by_distance(const struct gws__distance_view *view);

/* Returns how many of its `own` tasks a worker releases to other ranks, which can already steal `shared` ones: half of
 * what exceeds two for each idle thread of its own rank, if others can steal little in comparison. */
uint64_t gws__decide_release(uint64_t own, uint64_t shared, uint32_t idle);

#endif

/* SPDX-License-Identifier: MIT */
/* Litmus tests of memory orders, for host and device. Each pair of sides has two words X and Y, which are 0 at first.
 * The sides run many rounds j = 1, 2 ... without waiting for each other, so values only rise.
 *
 * - Message passing: side 0 stores X = j (relaxed), then Y = j (release). Side 1 loads Y (acquire), then X
 *   (relaxed). An X below Y is forbidden.
 * - Load buffering: side 0 loads X (acquire), then stores Y = j (release). Side 1 loads Y and stores X likewise. If
 *   side 0 loads k in round j, then side 1 loaded less than j in round k; another value is forbidden.
 * - Relaxed messages: message passing with relaxed orders alone. An X below Y is then allowed, and tells that the run
 *   would see such outcomes.
 *
 * In the first two tests a word that falls is forbidden as well. Source: Alglave et al., GPU concurrency: weak
 * behaviours and programming assumptions, ASPLOS 2015. */
#ifndef GWS_TESTS_LIB_DEVICE_LITMUS_H
#define GWS_TESTS_LIB_DEVICE_LITMUS_H

#define LITMUS_MESSAGE_PASSING 0u
#define LITMUS_LOAD_BUFFERING 1u
#define LITMUS_RELAXED 2u
#define LITMUS_BOTH 2u           /* a role */
#define LITMUS_STRIDE 32u        /* words: each word has a cache line */
#define LITMUS_PATIENCE 4000000u /* polls of a side for the other one */

/* Words X and Y of a pair; behind those of all pairs, the words by which the sides meet. */
#define litmus_word(words, pair, which) ((words) + ((pair)*2 + (which)) * LITMUS_STRIDE)

#endif

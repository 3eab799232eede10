/* SPDX-License-Identifier: MIT */
/* Four-in-a-row on a device: the layout of the parameters (task_state.more) and of the table (task_state.data) of
 * connect_four.cl. */
#ifndef GWS_KERNELS_CONNECT_FOUR_WORDS_H
#define GWS_KERNELS_CONNECT_FOUR_WORDS_H

/* Parameters. TABLE: the last level with entries in the table, at least 1. OFFSET + level: the level's first entry. */
#define CONNECT_AHEAD 0u
#define CONNECT_TABLE 1u
#define CONNECT_OFFSET 2u
#define CONNECT_LEVELS 20u
#define CONNECT_WORDS (CONNECT_OFFSET + CONNECT_LEVELS)

/* The words of a task: the tokens of both players, the tokens of the player to move (64 bits each), the level, and the
 * number of the position among the 7^level sequences of moves. */
#define CONNECT_LEVEL 4u
#define CONNECT_PATH 5u
#define CONNECT_LENGTH 6u

/* An entry of the table is a value plus 2^31, or 0: no value. On level TABLE, if it is odd, the entry is the negative.
 */
#define CONNECT_BIAS 0x80000000u
#define CONNECT_WON 0xffffffffu
#define CONNECT_LOST 1u

/* Sums. SERIAL: positions that the lane of their parent evaluated. */
#define CONNECT_SERIAL 0u
#define CONNECT_LEAVES 1u

#endif

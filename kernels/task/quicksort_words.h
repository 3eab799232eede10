/* SPDX-License-Identifier: MIT */
/* Quicksort on a device: sizes, parameters and records (task_state.more), words of a task, and results of
 * quicksort.cl. */
#ifndef GWS_KERNELS_QUICKSORT_WORDS_H
#define GWS_KERNELS_QUICKSORT_WORDS_H

#ifndef QUICK_OWN
#define QUICK_OWN 16u /* keys that a lane moves, at most */
#endif
#ifndef QUICK_PARTS
#define QUICK_PARTS 32u /* children of a task: lanes of a tile, or parts of a row of tiles */
#endif
#define QUICK_TILE (QUICK_OWN * QUICK_PARTS)

/* Parameters, then a record for each `cutoff` keys. */
#define QUICK_COUNT 0u
#define QUICK_CUTOFF 1u
#define QUICK_SEED 2u
#define QUICK_RECORDS 4u

/* A record: the numbers of keys below the pivot (lower half) and above it, 64 bits; the number of keys that lanes have
 * written. All words are 0 while no range uses the record. */
#define QUICK_SIDES 0u
#define QUICK_WRITTEN 2u
#define QUICK_RECORD_WORDS 4u

/* The words of a task. PARTED: a range whose keys have their places; the keys equal to the pivot, 64 bits, are FIRST ..
 * LAST - 1. MOVE: the tiles FIRST .. LAST - 1 of a range, whose keys go to the left or right. FILL: tiles whose keys
 * become the pivot. */
#define QUICK_KIND 0u
#define QUICK_DEPTH 1u
#define QUICK_BEGIN 2u
#define QUICK_END 3u
#define QUICK_PIVOT 4u
#define QUICK_FIRST 6u
#define QUICK_LAST 7u
#define QUICK_LENGTH 8u

#define QUICK_PARTED 0u
#define QUICK_MOVE 1u
#define QUICK_FILL 2u

/* Sums: ranges of two keys or more; of these, divided ones; keys that lanes read in divided ranges. Maximum: depth. */
#define QUICK_RANGES 0u
#define QUICK_SPLITS 1u
#define QUICK_MOVES 2u
#define QUICK_DEEPEST 0u

#endif

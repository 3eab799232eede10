/* SPDX-License-Identifier: MIT */
/* The layout that the host and the kernels of a graph parted among devices share (engine/parted.cl). */
#ifndef GWS_KERNELS_PARTED_WORDS_H
#define GWS_KERNELS_PARTED_WORDS_H

/* The exchange buffer of a device, in 64-bit words: the posts (peers_words.h), of the words below, two bitmaps of all
 * vertices (in rounds: a word for each vertex, the operator's data[0]), and an inbox for each other part, in order,
 * with one word for each vertex of this part. */
#define POST_FOUND 0u  /* 32 bits: vertices found in the step, and the flags */
#define POST_ARCS 1u   /* their counted arcs; in rounds with buckets, the step's COUNT_MIN */
#define POST_TO_YOU 2u /* words sent to this inbox in this search or round; in a device's own post: to all inboxes */
#define POST_EPOCH 3u
#define POST_WORDS 4u
#define POST_SENT (1ull << 32)   /* flag: the step has sent something */
#define POST_SPLITS (1ull << 36) /* flag: the step has split heavy rows */
#define POST_STOPS (1ull << 40)  /* flag: the host has cancelled the search */
#define POST_FLAGS 15ull         /* times a flag: its bits in the sum over at most PARTED_MAX posts */

/* A search looks in one of so many steps whether the host has cancelled it. */
#define PARTED_STOP_STEPS 16u

/* Words of the control array, beside those of the engine. */
#define COUNT_SENT 48u /* PARTED_MAX words: the words sent to each part */

/* Words of the sums of rounds, beside those of the engine. */
#define SUM_SENT 9u  /* words sent to other parts */
#define SUM_IDLE 10u /* the time of all groups at barriers, in ticks, and in the kernel */
#define SUM_TICKS 11u

/* Words of the result. */
#define PARTED_LEVELS 0u
#define PARTED_REACHED 1u /* on all devices */
#define PARTED_OWN 2u     /* on this device */
#define PARTED_RESULT 4u

/* The group's statistics have this in the place of vertices stolen from the CPU. */
#define PARTED_GATHERED 2u /* words of other parts' bitmaps that the group has read */

#endif

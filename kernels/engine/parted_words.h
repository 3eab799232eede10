/* SPDX-License-Identifier: MIT */
/* The layout that the host and the kernels of a graph parted among devices share (engine/parted.cl). */
#ifndef GWS_KERNELS_PARTED_WORDS_H
#define GWS_KERNELS_PARTED_WORDS_H

#ifndef device_inline /* the host, without a portability header */
#include <stdint.h>
typedef uint32_t u32;
#endif

#define PARTED_MAX 8u /* parts, one on each device */

/* Part p has the vertices first[p] .. first[p + 1] - 1. A bound is a multiple of 32 or the number of all
 * vertices, which parts without vertices begin with. */
struct parted_bounds {
    u32 part, parts; /* this device's part, and the number of parts */
    u32 first[PARTED_MAX + 1];
};

/* The exchange buffer of a device, which all devices address, in 64-bit words: the posts, two bitmaps of all vertices,
 * and an inbox for each other part, in order, with one word for each vertex of this part. Each sender has a post for
 * even barriers and one for odd barriers, of the words below. The upper 16 bits of each word are those of the barrier's
 * number. */
#define POST_FOUND 0u  /* 32 bits: vertices found in the step, and the flags */
#define POST_ARCS 1u   /* their counted arcs */
#define POST_TO_YOU 2u /* words sent to this inbox in this search; in a device's own post: to all inboxes */
#define POST_EPOCH 3u  /* 48 bits of the barrier's number */
#define POST_WORDS 4u
#define POST_SENT (1ull << 32)   /* flag: the step has sent something */
#define POST_SPLITS (1ull << 33) /* flag: the step has split heavy rows */
#define POST_PAYLOAD 0xffffffffffffull
#define PARTED_POSTS (2u * PARTED_MAX * POST_WORDS)

/* Words of the control array, beside those of the engine. */
#define COUNT_SENT 48u /* PARTED_MAX words: the words sent to each part */

/* Words of the result. */
#define PARTED_LEVELS 0u
#define PARTED_REACHED 1u /* on all devices */
#define PARTED_OWN 2u     /* on this device */
#define PARTED_RESULT 4u

/* The group's statistics have this in the place of vertices stolen from the CPU. */
#define PARTED_GATHERED 2u /* words of other parts' bitmaps that the group has read */

#endif

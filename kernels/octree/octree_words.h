/* SPDX-License-Identifier: MIT */
/* Octrees by tasks: the layout of the shared words and of a group's statistics, for host and kernels. */
#ifndef GWS_KERNELS_OCTREE_WORDS_H
#define GWS_KERNELS_OCTREE_WORDS_H

#ifndef device_inline /* the host, without a portability header */
#include <stdint.h>
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/* The maximum number of items in a group. */
#define RANK_ITEMS 128u

/* The parameters of a tree. */
struct gws__octree_params {
    u32 queue_capacity; /* slots of a deque */
    u32 points, leaf, depth;
    u32 piece; /* points of a piece of an octant */
    u32 chunk; /* maximum tasks per steal */
    u64 inner_words, base;
};

/* Words of CONTROL, the first ones in separate cache lines. */
#define CONTROL_FINALISED 0u /* number of final points */
#define CONTROL_STATE 16u    /* RUN_ON, or the reason why the run stopped */
#define CONTROL_INNER 32u    /* reserved words of INNER */
#define CONTROL_HIGH 48u     /* static: the maximum number of tasks in a round */
#define CONTROL_ROUNDS 49u   /* static: the number of rounds that had a task */
#define CONTROL_WORDS 64u

#define RUN_ON 0u
#define RUN_OUT_OF_INNER 1u
#define RUN_OUT_OF_SLOTS 2u
#define RUN_STUCK 3u /* no progress for too long */

/* A group's statistics: STATS_STRIDE words, which only the group writes. */
#define STATS_STRIDE 8u
#define STATS_TASKS 0u
#define STATS_STEALS 1u
#define STATS_FAILED 2u
#define STATS_HIGH 3u     /* the maximum number of used slots of its deque */
#define STATS_FROM_CPU 4u /* tasks stolen from CPU workers, and from groups */
#define STATS_FROM_DEVICE 5u

#define INNER_BATCH 64u /* words of INNER that a group reserves at once */

#endif

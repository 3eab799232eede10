/* SPDX-License-Identifier: MIT */
/* Octrees by tasks: where host and kernels find what all groups share, and what a group has counted. */
#ifndef GWS_KERNELS_OCTREE_WORDS_H
#define GWS_KERNELS_OCTREE_WORDS_H

/* Words of CONTROL, each in a cache line of its own. */
#define CONTROL_FINALISED 0u /* points that have found their place */
#define CONTROL_STATE 16u    /* RUN_ON, or why all stop */
#define CONTROL_INNER 32u    /* words of INNER that are taken */
#define CONTROL_HIGH 48u     /* static: the most tasks of a round */
#define CONTROL_ROUNDS 49u   /* static: how many had a task */
#define CONTROL_WORDS 64u

#define RUN_ON 0u
#define RUN_OUT_OF_INNER 1u
#define RUN_OUT_OF_SLOTS 2u
#define RUN_STUCK 3u /* nothing has happened for too long */

/* A group's statistics: STATS_STRIDE words, written by it alone. */
#define STATS_STRIDE 8u
#define STATS_TASKS 0u
#define STATS_STEALS 1u
#define STATS_FAILED 2u
#define STATS_HIGH 3u     /* the most slots of its deque that were in use */
#define STATS_FROM_CPU 4u /* tasks stolen from the CPU's workers, and from groups */
#define STATS_FROM_DEVICE 5u

#define INNER_BATCH 64u /* words of INNER that a group takes at once */

#endif

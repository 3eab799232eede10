/* SPDX-License-Identifier: MIT */
/* Immediate tasks on a device: sizes, and the layout of the words that host and kernel share (task.cl). */
#ifndef GWS_KERNELS_TASK_WORDS_H
#define GWS_KERNELS_TASK_WORDS_H

#ifndef device_inline /* the host, without a portability header */
#include <stdint.h>
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#define TASK_WORDS 1u /* of a deque's slot, which holds the number of a block */
#ifndef TASK_BLOCK
#define TASK_BLOCK 64u /* tasks of a block */
#endif

#ifndef TASK_STACK
#define TASK_STACK 128u /* tasks of a worker's stack: a power of 2, at least a block and a warp */
#endif

#define TASK_GROUP 128u /* items of a group on devices with warps; elsewhere a group has one item */
/* Blocks that hold a worker's stack at a pause, and one for thieves of other devices. */
#define TASK_RESERVE ((TASK_STACK + TASK_BLOCK - 1) / TASK_BLOCK + 1)
#ifndef TASK_OWN
#define TASK_OWN 32u /* blocks that only one worker fills: at least a warp */
#endif

#ifndef TASK_DIVISIBLE
#define TASK_DIVISIBLE 64u /* children of a task that two workers share: two steps of a warp */
#endif

#define TASK_MAX_LENGTH 16u /* words of a task */
/* Behind them, in memory: the task's children FIRST .. END - 1 have not been created. */
#define TASK_RANGE_END 0u
#define TASK_RANGE_FIRST 1u
#define TASK_RANGE 2u
#define TASK_PEERS 16u /* other devices of a group, at most */

/* Words of CONTROL, each in a cache line of its own. */
#define TASK_ACTIVE 0u /* lower half: the number of active workers; upper half: flags */
#define TASK_FREE 16u  /* lists of blocks: tag << 32 | number of the first block + 1 */
#define TASK_FULL 32u
#define TASK_SUM 48u /* sums of the tasks, then maxima */
#define TASK_SUMS 4u
#define TASK_MAX (TASK_SUM + TASK_SUMS)
#define TASK_MAXES 2u
#define TASK_OPEN 64u /* of the first device of a group: the number of open devices (across.cl) */
#define TASK_ACROSS_TIME                                                                                               \
    65u                 /* of these steals, in nanoseconds: a look at the peer, the claim, and the copy of the tasks */
#define TASK_ACROSS 80u /* steals from each peer, then the tasks of these steals */
#define TASK_ACROSS_TASKS (TASK_ACROSS + TASK_PEERS)
#define TASK_CONTROL_WORDS 112u

#define TASK_PAUSED ((u64)1 << 32)    /* workers store their tasks in blocks and end */
#define TASK_SHORT ((u64)1 << 33)     /* the reason for the pause: no free block */
#define TASK_CANCELLED ((u64)1 << 34) /* workers end */
#define TASK_OVER ((u64)1 << 35)      /* no device of the group has tasks: workers end */
#define TASK_CLOSED ((u64)1 << 36)    /* the device is not open (across.cl) */
#define TASK_WANTED ((u64)1 << 37)    /* a peer has too few tasks */
#define TASK_ENDS (TASK_PAUSED | TASK_SHORT | TASK_CANCELLED | TASK_OVER)
#define TASK_COUNT 0xffffffffu /* mask of the number of active workers */

/* The word that the host shares with a running kernel. A kernel that pauses loses no task; one that stops does. */
#define TASK_STOP_NOW 1u
#define TASK_STOP_PAUSE 2u

/* What a kernel knows of the other devices of its group: the address of TASK_OPEN, the number of peers, and for each
 * peer, nearest first, the addresses of its buffers, the number of its workers, and for how many its buffers have
 * places. */
#define TASK_PEERS_OPEN 0u
#define TASK_PEERS_COUNT 1u
#define TASK_PEERS_FIRST 8u
#define TASK_PEER_DEQUES 0u
#define TASK_PEER_CONTROL 1u
#define TASK_PEER_BLOCK 2u
#define TASK_PEER_WORKERS 3u
#define TASK_PEER_PLACES 4u
#define TASK_PEER_STRIDE 8u
#define TASK_PEERS_WORDS (TASK_PEERS_FIRST + TASK_PEERS * TASK_PEER_STRIDE)

/* A worker's statistics: TASK_STATS_STRIDE words, to which only the worker adds. */
#define TASK_STATS_STRIDE 16u
#define TASK_STATS_MADE 0u    /* tasks created */
#define TASK_STATS_PARENTS 1u /* of these, tasks with children */
#define TASK_STATS_STEALS 2u  /* successful steals, and the blocks in them */
#define TASK_STATS_STOLEN 3u
#define TASK_STATS_FAILED 4u /* steals that lost a race */
#define TASK_STATS_PUSHES 5u /* blocks that the worker published */
#define TASK_STATS_STEPS 6u  /* passes over a warp of children */
#define TASK_STATS_IDLE 7u   /* ticks without tasks, and ticks in total */
#define TASK_STATS_TICKS 8u
#define TASK_STATS_LISTED 9u /* blocks that went to the list because the deque was full */

#endif

/* SPDX-License-Identifier: MIT */
/* The layout of the words that the host and the kernels of bfs*.cl share. */
#ifndef GWS_KERNELS_BFS_WORDS_H
#define GWS_KERNELS_BFS_WORDS_H

#ifndef device_inline /* the host, without a portability header */
#include <stdint.h>
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/* Words of control, 32 bits each. All but TAIL are constant while a level runs. */
#define CONTROL_LEVEL 0u /* the frontier's depth */
#define CONTROL_BEGIN 1u /* the frontier: list[BEGIN .. END - 1] */
#define CONTROL_END 2u
#define CONTROL_BOTTOM_UP 3u      /* 1: the level runs bottom-up */
#define CONTROL_WORKERS 4u        /* number of deques that the level is partitioned into */
#define CONTROL_DEVICE_WORKERS 5u /* number of deques, the first ones, that belong to groups */
#define CONTROL_STEALS 6u         /* 1: groups may steal */
#define CONTROL_STATE 7u          /* one of the states below */
#define CONTROL_RECORDS 8u        /* number of records */
#define CONTROL_ARRIVED 9u        /* groups that have ended the level */
#define CONTROL_PLANNED 10u       /* number of the words above */
#define CONTROL_TAIL 32u          /* the end of list, in its own cache line; an addition reserves entries */
#define CONTROL_WORDS 64u

/* Sums, 64 bits each. */
#define SUM_DEGREES 0u    /* degrees of the frontier */
#define SUM_FOUND 1u      /* degrees of the next frontier so far */
#define SUM_UNEXPLORED 2u /* arcs that leave vertices whose level has not run */
#define SUM_WORDS 16u

/* The states of a search by the device alone (bfs_device_only.cl). */
#define STATE_READY 0u       /* the frontier is not planned yet */
#define STATE_PARTITIONED 1u /* all groups run the level, or have run it */
#define STATE_FULL 2u        /* the records are full: the host fetches them and sets READY */
#define STATE_ENDED 3u       /* the frontier is empty */

/* The constants of a search's plan. */
struct gws__bfs_plan {
    u32 threshold; /* one group runs a top-down level of fewer vertices than this */
    u32 arcs;      /* and fewer arcs than this */
    u32 chunk;     /* 0: the kernel chooses it for each level */
    u32 direction; /* 0: the direction that reads fewer arcs; 1: always top-down; 2: always bottom-up */
    u32 groups;    /* groups of the other kernels */
    u32 steals;
    u32 vertices;
    u32 records; /* capacity of the records */
};

#endif

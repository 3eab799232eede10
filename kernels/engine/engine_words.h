/* SPDX-License-Identifier: MIT */
/* The layout of the words that the host and the engine's kernels share. */
#ifndef GWS_KERNELS_ENGINE_WORDS_H
#define GWS_KERNELS_ENGINE_WORDS_H

/* The schedules: even parts, one cursor, or stealing. */
#define SCHEDULE_STATIC 0u
#define SCHEDULE_CURSOR 1u
#define SCHEDULE_STEAL 2u

/* Words of control (32 bits) and of sums (64 bits). Some counters have four slots, indexed by step % 4. */
#define COUNT_FOUND 0u
#define COUNT_SEGMENTS 4u
#define COUNT_MIN 8u    /* 0: the bucket has vertices; otherwise the minimum priority beyond it */
#define COUNT_STOP 12u  /* 1: the host has cancelled the run */
#define COUNT_LEVEL 32u /* the first of four words: the position after the serial levels */
#define COUNT_BEGIN 33u
#define COUNT_SIZE 34u
#define COUNT_REACHED 35u
#define COUNT_HANDOFF 37u          /* 1: the traversal continues on the host */
#define COUNT_PULLS 38u            /* rounds of pull */
#define COUNT_REPORT_LEVELS 40u    /* the total number of rounds */
#define COUNT_REPORT_THRESHOLD 41u /* with buckets: the end of the last bucket, which was empty */
#define SUM_ARRIVED 0u             /* arrivals at the grid barrier */
#define SUM_SERIAL_ARCS 1u         /* arcs of the frontier after the serial levels */
#define SUM_COUNTED 8u             /* vertices for which op_counts() holds at the end */
#define SUM_ARCS 4u                /* four slots: arcs of the first vertices found (arcs_wanted) */
#define ENGINE_CONTROL_WORDS 64u
#define ENGINE_SUM_WORDS 16u

#endif

/* SPDX-License-Identifier: MIT */
/* What the host and the kernels of madness*.cl say to each other: where things lie in the buffers. */
#ifndef GWS_KERNELS_MADNESS_WORDS_H
#define GWS_KERNELS_MADNESS_WORDS_H

/* A task is 8 words of 32 bits: function, level, x, y, z. Its state: nothing yet; to be computed; computed. */
enum { MADNESS_FUNCTION, MADNESS_LEVEL, MADNESS_AT, MADNESS_TASK_WORDS = 8 };
enum { MADNESS_NOTHING, MADNESS_WAITING, MADNESS_DONE };

/* Words of 32 bits that all groups share: the next ticket; tasks so far; those not computed yet; places for families
 * that have been handed out; why everybody should stop, MADNESS_FULL or MADNESS_NOT_FINITE. */
enum { MADNESS_NEXT, MADNESS_TAIL, MADNESS_PENDING, MADNESS_SLOTS, MADNESS_STOP, MADNESS_CONTROL_WORDS = 16 };
enum { MADNESS_FULL = 1, MADNESS_NOT_FINITE };

/* A family's words of 32 bits, a task's and behind them whether there is one. Its numbers: square, difference. */
enum { MADNESS_USED = 5, MADNESS_FAMILY_WORDS = 8, MADNESS_FAMILY_NUMBERS = 2 };

/* Words of 64 bits for each group: boxes, those of them that were divided unseen; boxes whose difference is at the
 * tolerance, to rounding; how often a group looked for a task that was not there yet. */
enum { MADNESS_BOXES, MADNESS_FORCED, MADNESS_NEAR, MADNESS_POLLS, MADNESS_STATS_WORDS };

/* The numbers that all boxes need: by level the tolerance and the scale; the cell's lower corner and its edges; the
 * rule's points; then pairs of numbers from MADNESS_MATRICES on: the quadrature, the two-scale matrix by rows of
 * children (j) and by rows of parents (i), each row filled up to an even number. */
enum {
    MADNESS_LEVELS = 24,
    MADNESS_TOLERANCE = 0,
    MADNESS_SCALE = MADNESS_LEVELS,
    MADNESS_LOW = 2 * MADNESS_LEVELS,
    MADNESS_EDGE = MADNESS_LOW + 4,
    MADNESS_POINTS = MADNESS_EDGE + 4,
    MADNESS_MATRICES = MADNESS_POINTS + 32
};

/* A body: where, factor, sharpness. A special point: where, function, level. */
enum { MADNESS_BODY_NUMBERS = 5, MADNESS_SPECIAL_NUMBERS = 5 };

/* Items in a group, at most; the numbers of a group's arrays, which at last hold two for each item. */
enum { MADNESS_MAX_GROUP = 512 };
#define MADNESS_ARRAY(k) (12 * (k) * (k) * (k) > 2 * MADNESS_MAX_GROUP ? 12 * (k) * (k) * (k) : 2 * MADNESS_MAX_GROUP)

/* Which function is made of a body. */
enum { MADNESS_GAUSSIAN, MADNESS_POTENTIAL };

#endif

/* SPDX-License-Identifier: MIT */
/* The layout of the buffers that the host and the kernels of madness*.cl share. */
#ifndef GWS_KERNELS_MADNESS_WORDS_H
#define GWS_KERNELS_MADNESS_WORDS_H

/* A task has 8 words of 32 bits, of which five are used: function, level, x, y, z. The states of a task: not created,
 * waiting for a group, computed. */
enum { MADNESS_FUNCTION, MADNESS_LEVEL, MADNESS_AT, MADNESS_TASK_WORDS = 8 };
enum { MADNESS_NOTHING, MADNESS_WAITING, MADNESS_DONE };

/* Words of 32 bits that all groups share: the next ticket, tasks created, tasks not computed yet, reserved slots for
 * families, and the reason to stop (MADNESS_FULL or MADNESS_NOT_FINITE). */
enum { MADNESS_NEXT, MADNESS_TAIL, MADNESS_PENDING, MADNESS_SLOTS, MADNESS_STOP, MADNESS_CONTROL_WORDS = 16 };
enum { MADNESS_FULL = 1, MADNESS_NOT_FINITE };

/* A family's words of 32 bits: its task's words, and whether the family exists. A family's numbers: its square and its
 * difference. */
enum { MADNESS_USED = 5, MADNESS_FAMILY_WORDS = 8, MADNESS_FAMILY_NUMBERS = 2 };

/* Words of 64 bits for each group: boxes, boxes divided without computation, boxes whose difference equals the
 * tolerance within rounding, and fruitless polls for a task. */
enum { MADNESS_BOXES, MADNESS_FORCED, MADNESS_NEAR, MADNESS_POLLS, MADNESS_STATS_WORDS };

/* The numbers that all boxes need: the tolerance and the scale of each level, the cell's lower corner and its edges,
 * and the rule's points. Pairs of numbers follow from MADNESS_MATRICES on: the quadrature, then the two-scale matrix by
 * rows of children (j) and by rows of parents (i). Padding makes the length of each row even. */
enum {
    MADNESS_LEVELS = 24,
    MADNESS_TOLERANCE = 0,
    MADNESS_SCALE = MADNESS_LEVELS,
    MADNESS_LOW = 2 * MADNESS_LEVELS,
    MADNESS_EDGE = MADNESS_LOW + 4,
    MADNESS_POINTS = MADNESS_EDGE + 4,
    MADNESS_MATRICES = MADNESS_POINTS + 32
};

/* A body: position, factor, sharpness. A special point: position, function, level. */
enum { MADNESS_BODY_NUMBERS = 5, MADNESS_SPECIAL_NUMBERS = 5 };

/* The maximum number of items in a group. At the end, a group's array holds two numbers per item. */
enum { MADNESS_MAX_GROUP = 512 };
#define MADNESS_ARRAY(k) (12 * (k) * (k) * (k) > 2 * MADNESS_MAX_GROUP ? 12 * (k) * (k) * (k) : 2 * MADNESS_MAX_GROUP)

/* The kind of function of a body. */
enum { MADNESS_GAUSSIAN, MADNESS_POTENTIAL };

#endif

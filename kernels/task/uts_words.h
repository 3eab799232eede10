/* SPDX-License-Identifier: MIT */
/* Unbalanced tree search on a device: the layout of the table in the tasks' data (uts.cl, workloads/uts_table.h). */
#ifndef GWS_KERNELS_UTS_WORDS_H
#define GWS_KERNELS_UTS_WORDS_H

/* The table's head, and behind it the rows of depths 0 .. DEPTHS - 1, STRIDE words apart, and the row of deeper nodes.
 * ZERO is 0: the compiler must not know that the repeated hashes are equal. */
#define UTS_REPEAT 0u
#define UTS_ZERO 1u
#define UTS_DEPTHS 2u
#define UTS_STRIDE 3u
#define UTS_REST 4u /* the row of deeper nodes */
#define UTS_ROWS 8u

/* A row. Nodes with children have draws low .. low + width - 1. ALIKE: the number of their children, if all have
 * equally many; otherwise 0. AT + n: the smallest draw with more than n children. BEGIN: the number of children of the
 * smallest draw of each of 256 buckets, in bytes. */
#define UTS_LOW 0u
#define UTS_WIDTH 1u
#define UTS_ALIKE 2u
#define UTS_AT 3u
#define UTS_BEGIN (UTS_AT + 101u)
#define UTS_ROW_WORDS (UTS_BEGIN + 64u)

#endif

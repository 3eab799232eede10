/* SPDX-License-Identifier: MIT */
/* A level's record, which kernels write and the host reads. The lower half is the number of the level's vertices. The
 * bits of the upper half, defined below, tell how the level ran. */
#ifndef GWS_KERNELS_RECORD_WORDS_H
#define GWS_KERNELS_RECORD_WORDS_H

#define RECORD_BOTTOM_UP 0x100000000u  /* the level ran bottom-up (pull) */
#define RECORD_ALL_GROUPS 0x200000000u /* all groups ran the level, not one group */

#endif

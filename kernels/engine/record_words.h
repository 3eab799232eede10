/* SPDX-License-Identifier: MIT */
/* A level's record, as kernels write it and the host reads it: the number of its vertices in the lower half, and how it
 * ran. */
#ifndef GWS_KERNELS_RECORD_WORDS_H
#define GWS_KERNELS_RECORD_WORDS_H

#define RECORD_BOTTOM_UP 0x100000000u  /* bottom-up, or pull */
#define RECORD_ALL_GROUPS 0x200000000u /* by all groups, and not by one */

#endif

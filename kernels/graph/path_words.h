/* SPDX-License-Identifier: MIT */
/* The forms of distances that kernels/graph/path.cl reads. */
#ifndef GWS_KERNELS_PATH_WORDS_H
#define GWS_KERNELS_PATH_WORDS_H

#define PATH_WORDS 0u /* u32 */
#define PATH_LONGS 1u /* u64, or the bits of doubles */

#endif

/* SPDX-License-Identifier: MIT */
/* What the host and the kernels of all graphs that are parted among devices share (engine/peers.cl). */
#ifndef GWS_KERNELS_PEERS_WORDS_H
#define GWS_KERNELS_PEERS_WORDS_H

#ifndef device_inline /* the host, without a portability header */
#include <stdint.h>
typedef uint32_t u32;
#endif

#define PARTED_MAX 8u /* parts, one on each device */

/* Part p has the vertices first[p] .. first[p + 1] - 1. A bound is a multiple of 32 or the number of all
 * vertices, which parts without vertices begin with. */
struct parted_bounds {
    u32 part, parts; /* this device's part, and the number of parts */
    u32 first[PARTED_MAX + 1];
};

/* The exchange buffer of a device, which all devices address, begins with PARTED_POSTS words of 64 bits: the posts.
 * Each sender has a post for even barriers and one for odd barriers. A post has POST_WORDS words, which the program
 * defines, and one of them is POST_EPOCH. The upper 16 bits of each word are those of the barrier's number. */
#define POST_PAYLOAD 0xffffffffffffull /* word POST_EPOCH: 48 bits of the barrier's number */
#define PARTED_POSTS (2u * PARTED_MAX * POST_WORDS)

/* The host's word that ends a kernel (stop_requested() in grid.cl) has this value if another device does not run its
 * kernel. Then no device passes its first barrier, and all kernels that run end there. */
#define PEERS_ABANDON 2u

#endif

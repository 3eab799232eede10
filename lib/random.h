/* SPDX-License-Identifier: MIT */
/* Random numbers. A mixing function gives draws that are addressed by number, so parallel work draws the same numbers
 * in any order. A small generator gives a sequential stream to one owner. Both are SplitMix64 (Steele, Lea, Flood,
 * OOPSLA 2014). */
#ifndef GWS_RANDOM_H
#define GWS_RANDOM_H

#include <stdint.h>

/* Applies a bijection of 64 bits that looks random. */
static inline uint64_t gws_random_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Returns the index-th draw of the stream named by seed. */
static inline uint64_t gws_random_at(uint64_t seed, uint64_t index)
{
    return gws_random_mix(gws_random_mix(seed) + (index + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Returns the next draw of a stream whose whole state is *state. */
static inline uint64_t gws_random_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return gws_random_mix(*state);
}

/* Returns a draw below bound (not 0) from 64 random bits. Lemire's multiplication has a bias of bound / 2^32, which is
 * harmless for numbers of workers and for sampling. */
static inline uint32_t gws_random_below(uint64_t bits, uint32_t bound)
{
    return (uint32_t)(((bits >> 32) * bound) >> 32);
}

#endif

/* SPDX-License-Identifier: MIT */
/* Fields of at most 57 bits in memory, one after another: a field is read and written with the 8 bytes from its first
 * byte on, so 7 bytes follow the last field. */
#ifndef GWS_BITS_H
#define GWS_BITS_H

#include <stdint.h>
#include <string.h>

/* Sets the bits of a field, which are 0. at: the number of its first bit. */
static inline void gws_bits_put(char *bits, uint64_t at, uint64_t value)
{
    uint64_t word;
    memcpy(&word, bits + at / 8, sizeof word);
    word |= value << at % 8;
    memcpy(bits + at / 8, &word, sizeof word);
}

static inline uint64_t gws_bits_get(const char *bits, uint64_t at, uint32_t width)
{
    uint64_t word;
    memcpy(&word, bits + at / 8, sizeof word);
    return word >> at % 8 & ((UINT64_C(1) << width) - 1);
}

#endif

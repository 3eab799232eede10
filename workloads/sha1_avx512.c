/* SPDX-License-Identifier: MIT */
/* Computes SHA-1 of 16 children at once in the lanes of AVX-512, which has single instructions for rotation and for
 * three-operand logic. */
#include "sha1.h"

#ifdef __x86_64__
#include <immintrin.h>

#define LANES 16
typedef uint32_t word __attribute__((vector_size(64)));
typedef uint32_t loose __attribute__((vector_size(64), aligned(4), may_alias));
#define WORD(x) ((word){0} + (uint32_t)(x))
#define TARGET __attribute__((target("avx512f")))
#define INLINE static inline __attribute__((always_inline)) TARGET
/* The truth tables of the three functions, in which b is the highest bit of the index. */
#define LOGIC(b, c, d, table) ((word)_mm512_ternarylogic_epi32((__m512i)(b), (__m512i)(c), (__m512i)(d), table))
#define CHOOSE(b, c, d) LOGIC(b, c, d, 0xca)
#define PARITY(b, c, d) LOGIC(b, c, d, 0x96)
#define MAJORITY(b, c, d) LOGIC(b, c, d, 0xe8)

INLINE word fetch(const uint32_t *row, word lane)
{
    return (word)_mm512_permutexvar_epi32((__m512i)lane, _mm512_loadu_si512(row));
}

INLINE uint32_t less(word x, word y)
{
    return _mm512_cmplt_epu32_mask((__m512i)x, (__m512i)y);
}

INLINE uint32_t list(struct gws__sha1_batch *batch, uint32_t listed, uint32_t begin, uint32_t mask)
{
    word child = (word){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + begin;
    _mm512_storeu_si512(batch->listed + listed, _mm512_maskz_compress_epi32((__mmask16)mask, (__m512i)child));
    return listed + (uint32_t)__builtin_popcount(mask);
}

#include "sha1_body.h"

static bool is_here(void)
{
    return __builtin_cpu_supports("avx512f");
}

const struct gws__sha1 gws__sha1_avx512 = {"avx512", "16 children in lanes of AVX-512", is_here, children};
#endif

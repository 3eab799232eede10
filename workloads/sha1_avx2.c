/* SPDX-License-Identifier: MIT */
/* Computes SHA-1 of 8 children at once in the lanes of AVX2. */
#include "sha1.h"

#ifdef __x86_64__
#include <immintrin.h>

#define LANES 8
typedef uint32_t word __attribute__((vector_size(32)));
typedef uint32_t loose __attribute__((vector_size(32), aligned(4), may_alias));
#define WORD(x) ((word){0} + (uint32_t)(x))
#define TARGET __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline)) TARGET

INLINE word fetch(const uint32_t *row, word lane)
{
    return (word)_mm256_permutevar8x32_epi32((__m256i) * (const loose *)row, (__m256i)lane);
}

/* Compares words. The instruction is signed, so the function adds 2^31 to both operands. */
INLINE uint32_t less(word x, word y)
{
    __m256i less = _mm256_cmpgt_epi32((__m256i)(y ^ 0x80000000), (__m256i)(x ^ 0x80000000));
    return (uint32_t)_mm256_movemask_ps((__m256)less);
}

INLINE uint32_t list(struct gws__sha1_batch *batch, uint32_t listed, uint32_t begin, uint32_t mask)
{
    for (; mask; mask &= mask - 1) batch->listed[listed++] = begin + (uint32_t)__builtin_ctz(mask);
    return listed;
}

#include "sha1_body.h"

static bool is_here(void)
{
    return __builtin_cpu_supports("avx2");
}

const struct gws__sha1 gws__sha1_avx2 = {"avx2", "8 children in lanes of AVX2", is_here, children};
#endif

/* SPDX-License-Identifier: MIT */
/* SHA-1 of 8 children at once in the lanes of AVX2. */
#include "sha1.h"

#ifdef __x86_64__
#include <immintrin.h>

typedef uint32_t word __attribute__((vector_size(32)));
#define WORD(x) ((word){0} + (uint32_t)(x))
#define TARGET __attribute__((always_inline, target("avx2")))
#define CHOOSE(b, c, d) ((d) ^ ((b) & ((c) ^ (d))))
#define PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define MAJORITY(b, c, d) (((b) & (c)) | (((b) | (c)) & (d)))
#include "sha1_rounds.h"

static bool is_here(void)
{
    return __builtin_cpu_supports("avx2");
}

static inline TARGET __m256i load(const uint32_t *row)
{
    return _mm256_loadu_si256((const __m256i *)row);
}

/* What 8 children have from their parents, of whom there are at most 8, behind each other. */
static inline TARGET word fetch(const uint32_t *row, __m256i lane)
{
    return (word)_mm256_permutevar8x32_epi32(load(row), lane);
}

/* Comparing is signed: so both sides are moved down by 2^31. */
static inline TARGET uint32_t is_below(word x, word y)
{
    __m256i below = _mm256_cmpgt_epi32((__m256i)(y ^ 0x80000000), (__m256i)(x ^ 0x80000000));
    return (uint32_t)_mm256_movemask_ps((__m256)below);
}

__attribute__((target("avx2"))) static uint32_t children(struct gws__sha1_batch *batch, uint32_t count)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        uint32_t p = batch->from[i];
        __m256i lane = _mm256_sub_epi32(load(batch->from + i), _mm256_set1_epi32((int)p));
        word m[16] = {{0}}, hash[gws__sha1_words];
        for (int k = 0; k < gws__sha1_words; k++) m[k] = fetch(batch->parent[k] + p, lane);
        m[5] = (word)load(batch->number + i);
        m[6] = WORD(GWS__SHA1_MARK);
        m[15] = WORD(gws__sha1_bits);
        sha1_block(m, hash);
        for (int k = 0; k < gws__sha1_words; k++)
            _mm256_storeu_si256((__m256i *)(batch->child[k] + i), (__m256i)hash[k]);
        uint32_t mask = is_below((hash[4] & 0x7fffffff) - fetch(batch->low + p, lane), fetch(batch->width + p, lane));
        if (count - i < 8) mask &= (1U << (count - i)) - 1;
        listed = gws__sha1_list(batch, listed, i, mask);
    }
    return listed;
}
#else
static bool is_here(void)
{
    return false;
}
#define children gws__sha1_scalar.children
#endif

const struct gws__sha1 gws__sha1_avx2 = {"avx2", "8 children in lanes of AVX2", is_here, children};

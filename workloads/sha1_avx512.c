/* SPDX-License-Identifier: MIT */
/* SHA-1 of 16 children at once in the lanes of AVX-512, which rotates and combines three words in one instruction
 * each. */
#include "sha1.h"

#ifdef __x86_64__
#include <immintrin.h>

typedef uint32_t word __attribute__((vector_size(64)));
#define WORD(x) ((word){0} + (uint32_t)(x))
#define TARGET __attribute__((always_inline, target("avx512f")))
/* The tables of truth of the three functions, b the highest bit of the index. */
#define LOGIC(b, c, d, table) ((word)_mm512_ternarylogic_epi32((__m512i)(b), (__m512i)(c), (__m512i)(d), table))
#define CHOOSE(b, c, d) LOGIC(b, c, d, 0xca)
#define PARITY(b, c, d) LOGIC(b, c, d, 0x96)
#define MAJORITY(b, c, d) LOGIC(b, c, d, 0xe8)
#include "sha1_rounds.h"

static bool is_here(void)
{
    return __builtin_cpu_supports("avx512f");
}

/* What 16 children have from their parents, of whom there are at most 16, behind each other. */
static inline TARGET word fetch(const uint32_t *row, __m512i lane)
{
    return (word)_mm512_permutexvar_epi32(lane, _mm512_loadu_si512(row));
}

static inline TARGET uint32_t list(struct gws__sha1_batch *batch, uint32_t listed, uint32_t begin, uint32_t mask)
{
    __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i child = _mm512_add_epi32(lane, _mm512_set1_epi32((int)begin));
    _mm512_storeu_si512(batch->listed + listed, _mm512_maskz_compress_epi32((__mmask16)mask, child));
    return listed + (uint32_t)__builtin_popcount(mask);
}

__attribute__((target("avx512f"))) static uint32_t children(struct gws__sha1_batch *batch, uint32_t count)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i += 16) {
        uint32_t p = batch->from[i];
        __m512i lane = _mm512_sub_epi32(_mm512_load_si512(batch->from + i), _mm512_set1_epi32((int)p));
        word m[16] = {0}, hash[gws__sha1_words];
        for (int k = 0; k < gws__sha1_words; k++) m[k] = fetch(batch->parent[k] + p, lane);
        m[5] = (word)_mm512_load_si512(batch->number + i);
        m[6] = WORD(GWS__SHA1_MARK);
        m[15] = WORD(gws__sha1_bits);
        sha1_block(m, hash);
        for (int k = 0; k < gws__sha1_words; k++) _mm512_store_si512(batch->child[k] + i, (__m512i)hash[k]);
        word draw = (hash[4] & 0x7fffffff) - fetch(batch->low + p, lane);
        uint32_t mask = _mm512_cmplt_epu32_mask((__m512i)draw, (__m512i)fetch(batch->width + p, lane));
        if (count - i < 16) mask &= (1U << (count - i)) - 1;
        listed = list(batch, listed, i, mask);
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

const struct gws__sha1 gws__sha1_avx512 = {"avx512", "16 children in lanes of AVX-512", is_here, children};

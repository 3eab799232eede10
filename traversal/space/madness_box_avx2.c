/* SPDX-License-Identifier: MIT */
/* The box kernel with AVX2 and FMA. Two registers hold one entry of all eight children. */
#include "madness_box.h"

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define ROWS 1
#define WIDE 4
#define FOLDED_ROWS 1
#define FOLDED 5
#define WIDTH 4
#define EACH(f) f(0), f(1)
typedef __m256d vector;
#define fuse _mm256_fmadd_pd

static inline __attribute__((always_inline)) TARGET vector swap(vector x, int distance)
{
    return distance == 2 ? _mm256_permute4x64_pd(x, 0x4e) : _mm256_permute_pd(x, 0x5);
}

#include "madness_box_body.h"

static bool is_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

const struct gws__madness_box gws__madness_avx2 = {"avx2", "eight children in two AVX2 registers, with FMA", is_here,
                                                   project, compare};
#endif

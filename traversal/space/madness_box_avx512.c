/* SPDX-License-Identifier: MIT */
/* The box kernel with AVX-512. One register holds one entry of all eight children. */
#include "madness_box.h"

#ifdef __x86_64__
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f")))
#define ROWS 2
#define WIDE 10
#define FOLDED_ROWS 4
#define FOLDED 5
#define WIDTH 8
#define EACH(f) f(0)
typedef __m512d vector;
#define fuse _mm512_fmadd_pd

static inline __attribute__((always_inline)) TARGET vector swap(vector x, int distance)
{
    if (distance == 4) return _mm512_shuffle_f64x2(x, x, 0x4e);
    return distance == 2 ? _mm512_permutex_pd(x, 0x4e) : _mm512_permute_pd(x, 0x55);
}

#include "madness_box_body.h"

static bool is_here(void)
{
    return __builtin_cpu_supports("avx512f");
}

const struct gws__madness_box gws__madness_avx512 = {"avx512", "eight children in one AVX-512 register", is_here,
                                                     project, compare};
#endif

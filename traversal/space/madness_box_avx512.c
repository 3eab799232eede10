/* SPDX-License-Identifier: MIT */
/* Boxes of a MADNESS tree in AVX-512: a register holds one entry of all eight children. */
#include "madness_box.h"

#ifdef __x86_64__
#include <immintrin.h>

typedef __m512d lanes;
#define TARGET __attribute__((target("avx512f")))
#define INSTRUCTION static inline __attribute__((always_inline)) TARGET
#ifdef MADNESS_BOX_INSTRUMENTED
#define ROWS 1
#define WIDE 2
#define FOLDED_ROWS 1
#define FOLDED 2
#else
#define ROWS 2
#define WIDE 10
#define FOLDED_ROWS 4
#define FOLDED 5
#endif

INSTRUCTION lanes load(const double *array)
{
    return _mm512_loadu_pd(array);
}

INSTRUCTION void store(double *array, lanes x)
{
    _mm512_storeu_pd(array, x);
}

INSTRUCTION lanes spread(double x)
{
    return _mm512_set1_pd(x);
}

INSTRUCTION lanes zero(void)
{
    return _mm512_setzero_pd();
}

INSTRUCTION lanes add(lanes x, lanes y)
{
    return _mm512_add_pd(x, y);
}

INSTRUCTION lanes subtract(lanes x, lanes y)
{
    return _mm512_sub_pd(x, y);
}

INSTRUCTION lanes times(lanes x, lanes y)
{
    return _mm512_mul_pd(x, y);
}

INSTRUCTION lanes fused(lanes x, lanes y, lanes z)
{
    return _mm512_fmadd_pd(x, y, z);
}

INSTRUCTION lanes neighbour(lanes x, uint32_t axis)
{
    if (axis == 0) return _mm512_shuffle_f64x2(x, x, 0x4e);
    return axis == 1 ? _mm512_permutex_pd(x, 0x4e) : _mm512_permute_pd(x, 0x55);
}

INSTRUCTION double total(lanes x)
{
    double part[8];
    _mm512_storeu_pd(part, x);
    return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

#include "madness_box_body.h"

static bool is_here(void)
{
    return __builtin_cpu_supports("avx512f");
}
#else
static bool is_here(void)
{
    return false;
}
#define project gws__madness_plain.project
#define compare gws__madness_plain.compare
#endif

const struct gws__madness_box gws__madness_avx512 = {"avx512", "eight children in a register of AVX-512", is_here,
                                                     project, compare};

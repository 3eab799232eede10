/* SPDX-License-Identifier: MIT */
/* Boxes of a MADNESS tree in AVX2 and FMA: two registers hold one entry of all eight children. */
#include "madness_box.h"

#ifdef __x86_64__
#include <immintrin.h>

typedef struct {
    __m256d low, high; /* children 0 .. 3 and 4 .. 7 */
} lanes;
#define TARGET __attribute__((target("avx2,fma")))
#define INSTRUCTION static inline __attribute__((always_inline)) TARGET
#ifdef MADNESS_BOX_INSTRUMENTED
#define ROWS 1
#define WIDE 2
#define FOLDED_ROWS 1
#define FOLDED 2
#else
#define ROWS 1
#define WIDE 4
#define FOLDED_ROWS 1
#define FOLDED 5
#endif

INSTRUCTION lanes load(const double *array)
{
    return (lanes){_mm256_loadu_pd(array), _mm256_loadu_pd(array + 4)};
}

INSTRUCTION void store(double *array, lanes x)
{
    _mm256_storeu_pd(array, x.low);
    _mm256_storeu_pd(array + 4, x.high);
}

INSTRUCTION lanes spread(double x)
{
    return (lanes){_mm256_set1_pd(x), _mm256_set1_pd(x)};
}

INSTRUCTION lanes zero(void)
{
    return (lanes){_mm256_setzero_pd(), _mm256_setzero_pd()};
}

INSTRUCTION lanes add(lanes x, lanes y)
{
    return (lanes){_mm256_add_pd(x.low, y.low), _mm256_add_pd(x.high, y.high)};
}

INSTRUCTION lanes subtract(lanes x, lanes y)
{
    return (lanes){_mm256_sub_pd(x.low, y.low), _mm256_sub_pd(x.high, y.high)};
}

INSTRUCTION lanes times(lanes x, lanes y)
{
    return (lanes){_mm256_mul_pd(x.low, y.low), _mm256_mul_pd(x.high, y.high)};
}

INSTRUCTION lanes fused(lanes x, lanes y, lanes z)
{
    return (lanes){_mm256_fmadd_pd(x.low, y.low, z.low), _mm256_fmadd_pd(x.high, y.high, z.high)};
}

INSTRUCTION lanes neighbour(lanes x, uint32_t axis)
{
    if (axis == 0) return (lanes){x.high, x.low};
    if (axis == 1) return (lanes){_mm256_permute4x64_pd(x.low, 0x4e), _mm256_permute4x64_pd(x.high, 0x4e)};
    return (lanes){_mm256_permute_pd(x.low, 0x5), _mm256_permute_pd(x.high, 0x5)};
}

INSTRUCTION double total(lanes x)
{
    double part[4];
    _mm256_storeu_pd(part, _mm256_add_pd(x.low, x.high));
    return (part[0] + part[2]) + (part[1] + part[3]);
}

#include "madness_box_body.h"

static bool is_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static bool is_here(void)
{
    return false;
}
#define project gws__madness_plain.project
#define compare gws__madness_plain.compare
#endif

const struct gws__madness_box gws__madness_avx2 = {"avx2", "eight children in two registers of AVX2, with FMA", is_here,
                                                   project, compare};

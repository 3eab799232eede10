/* SPDX-License-Identifier: MIT */
/* A loop over coordinates is written once, as NAME_loop(is_double, ...), and compiled for floats and for doubles, and
 * for each kind of processor; without a branch, so that compilers make vectors of it. GWS__VECTORS(LINKAGE, NAME, LONG,
 * IS_DOUBLE, PARAMETERS, ...) defines the function NAME of the others, which runs the one for these numbers and for the
 * widest vectors that the processor has: AVX-512 only where LONG is true, as it costs short loops more than it saves.
 * PARAMETERS stand in brackets; behind them their names. */
#ifndef GWS_SPACE_OCTREE_VECTORS_H
#define GWS_SPACE_OCTREE_VECTORS_H

#define GWS__VECTOR_LOOP static inline __attribute__((always_inline)) void

#define GWS__VECTORS_FOR(LINKAGE, NAME, LOOP, IS_DOUBLE, PARAMETERS, ...)                                              \
    LINKAGE void NAME PARAMETERS                                                                                       \
    {                                                                                                                  \
        if (IS_DOUBLE)                                                                                                 \
            LOOP(true, __VA_ARGS__);                                                                                   \
        else                                                                                                           \
            LOOP(false, __VA_ARGS__);                                                                                  \
    }

#if !defined __x86_64__
#define GWS__VECTORS(LINKAGE, NAME, LONG, IS_DOUBLE, PARAMETERS, ...)                                                  \
    GWS__VECTORS_FOR(LINKAGE, NAME, NAME##_loop, IS_DOUBLE, PARAMETERS, __VA_ARGS__)
#else
#ifdef __clang__
#define GWS__WIDEST "avx512f,avx512dq,avx512vl"
#else
#define GWS__WIDEST "avx512f,avx512dq,avx512vl,prefer-vector-width=512" /* gcc takes half of it unless told */
#endif
#define GWS__TARGET(KIND) __attribute__((target(KIND))) static
#define GWS__VECTORS(LINKAGE, NAME, LONG, IS_DOUBLE, PARAMETERS, ...)                                                  \
    GWS__VECTORS_FOR(static, NAME##_plain, NAME##_loop, IS_DOUBLE, PARAMETERS, __VA_ARGS__)                            \
    GWS__VECTORS_FOR(GWS__TARGET("avx2"), NAME##_avx2, NAME##_loop, IS_DOUBLE, PARAMETERS, __VA_ARGS__)                \
    GWS__VECTORS_FOR(GWS__TARGET(GWS__WIDEST), NAME##_avx512, NAME##_loop, IS_DOUBLE, PARAMETERS, __VA_ARGS__)         \
    LINKAGE void NAME PARAMETERS                                                                                       \
    {                                                                                                                  \
        if ((LONG) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&                       \
            __builtin_cpu_supports("avx512vl"))                                                                        \
            NAME##_avx512(__VA_ARGS__);                                                                                \
        else                                                                                                           \
            (__builtin_cpu_supports("avx2") ? NAME##_avx2 : NAME##_plain)(__VA_ARGS__);                                \
    }
#endif

/* Number i of an array. */
static inline double gws__number_at(bool is_double, const void *number, uint64_t i)
{
    return is_double ? ((const double *)number)[i] : (double)((const float *)number)[i];
}

#endif

/* SPDX-License-Identifier: MIT */
/* Vectorised loops over coordinates. A loop is written once, without branches, as NAME_loop(is_double, ...). It is
 * compiled for floats and doubles and for each instruction set. GWS__VECTORS(LINKAGE, NAME, LONG, IS_DOUBLE,
 * PARAMETERS, ...) defines the function NAME, which selects the version for the coordinate type and the processor.
 * AVX-512 is used only where LONG is true, because it slows down short loops. PARAMETERS is the parenthesised parameter
 * list; the parameter names follow it. */
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
#define GWS__WIDEST "avx512f,avx512dq,avx512vl,prefer-vector-width=512" /* by default gcc prefers 256 bits */
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

/* Entry i of an array of floats or doubles. */
static inline double gws__number_at(bool is_double, const void *number, uint64_t i)
{
    return is_double ? ((const double *)number)[i] : (double)((const float *)number)[i];
}

#endif

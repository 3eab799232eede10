/* SPDX-License-Identifier: MIT */
/* The extent of a block of numbers, plain, for AVX2 and for AVX-512. NAME: the function; NUMBER: float or double;
 * BITS: the signed integer of its size; INFINITE: infinity's bits; ORDER: turns bits into integers that order alike.
 * Integers, for compilers may reorder their minima and so make vectors of them. */
#define EXTENT_JOIN_(a, b) a##b
#define EXTENT_JOIN(a, b) EXTENT_JOIN_(a, b)

static inline __attribute__((always_inline)) void EXTENT_JOIN(NAME, _ends)(const NUMBER *x, uint64_t count,
                                                                           BITS ends[2])
{
    BITS least = INFINITE, most = -(INFINITE);
    for (uint64_t i = 0; i < count; i++) {
        BITS bits;
        memcpy(&bits, &x[i], sizeof bits);
        bits = ORDER(bits);
        least = bits < least ? bits : least;
        most = bits > most ? bits : most;
    }
    ends[0] = least;
    ends[1] = most;
}

#if defined __x86_64__
__attribute__((target("avx2"))) static void EXTENT_JOIN(NAME, _avx2)(const NUMBER *x, uint64_t count, BITS ends[2])
{
    EXTENT_JOIN(NAME, _ends)(x, count, ends);
}

__attribute__((target("avx512f"))) static void EXTENT_JOIN(NAME, _avx512)(const NUMBER *x, uint64_t count, BITS ends[2])
{
    EXTENT_JOIN(NAME, _ends)(x, count, ends);
}
#endif

/* Widens low .. high by a block; false when a number is not finite: low and high then mean nothing. */
static bool NAME(const NUMBER *x, uint64_t count, double *low, double *high)
{
    BITS ends[2];
    NUMBER end[2];
#if defined __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        EXTENT_JOIN(NAME, _avx512)(x, count, ends);
    else if (__builtin_cpu_supports("avx2"))
        EXTENT_JOIN(NAME, _avx2)(x, count, ends);
    else
#endif
        EXTENT_JOIN(NAME, _ends)(x, count, ends);
    if (ends[1] >= INFINITE || ends[0] < -(INFINITE)) return false;
    for (int e = 0; e < 2; e++) {
        BITS bits = ORDER(ends[e]);
        memcpy(&end[e], &bits, sizeof bits);
    }
    *low = fmin(*low, (double)end[0]);
    *high = fmax(*high, (double)end[1]);
    return true;
}
#undef NAME
#undef NUMBER
#undef BITS
#undef INFINITE
#undef ORDER
#undef EXTENT_JOIN
#undef EXTENT_JOIN_

/* SPDX-License-Identifier: MIT */
#include "number.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;

/* 5^0 .. 5^27: the last is below 2^63. */
static uint64_t power_of_five(int exponent)
{
    uint64_t power = 1;
    for (int i = 0; i < exponent; i++) power *= 5;
    return power;
}

/* bits * 2^exponent, where the lowest bit of bits may stand for any rest below it: bits has at least 55 of them, so
 * that the rest only tells which side of a tie it is. */
static double round_wide(wide bits, int exponent)
{
    uint64_t high = (uint64_t)(bits >> 64);
    int length = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)bits);
    int spare = length - 53;
    uint64_t kept = (uint64_t)(bits >> spare);
    wide rest = bits & (((wide)1 << spare) - 1), half = (wide)1 << (spare - 1);
    kept += rest > half || (rest == half && (kept & 1));
    return ldexp((double)kept, exponent + spare);
}

double gws__real_round(uint64_t m, int exponent)
{
    if (exponent >= 0) {
        int shift = __builtin_clzll(m); /* so that the product has more than 54 bits */
        return round_wide((wide)(m << shift) * power_of_five(exponent), exponent - shift);
    }
    uint64_t divisor = power_of_five(-exponent);
    int shift = __builtin_clzll(m);
    wide dividend = (wide)(m << shift) << 64;
    wide quotient = dividend / divisor;
    return round_wide(quotient << 1 | (quotient * divisor != dividend), exponent - shift - 65);
}

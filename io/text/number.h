/* SPDX-License-Identifier: MIT */
/* Converts decimal numbers to 32-bit integers. The rounding is exact, because it uses the digits, not a binary
 * approximation. */
#ifndef GWS_IO_NUMBER_H
#define GWS_IO_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "scan.h"

struct gws__number {
    int32_t rounded; /* the number rounded to the nearest integer, halves away from zero, or 0 unless fits */
    bool whole;      /* the number is an integer in any notation, such as 1e3 */
    bool fits;       /* rounded is a 32-bit integer; false for nan and inf */
};

/* Reads [+-] digits [. digits] [e [+-] digits] (with a digit before or after the point), nan, inf or infinity at p.
 * Returns the first byte after the number, or NULL if p has no number. */
const char *gws__number_scan(const char *p, const char *end, struct gws__number *number);

/* Reads such a number as a correctly rounded double. The function refuses nan, inf and numbers of more than 127
 * characters. */
const char *gws__number_scan_real(const char *p, const char *end, double *value);

/* Reads such a number as a correctly rounded float. The function also refuses numbers that round to an infinity. */
const char *gws__number_scan_float(const char *p, const char *end, float *value);

/* Returns true if rounding the double, a rounded number itself, gives the float next to the number. The double is then
 * not halfway between two floats. */
static inline bool gws__real_rounds_once(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool halfway = (bits & 0x1fffffff) == 0x10000000, subnormal = (bits >> 52 & 0x7ff) < 1023 - 126;
    return !halfway && (!subnormal || value == 0);
}

/* Reads nan, inf or infinity with an optional sign, in the spellings of printf and of other programs ("nan(ind)").
 * Returns NULL if p has no such number. */
const char *gws__number_special(const char *p, const char *end, double *value);

/* Converts decimal numbers to doubles, fast and correctly rounded. Up to 19 digits form a 64-bit integer m, and the
 * number is m * 10^e. Below 2^53 one multiplication or division by an exact power of ten rounds correctly (Clinger,
 * PLDI 1990). Otherwise, for |e| <= 27, 10^e is 5^e * 2^e with 5^e in 64 bits, and an exact product or quotient of 128
 * bits decides the rounding. gws__number_scan_real() handles all other numbers. */

/* Returns m * 10^exponent for m != 0 and |exponent| <= 27, rounded to nearest, ties to even. */
double gws__real_round(uint64_t m, int exponent);

/* Reads [+-] digits [. digits] [e [+-] digits] at p. The 32 bytes after p must be readable. Returns the first byte
 * after the number. Returns NULL if p has no number, or a number that this function does not handle (more than 19
 * digits, a large exponent, nan). */
static inline __attribute__((always_inline)) const char *gws__real_scan(const char *p, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    static const uint64_t tens[] = {1,
                                    UINT64_C(10),
                                    UINT64_C(100),
                                    UINT64_C(1000),
                                    UINT64_C(10000),
                                    UINT64_C(100000),
                                    UINT64_C(1000000),
                                    UINT64_C(10000000),
                                    UINT64_C(100000000)};
    bool negative = *p == '-';
    p += negative || *p == '+';
    uint64_t m = 0, fraction = 0;
    const char *start = p;
    p = gws__scan_short(p, &m);
    for (; __builtin_expect(gws__scan_is_digit(*p), false) && m < UINT64_C(1000000000000000000); p++)
        m = m * 10 + (uint64_t)(*p - '0');
    int64_t digits = p - start, behind = 0;
    if (*p == '.') {
        const char *point = ++p;
        p = gws__scan_short(p, &fraction);
        behind = p - point;
        if (m != 0 && digits + behind > 19) return NULL;
        m = (behind > 8 ? m * 100000000 * tens[behind - 8] : m * tens[behind]) + fraction;
        for (; __builtin_expect(gws__scan_is_digit(*p), false) && m < UINT64_C(1000000000000000000); p++, behind++)
            m = m * 10 + (uint64_t)(*p - '0');
    }
    if (digits + behind == 0 || gws__scan_is_digit(*p)) return NULL;
    int exponent = -(int)behind;
    if ((*p | 32) == 'e') {
        const char *first = p + 1 + (p[1] == '-' || p[1] == '+');
        uint64_t size = 0;
        const char *stop = first + gws__scan_word(first, &size);
        if (stop == first || stop - first > 4) return NULL;
        exponent += p[1] == '-' ? -(int)size : (int)size;
        p = stop;
    }
    double made = (double)m;
    if (__builtin_expect(m <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22, true))
        made = exponent < 0 ? made / power[-exponent] : made * power[exponent];
    else if (m != 0 && exponent >= -27 && exponent <= 27)
        made = gws__real_round(m, exponent);
    else if (m != 0)
        return NULL;
    *value = negative ? -made : made;
    return p;
}

#endif

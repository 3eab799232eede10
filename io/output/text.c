/* SPDX-License-Identifier: MIT */
/* Reals as text. snprintf() writes the locale's decimal point, which has one or more bytes. The functions replace the
 * first byte that is not part of a number in the C locale by '.', and drop the other bytes of the point. */
#include "text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || (c >= 'a' && c <= 'z');
}

static char *copy_digits(char *text, const char *digits)
{
    for (const char *at = digits; *at; at++) {
        if (in_number(*at))
            *text++ = *at;
        else if (in_number(at[-1]))
            *text++ = '.';
    }
    return text;
}

/* Returns true for a whole number below bound, except for a negative zero. */
static bool is_whole(double value, double bound)
{
    return value > -bound && value < bound && value == floor(value) && (value != 0 || !signbit(value));
}

/* Writes m / 10^decimals with a decimal point. */
static char *format_decimal(char *text, bool negative, uint64_t m, int decimals)
{
    char digits[GWS__TEXT_U64 + 1];
    int length = (int)(gws__text_u64(digits, m) - digits), whole = length - decimals;
    if (negative) *text++ = '-';
    if (whole <= 0) *text++ = '0';
    if (whole < 0) *text++ = '.';
    for (int i = whole; i < 0; i++) *text++ = '0';
    for (int i = 0; i < length; i++) {
        if (i == whole) *text++ = '.';
        *text++ = digits[i];
    }
    return text;
}

/* Writes a value with few digits as m / 10^decimals. Most numbers in files are such values. m and 10^decimals are
 * exact in doubles, so the rounded quotient is the value that a reader of the text gets. Returns NULL if the value
 * needs more digits, or is too small or too large for a notation without exponent. */
static char *short_decimal(char *text, double value, bool single)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                   1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};
    double size = fabs(value), max = single ? 1e9 : 1e15;
    if (!(size >= 1e-4 && size < (single ? 1e6 : 1e15))) return NULL;
    for (int decimals = 1; decimals < 20 && size * power[decimals] < max; decimals++) {
        double m = floor(size * power[decimals] + 0.5), back = m / power[decimals];
        uint64_t bits;
        memcpy(&bits, &back, sizeof bits);
        bool between =
            (bits & 0x1fffffff) == 0x10000000; /* true halfway between two floats, where the text may round to either */
        if (single ? (float)back == (float)size && !between : back == size)
            return format_decimal(text, value < 0, (uint64_t)m, decimals);
    }
    return NULL;
}

char *gws__text_f64(char *text, double value)
{
    char digits[64];
    if (is_whole(value, 9007199254740992.0)) return gws__text_i64(text, (int64_t)value); /* 2^53 */
    char *end = short_decimal(text, value, false);
    if (end) return end;
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    return copy_digits(text, digits);
}

char *gws__text_f32(char *text, float value)
{
    char digits[64];
    if (is_whole((double)value, 16777216.0)) return gws__text_i64(text, (int64_t)value); /* 2^24 */
    char *end = short_decimal(text, (double)value, true);
    if (end) return end;
    for (int precision = 6; precision <= 9; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
        if (strtof(digits, NULL) == value) break;
    }
    return copy_digits(text, digits);
}

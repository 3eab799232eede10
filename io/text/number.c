/* SPDX-License-Identifier: MIT */
/* A number is its digits, without sign and point, and the position of its decimal point. The position includes the
 * exponent, so digit i counts 10^(point - 1 - i). */
#define _GNU_SOURCE /* for newlocale(), strtod_l() */
#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

struct decimal {
    const char *digits, *end; /* the digits, including the decimal point */
    int64_t point;
    bool negative;
};

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && gws__scan_is_digit(*p)) p++;
    return p;
}

/* Reads an exponent at p if it is complete. The exact value does not matter beyond +-10^9. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent)
{
    const char *at = p + 1;
    *exponent = 0;
    if (p == end || (*p != 'e' && *p != 'E')) return p;
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end || !gws__scan_is_digit(*at)) return p;
    for (; at < end && gws__scan_is_digit(*at); at++) {
        if (*exponent < 1000000000) *exponent = *exponent * 10 + (*at - '0');
    }
    if (negative) *exponent = -*exponent;
    return at;
}

static const char *scan_decimal(const char *p, const char *end, struct decimal *decimal)
{
    int64_t exponent = 0;
    decimal->digits = p;
    const char *at = skip_digits(p, end);
    int64_t before = at - p, stop = 0;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = skip_digits(fraction, end);
        stop = at - fraction;
    }
    if (before + stop == 0) return NULL;
    decimal->end = at;
    at = scan_exponent(at, end, &exponent);
    decimal->point = before + exponent;
    return at;
}

static void add_digit(int64_t *value, int64_t digit)
{
    const int64_t limit = INT64_C(100000000000); /* larger than every 32-bit integer */
    *value = *value * 10 + digit;
    if (*value > limit) *value = limit;
}

static void round_decimal(const struct decimal *decimal, struct gws__number *number)
{
    int64_t value = 0, i = 0;
    bool up = false;
    number->whole = true;
    for (const char *p = decimal->digits; p < decimal->end; p++) {
        if (*p == '.') continue;
        if (i < decimal->point) add_digit(&value, *p - '0');
        if (i == decimal->point) up = *p >= '5';
        if (i >= decimal->point && *p != '0') number->whole = false;
        i++;
    }
    for (; i < decimal->point && value != 0 && value <= INT32_MAX; i++) add_digit(&value, 0);
    value += up;
    if (decimal->negative) value = -value;
    number->fits = value >= INT32_MIN && value <= INT32_MAX;
    number->rounded = number->fits ? (int32_t)value : 0;
}

const char *gws__number_special(const char *p, const char *end, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"infinity", INFINITY}, {"inf", INFINITY}, {"nan(ind)", NAN}, {"nan", NAN}};
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if ((size_t)(end - p) < length || !gws__scan_matches(p, words[i].word, length)) continue;
        *value = negative ? -words[i].value : words[i].value;
        return p + length;
    }
    return NULL;
}

const char *gws__number_scan(const char *p, const char *end, struct gws__number *number)
{
    struct decimal decimal = {.negative = p < end && *p == '-'};
    const char *start = p;
    double special;
    *number = (struct gws__number){0};
    if (p < end && (*p == '-' || *p == '+')) p++;
    const char *stop = scan_decimal(p, end, &decimal);
    if (!stop) return gws__number_special(start, end, &special);
    round_decimal(&decimal, number);
    return stop;
}

/* If 53 bits hold the digits and the power of ten is exact, one multiplication or division rounds correctly (Clinger,
 * PLDI 1990). */
static bool exact_product(const struct decimal *decimal, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits = 0;
    int64_t count = 0;
    for (const char *p = decimal->digits; p < decimal->end; p++) {
        if (*p == '.') continue;
        digits = digits * 10 + (uint64_t)(*p - '0');
        if (digits > UINT64_C(1) << 53) return false;
        count++;
    }
    int64_t exponent = decimal->point - count;
    if (exponent < -22 || exponent > 22) return false;
    *value = exponent < 0 ? (double)digits / power[-exponent] : (double)digits * power[exponent];
    if (decimal->negative) *value = -*value;
    return true;
}

/* Reads a number with the C library, which rounds correctly. The "C" locale has a point as its decimal point. Either
 * value or single is NULL. */
static bool by_library(const char *p, const char *end, double *value, float *single)
{
    char token[128];
    size_t length = (size_t)(end - p);
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool good = c != (locale_t)0 && length < sizeof token;
    if (good) {
        memcpy(token, p, length);
        token[length] = 0;
        if (value) *value = strtod_l(token, NULL, c);
        if (single) *single = strtof_l(token, NULL, c);
    }
    if (c != (locale_t)0) freelocale(c);
    return good;
}

const char *gws__number_scan_real(const char *p, const char *end, double *value)
{
    struct decimal decimal = {.negative = p < end && *p == '-'};
    const char *start = p;
    if (p < end && (*p == '-' || *p == '+')) p++;
    const char *stop = scan_decimal(p, end, &decimal);
    if (!stop) return NULL;
    if (exact_product(&decimal, value) || by_library(start, stop, value, NULL)) return stop;
    return NULL;
}

const char *gws__number_scan_float(const char *p, const char *end, float *value)
{
    double real = 0;
    const char *stop = gws__number_scan_real(p, end, &real);
    if (!stop) return NULL;
    if (gws__real_rounds_once(real))
        *value = (float)real;
    else if (!by_library(p, stop, NULL, value))
        return NULL;
    return isfinite(*value) ? stop : NULL;
}

__extension__ typedef unsigned __int128 wide;

/* Returns a power from 5^0 to 5^27, which is below 2^63. */
static uint64_t power_of_five(int exponent)
{
    uint64_t power = 1;
    for (int i = 0; i < exponent; i++) power *= 5;
    return power;
}

/* Rounds bits * 2^exponent. bits has at least 55 bits, and its lowest bit may stand for any nonzero remainder below.
 * The lowest bit only determines on which side of a tie the value lies. */
static double round_wide(wide bits, int exponent)
{
    uint64_t high = (uint64_t)(bits >> 64);
    int length = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)bits);
    int dropped_bits = length - 53;
    uint64_t rounded = (uint64_t)(bits >> dropped_bits);
    wide rest = bits & (((wide)1 << dropped_bits) - 1), half = (wide)1 << (dropped_bits - 1);
    rounded += rest > half || (rest == half && (rounded & 1));
    return ldexp((double)rounded, exponent + dropped_bits);
}

double gws__real_round(uint64_t m, int exponent)
{
    if (exponent >= 0) {
        int shift = __builtin_clzll(m); /* the shift makes the product longer than 54 bits */
        return round_wide((wide)(m << shift) * power_of_five(exponent), exponent - shift);
    }
    uint64_t divisor = power_of_five(-exponent);
    int shift = __builtin_clzll(m);
    wide dividend = (wide)(m << shift) << 64;
    wide quotient = dividend / divisor;
    return round_wide(quotient << 1 | (quotient * divisor != dividend), exponent - shift - 65);
}

/* SPDX-License-Identifier: MIT */
/* Reals as text. snprintf() writes the locale's decimal point, of one or more bytes: whatever is no part of a number
 * in the C locale becomes one '.'. */
#include "text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

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

/* A whole number below bound, but for a zero with a sign. */
static bool is_whole(double value, double bound)
{
    return value > -bound && value < bound && value == floor(value) && (value != 0 || !signbit(value));
}

char *gws__text_f64(char *text, double value)
{
    char digits[64];
    if (is_whole(value, 9007199254740992.0)) return gws__text_i64(text, (int64_t)value); /* 2^53 */
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
    for (int precision = 6; precision <= 9; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)value);
        if (strtof(digits, NULL) == value) break;
    }
    return copy_digits(text, digits);
}

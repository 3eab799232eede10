/* SPDX-License-Identifier: MIT */
/* Doubles as text. snprintf() writes the locale's decimal point, of one or more bytes: whatever is no part of a number
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

char *gws__text_f64(char *text, double value)
{
    static const double whole = 9007199254740992.0; /* 2^53: every whole number below is exact */
    if (value > -whole && value < whole && value == floor(value) && (value != 0 || !signbit(value)))
        return gws__text_i64(text, (int64_t)value);
    char digits[64];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    for (const char *at = digits; *at; at++) {
        if (in_number(*at))
            *text++ = *at;
        else if (in_number(at[-1]))
            *text++ = '.';
    }
    return text;
}

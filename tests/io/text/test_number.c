/* SPDX-License-Identifier: MIT */
/* Compares reading eight digits at a time with reading one digit at a time, rounding with long arithmetic, and doubles
 * with strtod(). */
#define _GNU_SOURCE
#include "../../comma.h"

#include "../../../io/text/number.h"
#include "../../../io/text/scan.h"
#include "../../../lib/random.h"

START_TEST(test_digits)
{
    for (unsigned length = 0; length <= 16; length++) {
        for (unsigned behind = 0; behind < 256; behind++) {
            if (behind >= '0' && behind <= '9') continue;
            char text[48];
            uint64_t right = 0, value = 0;
            memset(text, (int)(behind % 2 ? '7' : 0xff), sizeof text);
            for (unsigned i = 0; i < length; i++) {
                text[i] = (char)('0' + gws_random_at(length, i + 100 * behind) % 10);
                right = right * 10 + (uint64_t)(text[i] - '0');
            }
            text[length] = (char)behind;
            ck_assert_ptr_eq(gws__scan_short(text, &value), text + length);
            if (length > 0) ck_assert_uint_eq(value, right);
        }
    }
}
END_TEST

static const struct {
    const char *text;
    int length; /* length of the number in the text; -1: no number */
    bool whole, fits;
    int32_t rounded;
} numbers[] = {
    {"0", 1, true, true, 0},
    {"-0", 2, true, true, 0},
    {"+7 ", 2, true, true, 7},
    {"007.000", 7, true, true, 7},
    {"5.", 2, true, true, 5},
    {".5", 2, false, true, 1},
    {"-.5", 3, false, true, -1},
    {"0.49999999999999999999999999", 28, false, true, 0},
    {"1.5e0", 5, false, true, 2},
    {"1.5e1", 5, true, true, 15},
    {"15e-1", 5, false, true, 2},
    {"1e-1", 4, false, true, 0},
    {"9e-1", 4, false, true, 1},
    {"9e-2", 4, false, true, 0},
    {"20e-1", 5, true, true, 2},
    {"1e9", 3, true, true, 1000000000},
    {"1e10", 4, true, false, 0},
    {"0e99999999999999999999", 22, true, true, 0},
    {"1e99999999999999999999", 22, true, false, 0},
    {"1e-99999999999999999999", 23, false, true, 0},
    {"2147483647", 10, true, true, INT32_MAX},
    {"2147483647.4", 12, false, true, INT32_MAX},
    {"2147483647.5", 12, false, false, 0},
    {"-2147483648", 11, true, true, INT32_MIN},
    {"-2147483648.5", 13, false, false, 0},
    {"-2147483649", 11, true, false, 0},
    {"4294967297", 10, true, false, 0},
    {"18446744073709551617", 20, true, false, 0},
    {"1e", 1, true, true, 1},
    {"1e+", 1, true, true, 1},
    {"nan", 3, false, false, 0},
    {"-Infinity", 9, false, false, 0},
    {"INF,", 3, false, false, 0},
    {"", -1, false, false, 0},
    {"-", -1, false, false, 0},
    {".", -1, false, false, 0},
    {"e5", -1, false, false, 0},
    {"+-5", -1, false, false, 0},
    {"in", -1, false, false, 0},
};

START_TEST(test_number)
{
    struct gws__number number;
    const char *text = numbers[_i].text, *end = text + strlen(text);
    const char *behind = gws__number_scan(text, end, &number);
    ck_assert_msg((behind ? (int)(behind - text) : -1) == numbers[_i].length, "%s", text);
    if (!behind) return;
    ck_assert_msg(number.fits == numbers[_i].fits && number.rounded == numbers[_i].rounded, "%s", text);
    ck_assert_msg(number.whole == numbers[_i].whole, "%s", text);
}
END_TEST

START_TEST(test_reals)
{
    double value;
    for (uint64_t i = 0; i < 20000; i++) {
        char text[64];
        uint64_t bits = gws_random_at(7, i);
        double made;
        memcpy(&made, &bits, sizeof made);
        if (i % 3 == 0) made = (double)(int64_t)bits / (double)(UINT64_C(1) << bits % 60);
        if (i % 3 == 1) made = (double)(bits % 100000000) / 1000;
        if (!(made - made == 0)) continue;
        snprintf(text, sizeof text, "%.*g", (int)(bits % 17) + 1, made);
        const char *end = text + strlen(text);
        ck_assert_ptr_eq(gws__number_scan_real(text, end, &value), end);
        ck_assert_msg(value == strtod(text, NULL), "%s", text);
    }
    static const char nan[] = "nan";
    ck_assert_ptr_null(gws__number_scan_real(nan, nan + 3, &value));
    ck_assert_ptr_null(gws__number_scan_real("", "", &value));
}
END_TEST

/* Numbers in a locale with a decimal comma, and in a locale where I is not the capital of i. */
START_TEST(test_locale)
{
    static const char *const words[] = {"INFINITY", "Inf", "NaN", "1.25E3", "12345678901234567890.5"};
    if (!gws_test_comma()) return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct gws__number number;
        const char *end = words[i] + strlen(words[i]);
        double value;
        ck_assert_ptr_eq(gws__number_scan(words[i], end, &number), end);
        if (i >= 3) ck_assert_ptr_eq(gws__number_scan_real(words[i], end, &value), end);
        if (i == 3) ck_assert_double_eq(value, 1250);
        if (i == 4) ck_assert_double_eq(value, 12345678901234567890.0);
    }
    setlocale(LC_ALL, "C");
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {test_digits, 1}, {test_number, sizeof numbers / sizeof *numbers}, {test_reals, 1}, {test_locale, 1}, {0}};
    return gws_test_run("number", test);
}

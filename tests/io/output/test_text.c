/* SPDX-License-Identifier: MIT */
/* Numbers as text, compared with the text of printf(). */
#include "../../harness.h"

#include <math.h>

#include "../../../io/output/text.h"
#include "../../../lib/random.h"

/* Writes the number with the fewest digits, at least min_digits, that read back as the same number. */
static void by_printf(double value, bool single, int min_digits, int max_digits, char *text)
{
    for (int precision = min_digits; precision <= max_digits; precision++) {
        sprintf(text, "%.*g", precision, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) return;
    }
}

static void check(double value, bool single)
{
    char text[64], expected[64];
    char *end = single ? gws__text_f32(text, (float)value) : gws__text_f64(text, value);
    *end = 0;
    ck_assert_int_le(end - text, single ? GWS__TEXT_F32 : GWS__TEXT_F64);
    double back = single ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (back != value && !(isnan(back) && isnan(value))) ck_abort_msg("%s is not %.17g", text, value);
    if (isfinite(value) && value == floor(value)) return;
    by_printf(value, single, single ? 6 : 15, single ? 9 : 17, expected);
    if (isfinite(value) && strlen(text) > strlen(expected)) ck_abort_msg("%s is longer than %s", text, expected);
}

START_TEST(by_hand)
{
    static const double values[] = {0,        -0.0,   1,       -1,           0.5,      0.1,      1e-4,      0.00012,
                                    9.9e-5,   1e-300, 1e15,    1e15 + 0.125, 123456.7, 999999.5, 1e6 + 0.5, 16777215,
                                    16777217, 5e-324, 1.7e308, 0.1 + 0.2,    1.0 / 3,  2.5,      1234.5678, -1234.5678};
    static const struct {
        double value;
        const char *text;
    } known[] = {{0.1, "0.1"},     {-2.5, "-2.5"},    {12.0625, "12.0625"},
                 {0.001, "0.001"}, {1e-5, "1e-05"},   {0.30000000000000004, "0.30000000000000004"},
                 {-0.0, "-0"},     {1e300, "1e+300"}, {7, "7"}};
    char text[64];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) check(values[i], false);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) check((double)(float)values[i], true);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *gws__text_f64(text, known[i].value) = 0;
        ck_assert_str_eq(text, known[i].text);
    }
    *gws__text_f32(text, 0.1F) = 0;
    ck_assert_str_eq(text, "0.1");
    *gws__text_f32(text, -16.7772F) = 0;
    ck_assert_str_eq(text, "-16.7772");
}
END_TEST

START_TEST(many)
{
    uint64_t state = 1, count = gws_test_quick() ? 10000 : 100000;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t a = gws_random_next(&state), b = gws_random_next(&state);
        double real = (double)(int64_t)a * 0x1p-63 * pow(10, (double)(b % 12) - 5);
        double few = floor(real * 1000) / 1000;
        uint32_t bits = (uint32_t)a;
        float single;
        memcpy(&single, &bits, sizeof single);
        check(real, false);
        check(few, false);
        check((double)(float)real, true);
        check((double)(float)few, true);
        check((double)single, true);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{by_hand, 1}, {many, 1}, {0}};
    return gws_test_run("numbers as text", test);
}

/* SPDX-License-Identifier: MIT */
/* Reals compared with strtod(), which rounds correctly. */
#include "../../harness.h"

#include "../../../io/text/number.h"
#include "../../../lib/random.h"

/* Checks that the value and the end are equal to strtod()'s, to the bit and the byte. Returns false if
 * gws__real_scan() does not handle the number. */
static bool check(const char *text)
{
    char padded[192] = {0};
    double value = 0;
    char *end = NULL;
    snprintf(padded, sizeof padded - 32, "%s", text);
    const char *stop = gws__real_scan(padded, &value);
    if (!stop) return false;
    double expected = strtod(padded, &end);
    if (stop != end || memcmp(&value, &expected, sizeof value) != 0)
        ck_abort_msg("%s: %a, not %a; %d bytes, not %d", text, value, expected, (int)(stop - padded),
                     (int)(end - padded));
    return true;
}

START_TEST(by_hand)
{
    static const char *const good[] = {"0",
                                       "-0",
                                       "1",
                                       "+1",
                                       ".5",
                                       "5.",
                                       "1e5",
                                       "1E+5",
                                       "1e-5",
                                       "1.5e",
                                       "1e+",
                                       "00001.5000",
                                       "0.1",
                                       "0.3 ",
                                       "2,3",
                                       "1\n",
                                       "0e999",
                                       "0.0e-999",
                                       "9007199254740993",
                                       "9007199254740992.5",
                                       "1234567890123456789",
                                       "0.000012345678901234567",
                                       "9999999999999999999e-27",
                                       "1844674407370955161e27",
                                       "4503599627370497.5",
                                       "4503599627370496.5",
                                       "1e22",
                                       "1e23",
                                       "1e-22",
                                       "1e-23"};
    static const char *const others[] = {"",
                                         "-",
                                         ".",
                                         "e5",
                                         "nan",
                                         "inf",
                                         "-.",
                                         "x",
                                         " 1",
                                         "--1",
                                         "1e400",
                                         "1e-400",
                                         "12345678901234567890",
                                         "1e28",
                                         "1e-28",
                                         "1e99999",
                                         "0.12345678901234567890123"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        bool half = strcmp(good[i], "1.5e") == 0 || strcmp(good[i], "1e+") == 0 || strstr(good[i], "e999") ||
                    strstr(good[i], "e-999");
        ck_assert_msg(check(good[i]) || half, "%s is not read", good[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) ck_assert_msg(!check(others[i]), "%s", others[i]);
}
END_TEST

/* Draws numbers of all lengths and exponents, and ties, which show rounding errors. */
START_TEST(many)
{
    uint64_t state = 3, taken = 0, count = gws_test_quick() ? 20000 : 400000;
    for (uint64_t i = 0; i < count; i++) {
        char text[96];
        uint64_t a = gws_random_next(&state), b = gws_random_next(&state);
        double real = (double)(int64_t)a * 0x1p-63;
        switch (i % 5) {
        case 0:
            snprintf(text, sizeof text, "%.*g", (int)(b % 19) + 1, real * 1000);
            break;
        case 1:
            snprintf(text, sizeof text, "%.*f", (int)(b % 21), real);
            break;
        case 2:
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)(a >> b % 60), (int)(b >> 58) - 32);
            break;
        case 3:
            snprintf(text, sizeof text, "%llu",
                     (unsigned long long)((((UINT64_C(1) << 53) + (a >> 12)) * 2 + 1) << b % 8));
            break;
        default:
            snprintf(text, sizeof text, "%.17g", real);
            break;
        }
        taken += check(text);
    }
    ck_assert_uint_gt(taken, count * 3 / 5);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{by_hand, 1}, {many, 1}, {0}};
    return gws_test_run("reals", test);
}

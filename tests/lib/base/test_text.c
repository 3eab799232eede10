/* SPDX-License-Identifier: MIT */
/* Foreign text made safe to print: unchanged text, escapes, and truncation. */
#include "../../harness.h"

#include "../../../lib/parallel.h"
#include "../../../lib/text.h"

static const struct {
    const char *text, *plain;
} shown[] = {
    {"", ""},
    {"a b\\c'\"", "a b\\c'\""},
    {"Gr\xc3\xb6\xc3\x9f"
     "e \xe2\x82\xac \xf0\x9f\x90\x8c",
     "Gr\xc3\xb6\xc3\x9f"
     "e \xe2\x82\xac \xf0\x9f\x90\x8c"},
    {"\x1b[31m\n\r\t\x7f", "\\x1b[31m\\x0a\\x0d\\x09\\x7f"},
    {"\xc2\x80\xc2\x9f\xc2\xa0", "\\u0080\\u009f\xc2\xa0"},                  /* C1, and the first character after C1 */
    {"\xe2\x80\xae\xe2\x81\xa6\xd8\x9c", "\\u202e\\u2066\\u061c"},           /* bidirectional marks */
    {"\xe2\x80\xa8\xef\xbb\xbf\xe2\x80\x8b", "\\u2028\\ufeff\\u200b"},       /* a line separator, a byte-order mark */
    {"\x80\xff\xc0\xaf", "\\x80\\xff\\xc0\\xaf"},                            /* bytes that are not UTF-8 */
    {"\xe2\x82", "\\xe2\\x82"},                                              /* a truncated character */
    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},                                     /* a surrogate */
    {"\xf4\x90\x80\x80\xf8", "\\xf4\\x90\\x80\\x80\\xf8"},                   /* beyond the last character */
    {"\xe0\x80\x8a\xf0\x80\x80\x8a", "\\xe0\\x80\\x8a\\xf0\\x80\\x80\\x8a"}, /* overlong line feeds */
};

enum { shown_count = sizeof shown / sizeof *shown };

START_TEST(escapes)
{
    char plain[128], again[128];
    ck_assert_str_eq(gws_text_plain(shown[_i].text, plain, sizeof plain), shown[_i].plain);
    ck_assert_str_eq(gws_text_plain(plain, again, sizeof again), plain);
}
END_TEST

/* For every buffer size the result is the whole text if the text fits, and otherwise both ends of the text, with whole
 * characters. */
START_TEST(long_texts_lose_their_middle)
{
    static const char text[] = "abcd\xe2\x82\xac\x1bghij\xc3\xb6nop";
    char whole[64], plain[64];
    gws_text_plain(text, whole, sizeof whole);
    for (uint64_t size = 8; size < sizeof plain; size++) {
        memset(plain, '#', sizeof plain);
        gws_text_plain(text, plain, size);
        ck_assert_uint_lt(strlen(plain), size);
        if (size > strlen(whole)) {
            ck_assert_str_eq(plain, whole);
            continue;
        }
        const char *gap = strstr(plain, "...");
        ck_assert_ptr_nonnull(gap);
        ck_assert_int_eq(strncmp(plain, whole, (size_t)(gap - plain)), 0);
        ck_assert_str_eq(gap + 3, whole + strlen(whole) - strlen(gap + 3));
        char again[64];
        ck_assert_str_eq(gws_text_plain(plain, again, sizeof again), plain);
    }
}
END_TEST

static void on_log(void *context, const char *line)
{
    snprintf(context, 64, "%s", line);
}

START_TEST(logged_lines)
{
    char logged[64] = "";
    struct gws_runtime *runtime;
    struct gws_options options = {.threads = 1, .log = on_log, .context = logged};
    ck_assert_int_eq(gws_runtime_open(&options, &runtime), GWS_OK);
    gws_report_log(runtime, "a driver's\x1b[2J");
    ck_assert_str_eq(logged, "a driver's\\x1b[2J");
    gws_runtime_close(runtime);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{escapes, shown_count}, {long_texts_lose_their_middle, 1}, {logged_lines, 1}, {0}};
    return gws_test_run("text", test);
}

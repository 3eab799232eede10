/* SPDX-License-Identifier: MIT */
/* Texts of statuses and of diagnostics, whole and truncated. */
#include "../../harness.h"

#include "../../comma.h"

#include "../../../lib/status.h"

static const gws_status all[] = {
#define STATUS(name, text) GWS_##name,
    GWS_STATUS_LIST(STATUS)
#undef STATUS
};
enum { status_count = sizeof all / sizeof all[0] };

START_TEST(every_status_has_its_text)
{
    for (int i = 0; i < status_count; i++) {
        const char *text = gws_status_text(all[i]);
        ck_assert_int_eq(all[i], i); /* the order is part of the ABI */
        ck_assert_ptr_nonnull(text);
        ck_assert_uint_gt(strlen(text), 0);
        ck_assert_int_ne(text[strlen(text) - 1], '.');
        for (int j = 0; j < i; j++) ck_assert_str_ne(text, gws_status_text(all[j]));
    }
    ck_assert_str_eq(gws_status_text(GWS_OK), "success");
    ck_assert_str_eq(gws_status_text((gws_status)status_count), "unknown status");
    ck_assert_str_eq(gws_status_text((gws_status)-1), "unknown status");
}
END_TEST

static const struct {
    uint64_t line, column;
    const char *file, *message, *text;
} places[] = {
    {3, 7, "a.gr", "odd", "a.gr:3:7: odd"},
    {3, 0, "a.gr", "odd", "a.gr:3: odd"},
    {0, 7, "a.gr", "odd", "a.gr: odd"},
    {0, 0, "a.gr", "odd", "a.gr: odd"},
    {3, 7, "", "odd", "odd"},
    {0, 0, "", "odd", "odd"},
    {3, 7, "a.gr", "", "a.gr:3:7: malformed input"},
    {0, 0, "", "", "malformed input"},
    {UINT64_MAX, UINT64_MAX, "a", "b", "a:18446744073709551615:18446744073709551615: b"},
};

START_TEST(places_as_text)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct gws_diagnostic where = {.line = places[i].line, .column = places[i].column};
        snprintf(where.file, sizeof where.file, "%s", places[i].file);
        snprintf(where.message, sizeof where.message, "%s", places[i].message);
        char text[600];
        ck_assert_ptr_eq(gws_diagnostic_text(&where, GWS_SYNTAX, text, sizeof text), text);
        ck_assert_str_eq(text, places[i].text);
        for (uint64_t size = 1; size <= strlen(places[i].text) + 1;
             size++) { /* the text is truncated and terminated, and the bytes beyond the buffer are unchanged */
            memset(text, '#', sizeof text);
            gws_diagnostic_text(&where, GWS_SYNTAX, text, size);
            ck_assert_uint_eq(strlen(text), size - 1);
            ck_assert_int_eq(strncmp(text, places[i].text, size - 1), 0);
            ck_assert_int_eq(text[size], '#');
        }
    }
}
END_TEST

START_TEST(no_place)
{
    char text[64];
    ck_assert_str_eq(gws_diagnostic_text(NULL, GWS_NO_MEMORY, text, sizeof text), "out of memory");
}
END_TEST

START_TEST(longest_place)
{
    struct gws_diagnostic where = {.line = UINT64_MAX, .column = UINT64_MAX};
    memset(where.file, 'f', sizeof where.file - 1);
    memset(where.message, 'm', sizeof where.message - 1);
    char text[700];
    gws_diagnostic_text(&where, GWS_SYNTAX, text, sizeof text);
    ck_assert_uint_eq(strlen(text), 255 + 1 + 20 + 1 + 20 + 2 + 255);
}
END_TEST

START_TEST(setting_a_place)
{
    struct gws_diagnostic where;
    memset(&where, 'x', sizeof where);
    ck_assert_int_eq(gws_diagnostic_set(&where, GWS_CORRUPT, "f", 4, 5, "%s %d", "found", 7), GWS_CORRUPT);
    ck_assert_str_eq(where.file, "f");
    ck_assert_str_eq(where.message, "found 7");
    ck_assert_uint_eq(where.line, 4);
    ck_assert_uint_eq(where.column, 5);
    ck_assert_int_eq(gws_diagnostic_set(&where, GWS_SYSTEM, NULL, 0, 0, "x"), GWS_SYSTEM);
    ck_assert_str_eq(where.file, "");
    ck_assert_int_eq(gws_diagnostic_set(NULL, GWS_SYSTEM, "f", 1, 1, "x"), GWS_SYSTEM);

    char name[1000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    gws_diagnostic_set(&where, GWS_SYSTEM, name, 1, 1, "%s", name);
    ck_assert_uint_eq(strlen(where.file), sizeof where.file - 1);
    ck_assert_uint_eq(strlen(where.message), sizeof where.message - 1);
}
END_TEST

/* File names and foreign text pass through gws_text_plain(). An empty name becomes visible. */
START_TEST(foreign_text)
{
    struct gws_diagnostic where;
    gws_diagnostic_set(&where, GWS_SYNTAX, "a\x1b[31m\n.gr", 1, 2, "found '%s'", "\xc2\x9b\xff\xc3\xbc");
    ck_assert_str_eq(where.file, "a\\x1b[31m\\x0a.gr");
    ck_assert_str_eq(where.message, "found '\\u009b\\xff\xc3\xbc'");
    gws_diagnostic_set(&where, GWS_SYSTEM, "", 0, 0, "cannot open");
    ck_assert_str_eq(where.file, "''");
    gws_diagnostic_set(&where, GWS_SYSTEM, "f", 0, 0, "first");
    gws_diagnostic_set(&where, GWS_SYSTEM, "g", 0, 0, "second: %s", where.message);
    ck_assert_str_eq(where.message, "second: first");
}
END_TEST

START_TEST(numbers_have_a_point_in_any_locale)
{
    struct gws_diagnostic where;
    if (!gws_test_comma()) return;
    gws_diagnostic_set(&where, GWS_SYNTAX, NULL, 0, 0, "%g, %.2f", 1.5, 2.25);
    ck_assert_str_eq(where.message, "1.5, 2.25");
    char text[8];
    snprintf(text, sizeof text, "%g", 1.5); /* the caller's locale is unchanged */
    ck_assert_str_eq(text, "1,5");
}
END_TEST

START_TEST(version)
{
    ck_assert_str_eq(gws_version(), GWS_VERSION);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_status_has_its_text, 1},
                                    {places_as_text, 1},
                                    {no_place, 1},
                                    {longest_place, 1},
                                    {setting_a_place, 1},
                                    {foreign_text, 1},
                                    {numbers_have_a_point_in_any_locale, 1},
                                    {version, 1},
                                    {0}};
    return gws_test_run("status", test);
}

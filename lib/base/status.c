/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* newlocale, uselocale */
#include "../status.h"

#include <inttypes.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>

#include "../text.h"

const char *gws_status_text(gws_status status)
{
    switch (status) {
#define STATUS_TEXT(name, text)                                                                                        \
    case GWS_##name:                                                                                                   \
        return text;
        GWS_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}

char *gws_diagnostic_text(const struct gws_diagnostic *where, gws_status status, char *text, uint64_t size)
{
    static const struct gws_diagnostic nowhere;
    if (!where) where = &nowhere;
    char place[sizeof where->file + 48] = "";
    if (where->file[0] && where->line && where->column)
        snprintf(place, sizeof place, "%s:%" PRIu64 ":%" PRIu64 ": ", where->file, where->line, where->column);
    else if (where->file[0] && where->line)
        snprintf(place, sizeof place, "%s:%" PRIu64 ": ", where->file, where->line);
    else if (where->file[0])
        snprintf(place, sizeof place, "%s: ", where->file);
    snprintf(text, size, "%s%s", place, where->message[0] ? where->message : gws_status_text(status));
    return text;
}

/* Prints in the C locale, because a decimal comma would look like a separator. */
static void print(char *text, uint64_t size, const char *format, va_list arguments)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(c);
    vsnprintf(text, size, format, arguments);
    uselocale(before);
    if (c != (locale_t)0) freelocale(c);
}

gws_status gws_diagnostic_set(struct gws_diagnostic *where, gws_status status, const char *file, uint64_t line,
                              uint64_t column, const char *format, ...)
{
    if (!where) return status;
    where->line = line;
    where->column = column;
    gws_text_plain(!file ? "" : *file ? file : "''", where->file, sizeof where->file);
    char message[4 * sizeof where->message];
    va_list arguments;
    va_start(arguments, format);
    print(message, sizeof message, format, arguments);
    va_end(arguments);
    gws_text_plain(message, where->message, sizeof where->message);
    return status;
}

const char *gws_version(void)
{
    return GWS_VERSION;
}

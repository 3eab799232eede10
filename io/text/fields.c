/* SPDX-License-Identifier: MIT */
#include "fields.h"

#include "number.h"
#include "scan.h"

static bool is_blank(char c, char separator)
{
    return gws__scan_is_blank(c) && c != separator;
}

static const char *skip_blanks(const char *p, const char *end, char separator)
{
    while (p < end && (separator == ' ' ? gws__scan_is_blank(*p) : is_blank(*p, separator))) p++;
    return p;
}

/* Reads a field in quotes, and moves *p from the opening quote to the byte after the closing quote. */
static bool read_quoted(const char **p, const char *end, struct gws__text_field *field)
{
    const char *at = *p + 1;
    field->quoted = true;
    field->at = at;
    for (; at < end; at++) {
        if (*at != '"') continue;
        if (at + 1 == end || at[1] != '"') break;
        field->doubled = true;
        at++;
    }
    field->end = at;
    *p = at + 1;
    return at < end;
}

static void read_bare(const char **p, const char *end, char separator, struct gws__text_field *field)
{
    const char *at = *p;
    field->at = at;
    if (separator == ' ' && *at == '{')
        at = end;
    else
        while (at < end && *at != separator && (separator != ' ' || !gws__scan_is_blank(*at))) at++;
    *p = field->end = at;
    while (field->end > field->at && gws__scan_is_blank(field->end[-1])) field->end--;
}

const char *gws__field_next(const char **p, const char *end, char separator, struct gws__text_field *field, bool *last)
{
    *field = (struct gws__text_field){0};
    *p = skip_blanks(*p, end, separator);
    const char *start = *p;
    if (*p < end && **p == '"') {
        if (!read_quoted(p, end, field)) return start;
    } else {
        read_bare(p, end, separator, field);
    }
    const char *stop = *p;
    *p = skip_blanks(*p, end, separator);
    *last = *p == end;
    if (*last) return NULL;
    if (separator == ' ') return stop == *p ? stop : NULL; /* NULL if text follows the closing quote directly */
    if (**p != separator) return *p;
    ++*p;
    return NULL;
}

bool gws__field_is_id(const struct gws__text_field *field)
{
    const char *p = field->at;
    while (p < field->end && gws__scan_is_digit(*p)) p++;
    return p == field->end && p > field->at;
}

bool gws__field_is_number(const struct gws__text_field *field)
{
    struct gws__number number;
    return field->at < field->end && gws__number_scan(field->at, field->end, &number) == field->end;
}

uint64_t gws__field_copy(const struct gws__text_field *field, char *text)
{
    char *to = text;
    for (const char *p = field->at; p < field->end; p++) {
        *to++ = *p;
        if (field->doubled && *p == '"') p++;
    }
    return (uint64_t)(to - text);
}

/* Returns the byte after the string that begins with the quote at p. */
static const char *skip_string(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote) p += *p == '\\' ? 2 : 1;
    return p < end ? p + 1 : end;
}

bool gws__field_find_weight(const struct gws__text_field *dictionary, const char **at)
{
    static const char key[] = "weight";
    const char *p = dictionary->at, *end = dictionary->end;
    unsigned depth = 0;
    while (p < end) {
        depth += *p == '{' || *p == '[' || *p == '(';
        depth -= (*p == '}' || *p == ']' || *p == ')') && depth > 0;
        if (*p != '\'' && *p != '"') {
            p++;
            continue;
        }
        const char *stop = skip_string(p, end), *next = gws__scan_blanks(stop, end);
        bool found = depth == 1 && stop - p == sizeof key + 1 && memcmp(p + 1, key, sizeof key - 1) == 0;
        *at = next < end ? gws__scan_blanks(next + 1, end) : end;
        if (found && next < end && *next == ':') return true;
        p = stop;
    }
    return false;
}

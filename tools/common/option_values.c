/* SPDX-License-Identifier: MIT */
/* Values of options: numbers, names, choices. */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../graphws.h"
#include "console.h"

const char *option_label(const struct option_row *row, char *text)
{
    if (row->name)
        snprintf(text, OPTION_LABEL, "--%s", row->name);
    else
        snprintf(text, OPTION_LABEL, "-%c", row->short_name);
    return text;
}

int options_number(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
    if (text[0] < '0' || text[0] > '9') return 0;
    char *end;
    errno = 0;
    unsigned long long read = strtoull(text, &end, 10);
    if (errno || *end || read < min || read > max) return 0;
    *number = read;
    return 1;
}

/* ---- values ---- */

static int bad_number(const struct option_row *row, const char *value)
{
    char label[OPTION_LABEL];
    option_label(row, label);
    if (row->max == UINT64_MAX)
        return console_usage("%s: expected a whole number from %" PRIu64 " on, got '%s'", label, row->min, value);
    return console_usage("%s: expected a whole number from %" PRIu64 " to %" PRIu64 ", got '%s'", label, row->min,
                         row->max, value);
}

/* Returns the factor of a unit, 0 if the unit is unknown. */
static uint64_t unit_of(const char *name)
{
    const bool binary = *name && strcmp(name + 1, "i") == 0;
    const char *prefixes = binary ? "KMGT" : "kMGT", *prefix = strchr(prefixes, *name);
    uint64_t unit = 1;
    if (!*name) return unit;
    if (!prefix || (name[1] && !binary)) return 0;
    for (const char *at = prefixes; at <= prefix; at++) unit *= binary ? 1024 : 1000;
    return unit;
}

static int store_bytes(const struct option_row *row, const char *value, uint64_t *field)
{
    char label[OPTION_LABEL], *end = NULL;
    errno = 0;
    unsigned long long read = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
    uint64_t unit = end ? unit_of(end) : 0;
    if (errno || !unit || read > UINT64_MAX / unit || read * unit < row->min || read * unit > row->max)
        return console_usage("%s: expected a number of bytes from %" PRIu64 " on, such as 800M or 8Gi, got '%s'",
                             option_label(row, label), row->min, value);
    *field = read * unit;
    return -1;
}

const char *options_real(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    bool plain = end > text && (size_t)(end - text) <= strspn(text, "0123456789.eE-+");
    return plain && isfinite(*number) ? end : NULL;
}

/* Parses a value without a sign. */
static int store_real(const struct option_row *row, const char *value, double *field)
{
    char label[OPTION_LABEL];
    double read;
    const char *end = options_real(value, &read);
    if (end && !*end && *value != '-' && *value != '+' && read <= row->highest) {
        *field = read;
        return -1;
    }
    return console_usage("%s: expected a number from 0 to %.10g, got '%s'", option_label(row, label), row->highest,
                         value);
}

static int bad_choice(const struct option_row *row, const char *value)
{
    char list[256] = "";
    for (uint32_t i = 0; row->choice[i]; i++) {
        size_t used = strlen(list);
        const char *between = i == 0 ? "" : row->choice[i + 1] ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s%s", between, row->choice[i]);
    }
    char label[OPTION_LABEL];
    for (uint32_t i = 0; row->renamed && row->renamed[i]; i += 2)
        if (strcmp(row->renamed[i], value) == 0)
            return console_usage("%s: '%s' is now called %s", option_label(row, label), value, row->renamed[i + 1]);
    return console_usage("%s: expected %s%s, got '%s'", option_label(row, label), list,
                         row->value ? ", or its number" : "", value);
}

static int store_choice(const struct option_row *row, const char *value, int *field)
{
    uint64_t number = UINT64_MAX;
    if (strcmp(value, "help") == 0) {
        for (int i = 0; row->choice[i]; i++) printf("%s\n", row->choice[i]);
        return console_finish();
    }
    if (row->value) options_number(value, 0, UINT32_MAX, &number);
    for (int i = 0; row->choice[i]; i++) {
        if (strcmp(row->choice[i], value) != 0 && number != (uint64_t)i) continue;
        *field = i;
        return -1;
    }
    return bad_choice(row, value);
}

int options_store(const struct option_row *row, char *settings, const char *value)
{
    void *field = settings + row->field;
    char label[OPTION_LABEL];
    switch (row->kind) {
    case OPTION_SET:
        *(int *)field = row->value;
        return -1;
    case OPTION_NUMBER:
        return options_number(value, row->min, row->max, field) ? -1 : bad_number(row, value);
    case OPTION_BYTES:
        return store_bytes(row, value, field);
    case OPTION_REAL:
        return store_real(row, value, field);
    case OPTION_TEXT:
        if (!*value) return console_usage("%s: expected %s, got ''", option_label(row, label), row->argument);
        *(const char **)field = value;
        return -1;
    case OPTION_CHOICE:
        return store_choice(row, value, field);
    }
    return -1;
}

/* ---- names ---- */

static int check_listed(const char *option, option_name_at *at, int column, const char *name, bool ability)
{
    const char *about, *row;
    if (!name) return -1;
    bool help = strcmp(name, "help") == 0;
    for (uint32_t i = 0; (row = at(i, &about)); i++) {
        if (help) printf("%-*s%s\n", column, row, about);
        if (strcmp(name, row) == 0) return -1;
    }
    if (help) return console_finish();
    if (!ability) return console_usage("--%s: unknown %s '%s'; --%s help lists them", option, option, name, option);
    return console_usage("--%s: this processor does not support '%s'; --%s help lists the supported names", option,
                         name, option);
}

/* In messages, the option's name also stands for its values. */
int options_check_name(const char *option, option_name_at *at, int column, const char *name)
{
    return check_listed(option, at, column, name, false);
}

int options_check_ability(const char *option, option_name_at *at, int column, const char *name)
{
    return check_listed(option, at, column, name, true);
}

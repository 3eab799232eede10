/* SPDX-License-Identifier: MIT */
/* JSON as of RFC 8259, well-formed UTF-8 as of the Unicode standard, table 3-7. */
#define _POSIX_C_SOURCE 200809L
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

bool json_begin(struct json *json)
{
    *json = (struct json){0};
    json->out = open_memstream(&json->text, &json->size);
    return json->out != NULL;
}

static bool is_tail(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/* The length of the well-formed character that s begins with, 0 if there is none. A text's final 0 is no tail, so
 * nothing beyond it is read. */
static int character_length(const unsigned char *s)
{
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) return is_tail(s[1]) ? 2 : 0;
    if (s[0] >= 0xe0 && s[0] <= 0xef) {
        if (!is_tail(s[1]) || !is_tail(s[2])) return 0;
        bool overlong = s[0] == 0xe0 && s[1] < 0xa0, surrogate = s[0] == 0xed && s[1] >= 0xa0;
        return overlong || surrogate ? 0 : 3;
    }
    if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        if (!is_tail(s[1]) || !is_tail(s[2]) || !is_tail(s[3])) return 0;
        bool overlong = s[0] == 0xf0 && s[1] < 0x90, beyond = s[0] == 0xf4 && s[1] >= 0x90;
        return overlong || beyond ? 0 : 4;
    }
    return 0;
}

static void write_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', out);
    while (*s) {
        int length = character_length(s);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(out, "\\u%04x", *s);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else
            fwrite(s, 1, (size_t)length, out);
        s += length ? length : 1;
    }
    fputc('"', out);
}

static void begin_value(struct json *json, const char *key)
{
    if (json->follows) fputs(", ", json->out);
    json->follows = true;
    if (!key) return;
    write_text(json->out, key);
    fputs(": ", json->out);
}

void json_open(struct json *json, const char *key, char bracket)
{
    begin_value(json, key);
    fputc(bracket, json->out);
    json->follows = false;
}

void json_close(struct json *json, char bracket)
{
    fputc(bracket, json->out);
    json->follows = true;
}

void json_text(struct json *json, const char *key, const char *text)
{
    begin_value(json, key);
    write_text(json->out, text);
}

void json_count(struct json *json, const char *key, uint64_t number)
{
    begin_value(json, key);
    fprintf(json->out, "%" PRIu64, number);
}

void json_integer(struct json *json, const char *key, int64_t number)
{
    begin_value(json, key);
    fprintf(json->out, "%" PRId64, number);
}

void json_number(struct json *json, const char *key, double number)
{
    if (!isfinite(number)) {
        json_null(json, key);
        return;
    }
    begin_value(json, key);
    fprintf(json->out, "%.6g", number);
}

void json_bool(struct json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key)
{
    begin_value(json, key);
    fputs("null", json->out);
}

bool json_end(struct json *json, FILE *out)
{
    bool whole = !ferror(json->out);
    if (fclose(json->out) != 0) whole = false;
    if (whole && out) fprintf(out, "%s\n", json->text);
    free(json->text);
    *json = (struct json){0};
    return whole;
}

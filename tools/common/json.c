/* SPDX-License-Identifier: MIT */
/* Writes JSON (RFC 8259). */
#define _POSIX_C_SOURCE 200809L
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../../graphws.h"
#include "console.h"

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (uint32_t code, length; *text; text += length ? length : 1) {
        length = gws_text_character(text, &code);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (gws_text_is_control(code))
            fprintf(out, "\\u%04" PRIx32, code);
        else if (code == '"' || code == '\\')
            fprintf(out, "\\%c", *text);
        else
            fwrite(text, 1, length, out);
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

static void print_number(struct json *json, const char *key, double number, int digits)
{
    if (!isfinite(number)) {
        json_null(json, key);
        return;
    }
    begin_value(json, key);
    fprintf(json->out, "%.*g", digits, number);
}

void json_number(struct json *json, const char *key, double number)
{
    const bool is_whole = fabs(number) < 0x1p53 && floor(number) == number;
    print_number(json, key, number, is_whole ? 17 : 6);
}

void json_exact(struct json *json, const char *key, double number)
{
    print_number(json, key, number, 17);
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

void json_verdict(struct json *json, const char *key, int verdict)
{
    if (verdict < 0)
        json_null(json, key);
    else
        json_bool(json, key, verdict != 0);
}

void json_name(struct json *json, const char *key, const char *text)
{
    if (text)
        json_text(json, key, text);
    else
        json_null(json, key);
}

void json_fields(struct json *json, struct json_table table, const void *data)
{
    for (const struct json_field *field = table.field; field < table.field + table.fields; field++) {
        const char *member = (const char *)data + field->offset;
        switch (field->kind) {
        case JSON_U32:
            json_count(json, field->key, *(const uint32_t *)member);
            break;
        case JSON_U64:
            json_count(json, field->key, *(const uint64_t *)member);
            break;
        case JSON_REAL:
            json_number(json, field->key, *(const double *)member);
            break;
        case JSON_BOOL:
            json_bool(json, field->key, *(const bool *)member);
            break;
        case JSON_TEXT:
            json_text(json, field->key, *(const char *const *)member);
            break;
        }
    }
}

int json_print(void (*write)(const void *data, struct json *json), const void *data)
{
    struct json json = {0};
    json.out = open_memstream(&json.text, &json.size);
    bool whole = json.out != NULL;
    if (whole) {
        json_open(&json, NULL, '{');
        write(data, &json);
        json_close(&json, '}');
        whole = !ferror(json.out);
        if (fclose(json.out) != 0) whole = false;
    }
    if (whole) printf("%s\n", json.text);
    free(json.text);
    return whole ? -1 : console_fail("%s", gws_status_text(GWS_NO_MEMORY));
}

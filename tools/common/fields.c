/* SPDX-License-Identifier: MIT */
/* Prints members of a struct as text. The keys are those of the tables for JSON. */
#include <math.h>
#include <string.h>

#include "console.h"
#include "json.h"

/* Prints the member for KEY, KEY?TEXT or s; *last: the number of the previous member. */
static void print_member(const char *key, int length, struct json_table table, const char *state, uint64_t *last,
                         FILE *out)
{
    const int name = (int)strcspn(key, "?}");
    const struct json_field *field = table.field;
    char number[CONSOLE_NUMBER];
    if (name == 1 && *key == 's') {
        if (*last != 1) fputc('s', out);
        return;
    }
    while (strncmp(field->key, key, (size_t)name) != 0 || field->key[name]) field++;
    const void *member = state + field->offset;
    if (field->kind == JSON_U64) *last = *(const uint64_t *)member;
    if (field->kind == JSON_U32) *last = *(const uint32_t *)member;
    if (field->kind == JSON_BOOL) *last = *(const bool *)member;
    if (field->kind == JSON_REAL) *last = !isnan(*(const double *)member);
    if (name < length)
        fprintf(out, "%.*s", *last ? length - name - 1 : 0, key + name + 1);
    else if (field->kind == JSON_REAL && *last)
        fprintf(out, "%.*g", floor(*(const double *)member) == *(const double *)member ? 15 : 6,
                *(const double *)member);
    else if (field->kind != JSON_REAL)
        fputs(field->kind == JSON_TEXT ? *(const char *const *)member : console_count(*last, number), out);
}

void json_fields_print(struct json_table table, const char *text, const void *data, FILE *out)
{
    uint64_t last = 0;
    for (bool is_member = false; text && *text; is_member = !is_member) {
        int length = (int)strcspn(text, "{}");
        if (is_member)
            print_member(text, length, table, data, &last, out);
        else
            fprintf(out, "%.*s", length, text);
        text += length + (text[length] != '\0');
    }
}

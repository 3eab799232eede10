/* SPDX-License-Identifier: MIT */
/* Writes one JSON value into memory; json_print() prints it only when it is complete.
 *
 * Each value takes a key, which is NULL inside a list. The output is always valid JSON in valid UTF-8. Invalid bytes of
 * a string become U+FFFD. A number that JSON cannot represent (NaN, infinity) becomes null. */
#ifndef TOOLS_COMMON_JSON_H
#define TOOLS_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out; /* a stream that writes into text */
    char *text;
    size_t size;
    bool follows; /* the open list or object already has a value */
};

/* bracket is '{' or '[' to open, '}' or ']' to close. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);

void json_text(struct json *json, const char *key, const char *text);
void json_count(struct json *json, const char *key, uint64_t number);
void json_integer(struct json *json, const char *key, int64_t number);
void json_number(struct json *json, const char *key, double number); /* with 6 digits; a whole number exactly */
void json_exact(struct json *json, const char *key, double number);  /* with all digits */
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* Writes null if verdict is negative, true if it is positive, false if it is 0. */
void json_verdict(struct json *json, const char *key, int verdict);

/* Writes a string, or null if text is NULL. */
void json_name(struct json *json, const char *key, const char *text);

/* Maps a member of a struct to a member of an object, such as {JSON_FIELD(struct uts_state, result.nodes, "nodes")}.
 * The member's type selects the JSON type. */
enum json_kind { JSON_U32, JSON_U64, JSON_REAL, JSON_BOOL, JSON_TEXT };
struct json_field {
    const char *key;
    enum json_kind kind;
    size_t offset; /* offset of the member in the struct */
};
#define JSON_FIELD(type, member, key) key, JSON_KIND(((type *)0)->member), offsetof(type, member)
#define JSON_KIND(x)                                                                                                   \
    _Generic(x, uint32_t : JSON_U32, uint64_t : JSON_U64, double : JSON_REAL, bool : JSON_BOOL, const char * : JSON_TEXT)

struct json_table {
    const struct json_field *field;
    size_t fields;
};
#define JSON_TABLE(field)                                                                                              \
    {                                                                                                                  \
        (field), sizeof(field) / sizeof *(field)                                                                       \
    }

/* Writes these members of the struct at data. */
void json_fields(struct json *json, struct json_table table, const void *data);

/* Prints text (NULL: nothing) after replacing its fields: {KEY} by that member of the struct at data, {KEY?X} by X if
 * the member is not 0, and {s} by "s" unless the number before it is 1. NaN counts as 0 and is not printed. */
void json_fields_print(struct json_table table, const char *text, const void *data, FILE *out);

/* Prints one object on standard output; write() adds its members. Returns -1, or the exit status. */
int json_print(void (*write)(const void *data, struct json *json), const void *data);

#endif

/* SPDX-License-Identifier: MIT */
/* Writes one JSON value into memory, so that nothing is printed unless all of it is there.
 *
 * Values take a key, which is NULL inside a list. Whatever the bytes of a text, what is written is valid JSON in valid
 * UTF-8: bytes that are not become U+FFFD. A number that JSON cannot hold (NaN, infinity) becomes null. */
#ifndef TOOLS_COMMON_JSON_H
#define TOOLS_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out; /* into text */
    char *text;
    size_t size;
    bool follows; /* a value stands before this place, in the same list or object */
};

/* bracket is '{' or '[', and '}' or ']'. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);

void json_text(struct json *json, const char *key, const char *text);
void json_count(struct json *json, const char *key, uint64_t number);
void json_integer(struct json *json, const char *key, int64_t number);
void json_number(struct json *json, const char *key, double number);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* A verdict: null below 0, else whether it is not 0. */
void json_verdict(struct json *json, const char *key, int verdict);

/* A text, or null where it is NULL. */
void json_name(struct json *json, const char *key, const char *text);

/* A member of a struct that becomes a member of an object, such as {JSON_FIELD(struct state, result.nodes, "nodes")};
 * its type says how it is written. */
enum json_kind { JSON_U32, JSON_U64, JSON_REAL, JSON_BOOL, JSON_TEXT };
struct json_field {
    const char *key;
    enum json_kind kind;
    size_t place;
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

/* Prints one object, whose members write() writes, on standard output: -1, or the status to exit with. */
int json_print(void (*write)(const void *data, struct json *json), const void *data);

#endif

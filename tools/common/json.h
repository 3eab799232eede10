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

/* False when memory is short. */
bool json_begin(struct json *json);

/* bracket is '{' or '[', and '}' or ']'. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);

void json_text(struct json *json, const char *key, const char *text);
void json_count(struct json *json, const char *key, uint64_t number);
void json_integer(struct json *json, const char *key, int64_t number);
void json_number(struct json *json, const char *key, double number);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* Frees the text after printing it, with an end of line, on out (NULL: nowhere). Answers false when memory was short;
 * nothing is printed then. */
bool json_end(struct json *json, FILE *out);

#endif

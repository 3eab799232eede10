/* SPDX-License-Identifier: MIT */
/* Fields of a line of a table. One character or blanks separate them, and a field may be in double quotes (RFC
 * 4180). */
#ifndef GWS_IO_TEXT_FIELDS_H
#define GWS_IO_TEXT_FIELDS_H

#include "reader.h"

/* A field's content, without quotes and without blanks around it. */
struct gws__text_field {
    const char *at, *end;
    bool quoted;
    bool doubled; /* the field is in quotes and contains "", which stands for one quote */
};

/* Reads the field at *p and moves *p to the next field. Sets *last to true at the end of the line. The separator is '
 * ' (any number of blanks) or another character, with or without blanks beside it. Unless the separator is ' ', a
 * field that begins with { extends to the end of the line. Returns the byte of a fault, or NULL. A fault is an opening
 * quote without a closing quote, or text after a closing quote. */
const char *gws__field_next(const char **p, const char *end, char separator, struct gws__text_field *field, bool *last);

/* gws__field_is_id() returns true if the field consists of digits. gws__field_is_number() returns true if
 * gws__number_scan() reads the whole field. */
bool gws__field_is_id(const struct gws__text_field *field);
bool gws__field_is_number(const struct gws__text_field *field);

/* Copies the content, with single quotes for doubled ones, to text (as many bytes as the field has). Returns the
 * length of the text. */
uint64_t gws__field_copy(const struct gws__text_field *field, char *text);

/* Finds the value of the key weight in a dictionary of Python or JSON such as {'weight': 3}. Sets *at to the first
 * byte of the value. Returns false if the dictionary has no such key. */
bool gws__field_find_weight(const struct gws__text_field *dictionary, const char **at);

#endif

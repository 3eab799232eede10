/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* stpcpy */
#include "../text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { shown_bytes = 8 /* size of the longest escape with its terminating 0 */ };

static bool is_tail(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Returns the length of the character that starts with this byte, or 0 if no character does. *code receives the byte's
 * bits of the code point, and *min the smallest code point of that length. */
static uint32_t announced(unsigned char first, uint32_t *code, uint32_t *min)
{
    static const struct {
        unsigned char mask, mark;
        uint32_t min;
    } form[] = {{0x80, 0, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (uint32_t i = 0; i < sizeof form / sizeof *form; i++) {
        if ((first & form[i].mask) != form[i].mark) continue;
        *code = first & (unsigned char)~form[i].mask;
        *min = form[i].min;
        return i + 1;
    }
    return 0;
}

uint32_t gws_text_character(const char *text, uint32_t *code)
{
    uint32_t number = 0, min = 0, length = announced((unsigned char)*text, &number, &min);
    bool good = length > 0;
    for (uint32_t i = 1; good && i < length; i++) {
        good = is_tail(text[i]); /* the terminating 0 is no continuation byte */
        number = number << 6 | ((unsigned char)text[i] & 0x3f);
    }
    good = good && number >= min && number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff);
    *code = good ? number : (unsigned char)*text;
    return good ? length : 0;
}

bool gws_text_is_control(uint32_t code)
{
    static const struct {
        uint16_t first, last;
    } range[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200b},
                 {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}};
    for (uint32_t i = 0; i < sizeof range / sizeof *range; i++)
        if (code >= range[i].first && code <= range[i].last) return true;
    return false;
}

/* Formats the first character of text and returns its length in text. */
static uint32_t show(const char *text, char shown[shown_bytes])
{
    uint32_t code, length = gws_text_character(text, &code);
    if (length > 1 && gws_text_is_control(code))
        snprintf(shown, shown_bytes, "\\u%04" PRIx32, code);
    else if (length == 0 || gws_text_is_control(code))
        snprintf(shown, shown_bytes, "\\x%02x", (unsigned char)*text);
    else
        snprintf(shown, shown_bytes, "%.*s", (int)length, text);
    return length ? length : 1;
}

static uint64_t shown_length(const char *text)
{
    char shown[shown_bytes];
    uint64_t length = 0;
    while (*text) {
        text += show(text, shown);
        length += strlen(shown);
    }
    return length;
}

char *gws_text_plain(const char *text, char *plain, uint64_t size)
{
    static const char gap[] = "...";
    uint64_t whole = shown_length(text), at = 0, remaining = size - sizeof gap;
    bool fits = whole < size, skipped = false;
    uint64_t head = fits ? whole : remaining / 2, tail = fits ? whole : whole - (remaining - head);
    char shown[shown_bytes], *to = plain;
    while (*text) {
        text += show(text, shown);
        uint64_t begin = at;
        at += strlen(shown);
        const char *piece = at <= head || begin >= tail ? shown : skipped ? "" : gap;
        skipped = skipped || piece == gap;
        to = stpcpy(to, piece);
    }
    *to = '\0';
    return plain;
}

/* SPDX-License-Identifier: MIT */
/* Converts digits to numbers, eight at a time. One addition finds the bytes that are not digits, and three
 * multiplications combine eight digits into two, four and one number (after D. Lemire, "Number parsing at a gigabyte
 * per second", Software: Practice and Experience 51(8), 2021, which also describes a method by J. Langdale). */
#ifndef GWS_IO_SCAN_H
#define GWS_IO_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../../lib/graph.h"

/* Loads eight bytes. The first byte is the lowest of the number. */
static inline uint64_t gws__scan_load(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Returns the value of eight digits, one in each byte. The lowest byte is the most significant digit. */
static inline uint64_t gws__scan_combine(uint64_t digits)
{
    digits = (digits * 10 + (digits >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    digits = (digits * 100 + (digits >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (digits * 10000 + (digits >> 32)) & UINT64_C(0xffffffff);
}

/* Reads the digits at p, at most eight. Returns the number of digits, and sets *value to their value. */
static inline unsigned gws__scan_word(const char *p, uint64_t *value)
{
    uint64_t word = gws__scan_load(p) ^ UINT64_C(0x3030303030303030);
    /* Carries from bytes above 0x89 only disturb bytes after the first non-digit. */
    uint64_t other = ((word + UINT64_C(0x7676767676767676)) | word) & UINT64_C(0x8080808080808080);
    if (other == 0) {
        *value = gws__scan_combine(word);
        return 8;
    }
    unsigned bits = (unsigned)__builtin_ctzll(other) & 0x78;
    *value = gws__scan_combine(word << 8 << (56 - bits));
    return bits >> 3;
}

/* Reads up to 16 digits at p, where 16 bytes must be readable. Returns the first byte after the digits, or p if p has
 * no digit. */
static inline const char *gws__scan_short(const char *p, uint64_t *value)
{
    static const uint32_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    unsigned digits = gws__scan_word(p, value);
    if (__builtin_expect(digits < 8, true)) return p + digits;
    uint64_t high = *value, low = 0;
    digits = gws__scan_word(p + 8, &low);
    *value = high * power[digits] + low;
    return p + 8 + digits;
}

static inline bool gws__scan_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool gws__scan_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns true if text begins with the length characters of word, ignoring case. (strncasecmp() depends on the locale,
 * and in some locales I is not the capital of i.) */
static inline bool gws__scan_matches(const char *text, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char a = text[i], b = word[i];
        if (a >= 'A' && a <= 'Z') a = (char)(a + 'a' - 'A');
        if (b >= 'A' && b <= 'Z') b = (char)(b + 'a' - 'A');
        if (a != b) return false;
    }
    return true;
}

/* Reads all digits at p before end. Sets *fits to false if the value needs more than 64 bits. */
static inline const char *gws__scan_long(const char *p, const char *end, uint64_t *value, bool *fits)
{
    *value = 0;
    *fits = true;
    for (; p < end && gws__scan_is_digit(*p); p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        *fits = *fits && *value <= (UINT64_MAX - digit) / 10;
        *value = *value * 10 + digit;
    }
    return p;
}

static inline const char *gws__scan_blanks(const char *p, const char *end)
{
    while (p < end && gws__scan_is_blank(*p)) p++;
    return p;
}

/* Returns the end of the token at p, which is a blank, a comma or end. end must exclude the line's carriage return. */
static inline const char *gws__scan_token(const char *p, const char *end)
{
    while (p < end && !gws__scan_is_blank(*p) && *p != ',') p++;
    return p;
}

#endif

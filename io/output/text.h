/* SPDX-License-Identifier: MIT */
/* Functions that write numbers as decimal text into a buffer. Each returns the end of its text. */
#ifndef GWS_IO_OUTPUT_TEXT_H
#define GWS_IO_OUTPUT_TEXT_H

#include <stdint.h>
#include <string.h>

/* The largest number of bytes that each function writes. */
enum {
    GWS__TEXT_U32 = 10,
    GWS__TEXT_U64 = 20,
    GWS__TEXT_I32 = 11,
    GWS__TEXT_I64 = 20,
    GWS__TEXT_F32 = 16,
    GWS__TEXT_F64 = 32
};

/* A table of "00" .. "99", which makes two digits with one division. */
static const char gws__text_pair[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

static inline char *gws__text_u64(char *text, uint64_t value)
{
    char digit[GWS__TEXT_U64];
    char *at = digit + sizeof digit;
    while (value >= 100) {
        at -= 2;
        memcpy(at, &gws__text_pair[value % 100 * 2], 2);
        value /= 100;
    }
    if (value >= 10) {
        at -= 2;
        memcpy(at, &gws__text_pair[value * 2], 2);
    } else {
        *--at = (char)('0' + value);
    }
    size_t length = (size_t)(digit + sizeof digit - at);
    memcpy(text, at, length);
    return text + length;
}

static inline unsigned gws__text_digits(uint32_t value)
{
    static const uint32_t power[] = {10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    unsigned digits = 1;
    for (unsigned i = 0; i < sizeof power / sizeof *power; i++) digits += value >= power[i];
    return digits;
}

static inline char *gws__text_u32(char *text, uint32_t value)
{
    char *end = text + gws__text_digits(value), *at = end;
    for (; value >= 100; value /= 100) memcpy(at -= 2, &gws__text_pair[value % 100 * 2], 2);
    if (value >= 10)
        memcpy(at - 2, &gws__text_pair[value * 2], 2);
    else
        at[-1] = (char)('0' + value);
    return end;
}

static inline char *gws__text_i64(char *text, int64_t value)
{
    if (value < 0) *text++ = '-';
    return gws__text_u64(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static inline char *gws__text_i32(char *text, int32_t value)
{
    if (value < 0) *text++ = '-';
    return gws__text_u32(text, value < 0 ? 0 - (uint32_t)value : (uint32_t)value);
}

/* Copies a string without its terminating 0. */
static inline char *gws__text_string(char *text, const char *string)
{
    size_t length = strlen(string);
    memcpy(text, string, length);
    return text + length;
}

/* Writes the shortest text that reads back as the same double, in any locale. Whole numbers have no point. */
char *gws__text_f64(char *text, double value);

/* Writes the shortest text that reads back as the same float. */
char *gws__text_f32(char *text, float value);

#endif

/* SPDX-License-Identifier: MIT */
/* Functions that make files byte by byte. */
#ifndef GWS_TESTS_IO_BYTES_H
#define GWS_TESTS_IO_BYTES_H

#include <stdint.h>
#include <string.h>

struct bytes {
    unsigned char at[65536];
    size_t size;
};

static inline void bytes_text(struct bytes *bytes, const char *text)
{
    memcpy(bytes->at + bytes->size, text, strlen(text));
    bytes->size += strlen(text);
}

static inline void bytes_whole(struct bytes *bytes, uint64_t value, unsigned size, int big_endian)
{
    for (unsigned i = 0; i < size; i++)
        bytes->at[bytes->size + (big_endian ? size - 1 - i : i)] = (unsigned char)(value >> (8 * i));
    bytes->size += size;
}

static inline void bytes_float(struct bytes *bytes, float value, int big_endian)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_whole(bytes, bits, 4, big_endian);
}

static inline void bytes_double(struct bytes *bytes, double value, int big_endian)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_whole(bytes, bits, 8, big_endian);
}

/* Makes a .npy of version 1 with the given dictionary and without data. */
static inline void bytes_npy(struct bytes *bytes, const char *dictionary)
{
    bytes_whole(bytes, 0x93, 1, 0);
    bytes_text(bytes, "NUMPY");
    bytes_whole(bytes, 1, 2, 0);
    bytes_whole(bytes, strlen(dictionary) + 1, 2, 0);
    bytes_text(bytes, dictionary);
    bytes_text(bytes, "\n");
}

/* Makes a LAS head of 227 bytes (375 for minor 4) with scale 0.5 and shift 10, 20, 30. The points begin directly after
 * the head. */
static inline void bytes_las(struct bytes *bytes, unsigned minor, unsigned format, unsigned record, uint64_t count)
{
    unsigned head = minor == 4 ? 375 : 227;
    memset(bytes->at, 0, head);
    memcpy(bytes->at, "LASF", 4);
    bytes->at[24] = 1;
    bytes->at[25] = (unsigned char)minor;
    bytes->at[104] = (unsigned char)format;
    bytes->size = 94;
    bytes_whole(bytes, head, 2, 0);
    bytes_whole(bytes, head, 4, 0);
    bytes->size = 105;
    bytes_whole(bytes, record, 2, 0);
    bytes_whole(bytes, minor == 4 ? 0 : count, 4, 0);
    bytes->size = 131;
    for (int i = 0; i < 3; i++) bytes_double(bytes, 0.5, 0);
    for (int i = 0; i < 3; i++) bytes_double(bytes, 10 * (i + 1), 0);
    bytes->size = 247;
    if (minor == 4) bytes_whole(bytes, count, 8, 0);
    bytes->size = head;
}

#endif

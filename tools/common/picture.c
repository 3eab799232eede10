/* SPDX-License-Identifier: MIT */
/* Writes rasters as PNG (W3C, second edition), with a palette and one byte per cell. There are no filters, because they
 * gain little on rows of maps. */
#define _POSIX_C_SOURCE 200809L
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "console.h"
#include "outputs.h"

enum { GLYPH_WIDTH = 3, GLYPH_HEIGHT = 5 };

bool picture_begin(struct picture *picture, uint32_t width, uint32_t height)
{
    memset(picture->colour, 255, sizeof picture->colour);
    picture->width = width;
    picture->height = height;
    picture->cell = calloc(height, width);
    return picture->cell != NULL;
}

void picture_clear(struct picture *picture)
{
    free(picture->cell);
    picture->cell = NULL;
}

/* ---- drawing ---- */

void picture_box(struct picture *picture, int64_t x, int64_t y, uint32_t width, uint32_t height, uint8_t colour)
{
    for (int64_t row = y; row < y + height; row++)
        for (int64_t column = x; column < x + width; column++)
            if (row >= 0 && row < picture->height && column >= 0 && column < picture->width)
                picture->cell[(uint64_t)row * picture->width + (uint64_t)column] = colour;
}

/* Returns the five rows of three dots of a letter or digit; the top left dot is the highest of 15 bits. Small letters
 * look like capitals; other characters are blank. */
static uint16_t dots_of(char character)
{
    static const uint16_t digit[10] = {075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717};
    static const uint16_t alphabet[26] = {025755, 065656, 034443, 065556, 074647, 074644, 034553, 055755, 072227,
                                          011152, 055655, 044447, 057755, 065555, 025552, 065644, 025563, 065655,
                                          034216, 072222, 055557, 055552, 055775, 055255, 055222, 071247};
    if (character >= '0' && character <= '9') return digit[character - '0'];
    return character >= 'a' && character <= 'z' ? alphabet[character - 'a'] : 0;
}

void picture_text(struct picture *picture, int64_t x, int64_t y, const char *text, uint32_t scale, uint8_t colour)
{
    for (; *text; text++, x += (int64_t)(GLYPH_WIDTH + 1) * scale) {
        const uint16_t dots = dots_of(*text);
        for (int64_t dot = 0; dot < GLYPH_WIDTH * GLYPH_HEIGHT; dot++)
            if (dots >> (GLYPH_WIDTH * GLYPH_HEIGHT - 1 - dot) & 1)
                picture_box(picture, x + dot % GLYPH_WIDTH * scale, y + dot / GLYPH_WIDTH * scale, scale, scale,
                            colour);
    }
}

uint32_t picture_text_width(const char *text, uint32_t scale)
{
    return (uint32_t)strlen(text) * (GLYPH_WIDTH + 1) * scale;
}

/* ---- coordinates ---- */

void picture_scale_set(struct picture_scale *scale, const double low[2], const double high[2])
{
    bool overflows = isinf(high[0] - low[0]) || isinf(high[1] - low[1]);
    scale->shrink = overflows ? 0.5 : 1;
    for (int i = 0; i < 2; i++) scale->low[i] = low[i] * scale->shrink;
    scale->side = fmax(high[0] * scale->shrink - scale->low[0], high[1] * scale->shrink - scale->low[1]);
}

/* The function divides by side last, because cells / side overflows for the smallest sides. */
double picture_fraction(const struct picture_scale *scale, int axis, double coordinate)
{
    double distance = coordinate * scale->shrink - scale->low[axis];
    if (!(distance > 0)) return 0;
    return distance < scale->side ? distance / scale->side : 1;
}

/* ---- the file ---- */

static void store_number(uint8_t *to, uint32_t number)
{
    for (int i = 0; i < 4; i++) to[i] = (uint8_t)(number >> (24 - 8 * i));
}

/* Prints a chunk: length, name, data, and a checksum of name and data. */
static void print_chunk(FILE *out, const char name[4], const uint8_t *data, uint32_t size)
{
    uint8_t number[4];
    store_number(number, size);
    fwrite(number, 1, 4, out);
    fwrite(name, 1, 4, out);
    if (size > 0) fwrite(data, 1, size, out);
    uLong checksum = crc32(crc32(0, NULL, 0), (const Bytef *)name, 4);
    if (size > 0) checksum = crc32(checksum, data, size);
    store_number(number, (uint32_t)checksum);
    fwrite(number, 1, 4, out);
}

/* Prints the rows; a zero byte before each row means no filter. */
static bool print_rows(FILE *out, const struct picture *picture)
{
    uLong row = (uLong)picture->width + 1, size = row * picture->height, capacity = compressBound(size);
    uint8_t *raw = malloc(size), *packed = malloc(capacity);
    bool good = raw && packed;
    for (uint32_t y = 0; good && y < picture->height; y++) {
        raw[y * row] = 0;
        memcpy(raw + y * row + 1, picture->cell + (uint64_t)y * picture->width, picture->width);
    }
    if (good) good = compress2(packed, &capacity, raw, size, Z_DEFAULT_COMPRESSION) == Z_OK;
    if (good) print_chunk(out, "IDAT", packed, (uint32_t)capacity);
    free(packed);
    free(raw);
    return good;
}

static bool print_png(FILE *out, const struct picture *picture)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t head[13] = {[8] = 8, [9] = 3}; /* 8 bits per cell, palette */
    store_number(head, picture->width);
    store_number(head + 4, picture->height);
    fwrite(signature, 1, sizeof signature, out);
    print_chunk(out, "IHDR", head, sizeof head);
    print_chunk(out, "PLTE", &picture->colour[0][0], sizeof picture->colour);
    bool good = print_rows(out, picture);
    print_chunk(out, "IEND", NULL, 0);
    return good;
}

int picture_check(const char *option, const char *path)
{
    if (name_ends(path, ".png") || name_ends(path, ".svg")) return output_check(path);
    return console_usage("--%s: expected a name ending in .svg or .png, got '%s'", option, path);
}

int picture_write(const struct picture *picture, struct gws_runtime *runtime, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good = out && print_png(out, picture);
    if (out && (ferror(out) | fclose(out)) != 0) good = false;
    int status = good ? output_write(runtime, path, text, size) : console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    free(text);
    return status;
}

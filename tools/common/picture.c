/* SPDX-License-Identifier: MIT */
/* Writes pictures. In SVG, a run of equal cells is one line, so the file stays small. A PNG file (W3C, second edition)
 * has a palette and one byte per cell. It has no filters, because they gain little on rows of maps. */
#define _POSIX_C_SOURCE 200809L
#include "picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "console.h"
#include "outputs.h"

enum { DIGIT_WIDTH = 3, DIGIT_HEIGHT = 5 };

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

/* A digit is five rows of three dots; the top left dot is the highest of 15 bits. */
static void draw_digit(struct picture *picture, int64_t x, int64_t y, uint32_t digit, uint32_t scale, uint8_t colour)
{
    static const uint16_t dots[10] = {075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717};
    for (int64_t dot = 0; dot < DIGIT_WIDTH * DIGIT_HEIGHT; dot++)
        if (dots[digit] >> (DIGIT_WIDTH * DIGIT_HEIGHT - 1 - dot) & 1)
            picture_box(picture, x + dot % DIGIT_WIDTH * scale, y + dot / DIGIT_WIDTH * scale, scale, scale, colour);
}

static uint32_t digits_of(uint64_t number, char text[CONSOLE_NUMBER])
{
    return (uint32_t)snprintf(text, CONSOLE_NUMBER, "%" PRIu64, number);
}

void picture_number(struct picture *picture, int64_t x, int64_t y, uint64_t number, uint32_t scale, uint8_t colour)
{
    char text[CONSOLE_NUMBER];
    uint32_t digits = digits_of(number, text);
    for (uint32_t i = 0; i < digits; i++)
        draw_digit(picture, x + (int64_t)i * (DIGIT_WIDTH + 1) * scale, y, (uint32_t)(text[i] - '0'), scale, colour);
}

uint32_t picture_number_width(uint64_t number, uint32_t scale)
{
    char text[CONSOLE_NUMBER];
    return (digits_of(number, text) * (DIGIT_WIDTH + 1) - 1) * scale;
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

/* ---- SVG ---- */

/* Prints all lines of a colour as one path. Each line runs through the middle of its row and starts relative to the end
 * of the previous one. */
static void print_colour(FILE *out, const struct picture *picture, uint32_t colour)
{
    const uint8_t *rgb = picture->colour[colour], *cell = picture->cell;
    int64_t last_x = -1, last_y = 0;
    for (uint32_t y = 0; y < picture->height; y++, cell += picture->width) {
        for (uint32_t x = 0, end; x < picture->width; x = end) {
            for (end = x + 1; end < picture->width && cell[end] == cell[x];) end++;
            if (cell[x] != colour) continue;
            if (last_x < 0)
                fprintf(out, "<path stroke=\"#%02x%02x%02x\" d=\"M%u %uh%u", rgb[0], rgb[1], rgb[2], x, y, end - x);
            else
                fprintf(out, "m%" PRId64 " %" PRId64 "h%u", x - last_x, y - last_y, end - x);
            last_x = end;
            last_y = y;
        }
    }
    if (last_x >= 0) fputs("\"/>\n", out);
}

static void print_svg(FILE *out, const struct picture *picture)
{
    bool used[256] = {false};
    for (uint64_t i = 0; i < (uint64_t)picture->width * picture->height; i++) used[picture->cell[i]] = true;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
            "shape-rendering=\"crispEdges\">\n<rect width=\"%u\" height=\"%u\" fill=\"white\"/>\n"
            "<g transform=\"translate(0 .5)\">\n",
            picture->width, picture->height, picture->width, picture->height, picture->width, picture->height);
    for (uint32_t colour = 1; colour < 256; colour++)
        if (used[colour]) print_colour(out, picture, colour);
    fputs("</g>\n</svg>\n", out);
}

/* ---- PNG ---- */

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

/* ---- the file ---- */

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
    bool good = out != NULL;
    if (good && name_ends(path, ".png")) good = print_png(out, picture);
    if (good && !name_ends(path, ".png")) print_svg(out, picture);
    if (out && (ferror(out) | fclose(out)) != 0) good = false;
    int status = good ? output_write(runtime, path, text, size) : console_fail("%s", gws_status_text(GWS_NO_MEMORY));
    free(text);
    return status;
}

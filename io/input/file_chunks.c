/* SPDX-License-Identifier: MIT */
/* Chunks of a file. The ranges have one size and divide the file from the input's position to the file's end at
 * opening. A line belongs to the range that contains its first byte. The chunk of a range therefore begins after the
 * first line feed at or after the byte before the range, and ends with the first line feed at or after the range's
 * last byte. A worker reads a range with a few extra bytes for the last line, and reads more if the line is longer. */
#define _GNU_SOURCE /* memrchr */
#include <string.h>

#include "input.h"

enum { scan_bytes = 1 << 16 };

uint64_t gws__input_ranges(const struct gws__input *input)
{
    uint64_t bytes = input->total - input->taken;
    return bytes / input->chunk_size + (bytes % input->chunk_size != 0);
}

static uint64_t slack_bytes(const struct gws__input *input)
{
    return input->chunk_size / 64 + gws__chunk_padding;
}

uint64_t gws__range_capacity(const struct gws__input *input)
{
    return input->chunk_size + 1 + slack_bytes(input);
}

/* The state of reading one range. Offsets count bytes of the file. */
struct range_reader {
    const struct gws__input *input;
    uint64_t from, last; /* from: offset of the buffer's first byte; last: offset of the range's last byte */
    struct gws__buffer *buffer;
};

/* Reads at most max bytes into the free part of the buffer, at most up to the end of the file. */
static gws_status read_more(struct range_reader *reader, uint64_t max)
{
    struct gws__buffer *buffer = reader->buffer;
    uint64_t at = reader->from + buffer->used, rest = reader->input->total - at,
             free_bytes = buffer->capacity - buffer->used;
    uint64_t size = rest < free_bytes ? rest : free_bytes;
    if (size > max) size = max;
    gws_status status = gws__input_read_at(reader->input, at, buffer->text + buffer->used, size);
    if (status == GWS_OK) buffer->used += size;
    return status;
}

/* Checks the file's last line, which lacks its line feed. If the file has grown since it was opened, this line is
 * incomplete. */
static gws_status check_end(const struct range_reader *reader)
{
    char next;
    struct gws__input quiet = *reader->input;
    quiet.where = NULL;
    if (gws__input_read_at(&quiet, quiet.total, &next, 1) != GWS_OK) return GWS_OK;
    return gws__input_fail(reader->input, GWS_SYSTEM, 0, 0, "the file grew in the middle of a line while it was read");
}

static gws_status fail_flaw(const struct range_reader *reader, const char *flaw)
{
    const char *text = reader->buffer->text, *newline = memrchr(text, '\n', (size_t)(flaw - text));
    const char *line = newline ? newline + 1 : text;
    uint64_t before = gws__file_lines(reader->input, reader->from + (uint64_t)(line - text));
    return gws__buffer_fail(reader->input, flaw, line, before + 1);
}

/* Reads on until the last line ends, in small steps, because the worker of the next range reads these bytes, too. Sets
 * *end to the number of bytes in the buffer up to that end. */
static gws_status find_end(struct range_reader *reader, uint64_t start, uint64_t *end)
{
    uint64_t looked = reader->last - reader->from;
    const uint64_t step = slack_bytes(reader->input) * 4;
    for (;;) {
        struct gws__buffer *buffer = reader->buffer;
        const char *newline = memchr(buffer->text + looked, '\n', buffer->used - looked), *flaw;
        *end = newline ? (uint64_t)(newline + 1 - buffer->text) : buffer->used;
        if (newline) return GWS_OK;
        if (reader->from + buffer->used == reader->input->total) return check_end(reader);
        looked = buffer->used;
        const bool full = buffer->used == buffer->capacity;
        if (full && (flaw = gws__buffer_flaw(buffer, start))) return fail_flaw(reader, flaw);
        gws_status status = full ? gws__buffer_enlarge(reader->input->runtime, &reader->buffer) : GWS_OK;
        if (status == GWS_OK) status = read_more(reader, step);
        if (status != GWS_OK) return status;
    }
}

static gws_status find_lines(struct range_reader *reader, uint64_t begin, uint64_t *start, uint64_t *end)
{
    *start = *end = 0;
    gws_status status = read_more(reader, gws__range_capacity(reader->input));
    if (status != GWS_OK) return status;
    if (begin > reader->from) {
        const char *newline = memchr(reader->buffer->text, '\n', reader->last - reader->from);
        if (!newline) return GWS_OK; /* a line that began earlier covers the whole range */
        *start = (uint64_t)(newline + 1 - reader->buffer->text);
    }
    return find_end(reader, *start, end);
}

gws_status gws__input_read_range(const struct gws__input *input, uint64_t range, struct gws__buffer **buffer,
                                 struct gws__chunk *chunk)
{
    uint64_t begin = input->taken + range * input->chunk_size, rest = input->total - begin, start, end;
    struct range_reader reader = {.input = input, .from = range > 0 ? begin - 1 : begin, .buffer = *buffer};
    reader.last = begin + (rest < input->chunk_size ? rest : input->chunk_size) - 1;
    *chunk = (struct gws__chunk){0};
    if (!reader.buffer) reader.buffer = gws__buffer_new(input->runtime, gws__range_capacity(input));
    if (!reader.buffer) return GWS_NO_MEMORY;
    reader.buffer->used = 0;
    gws_status status = find_lines(&reader, begin, &start, &end);
    *buffer = reader.buffer;
    if (status != GWS_OK || start == end) return status;
    reader.buffer->used = end;
    gws__buffer_seal(reader.buffer);
    const char *text = reader.buffer->text;
    *chunk = (struct gws__chunk){.text = text + start, .at = text + start, .end = text + reader.buffer->used};
    chunk->buffer = reader.buffer;
    chunk->index = range;
    chunk->offset = reader.from + start;
    return GWS_OK;
}

/* ---- other operations on a file ---- */

gws_status gws__file_head(struct gws__input *input, uint64_t size, const void **bytes, uint64_t *got)
{
    uint64_t rest = input->total - input->taken, part = rest < size ? rest : size;
    if (input->carry && input->carry->capacity < part) {
        gws__buffer_free(input->runtime, input->carry);
        input->carry = NULL;
    }
    if (!input->carry) input->carry = gws__buffer_new(input->runtime, size);
    if (!input->carry) return GWS_NO_MEMORY;
    *bytes = input->carry->text;
    *got = part;
    return gws__input_read_at(input, input->taken, input->carry->text, part);
}

uint64_t gws__file_lines(const struct gws__input *input, uint64_t bytes)
{
    char some[scan_bytes];
    uint64_t lines = 0;
    for (uint64_t at = 0; at < bytes; at += sizeof some) {
        uint64_t size = bytes - at < sizeof some ? bytes - at : sizeof some;
        if (gws__input_read_at(input, at, some, size) != GWS_OK) break;
        lines += gws__count_lines(some, some + size);
    }
    return lines;
}

gws_status gws__input_lines_end(const struct gws__input *input, uint64_t lines, uint64_t *end)
{
    char some[scan_bytes];
    uint64_t at = 0;
    while (lines > 0 && at < input->total) {
        uint64_t size = input->total - at < sizeof some ? input->total - at : sizeof some;
        gws_status status = gws__input_read_at(input, at, some, size);
        if (status != GWS_OK) return status;
        const char *p = some, *stop = some + size;
        for (; lines > 0 && p < stop; lines--) {
            const char *newline = memchr(p, '\n', (size_t)(stop - p));
            p = newline ? newline + 1 : stop;
            if (!newline) break;
        }
        at += (uint64_t)(p - some);
    }
    *end = at + (at == input->total);
    return GWS_OK;
}

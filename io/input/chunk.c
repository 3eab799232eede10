/* SPDX-License-Identifier: MIT */
/* Pieces of a file. The file is cut into chunks of one size, from where the input stands to the end that it had when it
 * was opened. A line belongs to the chunk that its first byte lies in: so the piece of a chunk begins behind the first
 * line feed from the byte before the chunk on, and ends with the first one from the chunk's last byte on. A few bytes
 * more than the chunk are read for the line that goes on behind it, and more where they are not enough. */
#define _GNU_SOURCE /* memrchr */
#include <string.h>

#include "buffer.h"

enum { scan_bytes = 1 << 16 };

uint64_t gws__input_chunks(const struct gws__input *input)
{
    uint64_t bytes = input->total - input->taken;
    return bytes / input->piece_size + (bytes % input->piece_size != 0);
}

static uint64_t slack(const struct gws__input *input)
{
    return input->piece_size / 64 + gws__piece_padding;
}

uint64_t gws__chunk_capacity(const struct gws__input *input)
{
    return input->piece_size + 1 + slack(input);
}

/* One cut: places are bytes of the file. */
struct cut {
    const struct gws__input *input;
    uint64_t from, last; /* where the buffer begins; the chunk's last byte */
    struct gws__buffer *buffer;
};

/* Fills what is free in the buffer, or up to the end of the file. */
static gws_status read_more(struct cut *cut)
{
    struct gws__buffer *buffer = cut->buffer;
    uint64_t at = cut->from + buffer->used, rest = cut->input->total - at, room = buffer->capacity - buffer->used;
    uint64_t size = rest < room ? rest : room;
    gws_status status = gws__input_read_at(cut->input, at, buffer->text + buffer->used, size);
    if (status == GWS_OK) buffer->used += size;
    return status;
}

/* The file's last line lacks its line feed. Has the file grown since, it was cut in the middle. */
static gws_status check_end(const struct cut *cut)
{
    char next;
    struct gws__input quiet = *cut->input;
    quiet.where = NULL;
    if (gws__input_read_at(&quiet, quiet.total, &next, 1) != GWS_OK) return GWS_OK;
    return gws__input_fail(cut->input, GWS_SYSTEM, 0, 0, "it became longer while it was read, in the middle of a line");
}

static gws_status fail_flaw(const struct cut *cut, const char *flaw)
{
    const char *text = cut->buffer->text, *feed = memrchr(text, '\n', (size_t)(flaw - text));
    const char *line = feed ? feed + 1 : text;
    uint64_t before = gws__file_lines(cut->input, cut->from + (uint64_t)(line - text));
    return gws__buffer_fail(cut->input, flaw, line, before + 1);
}

/* Reads on until the last line ends; *end: how much of the buffer is of the chunk's lines. */
static gws_status find_end(struct cut *cut, uint64_t start, uint64_t *end)
{
    uint64_t looked = cut->last - cut->from;
    for (;;) {
        struct gws__buffer *buffer = cut->buffer;
        const char *feed = memchr(buffer->text + looked, '\n', buffer->used - looked), *flaw;
        *end = feed ? (uint64_t)(feed + 1 - buffer->text) : buffer->used;
        if (feed) return GWS_OK;
        if (cut->from + buffer->used == cut->input->total) return check_end(cut);
        looked = buffer->used;
        if ((flaw = gws__buffer_flaw(buffer, start))) return fail_flaw(cut, flaw);
        gws_status status = gws__buffer_enlarge(cut->input->runtime, &cut->buffer);
        if (status == GWS_OK) status = read_more(cut);
        if (status != GWS_OK) return status;
    }
}

static gws_status cut_lines(struct cut *cut, uint64_t begin, uint64_t *start, uint64_t *end)
{
    *start = *end = 0;
    gws_status status = read_more(cut);
    if (status != GWS_OK) return status;
    if (begin > cut->from) {
        const char *feed = memchr(cut->buffer->text, '\n', cut->last - cut->from);
        if (!feed) return GWS_OK; /* all of it is of a line that began before */
        *start = (uint64_t)(feed + 1 - cut->buffer->text);
    }
    return find_end(cut, *start, end);
}

gws_status gws__input_cut(const struct gws__input *input, uint64_t chunk, struct gws__buffer **buffer,
                          struct gws__piece *piece)
{
    uint64_t begin = input->taken + chunk * input->piece_size, rest = input->total - begin, start, end;
    struct cut cut = {.input = input, .from = chunk > 0 ? begin - 1 : begin, .buffer = *buffer};
    cut.last = begin + (rest < input->piece_size ? rest : input->piece_size) - 1;
    *piece = (struct gws__piece){0};
    if (!cut.buffer) cut.buffer = gws__buffer_new(input->runtime, gws__chunk_capacity(input));
    if (!cut.buffer) return GWS_NO_MEMORY;
    cut.buffer->used = 0;
    gws_status status = cut_lines(&cut, begin, &start, &end);
    *buffer = cut.buffer;
    if (status != GWS_OK || start == end) return status;
    cut.buffer->used = end;
    gws__buffer_seal(cut.buffer);
    const char *text = cut.buffer->text;
    *piece = (struct gws__piece){.text = text + start, .at = text + start, .end = text + cut.buffer->used};
    piece->buffer = cut.buffer;
    piece->index = chunk;
    piece->offset = cut.from + start;
    return GWS_OK;
}

/* ---- the rest of what an input of a file does ---- */

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
            const char *feed = memchr(p, '\n', (size_t)(stop - p));
            p = feed ? feed + 1 : stop;
            if (!feed) break;
        }
        at += (uint64_t)(p - some);
    }
    *end = at + (at == input->total);
    return GWS_OK;
}

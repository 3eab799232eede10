/* SPDX-License-Identifier: MIT */
/* Divides an input into chunks at line ends. A chunk of a stream is a buffer. The next chunk begins with the text
 * after the last line feed of the buffer. A line longer than a chunk extends its chunk. Such a line must look like
 * text, so the reader refuses an endless line early. file_chunks.c has the chunks of files. */
#define _GNU_SOURCE /* memrchr */
#include <string.h>

#include "input.h"

static struct gws__buffer *buffer_new(struct gws__input *input, uint64_t capacity)
{
    struct gws__buffer *reused = input->free_list;
    if (!reused || reused->capacity < capacity) return gws__buffer_new(input->runtime, capacity);
    input->free_list = reused->next;
    reused->next = NULL;
    reused->used = 0;
    return reused;
}

/* Keeps only buffers of the ordinary size for reuse, because huge lines are rare. */
void gws__input_release(struct gws__input *input, struct gws__chunk *chunk)
{
    struct gws__buffer *buffer = chunk->buffer;
    *chunk = (struct gws__chunk){0};
    if (!buffer) return;
    if (buffer->capacity != (input->file ? gws__range_capacity(input) : input->chunk_size)) {
        gws__buffer_free(input->runtime, buffer);
        return;
    }
    buffer->next = input->free_list;
    input->free_list = buffer;
}

/* Fills input->carry to its capacity, and enlarges the buffer until it holds a line feed or the input ends. */
static gws_status fill_carry(struct gws__input *input, const char **newline)
{
    for (;;) {
        struct gws__buffer *buffer = input->carry;
        uint64_t got = 0, free_bytes = buffer->capacity - buffer->used;
        gws_status status = gws__input_fill(input, buffer->text + buffer->used, free_bytes, &got);
        if (status != GWS_OK) return status;
        buffer->used += got;
        input->ended = got < free_bytes;
        *newline = memrchr(buffer->text, '\n', buffer->used);
        if (input->ended || *newline) return GWS_OK;
        const char *flaw = gws__buffer_flaw(buffer, 0);
        if (flaw) return gws__buffer_fail(input, flaw, buffer->text, input->lines + 1);
        status = gws__buffer_enlarge(input->runtime, &input->carry);
        if (status != GWS_OK) return status;
    }
}

/* Moves the text after the last line feed to a new carry buffer, which begins the next chunk. */
static gws_status split_carry(struct gws__input *input, struct gws__buffer *buffer, const char *newline)
{
    uint64_t keep = (uint64_t)(newline + 1 - buffer->text), rest = buffer->used - keep;
    uint64_t capacity = input->chunk_size;
    while (capacity < rest) capacity *= 2;
    struct gws__buffer *carry = buffer_new(input, capacity);
    if (!carry) return GWS_NO_MEMORY;
    memcpy(carry->text, newline + 1, rest);
    carry->used = rest;
    buffer->used = keep;
    input->carry = carry;
    return GWS_OK;
}

gws_status gws__input_head(struct gws__input *input, uint64_t size, const void **bytes, uint64_t *got)
{
    if (input->file) return gws__file_head(input, size, bytes, got);
    if (!input->carry) input->carry = buffer_new(input, size > input->chunk_size ? size : input->chunk_size);
    while (input->carry && input->carry->capacity < size)
        if (gws__buffer_enlarge(input->runtime, &input->carry) != GWS_OK) return GWS_NO_MEMORY;
    struct gws__buffer *carry = input->carry;
    if (!carry) return GWS_NO_MEMORY;
    if (carry->used < size) {
        gws_status status = gws__input_fill(input, carry->text + carry->used, size - carry->used, got);
        if (status != GWS_OK) return status;
        carry->used += *got;
    }
    *bytes = carry->text;
    *got = carry->used < size ? carry->used : size;
    return GWS_OK;
}

static gws_status read_some(struct gws__input *input, void *bytes, uint64_t size, uint64_t *got)
{
    struct gws__buffer *carry = input->carry;
    uint64_t held = carry && !input->file ? carry->used : 0;
    if (held == 0) return gws__input_fill(input, bytes, size, got);
    *got = held < size ? held : size;
    memcpy(bytes, carry->text, *got);
    memmove(carry->text, carry->text + *got, held - *got);
    carry->used -= *got;
    return GWS_OK;
}

gws_status gws__input_read(struct gws__input *input, unsigned char *bytes, uint64_t size, uint64_t *filled)
{
    uint64_t got = 1;
    gws_status status = GWS_OK;
    for (*filled = 0; *filled < size && got > 0 && status == GWS_OK; *filled += got) {
        got = 0;
        status = read_some(input, bytes + *filled, size - *filled, &got);
    }
    return status;
}

static gws_status next_of_stream(struct gws__input *input, struct gws__chunk *chunk)
{
    const char *newline = NULL;
    if (input->ended) return GWS_OK;
    if (!input->carry) input->carry = buffer_new(input, input->chunk_size);
    if (!input->carry) return GWS_NO_MEMORY;
    gws_status status = fill_carry(input, &newline);
    if (status != GWS_OK) return status;
    struct gws__buffer *buffer = input->carry;
    if (input->ended && buffer->used == 0) return GWS_OK;
    if (input->ended)
        input->carry = NULL;
    else if (split_carry(input, buffer, newline) != GWS_OK)
        return GWS_NO_MEMORY;
    *chunk = (struct gws__chunk){.text = buffer->text, .at = buffer->text, .buffer = buffer, .lines = input->lines};
    chunk->index = input->chunks++;
    chunk->offset = input->offset;
    input->offset += buffer->used;
    gws__buffer_seal(buffer);
    chunk->end = buffer->text + buffer->used;
    input->lines += gws__count_lines(chunk->text, chunk->end);
    return GWS_OK;
}

static gws_status next_of_file(struct gws__input *input, struct gws__chunk *chunk)
{
    const uint64_t ranges = gws__input_ranges(input);
    struct gws__buffer *buffer = buffer_new(input, gws__range_capacity(input));
    gws_status status = buffer ? GWS_OK : GWS_NO_MEMORY;
    while (status == GWS_OK && !chunk->text && input->range < ranges)
        status = gws__input_read_range(input, input->range++, &buffer, chunk);
    if (status == GWS_OK && chunk->text) input->offset = chunk->offset + (uint64_t)(chunk->end - chunk->text);
    if (input->offset > input->total)
        input->offset = input->total; /* the line feed added to the last line is not in the input */
    if (status == GWS_OK && chunk->text) return GWS_OK;
    struct gws__chunk none = {.buffer = buffer};
    gws__input_release(input, &none);
    return status;
}

void gws__input_progress(const struct gws__input *input, const struct gws__chunk *chunk)
{
    uint64_t waiting = (uint64_t)(input->end - input->at), done = input->taken - waiting;
    if (input->file) done = chunk->text ? chunk->offset : input->total;
    gws_report_progress(input->runtime, "reading", done, input->total);
}

gws_status gws__input_next(struct gws__input *input, struct gws__chunk *chunk)
{
    struct gws__chunk found = input->chunk;
    input->chunk = (struct gws__chunk){0};
    gws_status status = GWS_OK;
    if (!found.text && gws_cancelled(input->runtime))
        status = gws__input_fail(input, GWS_CANCELLED, 0, 0, "%s", gws_status_text(GWS_CANCELLED));
    else if (!found.text && input->file)
        status = next_of_file(input, &found);
    else if (!found.text)
        status = next_of_stream(input, &found);
    if (status != GWS_OK) return status;
    *chunk = found;
    gws__input_progress(input, &found);
    return GWS_OK;
}

gws_status gws__input_peek(struct gws__input *input)
{
    if (input->chunk.text && input->chunk.at < input->chunk.end) return GWS_OK;
    struct gws__chunk chunk = {0};
    if (input->chunk.text) gws__input_release(input, &input->chunk);
    gws_status status = gws__input_next(input, &chunk);
    if (status == GWS_OK) input->chunk = chunk;
    return status;
}

gws_status gws__input_line(struct gws__input *input, struct gws__text_line *line, bool *got)
{
    gws_status status = gws__input_peek(input);
    if (status != GWS_OK) return status;
    struct gws__chunk *chunk = &input->chunk;
    *got = chunk->text != NULL;
    if (!*got) return GWS_OK;
    line->at = chunk->at;
    line->end = memchr(chunk->at, '\n', (uint64_t)(chunk->end - chunk->at));
    line->number = ++input->header_lines;
    chunk->at = line->end + 1;
    const char *flaw = gws__text_line_flaw(line->at, line->end);
    if (!flaw) return GWS_OK;
    return gws__input_fail(
        input, GWS_SYNTAX, line->number, (uint64_t)(flaw - line->at) + 1,
        *flaw ? "a carriage return within a line: a line ends in a line feed, optionally after a carriage return"
              : "expected text, found a NUL");
}

void gws__input_unread(struct gws__input *input, const struct gws__text_line *line)
{
    input->chunk.at = line->at;
    input->header_lines--;
}
